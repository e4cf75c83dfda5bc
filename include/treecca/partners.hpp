// Partners: which features of different views are related through the components of a model.
//
// Two features are related because both are related to the variates of their views, and the variates correlate. For
// feature a of one view and b of another, component k with out-of-fold correlation r_k of the two views (negative ones
// count 0; in-sample without cross-fitting) contributes
//     linear:    loading_ak * r_k * loading_bk,    signed
//     any form:  dependence_ak * r_k * dependence_bk,  0 to 1
// The dependence of a variate on a feature is the square root of the feature's importance (gain, a fraction of 1), but
// at least the absolute loading. If features are independent and additive, this root is the correlation ratio (eta) of
// the variate given the feature. The loading covers features that the trees do not use because they use a correlated
// feature. The linear contributions of all components add up to the part of the two features' correlation that the
// components explain: all of it if nothing else relates the two features. (The estimation error of the variates lowers
// it.) A quadratic relation has a linear part of 0 but a strength near 1. Everything is computed from the model,
// without data. A model without trees (linear weight 1) has linear relations only: there the dependence is the absolute
// loading, and the strength the absolute correlation. A category has no direction: its linear part is 0. Models of
// earlier releases have no loadings: for them only the strength, without a sign, is known.
//
// Failure: UsageError for a view, feature or component that the model does not have and for models of one view.
#pragma once

#include <optional>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// Strengths of the relations between the features of two views (rows, columns).
struct Associations {
  Matrix<double> strength;     // 0 to 1: the strongest component, or the absolute correlation if that is higher
  Matrix<double> correlation;  // -1 to 1: the sum of the linear parts
};

/// A feature of another view.
struct Partner {
  Index view = 0;
  Index feature = 0;
  double strength = 0;     // as in Associations
  double correlation = 0;  // as in Associations
  Index component = 0;     // the component that contributes most
};

/// The relations of a model, which must outlive the object. Importances, the costly part, are computed once, by the
/// constructor. Thread-safe for reading.
class FeatureRelations {
 public:
  explicit FeatureRelations(const Model& model);

  /// As the functions below.
  Associations associations(Index view, const std::vector<Index>& features, Index other,
                            const std::vector<Index>& other_features,
                            std::optional<Index> component = std::nullopt) const;
  std::vector<std::vector<Partner>> partners(Index view, const std::vector<Index>& features, Index most,
                                             std::optional<Index> component = std::nullopt) const;

  const Model& model() const { return model_; }
  /// K x p: component_importances of a view, by gain.
  const Matrix<double>& importances(Index view) const { return importances_.at(static_cast<std::size_t>(view)); }

 private:
  const Model& model_;
  std::vector<Matrix<double>> importances_;
};

/// Relations of the given features, in one component (counted from 0) or, without `component`, in all together.
Associations associations(const Model& model, Index view, const std::vector<Index>& features, Index other,
                          const std::vector<Index>& other_features, std::optional<Index> component = std::nullopt);

/// Per feature, at most `most` of its strongest partners among all features of all other views, strongest first;
/// partners of strength 0 are left out.
std::vector<std::vector<Partner>> partners(const Model& model, Index view, const std::vector<Index>& features,
                                           Index most, std::optional<Index> component = std::nullopt);

}  // namespace treecca
