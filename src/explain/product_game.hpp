// Shapley values of products, the cooperative games that belong to the leaves of a tree.
// A row reaches a leaf if it passes the splits of each of the d features on the path. For an absent feature, the
// fraction of the training rows that pass is used instead. So the value of a coalition S of features is
//     v(S) = product over j in S of present_j * product over the others of absent_j,
// present_j in {0, 1} and absent_j in [0, 1]. With g_j(t) = t present_j + (1 - t) absent_j the Shapley value is
//     phi_j = (present_j - absent_j) * integral over [0, 1] of the product of all g_i(t), i != j,
// and the interaction of two features has the same form without both. The integrands are polynomials of degree d - 1 at
// most, which Gauss-Legendre quadrature integrates exactly. It adds only numbers of one sign and needs no special case
// for absent_j = 0, by which the usual recursions (extend, unwind) divide. Rows with the same bits share one
// computation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

/// Number of rows that are explained together, one bit of a word each.
inline constexpr Index kGameRows = 64;

/// A feature on the path to a leaf.
struct Player {
  std::int32_t feature = -1;  // for the caller
  double absent = 1;          // fraction of the training rows that pass its splits
  std::uint64_t present = 0;  // bit r: row r passes them
};

/// Nodes and weights of Gauss-Legendre quadrature on (0, 1), nodes ascending.
struct Quadrature {
  std::vector<double> nodes, weights;
};
Quadrature gauss_legendre(Index n);

/// Solves games of any number of players, one at a time. Keeps workspaces: one object per thread.
class ProductGame {
 public:
  ProductGame() = default;
  ProductGame(const ProductGame&) = delete;  // holds pointers into itself
  ProductGame& operator=(const ProductGame&) = delete;

  /// Sets the game; solves nothing yet. At least one player; they must outlive the solution.
  void set(std::span<const Player> players);

  /// Solves the game for the first of the rows in `rows` (not 0), and returns all rows in `rows` with the same
  /// solution.
  std::uint64_t solve_next(std::uint64_t rows);

  /// d: the Shapley values of the rows of solve_next.
  const std::vector<double>& shapley() const { return shapley_; }
  /// d x d, of the same rows: half the interaction of two players off the diagonal; rows add up to shapley(). Computed
  /// by this call.
  const std::vector<double>& interactions();

 private:
  const Quadrature& rule_for(std::size_t players);

  std::vector<Quadrature> rules_;  // by number of nodes; empty until needed
  std::span<const Player> players_;
  const Quadrature* rule_ = nullptr;
  std::vector<double> passing_;     // d x Q: g_j of a row that passes
  std::vector<double> slope_;       // d x Q: (1 - absent_j) / g_j of a row that passes
  std::vector<double> stopped_;     // Q: the same of a row that does not pass: -1 / (1 - t)
  std::vector<double> product_;     // Q: weight times the product of all g_j
  std::vector<const double*> own_;  // d: slopes of the row
  std::vector<double> shapley_, interactions_;
};

}  // namespace treecca
