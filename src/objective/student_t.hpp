// Student's t distribution.
#pragma once

namespace treecca {

/// P(T <= t) for `degrees` > 0 degrees of freedom. Relative error of the tail about 1e-12.
double student_t_probability(double t, double degrees);

/// The value with P(T <= value) = probability, 0 < probability < 1.
double student_t_quantile(double probability, double degrees);

}  // namespace treecca
