#include "infer/half_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "helpers/folds.hpp"
#include "helpers/random_data.hpp"

namespace treecca {
namespace {

TEST(HalfSamples, EveryRowIsInOneHalfAndEveryHalfIsEquallyLikely) {
  const Samples samples(4);
  std::map<std::vector<Index>, int> counts;
  for (std::uint64_t b = 0; b < 3000; ++b) {
    const auto halves = random_halves(samples, 1, b);
    ASSERT_EQ(halves[0].size(), 2U);
    std::set<Index> all(halves[0].begin(), halves[0].end());
    all.insert(halves[1].begin(), halves[1].end());
    EXPECT_EQ(all, (std::set<Index>{0, 1, 2, 3}));
    ++counts[halves[0]];
  }
  ASSERT_EQ(counts.size(), 6U);
  for (const auto& [half, count] : counts) EXPECT_NEAR(count, 500, 110) << half[0] << half[1];
  EXPECT_EQ(random_halves(samples, 1, 7), random_halves(samples, 1, 7));
  EXPECT_NE(random_halves(Samples(50), 1, 7), random_halves(Samples(50), 2, 7));
  const auto odd = random_halves(Samples(11), 1, 1);
  EXPECT_EQ(odd[0].size() + odd[1].size(), 11U);
  EXPECT_LE(std::abs(static_cast<int>(odd[0].size()) - static_cast<int>(odd[1].size())), 1);
}

TEST(HalfSamples, GroupsStayTogetherAndHalvesAreAboutEqual) {
  std::vector<std::int64_t> groups;
  for (int g = 0; g < 20; ++g) groups.insert(groups.end(), static_cast<std::size_t>(1 + g % 5), 100 - g);
  const Samples samples(static_cast<Index>(groups.size()), testing::in_groups(groups));
  std::set<std::vector<Index>> different;
  for (std::uint64_t b = 0; b < 20; ++b) {
    const auto halves = random_halves(samples, 3, b);
    std::map<std::int64_t, std::set<int>> where;
    for (int h = 0; h < 2; ++h) {
      for (const Index row : halves[static_cast<std::size_t>(h)]) {
        where[groups[static_cast<std::size_t>(row)]].insert(h);
      }
    }
    EXPECT_EQ(where.size(), 20U);
    for (const auto& [group, own] : where) EXPECT_EQ(own.size(), 1U) << group;
    EXPECT_LE(std::abs(static_cast<int>(halves[0].size()) - static_cast<int>(halves[1].size())), 5);
    different.insert(halves[0]);
  }
  EXPECT_EQ(different.size(), 20U);
}

TEST(RowSubset, HoldsTheRowsOfViewsAndOptions) {
  const Matrix<float> a = testing::gridded_matrix(6, 3, 1, 0.3);
  Matrix<double> b(6, 2);
  for (Index i = 0; i < 12; ++i) b.values()[static_cast<std::size_t>(i)] = 1e9 + static_cast<double>(i);
  SampleOptions options;
  options.groups = {1, 1, 2, 2, 3, 3};
  options.sample_weight = {1, 2, 3, 4, 5, 6};
  options.names = {"a", "b", "c", "d", "e", "f"};
  options.covariates = {{"age", {10, 20, 30, 40, 50, 60}}, {"sex", {0, 1, 0, 1, 0, 1}, {"f", "m"}}};
  const RowSubset subset({{"a", a, {"x", "y", "z"}}, {"b", b, {}}}, options, {1, 4, 5});
  ASSERT_EQ(subset.views().size(), 2U);
  EXPECT_EQ(subset.views()[0].feature_names, (std::vector<std::string>{"x", "y", "z"}));
  for (Index i = 0; i < 3; ++i) {
    const Index row = std::vector<Index>{1, 4, 5}[static_cast<std::size_t>(i)];
    for (Index j = 0; j < 3; ++j) {
      const float given = a(row, j), own = subset.views()[0].values(i, j);
      EXPECT_TRUE(given == own || (std::isnan(given) && std::isnan(own)));
    }
    for (Index j = 0; j < 2; ++j) EXPECT_EQ(subset.views()[1].values.value(i, j), b(row, j));
  }
  EXPECT_EQ(subset.options().groups, (std::vector<std::int64_t>{1, 3, 3}));
  EXPECT_EQ(subset.options().sample_weight, (std::vector<double>{2, 5, 6}));
  EXPECT_EQ(subset.options().names, (std::vector<std::string>{"b", "e", "f"}));
  EXPECT_EQ(subset.options().covariates[0].values, (std::vector<double>{20, 50, 60}));
  EXPECT_EQ(subset.options().covariates[1].levels, (std::vector<std::string>{"f", "m"}));
}

/// A fit to rows 1, 4 and 5 sees no class "new", one value of `site`, and several of `age`.
TEST(RowSubset, LeavesOutConstantCovariatesAndTheirProducts) {
  const Matrix<float> a = testing::normal_matrix(6, 3, 1);
  SampleOptions options;
  options.covariates = {{"age", {10, 20, 30, 40, 50, 60}},
                        {"site", {1, 2, 2, 1, 2, 2}},
                        {"batch", {0, 0, 1, 2, 2, 2}, {"first", "new", "last"}},
                        {"age*batch", {}},
                        {"age*site", {}}};
  const std::vector<Index> seen{1, 4, 5};
  const RowSubset subset({{"a", a, {}}}, options, seen);
  ASSERT_EQ(subset.options().covariates.size(), 3U);
  EXPECT_EQ(subset.options().covariates[0].name, "age");
  EXPECT_EQ(subset.options().covariates[1].name, "batch");
  EXPECT_EQ(subset.options().covariates[2].name, "age*batch");
  EXPECT_EQ(adjustable_rows(options, {0, 2, 3}, seen), std::vector<Index>{});
  options.covariates.erase(options.covariates.begin() + 1);  // without site, only row 2 is of an unknown class
  EXPECT_EQ(adjustable_rows(options, {0, 2, 3}, seen), (std::vector<Index>{0, 3}));
  Model known;
  known.views.resize(1);
  known.covariates = {{"age", {10, 60}, {}}};
  const RowSubset rest({{"a", a, {}}}, options, {0, 3}, &known);
  ASSERT_EQ(rest.options().covariates.size(), 1U);
  EXPECT_EQ(rest.options().covariates[0].values, (std::vector<double>{10, 40}));
}

}  // namespace
}  // namespace treecca
