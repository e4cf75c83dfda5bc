// The parameters of a fit, declared once.
//
// `Parameters` has the defaults, `for_each_parameter` the names, ranges and texts. The command line, config files,
// model files, validation, docs/parameters.md and the constructors of the Python classes are derived from them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

enum class Preset { automatic, plain, paper };
enum class Objective { whitened, ey };
enum class Trees { joint, scalar };
enum class Schedule { gauss_seidel, jacobi };
enum class Init { pca, pca_scaled, random_orthogonal, random, zero };
enum class EngineKind { native, xgboost, lightgbm };

/// The spelling of an enumeration's values, in their order.
template <class E>
struct EnumNames;
template <>
struct EnumNames<Preset> {
  static constexpr std::array<std::string_view, 3> value{"auto", "plain", "paper"};
};
template <>
struct EnumNames<Objective> {
  static constexpr std::array<std::string_view, 2> value{"whitened", "ey"};
};
template <>
struct EnumNames<Trees> {
  static constexpr std::array<std::string_view, 2> value{"joint", "scalar"};
};
template <>
struct EnumNames<Schedule> {
  static constexpr std::array<std::string_view, 2> value{"gauss-seidel", "jacobi"};
};
template <>
struct EnumNames<Init> {
  static constexpr std::array<std::string_view, 5> value{"pca", "pca-scaled", "random-orthogonal", "random", "zero"};
};
template <>
struct EnumNames<EngineKind> {
  static constexpr std::array<std::string_view, 3> value{"native", "xgboost", "lightgbm"};
};

/// A value that may differ from view to view: empty = chosen from the data ("auto"), one value = the same for all
/// views, otherwise one value per view.
template <class T>
struct PerView {
  std::vector<T> values;

  PerView() = default;
  PerView(T value) : values{value} {}                                // NOLINT: a plain number is the usual case
  PerView(std::vector<T> per_view) : values(std::move(per_view)) {}  // NOLINT
  bool is_auto() const { return values.empty(); }
  T at(Index view) const { return values.size() == 1 ? values[0] : values[static_cast<std::size_t>(view)]; }
  bool operator==(const PerView&) const = default;
};

/// A value that a rule may choose: "auto" until `fit` has resolved it. Converts to the value; reading a value that is
/// still "auto" throws std::bad_optional_access.
template <class T>
struct OrAuto {
  std::optional<T> value;

  OrAuto() = default;
  OrAuto(T given) : value(given) {}  // NOLINT: a plain number is the usual case
  bool is_auto() const { return !value.has_value(); }
  operator T() const { return value.value(); }  // NOLINT: reads like a number
  bool operator==(const OrAuto&) const = default;
  template <class U>
  requires std::is_arithmetic_v<U>
  bool operator==(U number) const { return !is_auto() && *value == static_cast<T>(number); }
};

template <class T>
inline constexpr bool is_or_auto = false;
template <class T>
inline constexpr bool is_or_auto<OrAuto<T>> = true;

template <class T>
inline constexpr bool is_per_view = false;
template <class T>
inline constexpr bool is_per_view<PerView<T>> = true;

/// The initial values are the values of preset auto, where rules choose most of them.
struct Parameters {
  Index n_components = 2;
  Preset preset = Preset::automatic;
  OrAuto<Index> n_repeats;
  OrAuto<double> linear;
  OrAuto<Index> cross_fit;
  OrAuto<Index> n_estimators;
  PerView<double> learning_rate;     // auto
  PerView<Index> max_depth;          // auto
  PerView<double> min_child_weight;  // auto
  PerView<double> subsample = 1.0;
  PerView<double> colsample_bytree;  // auto
  PerView<double> reg_lambda = 1.0;
  PerView<Index> max_bin = 255;
  PerView<Index> screen;  // auto
  Trees trees = Trees::joint;
  OrAuto<Index> sketch;
  OrAuto<Index> leaf_sweeps;
  OrAuto<Index> n_oversamples;
  bool rotate = true;
  Objective objective = Objective::whitened;
  Schedule schedule = Schedule::jacobi;
  Init init = Init::pca;
  Index init_fade = 20;
  Index early_stopping_rounds = 0;
  EngineKind engine = EngineKind::native;
  Index n_jobs = -1;
  std::uint64_t random_state = 0;

  bool operator==(const Parameters&) const = default;

  /// Number of components that the trees are fitted to; the rotation keeps n_components of them.
  Index trained_components() const { return n_components + n_oversamples; }

  /// Number of trees that a boosting round adds to an encoder.
  Index trees_per_round() const { return trees == Trees::joint ? 1 : trained_components(); }

  /// Whether features of any view are screened.
  bool screens() const;

  /// The values of a preset. auto: fits on parts, and linear CCA where it is better. plain: one cross-fit with fixed
  /// settings. paper: Algorithm 1 of the paper.
  static Parameters of_preset(Preset preset);
};

/// The declaration of a parameter: name, limits (both inclusive unless `open_low`) and texts. `help` and `details` are
/// sentences without the final full stop.
struct Declaration {
  std::string_view name;
  std::string_view help;           // for all languages
  std::string_view details = "";   // for the docstrings of Python, after `help`
  std::string_view ssl_help = "";  // replaces `help` when learning from one table
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;             // low itself is excluded
  bool can_be_auto = false;          // PerView and OrAuto: "auto" is a value
  std::string_view auto_help = "";   // how "auto" is chosen
  bool stays_auto = false;           // chosen per fold, so the model file holds "auto"
  std::string_view zero_means = "";  // e.g. "off": another way to write 0
  bool affects_model = true;         // false: not written to the model file (n_jobs)
  bool may_be_absent = false;        // added after the first model format: if absent, the default holds
  bool in_ssl = true;                // false: fit_ssl accepts the default only
};

/// Calls visit(const Declaration&, member pointer) for every parameter, in the order of the docs.
template <class Visitor>
void for_each_parameter(Visitor&& visit) {
  using P = Parameters;
  constexpr double inf = std::numeric_limits<double>::infinity();
  visit(Declaration{.name = "n_components",
                    .help = "Number of components, 1 to half the number of samples",
                    .low = 1,
                    .high = 1024},
        &P::n_components);
  visit(Declaration{.name = "preset",
                    .help = "Values of all parameters that are not given. auto: several fits on parts of the samples, "
                            "averaged, with linear CCA where it is better; plain: one cross-fit; paper: Algorithm 1 of "
                            "the TreeCCA paper",
                    .ssl_help = "Values of all parameters that are not given. plain: settings for one table; paper: "
                                "Algorithm 3 of the TreeCCA paper; auto means plain"},
        &P::preset);
  visit(Declaration{.name = "n_repeats",
                    .help = "Number of random splits into five folds. One part is fitted without each fold and scored "
                            "on it; the model is the mean of all parts. 0: one cross-fit of all samples",
                    .low = 0,
                    .high = 20,
                    .can_be_auto = true,
                    .auto_help = "3 below 200 samples, 2 below 1,000, 1 below 20,000, else 0",
                    .zero_means = "off",
                    .may_be_absent = true,
                    .in_ssl = false},
        &P::n_repeats);
  visit(Declaration{.name = "linear",
                    .help = "Weight of linear CCA in the variates. 0: trees only; 1: linear CCA only",
                    .low = 0,
                    .high = 1,
                    .can_be_auto = true,
                    .auto_help = "0, 0.5 or 1, by the out-of-fold correlations",
                    .may_be_absent = true,
                    .in_ssl = false},
        &P::linear);
  visit(
      Declaration{.name = "cross_fit",
                  .help = "Number of folds inside a part; needed for out-of-fold correlations. 0: off, one encoder "
                          "per view and in-sample correlations only",
                  .ssl_help = "Number of folds; needed for out-of-fold correlations. 0: off, one encoder and in-sample "
                              "correlations only",
                  .low = 0,
                  .high = 1000,
                  .can_be_auto = true,
                  .auto_help = "3",
                  .zero_means = "off"},
      &P::cross_fit);
  visit(
      Declaration{.name = "n_estimators",
                  .help = "Number of boosting rounds",
                  .ssl_help = "Number of boosting rounds; auto is 150",
                  .low = 1,
                  .high = 1e6,
                  .can_be_auto = true,
                  .auto_help = "until the out-of-fold TCC inside a part stops rising, at most 500; 150 if n_repeats or "
                               "cross_fit is 0 and there are fewer than 20,000 samples"},
      &P::n_estimators);
  visit(Declaration{.name = "learning_rate",
                    .help = "Step size of every tree",
                    .low = 0,
                    .high = 1,
                    .open_low = true,
                    .can_be_auto = true,
                    .auto_help = "0.1; 0.2 with 20 or more components and 10,000 or more samples"},
        &P::learning_rate);
  visit(Declaration{.name = "max_depth",
                    .help = "Maximum depth of a tree",
                    .low = 1,
                    .high = 16,
                    .can_be_auto = true,
                    .auto_help =
                        "3 below 200 samples, else 4; 6 with 5 or more components and 1,000 or more samples; 8 with "
                        "20 or more and 10,000 or more"},
        &P::max_depth);
  visit(
      Declaration{.name = "min_child_weight",
                  .help = "Minimum number of training rows per leaf",
                  .low = 0,
                  .high = 1e9,
                  .can_be_auto = true,
                  .auto_help = "samples / 50, limited to 3..10; if max_depth=auto chooses 6, samples / 67, limited to "
                               "10..60; if it chooses 8, 30"},
      &P::min_child_weight);
  visit(Declaration{.name = "subsample",
                    .help = "Fraction of the rows drawn for each boosting round",
                    .low = 0,
                    .high = 1,
                    .open_low = true},
        &P::subsample);
  visit(Declaration{.name = "colsample_bytree",
                    .help = "Fraction of the features drawn for each tree",
                    .low = 0,
                    .high = 1,
                    .open_low = true,
                    .can_be_auto = true,
                    .auto_help = "100 / features, limited to 0.1..0.8"},
        &P::colsample_bytree);
  visit(Declaration{.name = "reg_lambda", .help = "L2 penalty on leaf values", .low = 0, .high = inf}, &P::reg_lambda);
  visit(Declaration{.name = "max_bin", .help = "Maximum number of histogram bins per feature", .low = 2, .high = 255},
        &P::max_bin);
  visit(
      Declaration{
          .name = "screen",
          .help = "Number of features per view that the trees may use: the features that depend most on another view. "
                  "0: all",
          .details = "Each fold chooses without its own rows. Screening misses signals that exist only in interactions "
                     "of features: compare with a fit without it. Linear CCA uses all features",
          .low = 0,
          .high = 16777216,
          .can_be_auto = true,
          .auto_help = "the features that score above permuted data; all if features are few, none scores above, or "
                       "the signal is widespread",
          .stays_auto = true,
          .zero_means = "none",
          .may_be_absent = true,
          .in_ssl = false},
      &P::screen);
  visit(
      Declaration{
          .name = "trees",
          .help =
              "Kind of trees. joint: one per boosting round, with a vector in each leaf; scalar: one per component"},
      &P::trees);
  visit(Declaration{.name = "sketch",
                    .help = "Number of random sums of the gradients for finding the splits of joint trees. 0: use the "
                            "gradients of all components",
                    .low = 0,
                    .high = 1024,
                    .can_be_auto = true,
                    .auto_help = "7 for native joint trees of more than 7 components, 15 with 20 or more; else 0",
                    .zero_means = "off",
                    .may_be_absent = true},
        &P::sketch);
  visit(Declaration{.name = "leaf_sweeps",
                    .help = "Number of refits of all leaf values after the last round. 0: none",
                    .low = 0,
                    .high = 100,
                    .can_be_auto = true,
                    .auto_help = "until the out-of-fold TCC inside a part stops rising, at most 6, for native joint "
                                 "trees of more than 7 components; else 0",
                    .zero_means = "off",
                    .may_be_absent = true,
                    .in_ssl = false},
        &P::leaf_sweeps);
  visit(Declaration{.name = "n_oversamples",
                    .help = "Extra components to fit; the rotation keeps the best n_components of all",
                    .details = "Without rotation the default is 0",
                    .low = 0,
                    .high = 1024,
                    .can_be_auto = true,
                    .auto_help =
                        "2, a quarter of the components with 20 or more; 0 if n_repeats is 0, unless there are 20 or "
                        "more components and 10,000 or more samples",
                    .may_be_absent = true},
        &P::n_oversamples);
  visit(Declaration{.name = "rotate",
                    .help = "Rotate the components after training, so that they are ordered and uncorrelated"},
        &P::rotate);
  visit(Declaration{.name = "objective",
                    .help = "Targets of the trees. whitened: whitened embeddings of the other views; ey: the paper's "
                            "Eckart-Young gradient"},
        &P::objective);
  visit(
      Declaration{
          .name = "schedule",
          .help = "Order of updates. jacobi: all views from the same state; gauss-seidel: each from the newest state",
          .in_ssl = false},
      &P::schedule);
  visit(Declaration{.name = "init", .help = "Initial values of the embeddings"}, &P::init);
  visit(
      Declaration{.name = "init_fade",
                  .help = "Rounds over which the initial values fade out. 0: keep them in the model as a base margin",
                  .ssl_help =
                      "Rounds over which the initial values fade out. 0: keep them in all rounds. They are never part "
                      "of the model",
                  .low = 0,
                  .high = 1e6},
      &P::init_fade);
  visit(Declaration{.name = "early_stopping_rounds",
                    .help = "Stop after this number of rounds without a higher out-of-fold TCC. 0: run all rounds "
                            "(n_estimators=auto stops by its own rule)",
                    .low = 0,
                    .high = 1e6,
                    .zero_means = "off",
                    .in_ssl = false},
        &P::early_stopping_rounds);
  visit(Declaration{.name = "engine",
                    .help = "Library that grows the trees: TreeCCA itself, or an installed XGBoost or LightGBM",
                    .details = "The fitted model does not need that library. LightGBM has scalar trees only"},
        &P::engine);
  visit(Declaration{.name = "n_jobs",
                    .help = "Number of threads; does not change the result. -1: all processors",
                    .low = -1,
                    .high = 4096,
                    .affects_model = false},
        &P::n_jobs);
  visit(Declaration{.name = "random_state",
                    .help = "Seed. The same data, settings and seed give the same model, byte for byte",
                    .low = 0,
                    .high = 9007199254740992.0},
        &P::random_state);
}

/// Throws UsageError naming the first parameter that is out of range, or that has a number of per-view values other
/// than 1 and `n_views` (pass 0 to skip that check).
void validate(const Parameters& parameters, Index n_views = 0);

/// Sets one parameter from text, as the command line and config files do: numbers, names of choices, true/false,
/// "auto", and comma-separated lists for per-view values. Throws UsageError with the parameter and its allowed values;
/// `parameters` is then unchanged. Dashes and underscores in `name` are the same. Setting `preset` takes over all
/// settings of that preset but n_components, n_jobs and random_state: set it first.
void set_from_text(Parameters& parameters, std::string_view name, std::string_view text);

/// (name, text) pairs, as set_from_text takes them.
using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

/// Parameters from (name, text) pairs in any order: the values of the preset among them by `of_preset`, and all others
/// on top. Without rotation the preset's n_oversamples become 0 (unless it is given). UsageError as above.
Parameters parameters_from_texts(const ParameterTexts& texts, Parameters (*of_preset)(Preset) = Parameters::of_preset);

/// The text that `set_from_text` would turn into the current value.
std::string to_text(const Parameters& parameters, std::string_view name);

/// The values that a parameter accepts: "an integer, 1 to 16 (one value, or one per view)".
std::string allowed_values(std::string_view name);

/// docs/parameters.md: one table row per parameter.
std::string parameter_reference_markdown();

}  // namespace treecca
