// treecca transform.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/run_cli.hpp"

namespace treecca {
namespace {

class CliTransform : public ::testing::Test {
 protected:
  void SetUp() override {
    write_two_views(space_);
    ASSERT_EQ(run_cli(fit_arguments(space_, {"--out", space_.file("run")})).exit_code, 0);
    model_ = space_.file("run/model.json");
  }
  const Workspace space_;
  std::string model_;
};

TEST_F(CliTransform, EqualsWhatFitWrote) {
  const CliResult result = run_cli({"transform", model_, "--view", "a=" + space_.file("a.csv")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, read_bytes(space_.file("run/variates_a.csv")));
  const CliResult to_file =
      run_cli({"transform", model_, "--view", space_.file("a.csv"), "--out", space_.file("z.csv"), "--threads", "2"});
  EXPECT_EQ(to_file.out, "");
  EXPECT_EQ(read_bytes(space_.file("z.csv")), result.out);
}

TEST_F(CliTransform, FeaturesAreMatchedByName) {
  const CliResult expected = run_cli({"transform", model_, "--view", "a=" + space_.file("a.csv")});
  std::string turned = "sample,noise,unknown,x\n";
  const auto rows = csv_rows(read_bytes(space_.file("a.csv")));
  for (std::size_t i = 1; i < rows.size(); ++i) turned += rows[i][0] + "," + rows[i][2] + ",5," + rows[i][1] + "\n";
  space_.write("turned.csv", turned);
  EXPECT_EQ(run_cli({"transform", model_, "--view", "a=" + space_.file("turned.csv")}).out, expected.out);
}

TEST_F(CliTransform, RowsWithoutIdsAreNumbered) {
  space_.write("new.csv", "x,noise\n0.1,3\n,4\n");
  const CliResult result = run_cli({"transform", model_, "--view", "a=" + space_.file("new.csv")});
  const auto rows = csv_rows(result.out);
  ASSERT_EQ(rows.size(), 3U) << result.err;
  EXPECT_EQ(rows[0], (std::vector<std::string>{"sample", "cc1", "cc2"}));
  EXPECT_EQ(rows[1][0], "1");
  EXPECT_EQ(rows[2][0], "2");
}

TEST_F(CliTransform, SeveralViewsGoToAFolder) {
  const std::vector<std::string> words{"transform",          model_,   "--view",
                                       space_.file("a.csv"), "--view", space_.file("b.csv")};
  const auto with_out = [&](const std::string& out) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--out", out});
    return run_cli(all);
  };
  EXPECT_EQ(with_out(space_.file("z/")).exit_code, 0);
  EXPECT_EQ(read_bytes(space_.file("z/variates_a.csv")), read_bytes(space_.file("run/variates_a.csv")));
  EXPECT_EQ(csv_rows(read_bytes(space_.file("z/variates_b.csv"))).size(), kSamples + 1U);
  const std::set<std::string> before = space_.contents();
  expect_failure(with_out(space_.file("run/")), 2, {"run/variates_a.csv is a result of the fit."});
  expect_failure(run_cli(words), 2, {"--out"});
  expect_failure(with_out(space_.file("q")), 2, {"--out", "q/"});
  EXPECT_EQ(space_.contents(), before);
}

TEST_F(CliTransform, UnknownViewIsToldTheKnownOnes) {
  expect_failure(run_cli({"transform", model_, "--view", "c=" + space_.file("a.csv")}), 2, {"\"c\"", "a, b"});
  expect_failure(run_cli({"transform", model_}), 2, {"--view"});
}

TEST_F(CliTransform, DevicesAreWrittenNotReplaced) {
  const CliResult result = run_cli({"transform", model_, "--view", space_.file("a.csv"), "--out", "/dev/null"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  expect_failure(run_cli({"transform", model_, "--view", space_.file("a.csv"), "--out", "/dev/full"}), 1,
                 {"/dev/full"});
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

}  // namespace
}  // namespace treecca
