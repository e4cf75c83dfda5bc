// treecca export.
#include <gtest/gtest.h>

#include "cli/model_file_fixture.hpp"
#include "treecca/export.hpp"

namespace treecca {
namespace {

using CliExport = ModelFileTest;

TEST_F(CliExport, WritesAFilePerViewAndSaysWhere) {
  const auto run = run_cli({"export", path_, "--format", "treelite", "--out", space_.file("out")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, space_.file("out/left.treelite") + "\n" + space_.file("out/right.treelite") + "\n");
  EXPECT_EQ(read_bytes(space_.file("out/right.treelite")), export_view(model_, 1, ExportFormat::treelite));
}

TEST_F(CliExport, RefusesBadRequestsAndLeavesNothing) {
  expect_failure(run_cli({"export", path_, "--format", "pmml", "--out", space_.file("out")}), 2, {"pmml", "onnx"});
  expect_failure(run_cli({"export", path_, "--out", space_.file("out")}), 2, {"--format"});
  expect_failure(run_cli({"export", space_.file("absent.json"), "--format", "onnx", "--out", space_.file("out")}), 1,
                 {"absent.json"});
  expect_failure(run_cli({"export", path_, "--format", "onnx", "--out", path_}), 1, {"model.json"});
  EXPECT_EQ(space_.contents(), (std::set<std::string>{"model.json"}));
}

TEST_F(CliExport, DoesNotOverwriteTheModelItReads) {
  model_.views[0].name = "model";
  save_model(model_, path_);
  expect_failure(run_cli({"export", path_, "--format", "xgboost", "--out", space_.file("")}), 2, {"model.json"});
  EXPECT_EQ(load_model(path_), model_);
}

}  // namespace
}  // namespace treecca
