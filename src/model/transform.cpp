#include "model/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "data/columns.hpp"
#include "data/covariates.hpp"
#include "data/levels.hpp"
#include "data/match_features.hpp"
#include "linalg/row_products.hpp"
#include "linear/linear_map.hpp"
#include "model/view_at.hpp"
#include "support/parallel.hpp"
#include "treecca/error.hpp"
#include "treecca/transform.hpp"
#include "trees/predict.hpp"

namespace treecca {
namespace {

/// As feature_columns; if the view has no names, its columns are in order.
std::vector<Index> columns_of(const View& view, const ViewModel& model) {
  if (view.feature_names.empty()) return {};
  if (static_cast<Index>(view.feature_names.size()) != view.values.cols()) {
    throw DataError(fmt::format("View \"{}\" has {} feature names for {} columns.", view.name,
                                view.feature_names.size(), view.values.cols()));
  }
  return feature_columns(view.name, view.feature_names, model.feature_names);
}

/// The columns of a model's view, with levels in the model's order.
Matrix<double> in_model_levels(const View& view, const std::vector<Index>& columns, const ViewModel& model,
                               std::vector<std::string>* warnings) {
  const auto p = static_cast<Index>(model.feature_names.size());
  const auto from = [&](Index j) { return columns.empty() ? j : columns[static_cast<std::size_t>(j)]; };
  if (columns.empty() && view.values.cols() != p) {
    throw DataError(fmt::format("View \"{}\" has {} features in the model but {} columns in the data.", view.name, p,
                                view.values.cols()));
  }
  Matrix<double> values(view.values.rows(), p);
  Levels given;
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < values.rows(); ++i) values(i, j) = view.values.value(i, from(j));
    if (!view.levels.empty()) given.push_back(view.levels[static_cast<std::size_t>(from(j))]);
  }
  for (std::string& note : to_model_levels(view.name, model.feature_names, given, model.levels, values)) {
    if (warnings != nullptr) warnings->push_back(std::move(note));
  }
  return values;
}

void subtract(Matrix<float>& variates, const Matrix<double>& effect) {
  for (std::size_t i = 0; i < variates.values().size(); ++i) {
    variates.values()[i] = static_cast<float>(variates.values()[i] - effect.values()[i]);
  }
}

/// Samples that lack the view have no variates.
void blank_absent_rows(const Model& model, const MatrixView& values, Matrix<float>& variates) {
  for (Index i = 0; i < variates.rows(); ++i) {
    if (lacks_view(model, values, i)) {
      std::fill_n(variates.row(i), variates.cols(), std::numeric_limits<float>::quiet_NaN());
    }
  }
}

/// Standard deviation of a component of a view, in the embeddings from which correlations are computed.
double deviation_of(const Model& model, Index view, Index component) {
  if (model.parameters.rotate) return 1.0;  // the rotation scales every component to it; without variances, parts do
  const Matrix<double>& variance = model.history.variance;
  const Index last = static_cast<Index>(model.rounds) - 1;
  if (last < 0 || last >= variance.rows()) return 1.0;
  return std::sqrt(variance(last, view * model.n_components() + component));
}

}  // namespace

Matrix<float> embed(const ViewModel& view, const PartModel& part, const MatrixView& values, Threads threads) {
  return embed_rows(part.encoders, values, part.rotation.rows(), threads, [&](Index begin, Index end, double* sums) {
    if (!view.base_margin.empty()) add_linear_scores(view.base_margin, values, begin, end, sums);
  });
}

Matrix<float> to_variates(const Matrix<float>& embedding, const PartModel& part, Threads threads) {
  return project_rows(
      embedding, part.mean, part.rotation.cols(), [&](Index) { return &part.rotation; }, threads);
}

Matrix<float> variates_of(const ViewModel& view, Index n_components, const MatrixView& values, Threads threads) {
  if (view.parts.size() == 1 && view.linear.empty()) {
    return to_variates(embed(view, view.parts[0], values, threads), view.parts[0], threads);
  }
  Matrix<double> sums(values.rows(), n_components);
  if (!view.linear.empty()) sums = linear_scores(view.linear, values, threads);
  for (const PartModel& part : view.parts) {
    const Matrix<float> own = to_variates(embed(view, part, values, threads), part, threads);
    std::transform(own.values().begin(), own.values().end(), sums.values().begin(), sums.values().begin(),
                   [](float x, double sum) { return sum + static_cast<double>(x); });
  }
  return to_floats(sums);
}

Matrix<float> transform(const Model& model, Index view_number, const MatrixView& values, Index n_jobs,
                        const std::vector<Covariate>& covariates) {
  const ViewModel& view = view_for(model, view_number, values);
  check_positions(view.name, view.feature_names, view.levels, values);
  const Matrix<double> effect = covariate_effect(model, view_number, covariates, values.rows());
  Matrix<float> variates = variates_of(view, model.n_components(), values.less(view.offset), thread_count(n_jobs));
  if (!model.covariates.empty()) subtract(variates, effect);
  blank_absent_rows(model, values, variates);
  return variates;
}

Matrix<double> covariate_effect(const Model& model, Index view, const std::vector<Covariate>& covariates, Index rows) {
  const LinearMap& map = view_at(model, view).covariate_effect;
  const Matrix<double> columns = covariate_columns(model.covariates, covariates, rows);
  Matrix<double> effect(rows, model.n_components());
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns.cols(); ++j) {
      const double away = columns(i, j) - map.mean[static_cast<std::size_t>(j)];
      for (Index c = 0; c < effect.cols(); ++c) effect(i, c) += away * map.weights(j, c);
    }
  }
  return effect;
}

std::vector<Matrix<float>> transform(const Model& model, const std::vector<View>& views, Index n_jobs,
                                     const std::vector<Covariate>& covariates, std::vector<std::string>* warnings) {
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
    const std::vector<Index> columns = columns_of(view, *found);
    if (!view.levels.empty() || !found->levels.empty()) {
      const Matrix<double> values = in_model_levels(view, columns, *found, warnings);
      result.push_back(transform(model, found - model.views.begin(), values, n_jobs, covariates));
      continue;
    }
    if (columns.empty()) {
      result.push_back(transform(model, found - model.views.begin(), view.values, n_jobs, covariates));
      continue;
    }
    std::vector<double> offsets(found->offset.empty() ? 0 : static_cast<std::size_t>(view.values.cols()), 0.0);
    for (std::size_t j = 0; j < found->offset.size(); ++j) {
      offsets[static_cast<std::size_t>(columns[j])] = found->offset[j];
    }
    const Matrix<float> values = some_columns(view.values.less(std::move(offsets)), columns);
    const Matrix<double> effect = covariate_effect(model, found - model.views.begin(), covariates, values.rows());
    result.push_back(variates_of(*found, model.n_components(), values, thread_count(n_jobs)));
    if (!model.covariates.empty()) subtract(result.back(), effect);
    blank_absent_rows(model, values, result.back());
  }
  return result;
}

std::vector<double> regression(const Model& model, Index from, Index to) {
  const auto m = static_cast<Index>(model.views.size());
  const Index k = model.n_components();
  for (const Index view : {from, to}) view_at(model, view);
  std::vector<double> slopes(static_cast<std::size_t>(k), 1.0);
  for (Index c = 0; c < k && from != to; ++c) {
    const double from_deviation = deviation_of(model, from, c);
    const double correlation = model.correlations.pairwise[static_cast<std::size_t>((from * m + to) * k + c)];
    slopes[static_cast<std::size_t>(c)] =
        from_deviation > 0 ? correlation * deviation_of(model, to, c) / from_deviation : 0.0;
  }
  return slopes;
}

}  // namespace treecca
