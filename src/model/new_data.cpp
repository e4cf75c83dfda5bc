#include "treecca/new_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/columns.hpp"
#include "data/row_hashes.hpp"
#include "linear/standardise.hpp"
#include "model/view_at.hpp"
#include "support/parallel.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr double kWorthAWord = 0.05;  // fraction of samples that a fit has seen

/// A feature is far from the fit if its mean has moved by this number of its standard deviations, or its spread has
/// changed by this factor. Between training and test parts of 18 tables at most 0.4% of the features are
/// (docs/input.md).
struct Limits {
  double shift;
  double wider, narrower;
  double share;  // minimum fraction of the features that are far
};
constexpr Index kFewRows = 20;  // with fewer rows, mean and spread are unreliable
constexpr Limits kUsual{5, 10, 0.01, 0.02};
constexpr Limits kOfFewRows{10, HUGE_VAL, 0, 0.05};

Index rows_without_value(const MatrixView& values) {
  Index empty = 0;
  for (Index i = 0; i < values.rows(); ++i) empty += is_empty_row(values, i) ? 1 : 0;
  return empty;
}

}  // namespace

SeenSamples seen_samples(const Model& model, const std::vector<MatrixView>& views, Index n_jobs) {
  if (views.size() != model.views.size()) {
    throw DataError(fmt::format("The model has {} views, not {}.", model.views.size(), views.size()));
  }
  for (std::size_t v = 0; v < views.size(); ++v) {
    view_for(model, static_cast<Index>(v), views[v]);
    if (views[v].rows() != views[0].rows()) throw DataError("The views have different numbers of rows.");
  }
  SeenSamples seen;
  const std::vector<std::uint64_t>& known = model.row_hashes;
  if (known.empty()) return seen;
  const bool all_known = known.size() < kMaxRowHashes;
  double checked = 0;
  double found = 0;
  for (const std::uint64_t hash : row_hashes(views, thread_count(n_jobs))) {
    if (!all_known && hash > known.back()) continue;  // the model keeps only the lowest
    checked += 1;
    if (std::binary_search(known.begin(), known.end(), hash)) found += 1;
  }
  if (found == 0) return seen;
  seen.share = found / checked;
  if (seen.share < kWorthAWord) return seen;
  const auto rows = static_cast<double>(views[0].rows());
  seen.warning = fmt::format(
      "{}{:.0f} of these {} samples {} among the samples of the fit, so the correlations are too high. "
      "Score other samples, or report the out-of-fold correlations of the fit.",
      all_known ? "" : "About ", seen.share * rows, views[0].rows(), seen.share * rows < 1.5 ? "was" : "were");
  return seen;
}

std::string far_from_training(const Model& model, Index number, const MatrixView& values, Index n_jobs) {
  const ViewModel& view = view_for(model, number, values);
  if (view.mean.empty() || values.rows() == 0) return "";
  const Index empty = rows_without_value(values);
  if (empty > 0 && (model.views.size() == 1 || empty == values.rows())) {
    return fmt::format("View {}: {} of {} samples have no value, so {}.", in_quotes(view.name), empty, values.rows(),
                       model.views.size() == 1 ? "their variates are meaningless" : "they have no variates");
  }
  const Limits& limits = values.rows() - empty < kFewRows ? kOfFewRows : kUsual;
  const ColumnScaling now = column_scaling(values.less(view.offset), /*standardise=*/true, thread_count(n_jobs));
  std::size_t known = 0;
  std::size_t far = 0;
  std::string example;
  double furthest = 0;
  for (std::size_t j = 0; j < view.mean.size(); ++j) {
    const bool no_value = now.weight[j] == 0 && now.mean[j] == 0;  // no value, or always 0: normal for a sparse feature
    if (!(view.deviation[j] > 0) || no_value) continue;
    ++known;
    const double shift = std::fabs(now.mean[j] - view.mean[j]) / view.deviation[j];
    const double spread = now.weight[j] > 0 ? 1 / (now.weight[j] * view.deviation[j]) : 1;
    if (shift <= limits.shift && spread <= limits.wider && spread >= limits.narrower) continue;
    ++far;
    const double distance = std::max({shift / limits.shift, spread / limits.wider, limits.narrower / spread});
    if (distance <= furthest) continue;
    furthest = distance;
    const double offset = view.offset.empty() ? 0.0 : view.offset[j];
    example = fmt::format("{} has the mean {:.4g} and the standard deviation {:.3g}, in the fit {:.4g} and {:.3g}",
                          in_quotes(view.feature_names[j]), now.mean[j] + offset,
                          now.weight[j] > 0 ? 1 / now.weight[j] : 0.0, view.mean[j] + offset, view.deviation[j]);
  }
  if (far == 0 || static_cast<double>(far) < limits.share * static_cast<double>(known)) return "";
  return fmt::format(
      "View {}: {} of {} features {} far from the values of the fit: {}. Use the units, the marks of "
      "missing values and the preprocessing of the fit, or do not trust the result.",
      in_quotes(view.name), far, view.mean.size(), far == 1 ? "is" : "are", example);
}

std::string far_below_fit(const Model& model, const std::vector<double>& correlations, Index n_samples) {
  constexpr double kSure = 4;    // standard errors
  constexpr double kMuch = 0.3;  // of the correlations of the fit
  const std::vector<bool> found = model.found();
  double expected = 0, now = 0, variance = 0;
  for (std::size_t c = 0; c < std::min(found.size(), correlations.size()); ++c) {
    if (!found[c]) continue;
    const double error = model.correlations.standard_errors[c];
    expected += model.correlations.out_of_fold[c];
    now += correlations[c];
    variance += error * error + 1 / static_cast<double>(n_samples);
  }
  const double loss = expected - now;
  if (!(loss > kMuch * expected && loss > kSure * std::sqrt(variance))) return "";
  return fmt::format(
      "The correlations are far below those of the fit: the components above noise add up to {:.2f}, out-of-fold at "
      "the fit to {:.2f}. Check that the rows of the views belong together, and that columns, units and preprocessing "
      "are the same as in the fit.",
      now, expected);
}

}  // namespace treecca
