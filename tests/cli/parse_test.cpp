#include "cli/parse.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

using Kind = Option::Kind;
using Words = std::vector<std::string>;

Verb example() {
  return {.name = "example",
          .help = "Do something",
          .options = {{.name = "MODEL", .help = "A model.", .group = "Arguments", .positional = true, .required = true},
                      {.name = "NEXT", .help = "Another.", .group = "Arguments", .positional = true},
                      {.name = "view", .value = "FILE", .help = "A table.", .group = "Data", .repeats = true},
                      {.name = "max_depth", .letter = 'd', .kind = Kind::integer, .value = "INT", .help = "Depth."},
                      {.name = "random_state", .alias = "seed", .value = "INT", .help = "Seed."},
                      {.name = "json", .kind = Kind::flag, .help = "JSON."},
                      {.name = "quiet", .kind = Kind::flag, .help = "Nothing.", .excludes = "json"}},
          .footer = "The end."};
}

Arguments parse(const Words& words) { return parse_arguments(example(), words); }

std::string refusal(const Words& words) {
  try {
    parse(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(CliParse, EveryWayToGiveAValue) {
  for (const Words& words : {Words{"--max_depth", "3"}, Words{"--max-depth=3"}, Words{"-d", "3"}, Words{"-d3"},
                             Words{"-d=3"}, Words{"--max_depth=3"}}) {
    Words all{"m"};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(parse(all).integer("max_depth"), 3) << words.front();
  }
  EXPECT_EQ(parse({"m", "--seed", "-1"}).text("random_state"), "-1") << "a word that is no option is a value";
  EXPECT_EQ(parse({"m", "--view", "a=b=c"}).text("view"), "a=b=c");
  EXPECT_EQ(parse({"m", "--view=a=b"}).text("view"), "a=b") << "cut at the first equals sign";
  EXPECT_EQ(parse({"m", "--view=--json"}).text("view"), "--json") << "behind an equals sign anything is a value";
  EXPECT_EQ(parse({"m", "--view", "-"}).text("view"), "-");
}

TEST(CliParse, PositionalArgumentsStandAnywhere) {
  const Arguments arguments = parse({"--json", "a", "-d", "2", "b"});
  EXPECT_EQ(arguments.command(), "example");
  EXPECT_EQ(arguments.text("MODEL"), "a");
  EXPECT_EQ(arguments.text("NEXT"), "b");
  EXPECT_TRUE(arguments.has("json"));
  EXPECT_FALSE(arguments.has("quiet"));
  const Arguments ended = parse({"--", "--json", "-d"});
  EXPECT_EQ(ended.text("MODEL"), "--json");
  EXPECT_EQ(ended.text("NEXT"), "-d");
  EXPECT_FALSE(ended.has("json"));
}

TEST(CliParse, FlagsAreSetOrNot) {
  EXPECT_TRUE(parse({"m", "--json", "--json"}).has("json"));
  EXPECT_TRUE(parse({"m", "--json=true"}).has("json"));
  EXPECT_FALSE(parse({"m", "--json=false"}).has("json"));
  EXPECT_EQ(refusal({"m", "--json=yes"}), "--json takes no value.");
}

TEST(CliParse, RepeatedOptions) {
  EXPECT_EQ(parse({"m", "--view", "a", "--view=b"}).texts("view"), (Words{"a", "b"}));
  EXPECT_EQ(refusal({"m", "-d1", "--max-depth", "1"}), "--max_depth is given more than once. Give it once.");
}

TEST(CliParse, ValuesThatAreMissingOrWrong) {
  EXPECT_EQ(refusal({"m", "--max_depth"}), "--max_depth needs a value (INT).");
  EXPECT_EQ(refusal({"m", "--view="}), "--view needs a value (FILE).");
  EXPECT_EQ(refusal({"m", "-d", "--json"}), "-d needs a value (INT), but --json follows it.");
  EXPECT_EQ(refusal({"m", "--view", "--max-depth=3"}), "--view needs a value (FILE), but --max-depth follows it.");
  EXPECT_EQ(refusal({"m", "-d", "deep"}), "--max_depth must be an integer, not \"deep\".");
}

TEST(CliParse, UnknownWordsAreRefusedWithAHint) {
  EXPECT_EQ(refusal({"m", "--max_dept=3"}),
            "Unknown option \"--max_dept\". Did you mean \"--max_depth\"? See treecca example --help.");
  EXPECT_EQ(refusal({"m", "--hlep"}),
            "Unknown option \"--hlep\". Did you mean \"--help\"? See treecca example --help.");
  EXPECT_EQ(refusal({"m", "--zzzzzzz"}), "Unknown option \"--zzzzzzz\". See treecca example --help.");
  EXPECT_EQ(refusal({"m", "-z"}).substr(0, 20), "Unknown option \"-z\".");
  EXPECT_EQ(refusal({"m", "n", "o", "p"}), "Unexpected argument \"o\". See treecca example --help.");
  EXPECT_EQ(refusal({"m", "n", "a.csv", "x", "b.tsv.gz"}),
            "Unexpected argument \"a.csv\". Did you mean --view a.csv --view b.tsv.gz? See treecca example --help.");
}

TEST(CliParse, WhatIsRequiredAndWhatExcludesEachOther) {
  EXPECT_EQ(refusal({}), "example needs MODEL. See treecca example --help.");
  EXPECT_EQ(refusal({"m", "--json", "--quiet"}), "--json and --quiet exclude each other. Give one of them.");
  Verb verb = example();
  verb.options.push_back({.name = "format", .choices = {"a", "b"}, .required = true});
  try {
    parse_arguments(verb, {"m"});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "example needs --format {a,b}. See treecca example --help.");
  }
}

TEST(CliParse, CommandsAreFoundOrSuggested) {
  const std::vector<Verb> verbs{{.name = "fit", .help = ""}, {.name = "transform", .help = ""}};
  EXPECT_EQ(&find_verb(verbs, "transform"), &verbs[1]);
  const auto message_of = [&](const std::string& name) -> std::string {
    try {
      find_verb(verbs, name);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of("fti"), "Unknown command \"fti\". Did you mean \"fit\"?");
  EXPECT_EQ(message_of("zzzzzz"), "Unknown command \"zzzzzz\". Commands: fit, transform.");
}

TEST(CliParse, HelpIsAskedForAnywhereButBehindTwoDashes) {
  EXPECT_TRUE(asks_for_help({"--out", "x", "-h"}));
  EXPECT_TRUE(asks_for_help({"--help", "--nonsense"}));
  EXPECT_FALSE(asks_for_help({"--", "--help"}));
  EXPECT_FALSE(asks_for_help({}));
}

TEST(CliHelp, ListsOptionsUnderTheirHeadings) {
  EXPECT_EQ(verb_help(example()),
            "Do something\n"
            "Usage: treecca example MODEL NEXT [OPTIONS]\n"
            "\n"
            "Arguments:\n"
            "  MODEL                        A model.\n"
            "  NEXT                         Another.\n"
            "\n"
            "Data:\n"
            "  --view FILE                  A table.\n"
            "\n"
            "Options:\n"
            "  -d, --max_depth INT          Depth.\n"
            "  --random_state, --seed INT   Seed.\n"
            "  --json                       JSON.\n"
            "  --quiet                      Nothing.\n"
            "  -h, --help                   Print this help and exit.\n"
            "\n"
            "The end.\n");
}

TEST(CliHelp, LongNamesStandAlone) {
  const Verb verb{
      .name = "x", .help = "X", .options = {{.name = "a_rather_long_name", .value = "WITH_A_VALUE", .help = "H."}}};
  EXPECT_NE(verb_help(verb).find("\n  --a_rather_long_name WITH_A_VALUE\n" + std::string(31, ' ') + "H.\n"),
            std::string::npos)
      << verb_help(verb);
}

}  // namespace
}  // namespace treecca::cli
