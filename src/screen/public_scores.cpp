#include "screen/public_scores.hpp"

#include <algorithm>

#include "screen/permuted_scores.hpp"

namespace treecca {

FeatureScores public_scores(const ViewScores& scores, const std::vector<double>& maxima) {
  FeatureScores result;
  result.partner_view = scores.partner_view;
  result.partner = scores.partner;
  for (const float score : scores.score[0]) {
    result.score.push_back(std::max(0.0, static_cast<double>(score)));
    if (!maxima.empty()) result.p_value.push_back(permutation_p_value(maxima, score));
  }
  return result;
}

}  // namespace treecca
