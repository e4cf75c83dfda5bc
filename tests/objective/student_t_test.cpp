#include "objective/student_t.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace treecca {
namespace {

TEST(StudentT, QuantilesAreThoseOfTables) {
  EXPECT_NEAR(student_t_quantile(0.975, 10), 2.228138852, 1e-8);
  EXPECT_NEAR(student_t_quantile(0.995, 3), 5.840909310, 1e-8);
  EXPECT_NEAR(student_t_quantile(1 - 0.02 / 3, 9), 3.070958152, 1e-8);
  EXPECT_NEAR(student_t_quantile(0.9, 2.5), 1.730250929, 1e-8);
  EXPECT_NEAR(student_t_quantile(0.999, 100), 3.173739494, 1e-8);
}

TEST(StudentT, OneAndTwoDegreesHaveClosedForms) {
  for (const double p : {0.5001, 0.6, 0.9, 0.99, 0.9999}) {
    const double one = std::tan(std::numbers::pi * (p - 0.5));
    const double two = (2 * p - 1) / std::sqrt(2 * p * (1 - p));
    EXPECT_NEAR(student_t_quantile(p, 1), one, 1e-9 * (1 + one)) << p;
    EXPECT_NEAR(student_t_quantile(p, 2), two, 1e-9 * (1 + two)) << p;
    EXPECT_NEAR(student_t_probability(one, 1), p, 1e-11);
    EXPECT_NEAR(student_t_probability(-two, 2), 1 - p, 1e-11);
  }
}

TEST(StudentT, ManyDegreesAreNormal) {
  EXPECT_NEAR(student_t_quantile(0.975, 1e7), 1.959964, 2e-6);
  EXPECT_NEAR(student_t_quantile(0.99, 1e7), 2.326348, 2e-6);
}

TEST(StudentT, IsSymmetricAndQuantilesInvertProbabilities) {
  EXPECT_NEAR(student_t_quantile(0.5, 4), 0, 1e-9);
  for (const double degrees : {1.0, 7.0, 30.0, 999.0}) {
    EXPECT_DOUBLE_EQ(student_t_quantile(0.125, degrees), -student_t_quantile(0.875, degrees));
    for (const double t : {-3.0, -0.5, 0.0, 0.25, 2.0, 6.0}) {
      const double p = student_t_probability(t, degrees);
      EXPECT_NEAR(p + student_t_probability(-t, degrees), 1, 1e-12);
      EXPECT_NEAR(student_t_quantile(p, degrees), t, 1e-4);  // in the tail 1 - p has few digits
    }
  }
}

}  // namespace
}  // namespace treecca
