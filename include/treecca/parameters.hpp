// The parameters of a fit, declared once.
//
// `for_each_parameter` below is the only place where a parameter's name, range, default and meaning stand.
// The command line, the model file, the validation and docs/parameters.md are made from it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

enum class Preset { standard, paper };
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
  static constexpr std::array<std::string_view, 2> value{"default", "paper"};
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

/// A value that may differ from view to view: empty = chosen from the data ("auto"), one value = the
/// same for all views, otherwise one value per view.
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

struct Parameters {
  Index n_components = 2;
  Index n_oversamples = 0;
  Preset preset = Preset::standard;
  Objective objective = Objective::whitened;
  Trees trees = Trees::joint;
  Index cross_fit = 5;
  Index n_estimators = 150;
  PerView<double> learning_rate = 0.1;
  PerView<Index> max_depth = 4;
  PerView<double> min_child_weight;  // auto
  PerView<double> subsample = 1.0;
  PerView<double> colsample_bytree;  // auto
  PerView<double> reg_lambda = 1.0;
  PerView<Index> max_bin = 255;
  PerView<Index> screen = Index{0};  // none
  Schedule schedule = Schedule::jacobi;
  Init init = Init::pca;
  Index init_fade = 20;
  bool rotate = true;
  Index early_stopping_rounds = 0;
  EngineKind engine = EngineKind::native;
  Index n_jobs = -1;
  std::uint64_t random_state = 0;

  bool operator==(const Parameters&) const = default;

  /// How many components the trees are fitted to; all but n_components are dropped after the rotation.
  Index trained_components() const { return n_components + n_oversamples; }

  /// Whether features of any view are screened.
  bool screens() const;

  /// The settings a preset stands for. `paper` is Algorithm 1 of the paper, line by line.
  static Parameters of_preset(Preset preset);
};

/// What is known about a parameter besides its member: its name, its limits (both inclusive unless
/// `open_low`) and one sentence for help texts.
struct Declaration {
  std::string_view name;
  std::string_view help;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;             // low itself is not allowed
  bool can_be_auto = false;          // PerView only: "auto" is a value
  std::string_view auto_help = "";   // how "auto" is chosen
  bool stays_auto = false;           // what is chosen differs from fold to fold: a model keeps the word
  std::string_view zero_means = "";  // e.g. "off": spelling that stands for 0
  bool affects_model = true;         // false: not written to the model file (n_jobs)
  bool may_be_absent = false;        // newer than the first model files: one without it has the default
};

/// Calls visit(const Declaration&, member pointer) for every parameter, in the order of the docs.
template <class Visitor>
void for_each_parameter(Visitor&& visit) {
  using P = Parameters;
  constexpr double inf = std::numeric_limits<double>::infinity();
  visit(Declaration{.name = "n_components", .help = "number of components (K) to find", .low = 1, .high = 1024},
        &P::n_components);
  visit(Declaration{.name = "n_oversamples",
                    .help = "components fitted beyond those asked for; the rotation keeps the best",
                    .low = 0,
                    .high = 1024,
                    .may_be_absent = true},
        &P::n_oversamples);
  visit(
      Declaration{.name = "preset", .help = "start from these settings; \"paper\" is Algorithm 1 of the TreeCCA paper"},
      &P::preset);
  visit(Declaration{.name = "objective",
                    .help = "what the trees are fitted to: whitened targets, or the paper's Eckart-Young gradient"},
        &P::objective);
  visit(
      Declaration{.name = "trees",
                  .help = "one tree per round with a vector in each leaf (joint), or one tree per component (scalar)"},
      &P::trees);
  visit(Declaration{.name = "cross_fit",
                    .help = "number of folds for cross-fitting, which makes the reported correlations honest; 0 = off",
                    .low = 0,
                    .high = 1000,
                    .zero_means = "off"},
        &P::cross_fit);
  visit(Declaration{.name = "n_estimators", .help = "number of boosting rounds", .low = 1, .high = 1e6},
        &P::n_estimators);
  visit(Declaration{.name = "learning_rate", .help = "step size of every tree", .low = 0, .high = 1, .open_low = true},
        &P::learning_rate);
  visit(Declaration{.name = "max_depth", .help = "greatest depth of a tree", .low = 1, .high = 16}, &P::max_depth);
  visit(Declaration{.name = "min_child_weight",
                    .help = "least number of training rows in a leaf",
                    .low = 0,
                    .high = 1e9,
                    .can_be_auto = true,
                    .auto_help = "rows / 50, at least 3 and at most 10"},
        &P::min_child_weight);
  visit(Declaration{.name = "subsample",
                    .help = "share of the rows drawn for each round's trees",
                    .low = 0,
                    .high = 1,
                    .open_low = true},
        &P::subsample);
  visit(Declaration{.name = "colsample_bytree",
                    .help = "share of the features drawn for each tree",
                    .low = 0,
                    .high = 1,
                    .open_low = true,
                    .can_be_auto = true,
                    .auto_help = "100 / features, at least 0.1 and at most 0.8"},
        &P::colsample_bytree);
  visit(Declaration{.name = "reg_lambda", .help = "L2 penalty on leaf values", .low = 0, .high = inf}, &P::reg_lambda);
  visit(Declaration{.name = "max_bin", .help = "greatest number of histogram bins per feature", .low = 2, .high = 255},
        &P::max_bin);
  visit(Declaration{.name = "screen",
                    .help = "features of a view that trees may use: those that depend most on a feature of another "
                            "view, chosen without the rows of the fold",
                    .low = 0,
                    .high = 16777216,
                    .can_be_auto = true,
                    .auto_help = "those that stand out, where a view has many features and few of them do; else all",
                    .stays_auto = true,
                    .zero_means = "none",
                    .may_be_absent = true},
        &P::screen);
  visit(Declaration{.name = "schedule",
                    .help =
                        "update all views from the same state (jacobi), or each from the newest state (gauss-seidel)"},
        &P::schedule);
  visit(Declaration{.name = "init", .help = "start values of the embeddings"}, &P::init);
  visit(Declaration{.name = "init_fade",
                    .help =
                        "rounds over which the start values fade out; 0 = they stay, as base margin, also for new data",
                    .low = 0,
                    .high = 1e6},
        &P::init_fade);
  visit(Declaration{.name = "rotate",
                    .help = "turn the components after training so that they are ordered and uncorrelated"},
        &P::rotate);
  visit(
      Declaration{.name = "early_stopping_rounds",
                  .help = "stop when the out-of-fold correlation has not risen for so many rounds; 0 = run all rounds",
                  .low = 0,
                  .high = 1e6,
                  .zero_means = "off"},
      &P::early_stopping_rounds);
  visit(Declaration{.name = "engine",
                    .help = "what grows the trees: TreeCCA itself, or an installed XGBoost or LightGBM"},
        &P::engine);
  visit(Declaration{.name = "n_jobs",
                    .help = "number of threads; -1 = all processors; never changes a result",
                    .low = -1,
                    .high = 4096,
                    .affects_model = false},
        &P::n_jobs);
  visit(Declaration{.name = "random_state",
                    .help = "seed; the same seed gives the same model, byte for byte",
                    .low = 0,
                    .high = 9007199254740992.0},
        &P::random_state);
}

/// Throws UsageError naming the first parameter that is out of range, or that has a number of per-view
/// values other than 1 and `n_views` (pass 0 to skip that check).
void validate(const Parameters& parameters, Index n_views = 0);

/// Sets one parameter from text, as the command line and config files do: numbers, names of choices,
/// true/false, "auto", and comma-separated lists for per-view values. Throws UsageError that names the
/// parameter and says what is allowed; `parameters` is then unchanged. Dashes and underscores in `name` are the same.
/// Setting `preset` takes over all settings of that preset but n_components, n_jobs and random_state: set it first.
void set_from_text(Parameters& parameters, std::string_view name, std::string_view text);

/// Parameters from (name, text) pairs in any order: what the preset among them stands for by `of_preset`, and all
/// others on top. Without rotation the preset's n_oversamples become 0 (one that is given stays). UsageError as above.
Parameters parameters_from_texts(const std::vector<std::pair<std::string, std::string>>& texts,
                                 Parameters (*of_preset)(Preset) = Parameters::of_preset);

/// The text that `set_from_text` would turn into the current value.
std::string to_text(const Parameters& parameters, std::string_view name);

/// What a parameter accepts, in words: "a whole number at least 1 and at most 16, or a list with one value per view".
std::string allowed_values(std::string_view name);

/// docs/parameters.md: one table row per parameter.
std::string parameter_reference_markdown();

}  // namespace treecca
