#include "engines/engine_parameters.hpp"

#include <gtest/gtest.h>

#include "engines/xgboost_library.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

std::string first_name(const std::string& name) { return name == "reg_lambda" ? "lambda" : name; }

TEST(EngineParams, WhatIsGivenWinsUnderAnyName) {
  const EngineParams ours{{"lambda", "1"}, {"eta", "0.1"}};
  EXPECT_EQ(merged(ours, {}, first_name), ours);
  EXPECT_EQ(merged(ours, {{"reg_lambda", "7"}, {"gamma", "2"}}, first_name),
            (EngineParams{{"eta", "0.1"}, {"reg_lambda", "7"}, {"gamma", "2"}}));
  EXPECT_EQ(merged(ours, {{"eta", "3"}}, first_name), (EngineParams{{"lambda", "1"}, {"eta", "3"}}));
}

TEST(EngineParams, NothingIsGivenTwice) {
  EXPECT_THROW(merged({}, {{"eta", "3"}, {"eta", "3"}}, first_name), UsageError);
  EXPECT_THROW(merged({}, {{"lambda", "3"}, {"reg_lambda", "2"}}, first_name), UsageError);
}

TEST(EngineParams, OwnedOnesAreRefusedUnderAnyName) {
  const ReservedParameters owned{{"lambda", "set something else instead"}};
  EXPECT_NO_THROW(reject_reserved("Some library", {{"eta", "1"}}, owned, first_name));
  try {
    reject_reserved("Some library", {{"eta", "1"}, {"reg_lambda", "1"}}, owned, first_name);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "engine_params cannot set reg_lambda of Some library: set something else instead.");
  }
}

TEST(XgboostMessage, HasNoStackTrace) {
  EXPECT_EQ(xgboost_message("Check failed: x\n\nStack trace:\n  [bt] (0) lib(+0x1)\n"), "Check failed: x");
  EXPECT_EQ(xgboost_message("plain"), "plain");
  EXPECT_EQ(xgboost_message(""), "");
}

}  // namespace
}  // namespace treecca
