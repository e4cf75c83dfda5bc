#include "treecca/ssl.hpp"

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "fit_result.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"
#include "treecca/error.hpp"

namespace treecca::python {
namespace {

/// Calls augment(round, copy), which returns an array of N x p; from any thread.
AugmentFunction augment_by(const nb::object& augment) {
  return [&augment](Index round, int copy, Matrix<float>& out) {
    const nb::gil_scoped_acquire acquire;
    Matrix<float> drawn = copied(nb::cast<InputArray>(augment(round, copy)));
    if (drawn.rows() != out.rows() || drawn.cols() != out.cols()) {
      throw DataError("The augmentation must return an array of the shape it was given.");
    }
    out = std::move(drawn);
  };
}

PythonFitResult fit_one(const InputView& input, const ParameterTexts& settings, const Augmentation& augmentation,
                        const nb::object& augment, std::optional<bool> symmetrised, const Groups& groups,
                        const nb::object& on_round, const EngineParams& engine_params) {
  const Parameters parameters = parameters_from_texts(settings, ssl_parameters);
  const std::vector<View> views = views_from({input});
  SslOptions options;
  options.augmentation = augmentation;
  if (!augment.is_none()) options.augment = augment_by(augment);
  options.rows = !symmetrised ? ssl_rows(parameters.preset) : *symmetrised ? SslRows::symmetrised : SslRows::stacked;
  options.groups = copied(groups);
  options.engine_params = engine_params;
  options.on_round = progress_by(on_round);
  return PythonFitResult(run_interruptible([&](const std::atomic<bool>& stop) {
    options.stop = &stop;
    return fit_ssl(views[0], parameters, options);
  }));
}

}  // namespace

void bind_ssl(nb::module_& module) {
  nb::class_<Augmentation>(module, "Augmentation", "Random changes of the rows; see treecca/ssl.hpp.")
      .def(
          "__init__",
          [](Augmentation* self, double swap, double mask, bool sign_flip, double noise) {
            new (self) Augmentation{swap, mask, sign_flip, noise};
          },
          nb::arg("swap") = 0.0, nb::arg("mask") = 0.0, nb::arg("sign_flip") = false, nb::arg("noise") = 0.0);
  module.def("fit_ssl", fit_one, nb::arg("view"), nb::arg("settings"), nb::arg("augmentation"),
             nb::arg("augment").none() = nb::none(), nb::arg("symmetrised").none() = nb::none(),
             nb::arg("groups").none() = nb::none(), nb::arg("on_round").none() = nb::none(),
             nb::arg("engine_params") = EngineParams{},
             "Fits one table given as (name, array, feature names); `augment(round, copy)` returns an augmented copy. "
             "`symmetrised` None: as the preset.");
}

}  // namespace treecca::python
