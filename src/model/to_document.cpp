// Model -> Document: writes the schema of docs/model-file.md. from_document.cpp is the inverse.
#include <fmt/format.h>

#include <algorithm>

#include "model/schema.hpp"
#include "support/parameters_document.hpp"
#include "treecca/version.hpp"

namespace treecca {
namespace {

/// All trees of the encoder in common arrays: per tree, per node, per split, per leaf, in node order.
Document encoder_to_document(const Encoder& encoder, bool categories) {
  std::vector<double> tree_sizes, component;
  std::vector<double> feature;
  std::vector<float> cover;
  std::vector<float> threshold;
  std::vector<double> left, right, default_left;
  std::vector<double> leaf;
  std::vector<double> left_level_sizes, left_levels;
  std::vector<float> leaf_values;
  for (const Tree& tree : encoder) {
    tree_sizes.push_back(static_cast<double>(tree.nodes.size()));
    component.push_back(tree.component);
    for (const Node& node : tree.nodes) {
      feature.push_back(node.feature);
      cover.push_back(node.cover);
      if (node.is_leaf()) {
        leaf.push_back(node.leaf);
      } else {
        threshold.push_back(node.threshold);
        left.push_back(node.left);
        right.push_back(node.right);
        default_left.push_back(node.default_left ? 1 : 0);
      }
    }
    leaf_values.insert(leaf_values.end(), tree.leaf_values.begin(), tree.leaf_values.end());
    for (const LevelSet& set : tree.level_sets) {
      const std::size_t before = left_levels.size();
      for (std::size_t level = 0; level < kMaxLevels; ++level) {
        if (set.contains(level)) left_levels.push_back(static_cast<double>(level));
      }
      left_level_sizes.push_back(static_cast<double>(left_levels.size() - before));
    }
  }
  Document document = Document::object();
  document.add("tree_sizes", Document(std::move(tree_sizes)));
  document.add("component", Document(std::move(component)));
  document.add("feature", Document(std::move(feature)));
  document.add("cover", Document(cover));
  document.add("threshold", Document(threshold));
  document.add("left", Document(std::move(left)));
  document.add("right", Document(std::move(right)));
  document.add("default_left", Document(std::move(default_left)));
  if (categories) {
    document.add("left_level_sizes", Document(std::move(left_level_sizes)));
    document.add("left_levels", Document(std::move(left_levels)));
  }
  document.add("leaf", Document(std::move(leaf)));
  document.add("leaf_values", Document(leaf_values));
  return document;
}

Document map_to_document(const LinearMap& map) {
  if (map.empty()) return Document();
  Document document = Document::object();
  document.add("mean", Document(map.mean));
  document.add("weights", Document(map.weights.values()));
  return document;
}

/// Features kept per encoder, as one concatenated list.
Document screening_to_document(const Screening& screening) {
  std::vector<double> sizes;
  std::vector<double> kept;
  for (const auto& features : screening.kept) {
    sizes.push_back(static_cast<double>(features.size()));
    kept.insert(kept.end(), features.begin(), features.end());
  }
  const FeatureScores& scores = screening.scores;
  Document document = Document::object();
  document.add("kept_sizes", Document(std::move(sizes)));
  document.add("kept", Document(std::move(kept)));
  document.add("score", Document(scores.score));
  document.add("partner_view", Document(std::vector<double>(scores.partner_view.begin(), scores.partner_view.end())));
  document.add("partner", Document(std::vector<double>(scores.partner.begin(), scores.partner.end())));
  document.add("p_value", Document(scores.p_value));
  return document;
}

Document part_to_document(const PartModel& part, bool categories) {
  std::vector<Document> encoders;
  for (const Encoder& encoder : part.encoders) encoders.push_back(encoder_to_document(encoder, categories));
  Document document = Document::object();
  document.add("mean", Document(part.mean));
  document.add("rotation", Document(part.rotation.values()));
  document.add("encoders", Document(std::move(encoders)));
  return document;
}

Document loadings_to_document(const Loadings& loadings) {
  Document document = Document::object();
  document.add("own", Document(loadings.own.values()));
  document.add("own_errors", Document(loadings.own_errors.values()));
  if (loadings.cross.empty()) return document;
  document.add("cross", Document(loadings.cross.values()));
  document.add("cross_errors", Document(loadings.cross_errors.values()));
  return document;
}

Document levels_to_document(const ViewModel& view, std::size_t feature) {
  Document document = Document::object();
  document.add("feature", Document(static_cast<double>(feature)));
  document.add("levels", Document(view.levels[feature]));
  document.add("counts", Document(view.level_counts[feature]));
  return document;
}

Document view_to_document(const ViewModel& view, int version) {
  std::vector<Document> parts;
  for (const PartModel& part : view.parts) parts.push_back(part_to_document(part, !view.levels.empty()));
  Document document = Document::object();
  document.add("name", Document(view.name));
  document.add("feature_names", Document(view.feature_names));
  if (version > 2) {
    std::vector<Document> levels;
    for (std::size_t j = 0; j < view.levels.size(); ++j) {
      if (!view.levels[j].empty()) levels.push_back(levels_to_document(view, j));
    }
    document.add("categories", levels.empty() ? Document() : Document(std::move(levels)));
  }
  if (!view.offset.empty()) document.add("offset", Document(view.offset));
  document.add("base_margin", map_to_document(view.base_margin));
  document.add("linear", map_to_document(view.linear));
  if (!view.covariate_effect.empty()) document.add("covariate_effect", map_to_document(view.covariate_effect));
  if (!view.mean.empty()) document.add("mean", Document(view.mean));
  if (!view.deviation.empty()) document.add("deviation", Document(view.deviation));
  if (!view.loadings.empty()) document.add("loadings", loadings_to_document(view.loadings));
  if (!view.screening.empty()) document.add("screening", screening_to_document(view.screening));
  if (!parts.empty()) document.add("parts", Document(std::move(parts)));
  return document;
}

Document covariate_to_document(const CovariateTerm& term) {
  Document document = Document::object();
  document.add("name", Document(term.name));
  if (!term.knots.empty()) document.add("knots", Document(term.knots));
  if (!term.levels.empty()) document.add("levels", Document(term.levels));
  return document;
}

Document candidate_to_document(const BlendResult& candidate) {
  Document document = Document::object();
  document.add("linear", Document(candidate.linear));
  document.add("correlations", Document(candidate.correlations));
  document.add("judged", Document(candidate.judged));
  document.add("chosen", Document(candidate.chosen));
  return document;
}

Document correlations_to_document(const Correlations& correlations) {
  std::vector<Document> candidates;
  for (const BlendResult& candidate : correlations.candidates) candidates.push_back(candidate_to_document(candidate));
  Document document = Document::object();
  document.add("out_of_fold", Document(correlations.out_of_fold));
  document.add("standard_errors", Document(correlations.standard_errors));
  document.add("noise_thresholds", Document(correlations.noise_thresholds));
  document.add("candidates", Document(std::move(candidates)));
  document.add("in_sample", Document(correlations.in_sample));
  document.add("linear_out_of_fold", Document(correlations.linear_out_of_fold));
  document.add("linear_in_sample", Document(correlations.linear_in_sample));
  if (!correlations.linear_unadjusted.empty()) {
    document.add("linear_unadjusted", Document(correlations.linear_unadjusted));
  }
  document.add("pairwise", Document(correlations.pairwise));
  document.add("pairwise_standard_errors", Document(correlations.pairwise_standard_errors));
  document.add("pairwise_noise_thresholds", Document(correlations.pairwise_noise_thresholds));
  return document;
}

Document history_to_document(const History& history) {
  Document document = Document::object();
  document.add("round", Document(history.round));
  document.add("tcc", Document(history.tcc));
  document.add("loss", Document(history.loss));
  document.add("train_tcc", Document(history.train_tcc));
  document.add("variance", Document(history.variance.values()));
  return document;
}

/// Models without categories are written as version 2.
int format_version_of(const Model& model) {
  const bool categories =
      std::any_of(model.views.begin(), model.views.end(), [](const ViewModel& view) { return !view.levels.empty(); });
  return categories ? 3 : 2;
}

}  // namespace

Document model_to_document(const Model& model) {
  std::vector<Document> views;
  for (const ViewModel& view : model.views) views.push_back(view_to_document(view, format_version_of(model)));
  Document document = Document::object();
  document.add("format", Document(std::string(kModelFormatName)));
  document.add("format_version", Document(static_cast<double>(format_version_of(model))));
  document.add("producer", Document(fmt::format("treecca {}", version)));
  document.add("parameters", parameters_document(model.parameters));
  document.add("asked", parameters_document(model.asked));
  if (!model.engine_params.empty()) document.add("engine_params", engine_params_document(model.engine_params));
  document.add("n_samples", Document(static_cast<double>(model.n_samples)));
  document.add("effective_samples", Document(model.effective_samples));
  document.add("independent_samples", Document(static_cast<double>(model.independent_samples)));
  if (!model.shared_samples.empty()) {
    document.add("shared_samples",
                 Document(std::vector<double>(model.shared_samples.begin(), model.shared_samples.end())));
  }
  document.add("rounds", Document(static_cast<double>(model.rounds)));
  if (!model.row_hashes.empty()) {
    document.add("row_hashes", Document(std::vector<double>(model.row_hashes.begin(), model.row_hashes.end())));
  }
  if (!model.covariates.empty()) {
    std::vector<Document> covariates;
    for (const CovariateTerm& term : model.covariates) covariates.push_back(covariate_to_document(term));
    document.add("covariates", Document(std::move(covariates)));
  }
  document.add("correlations", correlations_to_document(model.correlations));
  document.add("history", history_to_document(model.history));
  document.add("views", Document(std::move(views)));
  return document;
}

}  // namespace treecca
