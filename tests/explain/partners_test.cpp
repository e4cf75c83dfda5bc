#include "treecca/partners.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "helpers/random_data.hpp"
#include "helpers/random_model.hpp"
#include "helpers/temporary_file.hpp"
#include "report/partner_rows.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"
#include "treecca/importance.hpp"

namespace treecca {
namespace {

using testing_helpers::ModelShape;
using testing_helpers::random_model;

Model described_model(double linear = 0) {
  ModelShape shape;
  shape.features = {5, 4, 3};
  shape.components = 3;
  shape.described = true;
  shape.linear = linear;
  return random_model(3, shape);
}

std::vector<Index> all_of(const Model& model, Index view) {
  std::vector<Index> features;
  for (std::size_t j = 0; j < model.views[static_cast<std::size_t>(view)].feature_names.size(); ++j) {
    features.push_back(static_cast<Index>(j));
  }
  return features;
}

/// By the formulas of the header, one component and one pair of features at a time.
TEST(Partners, AssociationsAreTheFormulas) {
  const Model model = described_model();
  const Index m = 3, k = 3;
  for (const auto& [v, w] : {std::pair<Index, Index>{0, 1}, {2, 0}}) {
    const Matrix<double> gain_a = component_importances(model, v, ImportanceKind::gain);
    const Matrix<double> gain_b = component_importances(model, w, ImportanceKind::gain);
    const Matrix<double>& own_a = model.views[static_cast<std::size_t>(v)].loadings.own;
    const Matrix<double>& own_b = model.views[static_cast<std::size_t>(w)].loadings.own;
    for (Index one = -1; one < k; ++one) {
      const auto component = one < 0 ? std::nullopt : std::optional<Index>(one);
      const Associations found = associations(model, v, all_of(model, v), w, all_of(model, w), component);
      for (Index a = 0; a < found.strength.rows(); ++a) {
        for (Index b = 0; b < found.strength.cols(); ++b) {
          double linear = 0, strongest = 0;
          for (Index c = 0; c < k; ++c) {
            if (one >= 0 && c != one) continue;
            const double r = std::max(0.0, model.correlations.pairwise[static_cast<std::size_t>((v * m + w) * k + c)]);
            linear += own_a(a, c) * r * own_b(b, c);
            strongest = std::max(strongest, std::max(std::abs(own_a(a, c)), std::sqrt(gain_a(c, a))) * r *
                                                std::max(std::abs(own_b(b, c)), std::sqrt(gain_b(c, b))));
          }
          linear = std::clamp(linear, -1.0, 1.0);
          EXPECT_NEAR(found.correlation(a, b), linear, 1e-12);
          EXPECT_NEAR(found.strength(a, b), std::max(std::abs(linear), strongest), 1e-12);
        }
      }
    }
  }
}

TEST(Partners, AreTheStrongestOfAllOtherViews) {
  const Model model = described_model();
  const std::vector<std::vector<Partner>> found = partners(model, 1, {0, 3}, 100);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].size(), 8U);  // all features of the two other views
  for (std::size_t i = 0; i < found[1].size(); ++i) {
    const Partner& one = found[1][i];
    EXPECT_NE(one.view, 1);
    EXPECT_LE(one.strength, found[1][i == 0 ? 0 : i - 1].strength);
    const Associations same = associations(model, 1, {3}, one.view, {one.feature});
    EXPECT_EQ(one.strength, same.strength(0, 0));
    EXPECT_EQ(one.correlation, same.correlation(0, 0));
    for (Index c = 0; c < 3; ++c) {
      const Associations of_one = associations(model, 1, {3}, one.view, {one.feature}, c);
      const Associations strongest = associations(model, 1, {3}, one.view, {one.feature}, one.component);
      EXPECT_LE(of_one.strength(0, 0), strongest.strength(0, 0));
    }
  }
  EXPECT_EQ(partners(model, 1, {3}, 2)[0].size(), 2U);
  EXPECT_TRUE(partners(model, 1, {}, 2).empty());
}

/// Features that only the components relate: the correlation is that of the data, and a square has none.
TEST(Partners, GiveTheCorrelationsOfTheDataAndSeeASquare) {
  const Index n = 600;
  const Matrix<float> noise = testing::normal_matrix(n, 8, 1), latent = testing::normal_matrix(n, 2, 2);
  Matrix<float> x(n, 4), y(n, 4);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < 4; ++j) {
      x(i, j) = noise(i, j);
      y(i, j) = noise(i, 4 + j);
    }
    x(i, 0) = latent(i, 0) + 0.4F * noise(i, 0);
    x(i, 1) = latent(i, 0) + 0.8F * noise(i, 1);
    x(i, 2) = latent(i, 1) + 0.2F * noise(i, 2);
    y(i, 0) = -latent(i, 0) + 0.4F * noise(i, 4);
    y(i, 2) = latent(i, 1) * latent(i, 1) + 0.2F * noise(i, 6);
  }
  Parameters parameters;
  parameters.n_components = 2;
  parameters.n_estimators = 60;
  const Model model = fit({{"x", x, {}}, {"y", y, {}}}, parameters).model;
  const auto correlation = [&](Index a, Index b) {
    double xx = 0, yy = 0, xy = 0, mx = 0, my = 0;
    for (Index i = 0; i < n; ++i) {
      mx += x(i, a) / static_cast<double>(n);
      my += y(i, b) / static_cast<double>(n);
    }
    for (Index i = 0; i < n; ++i) {
      xx += (x(i, a) - mx) * (x(i, a) - mx);
      yy += (y(i, b) - my) * (y(i, b) - my);
      xy += (x(i, a) - mx) * (y(i, b) - my);
    }
    return xy / std::sqrt(xx * yy);
  };
  const Associations found = associations(model, 0, {0, 1, 2, 3}, 1, {0, 1, 2, 3});
  EXPECT_NEAR(found.correlation(0, 0), correlation(0, 0), 0.1);
  EXPECT_NEAR(found.correlation(1, 0), correlation(1, 0), 0.1);
  EXPECT_LT(found.correlation(0, 0), -0.7);
  EXPECT_LT(std::abs(found.correlation(2, 2)), 0.2);  // a square: no linear part
  EXPECT_GT(found.strength(2, 2), 0.6);
  EXPECT_LT(found.strength(3, 3), 0.2);
  EXPECT_EQ(partners(model, 0, {2}, 1)[0][0].feature, 2);
  EXPECT_EQ(partners(model, 1, {0}, 1)[0][0].feature, 0);
}

/// Linear CCA alone: an unrelated feature may have a large coefficient (importance), but nothing can be nonlinear.
TEST(Partners, WithoutTreesAreLinear) {
  Model model = described_model(1);
  const Associations found = associations(model, 0, all_of(model, 0), 1, all_of(model, 1));
  for (std::size_t i = 0; i < found.strength.values().size(); ++i) {
    EXPECT_EQ(found.strength.values()[i], std::abs(found.correlation.values()[i]));
  }
  const std::vector<std::vector<Partner>> all = partners(model, 0, {0}, 100);
  for (const Partner& one : all[0]) {
    EXPECT_EQ(direction_of(model, 0, 0, one), fmt::format("{:+.2f}", one.correlation));
  }
}

/// Categories have no loading: their strength is that of the importance.
TEST(Partners, OfCategoriesWithoutTreesHaveAStrength) {
  Model model = described_model(1);
  model.views[0].levels = {{"x", "y"}, {}, {}, {}, {}};
  const Associations found = associations(model, 0, {0}, 1, all_of(model, 1));
  double strongest = 0;
  for (const double strength : found.strength.values()) strongest = std::max(strongest, strength);
  EXPECT_GT(strongest, 0);
}

TEST(Partners, WithoutLoadingsHaveNoSign) {
  Model model = described_model();
  for (ViewModel& view : model.views) view.loadings = {};
  const Associations found = associations(model, 0, all_of(model, 0), 1, all_of(model, 1));
  double strongest = 0;
  for (const double strength : found.strength.values()) strongest = std::max(strongest, strength);
  EXPECT_GT(strongest, 0);
  for (const double r : found.correlation.values()) EXPECT_EQ(r, 0);
}

TEST(Partners, RefuseWhatTheModelDoesNotHave) {
  const Model model = described_model();
  expect_error<UsageError>([&] { partners(model, 3, {0}, 1); }, {"no view 3"});
  expect_error<UsageError>([&] { partners(model, 0, {5}, 1); }, {"no feature 5", "5"});
  expect_error<UsageError>([&] { partners(model, 0, {0}, 1, 3); }, {"no component 3"});
  expect_error<UsageError>([&] { associations(model, 0, {0}, 0, {0}); }, {"another view"});
  expect_error<UsageError>([&] { associations(model, 0, {0}, 1, {4}); }, {"no feature 4"});
  Model single = model;
  single.views.resize(1);
  expect_error<UsageError>([&] { partners(single, 0, {0}, 1); }, {"single view"});
}

}  // namespace
}  // namespace treecca
