#include "fit/judge.hpp"

#include <utility>

#include "fit/candidate.hpp"
#include "fit/make_result.hpp"
#include "support/order.hpp"
#include "train/train.hpp"

namespace treecca {
namespace {

Judged judge_cross_fit(TrainingData& shared, const Setting& setting, const Folds& folds, Run& run) {
  Judged judged;
  Trained trained = train(shared, setting, folds, run);
  judged.out_of_fold = trained.out_of_fold_correlations(/*rotate=*/true);
  judged.out_of_fold = judged.out_of_fold.in_order(
      descending_order(judged.out_of_fold.per_component));  // as `fit` and the errors have them
  judged.standard_errors = out_of_fold_standard_errors(trained, folds, run);
  judged.parameters = trained.parameters;
  judged.history = std::move(trained.history);
  judged.folds.n_views = static_cast<int>(shared.views().size());
  judged.folds.of_row = folds.of_row;
  judged.folds.plain = std::move(trained.by_round);
  if (judged.folds.plain.empty()) {
    judged.folds.plain = {out_of_fold_covariances(trained.moments, judged.folds.n_views, /*rotate=*/true,
                                                  trained.parameters.n_components)};
  }
  judged.folds.shipped = judged.folds.plain;
  return judged;
}

Judged judge_parts(TrainingData& shared, const LinearViews& views, const Setting& setting,
                   const std::vector<Folds>& splits, Run& run) {
  Judged judged;
  FittedParts fitted = fit_parts(shared, views, setting, splits, run);
  Parameters rotating = setting.parameters;
  rotating.rotate = true;
  Blends blends(fitted, rotating, shared.samples());
  Choice choice = choose(blends.candidates, shared.samples());
  judged.parameters = fitted.parameters;
  judged.linear_weight = blends.candidates[choice.best].linear_weight;
  judged.parameters.linear = judged.linear_weight;
  judged.out_of_fold = std::move(choice.out_of_fold);
  judged.standard_errors = std::move(choice.standard_errors);
  judged.history = std::move(fitted.history);
  judged.folds.n_views = static_cast<int>(shared.views().size());
  judged.folds.of_row = std::move(fitted.held_out.part_of_row[0]);
  for (Candidate& candidate : blends.candidates) {
    judged.folds.plain.push_back(std::move(candidate.plain));
    judged.folds.shipped.push_back(std::move(candidate.shipped));
  }
  return judged;
}

}  // namespace

Judged judge(TrainingData& shared, const LinearViews* views, const Setting& setting, const std::vector<Folds>& splits,
             Run& run) {
  return is_single_fit(setting.parameters) ? judge_cross_fit(shared, setting, splits[0], run)
                                           : judge_parts(shared, *views, setting, splits, run);
}

}  // namespace treecca
