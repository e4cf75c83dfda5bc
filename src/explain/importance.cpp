#include "treecca/importance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "model/view_at.hpp"
#include "support/names.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr std::array<std::string_view, 5> kKindNames{"gain", "trees", "linear", "cover", "splits"};

/// The reduction of squared residuals by a node with gradient sum s and n rows.
double explained(double s, double n, double lambda) { return n + lambda > 0 ? s * s / (n + lambda) : 0.0; }

/// Gradient sums of all nodes of a tree, nodes x width, up to a common factor. A leaf's value is its gradient sum
/// divided by (rows + lambda), so the sums follow from the values; a split's sum is the sum over its children.
void gradient_sums(const Tree& tree, std::size_t width, double lambda, std::vector<double>& sums) {
  sums.assign(tree.nodes.size() * width, 0.0);
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {  // children come after their parent
    const Node& node = tree.nodes[i];
    double* sum = &sums[i * width];
    if (node.is_leaf()) {
      const float* value = &tree.leaf_values[static_cast<std::size_t>(node.leaf) * width];
      for (std::size_t c = 0; c < width; ++c) sum[c] = value[c] * (static_cast<double>(node.cover) + lambda);
    } else {
      const double* left = &sums[static_cast<std::size_t>(node.left) * width];
      const double* right = &sums[static_cast<std::size_t>(node.right) * width];
      for (std::size_t c = 0; c < width; ++c) sum[c] = left[c] + right[c];
    }
  }
}

/// Gains of all splits of a view per feature, K x p, not normalised.
class TreeCredits {
 public:
  TreeCredits(const Model& model, Index view, ImportanceKind kind)
      : view_(view_at(model, view)),
        kind_(kind),
        lambda_(model.parameters.reg_lambda.at(view)),
        k_(model.n_components()),
        trained_(model.parameters.trained_components()),
        credits_(k_, static_cast<Index>(view_.feature_names.size())) {}

  Matrix<double> total() {
    for (const PartModel& part : view_.parts) {
      rotation_ = &part.rotation;
      for (const Encoder& encoder : part.encoders) {
        for (const Tree& tree : encoder) add_tree(tree);
      }
    }
    return std::move(credits_);
  }

 private:
  bool counts_gain() const { return kind_ == ImportanceKind::gain || kind_ == ImportanceKind::trees; }

  void add_tree(const Tree& tree) {
    const bool joint = tree.component < 0;
    const auto width = static_cast<std::size_t>(joint ? trained_ : 1);
    if (counts_gain()) gradient_sums(tree, width, lambda_, sums_);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const Node& node = tree.nodes[i];
      if (node.is_leaf()) continue;
      for (Index k = 0; k < k_; ++k) {
        credits_(k, node.feature) += counts_gain() ? gain(tree, i, k) : count(tree, node, k);
      }
    }
  }

  double count(const Tree& tree, const Node& node, Index k) const {
    const double amount = kind_ == ImportanceKind::cover ? static_cast<double>(node.cover) : 1.0;
    if (tree.component < 0) return amount;
    const double weight = (*rotation_)(tree.component, k);
    return amount * weight * weight;
  }

  /// The gradient sum of a node along the k-th rotated direction.
  double along(const Tree& tree, std::size_t node, Index k) const {
    if (tree.component >= 0) return (*rotation_)(tree.component, k) * sums_[node];
    double sum = 0;
    for (Index c = 0; c < trained_; ++c) {
      sum += (*rotation_)(c, k) * sums_[node * static_cast<std::size_t>(trained_) + static_cast<std::size_t>(c)];
    }
    return sum;
  }

  double gain(const Tree& tree, std::size_t i, Index k) const {
    const auto part = [&](std::size_t node) {
      return explained(along(tree, node, k), static_cast<double>(tree.nodes[node].cover), lambda_);
    };
    const Node& node = tree.nodes[i];
    const double gained =
        part(static_cast<std::size_t>(node.left)) + part(static_cast<std::size_t>(node.right)) - part(i);
    return std::max(0.0, gained);
  }

  const ViewModel& view_;
  ImportanceKind kind_;
  double lambda_;
  Index k_;
  Index trained_;
  Matrix<double> credits_;
  const Matrix<double>* rotation_ = nullptr;  // of the current part
  std::vector<double> sums_;
};

/// Variance over the training rows of a category's contribution to component k of linear CCA; 0 for a number.
double variance_of_levels(const ViewModel& view, double rows, Index j, Index k) {
  if (view.linear.level_begin.empty()) return 0.0;
  const auto at = static_cast<std::size_t>(j);
  const std::int32_t begin = view.linear.level_begin[at];
  double mean = 0, square = 0;
  for (std::int32_t row = begin; row < view.linear.level_begin[at + 1]; ++row) {
    const double share = rows > 0 ? view.level_counts[at][static_cast<std::size_t>(row - begin)] / rows : 0.0;
    const double added = view.linear.weights(row, k);
    mean += share * added;
    square += share * added * added;
  }
  return std::max(0.0, square - mean * mean);
}

/// (coefficient x standard deviation)^2 of linear CCA, K x p.
Matrix<double> linear_credits(const Model& model, Index view_number) {
  const ViewModel& view = view_at(model, view_number);
  Matrix<double> credits(model.n_components(), static_cast<Index>(view.feature_names.size()));
  if (view.linear.empty()) return credits;
  for (Index k = 0; k < credits.rows(); ++k) {
    for (Index j = 0; j < credits.cols(); ++j) {
      const double effect = view.linear.weights(j, k) * view.deviation[static_cast<std::size_t>(j)];
      credits(k, j) = effect * effect + variance_of_levels(view, static_cast<double>(model.n_samples), j, k);
    }
  }
  return credits;
}

double sum_of(const double* values, Index n) { return std::accumulate(values, values + n, 0.0); }

void normalise(double* values, Index n) {
  const double sum = sum_of(values, n);
  if (sum > 0) {
    for (Index j = 0; j < n; ++j) values[j] /= sum;
  }
}

Matrix<double> credits_of(const Model& model, Index view, ImportanceKind kind) {
  return kind == ImportanceKind::linear ? linear_credits(model, view) : TreeCredits(model, view, kind).total();
}

}  // namespace

ImportanceKind importance_kind(std::string_view name) {
  const auto found = std::find(kKindNames.begin(), kKindNames.end(), name);
  if (found == kKindNames.end()) {
    throw UsageError(fmt::format("The kind of importance must be one of \"{}\", not \"{}\".{}",
                                 fmt::join(kKindNames, "\", \""), name,
                                 did_you_mean(name, {kKindNames.begin(), kKindNames.end()})));
  }
  return static_cast<ImportanceKind>(found - kKindNames.begin());
}

Matrix<double> component_importances(const Model& model, Index view, ImportanceKind kind) {
  const bool blended = kind == ImportanceKind::gain && !view_at(model, view).linear.empty();
  if (!blended) {
    Matrix<double> credits = credits_of(model, view, kind);
    for (Index k = 0; k < credits.rows(); ++k) normalise(credits.row(k), credits.cols());
    return credits;
  }
  const double weight = model.parameters.linear;
  Matrix<double> blend = component_importances(model, view, ImportanceKind::trees);
  const Matrix<double> linear = component_importances(model, view, ImportanceKind::linear);
  for (Index k = 0; k < blend.rows(); ++k) {
    for (Index j = 0; j < blend.cols(); ++j) blend(k, j) = (1 - weight) * blend(k, j) + weight * linear(k, j);
    normalise(blend.row(k), blend.cols());  // without splits, linear CCA has all importance
  }
  return blend;
}

std::vector<double> feature_importances(const Model& model, Index view, ImportanceKind kind) {
  const double weight = model.parameters.linear;
  if (kind == ImportanceKind::gain && !view_at(model, view).linear.empty()) {
    std::vector<double> blend = feature_importances(model, view, ImportanceKind::trees);
    const std::vector<double> linear = feature_importances(model, view, ImportanceKind::linear);
    for (std::size_t j = 0; j < blend.size(); ++j) blend[j] = (1 - weight) * blend[j] + weight * linear[j];
    normalise(blend.data(), static_cast<Index>(blend.size()));
    return blend;
  }
  const bool linear = kind == ImportanceKind::linear;
  const Matrix<double> gains = credits_of(model, view, linear ? kind : ImportanceKind::trees);
  const Matrix<double> shares = component_importances(model, view, kind);
  std::vector<double> weights;
  for (Index k = 0; k < gains.rows(); ++k) weights.push_back(sum_of(gains.row(k), gains.cols()));
  // Trees may have splits without measurable gain (all leaves equal): then components count equally.
  if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; })) {
    std::fill(weights.begin(), weights.end(), 1.0);
  }
  std::vector<double> importances(static_cast<std::size_t>(gains.cols()), 0.0);
  for (Index k = 0; k < shares.rows(); ++k) {
    for (Index j = 0; j < shares.cols(); ++j) {
      importances[static_cast<std::size_t>(j)] += weights[static_cast<std::size_t>(k)] * shares(k, j);
    }
  }
  normalise(importances.data(), gains.cols());
  return importances;
}

}  // namespace treecca
