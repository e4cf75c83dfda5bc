#include "fit/judge.hpp"

#include <utility>

#include "fit/candidate.hpp"
#include "fit/make_result.hpp"
#include "support/order.hpp"
#include "train/train.hpp"

namespace treecca {
namespace {

CvFolds folds_of_cross_fit(Trained& trained, const Folds& folds, std::size_t n_views) {
  CvFolds result;
  result.n_views = static_cast<int>(n_views);
  result.of_row = folds.of_row;
  result.plain = std::move(trained.by_round);
  if (result.plain.empty()) {
    result.plain = {
        out_of_fold_covariances(trained.moments, result.n_views, /*rotate=*/true, trained.parameters.n_components)};
  }
  result.shipped = result.plain;
  return result;
}

CvFolds folds_of_parts(FittedParts& fitted, Blends& blends, std::size_t n_views) {
  CvFolds result;
  result.n_views = static_cast<int>(n_views);
  result.of_row = std::move(fitted.held_out.part_of_row[0]);
  for (Candidate& candidate : blends.candidates) {
    result.plain.push_back(std::move(candidate.plain));
    result.shipped.push_back(std::move(candidate.shipped));
  }
  return result;
}

/// The blends, rotated as in `fit`.
Blends rotated_blends(const FittedParts& fitted, const Setting& setting, const Samples& samples) {
  Parameters rotating = setting.parameters;
  rotating.rotate = true;
  return Blends(fitted, rotating, samples);
}

Judged judge_cross_fit(TrainingData& shared, const Setting& setting, const Folds& folds, Run& run) {
  Judged judged;
  Trained trained = train(shared, setting, folds, run);
  judged.out_of_fold = trained.out_of_fold_correlations(/*rotate=*/true);
  judged.out_of_fold = judged.out_of_fold.in_order(
      descending_order(judged.out_of_fold.per_component));  // the order used by `fit` and by the standard errors
  judged.standard_errors = out_of_fold_standard_errors(trained, folds, run);
  judged.parameters = trained.parameters;
  judged.history = std::move(trained.history);
  judged.folds = folds_of_cross_fit(trained, folds, shared.views().size());
  return judged;
}

Judged judge_parts(TrainingData& shared, const LinearViews& views, const Setting& setting,
                   const std::vector<Folds>& splits, Run& run) {
  Judged judged;
  FittedParts fitted = fit_parts(shared, views, setting, splits, run);
  Blends blends = rotated_blends(fitted, setting, shared.samples());
  Choice choice = choose(blends.candidates, shared.samples());
  judged.parameters = fitted.parameters;
  judged.linear_weight = blends.candidates[choice.best].linear_weight;
  judged.parameters.linear = judged.linear_weight;
  judged.out_of_fold = std::move(choice.out_of_fold);
  judged.standard_errors = std::move(choice.standard_errors);
  judged.history = std::move(fitted.history);
  judged.folds = folds_of_parts(fitted, blends, shared.views().size());
  return judged;
}

}  // namespace

Judged judge(TrainingData& shared, const LinearViews* views, const Setting& setting, const std::vector<Folds>& splits,
             Run& run) {
  return is_single_fit(setting.parameters) ? judge_cross_fit(shared, setting, splits[0], run)
                                           : judge_parts(shared, *views, setting, splits, run);
}

CvFolds judge_folds(TrainingData& shared, const LinearViews* views, const Setting& setting,
                    const std::vector<Folds>& splits, Run& run) {
  const std::size_t n_views = shared.views().size();
  if (is_single_fit(setting.parameters)) {
    Trained trained = train(shared, setting, splits[0], run);
    return folds_of_cross_fit(trained, splits[0], n_views);
  }
  FittedParts fitted = fit_parts(shared, *views, setting, splits, run);
  Blends blends = rotated_blends(fitted, setting, shared.samples());
  return folds_of_parts(fitted, blends, n_views);
}

}  // namespace treecca
