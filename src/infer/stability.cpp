#include "treecca/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/dataset.hpp"
#include "fit/alignment.hpp"
#include "infer/half_samples.hpp"
#include "infer/match.hpp"
#include "infer/suggest.hpp"
#include "linalg/row_products.hpp"
#include "support/order.hpp"
#include "support/parallel.hpp"
#include "support/random.hpp"
#include "support/run.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"
#include "treecca/importance.hpp"
#include "treecca/new_data.hpp"
#include "treecca/transform.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kTail = 0.025;  // on each side of a range

Variates to_eigen(const std::vector<Matrix<float>>& views) {
  Variates result;
  for (const Matrix<float>& z : views) {
    result.push_back(MatrixXd::NullaryExpr(z.rows(), z.cols(), [&](Index i, Index c) { return double{z(i, c)}; }));
  }
  return result;
}

/// Out of fold; in sample where there are no folds.
Variates unseen_variates(const FitResult& result) {
  return to_eigen(result.out_of_fold.empty() ? result.variates : result.out_of_fold);
}

Variates rows_of(const Variates& z, const std::vector<Index>& rows) {
  Variates result;
  for (const MatrixXd& of_view : z) result.emplace_back(of_view(rows, Eigen::all));
  return result;
}

/// Each view times a K x K matrix.
Variates each_times(const Variates& z, const MatrixXd& by) {
  Variates result;
  for (const MatrixXd& of_view : z) result.emplace_back(of_view * by);
  return result;
}

/// The model whose variates are those of `model` times a rotation.
Model rotated(Model model, const MatrixXd& by) {
  for (ViewModel& view : model.views) {
    for (PartModel& part : view.parts) part.rotation = times(part.rotation, by);
    if (!view.linear.empty()) view.linear.weights = times(view.linear.weights, by);
  }
  return model;
}

/// How a refit compares with the model, one number per component.
struct Comparison {
  VectorXd agreement, recovered;
  MatrixXd rotation;  // K x K: brings the refit nearest to the model
};

/// Variates of the same samples.
struct VariatePair {
  Variates model, refit;
  VectorXd weights;
};

/// Matched by samples that the refit saw, judged by those that it did not see.
Comparison compare(const VariatePair& seen, const VariatePair& unseen) {
  const Matching matching = match_components(component_correlations(seen.model, seen.refit, seen.weights));
  Comparison result;
  result.rotation = rotation_towards(seen.refit, seen.model, seen.weights, Peers());
  const MatrixXd correlations = component_correlations(unseen.model, unseen.refit, unseen.weights);
  const MatrixXd of_rotated =
      component_correlations(unseen.model, each_times(unseen.refit, result.rotation), unseen.weights);
  result.agreement = VectorXd(correlations.rows());
  for (Index k = 0; k < correlations.rows(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    result.agreement(k) = matching.sign[at] * correlations(k, matching.of[at]);
  }
  result.recovered = of_rotated.diagonal();
  return result;
}

/// What a refit to a half leaves behind.
struct HalfResult {
  Comparison comparison;
  std::vector<double> correlations;        // K
  std::vector<Matrix<double>> importance;  // per view K x p
};

/// Between the two nearest of the sorted values.
double quantile(std::vector<double> values, double probability) {
  std::sort(values.begin(), values.end());
  const double at = probability * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

/// Mean and range of each column.
RefitRange range_of(const Matrix<double>& refits) {
  RefitRange range;
  for (Index c = 0; c < refits.cols(); ++c) {
    std::vector<double> values;
    for (Index b = 0; b < refits.rows(); ++b) values.push_back(refits(b, c));
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    range.mean.push_back(sum / static_cast<double>(values.size()));
    range.low.push_back(quantile(values, kTail));
    range.high.push_back(quantile(values, 1 - kTail));
  }
  return range;
}

Index usual_top(Index features) {
  return std::max<Index>(1, static_cast<Index>(std::sqrt(0.8 * static_cast<double>(features))));
}

class StabilityStudy {
 public:
  StabilityStudy(const Model& model, const std::vector<View>& views, const StabilityOptions& options,
                 const Samples& samples)
      : model_(model), views_(views), options_(options), samples_(samples), run_(options.fit, model.asked.n_jobs) {
    quiet_ = options.fit;
    quiet_.on_round = nullptr;
    quiet_.on_warning = nullptr;
    weights_ = VectorXd::NullaryExpr(samples.here(), [&](Index i) { return samples.weight(i); });
  }

  Stability study() {
    const Index half_fits = options_.n_subsamples;
    total_ = 1 + half_fits + options_.n_seeds;
    run_.start_rounds();
    reference_ = fit(views_, parameters_with(model_.asked.random_state, run_.threads().count), quiet_);
    done(1);
    reference_variates_ = unseen_variates(reference_);
    result_.subsample_correlations = Matrix<double>(half_fits, n_components());
    result_.subsample_agreement = result_.subsample_recovered = result_.subsample_correlations;
    std::vector<HalfResult> halves(static_cast<std::size_t>(half_fits));
    in_batches(half_fits, [&](Index b) { halves[static_cast<std::size_t>(b)] = refit_half(b); });
    Matrix<double> by_seed(options_.n_seeds, n_components());
    in_batches(options_.n_seeds, [&](Index s) {
      const VectorXd agreement = refit_seed(s).agreement;
      std::copy(agreement.begin(), agreement.end(), by_seed.row(s));
    });
    for (Index b = 0; b < half_fits; ++b) {
      const HalfResult& half = halves[static_cast<std::size_t>(b)];
      for (Index k = 0; k < n_components(); ++k) {
        result_.subsample_correlations(b, k) = half.correlations[static_cast<std::size_t>(k)];
        result_.subsample_agreement(b, k) = half.comparison.agreement(k);
        result_.subsample_recovered(b, k) = half.comparison.recovered(k);
      }
    }
    result_.agreement = range_of(result_.subsample_agreement);
    result_.recovered = range_of(result_.subsample_recovered);
    if (options_.n_seeds > 0) result_.seed_agreement = range_of(by_seed);
    for (std::size_t v = 0; v < views_.size(); ++v) result_.features.push_back(features_of(v, halves));
    const Suggestion suggestion = suggest({model_.found(), options_.p_values, result_.recovered.mean});
    result_.suggested = suggestion.n_components;
    result_.reason = suggestion.reason;
    return std::move(result_);
  }

 private:
  Index n_components() const { return model_.n_components(); }

  Parameters parameters_with(std::uint64_t seed, Index n_jobs) const {
    Parameters parameters = model_.asked;
    parameters.random_state = seed;
    parameters.n_jobs = n_jobs;
    return parameters;
  }

  std::uint64_t seed_of_refit(std::uint64_t kind, Index number) const {
    return RandomKey(options_.random_state, Draw::subsample, {kind, static_cast<std::uint64_t>(number)}).bits(0) >> 11;
  }

  void done(Index refits) {
    done_ += refits;
    run_.report_round(done_, total_, std::nan(""), false);
  }

  /// Side by side, one thread each; progress from the calling thread.
  template <class Body>
  void in_batches(Index count, Body&& body) {
    const Index batch = run_.threads().count;
    for (Index begin = 0; begin < count; begin += batch) {
      const Index end = std::min(begin + batch, count);
      parallel_for(end - begin, run_.threads(), [&](Index i) { body(begin + i); });
      done(end - begin);
    }
  }

  HalfResult refit_half(Index number) const {
    const auto halves = random_halves(samples_, options_.random_state, static_cast<std::uint64_t>(number / 2));
    const std::vector<Index>& rows = halves[static_cast<std::size_t>(number % 2)];
    const std::vector<Index>& others = halves[static_cast<std::size_t>(1 - number % 2)];
    const RowSubset half(views_, options_.fit, rows), rest(views_, options_.fit, others);
    FitOptions own = quiet_;
    static_cast<SampleOptions&>(own) = half.options();
    HalfResult result;
    try {
      FitResult refit = fit(half.views(), parameters_with(seed_of_refit(0, number), 1), own);
      const Variates of_rest = to_eigen(transform(refit.model, rest.views(), 1, rest.options().covariates));
      result.comparison = compare({rows_of(reference_variates_, rows), unseen_variates(refit), weights_(rows)},
                                  {rows_of(reference_variates_, others), of_rest, weights_(others)});
      result.correlations =
          refit.model.correlations.out_of_fold.empty() ? refit.model.correlations.in_sample
                                                       : refit.model.correlations.out_of_fold;
      const Model like_model = rotated(std::move(refit.model), result.comparison.rotation);
      for (Index v = 0; v < static_cast<Index>(views_.size()); ++v) {
        result.importance.push_back(component_importances(like_model, v, ImportanceKind::gain));
      }
    } catch (const DataError& error) {
      throw DataError(fmt::format("A half of the samples ({} of {}) cannot be fitted: {}", rows.size(),
                                  samples_.here(), error.what()));
    }
    return result;
  }

  Comparison refit_seed(Index number) const {
    const FitResult refit = fit(views_, parameters_with(seed_of_refit(1, number), 1), quiet_);
    return compare({to_eigen(reference_.variates), to_eigen(refit.variates), weights_},
                   {reference_variates_, unseen_variates(refit), weights_});
  }

  FeatureStability features_of(std::size_t v, const std::vector<HalfResult>& halves) const {
    FeatureStability features;
    features.importance = component_importances(model_, static_cast<Index>(v), ImportanceKind::gain);
    const Index k = features.importance.rows(), p = features.importance.cols();
    features.n_top = std::min(p, options_.n_top > 0 ? options_.n_top : usual_top(p));
    features.low = features.high = features.frequency = Matrix<double>(k, p);
    const auto count = static_cast<double>(halves.size());
    for (const HalfResult& half : halves) {
      for (Index c = 0; c < k; ++c) {
        const double* values = half.importance[v].row(c);
        const std::vector<Index> order = descending_order(std::vector<double>(values, values + p));
        for (Index i = 0; i < features.n_top; ++i) {
          const Index j = order[static_cast<std::size_t>(i)];
          if (values[j] > 0) features.frequency(c, j) += 1 / count;
        }
      }
    }
    parallel_for(k * p, run_.threads(), [&](Index at) {
      std::vector<double> values;
      for (const HalfResult& half : halves) values.push_back(half.importance[v].values()[static_cast<std::size_t>(at)]);
      features.low.values()[static_cast<std::size_t>(at)] = quantile(values, kTail);
      features.high.values()[static_cast<std::size_t>(at)] = quantile(values, 1 - kTail);
    });
    return features;
  }

  const Model& model_;
  const std::vector<View>& views_;
  const StabilityOptions& options_;
  const Samples& samples_;
  Run run_;
  FitOptions quiet_;
  VectorXd weights_;
  FitResult reference_;
  Variates reference_variates_;
  Index done_ = 0, total_ = 0;
  Stability result_;
};

void check_options(const Model& model, const StabilityOptions& options) {
  if (options.n_subsamples < 2 || options.n_subsamples % 2 != 0) {
    throw UsageError(fmt::format("n_subsamples must be even and at least 2, because halves come in pairs; not {}.",
                                 options.n_subsamples));
  }
  if (options.n_seeds < 0) throw UsageError(fmt::format("n_seeds must be at least 0, not {}.", options.n_seeds));
  if (options.n_top < 0) throw UsageError(fmt::format("n_top must be at least 1, not {}.", options.n_top));
  if (!options.p_values.empty() && static_cast<Index>(options.p_values.size()) != model.n_components()) {
    throw UsageError(fmt::format("There are {} p-values, but the model has {} component{}.", options.p_values.size(),
                                 model.n_components(), model.n_components() == 1 ? "" : "s"));
  }
  for (const double p : options.p_values) {
    if (!(p >= 0 && p <= 1)) throw UsageError(fmt::format("p-values are from 0 to 1, not {}.", p));
  }
  if (options.fit.communicator != nullptr) {
    throw UsageError("The stability of a fit is measured in one process only. Take a sample of the rows.");
  }
  if (model.views.size() < 2) {
    throw UsageError("The stability of a fit is measured for two or more views; this model is of one table.");
  }
}

/// The samples must be those of the fit.
void check_same_samples(const Model& model, const Dataset& data) {
  for (std::size_t v = 0; v < data.views.size() && v < model.views.size(); ++v) {
    if (data.views[v].name != model.views[v].name) {
      throw DataError(fmt::format("View {} is {}, in the model it is {}. Give the views in the order of the model.",
                                  v + 1, in_quotes(data.views[v].name), in_quotes(model.views[v].name)));
    }
  }
  constexpr double kAll = 0.999;
  const SeenSamples seen = seen_samples(model, matrices_of(data.views));
  const bool known = !model.row_hashes.empty();
  if (static_cast<std::uint64_t>(data.samples.total()) == model.n_samples && (!known || seen.share >= kAll)) return;
  throw DataError(fmt::format(
      "These are not the samples of the fit: {} of {} samples are given{}. Stability compares refits with the model, so "
      "give the data that the model was fitted to.",
      data.samples.total(), model.n_samples,
      known ? fmt::format(", and the model recognises {:.0f} % of them", 100 * seen.share) : ""));
}

/// Each half must be enough for a fit.
void check_halves(const Samples& samples) {
  constexpr Index kMinGroups = 8;  // four in a half
  if (samples.total() < 2 * kMinSamples) {
    throw DataError(fmt::format("{} samples are too few to be halved: at least {} are needed.", samples.total(),
                                2 * kMinSamples));
  }
  if (samples.grouped() && samples.independent() < kMinGroups) {
    throw DataError(fmt::format("{} groups are too few to be halved: at least {} are needed.", samples.independent(),
                                kMinGroups));
  }
}

}  // namespace

Stability stability(const Model& model, const std::vector<View>& views, const StabilityOptions& options) {
  check_options(model, options);
  const Dataset data = check_dataset(views, options.fit);
  check_same_samples(model, data);
  check_halves(data.samples);
  return StabilityStudy(model, views, options, data.samples).study();
}

}  // namespace treecca
