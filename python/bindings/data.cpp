// Rules of the core about input data that Python follows too.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "data/match_features.hpp"
#include "samples/samples.hpp"
#include "support/names.hpp"

namespace nb = nanobind;

namespace treecca::python {

void bind_data(nb::module_& module) {
  module.attr("min_samples") = kMinSamples;
  module.def("generated_names", generated_names, nb::arg("count"), "Names of features that have none: f0, f1, ...");
  module.def("are_generated", are_generated, nb::arg("names"), "Whether these are generated names, in order.");
  module.def("feature_columns", feature_columns, nb::arg("view"), nb::arg("given"), nb::arg("wanted"),
             "Columns of the wanted features among the given ones; empty: all columns as they are.");
}

}  // namespace treecca::python
