// treecca demo.
#include "cli/demo_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"

namespace treecca {
namespace {

/// The present folder, for the time of a test.
class InFolder {
 public:
  explicit InFolder(const std::string& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~InFolder() { std::filesystem::current_path(before_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  std::filesystem::path before_;
};

TEST(CliDemo, ShowsTheResultAndWhatToTypeNext) {
  const Workspace space;
  const InFolder here(space.file(""));
  const CliResult result = run_cli({"demo"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"Joined by sample id", "dropped", "linear CCA", "total (TCC)", "speed", "vibration",
                           "torque", "pressure", "Wrote report.html", "Next:"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " is not in\n" << result.out;
  }
}

TEST(CliDemo, TheReadmeShowsWhatItPrints) {
  const Workspace space;
  const InFolder here(space.file(""));
  const std::string out = run_cli({"demo"}).out;
  std::istringstream readme(read_bytes(TREECCA_SOURCE_DIR "/README.md"));
  std::string line;
  while (std::getline(readme, line) && line != "$ treecca demo") {
  }
  int compared = 0;
  while (std::getline(readme, line) && line != "```") {
    if (line == "..." || line.empty()) continue;
    EXPECT_NE(out.find(line + "\n"), std::string::npos) << "README.md shows\n" << line << "\nbut demo prints\n" << out;
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

TEST(CliDemo, LeavesAReportOfItsOwnAndNothingElse) {
  const Workspace space;
  const InFolder here(space.file(""));
  ASSERT_EQ(run_cli({"demo"}).exit_code, 0);
  const std::string report = read_bytes("report.html");
  EXPECT_NE(report.find("TreeCCA of motor and plant"), std::string::npos);
  EXPECT_NE(report.find("treecca demo"), std::string::npos);
  EXPECT_EQ(space.contents(), std::set<std::string>{"report.html"});
  ASSERT_EQ(run_cli({"demo"}).exit_code, 0);  // its own is written again
  space.write("report.html", "mine");
  const CliResult result = run_cli({"demo"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("so it was not replaced"), std::string::npos);
  EXPECT_EQ(read_bytes("report.html"), "mine");
}

TEST(CliDemo, FitOnItsFilesGivesItsModel) {
  const Workspace space;
  ASSERT_EQ(run_cli({"demo", "--out", space.file("d")}).exit_code, 0);
  const Json demo = Json::parse(read_bytes(space.file("d/summary.json")));
  const double found = demo["tcc"]["out_of_fold"].number();
  const double linear = demo["tcc"]["linear_out_of_fold"].number();
  EXPECT_GT(found, 2.2);   // three shared components
  EXPECT_LT(linear, 1.3);  // of which one is linear
  const CliResult fit = run_cli({"fit", "--view", "motor=" + space.file("d/view1.csv"), "--view",
                                 "plant=" + space.file("d/view2.csv"), "-k", "3", "--out", space.file("again")});
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_EQ(read_bytes(space.file("again/model.json")), read_bytes(space.file("d/model.json")));
}

TEST(CliDemo, FilesReadBackToTheSameTables) {
  const Workspace space;
  for (const Table& table : cli::demo_tables()) {
    const Table read = read_table(space.write("t.csv", cli::table_csv(table)), table.name);
    EXPECT_EQ(read.sample_ids, table.sample_ids);
    EXPECT_EQ(read.feature_names, table.feature_names);
    ASSERT_EQ(read.values.values().size(), table.values.values().size());
    int missing = 0;
    for (std::size_t i = 0; i < read.values.values().size(); ++i) {
      const auto expected = static_cast<float>(table.values.values()[i]);
      missing += std::isnan(expected) ? 1 : 0;
      EXPECT_TRUE(std::isnan(expected) ? std::isnan(read.values.values()[i])
                                       : static_cast<float>(read.values.values()[i]) == expected);
    }
    EXPECT_GT(missing, 0);
  }
}

TEST(CliDemo, OutputIsCheckedBeforehand) {
  const CliResult result = run_cli({"demo", "--out", "/proc/treecca-demo"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("/proc"), std::string::npos);
}

}  // namespace
}  // namespace treecca
