// Random models that pass check_model, for property tests.
//
// The same seed and shape give the same model within one build. Trees are of all sizes from a
// single leaf up, leaves are numbered in random order, floats cover their whole range when
// `extreme`.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "treecca/model.hpp"

namespace treecca::testing_helpers {

struct ModelShape {
  Index components = 2;
  Index oversamples = 0;                 // trained with them and dropped by the rotation
  std::vector<Index> features = {3, 2};  // one entry per view
  Trees trees = Trees::joint;
  Index cross_fit = 2;
  Index rounds = 3;
  Index max_depth = 3;
  bool base_margin = false;
  bool screened = false;
  Index parts = 1;          // fits of the trees; none where linear is 1
  double linear = 0;        // weight of linear CCA
  bool curves = true;       // every round measured, all of it; false: the TCC of some rounds
  bool described = false;   // what the training data were like
  bool categories = false;  // about half of the features
  bool extreme = false;     // floats of any finite bit pattern, names with any characters
};

class ModelMaker {
 public:
  explicit ModelMaker(std::uint64_t seed) : random_(seed) {}

  Index whole(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(random_); }
  double normal() { return std::normal_distribution<double>()(random_); }
  bool chance(double probability) { return std::bernoulli_distribution(probability)(random_); }

  float any_single(bool extreme) {
    if (!extreme) return static_cast<float>(normal());
    switch (whole(0, 5)) {
      case 0:
        return -0.0F;
      case 1:
        return std::numeric_limits<float>::denorm_min() * static_cast<float>(whole(-9, 9));
      case 2:
        return chance(0.5) ? std::numeric_limits<float>::max() : std::numeric_limits<float>::lowest();
      default:
        return finite_bits<float, std::uint32_t>();
    }
  }

  double any_double(bool extreme) { return extreme ? finite_bits<double, std::uint64_t>() : normal(); }

  std::vector<double> doubles(Index n, bool extreme) {
    std::vector<double> values(static_cast<std::size_t>(n));
    for (double& value : values) value = any_double(extreme);
    return values;
  }

  /// Within what check_model allows for means and rotations.
  std::vector<double> bounded_doubles(Index n, bool extreme) {
    std::vector<double> values = doubles(n, extreme);
    for (double& value : values) {
      while (std::abs(value) > 1e30) value = any_double(extreme);
    }
    return values;
  }

  Tree tree(Index features, Index components, std::int32_t component, Index max_depth, bool extreme) {
    Tree tree;
    tree.component = component;
    tree.nodes.emplace_back();
    tree.nodes[0].cover = static_cast<float>(whole(1, 1000));
    std::vector<Index> depth{0};
    std::vector<std::int32_t> leaves;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      if (depth[i] >= max_depth || chance(0.3)) {
        leaves.push_back(static_cast<std::int32_t>(i));
        continue;
      }
      const auto next = static_cast<std::int32_t>(tree.nodes.size());
      const auto rows = static_cast<Index>(tree.nodes[i].cover);
      const auto rows_left = static_cast<float>(whole(0, rows));
      tree.nodes.resize(tree.nodes.size() + 2);
      depth.resize(tree.nodes.size(), depth[i] + 1);
      Node& node = tree.nodes[i];
      const bool swapped = chance(0.5);  // the left child need not stand first
      node.left = next + (swapped ? 1 : 0);
      node.right = next + (swapped ? 0 : 1);
      node.feature = static_cast<std::int32_t>(whole(0, features - 1));
      node.threshold = any_single(extreme);
      node.default_left = chance(0.5);
      tree.nodes[static_cast<std::size_t>(node.left)].cover = rows_left;
      tree.nodes[static_cast<std::size_t>(node.right)].cover = static_cast<float>(rows) - rows_left;
    }
    std::shuffle(leaves.begin(), leaves.end(), random_);
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      tree.nodes[static_cast<std::size_t>(leaves[l])].leaf = static_cast<std::int32_t>(l);
    }
    tree.leaf_values.resize(leaves.size() * static_cast<std::size_t>(component < 0 ? components : 1));
    for (float& value : tree.leaf_values) value = any_single(extreme);
    return tree;
  }

  Model model(const ModelShape& shape) {
    Model model;
    const auto m = static_cast<Index>(shape.features.size());
    const Index k = shape.components;
    Parameters& parameters = model.parameters;
    parameters = Parameters::of_preset(Preset::plain);
    parameters.n_components = k;
    parameters.n_oversamples = shape.oversamples;
    parameters.trees = shape.trees;
    parameters.cross_fit = shape.cross_fit;
    parameters.n_repeats = shape.parts > 1 && shape.cross_fit > 0 ? 1 : 0;
    parameters.linear = shape.linear;
    parameters.n_estimators = std::max<Index>(1, shape.rounds + 1);
    parameters.max_depth = shape.max_depth;
    parameters.min_child_weight = 3.5;
    parameters.colsample_bytree = 0.8;
    if (shape.screened) parameters.screen = chance(0.5) ? PerView<Index>{} : PerView<Index>(whole(1, 9));
    parameters.reg_lambda = 1.0;
    parameters.learning_rate = std::vector<double>(static_cast<std::size_t>(m), 1.0 / 3.0);
    parameters.random_state = static_cast<std::uint64_t>(whole(0, Index{1} << 53));
    model.asked.n_components = k;
    if (shape.parts == 1 && shape.linear == 0) {
      model.asked = parameters;
      model.asked.min_child_weight = {};
    }
    model.n_samples = static_cast<std::uint64_t>(whole(10, 1'000'000'000'000));
    model.effective_samples = static_cast<double>(model.n_samples) / 3;
    model.independent_samples = model.n_samples / 2;
    model.rounds = static_cast<std::uint64_t>(shape.rounds);
    for (Index v = 0; v < m; ++v) model.views.push_back(view(shape, v));
    for (Index v = 0; shape.screened && shape.linear < 1 && v < m; ++v)
      model.views[static_cast<std::size_t>(v)].screening = screening(shape, model.views, v);
    model.correlations = all_correlations(shape);
    if (shape.described) describe(model, shape.extreme);
    for (std::size_t v = 0; shape.categories && v < model.views.size(); ++v) categorise(model.views[v], shape.extreme);
    model.history = history(shape, whole(shape.rounds, parameters.n_estimators));
    if (chance(0.3)) {
      parameters.engine = EngineKind::xgboost;
      model.engine_params = {{"max_depth", "6"}, {name(1, shape.extreme), name(2, shape.extreme)}};
    }
    return model;
  }

  /// A shape drawn at random, small enough for thousands of models.
  ModelShape shape() {
    ModelShape shape;
    shape.components = whole(1, 4);
    shape.oversamples = whole(0, 2);
    shape.features.assign(static_cast<std::size_t>(whole(1, 4)), 0);
    for (Index& features : shape.features) features = whole(1, 6);
    shape.trees = chance(0.5) ? Trees::joint : Trees::scalar;
    shape.cross_fit = chance(0.5) ? 0 : whole(2, 4);
    shape.rounds = whole(0, 6);
    shape.max_depth = whole(1, 5);
    shape.base_margin = chance(0.5);
    shape.screened = chance(0.3);
    shape.parts = chance(0.5) ? 1 : whole(2, 4);
    shape.linear = chance(0.5) ? 0.0 : 0.25 * static_cast<double>(whole(1, 4));
    shape.curves = chance(0.5);
    shape.extreme = chance(0.5);
    shape.described = chance(0.5);
    shape.categories = chance(0.3);
    return shape;
  }

 private:
  template <class Float, class Bits>
  Float finite_bits() {
    while (true) {
      const auto value = std::bit_cast<Float>(static_cast<Bits>(random_()));
      if (std::isfinite(value)) return value;
    }
  }

  std::string name(Index number, bool extreme) {
    std::string text = "f" + std::to_string(number);
    if (extreme) {
      text += " \"quoted\" \\ back,slash\t\n\x01\x7F \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\xB2";
      text.push_back('\0');
    }
    return text;
  }

  ViewModel view(const ModelShape& shape, Index v) {
    const Index p = shape.features[static_cast<std::size_t>(v)];
    const Index k = shape.components + shape.oversamples;
    ViewModel view;
    view.name = name(v, shape.extreme);
    for (Index j = 0; j < p; ++j) view.feature_names.push_back(name(j, shape.extreme));
    if (shape.base_margin && shape.linear < 1) view.base_margin = map(p, k, shape.extreme);
    for (Index i = 0; i < shape.parts && shape.linear < 1; ++i) view.parts.push_back(part(shape, p));
    if (shape.linear > 0) {
      view.linear = map(p, shape.components, shape.extreme);
      view.linear.weights.values() = bounded_doubles(p * shape.components, shape.extreme);
      view.linear.mean = bounded_doubles(p, shape.extreme);
      for (const double deviation : bounded_doubles(p, shape.extreme)) view.deviation.push_back(std::abs(deviation));
    }
    return view;
  }

  /// Makes categories of some features, whatever the trees and linear maps test them for.
  void categorise(ViewModel& view, bool extreme) {
    const std::size_t p = view.feature_names.size();
    view.levels.resize(p);
    view.level_counts.resize(p);
    for (std::size_t j = 0; j < p; ++j) {
      if (j > 0 && chance(0.5)) continue;
      for (Index level = whole(1, 70); level > 0; --level) {
        view.levels[j].push_back(name(level, extreme));
        view.level_counts[j].push_back(static_cast<double>(whole(0, 9)));
      }
    }
    for (std::size_t j = 0; j < view.offset.size(); ++j) {
      if (!view.levels[j].empty()) view.offset[j] = 0;
    }
    for (LinearMap* linear : {&view.base_margin, &view.linear}) {
      if (linear->empty()) continue;
      auto rows = static_cast<std::int32_t>(p);
      linear->level_begin = {rows};
      for (const auto& levels : view.levels) {
        linear->level_begin.push_back(rows += static_cast<std::int32_t>(levels.size()));
      }
      Matrix<double> weights(rows, linear->weights.cols());
      weights.values() = bounded_doubles(rows * weights.cols(), extreme);
      for (std::size_t j = 0; j < p; ++j) {
        if (view.levels[j].empty()) continue;
        linear->mean[j] = 0;  // as a fit has it
        std::fill_n(weights.row(static_cast<Index>(j)), weights.cols(), 0.0);
      }
      linear->weights = std::move(weights);
    }
    for (PartModel& part : view.parts) {
      for (Encoder& encoder : part.encoders) {
        for (Tree& tree : encoder) set_levels(tree, view.levels);
      }
    }
  }

  void set_levels(Tree& tree, const Levels& levels) {
    for (Node& node : tree.nodes) {
      if (node.is_leaf() || levels[static_cast<std::size_t>(node.feature)].empty()) continue;
      node.threshold = 0;
      node.level_set = static_cast<std::int32_t>(tree.level_sets.size());
      LevelSet& set = tree.level_sets.emplace_back();
      for (std::size_t level = 0; level < levels[static_cast<std::size_t>(node.feature)].size(); ++level) {
        if (chance(0.5)) set.insert(level);
      }
    }
  }

  void describe(Model& model, bool extreme) {
    for (ViewModel& view : model.views) {
      const auto p = static_cast<Index>(view.feature_names.size());
      view.mean = bounded_doubles(p, extreme);
      view.offset = bounded_doubles(p, extreme);
      view.deviation.clear();
      for (const double deviation : bounded_doubles(p, extreme)) view.deviation.push_back(std::abs(deviation));
      const auto loadings = [&](bool errors) {
        Matrix<double> matrix(p, model.n_components());
        matrix.values() = correlations(p * model.n_components());
        for (double& value : matrix.values()) value = errors ? std::abs(value) : value;
        return matrix;
      };
      view.loadings = {loadings(false), loadings(true), loadings(false), loadings(true)};
    }
    for (std::uint64_t hash = 5; hash < 50; hash += 9) model.row_hashes.push_back(hash << 46);
    for (std::size_t v = 0; v < model.views.size(); ++v) {
      for (std::size_t w = 0; w < model.views.size(); ++w) {
        model.shared_samples.push_back(model.n_samples - std::max(v, w) - (v == w ? 0 : 1));
      }
    }
  }

  LinearMap map(Index features, Index columns, bool extreme) {
    LinearMap map{doubles(features, extreme), Matrix<double>(features, columns)};
    map.weights.values() = doubles(features * columns, extreme);
    return map;
  }

  PartModel part(const ModelShape& shape, Index features) {
    const Index k = shape.components + shape.oversamples;
    PartModel part;
    part.mean = bounded_doubles(k, shape.extreme);
    part.rotation = Matrix<double>(k, shape.components);
    part.rotation.values() = bounded_doubles(k * shape.components, shape.extreme);
    part.encoders.resize(static_cast<std::size_t>(std::max<Index>(1, shape.cross_fit)));
    for (Encoder& encoder : part.encoders) {
      for (Index round = 0; round < shape.rounds; ++round) {
        for (Index c = 0; c < (shape.trees == Trees::joint ? 1 : k); ++c) {
          const auto component = static_cast<std::int32_t>(shape.trees == Trees::joint ? -1 : c);
          encoder.push_back(tree(features, k, component, shape.max_depth, shape.extreme));
        }
      }
    }
    return part;
  }

  /// The weight of the model is chosen among 0, 0.5, 1 and itself where it has several parts.
  Correlations all_correlations(const ModelShape& shape) {
    const auto m = static_cast<Index>(shape.features.size());
    const Index k = shape.components;
    const Index folded = shape.cross_fit > 0 ? k : 0;
    Correlations result;
    result.out_of_fold = correlations(folded);
    result.in_sample = correlations(k);
    result.linear_out_of_fold = correlations(folded);
    result.linear_in_sample = correlations(k);
    result.pairwise = correlations(m * m * k);
    for (const double r : result.out_of_fold) {
      result.standard_errors.push_back((1 - r * r) / 10);
      result.noise_thresholds.push_back((1 - r * r) / 3);
    }
    for (std::size_t i = 0; m > 1 && folded > 0 && i < result.pairwise.size(); ++i) {
      result.pairwise_standard_errors.push_back(0.125);
      result.pairwise_noise_thresholds.push_back(0.75);
    }
    for (const double weight : {0.0, 0.5, 1.0}) {
      if (shape.parts > 1 && weight != shape.linear) result.candidates.push_back({weight, correlations(folded), false});
    }
    result.candidates.push_back({shape.linear, result.out_of_fold, true});
    return result;
  }

  History history(const ModelShape& shape, Index run) {
    History history;
    const Index step = shape.curves ? 1 : 10;
    for (Index round = step; round <= run * step; round += step) history.round.push_back(static_cast<double>(round));
    history.tcc = doubles(run, shape.extreme);
    if (!shape.curves || run == 0) return history;
    const Index columns = static_cast<Index>(shape.features.size()) * (shape.components + shape.oversamples);
    history.loss = doubles(run, shape.extreme);
    history.train_tcc = doubles(run, shape.extreme);
    history.variance = Matrix<double>(run, columns);
    history.variance.values() = doubles(run * columns, shape.extreme);
    return history;
  }

  /// What the trees use, and a few more.
  Screening screening(const ModelShape& shape, const std::vector<ViewModel>& views, Index v) {
    const ViewModel& view = views[static_cast<std::size_t>(v)];
    const auto p = static_cast<Index>(view.feature_names.size());
    Screening screening;
    for (const PartModel& part : view.parts) {
      for (const Encoder& encoder : part.encoders) {
        std::set<std::int32_t> kept{static_cast<std::int32_t>(whole(0, p - 1))};
        for (const Tree& tree : encoder) {
          for (const Node& node : tree.nodes) {
            if (!node.is_leaf()) kept.insert(node.feature);
          }
        }
        screening.kept.emplace_back(kept.begin(), kept.end());
      }
    }
    if (chance(0.3)) return screening;  // all features kept unseen
    screening.scores.score = doubles(p, shape.extreme);
    if (chance(0.5)) screening.scores.p_value = doubles(p, shape.extreme);
    for (Index j = 0; j < p; ++j) {
      const Index other = whole(-1, static_cast<Index>(views.size()) - 1);
      screening.scores.partner_view.push_back(static_cast<std::int32_t>(other));
      screening.scores.partner.push_back(
          static_cast<std::int32_t>(other < 0 ? -1 : whole(0, shape.features[static_cast<std::size_t>(other)] - 1)));
    }
    return screening;
  }

  std::vector<double> correlations(Index n) {
    std::vector<double> values(static_cast<std::size_t>(n));
    for (double& value : values) value = std::tanh(normal());
    return values;
  }

  std::mt19937_64 random_;
};

inline Model random_model(std::uint64_t seed, const ModelShape& shape = {}) { return ModelMaker(seed).model(shape); }

inline Model random_model_of_random_shape(std::uint64_t seed) {
  ModelMaker maker(seed);
  const ModelShape shape = maker.shape();
  return maker.model(shape);
}

}  // namespace treecca::testing_helpers
