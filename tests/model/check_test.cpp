#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "helpers/random_model.hpp"
#include "treecca/error.hpp"
#include "treecca/model.hpp"

namespace treecca {
namespace {

using testing_helpers::ModelShape;
using testing_helpers::random_model;

/// A small model whose first tree of every encoder is: node 0 splits into 1 (leaf 1) and 2, 2
/// splits into 3 and 4.
Model model_with_known_tree(Trees trees = Trees::joint) {
  ModelShape shape;
  shape.trees = trees;
  shape.base_margin = true;
  Model model = random_model(11, shape);
  for (ViewModel& view : model.views) {
    for (Encoder& encoder : view.parts[0].encoders) {
      Tree& tree = encoder[0];
      tree.nodes.assign(5, Node{});
      tree.nodes[0] = {.feature = 0, .threshold = 1.5F, .left = 1, .right = 2, .cover = 9};
      tree.nodes[1] = {.leaf = 1, .cover = 4};
      tree.nodes[2] = {.feature = 1, .threshold = -0.5F, .left = 4, .right = 3, .cover = 5, .default_left = false};
      tree.nodes[3] = {.leaf = 0, .cover = 2};
      tree.nodes[4] = {.leaf = 2, .cover = 3};
      tree.leaf_values.assign(trees == Trees::joint ? 6 : 3, 0.25F);
    }
  }
  return model;
}

std::string error_after(const std::function<void(Model&)>& change, Trees trees = Trees::joint) {
  Model model = model_with_known_tree(trees);
  change(model);
  try {
    check_model(model);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

/// Changes the known tree of view 1, encoder 1.
std::string tree_error_after(const std::function<void(Tree&)>& change, Trees trees = Trees::joint) {
  return error_after([&](Model& model) { change(model.views[1].parts[0].encoders[1][0]); }, trees);
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(CheckModel, AcceptsWhatIsConsistent) {
  EXPECT_EQ(error_after([](Model&) {}), "no error");
  EXPECT_EQ(error_after([](Model&) {}, Trees::scalar), "no error");
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_NO_THROW(check_model(testing_helpers::random_model_of_random_shape(seed))) << seed;
  }
}

TEST(CheckModel, Views) {
  expect_part(error_after([](Model& m) { m.views.clear(); }), "views has 0 entries");
  expect_part(error_after([](Model& m) { m.views.resize(1); }), "there are 1 views");
  expect_part(error_after([](Model& m) { m.views[1].name = m.views[0].name; }), "twice");
  expect_part(error_after([](Model& m) { m.views[1].name = ""; }), "empty name at position 1");
  expect_part(error_after([](Model& m) { m.views[1].feature_names[1] = m.views[1].feature_names[0]; }),
              "views[1].feature_names has the name \"f0\" twice");
  expect_part(error_after([](Model& m) { m.views[0].feature_names[2] = ""; }), "views[0].feature_names has an empty");
  expect_part(error_after([](Model& m) { m.views[0].feature_names.clear(); }), "views[0].feature_names has 0 names");
}

TEST(CheckModel, NamesAreUtf8) {
  for (const char* bad : {"\xFF", "caf\xE9", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5",
                          "\xC3", "\xE2\x82", "\x80"}) {
    expect_part(error_after([&](Model& m) { m.views[0].feature_names[1] = bad; }),
                "position 1 that is not valid UTF-8");
    expect_part(error_after([&](Model& m) { m.views[1].name = bad; }), "not valid UTF-8");
  }
  for (const char* good : {"\x7F", "caf\xC3\xA9", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(error_after([&](Model& m) { m.views[0].feature_names[1] = good; }), "no error");
  }
}

TEST(CheckModel, NumbersThatCouldNotGiveFiniteVariates) {
  expect_part(error_after([](Model& m) { m.views[0].parts[0].mean[1] = 1e308; }),
              "views[0].parts[0].mean holds a number beyond 1e+30");
  expect_part(error_after([](Model& m) { m.views[1].parts[0].rotation(0, 1) = -1e308; }),
              "views[1].parts[0].rotation holds a number beyond 1e+30");
  EXPECT_EQ(error_after([](Model& m) { m.views[1].parts[0].rotation(0, 1) = -1e30; }), "no error");
}

TEST(CheckModel, NumbersOfAView) {
  expect_part(error_after([](Model& m) { m.views[0].parts[0].mean.pop_back(); }),
              "views[0].parts[0].mean has 1 numbers, but must have 2");
  expect_part(error_after([](Model& m) { m.views[0].parts[0].mean[1] = kNaN; }),
              "views[0].parts[0].mean holds a number that is not");
  expect_part(error_after([](Model& m) { m.views[1].parts[0].rotation = Matrix<double>(2, 1); }),
              "views[1].parts[0].rotation is 2 x 1, but must be 2 x 2");
  expect_part(error_after([](Model& m) { m.views[1].parts[0].rotation(0, 1) = kNaN; }),
              "views[1].parts[0].rotation holds");
  expect_part(error_after([](Model& m) { m.views[1].parts[0].rotation.values().pop_back(); }),
              "views[1].parts[0].rotation");
  expect_part(error_after([](Model& m) { m.views[0].base_margin.mean.pop_back(); }), "views[0].base_margin.mean");
  expect_part(error_after([](Model& m) { m.views[0].base_margin.weights = Matrix<double>(3, 1); }),
              "views[0].base_margin.weights is 3 x 1, but must be 3 x 2");
  expect_part(error_after([](Model& m) { m.views[0].base_margin.weights = {}; }), "views[0].base_margin.mean");
  EXPECT_EQ(error_after([](Model& m) { m.views[0].base_margin = {}; }), "no error");
}

TEST(CheckModel, Encoders) {
  expect_part(error_after([](Model& m) { m.views[1].parts[0].encoders.clear(); }),
              "views[1].parts[0].encoders has 0 entries, but must have 2 (cross_fit is 2)");
  expect_part(error_after([](Model& m) {
                auto& encoders = m.views[1].parts[0].encoders;
                encoders.push_back(encoders[0]);
              }),
              "views[1].parts[0].encoders has 3 entries, but must have 2 (cross_fit is 2)");
  expect_part(error_after([](Model& m) {
                Encoder& encoder = m.views[1].parts[0].encoders[0];
                encoder.push_back(encoder[0]);
              }),
              "views[1].parts[0].encoders[0] has 4 trees, too many for 3 rounds");
}

TEST(CheckModel, Trees) {
  expect_part(tree_error_after([](Tree& t) { t.nodes.clear(); }), "views[1].parts[0].encoders[1] tree 0 has no nodes");
  expect_part(tree_error_after([](Tree& t) { t.component = 0; }), "belongs to component 0");
  expect_part(tree_error_after([](Tree& t) { t.component = -1; }, Trees::scalar), "belongs to component -1");
  expect_part(tree_error_after([](Tree& t) { t.component = 2; }, Trees::scalar), "belongs to component 2");
  expect_part(tree_error_after([](Tree& t) { t.leaf_values.pop_back(); }), "has 5 leaf values, but must have 6");
  expect_part(tree_error_after([](Tree& t) { t.leaf_values.push_back(0); }, Trees::scalar),
              "has 4 leaf values, but must have 3");
  expect_part(tree_error_after([](Tree& t) { t.leaf_values[3] = kInfinity; }), "not finite");
}

TEST(CheckModel, Splits) {
  expect_part(tree_error_after([](Tree& t) { t.nodes[2].feature = 2; }), "node 2 tests feature 2, but the view has 2");
  expect_part(tree_error_after([](Tree& t) { t.nodes[0].threshold = kInfinity; }), "node 0 has a threshold");
  expect_part(tree_error_after([](Tree& t) { t.nodes[0].leaf = 0; }), "node 0 is a split but has a leaf");
  for (const std::int32_t child : {-1, 0, 2, 5, std::numeric_limits<std::int32_t>::max()}) {
    expect_part(tree_error_after([&](Tree& t) { t.nodes[2].left = child; }), "node 2 has child");
    expect_part(tree_error_after([&](Tree& t) { t.nodes[2].right = child; }), "node 2 has child");
  }
  expect_part(tree_error_after([](Tree& t) { t.nodes[2].left = 3; }), "node 3 has two parents");
  expect_part(tree_error_after([](Tree& t) { t.nodes[0].left = 3; }), "node 1 has no parent");
  expect_part(tree_error_after([](Tree& t) { t.nodes.push_back({.leaf = 3}); }), "node 5 has no parent");
}

TEST(CheckModel, Leaves) {
  expect_part(tree_error_after([](Tree& t) { t.nodes[3].leaf = 3; }), "node 3 has leaf 3");
  expect_part(tree_error_after([](Tree& t) { t.nodes[3].leaf = -1; }), "node 3 has leaf -1");
  expect_part(tree_error_after([](Tree& t) { t.nodes[3].leaf = 1; }), "node 3 has leaf 1");
  expect_part(tree_error_after([](Tree& t) { t.nodes[3].feature = -2; }), "node 3 is a leaf but");
  expect_part(tree_error_after([](Tree& t) { t.nodes[3].left = 4; }), "node 3 is a leaf but");
  expect_part(tree_error_after([](Tree& t) { t.nodes[3].threshold = 1; }), "node 3 is a leaf but");
  expect_part(tree_error_after([](Tree& t) { t.nodes[3].default_left = false; }), "node 3 is a leaf but");
  expect_part(tree_error_after([](Tree& t) { t.nodes[3].cover = -1; }), "node 3 has a cover");
  expect_part(tree_error_after([](Tree& t) { t.nodes[0].cover = kInfinity; }), "node 0 has a cover");
}

TEST(CheckModel, Screening) {
  ModelShape shape;
  shape.screened = true;
  Model sound = random_model(5, shape);
  sound.parameters.screen = Index{2};
  for (ViewModel& view : sound.views) {
    const auto p = static_cast<std::int32_t>(view.feature_names.size());
    view.screening.scores = {std::vector<double>(p, 1.0), std::vector<std::int32_t>(p, -1),
                             std::vector<std::int32_t>(p, -1), std::vector<double>(p, 0.5)};
  }
  EXPECT_NO_THROW(check_model(sound));
  const auto error = [&](const std::function<void(Model&)>& change) {
    Model model = sound;
    change(model);
    try {
      check_model(model);
    } catch (const ModelError& refused) {
      return std::string(refused.what());
    }
    return std::string("no error");
  };
  const auto screening_error = [&](const std::function<void(Screening&)>& change) {
    return error([&](Model& model) { change(model.views[1].screening); });
  };
  expect_part(error([](Model& m) { m.parameters.screen = Index{0}; }), "does not fit the parameter screen");
  expect_part(screening_error([](Screening& s) { s = {}; }), "does not fit the parameter screen");
  expect_part(screening_error([](Screening& s) { s.kept.pop_back(); }), "is for 1 encoders, but there are 2");
  expect_part(screening_error([](Screening& s) { s.kept[0] = {}; }), "is empty, not ascending");
  expect_part(screening_error([](Screening& s) { s.kept[0] = {1, 0}; }), "is empty, not ascending");
  expect_part(screening_error([](Screening& s) { s.kept[0] = {0, 99}; }), "beyond the view's features");
  expect_part(screening_error([](Screening& s) { s.scores.score[0] = kNaN; }), "not finite");
  expect_part(screening_error([](Screening& s) { s.scores.p_value.pop_back(); }), "numbers, but must have");
  expect_part(screening_error([](Screening& s) { s.scores.partner.pop_back(); }), "does not name one partner");
  expect_part(screening_error([](Screening& s) { s.scores.partner_view[0] = 7; }), "of feature 0 does not exist");
  expect_part(error([](Model& m) {
                m.views[0].parts[0].encoders[0][0] = Tree{};
                Tree& tree = m.views[0].parts[0].encoders[0][0];
                tree.nodes.resize(3);
                tree.nodes[0] = {.feature = 1, .threshold = 0.5F, .left = 1, .right = 2, .cover = 2};
                tree.nodes[1] = {.leaf = 0, .cover = 1};
                tree.nodes[2] = {.leaf = 1, .cover = 1};
                tree.leaf_values.assign(4, 0.0F);
                m.views[0].screening.kept[0] = {0, 2};
              }),
              "tests feature 1, which was not kept");
}

TEST(CheckModel, DepthIsLimited) {
  expect_part(error_after([](Model& m) {
                m.parameters.max_depth = std::vector<Index>{3, 1};
                m.views[0].parts[0].encoders.assign(2, {});
              }),
              "node 2 splits below max_depth 1");
  // A library may have been told otherwise.
  EXPECT_EQ(error_after([](Model& m) {
              m.parameters.max_depth = Index{1};
              m.parameters.engine = EngineKind::xgboost;
              m.engine_params = {{"max_depth", "2"}};
            }),
            "no error");
}

TEST(CheckModel, EngineParametersBelongToAnotherEngine) {
  expect_part(error_after([](Model& m) { m.engine_params = {{"eta", "1"}}; }), "the native engine takes none");
  for (const char* name : {"", "eta"}) {
    expect_part(error_after([&](Model& m) {
                  m.parameters.engine = EngineKind::xgboost;
                  m.engine_params = {{"eta", "1"}, {name, "2"}};
                }),
                "empty or repeated");
  }
}

TEST(CheckModel, ParametersAndCounts) {
  expect_part(error_after([](Model& m) { m.parameters.subsample = 2.0; }), "parameters are out of range: subsample");
  expect_part(error_after([](Model& m) { m.parameters.n_components = 0; }),
              "parameters are out of range: n_components");
  expect_part(error_after([](Model& m) {
                m.parameters.max_bin = std::vector<Index>{9, 9, 9};
              }),
              "max_bin has 3 values");
  expect_part(error_after([](Model& m) { m.parameters.colsample_bytree = {}; }), "parameters.colsample_bytree");
  expect_part(error_after([](Model& m) { m.n_samples = std::uint64_t{1} << 60; }), "n_samples");
  expect_part(error_after([](Model& m) { m.rounds = 1000; }), "rounds is 1000");
}

TEST(CheckModel, CorrelationsAndHistory) {
  expect_part(error_after([](Model& m) { m.correlations.out_of_fold.clear(); }), "correlations.out_of_fold");
  expect_part(error_after([](Model& m) { m.correlations.in_sample[0] = 1.5; }), "outside -1 to 1");
  expect_part(error_after([](Model& m) { m.correlations.linear_in_sample[0] = kNaN; }),
              "correlations.linear_in_sample");
  expect_part(error_after([](Model& m) { m.correlations.linear_out_of_fold.push_back(0); }), "linear_out_of_fold");
  expect_part(error_after([](Model& m) { m.correlations.pairwise.pop_back(); }), "has 7 numbers, but must have 8");
  expect_part(error_after([](Model& m) { m.correlations.standard_errors.pop_back(); }), "correlations.standard_errors");
  expect_part(error_after([](Model& m) { m.correlations.noise_thresholds[0] = kNaN; }),
              "correlations.noise_thresholds");
  expect_part(error_after([](Model& m) { m.history.loss.resize(2); }), "history.loss has 2 numbers");
  expect_part(error_after([](Model& m) {
                m.history.round.resize(2);
                m.history.tcc.resize(2);
              }),
              "history.round has 2 rounds; it must have at least the 3 that were kept");
  expect_part(error_after([](Model& m) { m.history.round[1] = m.history.round[0]; }), "history.round is not ascending");
  EXPECT_EQ(error_after([](Model& m) {
              m.history = {};
              m.history.round = {10};
              m.history.tcc = {0.5};
            }),
            "no error");  // the TCC of some rounds, which need not be all that were kept
  expect_part(error_after([](Model& m) { m.history.tcc.pop_back(); }), "history.tcc");
  expect_part(error_after([](Model& m) { m.history.train_tcc[0] = kNaN; }), "history.train_tcc");
  expect_part(error_after([](Model& m) { m.history.variance = Matrix<double>(3, 3); }), "history.variance is 3 x 3");
}

TEST(CheckModel, Candidates) {
  expect_part(error_after([](Model& m) { m.correlations.candidates.clear(); }), "correlations.candidates is empty");
  expect_part(error_after([](Model& m) { m.correlations.candidates[0].chosen = false; }), "exactly one chosen entry");
  expect_part(error_after([](Model& m) { m.correlations.candidates.push_back(m.correlations.candidates[0]); }),
              "exactly one chosen entry");
  expect_part(error_after([](Model& m) { m.correlations.candidates[0].linear = 0.5; }),
              "does not fit the parameter linear");
  expect_part(error_after([](Model& m) {
                m.correlations.candidates.push_back({1.5, {0, 0}, false});
              }),
              "has a weight outside 0 to 1");
  expect_part(error_after([](Model& m) {
                m.correlations.candidates.push_back({0.5, {0}, false});
              }),
              "correlations.candidates has 1 numbers, but must have 2");
}

/// Two parts, half linear.
std::string blend_error_after(const std::function<void(Model&)>& change, double linear = 0.5) {
  ModelShape shape;
  shape.parts = 2;
  shape.linear = linear;
  Model model = random_model(12, shape);
  change(model);
  try {
    check_model(model);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

TEST(CheckModel, PartsAndLinearCca) {
  for (const double linear : {0.0, 0.5, 1.0}) EXPECT_EQ(blend_error_after([](Model&) {}, linear), "no error");
  expect_part(blend_error_after([](Model& m) { m.views[1].parts.pop_back(); }),
              "views[1].parts has 1 entries, but the first view has 2");
  expect_part(blend_error_after([](Model& m) { m.views[1].parts.clear(); }),
              "views[1].parts do not fit the parameter linear");
  expect_part(blend_error_after([](Model& m) { m.views[0].parts.emplace_back(); }, 1.0),
              "views[0].parts do not fit the parameter linear");
  for (const double linear : {0.5, 1.0}) {
    expect_part(blend_error_after(
                    [](Model& m) {
                      m.views[1].linear = {};
                      m.views[1].deviation.clear();
                    },
                    linear),
                "views[1].linear does not fit the parameter linear");
    expect_part(blend_error_after([](Model& m) { m.views[1].deviation.pop_back(); }, linear),
                "views[1].deviation has 1 numbers, but must have 2");
    expect_part(blend_error_after([](Model& m) { m.views[1].linear.weights(1, 1) = 1e300; }, linear),
                "views[1].linear.weights holds a number beyond 1e+30");
    expect_part(blend_error_after([](Model& m) { m.views[1].linear.mean[0] = kNaN; }, linear), "views[1].linear.mean");
  }
  expect_part(blend_error_after([](Model& m) { m.views[0].linear = {}; }, 0.5), "views[0].linear does not fit");
  expect_part(blend_error_after([](Model& m) { m.views[1].parts[1].mean.pop_back(); }), "views[1].parts[1].mean");
  // A cross-fit that was blended is kept as one part per fold.
  EXPECT_EQ(blend_error_after([](Model& m) {
              for (ViewModel& view : m.views) {
                for (PartModel& part : view.parts) part.encoders.resize(1);
              }
            }),
            "no error");
}

TEST(CheckModel, WhatIsKnownOfTheTrainingData) {
  EXPECT_EQ(error_after([](Model& m) { m.views[0].mean = m.views[0].deviation = {1e38, 0, 2}; }), "no error");
  expect_part(error_after([](Model& m) {
                m.views[0].mean = {1, 2, 3};
              }),
              "views[0].deviation has 0 numbers, but must have 3");
  expect_part(error_after([](Model& m) { m.views[0].deviation = {1, 2}; }), "views[0].deviation has 2 numbers");
  expect_part(error_after([](Model& m) { m.views[0].deviation = {1, -2, 3}; }), "views[0].deviation holds a negative");
  const Matrix<double> loadings(3, 2, 0.5);  // features x components
  const auto with = [&](auto change) {
    return error_after([&](Model& m) {
      m.views[0].loadings = {loadings, loadings, {}, {}};
      change(m.views[0].loadings);
    });
  };
  EXPECT_EQ(with([](Loadings&) {}), "no error");
  expect_part(with([](Loadings& l) { l.own(0, 0) = 1.5; }), "views[0].loadings.own has a correlation outside -1 to 1");
  expect_part(with([](Loadings& l) { l.own_errors(2, 1) = -1; }), "views[0].loadings.own_errors holds a negative");
  expect_part(with([](Loadings& l) { l.own(1, 1) = kNaN; }), "views[0].loadings.own");
  expect_part(with([&](Loadings& l) { l.cross = loadings; }),
              "views[0].loadings.cross_errors is 0 x 0, but must be 3 x 2");
  expect_part(with([](Loadings& l) { l.own = {}; }), "views[0].loadings.own_errors is 3 x 2, but must be 0 x 0");
  EXPECT_EQ(error_after([](Model& m) { m.row_hashes = {0, 1, 77}; }), "no error");
  expect_part(error_after([](Model& m) { m.row_hashes = {1, 1}; }), "row_hashes is not ascending");
  expect_part(error_after([](Model& m) {
                for (std::uint64_t i = 0; i <= kMaxRowHashes; ++i) m.row_hashes.push_back(i);
              }),
              "row_hashes has more than 1000 entries");
}

TEST(CheckModel, SharedSamplesAreCountsOfViewsAndPairs) {
  const auto with = [](std::vector<std::uint64_t> shared) {
    return error_after([&](Model& m) {
      m.n_samples = m.independent_samples = 100;
      m.effective_samples = 100;
      m.shared_samples = shared;
    });
  };
  EXPECT_EQ(with({100, 70, 70, 80}), "no error");
  EXPECT_EQ(with({90, 0, 0, 80}), "no error");
  EXPECT_EQ(with({}), "no error");  // of a fit whose samples have all views
  expect_part(with({100, 70, 80}), "shared_samples has 3 numbers, but must have 4");
  expect_part(with({101, 70, 70, 80}), "shared_samples holds more samples than n_samples");
  expect_part(with({100, 70, 60, 80}), "shared_samples is not symmetric");
  expect_part(with({100, 81, 81, 80}), "shared_samples holds a pair with more samples than a view");
}

TEST(CheckModel, WhatWasAskedForAndIndependentSamples) {
  expect_part(error_after([](Model& m) { m.asked.n_components = 0; }), "asked is out of range: n_components");
  EXPECT_EQ(error_after([](Model& m) { m.asked = Parameters{}; }), "no error");
  expect_part(error_after([](Model& m) { m.parameters.linear = {}; }), "parameters.linear has no value");
  expect_part(error_after([](Model& m) { m.independent_samples = m.n_samples + 1; }), "independent_samples");
}

TEST(Model, FoundComponentsExceedTheirThresholds) {
  Model model = random_model(13);
  model.correlations.out_of_fold = {0.5, 0.2};
  model.correlations.noise_thresholds = {0.4, 0.2};
  model.correlations.pairwise_noise_thresholds.assign(model.correlations.pairwise.size(), 2.0);  // none, for once
  model.effective_samples = 8;
  EXPECT_EQ(model.found(), (std::vector<bool>{true, false}));
  model.effective_samples = 7;  // too few to tell
  EXPECT_EQ(model.found(), (std::vector<bool>{false, false}));
  model.correlations.out_of_fold.clear();
  EXPECT_TRUE(model.found().empty());
}

}  // namespace
}  // namespace treecca
