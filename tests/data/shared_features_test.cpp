#include "data/shared_features.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "helpers/random_data.hpp"
#include "helpers/thread_workers.hpp"

namespace treecca {
namespace {

bool none(std::size_t, Index) { return false; }

std::string warning_of(const Matrix<double>& a, const Matrix<double>& b, const Samples& samples) {
  return shared_features_warning({{{"a", a, {"age", "x"}}, {"b", b, {"y", "months"}}}, samples}, none);
}
std::string warning_of(const Matrix<double>& a, const Matrix<double>& b) { return warning_of(a, b, Samples(a.rows())); }

class SharedFeatures : public ::testing::Test {
 protected:
  void SetUp() override {
    const Matrix<float> random = testing::normal_matrix(kRows, 4, 1);
    for (Index i = 0; i < kRows; ++i) {
      for (Index j = 0; j < 2; ++j) {
        a_(i, j) = 50 + 10 * random(i, j);
        b_(i, j) = random(i, 2 + j);
      }
    }
  }
  void copy(double scale, double offset) {
    for (Index i = 0; i < kRows; ++i) b_(i, 1) = a_(i, 0) * scale + offset;
  }
  static constexpr Index kRows = 60;
  Matrix<double> a_{kRows, 2}, b_{kRows, 2};
};

TEST_F(SharedFeatures, OrdinaryOnesAreNotShared) { EXPECT_EQ(warning_of(a_, b_), ""); }

TEST_F(SharedFeatures, EqualValues) {
  copy(1, 0);
  EXPECT_EQ(warning_of(a_, b_),
            "Feature \"age\" of view \"a\" and feature \"months\" of view \"b\" have the same values. Such a feature "
            "makes a correlation of 1 by itself: leave it out of one view, unless you want that.");
}

TEST_F(SharedFeatures, OtherUnits) {
  const std::string expected = "\"months\" of view \"b\" are equal except for scale and offset. Such";
  for (const auto& [scale, offset] : {std::pair{12.0, 0.0}, {-1.0, 0.0}, {1.0, 7.0}, {1.8, 32.0}, {-1e-6, 1e-3}}) {
    copy(scale, offset);
    EXPECT_NE(warning_of(a_, b_).find(expected), std::string::npos) << scale << " " << offset;
  }
  copy(12, 0);
  b_(3, 1) *= 1.001;
  EXPECT_EQ(warning_of(a_, b_), "");
}

TEST_F(SharedFeatures, MissingValuesMustBeTheSame) {
  copy(12, 0);
  a_(5, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(warning_of(a_, b_), "");
  b_(5, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(warning_of(a_, b_), "");
}

/// As two rare words that are in the same text.
TEST_F(SharedFeatures, OneRowIsNotEnough) {
  for (Index i = 0; i < kRows; ++i) {
    a_(i, 0) = i == 7 ? 3 : 0;
    b_(i, 1) = i == 7 ? 5 : 0;
  }
  EXPECT_EQ(warning_of(a_, b_), "");
}

TEST_F(SharedFeatures, SeveralAreCountedAndSomeSkipped) {
  EXPECT_NE(warning_of(a_, a_).find("(and one more pair)"), std::string::npos);
  const Dataset data{{{"a", a_, {"p", "q"}}, {"b", a_, {"r", "s"}}}, Samples(kRows)};
  const std::string rest = shared_features_warning(data, [](std::size_t, Index column) { return column == 0; });
  EXPECT_EQ(rest.find("more pair"), std::string::npos);
  EXPECT_NE(rest.find("\"q\" of view \"a\" and feature \"s\" of view \"b\" have the same values."), std::string::npos)
      << rest;
}

TEST_F(SharedFeatures, OfAllProcesses) {
  copy(12, 0);
  const std::string expected = warning_of(a_, b_);
  testing::run_all_workers(3, [&](Communicator& communicator) {
    SampleOptions about;
    about.communicator = &communicator;
    Matrix<double> a(20, 2), b(20, 2);
    for (Index i = 0; i < 20; ++i) {
      for (Index j = 0; j < 2; ++j) {
        a(i, j) = a_(20 * communicator.rank() + i, j);
        b(i, j) = b_(20 * communicator.rank() + i, j);
      }
    }
    EXPECT_EQ(warning_of(a, b, Samples(20, about)), expected);
  });
}

}  // namespace
}  // namespace treecca
