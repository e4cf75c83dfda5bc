#include "samples/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "support/random.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr double kMaxUnits = 1 << 30;  // of all rows together: must fit into 31 bits
constexpr double kMaxPerWeight = 256;  // finer weights make no difference to trees

/// Number of positive weights here.
Index check_each(const std::vector<double>& given, const Samples& samples) {
  if (static_cast<Index>(given.size()) != samples.here()) {
    throw DataError(fmt::format("There are {} sample weights for {} samples.", given.size(), samples.here()));
  }
  Index positive = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!(given[i] >= 0) || !std::isfinite(given[i])) {
      throw DataError(fmt::format("The weight of sample {} is {}; weights must be finite and not negative.",
                                  samples.name(static_cast<Index>(i)), given[i]));
    }
    positive += given[i] > 0 ? 1 : 0;
  }
  return positive;
}

}  // namespace

Samples::Samples(Index rows, const SampleOptions& given)
    : peers_(given.communicator), here_(rows), total_(rows), groups_(given.groups) {
  number_rows(given.row_numbers);
  grouped_ = peers_.max(groups_.empty() ? 0.0 : 1.0) > 0;
  peers_.agree([&] {
    if (!grouped_ || static_cast<Index>(groups_.size()) == rows) return;
    throw DataError(fmt::format("There are {} group labels for {} samples.", groups_.size(), rows));
  });
  peers_.agree([&] {
    if (given.names.empty() || static_cast<Index>(given.names.size()) == rows) return;
    throw DataError(fmt::format("There are {} names for {} samples.", given.names.size(), rows));
  });
  names_ = given.names;
  set_weights(given.sample_weight);
  all_ = worth_of([](Index) { return true; });
}

std::string Samples::name(Index row) const {
  return names_.empty() ? std::to_string(number(row) + 1) : in_quotes(names_[static_cast<std::size_t>(row)]);
}

void Samples::number_rows(const std::vector<std::int64_t>& numbers) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(peers_.size()), 0);
  counts[static_cast<std::size_t>(peers_.rank())] = here_;
  peers_.sum(std::span<std::int64_t>(counts));
  total_ = 0;
  for (const std::int64_t count : counts) total_ += count;
  for (int r = 0; r < peers_.rank(); ++r) first_ += counts[static_cast<std::size_t>(r)];
  // Either all processes with rows give row numbers, or none.
  if (peers_.sum(static_cast<Index>(numbers.size())) == 0) return;
  peers_.agree([&] {
    if (static_cast<Index>(numbers.size()) != here_) {
      throw DataError(fmt::format("There are {} row numbers for {} rows.", numbers.size(), here_));
    }
    const auto wrong =
        std::find_if(numbers.begin(), numbers.end(), [&](std::int64_t n) { return n < 0 || n >= total_; });
    if (wrong != numbers.end()) {
      throw DataError(fmt::format("Row number {} is not between 0 and {}.", *wrong, total_ - 1));
    }
  });
  // Each number must occur once, because rows with the same number would get the same draws. If so, the sum of their
  // hashes is known.
  std::uint64_t excess = 0;  // modulo 2^64
  for (Index i = 0; i < here_; ++i) {
    excess += mix_bits(static_cast<std::uint64_t>(numbers[static_cast<std::size_t>(i)])) -
              mix_bits(static_cast<std::uint64_t>(first_ + i));
  }
  // Halves, because a sum of integers over processes could overflow.
  const auto low = static_cast<std::uint64_t>(peers_.sum(static_cast<Index>(excess & 0xffffffffU)));
  const auto high = static_cast<std::uint64_t>(peers_.sum(static_cast<Index>(excess >> 32U)));
  if (low + (high << 32U) != 0) {
    throw DataError("Every row needs its own number; some numbers are repeated.");
  }
  numbers_ = numbers;
}

void Samples::set_weights(const std::vector<double>& given) {
  if (peers_.sum(static_cast<Index>(given.size())) == 0) return;
  Index positive = 0;
  peers_.agree([&] { positive = check_each(given, *this); });
  positive = peers_.sum(positive);
  if (positive == 0) throw DataError("All sample weights are zero.");
  if (positive < kMinSamples) {
    throw DataError(
        fmt::format("Only {} samples have a positive weight; at least {} are needed.", positive, kMinSamples));
  }
  // The largest weight, and the smallest with its sign flipped.
  std::vector<double> extremes{0, -std::numeric_limits<double>::infinity()};
  for (const double w : given) {
    extremes[0] = std::max(extremes[0], w);
    extremes[1] = std::max(extremes[1], -w);
  }
  peers_.max(extremes);
  const double largest = extremes[0];
  if (largest == -extremes[1]) return;  // equal weights have no effect
  double sum = 0;                       // of weights scaled to at most 1, to avoid overflow
  for (const double w : given) sum += w / largest;
  sum = peers_.sum(sum);
  const auto n = static_cast<double>(total_);
  units_per_weight_ = std::max(1.0, std::floor(std::min(kMaxPerWeight, kMaxUnits / n)));
  for (const double w : given) {
    const double value = w / largest * n / sum;
    weights_.push_back(static_cast<float>(value));
    units_.push_back(static_cast<std::uint32_t>(std::lround(value * units_per_weight_)));
    total_units_ += units_.back();
  }
  total_units_ = peers_.sum(static_cast<Index>(total_units_));
}

template <class Counts>
Samples::Worth Samples::worth_of(Counts&& counts) const {
  Worth worth;
  double sum = 0;
  double squares = 0;
  const auto add = [&](double weight) {
    sum += weight;
    squares += weight * weight;
    worth.independent += weight > 0 ? 1 : 0;
  };
  // (sum of W)^2 / (sum of W^2)
  const auto equal_weights = [&] {
    return squares > 0 ? std::min(sum * sum / squares, static_cast<double>(worth.rows)) : 0;
  };
  for (Index i = 0; i < here_; ++i) {
    if (!counts(i)) continue;
    add(weight(i));
    ++worth.rows;
  }
  sum = peers_.sum(sum);
  squares = peers_.sum(squares);
  worth.independent = peers_.sum(worth.independent);
  worth.rows = peers_.sum(worth.rows);
  worth.effective_rows = worth.effective = equal_weights();
  if (!grouped_) return worth;
  std::map<std::int64_t, double> total;
  for (Index i = 0; i < here_; ++i) {
    if (counts(i)) total[groups_[static_cast<std::size_t>(i)]] += weight(i);
  }
  sum = squares = 0;
  worth.independent = 0;
  for (const auto& [group, weight] : summed_by_key(total, peers_)) add(weight);
  worth.effective = equal_weights();
  return worth;
}

void Samples::set_presence(std::vector<std::string> view_names, std::vector<std::uint8_t> present) {
  const double lacks = std::find(present.begin(), present.end(), 0) != present.end() ? 1 : 0;
  if (!(peers_.max(lacks) > 0)) return;
  view_names_ = std::move(view_names);
  present_ = std::move(present);
  const Index m = n_views();
  if (present_.empty()) present_.resize(1, 0);         // no rows here, but rows elsewhere lack views
  std::map<std::vector<std::uint8_t>, Index> numbers;  // numbers of the sets of views, the same in all processes
  Index learned = 0;
  for (Index i = 0; i < here_; ++i) {
    const auto own = present_.begin() + static_cast<std::ptrdiff_t>(at(0, i));
    numbers.emplace(std::vector<std::uint8_t>(own, own + m), 0);
    if (std::count(own, own + m, 0) > m - 2) continue;
    ++learned;
    std::replace(own, own + m, std::uint8_t{1}, kPaired);
  }
  learned_ = peers_.sum(learned);
  std::string bytes;
  for (const auto& [set, number] : numbers) append_bytes(bytes, std::span<const std::uint8_t>(set));
  for (const std::string& part : peers_.gather(bytes)) {
    const std::vector<std::uint8_t> theirs = values_from<std::uint8_t>(part);
    for (std::size_t from = 0; from < theirs.size(); from += static_cast<std::size_t>(m)) {
      const auto begin = theirs.begin() + static_cast<std::ptrdiff_t>(from);
      numbers.emplace(std::vector<std::uint8_t>(begin, begin + m), 0);
    }
  }
  Index next = 0;
  for (auto& [set, number] : numbers) number = next++;
  patterns_ = next;
  for (Index i = 0; i < here_; ++i) {
    std::vector<std::uint8_t> set;
    for (Index v = 0; v < m; ++v) set.push_back(has(v, i) ? 1 : 0);
    pattern_.push_back(numbers.at(set));
  }
  for (Index v = 0; v < m; ++v) {
    if (peers_.sum(count_positive(v, v)) > 0) continue;
    throw DataError(
        fmt::format("View {}: all samples lack it: no value is present. Check how it was read, or leave the view out.",
                    in_quotes(view_names_[static_cast<std::size_t>(v)])));
  }
  double inverse = 0, inverse_rows = 0, inverse_independent = 0;
  shared_.resize(static_cast<std::size_t>(m * m));
  for (Index v = 0; v < m; ++v) {
    for (Index w = v; w < m; ++w) {
      Worth worth = worth_of([&](Index i) { return has(v, i) && has(w, i); });
      const Index counted = v == w ? kMinSamples : peers_.sum(count_positive(v, w));
      if (counted < kMinSamples) {
        throw DataError(fmt::format(
            "Views {} and {} share {} sample{}; at least {} must have both. Check that the ids of the samples are "
            "written alike in both, add samples that have both, or leave one of the views out.",
            in_quotes(view_names_[static_cast<std::size_t>(v)]), in_quotes(view_names_[static_cast<std::size_t>(w)]),
            counted == 0 ? "no" : fmt::format("only {}", counted), counted == 1 ? "" : "s", kMinSamples));
      }
      if (v < w) {
        inverse += 1 / std::max(worth.effective, 1e-9);
        inverse_rows += 1 / std::max(worth.effective_rows, 1e-9);
        inverse_independent += 1 / static_cast<double>(std::max<Index>(1, worth.independent));
      }
      shared_[static_cast<std::size_t>(v * m + w)] = shared_[static_cast<std::size_t>(w * m + v)] = worth;
    }
  }
  const double pairs = static_cast<double>(m * (m - 1)) / 2;
  all_ = {total_, pairs / inverse, pairs / inverse_rows, static_cast<Index>(pairs / inverse_independent + 0.5)};
}

Index Samples::count_positive(Index v, Index w) const {
  Index count = 0;
  for (Index i = 0; i < here_; ++i) count += has(v, i) && has(w, i) && weight(i) > 0 ? 1 : 0;
  return count;
}

Index Samples::least_shared() const {
  Index least = total_;
  for (const Worth& worth : shared_) least = std::min(least, worth.rows);
  return least;
}

}  // namespace treecca
