// The extension module treecca._core: declarations only, one bind_* per subject.
#include <nanobind/nanobind.h>

#include <exception>

#include "bindings.hpp"
#include "treecca/error.hpp"
#include "treecca/version.hpp"

namespace nb = nanobind;

namespace {

void translate(const std::exception_ptr& error, void* /*payload*/) {
  try {
    std::rethrow_exception(error);
  } catch (const treecca::Interrupted& e) {
    PyErr_SetString(PyExc_KeyboardInterrupt, e.what());
  } catch (const treecca::FileError& e) {
    PyErr_SetString(PyExc_OSError, e.what());
  } catch (const treecca::PeerError& e) {
    PyErr_SetString(PyExc_ConnectionError, e.what());
  } catch (const treecca::Error& e) {  // parameters, data, model files
    PyErr_SetString(PyExc_ValueError, e.what());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The C++ core of TreeCCA. Use treecca.TreeCCA; names in here may change.";
  module.attr("version") = treecca::version;
  nb::register_exception_translator(translate);
  treecca::python::bind_parameters(module);
  treecca::python::bind_model(module);
  treecca::python::bind_data(module);
  treecca::python::bind_fit(module);
  treecca::python::bind_metrics(module);
  treecca::python::bind_cv(module);
  treecca::python::bind_permutation_test(module);
  treecca::python::bind_stability(module);
  treecca::python::bind_ssl(module);
  treecca::python::bind_screen(module);
  treecca::python::bind_report(module);
}
