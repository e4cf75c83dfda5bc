#include "infer/refits.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linalg/row_products.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"
#include "treecca/new_data.hpp"

namespace treecca {

using Eigen::MatrixXd;

Refits::Refits(const Model& model, const FitOptions& options, Index total)
    : model_(model), quiet_(options), run_(options, model.asked.n_jobs), total_(total) {
  quiet_.on_round = nullptr;
  quiet_.on_warning = nullptr;
  quiet_.engine_params = model.engine_params;
  run_.start_rounds();
}

FitResult Refits::of(const std::vector<View>& views, const SampleOptions& samples, std::uint64_t seed,
                     Index n_jobs) const {
  Parameters parameters = model_.asked;
  parameters.random_state = seed;
  parameters.n_jobs = n_jobs;
  FitOptions options = quiet_;
  static_cast<SampleOptions&>(options) = samples;
  return fit(views, parameters, options);
}

void Refits::done(Index refits) {
  done_ += refits;
  run_.report_round(done_, total_, std::nan(""), false);
}

Variates as_variates(const std::vector<Matrix<float>>& views) {
  Variates result;
  for (const Matrix<float>& z : views) {
    result.push_back(MatrixXd::NullaryExpr(
        z.rows(), z.cols(), [&](Index i, Index c) { return std::isnan(z(i, c)) ? 0.0 : double{z(i, c)}; }));
  }
  return result;
}

Model rotated_model(Model model, const MatrixXd& by) {
  for (ViewModel& view : model.views) {
    for (PartModel& part : view.parts) part.rotation = times(part.rotation, by);
    for (LinearMap* map : {&view.linear, &view.covariate_effect}) {
      if (!map->empty()) map->weights = times(map->weights, by);
    }
  }
  return model;
}

std::string other_samples(const Model& model, const Dataset& data) {
  constexpr double kAll = 0.999;
  const SeenSamples seen = seen_samples(model, matrices_of(data.views));
  const bool known = !model.row_hashes.empty();
  if (static_cast<std::uint64_t>(data.samples.total()) == model.n_samples && (!known || seen.share >= kAll)) return "";
  return fmt::format("These are not the samples of the fit: {} of {} samples are given{}.", data.samples.total(),
                     model.n_samples,
                     known ? fmt::format(", and the model recognises {:.0f}% of them", 100 * seen.share) : "");
}

void check_samples_of_fit(const Model& model, const Dataset& data, std::string_view why) {
  for (std::size_t v = 0; v < data.views.size() && v < model.views.size(); ++v) {
    if (data.views[v].name != model.views[v].name) {
      throw DataError(fmt::format("View {} is {}, in the model it is {}. Give the views in the order of the model.",
                                  v + 1, in_quotes(data.views[v].name), in_quotes(model.views[v].name)));
    }
  }
  const std::string others = other_samples(model, data);
  if (!others.empty()) throw DataError(fmt::format("{} {}", others, why));
}

void check_can_refit(const Model& model, const FitOptions& options, std::string_view what) {
  if (options.communicator != nullptr) {
    throw UsageError(fmt::format("{} is measured in one process only. Take a sample of the rows.", what));
  }
  if (model.views.size() < 2) {
    throw UsageError(fmt::format("{} is measured for two or more views; this model is of one table.", what));
  }
}

}  // namespace treecca
