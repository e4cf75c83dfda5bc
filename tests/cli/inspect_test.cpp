// treecca inspect.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/model_file_fixture.hpp"
#include "helpers/json.hpp"

namespace treecca {
namespace {

using CliInspect = ModelFileTest;

TEST_F(CliInspect, CountsTreesAndLeaves) {
  const Json json = Json::parse(run_cli({"inspect", path_, "--json"}).out);
  std::size_t leaves = 0;
  for (const Encoder& encoder : model_.views[0].parts[0].encoders) {
    for (const Tree& tree : encoder) leaves += (tree.nodes.size() + 1) / 2;
  }
  EXPECT_EQ(json["views"][0]["name"], "left");
  EXPECT_EQ(json["views"][0]["features"], 12);
  EXPECT_EQ(json["views"][0]["parts"], 1);
  EXPECT_EQ(json["views"][0]["encoders"], 2);
  EXPECT_EQ(json["views"][0]["trees"], 40);
  EXPECT_EQ(json["views"][0]["leaves"], leaves);
  EXPECT_EQ(json["rounds"], 20);
  EXPECT_EQ(json["history"]["tcc"].size(), model_.history.tcc.size());
  EXPECT_EQ(json["parameters"]["cross_fit"], 2);
  EXPECT_EQ(json["parameters"]["rotate"], true);
  EXPECT_EQ(json["parameters"]["trees"], "joint");
  EXPECT_FALSE(json["parameters"].contains("n_jobs"));
  // The same values as in the model file.
  const Json file = Json::parse(read_bytes(path_));
  EXPECT_EQ(json["parameters"], file["parameters"]);
  EXPECT_EQ(json["producer"], file["producer"]);
  EXPECT_EQ(json["format_version"], file["format_version"]);
  EXPECT_EQ(json["encoding"], "JSON");
}

TEST_F(CliInspect, AsText) {
  const CliResult ascii = run_cli({"inspect", path_}, {.environment = {{"LC_ALL", "C"}}});
  ASSERT_EQ(ascii.exit_code, 0) << ascii.err;
  for (const char* part :
       {"left", "right", "cross_fit", "2 (default auto)", "Out-of-fold TCC of the trees over", "cc2"}) {
    EXPECT_NE(ascii.out.find(part), std::string::npos) << part << " is not in\n" << ascii.out;
  }
  EXPECT_EQ(ascii.out.find("init_fade"), std::string::npos) << "a default setting is listed";
  EXPECT_TRUE(
      std::all_of(ascii.out.begin(), ascii.out.end(), [](char c) { return static_cast<unsigned char>(c) < 128; }));
  const CliResult utf8 = run_cli({"inspect", path_}, {.environment = {{"LC_ALL", "C.UTF-8"}}});
  EXPECT_NE(utf8.out.find("█"), std::string::npos);
}

TEST_F(CliInspect, CurvesAreThoseOfTheTreesAlsoWhereLinearCcaIsChosen) {
  Model model = load_model(path_);
  model.parameters.n_repeats = 1;
  save_model(model, path_);
  const std::string text = run_cli({"inspect", path_}).out;
  EXPECT_NE(text.find("Mean out-of-fold TCC of the trees inside the parts over"), std::string::npos) << text;
}

TEST_F(CliInspect, WhatTheFitChoseIsNotCalledChanged) {
  const std::string text = run_cli({"inspect", path_}).out;
  const std::size_t changed = text.find("differ from the defaults");
  const std::size_t chosen = text.find("chosen by rule");
  ASSERT_LT(changed, chosen) << text;
  ASSERT_NE(chosen, std::string::npos) << text;
  EXPECT_GT(text.find("min_child_weight"), chosen) << text;
  EXPECT_LT(text.find("cross_fit"), chosen) << text;
  EXPECT_NE(text.find("Written by treecca "), std::string::npos) << text;
  EXPECT_NE(text.find("format version 2, JSON"), std::string::npos) << text;
}

TEST_F(CliInspect, HostileNamesDoNotReachTheTerminal) {
  model_.views[0].feature_names[0] = "\033[31mred";
  model_.views[0].name = "le\rft";
  save_model(model_, path_);
  for (const char* verb : {"importance", "inspect"}) {
    const CliResult result = run_cli({verb, path_});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out.find_first_of("\033\r"), std::string::npos) << verb;
  }
  EXPECT_EQ(Json::parse(run_cli({"inspect", path_, "--json"}).out)["views"][0]["name"], "le\rft");
}

}  // namespace
}  // namespace treecca
