// What holds for every command.
#include "cli/verbs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include "cli/parse.hpp"
#include "report/files.hpp"

namespace treecca::cli {
namespace {

TEST(CliVerbs, NamesAreUniqueAndEveryOneRuns) {
  std::set<std::string> names;
  for (const Verb& verb : all_verbs()) {
    EXPECT_TRUE(names.insert(verb.name).second) << verb.name;
    EXPECT_NE(verb.run, nullptr) << verb.name;
    EXPECT_NE(verb.help, "") << verb.name;
  }
  EXPECT_EQ(names.size(), 15U);
}

TEST(CliVerbs, NoSpellingBelongsToTwoOptions) {
  for (const Verb& verb : all_verbs()) {
    std::set<std::string> seen{"-h", "--help"};
    for (const std::string& spelling : spellings(verb.options)) {
      EXPECT_TRUE(seen.insert(spelling).second) << verb.name << " " << spelling;
    }
  }
}

TEST(CliVerbs, OptionsAreDeclaredInFull) {
  for (const Verb& verb : all_verbs()) {
    for (const Option& option : verb.options) {
      const std::string where = verb.name + " " + option.shown_name();
      ASSERT_FALSE(option.help.empty()) << where;
      EXPECT_TRUE(std::isupper(static_cast<unsigned char>(option.help.front()))) << where << ": " << option.help;
      EXPECT_TRUE(option.help.ends_with('.') || option.help.ends_with(']')) << where << ": " << option.help;
      EXPECT_EQ(option.value_label().empty(), !option.takes_value()) << where;
      if (option.excludes.empty()) continue;
      EXPECT_NE(find_option(verb.options, "--" + option.excludes), nullptr) << where;
    }
  }
}

TEST(CliVerbs, FilesOfAFitAreThoseThatItWrites) {
  std::set<std::string> listed;
  for (const WrittenFile& file : fit_verb().files) {
    EXPECT_TRUE(file.content.ends_with('.')) << file.content;
    listed.insert(file.name);
  }
  const std::vector<std::string> names = fit_file_names({"VIEW"});
  EXPECT_EQ(listed, std::set<std::string>(names.begin(), names.end()));
}

TEST(CliVerbs, HelpHasEveryOptionAndAtMost100Columns) {
  for (const Verb& verb : all_verbs()) {
    const std::string help = verb_help(verb);
    EXPECT_NE(help.find("\nUsage: treecca " + verb.name), std::string::npos) << help;
    for (const Option& option : verb.options) {
      EXPECT_NE(help.find(option.shown_name()), std::string::npos) << verb.name << " " << option.name;
    }
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

}  // namespace
}  // namespace treecca::cli
