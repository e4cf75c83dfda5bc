#include "train/train.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "helpers/plain_parameters.hpp"
#include "helpers/synthetic_views.hpp"
#include "linear/linear_map.hpp"
#include "treecca/error.hpp"
#include "trees/predict.hpp"

namespace treecca {
namespace {

/// A setting whose "auto" values that depend on the number of rows are given.
Setting setting_of(const std::vector<std::pair<std::string, std::string>>& texts) {
  Setting setting{testing::plain_from_texts(texts), {}};
  if (setting.parameters.min_child_weight.is_auto()) setting.parameters.min_child_weight = 3.0;
  return setting;
}

Trained train_shared(TrainingData& data, const Setting& setting, const Folds& folds, Index n_jobs,
                     const Redraw* redraw = nullptr) {
  const RunOptions options;
  Run run(options, n_jobs);
  return train(data, setting, folds, run, redraw);
}

Trained train_on(const Dataset& data, const Setting& setting, const Folds& folds) {
  TrainingData own(data);
  return train_shared(own, setting, folds, 1);
}

void expect_equal(const Trained& a, const Trained& b) {
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.rounds, b.rounds);
  EXPECT_EQ(a.history, b.history);
  EXPECT_EQ(a.screenings, b.screenings);
  EXPECT_EQ(a.base_margins, b.base_margins);
  ASSERT_EQ(a.encoders.size(), b.encoders.size());
  for (std::size_t e = 0; e < a.encoders.size(); ++e) {
    EXPECT_EQ(a.encoders[e].trees, b.encoders[e].trees) << e;
    EXPECT_EQ(a.encoders[e].embedding, b.encoders[e].embedding) << e;
  }
  EXPECT_TRUE(a.moments.covariance() == b.moments.covariance());
}

TEST(Train, JobsThatRunAtTheSameTimeDoNotDisturbEachOther) {
  const auto views = testing::hermite_views(250, 2, 4, 1);
  const Dataset data = check_dataset(views.views());
  const std::vector<Setting> settings{
      setting_of({{"n_estimators", "12"}}),
      setting_of({{"n_estimators", "12"}, {"random_state", "5"}}),
      setting_of({{"n_estimators", "12"}, {"trees", "scalar"}, {"objective", "ey"}, {"max_bin", "16"}}),
      setting_of({{"n_estimators", "30"}, {"early_stopping_rounds", "3"}, {"schedule", "gauss-seidel"}}),
      setting_of({{"n_estimators", "12"}, {"screen", "3"}, {"n_components", "3"}, {"subsample", "0.7"}}),
      setting_of({{"n_estimators", "12"}, {"init_fade", "0"}, {"init", "random-orthogonal"}})};
  std::vector<Folds> folds;  // each without another fifth of the samples
  for (std::size_t s = 0; s < settings.size(); ++s) {
    std::vector<bool> left_out(250, false);
    for (std::size_t i = s % 5; i < 250; i += 5) left_out[i] = true;
    folds.push_back(make_folds(data.samples, 4, s, left_out));
  }
  TrainingData shared(data);
  std::vector<Trained> together(settings.size());
  std::vector<std::thread> jobs;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    jobs.emplace_back(
        [&, s] { together[s] = train_shared(shared, settings[s], folds[s], 1 + static_cast<Index>(s % 2)); });
  }
  for (std::thread& job : jobs) job.join();
  for (std::size_t s = 0; s < settings.size(); ++s) {
    SCOPED_TRACE(s);
    expect_equal(together[s], train_on(data, settings[s], folds[s]));
  }
}

/// The left-out rows of the second view change places: the pairs that no tree may see.
TEST(Train, RowsThatAreLeftOutAreSeenByNoTree) {
  auto views = testing::linear_views(300, 4, 4, 2, 0.7, 2);
  std::vector<bool> left_out(300, false);
  for (std::size_t i = 0; i < 300; i += 3) left_out[i] = true;
  auto permuted = views;
  for (Index i = 0; i < 300; i += 3) std::copy_n(views.b.row((i + 150) % 300), 4, permuted.b.row(i));
  ASSERT_NE(views.b, permuted.b);
  for (const char* trees : {"joint", "scalar"}) {
    const Setting setting = setting_of({{"n_estimators", "15"}, {"trees", trees}, {"cross_fit", "4"}});
    std::vector<Trained> results;
    for (const auto* given : {&views, &permuted}) {
      const Dataset data = check_dataset(given->views());
      const Folds folds = make_folds(data.samples, 4, 1, left_out);
      const Trained& trained = results.emplace_back(train_on(data, setting, folds));
      for (const EncoderState& encoder : trained.encoders) {
        const MatrixView& values = data.views[static_cast<std::size_t>(encoder.view)].values;
        EXPECT_EQ(encoder.embedding, embed_rows(Predictor({&encoder.trees, 1}, 2), values, 2, 1));
        for (Index i = 0; i < 300; i += 3) EXPECT_NE(encoder.embedding(i, 0), 0) << i;
      }
    }
    for (std::size_t e = 0; e < results[0].encoders.size(); ++e) {
      const Encoder& before = results[0].encoders[e].trees;
      const Encoder& after = results[1].encoders[e].trees;
      ASSERT_EQ(before.size(), after.size());
      for (std::size_t t = 0; t < before.size(); ++t) {
        // The initial values are sums over rows in another order: leaves may differ by rounding.
        EXPECT_EQ(before[t].nodes, after[t].nodes) << trees << ", encoder " << e << ", tree " << t;
        ASSERT_EQ(before[t].leaf_values.size(), after[t].leaf_values.size());
        for (std::size_t l = 0; l < before[t].leaf_values.size(); ++l) {
          EXPECT_NEAR(before[t].leaf_values[l], after[t].leaf_values[l], 1e-5);
        }
      }
    }
  }
}

TEST(Train, ColumnsAreDrawnFromTheFeaturesThatScreeningKept) {
  EXPECT_DOUBLE_EQ(automatic_share(20), 0.8);
  EXPECT_DOUBLE_EQ(automatic_share(250), 0.4);
  EXPECT_DOUBLE_EQ(automatic_share(5000), 0.1);
  const auto views = testing::linear_views(150, 300, 10, 2, 0.8, 3);
  const Dataset data = check_dataset(views.views());
  const Folds folds = make_folds(data.samples, 3, 0);
  EXPECT_NEAR(train_on(data, setting_of({{"n_estimators", "2"}}), folds).parameters.colsample_bytree.at(0), 1.0 / 3,
              1e-12);
  const Trained screened = train_on(data, setting_of({{"n_estimators", "8"}, {"screen", "4,0"}}), folds);
  EXPECT_DOUBLE_EQ(screened.parameters.colsample_bytree.at(0), 0.8);
  for (const EncoderState& encoder : screened.encoders) {
    const FeatureSet* kept = screened.features.of(encoder.view, encoder.fold);
    ASSERT_EQ(kept != nullptr, encoder.view == 0);
    if (kept == nullptr) continue;
    EXPECT_EQ(kept->size(), 4U);
    for (const Tree& tree : encoder.trees) {
      for (const Node& node : tree.nodes) {
        EXPECT_TRUE(node.is_leaf() || std::binary_search(kept->begin(), kept->end(), node.feature)) << node.feature;
      }
    }
  }
}

/// What is kept in the model for new rows is what the training rows began with, screened or not.
TEST(Train, ABaseMarginIsOneFunctionOfAllFeatures) {
  const auto wide = testing::linear_views(150, 30, 10, 2, 0.8, 3);
  const auto agreeing = testing::linear_views(150, 2, 2, 2, 0.9, 3);
  auto opposed = agreeing;
  for (float& x : opposed.b.values()) x = -x;
  const Dataset data = check_dataset(wide.views());
  const Dataset narrow = check_dataset(agreeing.views());
  const Dataset negated = check_dataset(opposed.views());  // would be flipped, were they to fade
  const Folds folds = make_folds(data.samples, 3, 0);
  for (const auto& [used, screen] : {std::pair{&data, "0"}, {&data, "4"}, {&narrow, "0"}, {&negated, "0"}}) {
    const Trained trained = train_on(
        *used, setting_of({{"n_estimators", "5"}, {"screen", screen}, {"init", "pca-scaled"}, {"init_fade", "0"}}),
        folds);
    for (const EncoderState& encoder : trained.encoders) {
      const auto view = static_cast<std::size_t>(encoder.view);
      const MatrixView& values = used->views[view].values;
      ASSERT_EQ(trained.base_margins[view].weights.rows(), values.cols());
      const Matrix<double> margin = linear_scores(trained.base_margins[view], values, 1);
      const Matrix<float> trees = embed_rows(Predictor({&encoder.trees, 1}, 2), values, 2, 1);
      for (std::size_t i = 0; i < trees.values().size(); ++i) {
        ASSERT_NEAR(encoder.embedding.values()[i], margin.values()[i] + trees.values()[i], 1e-4);
      }
    }
  }
  for (const LinearMap& map : train_on(data, setting_of({{"n_estimators", "5"}}), folds).base_margins) {
    EXPECT_TRUE(map.empty());
  }
}

TEST(Train, AConstantViewIsRefusedBeforeTheRounds) {
  const Matrix<float> good = testing::normal_matrix(50, 3, 1);
  const Matrix<float> flat(50, 3, 1.0F);
  const Dataset data = check_dataset({{"good", good}, {"flat", flat}});
  EXPECT_THROW(train_on(data, setting_of({}), make_folds(data.samples, 5, 0)), DataError);
}

TEST(Train, AugmentedCopiesOfOneTableTakeThePlaceOfTwoViews) {
  const Matrix<float> table = testing::normal_matrix(80, 3, 4);
  const Dataset data = check_dataset({{"table", table}}, {}, 1);
  std::vector<Index> drawn;
  const Redraw redraw{[&](Index round, int copy, Matrix<float>& out) {
                        if (copy == 0) drawn.push_back(round);
                        out = table;
                        for (Index i = 0; i < 80; ++i) {  // the second copy is coarser
                          if (copy == 1) out(i, 0) = std::round(4 * out(i, 0)) / 4;
                        }
                      },
                      SslRows::stacked};
  TrainingData shared(data);
  const Folds folds = make_folds(data.samples, 0, 0);
  const Trained trained =
      train_shared(shared, setting_of({{"n_estimators", "6"}, {"cross_fit", "0"}}), folds, 1, &redraw);
  EXPECT_EQ(drawn, (std::vector<Index>{0, 1, 2, 3, 4, 5, 6}));
  ASSERT_EQ(trained.encoders.size(), 1U);
  EXPECT_EQ(trained.encoders[0].trees.size(), 6U);
  EXPECT_EQ(trained.moment_views(), 2);
  ASSERT_EQ(trained.copies.rows(), 160);
  EXPECT_TRUE(std::equal(table.values().begin(), table.values().end(), trained.copies.values().begin()));
  EXPECT_EQ(trained.encoders[0].embedding,
            embed_rows(Predictor({&trained.encoders[0].trees, 1}, 2), trained.copies, 2, 1));
}

}  // namespace
}  // namespace treecca
