#include "treecca/report.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "support/atomic_file.hpp"

namespace treecca::python {

void bind_report(nb::module_& module) {
  module.def(
      "report_html",
      [](const Model& model, const std::vector<InputArray>& variates, bool out_of_fold,
         const std::vector<std::string>& sample_ids, const std::vector<std::string>& labels,
         const std::vector<std::string>& warnings, const std::map<std::string, double>& timings,
         const std::vector<InputArray>& data) {
        RunSummary run;
        run.result.model = model;
        for (const InputArray& array : variates) {
          (out_of_fold ? run.result.out_of_fold : run.result.variates).push_back(copied(array));
        }
        run.sample_ids = sample_ids;
        run.labels = labels;
        run.result.warnings = warnings;
        for (const InputArray& view : data) run.data.push_back(as_view(view));
        for (const auto& [stage, seconds] : timings) run.result.timings.push_back({stage, seconds});
        return report_html(run);
      },
      nb::arg("model"), nb::arg("variates"), nb::arg("out_of_fold"), nb::arg("sample_ids"), nb::arg("labels"),
      nb::arg("warnings"), nb::arg("timings"), nb::arg("data") = std::vector<InputArray>{});
  module.def(
      "write_file", [](const std::string& path, const std::string& text) { write_file_atomically(path, text); },
      nb::arg("path"), nb::arg("text"), "Writes a file atomically.");
}

}  // namespace treecca::python
