#include "report/inputs.hpp"

#include <gtest/gtest.h>

namespace treecca {
namespace {

TEST(ReportInputs, SampleNames) {
  EXPECT_EQ(sample_name({}, 4), "5");
  EXPECT_EQ(sample_name({"x", "y"}, 1), "y");
}

TEST(ReportInputs, DescribesTheTablesBeforeTheJoinAndWhatItDropped) {
  const JoinedInputs inputs{
      .views = {{.name = "rna", .source = "rna.csv", .rows = 4, .dropped = 1, .features = 2, .missing_share = 0.125},
                {.name = "protein", .source = "protein.csv", .rows = 3, .features = 2}},
      .by_id = true,
      .matched = 3};
  EXPECT_EQ(inputs_text(inputs),
            "  view      rows   features   missing   file\n"
            "  rna          4          2     12.5%   rna.csv\n"
            "  protein      3          2      0.0%   protein.csv\n"
            "  Joined by sample id: 3 samples in common; dropped 1 of rna.\n");
}

}  // namespace
}  // namespace treecca
