#include "treecca/permutation_test.hpp"

#include <nanobind/nanobind.h>

#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"

namespace treecca::python {
namespace {

PermutationTest test_views(const std::vector<InputView>& inputs, const ParameterTexts& settings, Index n_permutations,
                           const std::string& permute, const Groups& groups, const Weights& sample_weight,
                           const nb::object& on_round, const std::vector<InputCovariate>& covariates,
                           const Model* fitted) {
  const Parameters parameters = parameters_from_texts(settings);
  const std::vector<View> views = views_from(inputs);
  PermutationOptions options;
  options.n_permutations = n_permutations;
  options.permute = permute_kind(permute);
  options.fitted = fitted;
  options.fit.groups = copied(groups);
  options.fit.sample_weight = copied(sample_weight);
  options.fit.covariates = covariates_from(covariates);
  options.fit.on_round = progress_by(on_round);
  return run_interruptible([&](const std::atomic<bool>& stop) {
    options.fit.stop = &stop;
    return permutation_test(views, parameters, options);
  });
}

}  // namespace

void bind_permutation_test(nb::module_& module) {
  using Test = PermutationTest;
  nb::class_<Test>(module, "PermutationTest", "p-values of the components and their null distribution.")
      .def_prop_ro(
          "correlations", [](const Test& test) { return to_numpy(test.correlations); }, nb::rv_policy::move)
      .def_prop_ro(
          "p_values", [](const Test& test) { return to_numpy(test.p_values); }, nb::rv_policy::move)
      .def_prop_ro(
          "pairwise_correlations", [](const Test& test) { return to_numpy(test.pairwise_correlations); },
          nb::rv_policy::move)
      .def_prop_ro(
          "pairwise_p_values", [](const Test& test) { return to_numpy(test.pairwise_p_values); }, nb::rv_policy::move)
      .def_prop_ro(
          "null", [](const Test& test) { return to_numpy(Matrix<double>(test.null)); }, nb::rv_policy::move)
      .def_prop_ro("permute", [](const Test& test) { return std::string(name_of(test.permute)); })
      .def_ro("warnings", &Test::warnings);
  module.def("permutation_test", test_views, nb::arg("views"), nb::arg("settings"), nb::arg("n_permutations"),
             nb::arg("permute"), nb::arg("groups").none() = nb::none(), nb::arg("sample_weight").none() = nb::none(),
             nb::arg("on_round").none() = nb::none(), nb::arg("covariates") = std::vector<InputCovariate>{},
             nb::arg("fitted").none() = nb::none());
}

}  // namespace treecca::python
