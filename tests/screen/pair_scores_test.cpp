#include "screen/pair_scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "helpers/random_data.hpp"
#include "screen/pair_kernels.hpp"

namespace treecca {
namespace {

/// Three views of all kinds of features: continuous, zero-inflated, binary, missing values, constant.
struct Mixed {
  std::vector<Matrix<float>> tables;
  std::vector<BinnedView> views;
  std::vector<std::vector<RankBins>> bins;
  std::vector<int> fold;
  std::vector<float> weights;

  explicit Mixed(Index n, unsigned seed, int folds) {
    std::mt19937 random(seed);
    const Matrix<float> latent = testing::normal_matrix(n, 2, seed + 100);
    for (unsigned v = 0; v < 3; ++v) {
      Matrix<float> x = testing::normal_matrix(n, 14 + 9 * static_cast<Index>(v), seed * 7 + v);
      for (Index i = 0; i < n; ++i) {
        x(i, 0) += latent(i, 0);
        x(i, 1) = x(i, 1) < 0 ? 0 : x(i, 1);                                       // zero-inflated
        x(i, 2) = x(i, 2) + latent(i, 1) < 0.5 ? 0 : 1;                            // binary
        x(i, 3) = 7;                                                               // constant
        if (random() % 3 == 0) x(i, 4) = std::numeric_limits<float>::quiet_NaN();  // often missing
        if (random() % 50 == 0) x(i, 5) = std::numeric_limits<float>::quiet_NaN();
        x(i, 6) = std::round(x(i, 6));  // few values
        x(i, 7) = i == 3 ? 1 : 0;       // nearly constant
      }
      tables.push_back(x);
      views.emplace_back(View{"v" + std::to_string(v), tables.back()}, 255, 1);
      bins.push_back(rank_bins(views.back(), 1));
    }
    for (Index i = 0; i < n; ++i) {
      fold.push_back(static_cast<int>(random() % static_cast<unsigned>(folds)));
      weights.push_back(static_cast<float>(random() % 5) / 2);
    }
  }

  RowOrder order() const {
    const int folds = 1 + *std::max_element(fold.begin(), fold.end());
    RowOrder order;
    std::vector<RowIndex> rows;
    order.fold_begin = {0};
    for (int f = 0; f < folds; ++f) {
      for (std::size_t i = 0; i < fold.size(); ++i) {
        if (fold[i] == f) rows.push_back(static_cast<RowIndex>(i));
      }
      order.fold_begin.push_back(static_cast<Index>(rows.size()));
    }
    order.rows.assign(views.size(), rows);
    order.without_each_fold = folds > 1;
    return order;
  }

  int bin(std::size_t v, Index feature, Index row) const {
    return bins[v][static_cast<std::size_t>(feature)].of_code[views[v].column(feature)[row]];
  }

  /// The statistic as the books have it, on the rows outside `without`.
  double plain_score(std::size_t u, Index a, std::size_t v, Index b, int without, bool weighted) const {
    double table[8][8] = {};
    double total = 0;
    double squares = 0;
    for (std::size_t i = 0; i < fold.size(); ++i) {
      if (fold[i] == without) continue;
      const double weight = weighted ? weights[i] : 1;
      table[bin(u, a, static_cast<Index>(i))][bin(v, b, static_cast<Index>(i))] += weight;
      total += weight;
      squares += weight * weight;
    }
    double chi = 0;
    for (int r = 0; r < 8; ++r) {
      for (int c = 0; c < 8; ++c) {
        double row = 0;
        double column = 0;
        for (int k = 0; k < 8; ++k) {
          row += table[r][k];
          column += table[k][c];
        }
        const double expected = row * column / total;
        if (expected > 0) chi += (table[r][c] - expected) * (table[r][c] - expected) / expected;
      }
    }
    chi *= total / squares;
    const int bins_a = bins[u][static_cast<std::size_t>(a)].count;
    const int bins_b = bins[v][static_cast<std::size_t>(b)].count;
    return bins_a > 1 && bins_b > 1 ? normal_deviate(chi, (bins_a - 1) * (bins_b - 1))
                                    : -std::numeric_limits<double>::infinity();
  }

  void expect_equal_to_plain(const std::vector<ViewScores>& scores, bool weighted) const {
    for (std::size_t u = 0; u < views.size(); ++u) {
      for (std::size_t set = 0; set < scores[u].score.size(); ++set) {
        for (Index a = 0; a < views[u].features(); ++a) {
          double best = -std::numeric_limits<double>::infinity();
          for (std::size_t v = 0; v < views.size(); ++v) {
            for (Index b = 0; v != u && b < views[v].features(); ++b) {
              best = std::max(best, plain_score(u, a, v, b, static_cast<int>(set) - 1, weighted));
            }
          }
          const double found = scores[u].score[set][static_cast<std::size_t>(a)];
          if (std::isinf(best)) {
            EXPECT_EQ(found, best);
            EXPECT_EQ(scores[u].partner_view[static_cast<std::size_t>(a)], -1);
            continue;
          }
          ASSERT_NEAR(found, best, 2e-3) << "view " << u << " feature " << a << " set " << set;
          if (set > 0) continue;
          const std::int32_t other = scores[u].partner_view[static_cast<std::size_t>(a)];
          ASSERT_GE(other, 0);
          EXPECT_NEAR(plain_score(u, a, static_cast<std::size_t>(other), scores[u].partner[static_cast<std::size_t>(a)],
                                  -1, weighted),
                      best, 2e-3);
        }
      }
    }
  }
};

TEST(PairScores, AreThoseOfPlainTables) {
  for (const int folds : {1, 2, 5}) {
    const Mixed data(271, static_cast<unsigned>(folds), folds);
    data.expect_equal_to_plain(pair_scores(data.views, data.bins, data.order(), {}, 2), false);
  }
}

TEST(PairScores, AreThoseOfPlainTablesWithWeights) {
  const Mixed data(150, 4, 3);
  data.expect_equal_to_plain(pair_scores(data.views, data.bins, data.order(), data.weights, 2), true);
}

TEST(PairScores, DoNotDependOnThreads) {
  const Mixed data(200, 9, 4);
  const auto one = pair_scores(data.views, data.bins, data.order(), {}, 1);
  const auto many = pair_scores(data.views, data.bins, data.order(), {}, 4);
  for (std::size_t v = 0; v < one.size(); ++v) {
    EXPECT_EQ(one[v].score, many[v].score);
    EXPECT_EQ(one[v].partner, many[v].partner);
    EXPECT_EQ(one[v].partner_view, many[v].partner_view);
  }
}

TEST(PairScores, AllInstructionSetsGiveTheSameBits) {
  std::mt19937_64 random(5);
  constexpr int kWords = 5;
  for (int bins_a = 2; bins_a <= 7; ++bins_a) {
    for (int bins_b = 2; bins_b <= 7; ++bins_b) {
      const std::ptrdiff_t begin[] = {0, 2, kWords};
      const float scale[] = {300, 200, 100};
      const PairRows rows{2, 3, begin, scale};
      std::vector<std::uint64_t> bits(static_cast<std::size_t>(kWords * 7 * kLanes));
      for (auto& word : bits) word = random();
      std::vector<float> counts(2 * kTableSide * kLanes);
      std::vector<float> inverse(3 * kTableSide * kLanes);
      for (float& x : counts) x = static_cast<float>(random() % 100);
      for (float& x : inverse) x = 1.0F / static_cast<float>(1 + random() % 100);
      const PairFeatures features{bits.data(), nullptr, counts.data(), inverse.data()};
      std::vector<float> first;
      for (const InstructionSet set : available_instruction_sets()) {
        std::vector<float> tables(static_cast<std::size_t>(pair_table_size(2)));
        std::vector<float> found(3 * kLanes);
        pair_kernels(set).pairs_of_bits(rows, features, bins_a, features, bins_b, tables.data(), found.data());
        if (first.empty()) first = found;
        EXPECT_EQ(found, first) << name_of(set);
      }
    }
  }
}

TEST(PairScores, NormalDeviatesHaveTheTailsOfChiSquare) {
  EXPECT_NEAR(normal_deviate(37.652, 25), 1.645, 0.01);  // 5 % points
  EXPECT_NEAR(normal_deviate(3.841, 1), 1.645, 0.05);
  EXPECT_NEAR(normal_deviate(52.620, 25), 3.090, 0.01);  // 0.1 % points
  EXPECT_NEAR(normal_deviate(20.515, 5), 3.090, 0.03);
}

}  // namespace
}  // namespace treecca
