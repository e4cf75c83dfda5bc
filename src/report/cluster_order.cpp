#include "report/cluster_order.hpp"

#include <cmath>
#include <utility>

namespace treecca::report {

std::vector<Index> cluster_order(const Matrix<double>& rows) {
  const Index n = rows.rows();
  std::vector<std::vector<Index>> clusters;
  for (Index i = 0; i < n; ++i) clusters.push_back({i});
  Matrix<double> distance(n, n);
  for (Index a = 0; a < n; ++a) {
    for (Index b = 0; b < n; ++b) {
      double squares = 0;
      for (Index j = 0; j < rows.cols(); ++j) squares += (rows(a, j) - rows(b, j)) * (rows(a, j) - rows(b, j));
      distance(a, b) = std::sqrt(squares);
    }
  }
  const auto between = [&](const std::vector<Index>& a, const std::vector<Index>& b) {
    double sum = 0;
    for (const Index i : a) {
      for (const Index j : b) sum += distance(i, j);
    }
    return sum / static_cast<double>(a.size() * b.size());
  };
  while (clusters.size() > 1) {
    std::size_t first = 0, second = 1;
    double nearest = between(clusters[0], clusters[1]);
    for (std::size_t a = 0; a < clusters.size(); ++a) {
      for (std::size_t b = a + 1; b < clusters.size(); ++b) {
        const double d = between(clusters[a], clusters[b]);
        if (d >= nearest) continue;
        nearest = d;
        first = a;
        second = b;
      }
    }
    clusters[first].insert(clusters[first].end(), clusters[second].begin(), clusters[second].end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(second));
  }
  return clusters.empty() ? std::vector<Index>() : clusters[0];
}

}  // namespace treecca::report
