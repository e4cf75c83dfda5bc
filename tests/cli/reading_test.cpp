#include "cli/reading.hpp"

#include <gtest/gtest.h>

#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

Arguments arguments_of(const Given& given) {
  const std::vector<Option> options = reading_options();
  Arguments arguments("fit", options);
  for (const auto& [name, value] : given) arguments.add(*find_option(options, "--" + name), value);
  return arguments;
}

std::vector<ReadOptions> read_options(const Given& given) {
  return read_options_of(arguments_of(given), {{"rna", "r.csv"}, {"prot", "p.csv"}});
}

TEST(CliReading, ValuesHoldForAllViewsOrForOne) {
  const auto options = read_options({{"id", "patient"},
                                     {"id", "prot=none"},
                                     {"header", "rna=no"},
                                     {"decimal", ","},
                                     {"thousands", "prot=space"},
                                     {"na", "-999"},
                                     {"na", "rna=ND"},
                                     {"drop", "a=b"}});
  ASSERT_EQ(options.size(), 2U);
  EXPECT_EQ(options[0].id_column, "patient");
  EXPECT_TRUE(options[0].has_ids);
  EXPECT_EQ(options[1].id_column, "");
  EXPECT_FALSE(options[1].has_ids);
  EXPECT_EQ(options[0].header, Header::no);
  EXPECT_EQ(options[1].header, Header::recognise);
  EXPECT_EQ(options[0].decimal, ',');
  EXPECT_EQ(options[0].thousands, '\0');
  EXPECT_EQ(options[1].thousands, ' ');
  EXPECT_EQ(options[0].missing, (std::vector<std::string>{"-999", "ND"}));
  EXPECT_EQ(options[1].missing, (std::vector<std::string>{"-999"}));
  EXPECT_EQ(options[1].drop, (std::vector<std::string>{"a=b"}));  // no view is called "a"
}

TEST(CliReading, TheFileOfTheCovariatesIsReadAsAViewOfThatName) {
  std::vector<Option> options = reading_options();
  options.push_back({.name = "covariates"});
  Arguments arguments("fit", options);
  for (const auto& [name, value] : Given{{"na", "-999"},
                                         {"na", "rna=ND"},
                                         {"na", "covariates=?"},
                                         {"id", "covariates=who"},
                                         {"covariates", "c.csv"}}) {
    arguments.add(*find_option(options, "--" + name), value);
  }
  const std::vector<ViewFile> views{{"rna", "r.csv"}};
  EXPECT_EQ(read_options_of_covariates(arguments, views).missing, (std::vector<std::string>{"-999", "?"}));
  EXPECT_EQ(read_options_of_covariates(arguments, views).id_column, "who");
  EXPECT_EQ(read_options_of(arguments, views)[0].missing, (std::vector<std::string>{"-999", "ND"}));
  EXPECT_EQ(read_options_of(arguments, views)[0].id_column, "");
}

TEST(CliReading, RefusesWhatItCannotMean) {
  for (const Given& given :
       {Given{{"header", "maybe"}}, Given{{"decimal", ";"}}, Given{{"thousands", "x"}}, Given{{"thousands", ",,"}},
        Given{{"decimal", ","}, {"thousands", ","}}, Given{{"header", "x=no"}}, Given{{"na", "x=0"}}}) {
    EXPECT_THROW(read_options(given), UsageError) << given[0].second;
  }
}

TEST(CliReading, NamesAnUnknownView) {
  expect_error<UsageError>(
      [] {
        read_options({{"text_columns", "foo=categorical"}});
      },
      {"--text_columns foo=categorical: no view is called \"foo\"; the views are "});
}

TEST(CliReading, RemembersWhatWasGiven) {
  const Given given{{"id", "patient"}, {"na", "-1"}, {"na", "x"}};
  EXPECT_EQ(given_reading_options(arguments_of(given)), given);
}

}  // namespace
}  // namespace treecca::cli
