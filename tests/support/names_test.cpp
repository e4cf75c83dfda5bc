#include "support/names.hpp"

#include <gtest/gtest.h>

namespace treecca {
namespace {

TEST(GeneratedNames, CountUp) {
  EXPECT_EQ(generated_names(3), (std::vector<std::string>{"f0", "f1", "f2"}));
  EXPECT_TRUE(generated_names(0).empty());
  EXPECT_TRUE(are_generated({"f0", "f1"}));
  EXPECT_FALSE(are_generated({"f1", "f0"}));
}

TEST(GeneratedNames, AreToldFromNamesThatBeginLikeThem) {
  EXPECT_TRUE(are_generated({"f0", "f1", "f2"}));
  EXPECT_FALSE(are_generated({"f0", "age"}));
  EXPECT_FALSE(are_generated({"f1", "f2"}));
}

TEST(EditDistance, CountsInsertionsRemovalsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("depth", "depth"), 0);
  EXPECT_EQ(edit_distance("dpth", "depth"), 1);
  EXPECT_EQ(edit_distance("deepth", "depth"), 1);
  EXPECT_EQ(edit_distance("dapth", "depth"), 1);
  EXPECT_EQ(edit_distance("edpth", "depth"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(NearestName, FindsTypingErrorsAndNothingElse) {
  const std::vector<std::string_view> known{"whitened", "ey", "jacobi"};
  EXPECT_EQ(nearest_name("whitend", known), "whitened");
  EXPECT_EQ(nearest_name("Jacobi", known), "jacobi");
  EXPECT_EQ(nearest_name("ye", known), "ey");
  EXPECT_EQ(nearest_name("something", known), "");
  EXPECT_EQ(nearest_name("", known), "");
  EXPECT_EQ(nearest_name(std::string(100'000, 'x'), known), "");
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(DidYouMean, IsASentenceOrNothing) {
  EXPECT_EQ(did_you_mean("jacobbi", {"jacobi"}), " Did you mean \"jacobi\"?");
  EXPECT_EQ(did_you_mean("nothing like it", {"jacobi"}), "");
}

}  // namespace
}  // namespace treecca
