#include "samples/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "helpers/folds.hpp"
#include "helpers/missing_views.hpp"
#include "helpers/temporary_file.hpp"
#include "helpers/thread_workers.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

TEST(Folds, AreBalancedAndCoverEveryRowOnce) {
  const Folds folds = testing::folds_of(103, 5, 3);
  EXPECT_TRUE(folds.held_out);
  EXPECT_EQ(std::set<RowIndex>(folds.order.begin(), folds.order.end()).size(), 103U);
  for (int f = 0; f < 5; ++f) {
    const Index size = folds.begin[f + 1] - folds.begin[f];
    EXPECT_GE(size, 20);
    EXPECT_LE(size, 21);
    for (Index i = folds.begin[f]; i < folds.begin[f + 1]; ++i) EXPECT_EQ(folds.of_row[folds.order[i]], f);
    EXPECT_TRUE(std::is_sorted(folds.order.begin() + folds.begin[f], folds.order.begin() + folds.begin[f + 1]));
  }
}

TEST(Folds, FollowTheSeed) {
  EXPECT_EQ(testing::folds_of(50, 5, 3).of_row, testing::folds_of(50, 5, 3).of_row);
  EXPECT_NE(testing::folds_of(50, 5, 3).of_row, testing::folds_of(50, 5, 4).of_row);
}

TEST(Folds, NeverPartAGroup) {
  std::vector<std::int64_t> groups;
  for (int g = 0; g < 13; ++g) groups.insert(groups.end(), static_cast<std::size_t>(1 + g * 3), 100 - g);
  const Folds folds = testing::folds_of(static_cast<Index>(groups.size()), 4, 0, testing::in_groups(groups));
  std::map<std::int64_t, int> seen;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    EXPECT_EQ(seen.emplace(groups[i], folds.of_row[i]).first->second, folds.of_row[i]);
  }
  for (int f = 0; f < 4; ++f) {
    EXPECT_NEAR(static_cast<double>(folds.begin[f + 1] - folds.begin[f]), static_cast<double>(groups.size()) / 4, 12);
  }
}

TEST(Folds, GroupsOfEqualSizeAreDealtOutByTheSeed) {
  std::vector<std::int64_t> groups;
  for (int i = 0; i < 60; ++i) groups.push_back(i / 3);
  const auto split = [&](std::uint64_t seed) {
    return testing::folds_of(60, 4, seed, testing::in_groups(groups)).of_row;
  };
  EXPECT_EQ(split(1), split(1));
  EXPECT_NE(split(1), split(2));
  const std::vector<int> of_row = split(1);
  for (int f = 0; f < 4; ++f) EXPECT_EQ(std::count(of_row.begin(), of_row.end(), f), 15);
}

TEST(Folds, WithoutCrossFittingThereIsOneThatNobodyIsDenied) {
  const Folds folds = testing::folds_of(12, 0, 0);
  EXPECT_EQ(folds.count, 1);
  EXPECT_FALSE(folds.held_out);
  EXPECT_EQ(folds.begin, (std::vector<Index>{0, 12}));
}

TEST(Folds, TooFewRowsOrGroupsAreAnError) {
  EXPECT_THROW(testing::folds_of(4, 5, 0), DataError);
  try {
    testing::folds_of(6, 3, 0, testing::in_groups({1, 1, 1, 2, 2, 2}));
    FAIL();
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("2 groups"), std::string::npos);
  }
}

TEST(Folds, RefuseFewerGroupsWithWeightThanFolds) {
  const auto split = [](std::vector<double> weights, Index folds) {
    SampleOptions about = testing::with_weights(std::move(weights));
    for (std::size_t i = 0; i < about.sample_weight.size(); ++i) about.groups.push_back(static_cast<int>(i) / 10);
    return testing::folds_of(40, folds, 0, about);
  };
  std::vector<double> one(40, 0.0);
  for (std::size_t i = 0; i < 10; ++i) one[i] = static_cast<double>(i + 1);
  EXPECT_THROW(split(one, 4), DataError);
  EXPECT_EQ(split(one, 0).count, 1);
  one[12] = 1;
  EXPECT_THROW(split(one, 4), DataError);
  EXPECT_EQ(split(one, 2).count, 2);
}

std::vector<bool> every_fifth(Index rows) {
  std::vector<bool> left_out(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < left_out.size(); i += 5) left_out[i] = true;
  return left_out;
}

TEST(Folds, RowsThatAreLeftOutAreInNone) {
  const Samples samples(103);
  const std::vector<bool> left_out = every_fifth(103);
  for (const Index count : {Index{0}, Index{4}}) {
    const Folds folds = make_folds(samples, count, 1, left_out);
    EXPECT_EQ(folds.order.size(), 82U);
    EXPECT_EQ(folds.begin.back(), 82);
    EXPECT_EQ(folds.rows(), 103);
    for (Index i = 0; i < 103; ++i) {
      EXPECT_EQ(folds.of_row[static_cast<std::size_t>(i)] < 0, i % 5 == 0);
      for (int f = 0; f < folds.count; ++f) {
        const bool own = folds.of_row[static_cast<std::size_t>(i)] == f;
        EXPECT_EQ(folds.trains_on(f, i), i % 5 != 0 && !(count > 0 && own));
      }
    }
    for (int f = 0; f < folds.count && count > 0; ++f) {
      EXPECT_NEAR(static_cast<double>(folds.begin[f + 1] - folds.begin[f]), 20.5, 0.5);
    }
  }
  EXPECT_THROW(make_folds(samples, 83, 0, left_out), DataError);
}

TEST(Folds, GroupsStayTogetherWhereRowsAreLeftOut) {
  std::vector<std::int64_t> groups;
  for (int i = 0; i < 100; ++i) groups.push_back(i / 10);
  const Samples samples(100, testing::in_groups(groups));
  std::vector<bool> left_out(100, false);
  for (std::size_t i = 20; i < 40; ++i) left_out[i] = true;  // two groups
  const Folds folds = make_folds(samples, 4, 2, left_out);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(folds.of_row[i] < 0, left_out[i]);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(folds.of_row[i], folds.of_row[i / 10 * 10]);
  for (int f = 0; f < 4; ++f) EXPECT_EQ(folds.begin[f + 1] - folds.begin[f], 20);
}

TEST(Folds, DoNotDependOnWhereARowIs) {
  const Samples whole(60);
  const std::vector<bool> left_out = every_fifth(60);
  const Folds all = make_folds(whole, 3, 5, left_out);
  testing::run_all_workers(2, [&](Communicator& communicator) {
    SampleOptions about;
    about.communicator = &communicator;
    std::vector<bool> own_left_out;
    for (Index i = communicator.rank(); i < 60; i += 2) {
      about.row_numbers.push_back(i);
      own_left_out.push_back(left_out[static_cast<std::size_t>(i)]);
    }
    const Samples here(30, about);
    const Folds folds = make_folds(here, 3, 5, own_left_out);
    for (std::size_t i = 0; i < 30; ++i) {
      EXPECT_EQ(folds.of_row[i], all.of_row[static_cast<std::size_t>(about.row_numbers[i])]);
    }
  });
}

TEST(Parts, HoldOutEveryRowOncePerRepeatAndSplitTheOthers) {
  const Samples samples(53);
  const std::vector<Folds> parts = make_parts(samples, 3, 3, 4);
  ASSERT_EQ(parts.size(), 15U);
  for (std::size_t r = 0; r < 3; ++r) {
    std::vector<int> held_out(53, 0);
    for (std::size_t j = 0; j < 5; ++j) {
      const Folds& part = parts[5 * r + j];
      EXPECT_EQ(part.count, 3);
      EXPECT_TRUE(part.held_out);
      std::vector<Index> inside(3, 0);
      for (std::size_t i = 0; i < 53; ++i) {
        if (part.of_row[i] < 0) {
          ++held_out[i];
        } else {
          ++inside[static_cast<std::size_t>(part.of_row[i])];
        }
      }
      for (const Index rows : inside) EXPECT_NEAR(static_cast<double>(rows), 53 * 0.8 / 3, 1);
    }
    EXPECT_EQ(held_out, std::vector<int>(53, 1));
  }
  const auto left_out_by = [](const Folds& part) {
    std::vector<bool> left_out;
    for (const int fold : part.of_row) left_out.push_back(fold < 0);
    return left_out;
  };
  EXPECT_NE(left_out_by(parts[0]), left_out_by(parts[5]));  // repeats differ
  EXPECT_EQ(make_parts(samples, 1, 3, 4)[2].of_row, parts[2].of_row);
  EXPECT_NE(make_parts(samples, 1, 3, 5)[2].of_row, parts[2].of_row);
}

TEST(Parts, GroupsStayTogether) {
  std::vector<std::int64_t> groups;
  for (int i = 0; i < 120; ++i) groups.push_back(i % 30);
  const Samples samples(120, testing::in_groups(groups));
  EXPECT_EQ(parts_per_repeat(samples), 5);
  for (const Folds& part : make_parts(samples, 2, 3, 0)) {
    for (std::size_t i = 0; i < 120; ++i) EXPECT_EQ(part.of_row[i], part.of_row[i % 30]);
    EXPECT_EQ(std::count(part.of_row.begin(), part.of_row.end(), -1), 24);
  }
}

TEST(Parts, AreAsManyAsGroupsWhereThoseAreFew) {
  std::vector<std::int64_t> groups;
  for (int i = 0; i < 40; ++i) groups.push_back(i % 4);
  const Samples samples(40, testing::in_groups(groups));
  EXPECT_EQ(parts_per_repeat(samples), 4);
  const std::vector<Folds> parts = make_parts(samples, 2, 3, 0);
  ASSERT_EQ(parts.size(), 8U);
  for (const Folds& part : parts) EXPECT_EQ(std::count(part.of_row.begin(), part.of_row.end(), -1), 10);
  EXPECT_THROW(make_parts(samples, 1, 4, 0), DataError);  // three groups are left for four folds
}

TEST(Parts, SeedsDifferAndCanBeWritten) {
  std::set<std::uint64_t> seeds;
  for (Index part = 0; part < 100; ++part) seeds.insert(seed_of_part(7, part));
  EXPECT_EQ(seeds.size(), 100U);
  EXPECT_LE(*seeds.rbegin(), std::uint64_t{1} << 53);
}

TEST(Folds, RowsWithoutWeightDoNotCount) {
  std::vector<double> weights(30, 1.0);
  for (std::size_t i = 0; i < 15; ++i) weights[i] = 0;
  const Samples samples(30, testing::with_weights(weights));
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Folds folds = make_folds(samples, 5, seed);
    std::vector<int> weighted(5, 0);
    for (std::size_t i = 15; i < 30; ++i) ++weighted[static_cast<std::size_t>(folds.of_row[i])];
    EXPECT_EQ(weighted, std::vector<int>(5, 3));
    EXPECT_EQ(std::count(folds.of_row.begin(), folds.of_row.end(), -1), 0);
  }
}

TEST(Folds, GroupsWithoutWeightFillNoFold) {
  std::vector<double> weights(24, 1.0);
  std::vector<std::int64_t> groups;
  for (std::int64_t i = 0; i < 24; ++i) groups.push_back(i / 4);
  for (std::size_t i = 0; i < 12; ++i) weights[i] = 0;  // three of six groups
  SampleOptions options = testing::with_weights(weights);
  options.groups = groups;
  const Samples samples(24, options);
  EXPECT_THROW(make_folds(samples, 4, 1), DataError);
  const Folds folds = make_folds(samples, 3, 1);
  std::set<int> filled(folds.of_row.begin() + 12, folds.of_row.end());
  EXPECT_EQ(filled.size(), 3U);
}

TEST(Folds, EveryFoldGetsItsShareOfEachSetOfViews) {
  for (const bool grouped : {false, true}) {
    SampleOptions options;
    for (Index i = 0; grouped && i < 240; ++i) options.groups.push_back(i / 3);
    const Samples samples = testing::with_gaps(Samples(240, options), 3);
    const Folds folds = make_folds(samples, 5, 1);
    for (Index v = 0; v < 3; ++v) {
      for (Index w = 0; w < 3; ++w) {
        const FoldRows& rows = folds.shared(v, w);
        Index all = 0;
        for (int f = 0; f < 5; ++f) {
          for (Index at = rows.begin[f]; at < rows.begin[f + 1]; ++at) {
            const auto i = static_cast<Index>(rows.order[static_cast<std::size_t>(at)]);
            EXPECT_TRUE(samples.has(v, i) && samples.has(w, i));
            EXPECT_EQ(folds.of_row[static_cast<std::size_t>(i)], f);
          }
          EXPECT_NEAR(static_cast<double>(rows.begin[f + 1] - rows.begin[f]),
                      static_cast<double>(samples.shared(v, w).rows) / 5, grouped ? 9 : 5);
          all += rows.begin[f + 1] - rows.begin[f];
        }
        EXPECT_EQ(all, samples.shared(v, w).rows);
      }
    }
    for (Index i = 0; i < 240; ++i) {
      for (Index v = 0; v < 3; ++v) {
        for (int f = 0; f < 5; ++f) {
          EXPECT_EQ(folds.trains_on(v, f, i), folds.of_row[static_cast<std::size_t>(i)] != f && samples.paired(v, i));
        }
      }
    }
  }
}

TEST(Folds, EveryFoldNeedsSamplesThatTwoViewsShare) {
  SampleOptions options;
  for (Index i = 0; i < 60; ++i) options.groups.push_back(i < 12 ? 0 : i);
  Samples samples(60, options);
  std::vector<std::uint8_t> present;
  for (Index i = 0; i < 60; ++i) {
    present.push_back(i < 36 ? 1 : 0);
    present.push_back(i < 12 || i >= 36 ? 1 : 0);
  }
  samples.set_presence({"a", "b"}, present);  // all that they share is one group
  expect_error<DataError>([&] { make_folds(samples, 3, 0); },
                          {"share 12 samples, too few for 3 folds of whole groups"});
}

}  // namespace
}  // namespace treecca
