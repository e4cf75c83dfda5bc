#include "fit/resolve.hpp"

#include <gtest/gtest.h>

#include <string>

#include "data/dataset.hpp"
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
  Parameters parameters;
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
  Parameters parameters;
  parameters.n_components = 10;
  parameters.n_oversamples = 5;
  EXPECT_EQ(resolve(parameters, data_of(values, 24)).n_oversamples, 2);
  parameters.n_components = 12;
  EXPECT_EQ(resolve(parameters, data_of(values, 24)).n_oversamples, 0);
}

TEST(Resolve, AutoValuesFollowTheShapeOfTheViews) {
  const std::vector<float> values(400 * 250, 1.0F);
  const Parameters result = resolve(Parameters{}, data_of(values, 400));
  EXPECT_DOUBLE_EQ(result.min_child_weight.at(0), 8);
  EXPECT_DOUBLE_EQ(result.colsample_bytree.at(1), 0.4);
}

TEST(Resolve, MoreComponentsThanAskedForNeedTheRotation) {
  const std::vector<float> values(50 * 2, 1.0F);
  Parameters parameters;
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
    const Parameters parameters = resolve(parameters_from_texts(texts), data);
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
  check_engine({resolve(parameters_from_texts({{"sketch", "7"}, {"leaf_sweeps", "3"}}), data), {}}, data);
}

TEST(Resolve, AutomaticLeafSweepsNeedFoldsAndTheNativeEngine) {
  const std::vector<float> values(50 * 2, 1.0F);
  const auto sweeps = [&](const std::vector<std::pair<std::string, std::string>>& texts) {
    Parameters parameters = parameters_from_texts(texts);
    parameters.leaf_sweeps = -1;
    return resolve(parameters, data_of(values, 50)).leaf_sweeps;
  };
  EXPECT_EQ(sweeps({}), -1);
  EXPECT_EQ(sweeps({{"trees", "scalar"}}), -1);
  EXPECT_EQ(sweeps({{"cross_fit", "0"}}), 0);
  EXPECT_EQ(sweeps({{"objective", "ey"}}), 0);
  EXPECT_EQ(sweeps({{"engine", "xgboost"}}), 0);
}

TEST(CheckEngine, OptionsForALibraryNeedOne) {
  const std::vector<float> values(50 * 2, 1.0F);
  Setting setting{Parameters{}, {{"max_leaves", "7"}}};
  EXPECT_THROW(check_engine(setting, data_of(values, 50)), UsageError);
  setting.parameters.engine = EngineKind::xgboost;
  check_engine(setting, data_of(values, 50));
  setting = {Parameters{}, {}};
  check_engine(setting, data_of(values, 50));
}

TEST(CheckEngine, TheNativeEngineHasALimitOfRowsInOneProcessToo) {
  Setting setting{Parameters{}, {}};
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
