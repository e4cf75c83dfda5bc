#include "engines/make_engine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "engines/native.hpp"
#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

TEST(MakeEngine, ParametersSayWhich) {
  const Matrix<float> table = testing::normal_matrix(50, 3, 1);
  const std::vector<View> views{{"a", table}};
  std::vector<BinnedView> bins;
  bins.emplace_back(views[0], 255, 1);
  Parameters parameters = testing::plain_parameters();
  parameters.trees = Trees::scalar;
  parameters.min_child_weight = 3.0;
  parameters.colsample_bytree = 1.0;
  const Folds folds = testing::folds_of(50);
  const FeatureSets all(1);
  const EngineParams none;
  const EngineInput input{views, bins, parameters, folds, all, none, 1};
  EXPECT_NE(dynamic_cast<NativeEngine*>(make_engine(input).get()), nullptr);

  // Where a library is looked for, and what is said about it.
  const auto nowhere = [&](EngineKind kind, const char* variable, const char* name) {
    const char* before = std::getenv(variable);
    const std::string kept = before == nullptr ? "" : before;
    setenv(variable, "/nowhere/lib.so", 1);
    parameters.engine = kind;
    expect_error<FileError>([&] { make_engine(input); }, {name, "/nowhere/lib.so"});
    if (before == nullptr) {
      unsetenv(variable);
    } else {
      setenv(variable, kept.c_str(), 1);
    }
  };
  nowhere(EngineKind::lightgbm, "TREECCA_LIGHTGBM_LIB", "engine=lightgbm");
  nowhere(EngineKind::xgboost, "TREECCA_XGBOOST_LIB", "engine=xgboost");
}

}  // namespace
}  // namespace treecca
