// Views, settings, groups and weights of a fit, as Python passes them.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "treecca/fit.hpp"
#include "treecca/parameters.hpp"

namespace treecca::python {

using InputView = std::tuple<std::string, InputArray, std::vector<std::string>, Levels>;  // name, values, features
using Groups = InputColumn<std::int64_t>;                                                 // one per sample, or none
using Weights = InputColumn<double>;                                                      // same

/// Name; one number per sample (for classes: the position of its level); levels of classes.
using InputCovariate = std::tuple<std::string, std::vector<double>, std::vector<std::string>>;

inline std::vector<Covariate> covariates_from(const std::vector<InputCovariate>& inputs) {
  std::vector<Covariate> covariates;
  for (const auto& [name, values, levels] : inputs) covariates.push_back({name, values, levels});
  return covariates;
}

/// A progress callback that calls on_round(round, rounds, tcc, seconds) from any thread; empty for None. The object
/// must outlive it.
inline std::function<void(const Progress&)> progress_by(const nb::object& on_round) {
  if (on_round.is_none()) return {};
  return [&on_round](const Progress& state) {
    const nb::gil_scoped_acquire acquire;
    on_round(state.round, state.rounds, state.tcc, state.seconds);
  };
}

/// Views of the arrays, without copies: valid while the arrays live.
inline std::vector<View> views_from(const std::vector<InputView>& inputs) {
  std::vector<View> views;
  for (const auto& [name, values, feature_names, levels] : inputs) {
    views.push_back({name, as_view(values), feature_names, levels});
  }
  return views;
}

}  // namespace treecca::python
