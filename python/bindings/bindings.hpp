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
