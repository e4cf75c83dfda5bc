#include "infer/step_down.hpp"

#include <algorithm>
#include <limits>

#include "support/order.hpp"

namespace treecca {

StepDown::StepDown(const Families& observed) : n_components_(observed[0].size()) {
  std::vector<double> all;
  for (const std::vector<double>& family : observed) all.insert(all.end(), family.begin(), family.end());
  std::vector<Index> remaining(observed.size(), static_cast<Index>(n_components_));
  for (const Index at : descending_order(all)) {
    const std::size_t family = static_cast<std::size_t>(at) / n_components_;
    steps_.push_back({family, static_cast<std::size_t>(at) % n_components_, remaining,
                      SequentialPValue(all[static_cast<std::size_t>(at)])});
    --remaining[family];
  }
}

StepDown::Families StepDown::highest_of_leading(const Families& permuted) {
  Families highest = permuted;
  for (std::vector<double>& family : highest) {
    for (std::size_t c = 1; c < family.size(); ++c) family[c] = std::max(family[c], family[c - 1]);
  }
  return highest;
}

void StepDown::add(const Families& permuted) {
  const Families highest = highest_of_leading(permuted);
  for (Step& step : steps_) {
    double compared = -std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < highest.size(); ++f) {
      if (step.remaining[f] > 0) {
        compared = std::max(compared, highest[f][static_cast<std::size_t>(step.remaining[f] - 1)]);
      }
    }
    step.p.add(compared);
  }
}

bool StepDown::decided() const {
  return std::all_of(steps_.begin(), steps_.end(), [](const Step& step) { return step.p.decided(); });
}

StepDown::Families StepDown::p_values() const {
  Families values(steps_[0].remaining.size(), std::vector<double>(n_components_));
  double highest = 0;
  for (const Step& step : steps_) {
    highest = std::max(highest, step.p.value());
    values[step.family][step.component] = highest;
  }
  return values;
}

}  // namespace treecca
