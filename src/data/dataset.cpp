#include "data/dataset.hpp"

#include <fmt/format.h>

#include <set>

#include "data/columns.hpp"
#include "data/levels.hpp"
#include "data/precision.hpp"
#include "support/names.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

void check_names(const View& view) {
  if (static_cast<Index>(view.feature_names.size()) != view.values.cols()) {
    throw DataError(fmt::format("View \"{}\" has {} columns but {} feature names.", view.name, view.values.cols(),
                                view.feature_names.size()));
  }
  std::set<std::string> seen;
  for (const std::string& name : view.feature_names) {
    if (name.empty()) {
      throw DataError(fmt::format("View \"{}\" has a feature without a name (number {}). Name all features, or none.",
                                  view.name, seen.size() + 1));
    }
    if (!seen.insert(name).second) {
      throw DataError(fmt::format("View \"{}\" has two features called \"{}\". Rename one of them.", view.name, name));
    }
  }
}

View checked_view(const View& view, Index total_rows) {
  View result = view;
  if (view.values.cols() == 0) throw DataError(fmt::format("View \"{}\" has no features.", view.name));
  if (view.feature_names.empty()) result.feature_names = generated_names(static_cast<std::size_t>(view.values.cols()));
  check_names(result);
  if (total_rows < kMinSamples) {
    throw DataError(fmt::format("There are {} samples; at least {} are needed.", total_rows, kMinSamples));
  }
  return result;
}

std::vector<View> checked_views(const std::vector<View>& views, std::size_t min_views, Index total_rows) {
  if (views.size() < min_views) {
    throw DataError(fmt::format("Canonical correlation needs at least two views; {} given.", views.size()));
  }
  std::vector<View> result;
  std::set<std::string> names;
  const Index n_rows = views[0].values.rows();
  for (const View& view : views) {
    if (view.name.empty() || !names.insert(view.name).second) {
      throw DataError(fmt::format("Every view needs its own name; \"{}\" is empty or used twice.", view.name));
    }
    if (view.values.rows() != n_rows) {
      throw DataError(fmt::format("View \"{}\" has {} rows but view \"{}\" has {}. Views must hold the same samples.",
                                  view.name, view.values.rows(), views[0].name, n_rows));
    }
    result.push_back(checked_view(view, total_rows));
  }
  return result;
}

/// Equal strings for equal views and columns.
std::string columns_in_words(const std::vector<View>& views) {
  std::string columns;
  for (const View& view : views) {
    columns += view.name + '\n';
    for (const std::string& name : view.feature_names) columns += name + '\t';
    for (const auto& levels : view.levels) {
      columns += '\n';
      for (const std::string& level : levels) columns += level + '\t';
    }
  }
  return columns;
}

/// N x M, row by row: whether the row has any value in the view.
std::vector<std::uint8_t> presence(const std::vector<View>& views) {
  const Index n = views[0].values.rows();
  std::vector<std::uint8_t> present(static_cast<std::size_t>(n) * views.size(), 0);
  for (std::size_t v = 0; v < views.size(); ++v) {
    for (Index i = 0; i < n; ++i) {
      present[static_cast<std::size_t>(i) * views.size() + v] = is_empty_row(views[v].values, i) ? 0 : 1;
    }
  }
  return present;
}

}  // namespace

std::vector<MatrixView> matrices_of(const std::vector<View>& views) {
  std::vector<MatrixView> matrices;
  for (const View& view : views) matrices.push_back(view.values);
  return matrices;
}

std::vector<const Matrix<double>*> covariates_of(const Dataset& data) {
  if (data.covariates.empty()) return {};
  return std::vector<const Matrix<double>*>(data.views.size(), &data.covariates.columns);
}

Dataset check_dataset(const std::vector<View>& given, const SampleOptions& options, std::size_t min_views) {
  Dataset data;
  data.samples = Samples(given.empty() ? 0 : given[0].values.rows(), options);
  data.samples.peers().agree([&] { data.views = checked_views(given, min_views, data.samples.total()); });
  if (!data.samples.peers().alone()) data.samples.peers().check_same(columns_in_words(data.views), "views or columns");
  for (View& view : data.views) {
    view = with_ordered_levels(view, data.samples.peers(), data.copies.emplace_back());
  }
  data.covariates = covariate_basis(options.covariates, data.samples);
  if (min_views < 2) return data;  // augmented copies of one table need no offsets
  std::vector<std::string> names;
  for (const View& view : data.views) names.push_back(view.name);
  data.samples.set_presence(std::move(names), presence(data.views));
  for (View& view : data.views) view.values = view.values.less(column_offsets(view.values, data.samples.peers()));
  return data;
}

void check_varies(const BinnedView& bins, const std::string& name) {
  if (!bins.is_constant()) return;
  throw DataError(fmt::format(
      "View \"{}\" is constant: none of its {} features has two different values in single precision, so nothing can "
      "correlate with it. Leave it out, or check how it was read; rescale tiny values.",
      name, bins.features()));
}

}  // namespace treecca
