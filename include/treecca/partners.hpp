// Which features of different views go together, as far as the components of a model say so.
//
// Two features are related because both are related to the variates of their views, and the variates correlate. For
// feature a of one view and b of another, component k with out-of-fold correlation r_k of the two views (negative ones
// count 0; in-sample without cross-fitting) carries
//     linear:    loading_ak * r_k * loading_bk,    signed
//     any form:  dependence_ak * r_k * dependence_bk,  0 to 1
// where the dependence of a variate on a feature is the root of the feature's importance (gain, a fraction of 1), and
// at least the absolute loading. The importance of a feature is the fraction of the variate that it makes: where
// features are independent and add up, its root is the correlation ratio (eta) of the variate given the feature. So a
// feature counts that the trees use in any form, and one that they leave out because it goes along with a used one.
// The linear parts of all components add up to the correlation of the two features that the components account for: it
// is their correlation where nothing but the components relates them, somewhat weaker because variates are estimates.
// A square has a linear part of 0, and still a strength near 1. Everything comes from the model, no data are needed.
// A category has no direction: its linear part counts 0.
// Only the strength, without a sign, is known of models of earlier releases, which have no loadings.
//
// Failure: UsageError for a view, feature or component that the model does not have and for models of one view.
#pragma once

#include <optional>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// How features of two views (rows, columns) go together.
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
  Index component = 0;     // the one that carries most of it
};

/// The relations of a model, which must outlive it. Importances, the costly part, are computed once, when it is made.
/// Thread-safe for reading.
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

/// Of these features. component: one alone, counted from 0, or all together.
Associations associations(const Model& model, Index view, const std::vector<Index>& features, Index other,
                          const std::vector<Index>& other_features, std::optional<Index> component = std::nullopt);

/// Per feature, its strongest partners among all features of all other views, strongest first, `most` or fewer;
/// without those of strength 0.
std::vector<std::vector<Partner>> partners(const Model& model, Index view, const std::vector<Index>& features,
                                           Index most, std::optional<Index> component = std::nullopt);

}  // namespace treecca
