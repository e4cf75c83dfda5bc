#include "cli/view_files.hpp"

#include <gtest/gtest.h>

#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

TEST(CliViewFiles, NameFromTheFile) {
  EXPECT_EQ(view_name_of("data/rna.csv.gz"), "rna");
  EXPECT_EQ(view_name_of("rna.v2.tsv"), "rna.v2");
  EXPECT_EQ(view_name_of("../x.npy"), "x");
  EXPECT_EQ(view_name_of("plain"), "plain");
}

TEST(CliViewFiles, SplitAtTheFirstEqualsSign) {
  const auto files = parse_view_files({"rna=a=b.csv", "dir/prot.csv"});
  EXPECT_EQ(files[0].name, "rna");
  EXPECT_EQ(files[0].path, "a=b.csv");
  EXPECT_EQ(files[1].name, "prot");
  EXPECT_EQ(files[1].path, "dir/prot.csv");
}

TEST(CliViewFiles, NamesThatCannotBeFileNames) {
  for (const char* argument : {"a/b=f", "a\\b=f", "a\nb=f", "=f", "a=", "", "out_of_fold_a=f", "caf\xE9=f"}) {
    EXPECT_THROW(parse_view_files({argument}), UsageError) << argument;
  }
  EXPECT_THROW(parse_view_files({"a=f", "a=g"}), UsageError);
  EXPECT_NO_THROW(parse_view_files({"größe 1=f", "..=g"}));
}

TEST(CliViewFiles, OneViewMayComeFromStandardInput) {
  EXPECT_EQ(parse_view_files({"a=-", "b.csv"})[0].path, "-");
  EXPECT_THROW(parse_view_files({"-"}), UsageError);
  EXPECT_THROW(parse_view_files({"a=-", "b=-"}), UsageError);
}

}  // namespace
}  // namespace treecca::cli
