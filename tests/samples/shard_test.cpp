#include "samples/shard.hpp"

#include <gtest/gtest.h>

#include "helpers/thread_workers.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

TEST(Shard, AloneItIsAllRows) {
  const Shard shard = 5;
  EXPECT_EQ(shard.rows(), 5);
  EXPECT_EQ(shard.total(), 5);
  EXPECT_EQ(shard.number(3), 3);
}

TEST(Shard, RowsFollowThoseOfLowerRanks) {
  testing::run_all_workers(3, [](Communicator& communicator) {
    const std::vector<Index> rows{4, 0, 3};
    const Shard shard(rows[static_cast<std::size_t>(communicator.rank())], &communicator, {});
    EXPECT_EQ(shard.total(), 7);
    if (communicator.rank() == 0) {
      EXPECT_EQ(shard.number(3), 3);
    }
    if (communicator.rank() == 2) {
      EXPECT_EQ(shard.number(0), 4);
    }
  });
}

TEST(Shard, RowsMayBeNumbered) {
  testing::run_all_workers(2, [](Communicator& communicator) {
    const bool first = communicator.rank() == 0;
    const Shard shard(2, &communicator, first ? std::vector<std::int64_t>{0, 3} : std::vector<std::int64_t>{2, 1});
    EXPECT_EQ(shard.number(1), first ? 3 : 1);
  });
}

TEST(Shard, NoNumberIsThereTwiceThoughTheirSumIsRight) {
  for (const auto& failure : testing::run_workers(2, [&](Communicator& communicator) {
         Shard(3, &communicator,
               communicator.rank() == 0 ? std::vector<std::int64_t>{0, 1, 2} : std::vector<std::int64_t>{4, 4, 4});
       })) {
    ASSERT_TRUE(failure);
    EXPECT_THROW(std::rethrow_exception(failure), DataError);
  }
}

TEST(Shard, NumbersMustFit) {
  const auto all_refuse = [](const std::vector<std::int64_t>& second) {
    for (const auto& failure : testing::run_workers(2, [&](Communicator& communicator) {
           Shard(2, &communicator, communicator.rank() == 0 ? std::vector<std::int64_t>{0, 1} : second);
         })) {
      ASSERT_TRUE(failure);
      EXPECT_THROW(std::rethrow_exception(failure), DataError);
    }
  };
  all_refuse({});       // one process numbers its rows, the other does not
  all_refuse({2});      // too few
  all_refuse({2, 4});   // beyond the last
  all_refuse({2, -1});  // below the first
  all_refuse({2, 2});   // twice
}

}  // namespace
}  // namespace treecca
