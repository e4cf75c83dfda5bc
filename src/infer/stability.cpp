#include "treecca/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "infer/half_samples.hpp"
#include "infer/match.hpp"
#include "infer/ranges.hpp"
#include "infer/refits.hpp"
#include "infer/suggest.hpp"
#include "support/random.hpp"
#include "treecca/error.hpp"
#include "treecca/importance.hpp"
#include "treecca/transform.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The out-of-fold variates; without folds, the in-sample variates.
Variates unseen_variates(const FitResult& result) {
  return as_variates(result.out_of_fold.empty() ? result.variates : result.out_of_fold);
}

/// Each view times a K x K matrix.
Variates each_times(const Variates& z, const MatrixXd& by) {
  Variates result;
  for (const MatrixXd& of_view : z) result.emplace_back(of_view * by);
  return result;
}

/// A refit in the components of the model, matched in both ways.
struct MatchedRefit {
  Variates one_to_one, rotated;  // of all samples
  MatrixXd rotation;             // K x K
};

/// Matches a refit with the model. `weights`: 0 for samples that the refit has not seen.
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
  std::vector<Index> judged;               // samples of the other half for which it has variates
};

/// Two halves that share no sample.
struct PairResult {
  VectorXd agreement, recovered;  // K
  std::array<std::vector<double>, 2> correlations;
  std::array<std::vector<Matrix<double>>, 2> importance;
};

class StabilityStudy {
 public:
  StabilityStudy(const Model& model, const std::vector<View>& views, const StabilityOptions& options,
                 const Samples& samples)
      : model_(model),
        views_(views),
        options_(options),
        samples_(samples),
        refits_(model, options.fit, 1 + options.n_subsamples + options.n_seeds) {
    weights_ = VectorXd::NullaryExpr(samples.here(), [&](Index i) { return samples.weight(i); });
  }

  Stability study() {
    const Index pairs = options_.n_subsamples / 2;
    reference_ = refits_.of(views_, options_.fit, model_.asked.random_state, refits_.threads().count);
    refits_.done(1);
    reference_variates_ = unseen_variates(reference_);
    std::vector<PairResult> halves(static_cast<std::size_t>(pairs));
    refits_.in_batches(pairs, 2, [&](Index b) { halves[static_cast<std::size_t>(b)] = refit_pair(b); });
    Matrix<double> by_seed(options_.n_seeds, n_components());
    refits_.in_batches(options_.n_seeds, 1, [&](Index s) {
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
    for (std::size_t v = 0; v < views_.size(); ++v) {
      std::vector<const Matrix<double>*> of_halves;
      for (const PairResult& pair : halves) {
        for (const auto& of_half : pair.importance) of_halves.push_back(&of_half[v]);
      }
      result_.features.push_back(
          feature_stability(component_importances(model_, static_cast<Index>(v), ImportanceKind::gain), of_halves,
                            options_.n_top, refits_.threads()));
    }
    const Suggestion suggestion = suggest({model_.found(), options_.p_values, result_.recovered.mean});
    result_.suggested = suggestion.n_components;
    result_.reason = suggestion.reason;
    return std::move(result_);
  }

 private:
  Index n_components() const { return model_.n_components(); }

  std::uint64_t seed_of_refit(std::uint64_t kind, Index number) const {
    return RandomKey(options_.random_state, Draw::subsample, {kind, static_cast<std::uint64_t>(number)}).bits(0) >> 11;
  }

  HalfResult refit_half(Index number, const std::vector<Index>& rows, const std::vector<Index>& others) const {
    const RowSubset half(views_, options_.fit, rows);
    HalfResult result;
    try {
      FitResult refit = refits_.of(half.views(), half.options(), seed_of_refit(0, number), refits_.jobs_each());
      result.judged = adjustable_rows(options_.fit, others, rows);
      if (std::ssize(result.judged) < kMinSamples) {
        throw DataError("It lacks classes of the covariates that nearly all others have. Join classes.");
      }
      const RowSubset rest(views_, options_.fit, result.judged, &refit.model);
      const Variates seen = unseen_variates(refit);
      const Variates unseen =
          as_variates(transform(refit.model, rest.views(), refits_.jobs_each(), rest.options().covariates));
      Variates all;
      VectorXd weights = VectorXd::Zero(weights_.size());
      for (std::size_t v = 0; v < views_.size(); ++v) {
        MatrixXd& z = all.emplace_back(MatrixXd::Zero(weights_.size(), n_components()));
        z(rows, Eigen::all) = seen[v];
        z(result.judged, Eigen::all) = unseen[v];
      }
      weights(rows) = weights_(rows);
      result.matched = match(all, reference_variates_, weights, samples_);
      const Correlations& correlations = refit.model.correlations;
      result.correlations = correlations.out_of_fold.empty() ? correlations.in_sample : correlations.out_of_fold;
      const Model like_model = rotated_model(std::move(refit.model), result.matched.rotation);
      for (Index v = 0; v < static_cast<Index>(views_.size()); ++v) {
        result.importance.push_back(component_importances(like_model, v, ImportanceKind::gain));
      }
    } catch (const DataError& error) {
      throw DataError(fmt::format("A half of the samples ({} of {}) cannot be fitted: {}", rows.size(), samples_.here(),
                                  error.what()));
    }
    return result;
  }

  /// Agreement is measured within each half, because means and scales of variates may differ between halves.
  PairResult refit_pair(Index number) const {
    const auto halves = random_halves(samples_, options_.random_state, static_cast<std::uint64_t>(number));
    std::array<HalfResult, 2> refits{refit_half(2 * number, halves[0], halves[1]),
                                     refit_half(2 * number + 1, halves[1], halves[0])};
    PairResult pair;
    pair.agreement = pair.recovered = VectorXd::Zero(n_components());
    for (std::size_t h = 0; h < 2; ++h) {
      VectorXd weights = VectorXd::Zero(weights_.size());
      const std::vector<Index>& judged =
          refits[1 - h].judged;  // of this half; its own fit has variates of all its samples
      weights(judged) = weights_(judged);
      const MatchedRefit &a = refits[0].matched, &b = refits[1].matched;
      pair.agreement += agreement_of(a.one_to_one, b.one_to_one, weights, samples_) / 2;
      pair.recovered += agreement_of(a.rotated, b.rotated, weights, samples_) / 2;
      pair.correlations[h] = std::move(refits[h].correlations);
      pair.importance[h] = std::move(refits[h].importance);
    }
    return pair;
  }

  /// Matched by in-sample variates, judged by out-of-fold variates.
  VectorXd refit_seed(Index number) const {
    const FitResult refit = refits_.of(views_, options_.fit, seed_of_refit(1, number), refits_.jobs_each());
    const Matching matching = match_components(
        component_correlations(as_variates(reference_.variates), as_variates(refit.variates), weights_, samples_));
    const MatrixXd correlations =
        component_correlations(reference_variates_, unseen_variates(refit), weights_, samples_);
    return VectorXd::NullaryExpr(n_components(), [&](Index k) {
      const auto at = static_cast<std::size_t>(k);
      return matching.sign[at] * correlations(k, matching.of[at]);
    });
  }

  const Model& model_;
  const std::vector<View>& views_;
  const StabilityOptions& options_;
  const Samples& samples_;
  Refits refits_;
  VectorXd weights_;
  FitResult reference_;
  Variates reference_variates_;
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
  check_can_refit(model, options.fit, "The stability of a fit");
  if (model.correlations.out_of_fold.empty()) {
    throw UsageError(
        "Stability compares out-of-fold variates, and this model has none. Fit it again with cross_fit=5.");
  }
}

/// Throws if a half would be too small for a fit.
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
  check_samples_of_fit(model, data,
                       "Stability compares refits with the model, so give the data that the model was fitted to.");
  check_halves(data.samples);
  return StabilityStudy(model, views, options, data.samples).study();
}

}  // namespace treecca
