#include "cli/data_options.hpp"

#include <gtest/gtest.h>

#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

Arguments with_views(const std::vector<std::string>& views) {
  const std::vector<Option> options = combined({data_options(), {engine_param_option()}});
  Arguments arguments("fit", options);
  for (const std::string& view : views) arguments.add(*find_option(options, "--view"), view);
  return arguments;
}

TEST(CliDataOptions, LearningNeedsTwoViewsOrOne) {
  EXPECT_EQ(learning_files(with_views({"a.csv", "n=b.csv"})).back().name, "n");
  EXPECT_EQ(single_file(with_views({"a.csv"})).front().path, "a.csv");
  EXPECT_THROW(learning_files(with_views({})), UsageError);
  EXPECT_THROW(learning_files(with_views({"a.csv"})), UsageError);
  EXPECT_THROW(single_file(with_views({})), UsageError);
  EXPECT_THROW(single_file(with_views({"a.csv", "b.csv"})), UsageError);
}

TEST(CliDataOptions, ValuesOfTheOptions) {
  const std::vector<Option> options = combined({data_options(), {engine_param_option()}});
  Arguments arguments = with_views({"a.csv", "b.csv"});
  for (const auto& [name, value] : {std::pair("id", "i"), std::pair("groups", "g.csv"), std::pair("weights", "w.csv"),
                                    std::pair("config", "c.toml"), std::pair("engine_param", "device=cuda"),
                                    std::pair("covariates", "v.csv"), std::pair("adjust", "age,,class(plate) , sex")}) {
    arguments.add(*find_option(options, "--" + std::string(name)), value);
  }
  const DataOptions data = data_options_of(arguments);
  EXPECT_EQ(data.reading, (std::vector<std::pair<std::string, std::string>>{{"id", "i"}}));
  EXPECT_EQ(input_paths(learning_files(arguments), data),
            (std::vector<std::string>{"a.csv", "b.csv", "g.csv", "w.csv", "", "v.csv", "c.toml"}));
  EXPECT_EQ(data.engine_params, (EngineParams{{"device", "cuda"}}));
  EXPECT_EQ(data.adjust, (std::vector<std::string>{"age", "plate", "sex"}));
  EXPECT_EQ(data.classes, (std::vector<std::string>{"plate"}));
  const auto adjusting = [&](const std::string& text) {
    Arguments given = with_views({"a.csv", "b.csv"});
    given.add(*find_option(options, "--adjust"), text);
    return data_options_of(given);
  };
  const DataOptions crossed = adjusting("age, age * class(plate)");
  EXPECT_EQ(crossed.adjust, (std::vector<std::string>{"age", "plate"}));
  EXPECT_EQ(crossed.classes, (std::vector<std::string>{"plate"}));
  EXPECT_EQ(crossed.products, (std::vector<std::string>{"age*plate"}));
  EXPECT_THROW(adjusting("age,age"), UsageError);
  EXPECT_THROW(adjusting("a*b*c"), UsageError);
  expect_error<UsageError>([&] { adjusting("age*class(age)"); }, {"a product needs two different covariates"});
  for (const char* nothing : {"", " ", ","}) {
    expect_error<UsageError>([&] { adjusting(nothing); }, {"--adjust names no covariate"});
  }
  EXPECT_EQ(data.covariates.reading.id_column, "i");
}

TEST(CliDataOptions, EngineParametersAreSplitAtTheFirstEqualsSign) {
  const auto parsed = [](const std::vector<std::string>& texts) {
    const std::vector<Option> options = combined({data_options(), {engine_param_option()}});
    Arguments arguments("fit", options);
    for (const std::string& text : texts) arguments.add(*find_option(options, "--engine_param"), text);
    return data_options_of(arguments).engine_params;
  };
  EXPECT_EQ(parsed({"a=b=c", "d="}), (EngineParams{{"a", "b=c"}, {"d", ""}}));
  EXPECT_THROW(parsed({"device"}), UsageError);
  EXPECT_THROW(parsed({"=cuda"}), UsageError);
}

TEST(CliDataOptions, OneTableHasNoWeights) {
  const std::vector<Option> options = combined({single_data_options(), {engine_param_option()}});
  EXPECT_EQ(find_option(options, "--weights"), nullptr);
  EXPECT_EQ(data_options_of(Arguments("ssl", options)).weights, "");
}

}  // namespace
}  // namespace treecca::cli
