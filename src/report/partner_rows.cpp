#include "report/partner_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/files.hpp"
#include "report/ranking.hpp"
#include "treecca/importance.hpp"

namespace treecca {
namespace {

/// By gain: of a component, or of all together.
std::vector<double> importances_of(const FeatureRelations& relations, Index view, std::optional<Index> component) {
  if (!component) return feature_importances(relations.model(), view, ImportanceKind::gain);
  const Matrix<double>& all = relations.importances(view);
  return {all.row(*component), all.row(*component) + all.cols()};
}

std::vector<FeaturePartners> rows_of(const FeatureRelations& relations, Index view, std::optional<Index> component,
                                     const std::vector<Index>& features, const std::vector<double>& importances,
                                     Index most_partners) {
  std::vector<std::vector<Partner>> found = relations.partners(view, features, most_partners, component);
  std::vector<FeaturePartners> result;
  for (std::size_t f = 0; f < features.size(); ++f) {
    result.push_back({features[f], importances[static_cast<std::size_t>(features[f])], std::move(found[f])});
  }
  return result;
}

}  // namespace

std::vector<FeaturePartners> partners_of_features(const FeatureRelations& relations, Index view,
                                                  std::optional<Index> component, const std::vector<Index>& features,
                                                  Index most_partners) {
  return rows_of(relations, view, component, features, importances_of(relations, view, component), most_partners);
}

std::vector<FeaturePartners> partners_of_top_features(const FeatureRelations& relations, Index view,
                                                      std::optional<Index> component, Index most_features,
                                                      Index most_partners) {
  const std::vector<double> importances = importances_of(relations, view, component);
  std::vector<Index> features;
  for (const FeatureShare& entry : ranked(importances)) {
    if (static_cast<Index>(features.size()) >= most_features || !(entry.share > 0)) break;
    features.push_back(entry.feature);
  }
  return rows_of(relations, view, component, features, importances, most_partners);
}

std::string direction_of(const Model& model, Index view, Index feature, const Partner& partner) {
  const auto category = [&](Index v, Index j) { return model.views[static_cast<std::size_t>(v)].is_category(j); };
  if (category(view, feature) || category(partner.view, partner.feature)) return "category";
  return std::abs(partner.correlation) < 0.5 * partner.strength ? "nonlinear"
                                                                : fmt::format("{:+.2f}", partner.correlation);
}

std::string partners_csv(const Model& model, Index view) {
  const std::vector<std::string>& names = model.views[static_cast<std::size_t>(view)].feature_names;
  std::string csv = "component,feature,importance,partner_view,partner,strength,correlation\n";
  const FeatureRelations relations(model);
  for (Index k = 0; k < model.n_components(); ++k) {
    for (const FeaturePartners& row :
         partners_of_top_features(relations, view, k, kFilePartnerFeatures, kFilePartners)) {
      for (const Partner& partner : row.partners) {
        const ViewModel& other = model.views[static_cast<std::size_t>(partner.view)];
        csv += fmt::format("cc{},{},{},{},{},{:.4f},{:.4f}\n", k + 1,
                           csv_cell(names[static_cast<std::size_t>(row.feature)]), row.importance, csv_cell(other.name),
                           csv_cell(other.feature_names[static_cast<std::size_t>(partner.feature)]), partner.strength,
                           partner.correlation);
      }
    }
  }
  return csv;
}

}  // namespace treecca
