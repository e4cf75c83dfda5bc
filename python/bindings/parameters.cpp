#include "treecca/parameters.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bindings.hpp"

namespace nb = nanobind;

namespace treecca::python {

void bind_parameters(nb::module_& module) {
  module.def(
      "parameter_declarations",
      [](const std::string& preset) {
        Parameters defaults;
        set_from_text(defaults, "preset", preset);
        nb::list all;
        for_each_parameter([&](const Declaration& declaration, auto) {
          const std::string name(declaration.name);
          nb::dict one;
          one["name"] = name;
          one["help"] = std::string(declaration.help);
          one["default"] = to_text(defaults, name);
          one["allowed"] = allowed_values(name);
          all.append(one);
        });
        return all;
      },
      nb::arg("preset") = "default", "Name, help, default (as text) and allowed values of every parameter.");
}

}  // namespace treecca::python
