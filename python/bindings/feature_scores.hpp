// Converts scores of feature screening to a dict of arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "arrays.hpp"
#include "treecca/model.hpp"

namespace treecca::python {

inline nb::dict scores_of(const FeatureScores& scores) {
  nb::dict result;
  result["score"] = to_numpy(scores.score);
  result["p_value"] = to_numpy(scores.p_value);
  result["partner_view"] = to_numpy(scores.partner_view);
  result["partner"] = to_numpy(scores.partner);
  return result;
}

}  // namespace treecca::python
