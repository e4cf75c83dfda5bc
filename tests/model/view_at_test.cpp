#include "model/view_at.hpp"

#include <gtest/gtest.h>

#include "helpers/random_model.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

TEST(ViewAt, CountsFromZeroAndRefusesOtherNumbers) {
  const Model model = testing_helpers::random_model(1, {});
  const auto n = static_cast<Index>(model.views.size());
  for (Index v = 0; v < n; ++v) EXPECT_EQ(&view_at(model, v), &model.views[static_cast<std::size_t>(v)]);
  EXPECT_THROW(view_at(model, n), UsageError);
  EXPECT_THROW(view_at(model, -1), UsageError);
}

}  // namespace
}  // namespace treecca
