// The result of a fit for Python: model and matrices are moved out of the FitResult, so nothing is copied, and each
// lives as long as Python refers to it.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "treecca/fit.hpp"

namespace treecca::python {

struct PythonFitResult {
  nb::object model;
  nb::list variates;     // arrays of N x K, as in FitResult
  nb::list out_of_fold;  // same
  nb::dict timings;      // stage -> seconds
  std::vector<float> weights;
  std::vector<std::string> warnings;

  /// Called with the GIL held.
  explicit PythonFitResult(FitResult&& result)
      : model(nb::cast(std::move(result.model))),
        weights(std::move(result.weights)),
        warnings(std::move(result.warnings)) {
    for (Matrix<float>& matrix : result.variates) variates.append(to_numpy(std::move(matrix)));
    for (Matrix<float>& matrix : result.out_of_fold) out_of_fold.append(to_numpy(std::move(matrix)));
    for (const Stage& stage : result.timings) timings[stage.name.c_str()] = stage.seconds;
  }
};

}  // namespace treecca::python
