#include "treecca/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "objective/pairs.hpp"
#include "objective/student_t.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// Whether a sample lacks the view: all its variates are NaN.
bool is_absent(const Matrix<float>& z, Index row) {
  return z.cols() > 0 && std::all_of(z.row(row), z.row(row) + z.cols(), [](float x) { return std::isnan(x); });
}

void check_variates(const std::vector<Matrix<float>>& variates) {
  if (variates.size() < 2) {
    throw DataError(fmt::format("Correlations need the variates of at least two views; {} given.", variates.size()));
  }
  for (std::size_t v = 0; v < variates.size(); ++v) {
    const Matrix<float>& z = variates[v];
    if (z.rows() != variates[0].rows() || z.cols() != variates[0].cols()) {
      throw DataError(
          fmt::format("Variates must have the same samples and components in every view; view 1 is {} x {}, "
                      "view {} is {} x {}.",
                      variates[0].rows(), variates[0].cols(), v + 1, z.rows(), z.cols()));
    }
    for (Index i = 0; i < z.rows(); ++i) {
      if (is_absent(z, i)) continue;
      for (Index c = 0; c < z.cols(); ++c) {
        if (!std::isfinite(z(i, c))) {
          throw DataError(
              fmt::format("Variates of view {} are not finite at row {}, component {}.", v + 1, i + 1, c + 1));
        }
      }
    }
  }
}

/// Column c without its mean; exactly zero if it is constant, which subtracting a rounded mean may not give.
std::vector<double> centred_column(const Matrix<float>& z, Index c, std::span<const float> weights) {
  std::vector<double> column(static_cast<std::size_t>(z.rows()));
  for (Index i = 0; i < z.rows(); ++i) column[static_cast<std::size_t>(i)] = z(i, c);
  if (column.empty()) return column;
  const auto [low, high] = std::minmax_element(column.begin(), column.end());
  const double mean =
      *low == *high ? *low : std::accumulate(column.begin(), column.end(), 0.0) / static_cast<double>(column.size());
  if (weights.empty() || *low == *high) {
    for (double& value : column) value -= mean;
    return column;
  }
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    sum += weights[i] * column[i];
    count += weights[i];
  }
  for (std::size_t i = 0; i < column.size(); ++i) {
    column[i] = std::sqrt(static_cast<double>(weights[i])) * (column[i] - (count > 0 ? sum / count : 0.0));
  }
  return column;
}

std::vector<Index> rows_of_both(const Matrix<float>& a, const Matrix<float>& b) {
  std::vector<Index> rows;
  for (Index i = 0; i < a.rows(); ++i) {
    if (!is_absent(a, i) && !is_absent(b, i)) rows.push_back(i);
  }
  return rows;
}

Matrix<float> some_rows_of(const Matrix<float>& z, const std::vector<Index>& rows) {
  Matrix<float> result(static_cast<Index>(rows.size()), z.cols());
  for (Index i = 0; i < result.rows(); ++i)
    std::copy_n(z.row(rows[static_cast<std::size_t>(i)]), z.cols(), result.row(i));
  return result;
}

bool any_absent(const std::vector<Matrix<float>>& variates) {
  return std::any_of(variates.begin(), variates.end(), [](const Matrix<float>& z) {
    for (Index i = 0; i < z.rows(); ++i) {
      if (is_absent(z, i)) return true;
    }
    return false;
  });
}

/// Calls use(v, w, two) for every pair of views, with their variates of the samples that have both.
template <class Use>
void for_each_shared_pair(const std::vector<Matrix<float>>& variates, Use&& use) {
  for (std::size_t v = 0; v < variates.size(); ++v) {
    for (std::size_t w = v + 1; w < variates.size(); ++w) {
      const std::vector<Index> rows = rows_of_both(variates[v], variates[w]);
      if (rows.size() < 2) {
        throw DataError(fmt::format("Views {} and {} share {} of these samples; a correlation needs at least two.",
                                    v + 1, w + 1, rows.empty() ? "none" : "only one"));
      }
      use(v, w, {some_rows_of(variates[v], rows), some_rows_of(variates[w], rows)}, rows);
    }
  }
}

}  // namespace

std::vector<double> pairwise_correlations(const std::vector<Matrix<float>>& variates, std::span<const float> weights) {
  check_variates(variates);
  if (!weights.empty() && static_cast<Index>(weights.size()) != variates[0].rows()) {
    throw DataError(fmt::format("There are {} weights for {} samples.", weights.size(), variates[0].rows()));
  }
  const std::size_t m = variates.size();
  const std::size_t k = static_cast<std::size_t>(variates[0].cols());
  std::vector<double> table(m * m * k, 0.0);
  if (any_absent(variates)) {
    for (std::size_t v = 0; v < m; ++v)
      std::fill_n(table.begin() + static_cast<std::ptrdiff_t>((v * m + v) * k), k, 1.0);
    for_each_shared_pair(variates, [&](std::size_t v, std::size_t w, const std::vector<Matrix<float>>& two,
                                       const std::vector<Index>& rows) {
      std::vector<float> own;
      for (const Index i : rows) {
        if (!weights.empty()) own.push_back(weights[static_cast<std::size_t>(i)]);
      }
      const std::vector<double> of_pair = pairwise_correlations(two, own);  // 2 x 2 x K
      for (std::size_t c = 0; c < k; ++c) table[(v * m + w) * k + c] = table[(w * m + v) * k + c] = of_pair[k + c];
    });
    return table;
  }
  std::vector<std::vector<double>> columns(m);
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t v = 0; v < m; ++v) {
      columns[v] = centred_column(variates[v], static_cast<Index>(c), weights);
    }
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = i; j < m; ++j) {
        const double sum = std::inner_product(columns[i].begin(), columns[i].end(), columns[j].begin(), 0.0);
        table[(i * m + j) * k + c] = sum;
        table[(j * m + i) * k + c] = sum;
      }
    }
  }
  return pair_correlations(table, static_cast<int>(m));
}

std::vector<double> component_correlations(const std::vector<Matrix<float>>& variates, std::span<const float> weights) {
  return mean_over_pairs(pairwise_correlations(variates, weights), static_cast<int>(variates.size()));
}

double tcc(const std::vector<Matrix<float>>& variates) {
  std::vector<double> magnitudes = pairwise_correlations(variates);
  for (double& value : magnitudes) value = std::abs(value);
  const std::vector<double> correlations = mean_over_pairs(magnitudes, static_cast<int>(variates.size()));
  return std::accumulate(correlations.begin(), correlations.end(), 0.0);
}

double total_correlation(const std::vector<double>& per_component) {
  double sum = 0;
  for (const double value : per_component) sum += std::max(0.0, value);
  return sum;
}

double distinct_tcc(const std::vector<Matrix<float>>& variates) {
  check_variates(variates);
  const auto k = static_cast<std::size_t>(variates[0].cols());
  const auto m = variates.size();
  if (any_absent(variates)) {  // the mean over pairs, each over the samples that have both
    double sum = 0;
    for_each_shared_pair(variates, [&](std::size_t, std::size_t, const std::vector<Matrix<float>>& two,
                                       const std::vector<Index>&) { sum += distinct_tcc(two); });
    return sum / static_cast<double>(m * (m - 1) / 2);
  }
  std::vector<std::vector<std::vector<double>>> distinct(m);  // [view][component]: N numbers, orthogonal
  for (std::size_t v = 0; v < m; ++v) {
    for (std::size_t c = 0; c < k; ++c) {
      std::vector<double> column = centred_column(variates[v], static_cast<Index>(c), {});
      const double length = std::inner_product(column.begin(), column.end(), column.begin(), 0.0);
      for (int pass = 0; pass < 2; ++pass) {  // the second pass removes rounding errors of the first
        for (const std::vector<double>& before : distinct[v]) {
          const double square = std::inner_product(before.begin(), before.end(), before.begin(), 0.0);
          if (!(square > 0)) continue;
          const double along = std::inner_product(column.begin(), column.end(), before.begin(), 0.0) / square;
          for (std::size_t i = 0; i < column.size(); ++i) column[i] -= along * before[i];
        }
      }
      const double left = std::inner_product(column.begin(), column.end(), column.begin(), 0.0);
      constexpr double kRounding = 1e-12;
      if (!(left > kRounding * length))
        std::fill(column.begin(), column.end(), 0.0);  // linearly dependent on earlier
                                                       // columns
      distinct[v].push_back(std::move(column));
    }
  }
  double total = 0;
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = i + 1; j < m; ++j) {
        const std::vector<double>& a = distinct[i][c];
        const std::vector<double>& b = distinct[j][c];
        const double squares = std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0)) *
                               std::sqrt(std::inner_product(b.begin(), b.end(), b.begin(), 0.0));
        if (squares > 0) total += std::abs(std::inner_product(a.begin(), a.end(), b.begin(), 0.0)) / squares;
      }
    }
  }
  return total / static_cast<double>(m * (m - 1) / 2);
}

std::vector<double> approximate_standard_errors(const std::vector<double>& correlations, double independent_samples) {
  std::vector<double> errors;
  for (const double r : correlations) {
    errors.push_back(std::max(0.0, 1 - r * r) / std::sqrt(std::max(1.0, independent_samples)));
  }
  return errors;
}

std::vector<double> noise_thresholds(const std::vector<double>& fisher_errors, const NoiseLevel& level) {
  if (fisher_errors.empty()) return {};
  constexpr double kLevel = 0.02;
  constexpr double kScatter = 2;
  const double t = student_t_quantile(1 - kLevel / level.comparisons, std::max(1.0, level.independent - 1));
  const double least = 1 / std::sqrt(std::max(1.0, level.rows));
  std::vector<double> thresholds;
  for (const double error : fisher_errors) thresholds.push_back(std::tanh(kScatter * t * std::max(error, least)));
  return thresholds;
}

bool can_tell_noise(double independent_samples) {
  constexpr double kMinIndependent = 7.5;  // eight groups of slightly unequal sizes have an effective number just below
                                           // eight
  return independent_samples >= kMinIndependent;
}

}  // namespace treecca
