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

constexpr std::array<std::string_view, 3> kKindNames{"gain", "cover", "splits"};

/// The sum of squared residuals that a node with gradient sum s and n rows explains.
double explained(double s, double n, double lambda) { return n + lambda > 0 ? s * s / (n + lambda) : 0.0; }

/// Gradient sums of all nodes of a tree, nodes x width, up to a common factor. A leaf's value is
/// its gradient sum divided by (rows + lambda), so the values give the sums back; a split's sum is
/// that of its children.
void gradient_sums(const Tree& tree, std::size_t width, double lambda, std::vector<double>& sums) {
  sums.assign(tree.nodes.size() * width, 0.0);
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {  // children stand behind their parent
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

/// Credits of all splits of a view, K x p, before they are normalised.
class Credits {
 public:
  Credits(const Model& model, Index view, ImportanceKind kind)
      : view_(view_at(model, view)),
        kind_(kind),
        lambda_(model.parameters.reg_lambda.at(view)),
        k_(model.n_components()),
        trained_(view_.rotation.rows()),
        credits_(k_, static_cast<Index>(view_.feature_names.size())) {}

  Matrix<double> total() {
    for (const Encoder& encoder : view_.encoders) {
      for (const Tree& tree : encoder) add_tree(tree);
    }
    return std::move(credits_);
  }

 private:
  void add_tree(const Tree& tree) {
    const bool joint = tree.component < 0;
    const auto width = static_cast<std::size_t>(joint ? trained_ : 1);
    if (kind_ == ImportanceKind::gain) gradient_sums(tree, width, lambda_, sums_);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const Node& node = tree.nodes[i];
      if (node.is_leaf()) continue;
      for (Index k = 0; k < k_; ++k) {
        credits_(k, node.feature) += kind_ == ImportanceKind::gain ? gain(tree, i, k) : count(tree, node, k);
      }
    }
  }

  double count(const Tree& tree, const Node& node, Index k) const {
    const double amount = kind_ == ImportanceKind::cover ? static_cast<double>(node.cover) : 1.0;
    if (tree.component < 0) return amount;
    const double weight = view_.rotation(tree.component, k);
    return amount * weight * weight;
  }

  /// The gradient sum of a node along the k-th rotated direction.
  double along(const Tree& tree, std::size_t node, Index k) const {
    if (tree.component >= 0) return view_.rotation(tree.component, k) * sums_[node];
    double sum = 0;
    for (Index c = 0; c < trained_; ++c) {
      sum += view_.rotation(c, k) * sums_[node * static_cast<std::size_t>(trained_) + static_cast<std::size_t>(c)];
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
  std::vector<double> sums_;
};

double sum_of(const double* values, Index n) { return std::accumulate(values, values + n, 0.0); }

void normalise(double* values, Index n) {
  const double sum = sum_of(values, n);
  if (sum > 0) {
    for (Index j = 0; j < n; ++j) values[j] /= sum;
  }
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
  Matrix<double> credits = Credits(model, view, kind).total();
  for (Index k = 0; k < credits.rows(); ++k) normalise(credits.row(k), credits.cols());
  return credits;
}

std::vector<double> feature_importances(const Model& model, Index view, ImportanceKind kind) {
  const Matrix<double> gains = Credits(model, view, ImportanceKind::gain).total();
  const Matrix<double> shares = component_importances(model, view, kind);
  std::vector<double> weights;
  for (Index k = 0; k < gains.rows(); ++k) weights.push_back(sum_of(gains.row(k), gains.cols()));
  // Trees may be split without any gain to see (all leaves equal): then the components count alike.
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
