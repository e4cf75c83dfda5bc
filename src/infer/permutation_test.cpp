#include "treecca/permutation_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/dataset.hpp"
#include "data/row_orders.hpp"
#include "data/view_warnings.hpp"
#include "fit/candidate.hpp"
#include "fit/judge.hpp"
#include "fit/resolve.hpp"
#include "infer/exchange.hpp"
#include "infer/refits.hpp"
#include "infer/step_down.hpp"
#include "support/order.hpp"
#include "support/parallel.hpp"
#include "support/text.hpp"
#include "train/train.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr Index kFolds = 5;
constexpr Index kRounds = 30;
constexpr double kLearningRate = 0.2;
constexpr Index kMaxBin = 32;
constexpr Index kOversamples =
    4;                        // more initial directions: squares are found far more often (docs/guide/significance.md)
constexpr Index kBatch = 32;  // permutations between two looks at the p-values

/// The smaller fit that the test repeats.
Parameters statistic_parameters(const Parameters& fitted, const Dataset& data) {
  Parameters parameters = fitted;
  parameters.engine = EngineKind::native;
  parameters.n_repeats = 0;
  parameters.cross_fit = std::clamp<Index>(data.samples.independent(), 2, kFolds);
  parameters.n_estimators = kRounds;
  parameters.early_stopping_rounds = 0;
  parameters.learning_rate = kLearningRate;
  parameters.rotate = true;
  parameters.n_oversamples =
      std::min(kOversamples, std::max<Index>(0, data.samples.total() / 2 - parameters.n_components));
  parameters.leaf_sweeps = 0;
  std::vector<Index> max_bin;
  for (Index v = 0; v < static_cast<Index>(data.views.size()); ++v) {
    max_bin.push_back(std::min(kMaxBin, fitted.max_bin.at(v)));
  }
  parameters.max_bin.values = max_bin;
  return resolve(parameters, data);
}

/// The statistic as a function of the orders of the rows.
class Statistic {
 public:
  Statistic(const Dataset& data, Parameters parameters, const RunOptions& options, Threads threads)
      : data_(data), setting_{std::move(parameters), {}}, shared_(data) {
    quiet_.stop = options.stop;
    setting_.curves = Curves::tcc;
    splits_ = make_splits(data.samples, setting_.parameters);
    check_engine(setting_, data);
    Run run(quiet_, threads.count);
    prepare(shared_, setting_, run);
    if (!is_single_fit(setting_.parameters)) {
      linear_.emplace(matrices_of(shared_.designs()), data.samples, setting_.parameters.random_state, threads,
                      covariates_of(data));
    }
  }

  /// The statistic of the data. Components are in the order of the rotations, which were estimated on other folds.
  ComponentCorrelations observed() { return judged(shared_, linear_ ? &*linear_ : nullptr); }

  /// The statistic of permuted data. Thread-safe.
  ComponentCorrelations permuted(const RowOrders& orders) {
    const ReorderedDataset reordered(data_, orders);
    TrainingData training(reordered.data(), shared_, orders);
    if (!linear_) return judged(training, nullptr);
    const LinearViews linear(*linear_, matrices_of(training.designs()), orders, covariates_of(reordered.data()));
    return judged(training, &linear);
  }

 private:
  ComponentCorrelations judged(TrainingData& training, const LinearViews* linear) const {
    Run run(quiet_, 1);
    const CvFolds folds = judge_folds(training, linear, setting_, splits_, run);
    return nested_correlations(folds.plain, folds.shipped, folds.n_views, std::llround(data_.samples.effective_rows()));
  }

  const Dataset& data_;
  Setting setting_;
  RunOptions quiet_;
  TrainingData shared_;
  std::vector<Folds> splits_;
  std::optional<LinearViews> linear_;
};

/// The correlations of each pair of views v < w.
StepDown::Families of_pairs(const ComponentCorrelations& correlations, std::size_t n_views) {
  const std::size_t k = correlations.per_component.size();
  StepDown::Families pairs;
  for (std::size_t v = 0; v < n_views; ++v) {
    for (std::size_t w = v + 1; w < n_views; ++w) {
      const auto begin = correlations.pairwise.begin() + static_cast<std::ptrdiff_t>((v * n_views + w) * k);
      pairs.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(k));
    }
  }
  return pairs;
}

/// M x M x K from pairs v < w; NaN on the diagonal.
std::vector<double> for_all_pairs(const StepDown::Families& pairs, std::size_t n_views) {
  const std::size_t k = pairs[0].size();
  std::vector<double> all(n_views * n_views * k, std::nan(""));
  std::size_t pair = 0;
  for (std::size_t v = 0; v < n_views; ++v) {
    for (std::size_t w = v + 1; w < n_views; ++w, ++pair) {
      for (const std::size_t at : {v * n_views + w, w * n_views + v}) {
        std::copy(pairs[pair].begin(), pairs[pair].end(), all.begin() + static_cast<std::ptrdiff_t>(at * k));
      }
    }
  }
  return all;
}

/// A sentence if the views are not the views that the model was fitted to; else empty.
std::string warning_of_other_data(const Model& model, const Dataset& data) {
  std::string difference;
  if (data.views.size() != model.views.size()) {
    difference = fmt::format("There are {} views, in the model {}.", data.views.size(), model.views.size());
  }
  for (std::size_t v = 0; v < data.views.size() && difference.empty(); ++v) {
    const Index given = data.views[v].values.cols(), fitted = std::ssize(model.views[v].feature_names);
    if (given != fitted) {
      difference =
          fmt::format("View {} has {} features, in the model {}.", in_quotes(data.views[v].name), given, fitted);
    }
  }
  if (difference.empty()) difference = other_samples(model, data);
  return difference.empty() ? "" : difference + " The p-values describe the given data, not the model.";
}

std::vector<std::string> warnings_about(const Exchange& exchange, Index n_permutations, std::size_t n_views,
                                        const Samples& samples) {
  constexpr double kLevel = 0.05;
  std::vector<std::string> warnings;
  if (exchange.kind() == Permute::rows && samples.grouped()) {
    warnings.push_back(
        "Rows are permuted although there are groups: the p-values are valid only if samples of the same group are "
        "independent. If they are not, permute groups.");
  }
  if (const Exchange::InPlace& stay = exchange.in_place(); stay.groups > 0) {
    warnings.push_back(fmt::format("{} of {} groups ({} sample{}) {} and {} not exchanged: the test has less power.",
                                   stay.groups, stay.of_groups, stay.samples, stay.samples == 1 ? "" : "s",
                                   samples.complete()
                                       ? (stay.groups == 1 ? "has a size of its own" : "have a size of their own")
                                       : (stay.groups == 1 ? "has a size, or lacks views, as no other group"
                                                           : "have sizes, or lack views, as no other group"),
                                   stay.groups == 1 ? "is" : "are"));
  }
  const double log10_orders = exchange.log10_orders() * static_cast<double>(n_views - 1);
  if (log10_orders < std::log10(static_cast<double>(n_permutations))) {
    warnings.push_back(
        fmt::format("There are only {:.0f} different permutations{}, so p-values cannot be far below {:.2g}.",
                    std::pow(10, log10_orders),
                    exchange.kind() == Permute::groups ? " (groups are exchanged with groups of the same size)" : "",
                    std::pow(10, -log10_orders)));
  } else if (const double lowest = 1 / static_cast<double>(n_permutations + 1); lowest > kLevel) {
    warnings.push_back(fmt::format("With {} permutation{} no p-value can be below {:.2g}. Ask for at least 99.",
                                   n_permutations, n_permutations == 1 ? "" : "s", lowest));
  }
  return warnings;
}

}  // namespace

Permute permute_kind(std::string_view name) {
  for (const Permute kind : {Permute::automatic, Permute::rows, Permute::groups, Permute::within_groups}) {
    if (name == name_of(kind)) return kind;
  }
  throw UsageError(fmt::format("permute must be auto, rows, groups or within_groups, not \"{}\".", name));
}

std::string_view name_of(Permute kind) {
  switch (kind) {
    case Permute::rows:
      return "rows";
    case Permute::groups:
      return "groups";
    case Permute::within_groups:
      return "within_groups";
    case Permute::automatic:
      break;
  }
  return "auto";
}

PermutationTest permutation_test(const std::vector<View>& views, const Parameters& fitted,
                                 const PermutationOptions& options) {
  if (options.n_permutations < 1) {
    throw UsageError(fmt::format("n_permutations must be at least 1, not {}.", options.n_permutations));
  }
  if (options.fit.communicator != nullptr) {
    throw UsageError("Permutations run in one process only. Test a sample of the rows.");
  }
  const Dataset data = check_dataset(views, options.fit);
  const Exchange exchange(data.samples, options.permute);
  const Threads threads(thread_count(fitted.n_jobs), options.fit.stop);
  const Parameters parameters = statistic_parameters(fitted, data);

  PermutationTest test;
  test.permute = exchange.kind();
  test.n_permutations = options.n_permutations;
  test.warnings = warnings_about(exchange, options.n_permutations, views.size(), data.samples);
  if (options.fitted != nullptr) {
    std::string other = warning_of_other_data(*options.fitted, data);
    if (!other.empty()) test.warnings.push_back(std::move(other));
  }
  Run run(options.fit, fitted.n_jobs);
  run.warn(test.warnings);
  Statistic statistic(data, parameters, options.fit, threads);
  ComponentCorrelations observed = statistic.observed();
  observed = observed.in_order(descending_order(observed.per_component));
  test.correlations = observed.per_component;
  test.pairwise_correlations = observed.pairwise;
  const std::size_t n_views = views.size(), k = observed.per_component.size();
  StepDown overall({observed.per_component}), pairwise(of_pairs(observed, n_views));
  const auto decided = [&] { return overall.decided() && pairwise.decided(); };

  std::vector<std::vector<double>> null;
  run.start_rounds();
  for (Index begin = 0; begin < options.n_permutations && !decided(); begin += kBatch) {
    const Index end = std::min(begin + kBatch, options.n_permutations);
    std::vector<ComponentCorrelations> batch(static_cast<std::size_t>(end - begin));
    parallel_for(end - begin, threads, [&](Index b) {
      RowOrders orders(n_views);
      for (std::size_t v = 1; v < n_views; ++v) {
        orders[v] = exchange.order(fitted.random_state, static_cast<std::uint64_t>(begin + b) * n_views + v);
      }
      batch[static_cast<std::size_t>(b)] = statistic.permuted(orders);
    });
    run.check_stop();
    for (std::size_t b = 0; b < batch.size() && !decided(); ++b) {
      overall.add({batch[b].per_component});
      pairwise.add(of_pairs(batch[b], n_views));
      std::vector<double> highest = StepDown::highest_of_leading({batch[b].per_component})[0];
      std::reverse(highest.begin(), highest.end());
      null.push_back(std::move(highest));
    }
    run.report_round(end, options.n_permutations, overall.p_values()[0][0], false);
  }

  test.null = Matrix<double>(static_cast<Index>(null.size()), static_cast<Index>(k));
  for (std::size_t b = 0; b < null.size(); ++b) {
    std::copy(null[b].begin(), null[b].end(), test.null.row(static_cast<Index>(b)));
  }
  test.p_values = overall.p_values()[0];
  test.pairwise_p_values = for_all_pairs(pairwise.p_values(), n_views);
  return test;
}

}  // namespace treecca
