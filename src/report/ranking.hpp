// Features in the order of their importance.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "treecca/importance.hpp"
#include "treecca/model.hpp"

namespace treecca {

struct FeatureShare {
  Index feature = 0;
  double share = 0;  // of all features of the view: 0 to 1
};

/// Features with these shares, best first, equal ones in their own order.
std::vector<FeatureShare> ranked(std::span<const double> shares);

/// All features of a view, ranked; for one component (counted from 0) or, without one, over all components.
std::vector<FeatureShare> ranked_features(const Model& model, Index view, ImportanceKind kind,
                                          std::optional<Index> component = std::nullopt);

/// What ImportanceKind::gain is a share of: "the gain", of linear CCA or of both.
std::string gain_in_words(const Model& model);

}  // namespace treecca
