#include "explain/product_game.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace treecca {
namespace {

using Numbers = std::vector<double>;

/// v(S) for every set S of players, given as bits, and one row.
Numbers worth_of_sets(const std::vector<Player>& players, int row) {
  Numbers worth(std::size_t{1} << players.size(), 1.0);
  for (std::size_t set = 0; set < worth.size(); ++set) {
    for (std::size_t j = 0; j < players.size(); ++j) {
      const double present = ((players[j].present >> row) & 1U) != 0 ? 1 : 0;
      worth[set] *= ((set >> j) & 1U) != 0 ? present : players[j].absent;
    }
  }
  return worth;
}

double factorial(std::size_t n) { return std::tgamma(static_cast<double>(n) + 1); }

/// By the definition of the Shapley value, over all sets.
Numbers shapley_by_sets(const Numbers& worth, std::size_t d) {
  Numbers values(d, 0.0);
  for (std::size_t set = 0; set < worth.size(); ++set) {
    const auto size = static_cast<std::size_t>(std::popcount(set));
    for (std::size_t j = 0; j < d; ++j) {
      if (((set >> j) & 1U) != 0) continue;
      const double weight = factorial(size) * factorial(d - size - 1) / factorial(d);
      values[j] += weight * (worth[set | (std::size_t{1} << j)] - worth[set]);
    }
  }
  return values;
}

/// Half the Shapley interaction index of two players, by its definition.
double interaction_by_sets(const Numbers& worth, std::size_t d, std::size_t a, std::size_t b) {
  const std::size_t bit_a = std::size_t{1} << a;
  const std::size_t bit_b = std::size_t{1} << b;
  double sum = 0;
  for (std::size_t set = 0; set < worth.size(); ++set) {
    if ((set & (bit_a | bit_b)) != 0) continue;
    const auto size = static_cast<std::size_t>(std::popcount(set));
    const double weight = factorial(size) * factorial(d - size - 2) / factorial(d - 1) / 2;
    sum += weight * (worth[set | bit_a | bit_b] - worth[set | bit_a] - worth[set | bit_b] + worth[set]);
  }
  return sum;
}

std::vector<Player> random_players(std::size_t d, std::mt19937_64& random) {
  std::vector<Player> players(d);
  for (Player& player : players) {
    player.absent = std::uniform_real_distribution<double>()(random);
    const auto kind = random() % 6;  // also features that nobody or everybody passes
    if (kind == 0) player.absent = 0;
    if (kind == 1) player.absent = 1;
    player.present = random();
  }
  return players;
}

TEST(GaussLegendre, IntegratesPolynomialsOfDegreeTwoNMinusOne) {
  for (const Index n : {1, 2, 3, 7, 20, 101}) {
    const Quadrature rule = gauss_legendre(n);
    EXPECT_TRUE(std::is_sorted(rule.nodes.begin(), rule.nodes.end()));
    for (Index degree = 0; degree < 2 * n; ++degree) {
      double sum = 0;
      for (std::size_t q = 0; q < rule.nodes.size(); ++q) {
        sum += rule.weights[q] * std::pow(rule.nodes[q], static_cast<double>(degree));
      }
      EXPECT_NEAR(sum, 1.0 / static_cast<double>(degree + 1), 1e-13) << n << " nodes, degree " << degree;
    }
  }
}

TEST(ProductGame, EqualsTheSumOverAllSets) {
  std::mt19937_64 random(1);
  ProductGame game;
  for (std::size_t d = 1; d <= 10; ++d) {
    const std::vector<Player> players = random_players(d, random);
    game.set(players);
    for (std::uint64_t left = ~std::uint64_t{0}; left != 0;) {
      const int first = std::countr_zero(left);
      const std::uint64_t same = game.solve_next(left);
      ASSERT_NE((same >> first) & 1U, 0U);
      ASSERT_EQ(same & ~left, 0U);
      left &= ~same;
      const Numbers found = game.shapley();
      const Numbers pairs = game.interactions();
      for (int row = 0; row < kGameRows; ++row) {
        if (((same >> row) & 1U) == 0) continue;
        const Numbers worth = worth_of_sets(players, row);
        const Numbers expected = shapley_by_sets(worth, d);
        for (std::size_t a = 0; a < d; ++a) {
          EXPECT_NEAR(found[a], expected[a], 1e-14);
          double sum = 0;
          for (std::size_t b = 0; b < d; ++b) {
            sum += pairs[a * d + b];
            if (a != b) {
              EXPECT_NEAR(pairs[a * d + b], interaction_by_sets(worth, d, a, b), 1e-14);
            }
          }
          EXPECT_NEAR(sum, expected[a], 1e-14);
        }
      }
    }
  }
}

TEST(ProductGame, OfManyPlayersAddsUp) {
  std::mt19937_64 random(2);
  ProductGame game;
  for (const std::size_t d : {30U, 63U, 64U, 300U, 1024U}) {
    std::vector<Player> players(d);
    for (Player& player : players) {  // close to 1, or nothing would be left of the product
      player.absent = 1 - std::uniform_real_distribution<double>()(random) * 3 / static_cast<double>(d);
      player.present = random() | random() | random() | random() | random() | random();
    }
    players.back().present = 0xFF;
    game.set(players);
    for (std::uint64_t left = ~std::uint64_t{0}; left != 0;) {
      const int row = std::countr_zero(left);
      left &= ~game.solve_next(left);
      double without = 1;
      bool passes = true;
      for (const Player& player : players) {
        without *= player.absent;
        passes = passes && ((player.present >> row) & 1U) != 0;
      }
      double sum = 0;
      for (const double value : game.shapley()) sum += value;
      EXPECT_NEAR(sum, (passes ? 1 : 0) - without, 1e-12) << d;
    }
  }
}

/// All players alike: they share the worth, however many there are.
TEST(ProductGame, OfEqualPlayersIsSharedAlike) {
  ProductGame game;
  for (const double absent : {0.0, 0.5, 0.999}) {
    const std::vector<Player> players(500, {0, absent, 1});
    game.set(players);
    EXPECT_EQ(game.solve_next(1), 1U);
    for (const double value : game.shapley()) EXPECT_NEAR(value, (1 - std::pow(absent, 500)) / 500, 1e-14);
  }
}

TEST(ProductGame, IsZeroWhereOneFeatureLetsNobodyPass) {
  ProductGame game;
  const std::vector<Player> players{{0, 0.5, 3}, {1, 0.0, 2}, {2, 0.25, 1}};
  game.set(players);
  EXPECT_EQ(game.solve_next(1), 1U);
  EXPECT_EQ(game.shapley(), (Numbers{0, 0, 0}));
  EXPECT_EQ(game.solve_next(2), 2U);
  EXPECT_GT(game.shapley()[1], 0);
  EXPECT_LT(game.shapley()[2], 0);
}

}  // namespace
}  // namespace treecca
