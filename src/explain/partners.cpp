#include "treecca/partners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/view_at.hpp"
#include "support/order.hpp"
#include "treecca/error.hpp"
#include "treecca/importance.hpp"

namespace treecca {
namespace {

/// The dependence of a view's variates on its features.
class FeatureDependence {
 public:
  FeatureDependence(const FeatureRelations& of, Index view)
      : view_(view_at(of.model(), view)),
        loadings_(view_.loadings.own),
        importances_(of.importances(view)),
        trees_(of.model().parameters.linear < 1) {}

  /// Loading; 0 for a category, which has no direction.
  double loading(Index feature, Index k) const {
    return loadings_.empty() || view_.is_category(feature) ? 0.0 : loadings_(feature, k);
  }
  double dependence(Index feature, Index k) const {
    const double loading = loadings_.empty() ? 0.0 : std::abs(loadings_(feature, k));
    return linear(feature) ? loading : std::max(loading, std::sqrt(importances_(k, feature)));
  }
  /// Whether the loading is the whole dependence: for a number, without trees.
  bool linear(Index feature) const { return !trees_ && !loadings_.empty() && !view_.is_category(feature); }

 private:
  const ViewModel& view_;
  const Matrix<double>& loadings_;     // p x K
  const Matrix<double>& importances_;  // K x p
  bool trees_;
};

/// The relations between the features of two views.
class Relation {
 public:
  Relation(const FeatureRelations& of, Index view, Index other, std::optional<Index> component)
      : a_(of, view), b_(of, other), end_(of.model().n_components()) {
    const Model& model = of.model();
    if (view == other) throw UsageError("Partners are features of another view; the same view was named twice.");
    if (component && (*component < 0 || *component >= end_)) {
      throw UsageError(
          fmt::format("There is no component {}; the model has {}, counted from 0.", *component, model.n_components()));
    }
    const auto m = static_cast<Index>(model.views.size());
    for (Index k = 0; k < end_; ++k) {
      const double r = model.correlations.pairwise[static_cast<std::size_t>((view * m + other) * end_ + k)];
      link_.push_back(std::isfinite(r) && (!component || *component == k) ? std::clamp(r, 0.0, 1.0) : 0.0);
    }
  }

  Partner between(Index a, Index b) const {
    Partner result;
    double strongest = -1, sum = 0;
    for (Index k = 0; k < end_; ++k) {
      const double link = link_[static_cast<std::size_t>(k)];
      const double strength = a_.dependence(a, k) * link * b_.dependence(b, k);
      sum += a_.loading(a, k) * link * b_.loading(b, k);
      if (strength > strongest) {
        strongest = strength;
        result.component = k;
      }
    }
    result.correlation = std::clamp(sum, -1.0, 1.0);
    const bool linear = a_.linear(a) && b_.linear(b);
    result.strength = linear ? std::abs(result.correlation) : std::max(std::abs(result.correlation), strongest);
    return result;
  }

 private:
  FeatureDependence a_, b_;
  Index end_;
  std::vector<double> link_;  // K
};

void check_feature(const Model& model, Index view, Index feature) {
  const ViewModel& of = view_at(model, view);
  const auto p = static_cast<Index>(of.feature_names.size());
  if (feature < 0 || feature >= p) {
    throw UsageError(fmt::format("View \"{}\" has no feature {}; it has {}, counted from 0.", of.name, feature, p));
  }
}

}  // namespace

FeatureRelations::FeatureRelations(const Model& model) : model_(model) {
  for (Index view = 0; view < static_cast<Index>(model.views.size()); ++view) {
    importances_.push_back(component_importances(model, view, ImportanceKind::gain));
  }
}

Associations FeatureRelations::associations(Index view, const std::vector<Index>& features, Index other,
                                            const std::vector<Index>& other_features,
                                            std::optional<Index> component) const {
  for (const Index feature : features) check_feature(model_, view, feature);
  for (const Index feature : other_features) check_feature(model_, other, feature);
  const Relation relation(*this, view, other, component);
  const auto rows = static_cast<Index>(features.size()), columns = static_cast<Index>(other_features.size());
  Associations result{Matrix<double>(rows, columns), Matrix<double>(rows, columns)};
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const Partner found =
          relation.between(features[static_cast<std::size_t>(i)], other_features[static_cast<std::size_t>(j)]);
      result.strength(i, j) = found.strength;
      result.correlation(i, j) = found.correlation;
    }
  }
  return result;
}

std::vector<std::vector<Partner>> FeatureRelations::partners(Index view, const std::vector<Index>& features, Index most,
                                                             std::optional<Index> component) const {
  for (const Index feature : features) check_feature(model_, view, feature);
  const auto views = static_cast<Index>(model_.views.size());
  if (views < 2) throw UsageError("The model has a single view, so its features have no partners.");
  std::vector<Relation> relations;
  std::vector<Index> others;
  for (Index other = 0; other < views; ++other) {
    if (other == view) continue;
    relations.emplace_back(*this, view, other, component);
    others.push_back(other);
  }
  std::vector<std::vector<Partner>> result;
  for (const Index feature : features) {
    std::vector<Partner> all;
    for (std::size_t o = 0; o < others.size(); ++o) {
      const auto p = static_cast<Index>(view_at(model_, others[o]).feature_names.size());
      for (Index b = 0; b < p; ++b) {
        all.push_back(relations[o].between(feature, b));
        all.back().view = others[o];
        all.back().feature = b;
      }
    }
    std::vector<Partner>& best = result.emplace_back();
    for (const Index i : descending_order(static_cast<Index>(all.size()),
                                          [&](Index at) { return all[static_cast<std::size_t>(at)].strength; })) {
      const Partner& one = all[static_cast<std::size_t>(i)];
      if (static_cast<Index>(best.size()) >= most || !(one.strength > 0)) break;
      best.push_back(one);
    }
  }
  return result;
}

Associations associations(const Model& model, Index view, const std::vector<Index>& features, Index other,
                          const std::vector<Index>& other_features, std::optional<Index> component) {
  return FeatureRelations(model).associations(view, features, other, other_features, component);
}

std::vector<std::vector<Partner>> partners(const Model& model, Index view, const std::vector<Index>& features,
                                           Index most, std::optional<Index> component) {
  return FeatureRelations(model).partners(view, features, most, component);
}

}  // namespace treecca
