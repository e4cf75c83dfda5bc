#include "model/view_at.hpp"

#include <fmt/format.h>

#include "treecca/error.hpp"

namespace treecca {

const ViewModel& view_at(const Model& model, Index view) {
  if (view < 0 || view >= static_cast<Index>(model.views.size())) {
    throw UsageError(
        fmt::format("There is no view {}; the model has {} views, counted from 0.", view, model.views.size()));
  }
  return model.views[static_cast<std::size_t>(view)];
}

}  // namespace treecca
