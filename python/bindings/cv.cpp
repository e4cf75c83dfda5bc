#include "treecca/cv.hpp"

#include <nanobind/nanobind.h>

#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"

namespace treecca::python {
namespace {

using Grid = std::vector<std::pair<std::string, std::vector<std::string>>>;

std::vector<CvResult> cross_validate_views(const std::vector<InputView>& inputs, const ParameterTexts& settings,
                                           const Grid& grid, const Groups& groups, const Weights& sample_weight,
                                           const nb::object& on_setting, const EngineParams& engine_params,
                                           const std::vector<InputCovariate>& covariates) {
  std::vector<GridAxis> axes;
  for (const auto& [name, values] : grid) axes.push_back({name, values});
  const std::vector<Parameters> candidates = parameter_grid(settings, axes);
  const std::vector<View> views = views_from(inputs);
  CvOptions options;
  options.fit.groups = copied(groups);
  options.fit.sample_weight = copied(sample_weight);
  options.fit.covariates = covariates_from(covariates);
  options.fit.engine_params = engine_params;
  if (!on_setting.is_none()) {
    options.on_setting = [&](std::size_t number, const CvResult& result) {
      const nb::gil_scoped_acquire acquire;
      on_setting(number + 1, candidates.size(), result.tcc);
    };
  }
  return run_interruptible([&](const std::atomic<bool>& stop) {
    options.fit.stop = &stop;
    return cross_validate(views, candidates, options);
  });
}

}  // namespace

void bind_cv(nb::module_& module) {
  nb::class_<CvResult>(module, "CvResult", "One setting: its parameters and out-of-fold results.")
      .def(
          "parameter", [](const CvResult& result, const std::string& name) { return to_text(result.given, name); },
          nb::arg("name"))
      .def_prop_ro(
          "correlations", [](const CvResult& result) { return to_numpy(result.correlations); }, nb::rv_policy::move)
      .def_prop_ro(
          "curve", [](const CvResult& result) { return to_numpy(result.curve); }, nb::rv_policy::move)
      .def_prop_ro(
          "standard_errors", [](const CvResult& result) { return to_numpy(result.standard_errors); },
          nb::rv_policy::move)
      .def_prop_ro(
          "rounds", [](const CvResult& result) { return to_numpy(result.rounds); }, nb::rv_policy::move)
      .def_ro("standard_error", &CvResult::standard_error)
      .def_ro("linear_weight", &CvResult::linear_weight)
      .def_ro("tcc", &CvResult::tcc)
      .def_ro("found", &CvResult::found)
      .def_ro("found_tcc", &CvResult::found_tcc)
      .def_ro("best_round", &CvResult::best_round)
      .def_ro("seconds", &CvResult::seconds);
  module.def("nested_tcc", &nested_tcc, nb::arg("results"), "The TCC to expect of the best setting.");
  module.def("best_first", &best_first, nb::arg("results"), "The numbers of the settings, the best first.");
  module.def("edge_advice", &edge_advice, nb::arg("results"), nb::arg("names"),
             "Sentences on parameters whose best value is at the edge of the grid.");
  module.def("best_setting", &best_setting, nb::arg("results"), "The number of the best setting.");
  module.def("cross_validate", cross_validate_views, nb::arg("views"), nb::arg("settings"), nb::arg("grid"),
             nb::arg("groups").none() = nb::none(), nb::arg("sample_weight").none() = nb::none(),
             nb::arg("on_setting").none() = nb::none(), nb::arg("engine_params") = EngineParams{},
             nb::arg("covariates") = std::vector<InputCovariate>{});
}

}  // namespace treecca::python
