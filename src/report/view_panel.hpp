// The features of one view that drive one component.
#pragma once

#include <string>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/report.hpp"
#include "treecca/shap.hpp"

namespace treecca::report {

/// Data of one view for the panels of all components, computed once.
struct ViewFacts {
  Matrix<double> importances;  // K x p_v: gain
  ShapValues shap;             // of `explained_rows`; no values without data
  std::vector<Index> rug;      // rows whose values are marked below the curves; none without data
};

/// One per view.
std::vector<ViewFacts> view_facts(const RunSummary& run);

/// Importances, loadings, SHAP values and partial dependence curves of a view's top features for a component.
std::string view_panel(const RunSummary& run, Index view, Index component, const ViewFacts& facts);

}  // namespace treecca::report
