#include "treecca/fit.hpp"

#include <nanobind/nanobind.h>

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "fit_result.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"
#include "treecca/engines.hpp"
#include "treecca/error.hpp"

namespace treecca::python {
namespace {

/// A fit and everything it uses.
struct FitJob {
  std::vector<InputView> inputs;
  Parameters parameters;
  FitOptions options;
  nb::object on_round;
  std::string communicator;
  int rank;  // number of this worker, which the communicator must have, too

  FitResult operator()(const std::atomic<bool>& stop) {
    options.stop = &stop;
    if (!on_round.is_none()) {
      options.on_round = [&stop, tell = progress_by(on_round)](const Progress& state) {
        if (!stop) tell(state);  // after a stop the caller may have ended
      };
    }
    const std::unique_ptr<Communicator> peers =  // belongs to this thread
        communicator.empty() ? nullptr : xgboost_communicator(communicator);
    if (peers != nullptr) check_ranks(*peers);
    options.communicator = peers.get();
    return fit(views_from(inputs), parameters, options);
  }

  /// Collective: if the rank of any worker is wrong, all workers fail, and none waits for the others.
  void check_ranks(Communicator& peers) const {
    const bool own_is_wrong = peers.rank() != rank;
    std::int64_t wrong = own_is_wrong ? 1 : 0;
    peers.sum(std::span(&wrong, 1));
    if (wrong == 0) return;
    throw UsageError((own_is_wrong ? "Worker " + std::to_string(rank) + " has rank " + std::to_string(peers.rank()) +
                                         " of " + std::to_string(peers.size())
                                   : std::string("Another worker has a wrong rank")) +
                     ": number the workers from 0, each once.");
  }
};

PythonFitResult fit_views(const std::vector<InputView>& inputs, const ParameterTexts& settings, const Groups& groups,
                          const Weights& sample_weight, const nb::object& on_round, const EngineParams& engine_params,
                          const std::string& communicator, int rank, const InputColumn<std::int64_t>& row_numbers,
                          const nb::object& stop_wanted, const std::vector<std::string>& sample_names,
                          const std::vector<InputCovariate>& covariates) {
  FitJob job{inputs, parameters_from_texts(settings), {}, on_round, communicator, rank};
  job.options.groups = copied(groups);
  job.options.sample_weight = copied(sample_weight);
  job.options.engine_params = engine_params;
  job.options.row_numbers = copied(row_numbers);
  job.options.names = sample_names;
  job.options.covariates = covariates_from(covariates);
  if (communicator.empty()) return PythonFitResult(run_interruptible(job, stop_wanted));
  // XGBoost may wait indefinitely for a worker that has ended.
  return PythonFitResult(run_abandonable(std::move(job), stop_wanted));
}

}  // namespace

void bind_fit(nb::module_& module) {
  nb::class_<PythonFitResult>(module, "FitResult",
                              "The result of a fit. Every access gives the same model, arrays and timings, but new "
                              "lists of weights and warnings.")
      .def_ro("model", &PythonFitResult::model, nb::for_getter(nb::sig("def model(self) -> Model")))
      .def_ro("variates", &PythonFitResult::variates)
      .def_ro("out_of_fold", &PythonFitResult::out_of_fold)
      .def_ro("weights", &PythonFitResult::weights)
      .def_ro("warnings", &PythonFitResult::warnings)
      .def_ro("timings", &PythonFitResult::timings);
  nb::class_<Tracker>(module, "Tracker", "The meeting point of the workers of one fit.")
      .def(nb::init<int, const std::string&>(), nb::arg("n_workers"), nb::arg("host"))
      .def("worker_config", &Tracker::worker_config);
  module.def(
      "fits_left_behind", [] { return left_behind().count(); },
      "Number of fits over several processes that were stopped but have not ended.");
  module.def("prefer_library", &prefer_library, nb::arg("engine"), nb::arg("path"),
             "Sets the path of the library of an engine.");
  module.def("fit", fit_views, nb::arg("views"), nb::arg("settings"), nb::arg("groups").none() = nb::none(),
             nb::arg("sample_weight").none() = nb::none(), nb::arg("on_round").none() = nb::none(),
             nb::arg("engine_params") = EngineParams{}, nb::arg("communicator") = "", nb::arg("rank") = 0,
             nb::arg("row_numbers").none() = nb::none(), nb::arg("stop_wanted").none() = nb::none(),
             nb::arg("sample_names") = std::vector<std::string>{},
             nb::arg("covariates") = std::vector<InputCovariate>{},
             "Fits views given as (name, array, feature names) with settings given as (name, text).");
}

}  // namespace treecca::python
