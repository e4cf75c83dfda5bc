#include "data/covariates.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "helpers/random_data.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

Covariate number(const std::string& name, Index n, double (*value)(Index)) {
  Covariate covariate{name, {}};
  for (Index i = 0; i < n; ++i) covariate.values.push_back(value(i));
  return covariate;
}

/// Fraction of the variance of y that the columns explain.
double explained(const Matrix<double>& columns, const std::vector<double>& y) {
  Eigen::MatrixXd x(columns.rows(), columns.cols() + 1);
  Eigen::VectorXd v(columns.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    x(i, 0) = 1;
    v(i) = y[static_cast<std::size_t>(i)];
    for (Index j = 0; j < columns.cols(); ++j) x(i, j + 1) = columns(i, j);
  }
  const Eigen::VectorXd rest = v - x * x.colPivHouseholderQr().solve(v);
  return 1 - rest.squaredNorm() / (v.array() - v.mean()).matrix().squaredNorm();
}

/// Row i of the columns of the terms, less their mean, times the combination is the row of the basis.
void expect_row_of_basis(const Matrix<double>& columns, const CovariateBasis& basis, Index i) {
  for (Index c = 0; c < basis.columns.cols(); ++c) {
    double sum = 0;
    for (Index j = 0; j < columns.cols(); ++j) {
      sum += (columns(i, j) - basis.mean[static_cast<std::size_t>(j)]) * basis.combination(j, c);
    }
    EXPECT_NEAR(sum, basis.columns(i, c), 1e-8);
  }
}

TEST(CovariateBasis, ColumnsAreStandardisedAndFewValuesExplainAnyFunction) {
  const Covariate grade = number("grade", 80, [](Index i) { return static_cast<double>(i % 7); });
  const CovariateBasis basis = covariate_basis({grade}, Samples(80));
  EXPECT_EQ(basis.columns.cols(), 6);
  for (Index j = 0; j < 6; ++j) {
    double sum = 0, square = 0;
    for (Index i = 0; i < 80; ++i) {
      sum += basis.columns(i, j);
      square += basis.columns(i, j) * basis.columns(i, j);
    }
    EXPECT_NEAR(sum, 0, 1e-9);
    EXPECT_NEAR(square, 80, 1e-6);
  }
  std::vector<double> any;
  for (Index i = 0; i < 80; ++i) any.push_back(i % 7 == 3 ? 5 : i % 7 == 5 ? -2 : 0);
  EXPECT_NEAR(explained(basis.columns, any), 1, 1e-9);
}

TEST(CovariateBasis, SmoothFunctionsOfANumberAreExplained) {
  const Covariate age = number("age", 200, [](Index i) { return 20 + 0.3 * static_cast<double>(i * 37 % 200); });
  const CovariateBasis basis = covariate_basis({age}, Samples(200));
  EXPECT_EQ(basis.columns.cols(), 6);
  std::vector<double> square, wave;
  for (const double x : age.values) {
    square.push_back((x - 50) * (x - 50));
    wave.push_back(std::sin(x / 10));
  }
  EXPECT_GT(explained(basis.columns, square), 0.99);
  EXPECT_GT(explained(basis.columns, wave), 0.99);
}

TEST(CovariateBasis, WarnsOfValuesFarFromTheOthers) {
  Covariate age = number("age", 60, [](Index i) { return 20 + static_cast<double>(i); });
  EXPECT_TRUE(covariate_basis({age}, Samples(60)).warnings.empty());
  age.values[7] = 500;
  EXPECT_EQ(
      covariate_basis({age}, Samples(60)).warnings,
      (std::vector<std::string>{"Covariate \"age\": 1 value is far from the others; the farthest is 500 in sample 8. "
                                "Such values count as 232. Check them; if they are right, the "
                                "logarithm of the covariate may fit better."}));
}

/// Constant beyond the limits, and equal to the columns of the fit inside.
TEST(CovariateColumns, OfOtherSamplesAreTheSameFunctions) {
  const Covariate age = number("age", 60, [](Index i) { return static_cast<double>(i); });
  const CovariateBasis basis = covariate_basis({age}, Samples(60));
  const Matrix<double> again = covariate_columns(basis.terms, {age}, 60);
  for (Index i = 0; i < 60; ++i) expect_row_of_basis(again, basis, i);
  const Matrix<double> beyond = covariate_columns(basis.terms, {{"age", {1000, 1100, 1e9}}}, 3);
  for (Index j = 0; j < beyond.cols(); ++j) {
    EXPECT_EQ(beyond(1, j), beyond(0, j));
    EXPECT_EQ(beyond(2, j), beyond(0, j));
  }
}

TEST(CovariateColumns, ClassesAreIndicatorsInAnyOrderOfTheLevels) {
  const Covariate batch{"batch", {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}, {"b", "a", "c"}};
  const CovariateBasis basis = covariate_basis({batch}, Samples(12));
  EXPECT_EQ(basis.terms[0].levels, (std::vector<std::string>{"a", "b", "c"}));
  const Matrix<double> columns = covariate_columns(basis.terms, {{"batch", {0, 1, 2}, {"c", "a", "b"}}}, 3);
  const std::vector<double> expected{0, 1, 0, 0, 1, 0};  // c, a, b as (is b, is c)
  EXPECT_EQ(columns.values(), expected);
  // Numbers are the levels of that name where the model has classes.
  EXPECT_EQ(covariate_columns({{"plate", {}, {"1", "2", "10"}}}, {{"plate", {10, 1, 2}}}, 3).values(),
            (std::vector<double>{0, 1, 0, 0, 1, 0}));
}

TEST(CovariateBasis, AProductLetsOneEffectDifferByTheOther) {
  const Covariate age = number("age", 120, [](Index i) { return static_cast<double>(i * 37 % 120); });
  Covariate sex = number("sex", 120, [](Index i) { return static_cast<double>(i % 2); });
  sex.levels = {"f", "m"};
  const Covariate product{"age*sex", {}};
  const CovariateBasis without = covariate_basis({age, sex}, Samples(120));
  const CovariateBasis with = covariate_basis({product, age, sex}, Samples(120));  // in any order
  EXPECT_EQ(with.columns.cols(), without.columns.cols() + 1);                      // the slope of age in one sex
  EXPECT_EQ(with.terms.back().name, "age*sex");
  std::vector<double> crossing;
  for (Index i = 0; i < 120; ++i) crossing.push_back((i % 2 == 0 ? 1 : -1) * age.values[static_cast<std::size_t>(i)]);
  EXPECT_LT(explained(without.columns, crossing), 0.9);
  EXPECT_NEAR(explained(with.columns, crossing), 1, 1e-9);
  // Columns of other samples need the factors alone.
  const Matrix<double> again = covariate_columns(with.terms, {sex, age}, 120);
  expect_row_of_basis(again, with, 7);
  expect_error<DataError>(
      [&] {
        covariate_basis({age, product}, Samples(120));
      },
      {"\"age*sex\"", "no covariate \"sex\""});
  expect_error<DataError>([&] { covariate_basis({age, sex, product}, Samples(20)); }, {"values for 20 samples"});
  expect_error<DataError>([&] { covariate_basis({age, {"wage", {}}}, Samples(120)); }, {"\"wage\"", "0 values"});
}

TEST(CovariateBasis, BadInputIsRefused) {
  const Samples samples(20);
  const auto basis = [&](std::vector<Covariate> given) { covariate_basis(given, samples); };
  const Covariate good = number("age", 20, [](Index i) { return static_cast<double>(i % 3); });
  Covariate missing = good, constant = good, unknown = good;
  missing.values[4] = std::nan("");
  constant.values.assign(20, 1.0);
  unknown.levels = {"a", "b"};
  expect_error<DataError>([&] { basis({{"age", {1, 2}}}); }, {"\"age\"", "2 values for 20 samples"});
  expect_error<DataError>([&] { basis({missing}); }, {"\"age\"", "sample 5 has no value"});
  expect_error<DataError>([&] { basis({constant}); }, {"same value"});
  expect_error<DataError>([&] { basis({unknown}); }, {"level 2"});
  expect_error<DataError>([&] { basis({good, good}); }, {"its own name"});
  Covariate many = number("batch", 20, [](Index i) { return static_cast<double>(i % 9); });
  many.levels = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  expect_error<DataError>([&] { basis({many}); }, {"8 effects", "20 independent samples"});
  Covariate huge = good;
  huge.values[7] = -1e30;
  expect_error<DataError>([&] { basis({huge}); }, {"\"age\"", "sample 8 has the value -1e+30"});
  expect_error<UsageError>([&] { covariate_columns({}, {good}, 20); }, {"fitted without covariates"});
  const std::vector<CovariateTerm> terms{{"batch", {}, {"a", "b"}}};
  expect_error<UsageError>([&] { covariate_columns(terms, {}, 3); }, {"fitted with covariates (batch)"});
  expect_error<DataError>(
      [&] {
        covariate_columns(terms, {{"batch", {0, 1}, {"a", "z"}}}, 2);
      },
      {"does not know the class \"z\"", "a, b"});
}

}  // namespace
}  // namespace treecca
