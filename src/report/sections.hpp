// The sections of the report, each a piece of HTML.
#pragma once

#include <string>
#include <vector>

#include "treecca/report.hpp"
#include "treecca/shap.hpp"

namespace treecca::report {

/// The maximum number of samples in plots with and without a script. More samples would enlarge the file without
/// showing more.
inline constexpr Index kMaxSamples = 2000;
inline constexpr Index kMaxPlainSamples = 400;

std::string title(const Model& model);
/// Title, verdict, warnings.
std::string overview(const RunSummary& run);
/// Correlations per component and per pair of views, variance explained, training.
std::string correlations(const Model& model);
/// A chooser of components; for the chosen one the samples, and per view the top features and their curves.
std::string components(const RunSummary& run);
/// The samples, drawn by the script for the chosen component and views; empty without variates of two views.
std::string samples(const RunSummary& run);
/// Plots of the samples that need no script: one component, at most three pairs of views; empty as above.
std::string plain_samples(const RunSummary& run, Index component);
/// Correlation circle, heatmaps and network of features of different views; empty for a single view.
std::string relations(const Model& model);
/// SHAP values of the features that contribute most to a component of a view, of some samples; empty without data.
std::string shap_section(const RunSummary& run, Index view, Index component, const ShapValues& shap);
/// The samples that are explained in the report, at most kMaxExplained, evenly spaced; fewer for large models, none for
/// very large ones and without data.
std::vector<Index> explained_rows(const RunSummary& run);
inline constexpr Index kMaxExplained = 100;
/// These rows, as given.
Matrix<double> in_rows(const MatrixView& values, const std::vector<Index>& rows);
/// The data of the script: {views, ids, classes, labels (numbers of classes), variates (view, component, sample),
/// correlations (M x M x K), kind (of the correlations)}.
std::string sample_data(const RunSummary& run);
std::string what_was_run(const RunSummary& run);
std::string glossary();

/// "cc1" for component 0.
std::string component_name(Index component);
/// False if the component is below its noise threshold; true if it is above, or nothing is known (no cross-fitting).
bool is_above_noise(const Model& model, Index component);
/// The mark of a component below noise, as HTML.
std::string noise_chip();
/// "linear CCA", or "linear MCCA" for more than two views.
std::string linear_name(const Model& model);

/// The variates to show: out-of-fold if there are any.
inline const std::vector<Matrix<float>>& shown_variates(const RunSummary& run) {
  return run.result.out_of_fold.empty() ? run.result.variates : run.result.out_of_fold;
}

}  // namespace treecca::report
