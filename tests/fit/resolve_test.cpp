#include "fit/resolve.hpp"

#include <gtest/gtest.h>

#include <string>

#include "data/dataset.hpp"
#include "helpers/plain_parameters.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

std::vector<View> views_of(const std::vector<float>& values, Index rows) {
  const MatrixView matrix(values.data(), rows, static_cast<Index>(values.size()) / rows);
  return {{"a", matrix, {}}, {"b", matrix, {}}};
}

Dataset data_of(const std::vector<float>& values, Index rows) { return check_dataset(views_of(values, rows)); }

TEST(Resolve, MoreComponentsThanHalfTheSamplesAreRefusedWithTheGreatestNumber) {
  const std::vector<float> values(25 * 2, 1.0F);
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = 1024;
  try {
    resolve(parameters, data_of(values, 25));
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("Ask for at most 12"), std::string::npos) << error.what();
  }
  parameters.n_components = 13;
  EXPECT_THROW(resolve(parameters, data_of(values, 25)), UsageError);
  parameters.n_components = 12;
  EXPECT_EQ(resolve(parameters, data_of(values, 25)).n_components, 12);
}

TEST(Resolve, AllTrainedComponentsTogetherAreAtMostHalfTheSamples) {
  const std::vector<float> values(24 * 2, 1.0F);
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = 10;
  parameters.n_oversamples = 2;
  EXPECT_EQ(resolve(parameters, data_of(values, 24)).n_oversamples, 2);
  parameters.n_oversamples = 5;
  try {
    resolve(parameters, data_of(values, 24));
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("n_oversamples = 5 is too many"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("Ask for at most 2."), std::string::npos) << error.what();
  }
  Parameters rule;  // follows instead of refusing
  rule.n_components = 11;
  EXPECT_EQ(resolve(rule, data_of(values, 24)).n_oversamples, 1);
}

TEST(Resolve, AutoValuesFollowTheShapeOfTheViews) {
  const std::vector<float> values(400 * 250, 1.0F);
  const Parameters result = resolve(testing::plain_parameters(), data_of(values, 400));
  EXPECT_DOUBLE_EQ(result.min_child_weight.at(0), 8);
  EXPECT_DOUBLE_EQ(result.colsample_bytree.at(1), 0.4);
}

TEST(Resolve, MoreComponentsThanAskedForNeedTheRotation) {
  const std::vector<float> values(50 * 2, 1.0F);
  Parameters parameters = testing::plain_parameters();
  parameters.n_oversamples = 5;
  EXPECT_EQ(resolve(parameters, data_of(values, 50)).n_oversamples, 5);
  parameters.rotate = false;
  try {
    resolve(parameters, data_of(values, 50));
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("Set n_oversamples to 0, or rotate to true"), std::string::npos);
  }
}

TEST(CheckEngine, SketchAndLeafSweepsNeedTheNativeEngine) {
  const std::vector<float> values(50 * 2, 1.0F);
  const Dataset data = data_of(values, 50);
  const auto refused = [&](const std::vector<std::pair<std::string, std::string>>& texts, const char* remedy) {
    const Parameters parameters = resolve(testing::plain_from_texts(texts), data);
    try {
      check_engine({parameters, {}}, data);
      ADD_FAILURE() << remedy;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(remedy), std::string::npos) << error.what();
    }
  };
  refused({{"sketch", "7"}, {"trees", "scalar"}}, "Set sketch to 0");
  refused({{"sketch", "7"}, {"engine", "xgboost"}}, "Set sketch to 0");
  refused({{"leaf_sweeps", "3"}, {"engine", "lightgbm"}}, "Set leaf_sweeps to 0");
  refused({{"leaf_sweeps", "3"}, {"objective", "ey"}}, "Set leaf_sweeps to 0");
  check_engine({resolve(testing::plain_from_texts({{"sketch", "7"}, {"leaf_sweeps", "3"}}), data), {}}, data);
}

/// What auto becomes for so many rows (in so many groups, if any) and these settings.
Parameters resolved(Index rows, const ParameterTexts& texts, Index groups = 0) {
  const std::vector<float> values(static_cast<std::size_t>(rows * 2), 1.0F);
  SampleOptions about;
  for (Index i = 0; i < rows && groups > 0; ++i) about.groups.push_back(i % groups);
  return resolve(parameters_from_texts(texts), check_dataset(views_of(values, rows), about));
}

TEST(ResolveAuto, PlainAndPaperHaveNothingToChooseButTheirOwn) {
  for (const char* preset : {"plain", "paper"}) {
    const Parameters result = resolved(400, {{"preset", preset}});
    EXPECT_EQ(result.n_repeats, 0);
    EXPECT_EQ(result.linear, 0);
    EXPECT_EQ(result.sketch, 0);
    EXPECT_EQ(result.leaf_sweeps, 0);
    EXPECT_EQ(result.early_stopping_rounds, 0);
    EXPECT_FALSE(result.screens());
  }
}

TEST(ResolveAuto, RepeatsFollowTheNumberOfSamples) {
  const auto repeats = [](Index rows) { return *resolved(rows, {}).n_repeats.value; };
  EXPECT_EQ(repeats(10), 3);
  EXPECT_EQ(repeats(199), 3);
  EXPECT_EQ(repeats(200), 2);
  EXPECT_EQ(repeats(999), 2);
  EXPECT_EQ(repeats(1000), 1);
  EXPECT_EQ(repeats(19999), 1);
  EXPECT_EQ(repeats(20000), 0);
  EXPECT_EQ(resolved(20000, {{"n_repeats", "2"}}).n_repeats, 2);
  EXPECT_EQ(resolved(100, {{"n_repeats", "0"}}).n_repeats, 0);
}

TEST(ResolveAuto, FewGroupsAreOneFitOfTreesAlone) {
  const Parameters four = resolved(60, {}, 4);
  EXPECT_EQ(four.n_repeats, 3);
  EXPECT_TRUE(four.linear.is_auto());
  const Parameters three = resolved(60, {}, 3);
  EXPECT_EQ(three.n_repeats, 0);
  EXPECT_EQ(three.linear, 0);
  EXPECT_EQ(three.cross_fit, 3);
  EXPECT_EQ(resolved(60, {{"linear", "1"}}, 3).linear, 1);
  try {
    resolved(60, {{"n_repeats", "1"}}, 3);
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "n_repeats needs at least 4 groups; there are 3. Set n_repeats to 0.");
  }
}

TEST(ResolveAuto, WithoutCrossFittingThereIsOneFitToAllRows) {
  const Parameters result = resolved(100, {{"cross_fit", "0"}});
  EXPECT_EQ(result.n_repeats, 0);
  EXPECT_EQ(result.linear, 0);
  EXPECT_EQ(result.n_estimators, 150);
  EXPECT_EQ(result.early_stopping_rounds, 0);
  EXPECT_EQ(resolved(100, {{"cross_fit", "0"}, {"linear", "0.5"}}).linear, 0.5);
  EXPECT_THROW(resolved(100, {{"cross_fit", "0"}, {"n_repeats", "1"}}), UsageError);
}

TEST(ResolveAuto, RoundsStopByTheFoldsUnlessTheyAreGiven) {
  const Parameters result = resolved(100, {});
  EXPECT_EQ(result.cross_fit, 3);
  EXPECT_EQ(result.n_estimators, kMaxAutoRounds);
  EXPECT_EQ(result.early_stopping_rounds, kAutoPatience);
  EXPECT_EQ(resolved(100, {{"early_stopping_rounds", "7"}}).early_stopping_rounds, 7);
  const Parameters given = resolved(100, {{"n_estimators", "20"}});
  EXPECT_EQ(given.n_estimators, 20);
  EXPECT_EQ(given.early_stopping_rounds, 0);
}

TEST(ResolveAuto, TreesGrowWithSamplesAndComponents) {
  const auto expect = [](Index rows, const char* k, Index depth, double child, double rate) {
    const Parameters result = resolved(rows, {{"n_components", k}});
    EXPECT_EQ(result.max_depth.at(0), depth) << rows << " rows, " << k;
    EXPECT_DOUBLE_EQ(result.min_child_weight.at(1), child) << rows << " rows, " << k;
    EXPECT_DOUBLE_EQ(result.learning_rate.at(0), rate) << rows << " rows, " << k;
  };
  expect(40, "2", 3, 3, 0.1);  // samples / 50, at least 3
  expect(200, "2", 4, 4, 0.1);
  expect(5000, "2", 4, 10, 0.1);  // at most 10
  expect(999, "5", 4, 10, 0.1);
  expect(1000, "4", 4, 10, 0.1);
  expect(1000, "5", 6, 1000.0 / 67, 0.1);
  expect(9999, "30", 6, 60, 0.1);
  expect(10000, "19", 6, 60, 0.1);
  expect(10000, "20", 8, 30, 0.2);
  const Parameters deep = resolved(1000, {{"n_components", "5"}, {"max_depth", "6"}});
  EXPECT_DOUBLE_EQ(deep.min_child_weight.at(0), 10);  // the larger limit belongs to the automatic depth
}

TEST(ResolveAuto, OversamplesFollowTheComponentsAndTheRotation) {
  const auto oversamples = [](Index rows, const ParameterTexts& texts) {
    return *resolved(rows, texts).n_oversamples.value;
  };
  EXPECT_EQ(oversamples(999, {}), 2);
  EXPECT_EQ(oversamples(19999, {}), 2);
  EXPECT_EQ(oversamples(20000, {}), 0);  // one fit, without parts
  EXPECT_EQ(oversamples(1000, {{"n_components", "23"}}), 5);
  EXPECT_EQ(oversamples(100, {{"n_components", "20"}}), 5);
  EXPECT_EQ(oversamples(100, {{"rotate", "false"}}), 0);
  EXPECT_EQ(oversamples(20, {{"n_components", "9"}}), 1);  // all components together: half the samples
  EXPECT_EQ(oversamples(20, {{"n_components", "10"}}), 0);
}

TEST(ResolveAuto, LinearAndScreenStayOpenWhereTheFitCanTell) {
  EXPECT_TRUE(resolved(100, {}).linear.is_auto());
  EXPECT_TRUE(resolved(20000, {}).linear.is_auto());
  EXPECT_TRUE(resolved(100, {{"n_repeats", "0"}}).linear.is_auto());
  EXPECT_TRUE(resolved(100, {}).screen.is_auto());
  EXPECT_TRUE(resolved(100, {}).colsample_bytree.is_auto());
  EXPECT_DOUBLE_EQ(resolved(100, {{"screen", "none"}}).colsample_bytree.at(1), 0.8);
}

TEST(ResolveAuto, SketchIsForManyComponentsOfNativeJointTrees) {
  const auto sketch = [](ParameterTexts texts, const char* k) {
    texts.emplace_back("n_components", k);
    return *resolved(1000, texts).sketch.value;
  };
  EXPECT_EQ(sketch({}, "5"), 0);  // two more are trained
  EXPECT_EQ(sketch({}, "6"), 7);
  EXPECT_EQ(sketch({{"n_oversamples", "0"}}, "7"), 0);
  EXPECT_EQ(sketch({{"n_oversamples", "1"}}, "7"), 7);
  EXPECT_EQ(sketch({}, "19"), 7);
  EXPECT_EQ(sketch({}, "20"), 15);
  EXPECT_EQ(sketch({{"trees", "scalar"}}, "8"), 0);
  EXPECT_EQ(sketch({{"engine", "xgboost"}}, "8"), 0);
  EXPECT_EQ(sketch({{"sketch", "3"}}, "8"), 3);
}

TEST(ResolveAuto, LeafSweepsNeedFoldsAndManyComponentsOfNativeJointTrees) {
  const auto sweeps = [](ParameterTexts texts, const char* k) {
    texts.emplace_back("n_components", k);
    return resolved(1000, texts).leaf_sweeps;
  };
  EXPECT_TRUE(sweeps({}, "8").is_auto());
  EXPECT_EQ(sweeps({}, "5"), 0);
  EXPECT_EQ(sweeps({{"trees", "scalar"}}, "8"), 0);
  EXPECT_EQ(sweeps({{"cross_fit", "0"}}, "8"), 0);
  EXPECT_EQ(sweeps({{"objective", "ey"}}, "8"), 0);
  EXPECT_EQ(sweeps({{"engine", "xgboost"}}, "8"), 0);
  EXPECT_EQ(sweeps({{"leaf_sweeps", "3"}}, "2"), 3);
}

TEST(CheckEngine, OptionsForALibraryNeedOne) {
  const std::vector<float> values(50 * 2, 1.0F);
  Setting setting{testing::plain_parameters(), {{"max_leaves", "7"}}};
  EXPECT_THROW(check_engine(setting, data_of(values, 50)), UsageError);
  setting.parameters.engine = EngineKind::xgboost;
  check_engine(setting, data_of(values, 50));
  setting = {testing::plain_parameters(), {}};
  check_engine(setting, data_of(values, 50));
}

TEST(CheckEngine, TheNativeEngineHasALimitOfRowsInOneProcessToo) {
  Setting setting{testing::plain_parameters(), {}};
  const auto refuses = [&](Index rows) {
    Dataset data;
    data.samples = Samples(rows);
    try {
      check_engine(setting, data);
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("too many for the native engine"), std::string::npos) << error.what();
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refuses(Index{1} << 25));
  EXPECT_TRUE(refuses((Index{1} << 25) + 1));
  setting.parameters.trees = Trees::scalar;
  EXPECT_FALSE(refuses(Index{1} << 27));
  EXPECT_TRUE(refuses((Index{1} << 27) + 1));
  setting.parameters.engine = EngineKind::xgboost;
  EXPECT_FALSE(refuses((Index{1} << 27) + 1));
}

}  // namespace
}  // namespace treecca
