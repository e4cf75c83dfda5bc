// The parts of the extension module treecca._core: one function per subject, each in the .cpp file of its name.
//
// A function adds its classes and functions to the module. core.cpp calls each once, at import, with the GIL held;
// bind_model before the functions whose signatures name a Model. An exception ends the import.
#pragma once

#include <nanobind/nanobind.h>

namespace treecca::python {

void bind_parameters(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_data(nanobind::module_& module);
void bind_fit(nanobind::module_& module);
void bind_metrics(nanobind::module_& module);
void bind_cv(nanobind::module_& module);
void bind_permutation_test(nanobind::module_& module);
void bind_stability(nanobind::module_& module);
void bind_ssl(nanobind::module_& module);
void bind_screen(nanobind::module_& module);
void bind_report(nanobind::module_& module);

}  // namespace treecca::python
