#include "fit/candidate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/eigen_matrices.hpp"
#include "helpers/folds.hpp"
#include "linalg/decompose.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

/// Part r * folds + j holds out fold j of repeat r.
HeldOutRows held_out_rows(Index rows, int repeats, int folds) {
  HeldOutRows held_out;
  held_out.n_parts = repeats * folds;
  for (int r = 0; r < repeats; ++r) {
    std::vector<int> of_row = testing::folds_of(rows, folds, static_cast<std::uint64_t>(r)).of_row;
    for (int& part : of_row) part += r * folds;
    held_out.part_of_row.push_back(std::move(of_row));
  }
  return held_out;
}

/// A part whose trees and linear CCA are these variates.
Part part_of(const std::vector<MatrixXd>& trees, const std::vector<MatrixXd>& linear) {
  Part part;
  for (const MatrixXd& z : trees) part.trees.push_back(to_matrix<float>(z));
  for (const MatrixXd& z : linear) part.linear.push_back(to_matrix<float>(z));
  return part;
}

MatrixXd random_rotation(Index k, std::uint64_t seed) { return polar_factor(random_normal(k, k, seed)); }

/// Parts = signal + noise of their own: every row sees R of them, and the estimate is that of all R * 5.
TEST(Candidate, TheEstimateIsThatOfTheMeanOfAllParts) {
  constexpr Index kRows = 4000;
  constexpr int kRepeats = 3;
  const Samples samples(kRows);
  FittedParts fitted;
  fitted.held_out = held_out_rows(kRows, kRepeats, 5);
  const MatrixXd signal = random_normal(kRows, 2, 1);
  std::vector<MatrixXd> base;
  for (std::uint64_t v = 0; v < 2; ++v) base.push_back(signal + 0.5 * random_normal(kRows, 2, 2 + v));
  for (std::uint64_t p = 0; p < 15; ++p) {
    std::vector<MatrixXd> own;
    for (std::uint64_t v = 0; v < 2; ++v) own.push_back(base[v] + random_normal(kRows, 2, 10 + 2 * p + v));
    fitted.parts.push_back(part_of(own, own));
  }
  const Candidate candidate = make_candidate(fitted, 0.0, true, samples);
  const double truth = 1 / (1.25 + 1.0 / 15);
  const std::vector<double> of_repeats = pooled_correlations(candidate.plain, 2).per_component;
  ASSERT_EQ(candidate.shipped.size(), 5U);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(candidate.correlations().per_component[c], truth, 0.03);
    EXPECT_NEAR(of_repeats[c], 1 / (1.25 + 1.0 / 3), 0.03);  // the mean of three is less
    // What is kept as out-of-fold variates has the correlation of the mean of three.
    const std::vector<Matrix<float>> rows{to_matrix<float>(to_eigen(candidate.held_out[0])),
                                          to_matrix<float>(to_eigen(candidate.held_out[1]))};
    EXPECT_NEAR(component_correlations(rows)[c], of_repeats[c], 0.01);
  }
}

TEST(Candidate, OneRepeatIsTakenAsItIs) {
  const Samples samples(500);
  FittedParts fitted;
  fitted.held_out = held_out_rows(500, 1, 5);
  const MatrixXd signal = random_normal(500, 1, 1);
  for (std::uint64_t p = 0; p < 5; ++p) {
    const std::vector<MatrixXd> own{signal + random_normal(500, 1, 10 + 2 * p),
                                    signal + random_normal(500, 1, 11 + 2 * p)};
    fitted.parts.push_back(part_of(own, own));
  }
  const Candidate candidate = make_candidate(fitted, 0.0, true, samples);
  EXPECT_EQ(candidate.shipped, candidate.plain);
}

TEST(Candidate, AlignmentUndoesRotationsOfTheParts) {
  const Samples samples(300);
  FittedParts fitted;
  fitted.held_out = held_out_rows(300, 2, 5);
  const MatrixXd common = random_normal(300, 3, 1);
  MatrixXd scaled = common;
  scaled.col(1) *= 0.7;
  std::vector<MatrixXd> base;
  for (std::uint64_t v = 0; v < 2; ++v) base.push_back(centred(scaled + 0.3 * random_normal(300, 3, 2 + v)));
  for (std::uint64_t p = 0; p < 10; ++p) {
    const MatrixXd turn = random_rotation(3, 50 + p);
    const MatrixXd shift = MatrixXd::Constant(300, 3, static_cast<double>(p));  // offsets do not matter
    fitted.parts.push_back(part_of({base[0] * turn + shift, base[1] * turn}, base));
  }
  const Candidate candidate = make_candidate(fitted, 0.0, true, samples);
  for (std::size_t p = 1; p < 10; ++p) {
    for (std::size_t v = 0; v < 2; ++v) {
      const MatrixXd first = centred(to_eigen(fitted.parts[0].trees[v])) * candidate.alignment[0];
      const MatrixXd own = centred(to_eigen(fitted.parts[p].trees[v])) * candidate.alignment[p];
      EXPECT_LT((own - first).cwiseAbs().maxCoeff(), 1e-4);
    }
  }
  for (const MatrixXd& q : candidate.alignment) {
    EXPECT_TRUE((q.transpose() * q).isApprox(MatrixXd::Identity(3, 3), 1e-9));
  }
  // All parts say the same, so that their mean is no better than one of them; only the centring within folds differs.
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(candidate.correlations().per_component[c], pooled_correlations(candidate.plain, 2).per_component[c],
                2e-3);
  }
}

/// Parts whose views agree on the rows that they saw and on no others: all that is measured must come from the others.
TEST(Candidate, RowsThatAPartSawTellNothingAboutIt) {
  constexpr Index kRows = 1500;
  const Samples samples(kRows);
  FittedParts fitted;
  fitted.held_out = held_out_rows(kRows, 2, 5);
  for (int p = 0; p < 10; ++p) {
    const auto seed = static_cast<std::uint64_t>(100 + 10 * p);
    const MatrixXd known = random_normal(kRows, 2, seed);
    std::vector<MatrixXd> own{known, known};
    const MatrixXd unknown = random_normal(kRows, 2, seed + 1);
    for (Index i = 0; i < kRows; ++i) {
      if (!fitted.held_out.saw(p, i)) own[1].row(i) = unknown.row(i);
    }
    fitted.parts.push_back(part_of(own, own));
  }
  for (const bool rotate : {true, false}) {
    const Candidate candidate = make_candidate(fitted, 0.0, rotate, samples);
    for (const double r : candidate.correlations().per_component) EXPECT_LT(std::abs(r), 4 / std::sqrt(kRows));
  }
}

TEST(Candidate, BlendsByTheWeight) {
  const Samples samples(400);
  FittedParts fitted;
  fitted.held_out = held_out_rows(400, 1, 5);
  const MatrixXd shared = random_normal(400, 1, 1);
  const std::vector<MatrixXd> trees{random_normal(400, 1, 2), random_normal(400, 1, 3)};
  const std::vector<MatrixXd> linear{shared, shared};
  for (int p = 0; p < 5; ++p) fitted.parts.push_back(part_of(trees, linear));
  const auto correlation = [&](double weight) {
    return make_candidate(fitted, weight, true, samples).correlations().per_component[0];
  };
  EXPECT_LT(std::abs(correlation(0)), 0.2);
  EXPECT_NEAR(correlation(1), 1, 1e-6);
  for (const double w : {0.25, 0.5}) {
    const std::vector<Matrix<float>> mixed{to_matrix<float>((1 - w) * trees[0] + w * linear[0]),
                                           to_matrix<float>((1 - w) * trees[1] + w * linear[1])};
    EXPECT_NEAR(correlation(w), component_correlations(mixed)[0], 0.02);
  }
  for (Part& part : fitted.parts) part.trees.clear();  // linear CCA alone needs none
  EXPECT_NEAR(correlation(1), 1, 1e-6);
}

TEST(Candidate, WithoutRotationComponentsStayAtUnitVariance) {
  const Samples samples(300);
  FittedParts fitted;
  fitted.held_out = held_out_rows(300, 1, 5);
  const MatrixXd z = random_normal(300, 2, 1);
  for (int p = 0; p < 5; ++p) fitted.parts.push_back(part_of({3 * z, 0.5 * z}, {z, z}));
  const Candidate candidate = make_candidate(fitted, 0.0, false, samples);
  for (std::size_t v = 0; v < 2; ++v) {
    const MatrixXd& by = candidate.rotation[v];
    EXPECT_EQ(by(0, 1), 0);
    EXPECT_EQ(by(1, 0), 0);
    EXPECT_NEAR(by(0, 0) * (v == 0 ? 3 : 0.5), 1, 0.1);
  }
}

TEST(Candidate, WeightsAreRepetitions) {
  // Rows 0 to 59 twice, once as rows and once as weights.
  const MatrixXd a = random_normal(120, 2, 1);
  const MatrixXd b = a + random_normal(120, 2, 2);
  std::vector<int> of_row;
  for (int i = 0; i < 120; ++i) of_row.push_back(i % 5);
  MatrixXd a2(180, 2);
  MatrixXd b2(180, 2);
  a2 << a, a.topRows(60);
  b2 << b, b.topRows(60);
  FittedParts weighted;
  FittedParts repeated;
  weighted.held_out = {{of_row}, 5, true};
  repeated.held_out = {{of_row}, 5, true};
  for (int i = 0; i < 60; ++i) repeated.held_out.part_of_row[0].push_back(i % 5);
  for (int p = 0; p < 5; ++p) {
    weighted.parts.push_back(part_of({a, b}, {a, b}));
    repeated.parts.push_back(part_of({a2, b2}, {a2, b2}));
  }
  std::vector<double> weights(120, 1.0);
  for (std::size_t i = 0; i < 60; ++i) weights[i] = 2;
  const Samples some(120, testing::with_weights(weights));
  const Samples all(180);
  const std::vector<double> by_weight = make_candidate(weighted, 0.0, true, some).correlations().per_component;
  const std::vector<double> by_rows = make_candidate(repeated, 0.0, true, all).correlations().per_component;
  for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(by_weight[c], by_rows[c], 0.01);
}

TEST(Blends, AreThoseAskedForAndLinearCca) {
  const Samples samples(100);
  FittedParts fitted;
  fitted.held_out = held_out_rows(100, 1, 5);
  const MatrixXd z = random_normal(100, 1, 1);
  for (int p = 0; p < 5; ++p) fitted.parts.push_back(part_of({z, -z}, {z, z}));
  Parameters parameters = Parameters::of_preset(Preset::plain);
  parameters.linear = {};
  const Blends all(fitted, parameters, samples);
  ASSERT_EQ(all.candidates.size(), 3U);
  EXPECT_EQ(all.candidates[1].linear_weight, 0.5);
  EXPECT_EQ(all.linear_cca().linear_weight, 1);
  parameters.linear = 0.25;
  const Blends one(fitted, parameters, samples);
  ASSERT_EQ(one.candidates.size(), 1U);
  EXPECT_EQ(one.candidates[0].linear_weight, 0.25);
  EXPECT_EQ(one.linear_cca().linear_weight, 1);
  EXPECT_NEAR(one.linear_cca().correlations().per_component[0], 1, 1e-6);
}

TEST(Blends, OneCrossFitOfTreesAloneHasNone) {
  Parameters parameters = Parameters::of_preset(Preset::plain);
  EXPECT_TRUE(is_single_fit(parameters));
  parameters.linear = 0.5;
  EXPECT_FALSE(is_single_fit(parameters));
  parameters.linear = {};
  EXPECT_FALSE(is_single_fit(parameters));
  parameters.linear = 0.0;
  parameters.n_repeats = 1;
  EXPECT_FALSE(is_single_fit(parameters));
}

TEST(ShippedCorrelations, VariancesAreAtLeastHalfOfThePlainOnes) {
  const std::vector<double> plain{1, 0.2, 0.2, 1};  // one component of two views
  EXPECT_NEAR(shipped_correlations({0.8, 0.2, 0.2, 0.8}, plain, 2, 100).per_component[0], 0.25, 1e-12);
  EXPECT_NEAR(shipped_correlations({0.1, 0.2, 0.2, 0.1}, plain, 2, 100).per_component[0], 0.4, 1e-12);
  EXPECT_NEAR(shipped_correlations({-1, 0.2, 0.2, 0.5}, plain, 2, 100).per_component[0], 0.4, 1e-12);
  EXPECT_NEAR(shipped_correlations({0.1, 0.2, 0.2, 0.1}, plain, 2, 12).per_component[0], 0.2,
              1e-12);  // plain variances
  EXPECT_EQ(least_variance(20), 1);
  EXPECT_EQ(least_variance(40), 0.75);
  EXPECT_EQ(least_variance(60), 0.5);
}

}  // namespace
}  // namespace treecca
