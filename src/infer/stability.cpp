#include "treecca/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

/// Zeros where a sample lacks the view.
Variates to_eigen(const std::vector<Matrix<float>>& views) {
  Variates result;
  for (const Matrix<float>& z : views) {
    result.push_back(MatrixXd::NullaryExpr(
        z.rows(), z.cols(), [&](Index i, Index c) { return std::isnan(z(i, c)) ? 0.0 : double{z(i, c)}; }));
  }
  return result;
}

/// Out of fold; in sample where there are no folds.
Variates unseen_variates(const FitResult& result) {
  return to_eigen(result.out_of_fold.empty() ? result.variates : result.out_of_fold);
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

/// A refit in the components of the model, by both ways to match them.
struct MatchedRefit {
  Variates one_to_one, rotated;  // of all samples
  MatrixXd rotation;             // K x K
};

/// Matched by `weights`: 0 for samples that the refit has not seen.
MatchedRefit match(const Variates& refit, const Variates& model, const VectorXd& weights, const Samples& samples) {
  const Matching matching = match_components(component_correlations(model, refit, weights, samples));
  MatrixXd order = MatrixXd::Zero(refit[0].cols(), model[0].cols());
  for (Index k = 0; k < order.cols(); ++k) {
    order(matching.of[static_cast<std::size_t>(k)], k) = matching.sign[static_cast<std::size_t>(k)];
  }
  MatchedRefit matched;
  matched.rotation = rotation_towards(refit, model, weights, samples);
  matched.one_to_one = each_times(refit, order);
  matched.rotated = each_times(refit, matched.rotation);
  return matched;
}

/// Correlation of each component, over the rows with a positive weight.
VectorXd agreement_of(const Variates& a, const Variates& b, const VectorXd& weights, const Samples& samples) {
  return component_correlations(a, b, weights, samples).diagonal();
}

/// A refit to a half.
struct HalfResult {
  MatchedRefit matched;                    // samples of the half out of fold
  std::vector<double> correlations;        // K
  std::vector<Matrix<double>> importance;  // per view K x p, rotated
};

/// Two halves that share no sample.
struct PairResult {
  VectorXd agreement, recovered;  // K
  std::array<std::vector<double>, 2> correlations;
  std::array<std::vector<Matrix<double>>, 2> importance;
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
    const Index pairs = options_.n_subsamples / 2;
    total_ = 1 + options_.n_subsamples + options_.n_seeds;
    run_.start_rounds();
    reference_ = fit(views_, parameters_with(model_.asked.random_state, run_.threads().count), quiet_);
    done(1);
    reference_variates_ = unseen_variates(reference_);
    std::vector<PairResult> halves(static_cast<std::size_t>(pairs));
    in_batches(pairs, 2, [&](Index b) { halves[static_cast<std::size_t>(b)] = refit_pair(b); });
    Matrix<double> by_seed(options_.n_seeds, n_components());
    in_batches(options_.n_seeds, 1, [&](Index s) {
      const VectorXd agreement = refit_seed(s);
      std::copy(agreement.begin(), agreement.end(), by_seed.row(s));
    });
    result_.subsample_correlations = Matrix<double>(2 * pairs, n_components());
    result_.pair_agreement = result_.pair_recovered = Matrix<double>(pairs, n_components());
    for (Index b = 0; b < pairs; ++b) {
      const PairResult& pair = halves[static_cast<std::size_t>(b)];
      std::copy(pair.agreement.begin(), pair.agreement.end(), result_.pair_agreement.row(b));
      std::copy(pair.recovered.begin(), pair.recovered.end(), result_.pair_recovered.row(b));
      for (std::size_t h = 0; h < 2; ++h) {
        std::copy(pair.correlations[h].begin(), pair.correlations[h].end(),
                  result_.subsample_correlations.row(2 * b + static_cast<Index>(h)));
      }
    }
    result_.agreement = range_of(result_.pair_agreement);
    result_.recovered = range_of(result_.pair_recovered);
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
  void in_batches(Index count, Index fits_each, Body&& body) {
    const Index batch = run_.threads().count;
    for (Index begin = 0; begin < count; begin += batch) {
      const Index end = std::min(begin + batch, count);
      parallel_for(end - begin, run_.threads(), [&](Index i) { body(begin + i); });
      done(fits_each * (end - begin));
    }
  }

  HalfResult refit_half(Index number, const std::vector<Index>& rows, const std::vector<Index>& others) const {
    const RowSubset half(views_, options_.fit, rows), rest(views_, options_.fit, others);
    FitOptions own = quiet_;
    static_cast<SampleOptions&>(own) = half.options();
    HalfResult result;
    try {
      FitResult refit = fit(half.views(), parameters_with(seed_of_refit(0, number), 1), own);
      const Variates seen = unseen_variates(refit);
      const Variates unseen = to_eigen(transform(refit.model, rest.views(), 1, rest.options().covariates));
      Variates all;
      VectorXd weights = VectorXd::Zero(weights_.size());
      for (std::size_t v = 0; v < views_.size(); ++v) {
        MatrixXd& z = all.emplace_back(weights_.size(), n_components());
        z(rows, Eigen::all) = seen[v];
        z(others, Eigen::all) = unseen[v];
      }
      weights(rows) = weights_(rows);
      result.matched = match(all, reference_variates_, weights, samples_);
      const Correlations& correlations = refit.model.correlations;
      result.correlations = correlations.out_of_fold.empty() ? correlations.in_sample : correlations.out_of_fold;
      const Model like_model = rotated(std::move(refit.model), result.matched.rotation);
      for (Index v = 0; v < static_cast<Index>(views_.size()); ++v) {
        result.importance.push_back(component_importances(like_model, v, ImportanceKind::gain));
      }
    } catch (const DataError& error) {
      throw DataError(fmt::format("A half of the samples ({} of {}) cannot be fitted: {}", rows.size(), samples_.here(),
                                  error.what()));
    }
    return result;
  }

  /// Judged on each half by itself: the variates of two fits may differ in their means and scales between halves.
  PairResult refit_pair(Index number) const {
    const auto halves = random_halves(samples_, options_.random_state, static_cast<std::uint64_t>(number));
    std::array<HalfResult, 2> refits{refit_half(2 * number, halves[0], halves[1]),
                                     refit_half(2 * number + 1, halves[1], halves[0])};
    PairResult pair;
    pair.agreement = pair.recovered = VectorXd::Zero(n_components());
    for (std::size_t h = 0; h < 2; ++h) {
      VectorXd weights = VectorXd::Zero(weights_.size());
      weights(halves[h]) = weights_(halves[h]);
      const MatchedRefit &a = refits[0].matched, &b = refits[1].matched;
      pair.agreement += agreement_of(a.one_to_one, b.one_to_one, weights, samples_) / 2;
      pair.recovered += agreement_of(a.rotated, b.rotated, weights, samples_) / 2;
      pair.correlations[h] = std::move(refits[h].correlations);
      pair.importance[h] = std::move(refits[h].importance);
    }
    return pair;
  }

  /// Matched by in-sample variates, judged by out-of-fold ones.
  VectorXd refit_seed(Index number) const {
    const FitResult refit = fit(views_, parameters_with(seed_of_refit(1, number), 1), quiet_);
    const Matching matching = match_components(
        component_correlations(to_eigen(reference_.variates), to_eigen(refit.variates), weights_, samples_));
    const MatrixXd correlations =
        component_correlations(reference_variates_, unseen_variates(refit), weights_, samples_);
    return VectorXd::NullaryExpr(n_components(), [&](Index k) {
      const auto at = static_cast<std::size_t>(k);
      return matching.sign[at] * correlations(k, matching.of[at]);
    });
  }

  FeatureStability features_of(std::size_t v, const std::vector<PairResult>& pairs) const {
    FeatureStability features;
    features.importance = component_importances(model_, static_cast<Index>(v), ImportanceKind::gain);
    const Index k = features.importance.rows(), p = features.importance.cols();
    features.n_top = std::min(p, options_.n_top > 0 ? options_.n_top : usual_top(p));
    features.low = features.high = features.frequency = Matrix<double>(k, p);
    std::vector<const Matrix<double>*> halves;
    for (const PairResult& pair : pairs) {
      for (const auto& of_half : pair.importance) halves.push_back(&of_half[v]);
    }
    const auto count = static_cast<double>(halves.size());
    for (const Matrix<double>* half : halves) {
      for (Index c = 0; c < k; ++c) {
        const double* values = half->row(c);
        const std::vector<Index> order = descending_order(std::vector<double>(values, values + p));
        for (Index i = 0; i < features.n_top; ++i) {
          const Index j = order[static_cast<std::size_t>(i)];
          if (values[j] > 0) features.frequency(c, j) += 1 / count;
        }
      }
    }
    parallel_for(k * p, run_.threads(), [&](Index at) {
      std::vector<double> values;
      for (const Matrix<double>* half : halves) values.push_back(half->values()[static_cast<std::size_t>(at)]);
      const auto i = static_cast<std::size_t>(at);
      const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
      const double shift = features.importance.values()[i] - mean;
      features.low.values()[i] = std::max(0.0, quantile(values, kTail) + shift);
      features.high.values()[i] = std::min(1.0, quantile(values, 1 - kTail) + shift);
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
      "These are not the samples of the fit: {} of {} samples are given{}. Stability compares refits with the model, "
      "so give the data that the model was fitted to.",
      data.samples.total(), model.n_samples,
      known ? fmt::format(", and the model recognises {:.0f} % of them", 100 * seen.share) : ""));
}

/// Each half must be enough for a fit.
void check_halves(const Samples& samples) {
  constexpr Index kMinGroups = 8;  // four in a half
  if (samples.total() < 2 * kMinSamples) {
    throw DataError(
        fmt::format("{} samples are too few to be halved: at least {} are needed.", samples.total(), 2 * kMinSamples));
  }
  if (samples.grouped() && samples.independent() < kMinGroups) {
    throw DataError(
        fmt::format("{} groups are too few to be halved: at least {} are needed.", samples.independent(), kMinGroups));
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
