#include "objective/student_t.hpp"

#include <cmath>
#include <limits>

namespace treecca {
namespace {

/// Continued fraction of the incomplete beta function (Lentz), for x below (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  constexpr double kAccuracy = 1e-15;
  constexpr int kMaxTerms = 10000;
  const auto nonzero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / nonzero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m <= kMaxTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < kAccuracy) break;
  }
  return fraction;
}

/// log Gamma(x) for x > 0. std::lgamma writes the sign to a global variable, which is a data race.
double log_gamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

/// Regularised incomplete beta function I_x(a, b).
double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a : 1 - front * beta_fraction(1 - x, b, a) / b;
}

/// P(T > t) for t >= 0.
double upper_tail(double t, double degrees) {
  return incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
}

}  // namespace

double student_t_probability(double t, double degrees) {
  return t >= 0 ? 1 - upper_tail(t, degrees) : upper_tail(-t, degrees);
}

double student_t_quantile(double probability, double degrees) {
  if (probability < 0.5) return -student_t_quantile(1 - probability, degrees);
  const double tail = 1 - probability;
  double low = 0;
  double high = 1;
  while (upper_tail(high, degrees) > tail && high < std::numeric_limits<double>::max() / 4) high *= 2;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (upper_tail(middle, degrees) > tail ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace treecca
