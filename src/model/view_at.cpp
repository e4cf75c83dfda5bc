#include "model/view_at.hpp"

#include <fmt/format.h>

#include "data/columns.hpp"
#include "treecca/error.hpp"

namespace treecca {

const ViewModel& view_at(const Model& model, Index view) {
  if (view < 0 || view >= static_cast<Index>(model.views.size())) {
    throw UsageError(
        fmt::format("There is no view {}; the model has {} views, counted from 0.", view, model.views.size()));
  }
  return model.views[static_cast<std::size_t>(view)];
}

const ViewModel& view_for(const Model& model, Index view, const MatrixView& values) {
  const ViewModel& found = view_at(model, view);
  if (values.cols() == static_cast<Index>(found.feature_names.size())) return found;
  throw DataError(fmt::format("View \"{}\" has {} features in the model but {} columns in the data.", found.name,
                              found.feature_names.size(), values.cols()));
}

bool lacks_view(const Model& model, const MatrixView& values, Index row) {
  return model.views.size() > 1 && is_empty_row(values, row);
}

}  // namespace treecca
