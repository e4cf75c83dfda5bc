// The summary of a run as text for a terminal and as JSON for other programs.
//
// Pure functions. JSON values are Documents; write them with DocumentStyle::typed.
#pragma once

#include <string>

#include "support/document.hpp"
#include "treecca/report.hpp"

namespace treecca {

/// The correlations of every component next to linear CCA, and their totals; for more than two views, also the pairs of
/// views that share each component.
std::string correlations_text(const Model& model);

/// A sentence with the blends that were compared and the blend that was chosen; empty for trees alone.
std::string blend_sentence(const Model& model);

/// The covariates that were adjusted for, and the linear correlations without the adjustment. Empty without covariates.
std::string covariates_sentence(const Model& model);
/// The features that screening left to the trees of every view; empty without screening. Ends with an empty line.
std::string screening_text(const Model& model);
/// Correlations, screening, the most important features, times, files.
std::string results_text(const RunSummary& run);

/// The number of features that every encoder of a view may use; null if it was not screened.
Document kept_document(const ViewModel& view);
Document summary_document(const RunSummary& run);

}  // namespace treecca
