#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "helpers/random_model.hpp"
#include "helpers/synthetic_views.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

/// The columns of `x` in another order.
Matrix<float> with_columns(const Matrix<float>& x, const std::vector<Index>& order) {
  Matrix<float> result(x.rows(), static_cast<Index>(order.size()));
  for (Index i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) result(i, static_cast<Index>(j)) = x(i, order[j]);
  }
  return result;
}

class TransformTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing_helpers::ModelShape shape;
    shape.features = {3, 2};
    shape.rounds = 10;
    model_ = testing_helpers::random_model(7, shape);
    model_.views[0].name = "rna";
    model_.views[0].feature_names = {"a", "b", "c"};
    expected_ = transform(model_, 0, x_);
  }
  Matrix<float> transformed(const Matrix<float>& x, std::vector<std::string> names) const {
    return transform(model_, {View{"rna", x, std::move(names)}}).front();
  }
  Matrix<float> x_ = testing::normal_matrix(50, 3, 1);
  Model model_;
  Matrix<float> expected_;
};

TEST_F(TransformTest, ColumnsAreMatchedByName) {
  EXPECT_EQ(transformed(x_, {}), expected_);
  EXPECT_EQ(transformed(x_, {"a", "b", "c"}), expected_);
  EXPECT_EQ(transformed(x_, {"f0", "f1", "f2"}), expected_);
  EXPECT_EQ(transformed(with_columns(x_, {2, 0, 1}), {"c", "a", "b"}), expected_);
  EXPECT_EQ(transformed(with_columns(x_, {1, 1, 0, 2}), {"new", "b", "a", "c"}), expected_);
  EXPECT_NE(with_columns(x_, {2, 0, 1}), x_);
}

TEST_F(TransformTest, WhatCannotBeMatchedIsNamed) {
  expect_error<DataError>([&] { transformed(x_, {"a", "b", "x"}); }, {"rna", "\"c\""});
  expect_error<DataError>([&] { transformed(x_, {"a", "b"}); }, {"2 feature names", "3 columns"});
  expect_error<DataError>([&] { transform(model_, {View{"nobody", x_, {}}}); }, {"nobody", "rna"});
}

/// Adds (x - mean) * weights, a missing value counting as the mean.
void add_map(const LinearMap& map, const float* row, std::vector<double>& sums) {
  for (std::size_t j = 0; j < map.mean.size(); ++j) {
    if (std::isnan(row[j])) continue;
    for (std::size_t c = 0; c < sums.size(); ++c) {
      sums[c] += (row[j] - map.mean[j]) * map.weights(static_cast<Index>(j), static_cast<Index>(c));
    }
  }
}

/// z_p(x) of model.hpp, row by row and tree by tree.
std::vector<double> embedded(const ViewModel& view, const PartModel& part, const float* row) {
  const auto width = static_cast<std::size_t>(part.rotation.rows());
  std::vector<double> z(width, 0.0);
  for (const Encoder& encoder : part.encoders) {
    for (const Tree& tree : encoder) {
      const Node* node = &tree.nodes[0];
      while (!node->is_leaf()) {
        const float x = row[node->feature];
        const bool left = std::isnan(x) ? node->default_left : x < node->threshold;
        node = &tree.nodes[static_cast<std::size_t>(left ? node->left : node->right)];
      }
      const double share = 1.0 / static_cast<double>(part.encoders.size());
      const auto leaf = static_cast<std::size_t>(node->leaf);
      if (tree.component >= 0) z[static_cast<std::size_t>(tree.component)] += share * tree.leaf_values[leaf];
      for (std::size_t c = 0; tree.component < 0 && c < width; ++c) z[c] += share * tree.leaf_values[leaf * width + c];
    }
  }
  add_map(view.base_margin, row, z);
  return z;
}

std::vector<double> variates(const ViewModel& view, std::size_t k, const float* row) {
  std::vector<double> sums(k, 0.0);
  add_map(view.linear, row, sums);
  for (const PartModel& part : view.parts) {
    const std::vector<double> z = embedded(view, part, row);
    for (std::size_t c = 0; c < k; ++c) {
      for (std::size_t l = 0; l < z.size(); ++l) {
        sums[c] += (z[l] - part.mean[l]) * part.rotation(static_cast<Index>(l), static_cast<Index>(c));
      }
    }
  }
  return sums;
}

TEST(Transform, IsTheFormulaOfTheModel) {
  for (const double linear : {0.0, 0.25, 1.0}) {
    for (const Trees trees : {Trees::joint, Trees::scalar}) {
      for (const Index parts : {1, 3}) {
        testing_helpers::ModelShape shape;
        shape.oversamples = 1;
        shape.trees = trees;
        shape.parts = parts;
        shape.linear = linear;
        shape.base_margin = parts == 1;
        const Model model = testing_helpers::random_model(3, shape);
        Matrix<float> x = testing::normal_matrix(300, 3, 2);
        for (std::size_t i = 0; i < x.values().size(); i += 7) x.values()[i] = std::numeric_limits<float>::quiet_NaN();
        const Matrix<float> found = transform(model, 0, x);
        ASSERT_EQ(found.cols(), 2);
        for (Index i = 0; i < 300; ++i) {
          const std::vector<double> expected = variates(model.views[0], 2, x.row(i));
          for (Index c = 0; c < 2; ++c) {
            const double value = expected[static_cast<std::size_t>(c)];
            ASSERT_NEAR(found(i, c), value, 1e-4 * (1 + std::abs(value)));
          }
        }
        EXPECT_EQ(transform(model, 0, x, 3), found);
      }
    }
  }
}

TEST(Transform, ARowDoesNotDependOnTheNumberOfRows) {
  constexpr Index kMost = 130;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Model model = testing_helpers::random_model_of_random_shape(seed);
    const bool adjusted = seed % 3 == 0;
    if (adjusted) model.covariates = {{"age", {20, 40, 60}, {}}};
    testing_helpers::ModelMaker draw(seed + 1000);
    std::vector<double> age;
    for (Index i = 0; i < kMost; ++i) age.push_back(20 + static_cast<double>(draw.whole(0, 40)));
    for (Index v = 0; v < static_cast<Index>(model.views.size()); ++v) {
      ViewModel& view = model.views[static_cast<std::size_t>(v)];
      if (adjusted) view.covariate_effect = {{1.0, 2.0}, Matrix<double>(2, model.n_components(), 0.5)};
      const auto p = static_cast<Index>(view.feature_names.size());
      Matrix<float> x(kMost, p);
      for (Index i = 0; i < kMost; ++i) {
        for (Index j = 0; j < p; ++j) {
          const Index levels = view.is_category(j) ? std::ssize(view.levels[static_cast<std::size_t>(j)]) : 0;
          x(i, j) = levels > 0 ? static_cast<float>(draw.whole(0, levels - 1)) : static_cast<float>(draw.normal());
          if (draw.chance(0.1) || i % 10 == 3) x(i, j) = NAN;  // every tenth sample lacks the view
        }
      }
      const auto covariates = [&](Index begin, Index end) {
        std::vector<Covariate> given;
        if (adjusted) given.push_back({"age", {age.begin() + begin, age.begin() + end}});
        return given;
      };
      const Matrix<float> all = transform(model, v, x, 3, covariates(0, kMost));
      for (const Index rows : {1, 2, 20, 21, 63, 64, 65}) {
        const Index begin = kMost - rows;
        const Matrix<float> some = transform(model, v, MatrixView(x.row(begin), rows, p), 1, covariates(begin, kMost));
        for (Index i = 0; i < rows; ++i) {
          for (Index c = 0; c < model.n_components(); ++c) {
            const float whole = all(begin + i, c);
            ASSERT_TRUE(some(i, c) == whole || (std::isnan(some(i, c)) && std::isnan(whole)))
                << "seed " << seed << ", view " << v << ", " << rows << " rows, row " << i;
          }
        }
      }
    }
  }
}

TEST_F(TransformTest, ViewNumbersAreChecked) {
  for (const Index view : {Index{-1}, Index{2}, Index{1000}}) {
    expect_error<UsageError>([&] { transform(model_, view, x_); }, {std::to_string(view)});
  }
}

/// Least squares without an intercept: both columns are centred.
double slope(const Matrix<float>& from, const Matrix<float>& to, Index column) {
  double product = 0;
  double square = 0;
  for (Index i = 0; i < from.rows(); ++i) {
    product += static_cast<double>(from(i, column)) * to(i, column);
    square += static_cast<double>(from(i, column)) * from(i, column);
  }
  return product / square;
}

FitResult small_fit(bool rotate, Index cross_fit) {
  const auto views = testing::linear_views(300, 4, 6, 2, 0.7, 1);
  Parameters parameters = testing::plain_parameters();
  parameters.n_estimators = 40;
  parameters.rotate = rotate;
  parameters.cross_fit = cross_fit;
  return fit(views.views(), parameters);
}

TEST(Regression, IsLeastSquaresOfTheVariatesThatTheCorrelationsAreOf) {
  for (const Index folds : {Index{0}, Index{4}}) {
    const FitResult unrotated = small_fit(false, folds);
    const auto& variates = folds == 0 ? unrotated.variates : unrotated.out_of_fold;
    const std::vector<double> forth = regression(unrotated.model, 0, 1);
    const std::vector<double> back = regression(unrotated.model, 1, 0);
    for (Index c = 0; c < 2; ++c) {
      const auto at = static_cast<std::size_t>(c);
      EXPECT_NEAR(forth[at], slope(variates[0], variates[1], c), 0.01);
      EXPECT_NEAR(back[at], slope(variates[1], variates[0], c), 0.01);
      EXPECT_NEAR(forth[at] * back[at], std::pow(unrotated.model.correlations.pairwise[2 + at], 2), 1e-9);
    }
    EXPECT_GT(std::abs(forth[0] - back[0]), 1e-3);  // the variances differ
  }
}

TEST(Regression, OfRotatedVariatesIsTheCorrelation) {
  const FitResult result = small_fit(true, 4);
  const std::vector<double> slopes = regression(result.model, 0, 1);
  for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ(slopes[c], result.model.correlations.pairwise[2 + c]);
  EXPECT_EQ(regression(result.model, 1, 1), (std::vector<double>{1, 1}));
}

TEST(Regression, ViewNumbersAreChecked) {
  const Model model = small_fit(true, 0).model;
  expect_error<UsageError>([&] { regression(model, 0, 2); }, {"no view 2", "2 views"});
  expect_error<UsageError>([&] { regression(model, -1, 0); }, {"no view -1", "2 views"});
}

}  // namespace
}  // namespace treecca
