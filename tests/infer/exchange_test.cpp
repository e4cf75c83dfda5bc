#include "infer/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "helpers/folds.hpp"
#include "helpers/missing_views.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

std::vector<Index> sorted(std::vector<Index> order) {
  std::sort(order.begin(), order.end());
  return order;
}

/// All six orders of three rows, about equally often.
TEST(Exchange, EveryOrderOfTheRowsIsEquallyLikely) {
  const Exchange exchange(Samples(3), Permute::automatic);
  EXPECT_EQ(exchange.kind(), Permute::rows);
  EXPECT_NEAR(exchange.log10_orders(), std::log10(6.0), 1e-12);
  std::map<std::vector<Index>, int> counts;
  for (std::uint64_t b = 0; b < 6000; ++b) ++counts[exchange.order(1, b)];
  ASSERT_EQ(counts.size(), 6U);
  for (const auto& [order, count] : counts) {
    EXPECT_EQ(sorted(order), (std::vector<Index>{0, 1, 2}));
    EXPECT_NEAR(count, 1000, 150);  // five standard deviations
  }
  EXPECT_EQ(exchange.order(1, 5), exchange.order(1, 5));
}

TEST(Exchange, GroupsOfEqualSizeChangePlacesAsWholes) {
  const Samples samples(9, testing::in_groups({7, 7, 3, 3, 3, 5, 5, 5, 9}));
  const Exchange exchange(samples, Permute::automatic);
  EXPECT_EQ(exchange.kind(), Permute::groups);
  std::set<std::vector<Index>> seen;
  for (std::uint64_t b = 0; b < 50; ++b) seen.insert(exchange.order(1, b));
  EXPECT_EQ(seen, (std::set<std::vector<Index>>{{0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 1, 5, 6, 7, 2, 3, 4, 8}}));
  EXPECT_EQ(exchange.in_place().groups, 2);
  EXPECT_EQ(exchange.in_place().of_groups, 4);
  EXPECT_EQ(exchange.in_place().samples, 3);
}

TEST(Exchange, RowsStayInTheirGroup) {
  const std::vector<std::int64_t> groups{1, 2, 1, 2, 1, 3};
  const Exchange exchange(Samples(6, testing::in_groups(groups)), Permute::within_groups);
  EXPECT_NEAR(exchange.log10_orders(), std::log10(12.0), 1e-12);
  std::set<std::vector<Index>> seen;
  for (std::uint64_t b = 0; b < 200; ++b) {
    const std::vector<Index> order = exchange.order(1, b);
    seen.insert(order);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(groups[i], groups[static_cast<std::size_t>(order[i])]);
  }
  EXPECT_EQ(seen.size(), 12U);
  EXPECT_EQ(exchange.in_place().groups, 0);
}

TEST(Exchange, SaysWhyNothingCanBeExchanged) {
  const Samples unequal(6, testing::in_groups({1, 2, 2, 3, 3, 3}));
  expect_error<DataError>([&] { Exchange(unequal, Permute::groups); },
                          {"No two groups have the same number of samples, so groups cannot be exchanged."});
  const Samples one(3, testing::in_groups({7, 7, 7}));
  expect_error<DataError>([&] { Exchange(one, Permute::groups); }, {"There is only one group"});
  const Samples gaps = testing::with_gaps(unequal, 2);
  expect_error<DataError>([&] { Exchange(gaps, Permute::groups); }, {"number of samples with the same views, so"});
  const Samples single(3, testing::in_groups({1, 2, 3}));
  expect_error<DataError>([&] { Exchange(single, Permute::within_groups); }, {"Every group has one sample"});
  expect_error<UsageError>([&] { Exchange(Samples(4), Permute::groups); }, {"need groups"});
}

TEST(Exchange, OnlySamplesWithTheSameViewsChangePlaces) {
  for (const bool grouped : {false, true}) {
    SampleOptions options;
    for (Index i = 0; grouped && i < 60; ++i) options.groups.push_back(i / 2);
    const Samples samples = testing::with_gaps(Samples(60, options), 2);
    const Exchange exchange(samples, Permute::automatic);
    Index moved = 0;
    for (std::uint64_t b = 0; b < 5; ++b) {
      const std::vector<Index> order = exchange.order(1, b);
      EXPECT_EQ(sorted(order).back(), 59);
      for (Index i = 0; i < 60; ++i) {
        const Index from = order[static_cast<std::size_t>(i)];
        EXPECT_EQ(samples.pattern(i), samples.pattern(from));
        moved += i == from ? 0 : 1;
      }
    }
    EXPECT_GT(moved, 150);
  }
}

}  // namespace
}  // namespace treecca
