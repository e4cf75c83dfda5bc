// Features across views: correlation circle, heatmaps and network.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/cluster_order.hpp"
#include "report/feature_charts.hpp"
#include "report/html.hpp"
#include "report/ranking.hpp"
#include "report/sections.hpp"
#include "support/order.hpp"
#include "treecca/partners.hpp"

namespace treecca::report {
namespace {

constexpr std::size_t kCircleFeatures = 40;  // per view
constexpr std::size_t kCircleNames = 6;
constexpr std::size_t kHeatmapFeatures = 14;
constexpr std::size_t kHeatmaps = 3;
constexpr std::size_t kNetworkFeatures = 12;  // per view
constexpr std::size_t kNetworkEdges = 40;
constexpr double kWeakest = 0.2;  // strength of an edge

std::vector<std::string> names_of_views(const Model& model) {
  std::vector<std::string> names;
  for (const ViewModel& view : model.views) names.push_back(view.name);
  return names;
}

std::vector<std::string> names_of(const ViewModel& view, const std::vector<Index>& features) {
  std::vector<std::string> names;
  for (const Index j : features) names.push_back(view.feature_names[static_cast<std::size_t>(j)]);
  return names;
}

/// A chart with its heading, and a caption below (or at the right, if the figure is alone in its row).
std::string across_figure(const std::string& heading, const std::string& chart, const std::string& caption) {
  return "<figure>\n<div>\n<h3>" + heading + "</h3>\n" + chart + "</div>\n<figcaption>" + caption +
         "</figcaption>\n</figure>\n";
}

std::string noise_remark(const Model& model, Index component) {
  return is_above_noise(model, component) ? "" : " (below noise)";
}

std::string circle_section(const Model& model) {
  if (model.n_components() < 2 || model.views[0].loadings.empty()) return "";
  std::vector<CirclePoint> points;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const Matrix<double>& own = model.views[v].loadings.own;
    const auto length = [&](Index j) { return own(j, 0) * own(j, 0) + own(j, 1) * own(j, 1); };
    std::size_t shown = 0;
    for (const Index j : descending_order(own.rows(), length)) {
      if (shown == kCircleFeatures || !(length(j) > 0)) break;
      points.push_back({model.views[v].feature_names[static_cast<std::size_t>(j)], v, own(j, 0), own(j, 1),
                        shown < kCircleNames && length(j) > 0.09});
      ++shown;
    }
  }
  return across_figure(
      "Correlation circle",
      correlation_circle("Loadings of the features on components 1 and 2", names_of_views(model), points,
                         "loading on component 1" + noise_remark(model, 0),
                         "loading on component 2" + noise_remark(model, 1)),
      fmt::format("The features farthest from the centre, at most {} per view. Features in the same direction "
                  "correlate positively, in opposite directions negatively. Features near the centre have no linear "
                  "relation with these components.",
                  kCircleFeatures));
}

using TopFeatures = std::vector<std::vector<Index>>;

/// The most important features per view, best first.
TopFeatures most_important(const Model& model) {
  TopFeatures result;
  for (Index view = 0; view < static_cast<Index>(model.views.size()); ++view) {
    std::vector<Index>& features = result.emplace_back();
    for (const FeatureShare& entry : ranked_features(model, view, ImportanceKind::gain)) {
      if (features.size() == kHeatmapFeatures || !(entry.share > 0)) break;
      features.push_back(entry.feature);
    }
  }
  return result;
}

Matrix<double> signed_strengths(const Associations& found, bool transposed) {
  const Index n = found.strength.rows(), m = found.strength.cols();
  Matrix<double> values(transposed ? m : n, transposed ? n : m);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) {
      const double value = found.correlation(i, j) < 0 ? -found.strength(i, j) : found.strength(i, j);
      (transposed ? values(j, i) : values(i, j)) = value;
    }
  }
  return values;
}

std::vector<Index> in_this_order(const std::vector<Index>& features, const std::vector<Index>& order) {
  std::vector<Index> result;
  for (const Index at : order) result.push_back(features[static_cast<std::size_t>(at)]);
  return result;
}

std::string heatmap_section(const FeatureRelations& relations, const TopFeatures& top) {
  const Model& model = relations.model();
  std::string html;
  std::size_t drawn = 0;
  for (std::size_t v = 0; v < model.views.size() && drawn < kHeatmaps; ++v) {
    for (std::size_t w = v + 1; w < model.views.size() && drawn < kHeatmaps; ++w) {
      const auto first = static_cast<Index>(v), second = static_cast<Index>(w);
      std::vector<Index> rows = top[v], columns = top[w];
      if (rows.empty() || columns.empty()) continue;
      const Associations found = relations.associations(first, rows, second, columns);
      rows = in_this_order(rows, cluster_order(signed_strengths(found, false)));
      columns = in_this_order(columns, cluster_order(signed_strengths(found, true)));
      const std::string title = fmt::format("{} (rows), {} (columns)", cut_middle(model.views[v].name, 40),
                                            cut_middle(model.views[w].name, 40));
      html += "<figure>\n<h4>" + escaped(title) + "</h4>\n" +
              heatmap("Strength of the relations of " + title, names_of(model.views[v], rows),
                      names_of(model.views[w], columns), relations.associations(first, rows, second, columns)) +
              "</figure>\n";
      ++drawn;
    }
  }
  if (html.empty()) return "";
  // One or three heatmaps: the text fills the last cell of the two columns.
  return "<h3>Features that go together</h3>\n" + fmt::format("<div class=\"pair{}\">\n", drawn == 3 ? " three" : "") +
         html + "<div>\n" + association_legend() +
         remark(fmt::format(
             "The most important features of each view, at most {}{}. Colour: strength of the relation of two features "
             "through the components, from 0 (pale) to 1, linear or not. Similar rows and columns are neighbours. "
             "Point "
             "at a cell for its numbers; partners_VIEW.csv has the pairs as a table.",
             kHeatmapFeatures, model.views.size() > 3 ? "; the first three pairs of views" : "")) +
         "</div>\n</div>\n";
}

std::string network_section(const FeatureRelations& relations, TopFeatures top) {
  const Model& model = relations.model();
  for (std::vector<Index>& features : top) features.resize(std::min(features.size(), kNetworkFeatures));
  std::vector<NetworkNode> nodes;
  std::vector<std::pair<std::size_t, Index>> features;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    for (const Index j : top[v]) features.emplace_back(v, j);
  }
  std::vector<NetworkEdge> edges;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    for (std::size_t w = v + 1; w < model.views.size(); ++w) {
      const std::vector<Index>&rows = top[v], &columns = top[w];
      const Associations found = relations.associations(static_cast<Index>(v), rows, static_cast<Index>(w), columns);
      const auto number_of = [&](std::size_t view, Index feature) {
        return static_cast<std::size_t>(
            std::find(features.begin(), features.end(), std::pair<std::size_t, Index>{view, feature}) -
            features.begin());
      };
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < columns.size(); ++j) {
          const double strength = found.strength(static_cast<Index>(i), static_cast<Index>(j));
          if (strength < kWeakest) continue;
          edges.push_back({number_of(v, rows[i]), number_of(w, columns[j]), strength,
                           found.correlation(static_cast<Index>(i), static_cast<Index>(j))});
        }
      }
    }
  }
  if (edges.empty()) return "";
  std::stable_sort(edges.begin(), edges.end(),
                   [](const NetworkEdge& a, const NetworkEdge& b) { return a.strength > b.strength; });
  edges.resize(std::min(edges.size(), kNetworkEdges));
  // Only features with an edge, in the order of their views.
  std::vector<std::size_t> node_of(features.size(), features.size());
  for (std::size_t f = 0; f < features.size(); ++f) {
    const auto ends_here = [&](const NetworkEdge& edge) { return edge.from == f || edge.to == f; };
    const bool linked = std::any_of(edges.begin(), edges.end(), ends_here);
    if (!linked) continue;
    node_of[f] = nodes.size();
    const auto& [v, j] = features[f];
    nodes.push_back({model.views[v].feature_names[static_cast<std::size_t>(j)], v});
  }
  for (NetworkEdge& edge : edges) {
    edge.from = node_of[edge.from];
    edge.to = node_of[edge.to];
  }
  return across_figure("Relevance network",
                       network("Network of features that go together", names_of_views(model), nodes, edges),
                       fmt::format("Relations of strength {} or more between the most important features of different "
                                   "views, at most {}. Wider lines mean stronger relations.",
                                   kWeakest, kNetworkEdges));
}

}  // namespace

std::string relations(const Model& model) {
  if (model.views.size() < 2) return "";
  const FeatureRelations of_model(model);
  const TopFeatures top = most_important(model);
  const std::string circle = circle_section(model);
  const std::string together = heatmap_section(of_model, top), links = network_section(of_model, top);
  if (circle.empty() && together.empty() && links.empty()) return "";
  const std::string figures =
      circle.empty() && links.empty() ? "" : "<div class=\"pair across\">\n" + circle + links + "</div>\n";
  return "<section class=\"page\">\n<h2>Features across views</h2>\n" + figures + together + "</section>\n";
}

}  // namespace treecca::report
