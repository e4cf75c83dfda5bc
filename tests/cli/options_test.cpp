#include "cli/options.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

using Kind = Option::Kind;

std::vector<Option> some_options() {
  return {{.name = "MODEL", .positional = true},
          {.name = "n_components", .letter = 'k', .kind = Kind::integer, .value = "INT"},
          {.name = "random_state", .alias = "seed", .kind = Kind::integer, .value = "INT"},
          {.name = "share", .kind = Kind::number, .value = "NUM"},
          {.name = "kind", .choices = {"gain", "cover"}},
          {.name = "json", .kind = Kind::flag},
          {.name = "quiet", .kind = Kind::flag, .excludes = "json"}};
}

std::string message_of(const Option& option, const std::string& text) {
  try {
    check_value(option, text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(CliOptions, AreFoundByEverySpelling) {
  const std::vector<Option> options = some_options();
  const auto name_of = [&](const std::string& word) {
    const Option* option = find_option(options, word);
    return option == nullptr ? "" : option->name;
  };
  for (const char* word : {"-k", "--n_components", "--n-components"}) EXPECT_EQ(name_of(word), "n_components");
  for (const char* word : {"--random-state", "--seed"}) EXPECT_EQ(name_of(word), "random_state");
  for (const char* word : {"", "-", "--", "---", "-n", "k", "kind", "--k", "-kind", "MODEL", "--MODEL", "--kin"}) {
    EXPECT_EQ(name_of(word), "") << word;
  }
}

TEST(CliOptions, SpellingsAreWhatHelpShows) {
  const std::vector<std::string> expected{"-k",      "--n_components", "--random_state", "--seed",
                                          "--share", "--kind",         "--json",         "--quiet"};
  EXPECT_EQ(spellings(some_options()), expected);
  EXPECT_EQ(some_options()[4].value_label(), "{gain,cover}");
  EXPECT_EQ(some_options()[3].value_label(), "NUM");
  EXPECT_EQ(some_options()[5].value_label(), "");
}

TEST(CliOptions, ExcludeEachOtherInBothDirections) {
  const std::vector<Option> options = some_options();
  EXPECT_TRUE(exclude_each_other(options[5], options[6]));
  EXPECT_TRUE(exclude_each_other(options[6], options[5]));
  EXPECT_FALSE(exclude_each_other(options[3], options[4]));
  EXPECT_FALSE(exclude_each_other(options[5], options[5]));
}

TEST(CliOptions, ValuesAreChecked) {
  const std::vector<Option> options = some_options();
  for (const char* good : {"0", "-3", "9007199254740993"}) EXPECT_EQ(message_of(options[1], good), "") << good;
  for (const char* bad : {"", "x", "1.5", "1e3", "3x", " 3", "99999999999999999999"}) {
    EXPECT_EQ(message_of(options[1], bad), "--n_components must be an integer, not \"" + std::string(bad) + "\".");
  }
  for (const char* good : {"0", "-3.5", "1e39"}) EXPECT_EQ(message_of(options[3], good), "") << good;
  for (const char* bad : {"", "x", "1,5", "0.5x", " 1", "1e999"}) {
    EXPECT_EQ(message_of(options[3], bad), "--share must be a number, not \"" + std::string(bad) + "\".");
  }
  EXPECT_EQ(message_of(options[4], "cover"), "");
  EXPECT_EQ(message_of(options[4], "weight"), "--kind must be one of \"gain\", \"cover\", not \"weight\".");
  EXPECT_EQ(message_of(options[4], "gian"),
            "--kind must be one of \"gain\", \"cover\", not \"gian\". Did you mean \"gain\"?");
}

TEST(CliArguments, GiveValuesByName) {
  const std::vector<Option> options = some_options();
  Arguments arguments("x", options);
  EXPECT_FALSE(arguments.has("kind"));
  EXPECT_EQ(arguments.text("kind"), "");
  EXPECT_EQ(arguments.text("kind", "gain"), "gain");
  EXPECT_EQ(arguments.integer("n_components"), std::nullopt);
  EXPECT_EQ(arguments.number("share"), std::nullopt);
  arguments.add(options[4], "cover");
  arguments.add(options[1], "-12");
  arguments.add(options[3], "0.25");
  EXPECT_TRUE(arguments.has("kind"));
  EXPECT_EQ(arguments.text("kind", "gain"), "cover");
  EXPECT_EQ(arguments.texts("kind"), std::vector<std::string>{"cover"});
  EXPECT_EQ(arguments.integer("n_components"), -12);
  EXPECT_EQ(arguments.number("share"), 0.25);
  EXPECT_THROW(arguments.add(options[4], "other"), UsageError);
  EXPECT_FALSE(arguments.declares("kin"));
  EXPECT_THROW(arguments.has("kin"), std::logic_error) << "a misspelling in a command is a mistake in the program";
}

TEST(CliParameterOptions, OnePerParameterAsDeclared) {
  std::vector<std::string> names;
  for_each_parameter([&](const Declaration& declaration, auto) { names.emplace_back(declaration.name); });
  const std::vector<Option> options = parameter_options();
  ASSERT_EQ(options.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Option& option = options[i];
    EXPECT_EQ(option.name, names[i]);
    EXPECT_TRUE(option.parameter);
    const std::string usual = option.name == "early_stopping_rounds" ? "0" : to_text(Parameters{}, option.name);
    EXPECT_TRUE(option.help.ends_with("[" + usual + "]")) << option.help;
    EXPECT_NE(option.help.find(". "), std::string::npos) << option.help;
    EXPECT_NE(option.value_label(), "");
  }
  const auto label_of = [&](const char* word) { return find_option(options, word)->value_label(); };
  EXPECT_EQ(label_of("-k"), "INT");
  EXPECT_EQ(label_of("--learning-rate"), "NUM,...");
  EXPECT_EQ(label_of("--max_depth"), "INT,...");
  EXPECT_EQ(label_of("--trees"), "{joint,scalar}");
  EXPECT_EQ(label_of("--rotate"), "{true,false}");
  EXPECT_TRUE(find_option(options, "--max_depth")->per_view);
  EXPECT_FALSE(find_option(options, "--n_components")->per_view);
  EXPECT_EQ(find_option(options, "--threads")->name, "n_jobs");
  EXPECT_EQ(threads_option().name, "n_jobs");
}

TEST(CliParameterOptions, HelpShowsRangesThatMatter) {
  const std::vector<Option> options = parameter_options();
  const auto help_of = [&](const char* word) { return find_option(options, word)->help; };
  EXPECT_EQ(help_of("--max_bin"), "Maximum number of histogram bins per feature. Range: 2 to 255. [255]");
  EXPECT_EQ(help_of("--subsample"),
            "Fraction of the rows drawn for each boosting round. Range: above 0 and up to 1. [1]");
  EXPECT_EQ(help_of("--reg_lambda"), "L2 penalty on leaf values. [1]");
  EXPECT_EQ(help_of("-k"), "Number of components, 1 to half the number of samples. [2]");
}

TEST(CliParameterOptions, OtherDefaultsAndFewerParameters) {
  Parameters defaults;
  defaults.max_depth = 9;
  const std::vector<Option> other = parameter_options(defaults);
  EXPECT_TRUE(find_option(other, "--max_depth")->help.ends_with("[9]"));
  const std::vector<Option> ssl = ssl_parameter_options();
  EXPECT_TRUE(find_option(ssl, "--max_depth")->help.ends_with("[7]"));
  for (const char* absent :
       {"--screen", "--schedule", "--early_stopping_rounds", "--n_repeats", "--linear", "--leaf_sweeps"}) {
    EXPECT_EQ(find_option(ssl, absent), nullptr) << absent;
  }
  EXPECT_EQ(ssl.size() + 6, other.size());
}

TEST(CliParameterOptions, ReachTheFit) {
  const std::vector<Option> options = combined({parameter_options(), {{.name = "out", .value = "DIR"}}});
  Arguments arguments("fit", options);
  arguments.add(*find_option(options, "--out"), "run");
  arguments.add(*find_option(options, "--max_depth"), "3,5");
  arguments.add(*find_option(options, "--preset"), "paper");
  const ParameterTexts given = arguments.parameters();
  EXPECT_EQ(given, (ParameterTexts{{"preset", "paper"}, {"max_depth", "3,5"}}));
  const Parameters parameters = parse_parameters(given);
  EXPECT_EQ(parameters.objective, Objective::ey);
  EXPECT_EQ(parameters.max_depth.values, (std::vector<Index>{3, 5}));
  EXPECT_THROW(parse_parameters({{"cross_fit", "1"}}), UsageError);
  EXPECT_EQ(parse_parameters(given, 2), parameters);
  EXPECT_THROW(parse_parameters(given, 3), UsageError);  // two values of max_depth
}

}  // namespace
}  // namespace treecca::cli
