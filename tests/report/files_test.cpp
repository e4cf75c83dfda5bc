#include "report/files.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/workspace.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

TEST(ReportFiles, NumbersReadBackToTheSameBits) {
  const Workspace space;
  const std::vector<float> values{0.1F, 1.0F / 3, -0.0F, 1e-45F, 3e38F, 16777216.0F};
  Matrix<float> variates(static_cast<Index>(values.size()) / 2, 2);
  variates.values() = values;
  const Table read = read_table(space.write("z.csv", variates_csv({"p", "q", "r"}, variates)), "z");
  ASSERT_EQ(read.values.values().size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(static_cast<float>(read.values.values()[i]), values[i]);
    EXPECT_EQ(std::signbit(read.values.values()[i]), std::signbit(values[i]));
  }
  EXPECT_NE(variates_csv({}, variates).find("\n1,0.1,0.33333334\n"), std::string::npos);
}

TEST(ReportFiles, AwkwardNamesSurvive) {
  const Workspace space;
  const std::vector<std::string> ids{"a,b", "say \"x\"", "two words", "semi;colon"};
  const Table read = read_table(space.write("z.csv", variates_csv(ids, Matrix<float>(4, 1, 2.0F))), "z");
  EXPECT_EQ(read.sample_ids, ids);
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell(""), "\"\"");
}

TEST(ReportFiles, OnlyFilesOfAFitAreTakenForItsOwn) {
  const Workspace space;
  EXPECT_FALSE(files_of_earlier_fit(space.path()));
  space.write("summary.json",
              R"({"treecca": "0.1.0", "files": ["variates_x.csv", "../variates_y.csv", "/etc/passwd",
      "notes.txt", "importances_x.csv", "variates_/../z.csv"]})");
  EXPECT_EQ(files_of_earlier_fit(space.path()), (std::vector<std::string>{"variates_x.csv", "importances_x.csv"}));
  for (const char* bytes : {"", "[]", "{", "{\"files\": [\"variates_x.csv\"]}", "{\"treecca\": 1, \"files\": 3}",
                            "{\"treecca\": \"0.1.0\", \"files\": [\"variates_x.csv\", 7]}"}) {
    space.write("summary.json", bytes);
    EXPECT_FALSE(files_of_earlier_fit(space.path())) << bytes;
  }
}

}  // namespace
}  // namespace treecca
