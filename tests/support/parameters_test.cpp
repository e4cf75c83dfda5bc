#include "treecca/parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "treecca/error.hpp"
#include "treecca/ssl.hpp"

namespace treecca {
namespace {

template <class Call>
std::string usage_error(Call&& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of_text(std::string_view name, std::string_view text) {
  Parameters parameters;
  const std::string message = usage_error([&] { set_from_text(parameters, name, text); });
  EXPECT_EQ(parameters, Parameters{}) << "changed by a failed set_from_text(" << name << ", " << text << ")";
  return message;
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

TEST(Parameters, DefaultsAndPresetsAreValid) {
  EXPECT_NO_THROW(validate(Parameters{}, 2));
  EXPECT_NO_THROW(validate(Parameters::of_preset(Preset::plain), 2));
  EXPECT_NO_THROW(validate(Parameters::of_preset(Preset::paper), 3));
  EXPECT_EQ(Parameters::of_preset(Preset::automatic), Parameters{});
}

TEST(Parameters, PlainPresetIsOneCrossFit) {
  const Parameters p = Parameters::of_preset(Preset::plain);
  EXPECT_EQ(p.preset, Preset::plain);
  EXPECT_EQ(p.n_repeats, 0);
  EXPECT_EQ(p.linear, 0);
  EXPECT_EQ(p.cross_fit, 5);
  EXPECT_EQ(p.n_estimators, 150);
  EXPECT_EQ(p.learning_rate, PerView<double>(0.1));
  EXPECT_EQ(p.max_depth, PerView<Index>(4));
  EXPECT_EQ(p.sketch, 0);
  EXPECT_EQ(p.leaf_sweeps, 0);
  EXPECT_EQ(p.n_oversamples, 0);
  EXPECT_FALSE(p.screens());
  EXPECT_TRUE(p.min_child_weight.is_auto());
  EXPECT_TRUE(p.colsample_bytree.is_auto());
}

TEST(Parameters, AValueThatIsStillOpenCannotBeRead) {
  const Parameters p;
  EXPECT_TRUE(p.cross_fit.is_auto());
  EXPECT_FALSE(p.cross_fit == 0);
  EXPECT_THROW(static_cast<void>(static_cast<Index>(p.cross_fit)), std::bad_optional_access);
  EXPECT_EQ(to_text(p, "cross_fit"), "auto");
}

TEST(Parameters, PaperPresetIsAlgorithmOne) {
  const Parameters p = Parameters::of_preset(Preset::paper);
  EXPECT_EQ(p.preset, Preset::paper);
  EXPECT_EQ(p.objective, Objective::ey);
  EXPECT_EQ(p.trees, Trees::scalar);
  EXPECT_EQ(p.schedule, Schedule::jacobi);
  EXPECT_EQ(p.init, Init::pca);
  EXPECT_EQ(p.init_fade, 0);
  EXPECT_EQ(p.cross_fit, 0);
  EXPECT_FALSE(p.rotate);
  EXPECT_EQ(p.n_estimators, 500);
  EXPECT_EQ(p.learning_rate, PerView<double>(0.1));
  EXPECT_EQ(p.max_depth, PerView<Index>(5));
  EXPECT_EQ(p.subsample, PerView<double>(0.8));
  EXPECT_EQ(p.colsample_bytree, PerView<double>(0.8));
  EXPECT_EQ(p.min_child_weight, PerView<double>(5));
  EXPECT_EQ(p.reg_lambda, PerView<double>(1));
}

TEST(Parameters, EveryTextReadsBackToTheSameValue) {
  for (const Preset preset : {Preset::automatic, Preset::plain, Preset::paper}) {
    const Parameters source = Parameters::of_preset(preset);
    // From a start that differs everywhere it can.
    Parameters target = Parameters::of_preset(preset == Preset::paper ? Preset::automatic : Preset::paper);
    set_from_text(target, "preset", to_text(source, "preset"));
    for_each_parameter([&](const Declaration& declaration, auto member) {
      set_from_text(target, declaration.name, to_text(source, declaration.name));
      EXPECT_EQ(target.*member, source.*member) << declaration.name;
    });
    EXPECT_EQ(target, source);
  }
}

TEST(Parameters, SetsEveryKindOfValueFromText) {
  Parameters p;
  set_from_text(p, "n_components", " 7 ");
  EXPECT_EQ(p.n_components, 7);
  set_from_text(p, "n-estimators", "12");
  EXPECT_EQ(p.n_estimators, 12);
  set_from_text(p, "learning_rate", "0.05, 1e-2,1");
  EXPECT_EQ(p.learning_rate, PerView<double>(std::vector<double>{0.05, 0.01, 1}));
  EXPECT_EQ(to_text(p, "learning-rate"), "0.05,0.01,1");
  set_from_text(p, "max_depth", "3,4");
  EXPECT_EQ(p.max_depth, PerView<Index>(std::vector<Index>{3, 4}));
  set_from_text(p, "screen", "none,20");
  EXPECT_EQ(p.screen.values, (std::vector<Index>{0, 20}));
  EXPECT_EQ(to_text(p, "screen"), "none,20");
  EXPECT_TRUE(p.screens());
  set_from_text(p, "screen", "auto");
  EXPECT_TRUE(p.screen.is_auto() && p.screens());
  set_from_text(p, "screen", "none");
  EXPECT_FALSE(p.screens());
  set_from_text(p, "min_child_weight", "auto");
  EXPECT_TRUE(p.min_child_weight.is_auto());
  set_from_text(p, "cross_fit", "off");
  EXPECT_EQ(p.cross_fit, 0);
  EXPECT_EQ(to_text(p, "cross_fit"), "off");
  set_from_text(p, "cross_fit", "auto");
  EXPECT_TRUE(p.cross_fit.is_auto());
  set_from_text(p, "linear", "0.25");
  EXPECT_EQ(p.linear, 0.25);
  EXPECT_EQ(to_text(p, "linear"), "0.25");
  set_from_text(p, "schedule", "gauss-seidel");
  EXPECT_EQ(p.schedule, Schedule::gauss_seidel);
  for (const char* no : {"false", "no", "off", "0"}) {
    p.rotate = true;
    set_from_text(p, "rotate", no);
    EXPECT_FALSE(p.rotate) << no;
  }
  for (const char* yes : {"true", "yes", "on", "1"}) {
    p.rotate = false;
    set_from_text(p, "rotate", yes);
    EXPECT_TRUE(p.rotate) << yes;
  }
  set_from_text(p, "random_state", "9007199254740992");
  EXPECT_EQ(p.random_state, 9007199254740992U);
}

TEST(Parameters, SettingThePresetTakesOverItsSettings) {
  Parameters p;
  p.n_components = 9;
  p.n_jobs = 3;
  p.random_state = 4;
  set_from_text(p, "preset", "paper");
  Parameters expected = Parameters::of_preset(Preset::paper);
  expected.n_components = 9;
  expected.n_jobs = 3;
  expected.random_state = 4;
  EXPECT_EQ(p, expected);
}

TEST(Parameters, ExtraComponentsOfAPresetGoWithTheRotation) {
  ASSERT_GT(ssl_parameters().n_oversamples, 0);
  EXPECT_EQ(parameters_from_texts({}, ssl_parameters), ssl_parameters());
  EXPECT_EQ(parameters_from_texts({{"rotate", "true"}}, ssl_parameters), ssl_parameters());
  EXPECT_EQ(parameters_from_texts({{"rotate", "false"}}, ssl_parameters).n_oversamples, 0);
  // What was asked for stays, whatever the order and spelling: that it needs the rotation is for the fit to say.
  EXPECT_EQ(parameters_from_texts({{"n-oversamples", "3"}, {"rotate", "no"}}, ssl_parameters).n_oversamples, 3);
  EXPECT_EQ(parameters_from_texts({{"rotate", "no"}, {"n_oversamples", "5"}}, ssl_parameters).n_oversamples, 5);
}

TEST(Parameters, UnknownNamesAndChoicesSuggestTheNearest) {
  expect_contains(error_of_text("learning_rat", "1"), "\"learning_rat\". Did you mean \"learning_rate\"?");
  expect_contains(error_of_text("max-dpeth", "1"), "Did you mean \"max_depth\"?");
  expect_contains(error_of_text("quite_other", "1"), "n_components, preset, n_repeats, linear, cross_fit");
  expect_contains(usage_error([] { to_text(Parameters{}, "objectiv"); }), "Did you mean \"objective\"?");
  expect_contains(error_of_text("objective", "whitend"),
                  "objective must be one of \"whitened\", \"ey\", not \"whitend\". Did you mean \"whitened\"?");
  expect_contains(error_of_text("init", "pca_scaled"), "Did you mean \"pca-scaled\"?");
  expect_contains(error_of_text("engine", "gpu"), "engine must be one of");
  expect_contains(error_of_text("preset", "default"), "What was \"default\" is now \"plain\"");
  expect_contains(error_of_text("n_repeats", "many"),
                  "n_repeats must be an integer, 0 to 20, or \"off\" for 0, or \"auto\"");
}

TEST(Parameters, TextThatIsNotAValueIsRefused) {
  expect_contains(error_of_text("n_components", "two"), "n_components must be an integer, 1 to 1024");
  for (const char* text : {"", " ", "1.5", "1x", "0x10", "1 2", "99999999999999999999", "+-1"}) {
    expect_contains(error_of_text("n_components", text), "n_components must be");
  }
  for (const char* text : {"", "a", "0.1,", ",0.1", "0.1,,0.2", "0.1 0.2", "nan", "inf", "1e999", "0.1,auto"}) {
    expect_contains(error_of_text("learning_rate", text), "learning_rate must be");
  }
  expect_contains(error_of_text("rotate", "maybe"), "rotate must be true or false, not \"maybe\".");
  expect_contains(error_of_text("random_state", "-1"), "random_state must be");
  expect_contains(error_of_text("subsample", "auto"), "subsample must be");
  expect_contains(error_of_text("learning_rate", "off"), "learning_rate must be");
}

TEST(Parameters, EveryLimitHoldsAtItsEdge) {
  int limits = 0;
  for_each_parameter([&]<class T>(const Declaration& declaration, T Parameters::*) {
    if constexpr (!std::is_enum_v<T> && !std::is_same_v<T, bool>) {
      const auto text = [](double value) {
        const std::string digits = std::to_string(value);
        return value == std::floor(value) ? digits.substr(0, digits.find('.')) : digits;
      };
      Parameters p;
      const std::string name(declaration.name);
      if (std::isfinite(declaration.high)) {
        ++limits;
        EXPECT_NO_THROW(set_from_text(p, name, text(declaration.high))) << name;
        EXPECT_THROW(set_from_text(p, name, text(declaration.high * 2)), UsageError) << name;
      }
      if (declaration.open_low) {
        EXPECT_THROW(set_from_text(p, name, text(declaration.low)), UsageError) << name;
      } else {
        EXPECT_NO_THROW(set_from_text(p, name, text(declaration.low))) << name;
        EXPECT_THROW(set_from_text(p, name, text(declaration.low - 1)), UsageError) << name;
      }
    }
  });
  EXPECT_GT(limits, 10);
}

TEST(Validate, NamesTheParameterOutOfRange) {
  const auto error = [](auto change) {
    Parameters p;
    change(p);
    return usage_error([&] { validate(p, 2); });
  };
  EXPECT_EQ(error([](Parameters& p) { p.n_components = 0; }), "n_components must be an integer, 1 to 1024, not \"0\".");
  expect_contains(error([](Parameters& p) { p.subsample = 0.0; }),
                  "subsample must be a number, above 0 and up to 1 (one value, or one per view)");
  expect_contains(error([](Parameters& p) { p.subsample = std::vector<double>{0.5, 1.5}; }), "not \"0.5,1.5\"");
  expect_contains(error([](Parameters& p) { p.learning_rate = std::nan(""); }), "learning_rate must be");
  expect_contains(error([](Parameters& p) { p.reg_lambda = std::numeric_limits<double>::infinity(); }), "reg_lambda");
  expect_contains(error([](Parameters& p) { p.max_bin = PerView<Index>(); }), "max_bin must be");
  expect_contains(error([](Parameters& p) { p.linear = 1.5; }), "linear must be a number, 0 to 1, or \"auto\"");
  expect_contains(error([](Parameters& p) {
                    p.max_depth = std::vector<Index>{1, 2, 3};
                  }),
                  "max_depth has 3 values but there are 2 views");
  expect_contains(error([](Parameters& p) { p.objective = static_cast<Objective>(7); }), "objective must be");
  EXPECT_EQ(error([](Parameters& p) { p.max_depth = std::vector<Index>{1, 2}; }), "no error");
  Parameters three_values;
  three_values.max_depth = std::vector<Index>{1, 2, 3};
  EXPECT_NO_THROW(validate(three_values));
}

TEST(Validate, ParametersThatContradictEachOther) {
  Parameters p;
  p.cross_fit = 1;
  expect_contains(usage_error([&] { validate(p); }), "cross_fit must not be 1");
  p.cross_fit = 2;
  EXPECT_NO_THROW(validate(p));
  p.early_stopping_rounds = 5;
  EXPECT_NO_THROW(validate(p));
  p.cross_fit = 0;
  expect_contains(usage_error([&] { validate(p); }), "early_stopping_rounds needs cross-fitting");
  p.early_stopping_rounds = 0;
  EXPECT_NO_THROW(validate(p));
  p.n_repeats = 0;
  EXPECT_NO_THROW(validate(p));
  p.n_repeats = 1;
  expect_contains(usage_error([&] { validate(p); }), "n_repeats needs cross-fitting");
}

TEST(ParameterReference, HasOneRowPerParameterWithItsDefault) {
  const std::string reference = parameter_reference_markdown();
  for_each_parameter([&](const Declaration& declaration, auto) {
    const std::string name(declaration.name);
    expect_contains(reference, "| `" + name + "` | " + to_text(Parameters{}, name) + " |");
    expect_contains(reference, std::string(declaration.help));
  });
}

}  // namespace
}  // namespace treecca
