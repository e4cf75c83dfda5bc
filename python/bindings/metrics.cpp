#include "treecca/metrics.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace treecca::python {
namespace {

std::vector<Matrix<float>> matrices_of(const std::vector<InputArray>& arrays) {
  std::vector<Matrix<float>> result;
  for (const InputArray& array : arrays) result.push_back(copied(array));
  return result;
}

}  // namespace

void bind_metrics(nb::module_& module) {
  module.def(
      "tcc", [](const std::vector<InputArray>& variates) { return tcc(matrices_of(variates)); }, nb::arg("variates"));
  module.def(
      "distinct_tcc", [](const std::vector<InputArray>& variates) { return distinct_tcc(matrices_of(variates)); },
      nb::arg("variates"));
  module.def(
      "component_correlations",
      [](const std::vector<InputArray>& variates) { return to_numpy(component_correlations(matrices_of(variates))); },
      nb::arg("variates"));
  module.def(
      "pairwise_correlations",
      [](const std::vector<InputArray>& variates) {
        const std::size_t m = variates.size();
        const std::size_t k = m > 0 ? variates[0].shape(1) : 0;
        return to_numpy(pairwise_correlations(matrices_of(variates)), {m, m, k});
      },
      nb::arg("variates"));
}

}  // namespace treecca::python
