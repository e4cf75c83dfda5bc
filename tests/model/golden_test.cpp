// Files written by earlier releases must be read by every later one, to the same values.
//
// tests/golden/model_v1.json and .ubj hold the model built below, from before files had a checksum;
// model_v1_checksum has one. model_v2 has parts and linear CCA, model_v3 a category too. They are never written again;
// a new version of the format gets new files next to them: build the tests and run them with TREECCA_WRITE_GOLDEN=1.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "treecca/metrics.hpp"
#include "treecca/model.hpp"

namespace treecca {
namespace {

/// Every parameter is set here, because defaults may change between releases.
Parameters golden_parameters(Trees trees) {
  Parameters p;
  p.n_components = 2;
  p.n_repeats = 0;
  p.linear = 0.0;
  p.sketch = 0;
  p.leaf_sweeps = 0;
  p.n_oversamples = 0;
  p.screen = Index{0};
  p.preset = Preset::paper;
  p.objective = Objective::ey;
  p.trees = trees;
  p.cross_fit = trees == Trees::joint ? 2 : 0;
  p.n_estimators = 3;
  p.learning_rate = std::vector<double>{0.1, 0.25};
  p.max_depth = 2;
  p.min_child_weight = std::vector<double>{5, 2.5};
  p.subsample = 0.8;
  p.colsample_bytree = 1.0;
  p.reg_lambda = 1.0;
  p.max_bin = 255;
  p.schedule = Schedule::gauss_seidel;
  p.init = Init::random_orthogonal;
  p.init_fade = 0;
  p.rotate = true;
  p.early_stopping_rounds = trees == Trees::joint ? 7 : 0;
  p.engine = EngineKind::native;
  p.random_state = 9007199254740991;
  return p;
}

Tree stump(std::int32_t component, std::int32_t feature, float threshold, std::vector<float> leaf_values) {
  Tree tree;
  tree.component = component;
  tree.nodes.resize(3);
  tree.nodes[0] = {
      .feature = feature, .threshold = threshold, .left = 2, .right = 1, .cover = 20, .default_left = false};
  tree.nodes[1] = {.leaf = 0, .cover = 12.5F};
  tree.nodes[2] = {.leaf = 1, .cover = 7.5F};
  tree.leaf_values = std::move(leaf_values);
  return tree;
}

Tree single_leaf(std::int32_t component, std::vector<float> leaf_values) {
  Tree tree;
  tree.component = component;
  tree.nodes = {{.leaf = 0, .cover = 20}};
  tree.leaf_values = std::move(leaf_values);
  return tree;
}

Matrix<double> matrix(Index rows, Index cols, std::vector<double> values) {
  Matrix<double> result(rows, cols);
  result.values() = std::move(values);
  return result;
}

Model golden_model(Trees trees) {
  const bool joint = trees == Trees::joint;
  Model model;
  model.parameters = golden_parameters(trees);
  model.asked = model.parameters;  // as files of version 1 are read, which do not have it
  model.n_samples = 20;
  model.effective_samples = 20;  // as older files are read, which do not have it
  model.independent_samples = 20;
  model.rounds = 1;
  model.views.resize(2);
  for (ViewModel& view : model.views) view.parts.resize(1);
  model.views[0].name = "rna";
  model.views[0].feature_names = {"TP53", "na\xC3\xAFve \"quoted\"", "f2"};
  model.views[0].parts[0].mean = {0.5, -0.0};
  model.views[0].parts[0].rotation = matrix(2, 2, {1, 0.1, -0.1, 1e-300});
  model.views[0].base_margin.mean = {1, 2, 1.0 / 3.0};
  model.views[0].base_margin.weights = matrix(3, 2, {0, 1, 2, 3, 4, 5e300});
  model.views[1].name = "protein";
  model.views[1].feature_names = {"p53", "mdm2"};
  model.views[1].parts[0].mean = {0.25, 1e-9};
  model.views[1].parts[0].rotation = matrix(2, 2, {1, 0, 0, 1});
  for (ViewModel& view : model.views) {
    if (joint) {
      view.parts[0].encoders = {{stump(-1, 1, 0.1F, {0.1F, -0.2F, 1e-45F, -0.0F})},
                                {single_leaf(-1, {3.4028235e38F, 1})}};
    } else {
      view.parts[0].encoders = {{stump(0, 0, -1e-45F, {0.1F, -0.2F}), single_leaf(1, {-0.0F})}};
    }
  }
  if (joint) {
    model.correlations.out_of_fold = {0.75, 0.1};
    const double root = std::sqrt(20.0);
    const double first = (1 - 0.75 * 0.75) / root;
    const double second = (1 - 0.1 * 0.1) / root;
    model.correlations.standard_errors = {first, second};
    model.correlations.pairwise_standard_errors = {0, 0, first, second, first, second, 0, 0};
    model.correlations.pairwise = {1, 1, 0.75, 0.1, 0.75, 0.1, 1, 1};
    set_noise_thresholds(model.correlations, {{1 / root, 1 / root}, std::vector<double>(8, 1 / root)}, 20, 20);
  }
  model.correlations.candidates = {
      {0.0, model.correlations.out_of_fold, true, total_correlation(model.correlations.out_of_fold)}};
  model.correlations.in_sample = {0.9, 0.3};
  if (joint) model.correlations.linear_out_of_fold = {0.5, -0.05};
  model.correlations.linear_in_sample = {0.6, 0.2};
  model.correlations.pairwise = {1, 1, 0.75, 0.1, 0.75, 0.1, 1, 1};
  model.history.round = {1, 2};
  model.history.loss = {-0.5, -0.625};
  model.history.tcc = {0.8, 0.85};
  model.history.train_tcc = {1.1, 1.2};
  model.history.variance = matrix(2, 4, {1, 0.5, 1, 0.5, 0.9, 0.4, 0.9, 0.4});
  return model;
}

/// Two parts and linear CCA in equal shares, the second view screened, as preset auto makes them.
Model golden_blend() {
  Model model = golden_model(Trees::joint);
  model.asked = Parameters();
  model.asked.n_components = 2;
  model.asked.random_state = 7;
  model.parameters = golden_parameters(Trees::joint);
  model.parameters.preset = Preset::automatic;
  model.parameters.n_repeats = 3;
  model.parameters.linear = 0.5;
  model.parameters.sketch = 7;
  model.parameters.leaf_sweeps = 2;
  model.parameters.screen = std::vector<Index>{0, 1};
  model.parameters.early_stopping_rounds = 50;
  model.independent_samples = 11;
  model.rounds = 2;
  for (ViewModel& view : model.views) {
    view.base_margin = {};
    view.parts.push_back(view.parts[0]);
    view.parts[1].mean = {-0.0, 2.5};
    view.parts[1].encoders[0].push_back(stump(-1, 1, -3.5F, {1, 2, 3, 4}));
    const auto p = static_cast<Index>(view.feature_names.size());
    view.linear.mean.assign(static_cast<std::size_t>(p), 1.0 / 3.0);
    view.linear.weights = Matrix<double>(p, 2, -0.125);
    view.deviation.assign(static_cast<std::size_t>(p), 0.1);
  }
  model.views[1].screening.kept = {{1}, {0}, {0, 1}, {1}};
  model.views[1].screening.scores = {{0, 3.5}, {-1, 0}, {-1, 2}, {1, 0.05}};
  model.correlations.standard_errors = {0.0625, 0.1};
  model.correlations.noise_thresholds = {0.3, 0.5};
  model.correlations.pairwise_standard_errors = {0, 0, 0.0625, 0.1, 0.0625, 0.1, 0, 0};
  model.correlations.pairwise_noise_thresholds = {0, 0, 0.3, 0.5, 0.3, 0.5, 0, 0};
  model.correlations.candidates = {{0.0, {0.5, 0.25}, false}, {0.5, {0.75, 0.1}, true}, {1.0, {-0.25, 0.0}, false}};
  model.history = {};
  model.history.round = {10, 12};
  model.history.tcc = {0.8, 0.85};
  return model;
}

/// The same with a category in the first view, which trees and linear CCA use.
Model golden_categories() {
  Model model = golden_blend();
  ViewModel& view = model.views[0];
  view.levels = {{}, {}, {"brain", "na\xC3\xAFve", "1"}};
  view.level_counts = {{}, {}, {7, 12, 0}};
  view.linear.mean[2] = 0;
  view.linear.level_begin = {3, 3, 3, 6};
  view.linear.weights = matrix(6, 2, {1, 2, 3, 4, 0, 0, 0.5, -0.5, 0.25, 1e-300, -0.0, 3});
  Tree tree = stump(-1, 2, 0, {1, 2, 3, 4});
  tree.nodes[0].level_set = 0;
  tree.level_sets.emplace_back();
  tree.level_sets[0].insert(0);
  tree.level_sets[0].insert(2);
  view.parts[1].encoders[1].push_back(tree);
  return model;
}

const std::pair<Trees, std::string> kFiles[] = {
    {Trees::joint, "model_v1"}, {Trees::scalar, "model_v1_scalar"}, {Trees::joint, "model_v1_checksum"}};

std::string golden_path(const std::string& name) {
  return (std::filesystem::path(TREECCA_SOURCE_DIR) / "tests" / "golden" / name).string();
}

TEST(GoldenModel, StillReadsToTheSameValue) {
  for (const auto& [trees, name] : kFiles) {
    const Model model = golden_model(trees);
    for (const char* ending : {".json", ".ubj"}) {
      const std::string path = golden_path(name + ending);
      const bool is_new = !std::filesystem::exists(path);
      if (is_new && std::getenv("TREECCA_WRITE_GOLDEN") != nullptr) save_model(model, path);
      const Model read = load_model(path);
      EXPECT_EQ(read, model) << path;
      EXPECT_TRUE(std::signbit(read.views[0].parts[0].mean[1])) << path;
      EXPECT_TRUE(std::signbit(read.views[0].parts[0].encoders[0].back().leaf_values.back())) << path;
    }
  }
}

TEST(GoldenModel, CategoriesStillReadToTheSameValue) {
  const Model model = golden_categories();
  for (const char* ending : {".json", ".ubj"}) {
    const std::string path = golden_path(std::string("model_v3") + ending);
    const bool is_new = !std::filesystem::exists(path);
    if (is_new && std::getenv("TREECCA_WRITE_GOLDEN") != nullptr) save_model(model, path);
    ModelOrigin origin;
    EXPECT_EQ(load_model(path, origin), model) << path;
    EXPECT_EQ(origin.format_version, 3);
  }
}

TEST(GoldenModel, PartsAndLinearCcaStillReadToTheSameValue) {
  const Model model = golden_blend();
  for (const char* ending : {".json", ".ubj"}) {
    const std::string path = golden_path(std::string("model_v2") + ending);
    const bool is_new = !std::filesystem::exists(path);
    if (is_new && std::getenv("TREECCA_WRITE_GOLDEN") != nullptr) save_model(model, path);
    ModelOrigin origin;
    const Model read = load_model(path, origin);
    EXPECT_EQ(origin.format_version, 2);
    EXPECT_EQ(read, model) << path;
    EXPECT_TRUE(std::signbit(read.views[0].parts[1].mean[0])) << path;
  }
}

}  // namespace
}  // namespace treecca
