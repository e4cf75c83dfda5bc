// Plain reference versions of the hot loops: no histograms, no packing, no vectors. Slow and obvious.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "data/binning.hpp"
#include "trees/gradients.hpp"
#include "trees/grow.hpp"

namespace treecca::testing {

/// Grows a tree by trying every split of every node row by row on the fixed-point gradients.
class BruteForceGrower {
 public:
  BruteForceGrower(const BinnedView& view, const GradientSource& source, const std::vector<Index>& features,
                   const GrowSettings& settings, bool vector_leaves, Index max_rows, Index max_units)
      : view_(view), features_(features), settings_(settings), width_(source.width), source_(source) {
    const std::int64_t limit = vector_leaves ? lane_limit(max_rows) : scalar_limit(max_rows, max_units);
    float largest = 0;
    for (Index i = 0; i < view.rows(); ++i) {
      for (Index k = 0; k < width_; ++k) largest = std::max(largest, std::fabs(source(i, k)));
    }
    scale_ = static_cast<double>(limit) / largest;
    fixed_ = Matrix<std::int64_t>(view.rows(), width_);
    for (Index i = 0; i < view.rows(); ++i) {
      for (Index k = 0; k < width_; ++k) fixed_(i, k) = to_fixed(source(i, k), scale_);
    }
  }

  Tree grow(const std::vector<Index>& rows) {
    tree_ = {};
    tree_.nodes.push_back({});
    split(0, rows, 0);
    // Leaves are numbered in the order of the nodes.
    std::int32_t leaves = 0;
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
      if (!tree_.nodes[n].is_leaf()) continue;
      tree_.nodes[n].leaf = leaves++;
      for (const double sum : sums(node_rows_[n])) {
        tree_.leaf_values.push_back(static_cast<float>(-settings_.learning_rate * sum / scale_ /
                                                       (weight_of(node_rows_[n]) + settings_.reg_lambda)));
      }
    }
    return tree_;
  }

 private:
  double weight_of(const std::vector<Index>& rows) const {
    double units = 0;
    for (const Index i : rows) units += static_cast<double>(source_.units(i));
    return units / source_.units_per_weight;
  }
  std::vector<double> sums(const std::vector<Index>& rows) const {
    std::vector<std::int64_t> total(static_cast<std::size_t>(width_), 0);
    for (const Index i : rows) {
      for (Index k = 0; k < width_; ++k) total[k] += fixed_(i, k);
    }
    return {total.begin(), total.end()};
  }
  double squares(const std::vector<Index>& rows) const {
    double result = 0;
    for (const double sum : sums(rows)) result += sum * sum;
    return result;
  }
  bool goes_left(Index row, Index feature, int bin, bool missing_left) const {
    const int code = view_.column(feature)[row];
    return code == view_.missing_code(feature) ? missing_left : code <= bin;
  }

  void split(std::size_t node, const std::vector<Index>& rows, Index depth) {
    node_rows_.resize(std::max(node_rows_.size(), node + 1));
    node_rows_[node] = rows;
    tree_.nodes[node].cover = static_cast<float>(weight_of(rows));
    if (depth == settings_.max_depth) return;
    const double weight = weight_of(rows) + settings_.reg_lambda;
    double best = squares(rows) / weight * (1 + 1e-9);
    Index best_feature = -1;
    int best_bin = -1;
    bool best_missing_left = false;
    std::vector<Index> best_left;
    std::vector<Index> best_right;
    for (const Index feature : features_) {
      for (const bool missing_left : {false, true}) {
        for (int bin = 0; bin < view_.n_bins(feature); ++bin) {
          std::vector<Index> left;
          std::vector<Index> right;
          for (const Index i : rows) (goes_left(i, feature, bin, missing_left) ? left : right).push_back(i);
          const double n_left = weight_of(left);
          const double n_right = weight_of(right);
          if (n_left == 0 || n_right == 0 || n_left < settings_.min_child_weight ||
              n_right < settings_.min_child_weight) {
            continue;
          }
          const double score =
              squares(left) / (n_left + settings_.reg_lambda) + squares(right) / (n_right + settings_.reg_lambda);
          if (score > best * (1 + 1e-12)) {
            best = score;
            best_feature = feature;
            best_bin = bin;
            best_missing_left = missing_left;
            best_left = left;
            best_right = right;
          }
        }
      }
    }
    if (best_feature < 0) return;
    bool any_missing = false;
    for (const Index i : rows) {
      any_missing |= source_.units(i) > 0 && view_.column(best_feature)[i] == view_.missing_code(best_feature);
    }
    const auto child = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes.push_back({});
    tree_.nodes.push_back({});
    Node& parent = tree_.nodes[node];
    parent.feature = static_cast<std::int32_t>(best_feature);
    parent.threshold = view_.threshold(best_feature, best_bin);
    parent.default_left = any_missing ? best_missing_left : weight_of(best_left) >= weight_of(best_right);
    parent.left = child;
    parent.right = child + 1;
    // The lighter child first: the numbering of the tested code.
    const bool left_first = weight_of(best_left) <= weight_of(best_right);
    split(static_cast<std::size_t>(left_first ? child : child + 1), left_first ? best_left : best_right, depth + 1);
    split(static_cast<std::size_t>(left_first ? child + 1 : child), left_first ? best_right : best_left, depth + 1);
  }

  const BinnedView& view_;
  std::vector<Index> features_;
  GrowSettings settings_;
  Index width_;
  const GradientSource& source_;
  double scale_;
  Matrix<std::int64_t> fixed_;
  Tree tree_;
  std::vector<std::vector<Index>> node_rows_;
};

}  // namespace treecca::testing
