// treecca ssl.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"

namespace treecca {
namespace {

class CliSsl : public ::testing::Test {
 protected:
  void SetUp() override { write_demo_views(space_); }

  CliResult ssl(std::vector<std::string> more) const {
    std::vector<std::string> words{"ssl", "--view", "t=" + space_.file("d/view1.csv"), "--n_estimators", "15"};
    words.insert(words.end(), more.begin(), more.end());
    return run_cli(words);
  }
  Workspace space_;
};

TEST_F(CliSsl, WritesAModelThatTransformsNewRows) {
  const CliResult fit = ssl({"--swap", "0.2", "-k", "2", "--cross_fit", "3", "--out", space_.file("o")});
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_NE(fit.out.find("out-of-fold"), std::string::npos) << fit.out;
  EXPECT_EQ(fit.out.find("report.html"), std::string::npos) << fit.out;
  const CliResult transform =
      run_cli({"transform", space_.file("o/model.json"), "--view", "t=" + space_.file("d/view1.csv")});
  ASSERT_EQ(transform.exit_code, 0) << transform.err;
  EXPECT_EQ(transform.out, read_bytes(space_.file("o/variates_t.csv")));
  for (const char* verb : {"inspect", "importance"}) {
    EXPECT_EQ(run_cli({verb, space_.file("o/model.json")}).exit_code, 0) << verb;
  }
  EXPECT_EQ(run_cli({"convert", space_.file("o/model.json"), space_.file("m.ubj")}).exit_code, 0);
  const CliResult score = run_cli({"score", space_.file("o/model.json"), "--view", "t=" + space_.file("d/view1.csv")});
  EXPECT_EQ(score.exit_code, 2);
  EXPECT_NE(score.err.find("one view"), std::string::npos) << score.err;
}

TEST_F(CliSsl, TheCommandItTellsRepeatsIt) {
  const CliResult first = ssl({"--sign-flip", "--noise", "0.25", "-k", "1", "--json", "--out", space_.file("o")});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const std::string command = Json::parse(first.out)["command"].text();
  const std::string again = std::string(TREECCA_CLI) + command.substr(7) + " --quiet --out " + space_.file("again");
  ASSERT_EQ(std::system((again + " 2>/dev/null").c_str()), 0) << again;
  EXPECT_EQ(read_bytes(space_.file("again/model.json")), read_bytes(space_.file("o/model.json")));
}

TEST_F(CliSsl, NoComponentsBeyondThoseAskedForWithoutRotation) {
  const CliResult fit = ssl({"--swap", "0.2", "-k", "1", "--rotate", "false", "--json", "--out", space_.file("o")});
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  const Json model = Json::parse(read_bytes(space_.file("o/model.json")));
  EXPECT_EQ(model["parameters"]["n_oversamples"], 0);
  const std::string command = Json::parse(fit.out)["command"].text();
  const std::string again = std::string(TREECCA_CLI) + command.substr(7) + " --quiet --out " + space_.file("again");
  ASSERT_EQ(std::system((again + " 2>/dev/null").c_str()), 0) << again;
  EXPECT_EQ(read_bytes(space_.file("again/model.json")), read_bytes(space_.file("o/model.json")));
  const CliResult asked = ssl({"--swap", "0.2", "--rotate", "false", "--n_oversamples", "3"});
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_NE(asked.err.find("n_oversamples needs rotate"), std::string::npos) << asked.err;
}

TEST_F(CliSsl, AdvisesWhatOneTableCanDo) {
  const CliResult fit = ssl({"--swap", "0.2"});
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  const std::string text = fit.out + fit.err;
  EXPECT_NE(text.find("Set cross_fit"), std::string::npos) << text;
  EXPECT_EQ(text.find("Score new data"), std::string::npos) << text;
}

TEST_F(CliSsl, SaysWhatIsWrong) {
  const auto error = [&](std::vector<std::string> more) {
    const CliResult result = ssl(std::move(more));
    EXPECT_EQ(result.exit_code, 2) << result.err;
    return result.err;
  };
  EXPECT_NE(error({}).find("set swap, mask, sign_flip or noise"), std::string::npos);
  EXPECT_NE(error({"--swap", "1.5"}).find("swap"), std::string::npos);
  EXPECT_NE(error({"--noise", "1e39"}).find("Lower noise"), std::string::npos);
  EXPECT_NE(error({"--swap", "0.1", "--rows", "three"}).find("--rows"), std::string::npos);
  EXPECT_NE(error({"--swap", "0.1", "--view", space_.file("d/view2.csv")}).find("one table"), std::string::npos);
}

}  // namespace
}  // namespace treecca
