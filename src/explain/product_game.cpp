#include "explain/product_game.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace treecca {

namespace {

/// Number of nodes for products of `players` factors. players / 2 nodes are exact. For many factors fewer suffice: each
/// factor is linear and between 0 and 1 on [0, 1], so the error of n nodes is below 5 exp(-4 n^2 / players), here
/// 1e-16.
Index nodes_for(std::size_t players) {
  const auto enough = static_cast<Index>(std::ceil(3.1 * std::sqrt(static_cast<double>(players)))) + 1;
  return std::min<Index>(static_cast<Index>(players + 1) / 2, enough);
}

}  // namespace

Quadrature gauss_legendre(Index n) {
  Quadrature rule{std::vector<double>(static_cast<std::size_t>(n)), std::vector<double>(static_cast<std::size_t>(n))};
  const auto degree = static_cast<double>(n);
  for (Index i = 0; i < n; ++i) {
    double x = -std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (degree + 0.5));  // near the i-th root
    double slope = 1;
    for (int step = 0; step < 10; ++step) {  // Newton on the Legendre polynomial of degree n
      double value = x;
      double before = 1;
      for (Index l = 2; l <= n; ++l) {
        const auto at = static_cast<double>(l);
        const double next = ((2 * at - 1) * x * value - (at - 1) * before) / at;
        before = value;
        value = next;
      }
      slope = degree * (x * value - before) / (x * x - 1);
      const double change = value / slope;
      x -= change;
      if (std::abs(change) < 1e-15) break;
    }
    rule.nodes[static_cast<std::size_t>(i)] = (1 + x) / 2;
    rule.weights[static_cast<std::size_t>(i)] = 1 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

const Quadrature& ProductGame::rule_for(std::size_t players) {
  const auto n = static_cast<std::size_t>(nodes_for(players));
  if (rules_.size() <= n) rules_.resize(n + 1);
  if (rules_[n].nodes.empty()) rules_[n] = gauss_legendre(static_cast<Index>(n));
  return rules_[n];
}

void ProductGame::set(std::span<const Player> players) {
  if (rule_ == nullptr || players.size() != players_.size()) {
    rule_ = &rule_for(players.size());
    stopped_.resize(rule_->nodes.size());
    std::transform(rule_->nodes.begin(), rule_->nodes.end(), stopped_.begin(), [](double t) { return -1 / (1 - t); });
  }
  players_ = players;
  const std::size_t n = rule_->nodes.size();
  passing_.resize(players.size() * n);
  slope_.resize(players.size() * n);
  for (std::size_t j = 0; j < players.size(); ++j) {
    for (std::size_t q = 0; q < n; ++q) {
      const double t = rule_->nodes[q];
      const double g = t + (1 - t) * players[j].absent;
      passing_[j * n + q] = g;
      slope_[j * n + q] = (1 - players[j].absent) / g;
    }
  }
}

std::uint64_t ProductGame::solve_next(std::uint64_t rows) {
  const int row = std::countr_zero(rows);
  const std::size_t n = rule_->nodes.size();
  product_ = rule_->weights;
  own_.resize(players_.size());
  double fraction = 1;  // fraction of absent rows, over the features that stop this row
  for (std::size_t j = 0; j < players_.size(); ++j) {
    const Player& player = players_[j];
    if (((player.present >> row) & 1U) != 0) {
      rows &= player.present;
      own_[j] = slope_.data() + j * n;
      for (std::size_t q = 0; q < n; ++q) product_[q] *= passing_[j * n + q];
    } else {
      rows &= ~player.present;
      own_[j] = stopped_.data();
      fraction *= player.absent;
      for (std::size_t q = 0; q < n; ++q) product_[q] *= 1 - rule_->nodes[q];
    }
  }
  for (double& product : product_) product *= fraction;
  shapley_.resize(players_.size());
  for (std::size_t j = 0; j < players_.size(); ++j) {
    double sum = 0;
    for (std::size_t q = 0; q < n; ++q) sum += product_[q] * own_[j][q];
    shapley_[j] = sum;
  }
  return rows;
}

const std::vector<double>& ProductGame::interactions() {
  const std::size_t d = players_.size();
  const std::size_t n = rule_->nodes.size();
  interactions_.resize(d * d);
  for (std::size_t a = 0; a < d; ++a) interactions_[a * d + a] = shapley_[a];
  for (std::size_t a = 0; a < d; ++a) {
    for (std::size_t b = a + 1; b < d; ++b) {
      double sum = 0;
      for (std::size_t q = 0; q < n; ++q) sum += product_[q] * own_[a][q] * own_[b][q];
      interactions_[a * d + b] = interactions_[b * d + a] = sum / 2;
      interactions_[a * d + a] -= sum / 2;
      interactions_[b * d + b] -= sum / 2;
    }
  }
  return interactions_;
}

}  // namespace treecca
