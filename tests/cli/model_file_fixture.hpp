// A model file to look at: views "left" (12 features) and "right" (3), two components, 20 rounds.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "cli/run_cli.hpp"
#include "helpers/random_model.hpp"
#include "treecca/model.hpp"

namespace treecca {

class ModelFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing_helpers::ModelShape shape;
    shape.features = {12, 3};
    shape.rounds = 20;
    model_ = testing_helpers::random_model(5, shape);
    model_.views[0].name = "left";
    model_.views[1].name = "right";
    path_ = space_.file("model.json");
    save_model(model_, path_);
  }
  const Workspace space_;
  Model model_;
  std::string path_;
};

}  // namespace treecca
