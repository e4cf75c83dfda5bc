// The parts of the extension module _core, one per file.
//
// Every function adds classes and functions to the module. Arrays are read in place where their type allows it
// (arrays.hpp); errors of the core become Python exceptions (core.cpp).
#pragma once

#include <nanobind/nanobind.h>

namespace treecca::python {

void bind_parameters(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_fit(nanobind::module_& module);
void bind_metrics(nanobind::module_& module);
void bind_cv(nanobind::module_& module);
void bind_ssl(nanobind::module_& module);
void bind_screen(nanobind::module_& module);
void bind_report(nanobind::module_& module);

}  // namespace treecca::python
