#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "data/feature_columns.hpp"
#include "linear/linear_map.hpp"
#include "model/embed.hpp"
#include "model/variates.hpp"
#include "support/parallel.hpp"
#include "treecca/error.hpp"
#include "treecca/transform.hpp"
#include "trees/predict.hpp"

namespace treecca {
namespace {

/// As feature_columns; a view without names has its columns in order.
std::vector<Index> columns_of(const View& view, const ViewModel& model) {
  if (view.feature_names.empty()) return {};
  if (static_cast<Index>(view.feature_names.size()) != view.values.cols()) {
    throw DataError(fmt::format("View \"{}\" has {} feature names for {} columns.", view.name,
                                view.feature_names.size(), view.values.cols()));
  }
  return feature_columns(view.name, view.feature_names, model.feature_names);
}

Matrix<float> selected(const MatrixView& values, const std::vector<Index>& columns) {
  Matrix<float> result(values.rows(), static_cast<Index>(columns.size()));
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) result(i, j) = values(i, columns[static_cast<std::size_t>(j)]);
  }
  return result;
}

}  // namespace

Matrix<float> embed(const ViewModel& view, const MatrixView& values, Threads threads) {
  const Index k = view.rotation.rows();
  const Predictor predictor(view);
  Matrix<float> embedding(values.rows(), k);
  constexpr Index kBlock = 16 * Predictor::kBlockRows;
  parallel_blocks(values.rows(), kBlock, threads, [&](Index begin, Index end) {
    std::vector<double> sums(static_cast<std::size_t>((end - begin) * k));
    predictor.embed(values, begin, end, sums.data());
    if (!view.base_margin.empty()) add_linear_scores(view.base_margin, values, begin, end, sums.data());
    std::transform(sums.begin(), sums.end(), embedding.row(begin), [](double x) { return static_cast<float>(x); });
  });
  return embedding;
}

Matrix<float> to_variates(const Matrix<float>& embedding, const ViewModel& view, Threads threads) {
  constexpr Index kBlock = 1024;
  const Index k = view.rotation.cols();
  Matrix<float> variates(embedding.rows(), k);
  parallel_blocks(embedding.rows(), kBlock, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index c = 0; c < k; ++c) {
        double sum = 0;
        for (Index l = 0; l < embedding.cols(); ++l) {
          sum += (static_cast<double>(embedding(i, l)) - view.mean[l]) * view.rotation(l, c);
        }
        variates(i, c) = static_cast<float>(sum);
      }
    }
  });
  return variates;
}

Matrix<float> transform(const Model& model, Index view_number, const MatrixView& values, Index n_jobs) {
  if (view_number < 0 || view_number >= static_cast<Index>(model.views.size())) {
    throw UsageError(
        fmt::format("The model has views 0 to {}; {} was asked for.", model.views.size() - 1, view_number));
  }
  const ViewModel& view = model.views[static_cast<std::size_t>(view_number)];
  if (values.cols() != static_cast<Index>(view.feature_names.size())) {
    throw DataError(fmt::format("View \"{}\" has {} features in the model but {} columns in the data.", view.name,
                                view.feature_names.size(), values.cols()));
  }
  const Threads threads = thread_count(n_jobs);
  return to_variates(embed(view, values, threads), view, threads);
}

std::vector<Matrix<float>> transform(const Model& model, const std::vector<View>& views, Index n_jobs) {
  std::vector<Matrix<float>> result;
  for (const View& view : views) {
    const auto found = std::find_if(model.views.begin(), model.views.end(),
                                    [&](const ViewModel& candidate) { return candidate.name == view.name; });
    if (found == model.views.end()) {
      std::vector<std::string> names;
      for (const ViewModel& candidate : model.views) names.push_back(candidate.name);
      throw DataError(
          fmt::format("The model has no view \"{}\"; its views are: {}.", view.name, fmt::join(names, ", ")));
    }
    const Index number = found - model.views.begin();
    const std::vector<Index> columns = columns_of(view, *found);
    result.push_back(columns.empty() ? transform(model, number, view.values, n_jobs)
                                     : transform(model, number, selected(view.values, columns), n_jobs));
  }
  return result;
}

}  // namespace treecca
