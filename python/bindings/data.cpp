// Binds the core's rules about input data that Python follows too.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nanobind/ndarray.h>

#include <algorithm>

#include "bindings.hpp"
#include "data/levels.hpp"
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
  module.def(
      "to_model_levels",
      [](const std::string& view, const std::vector<std::string>& feature_names, const Levels& given,
         const Levels& wanted, nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu> values) {
        Matrix<double> matrix(static_cast<Index>(values.shape(0)), static_cast<Index>(values.shape(1)));
        std::copy_n(values.data(), matrix.values().size(), matrix.data());
        std::vector<std::string> notes = to_model_levels(view, feature_names, given, wanted, matrix);
        std::copy_n(matrix.data(), matrix.values().size(), values.data());
        return notes;
      },
      nb::arg("view"), nb::arg("feature_names"), nb::arg("given"), nb::arg("wanted"), nb::arg("values"),
      "Brings levels into a model's order, in place; returns sentences about levels that the model does not have.");
}

}  // namespace treecca::python
