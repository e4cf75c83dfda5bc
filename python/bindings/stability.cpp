#include "treecca/stability.hpp"

#include <nanobind/nanobind.h>

#include <string>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"

namespace treecca::python {
namespace {

Stability stability_of(const Model& model, const std::vector<InputView>& inputs, Index n_jobs,
                       const std::tuple<Index, Index, Index>& counts, const std::vector<double>& p_values,
                       std::uint64_t random_state, const Groups& groups, const Weights& sample_weight,
                       const nb::object& on_round, const std::vector<InputCovariate>& covariates) {
  const std::vector<View> views = views_from(inputs);
  StabilityOptions options;
  std::tie(options.n_subsamples, options.n_seeds, options.n_top) = counts;
  options.p_values = p_values;
  options.random_state = random_state;
  options.fit.groups = copied(groups);
  options.fit.sample_weight = copied(sample_weight);
  options.fit.covariates = covariates_from(covariates);
  options.fit.on_round = progress_by(on_round);
  options.fit.engine_params = model.engine_params;
  Model own = model;
  own.asked.n_jobs = n_jobs;
  return run_interruptible([&](const std::atomic<bool>& stop) {
    options.fit.stop = &stop;
    return stability(own, views, options);
  });
}

nb::dict range_to_python(const RefitRange& range) {
  nb::dict result;
  result["mean"] = to_numpy(range.mean);
  result["low"] = to_numpy(range.low);
  result["high"] = to_numpy(range.high);
  return result;
}

nb::object matrix_to_python(const Matrix<double>& matrix) { return nb::cast(to_numpy(Matrix<double>(matrix))); }

}  // namespace

void bind_stability(nb::module_& module) {
  using Result = Stability;
  nb::class_<Result>(module, "Stability", "What of a model refits find again.")
      .def_prop_ro("agreement", [](const Result& result) { return range_to_python(result.agreement); })
      .def_prop_ro("recovered", [](const Result& result) { return range_to_python(result.recovered); })
      .def_prop_ro("seed_agreement", [](const Result& result) { return range_to_python(result.seed_agreement); })
      .def_prop_ro(
          "subsample_correlations",
          [](const Result& result) { return to_numpy(Matrix<double>(result.subsample_correlations)); },
          nb::rv_policy::move)
      .def_prop_ro(
          "pair_agreement", [](const Result& result) { return to_numpy(Matrix<double>(result.pair_agreement)); },
          nb::rv_policy::move)
      .def_prop_ro(
          "pair_recovered", [](const Result& result) { return to_numpy(Matrix<double>(result.pair_recovered)); },
          nb::rv_policy::move)
      .def_prop_ro("features",
                   [](const Result& result) {
                     nb::list views;
                     for (const FeatureStability& features : result.features) {
                       nb::dict view;
                       view["importance"] = matrix_to_python(features.importance);
                       view["low"] = matrix_to_python(features.low);
                       view["high"] = matrix_to_python(features.high);
                       view["frequency"] = matrix_to_python(features.frequency);
                       view["n_top"] = features.n_top;
                       views.append(view);
                     }
                     return views;
                   })
      .def_ro("suggested", &Result::suggested)
      .def_ro("reason", &Result::reason);
  module.def("stability", stability_of, nb::arg("model"), nb::arg("views"), nb::arg("n_jobs"), nb::arg("counts"),
             nb::arg("p_values"), nb::arg("random_state"), nb::arg("groups").none() = nb::none(),
             nb::arg("sample_weight").none() = nb::none(), nb::arg("on_round").none() = nb::none(),
             nb::arg("covariates") = std::vector<InputCovariate>{});
}

}  // namespace treecca::python
