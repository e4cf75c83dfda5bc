// The partners of the most important features, as rows of a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "treecca/model.hpp"
#include "treecca/partners.hpp"

namespace treecca {

/// A feature of a view with its partners.
struct FeaturePartners {
  Index feature = 0;
  double importance = 0;  // gain: of the component, or of all components together
  std::vector<Partner> partners;
};

/// Of the `most_features` most important features of a view (one component, counted from 0, or all together), up to
/// `most_partners` partners each, strongest first.
std::vector<FeaturePartners> partners_of_top_features(const FeatureRelations& relations, Index view,
                                                      std::optional<Index> component, Index most_features,
                                                      Index most_partners);
/// The same for these features, in their order.
std::vector<FeaturePartners> partners_of_features(const FeatureRelations& relations, Index view,
                                                  std::optional<Index> component, const std::vector<Index>& features,
                                                  Index most_partners);

/// "+0.81" or "-0.81" if at least half of the strength is linear, else "nonlinear"; "category" if one of the two
/// features is a category, which has no direction.
std::string direction_of(const Model& model, Index view, Index feature, const Partner& partner);

/// component, feature, importance, partner_view, partner, strength, correlation: of every component the features with a
/// partner, up to kFilePartnerFeatures of them with up to kFilePartners partners.
std::string partners_csv(const Model& model, Index view);
inline constexpr Index kFilePartnerFeatures = 20;
inline constexpr Index kFilePartners = 10;

}  // namespace treecca
