// Features in the order of their importance, or of their contributions to samples.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "treecca/importance.hpp"
#include "treecca/model.hpp"
#include "treecca/shap.hpp"

namespace treecca {

struct FeatureShare {
  Index feature = 0;
  double share = 0;  // of all features of the view: 0 to 1
};

/// Features with these shares, best first; equal features keep their order.
std::vector<FeatureShare> ranked(std::span<const double> shares);

/// All features of a view, ranked; for one component (counted from 0) or, without one, over all components.
std::vector<FeatureShare> ranked_features(const Model& model, Index view, ImportanceKind kind,
                                          std::optional<Index> component = std::nullopt);

/// The contribution of a feature to a component, over some samples.
struct FeatureContribution {
  Index feature = 0;
  double mean_abs = 0;     // mean of |SHAP| over the samples that have the view
  double correlation = 0;  // of the feature's values with its SHAP values; NaN if either is constant
};

/// Number of rows with SHAP values: the rows that have the view.
Index explained_rows(const MatrixView& values, const ShapValues& shap);

/// The features with a SHAP value other than 0, largest mean first; equal features keep their order. values: the N rows
/// that were explained; component: counted from 0.
std::vector<FeatureContribution> ranked_contributions(const MatrixView& values, const ShapValues& shap,
                                                      Index component);

/// The total of ImportanceKind::gain in words: "the gain", of linear CCA or of both.
std::string gain_in_words(const Model& model);

}  // namespace treecca
