#include "samples/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "helpers/folds.hpp"
#include "helpers/missing_views.hpp"
#include "helpers/temporary_file.hpp"
#include "helpers/thread_workers.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Numbers = std::vector<std::int64_t>;
using testing::in_groups;
using testing::with_weights;

SampleOptions numbered(Communicator& communicator, Numbers numbers) {
  SampleOptions about;
  about.communicator = &communicator;
  about.row_numbers = std::move(numbers);
  return about;
}

TEST(Samples, AloneItIsAllRows) {
  const Samples samples(5);
  EXPECT_EQ(samples.here(), 5);
  EXPECT_EQ(samples.total(), 5);
  EXPECT_EQ(samples.number(3), 3);
}

TEST(Samples, RowsFollowThoseOfLowerRanks) {
  testing::run_all_workers(3, [](Communicator& communicator) {
    const std::vector<Index> rows{4, 0, 3};
    const Samples samples(rows[static_cast<std::size_t>(communicator.rank())], numbered(communicator, {}));
    EXPECT_EQ(samples.total(), 7);
    if (communicator.rank() == 0) {
      EXPECT_EQ(samples.number(3), 3);
    }
    if (communicator.rank() == 2) {
      EXPECT_EQ(samples.number(0), 4);
    }
  });
}

TEST(Samples, RowsMayBeNumbered) {
  testing::run_all_workers(2, [](Communicator& communicator) {
    const bool first = communicator.rank() == 0;
    const Samples samples(2, numbered(communicator, first ? Numbers{0, 3} : Numbers{2, 1}));
    EXPECT_EQ(samples.number(1), first ? 3 : 1);
  });
}

TEST(Samples, NoNumberIsThereTwiceThoughTheirSumIsRight) {
  for (const auto& failure : testing::run_workers(2, [&](Communicator& communicator) {
         Samples(3, numbered(communicator, communicator.rank() == 0 ? Numbers{0, 1, 2} : Numbers{4, 4, 4}));
       })) {
    ASSERT_TRUE(failure);
    EXPECT_THROW(std::rethrow_exception(failure), DataError);
  }
}

TEST(Samples, NumbersMustFit) {
  const auto all_refuse = [](const Numbers& second) {
    for (const auto& failure : testing::run_workers(2, [&](Communicator& communicator) {
           Samples(2, numbered(communicator, communicator.rank() == 0 ? Numbers{0, 1} : second));
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

/// 1, 2, ..., 11, 0, times a factor.
std::vector<double> rising(double factor = 1) {
  std::vector<double> weights;
  for (int i = 1; i < 12; ++i) weights.push_back(i * factor);
  weights.push_back(0);
  return weights;
}

std::vector<float> weights_of(const std::vector<double>& given) {
  const Samples samples(static_cast<Index>(given.size()), with_weights(given));
  return {samples.weights().begin(), samples.weights().end()};
}

TEST(Samples, WeightsHaveMeanOneAndOnlyRatiosMatter) {
  const Samples samples(12, with_weights(rising()));
  EXPECT_NEAR(std::accumulate(samples.weights().begin(), samples.weights().end(), 0.0), 12, 1e-5);
  EXPECT_EQ(samples.weights()[11], 0);
  EXPECT_NEAR(samples.weights()[1], 2 * samples.weights()[0], 1e-6);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(samples.weight_units()[i], std::lround(samples.weights()[i] * samples.units_per_weight()));
  }
  EXPECT_EQ(samples.total_units(),
            std::accumulate(samples.weight_units().begin(), samples.weight_units().end(), std::int64_t{0}));
  for (const double factor : {1e-300, 1e300}) EXPECT_EQ(weights_of(rising(factor)), weights_of(rising()));
  EXPECT_TRUE(Samples(12).weights().empty());
  EXPECT_TRUE(weights_of(std::vector<double>(12, 7.0)).empty());
}

TEST(Samples, RefuseWhatCannotBeAWeight) {
  const auto with = [](std::size_t at, double weight) {
    std::vector<double> weights = rising();
    weights[at] = weight;
    return weights;
  };
  EXPECT_THROW(Samples(13, with_weights(rising())), DataError);
  EXPECT_THROW(weights_of(with(1, -2)), DataError);
  EXPECT_THROW(weights_of(with(1, NAN)), DataError);
  EXPECT_THROW(weights_of(with(1, INFINITY)), DataError);
  EXPECT_EQ(weights_of(with(0, 0)).size(), 12U);  // ten are left
  std::vector<double> nine = with(0, 0);
  nine[1] = 0;
  EXPECT_THROW(weights_of(nine), DataError);
  EXPECT_THROW(weights_of(std::vector<double>(12, 0.0)), DataError);
}

TEST(Samples, GroupsMustFit) {
  EXPECT_THROW(Samples(3, in_groups({1, 2})), DataError);
  const Samples samples(3, in_groups({1, 2, 2}));
  EXPECT_TRUE(samples.grouped());
  EXPECT_EQ(samples.groups()[1], 2);
  EXPECT_FALSE(Samples(3).grouped());
}

TEST(Samples, EffectiveOnesCountGroupsOnceAndUnequalWeightsLess) {
  EXPECT_DOUBLE_EQ(Samples(12).effective(), 12);
  EXPECT_DOUBLE_EQ(Samples(6, in_groups({1, 1, 1, 2, 2, 2})).effective(), 2);
  EXPECT_DOUBLE_EQ(Samples(4, in_groups({1, 1, 1, 2})).effective(), 16.0 / 10);
  std::vector<double> weights(20, 0.0);
  std::fill_n(weights.begin(), 10, 3.0);
  EXPECT_NEAR(Samples(20, with_weights(weights)).effective(), 10, 1e-5);
  EXPECT_NEAR(Samples(12, with_weights(rising())).effective(), 66.0 * 66 / 506,
              1e-4);  // (1 + .. + 11)^2 / (1 + .. + 121)
}

TEST(Samples, WeightsHaveMeanOneOverAllProcesses) {
  const std::vector<double> given = rising();
  const std::vector<float> together = weights_of(given);
  const Samples whole(12, with_weights(given));
  testing::run_all_workers(2, [&](Communicator& communicator) {
    const std::size_t begin = communicator.rank() == 0 ? 0 : 4;
    const std::size_t end = communicator.rank() == 0 ? 4 : 12;
    SampleOptions about = with_weights(
        {given.begin() + static_cast<std::ptrdiff_t>(begin), given.begin() + static_cast<std::ptrdiff_t>(end)});
    about.communicator = &communicator;
    const Samples own(static_cast<Index>(end - begin), about);
    ASSERT_EQ(own.weights().size(), end - begin);
    for (std::size_t i = begin; i < end; ++i) EXPECT_FLOAT_EQ(own.weights()[i - begin], together[i]);
    EXPECT_EQ(own.total_units(), whole.total_units());
    EXPECT_NEAR(own.effective(), whole.effective(), 1e-9);
  });
}

TEST(Presence, SamplesWithAllViewsAreComplete) {
  Samples samples(20);
  samples.set_presence({"a", "b"}, std::vector<std::uint8_t>(40, 1));
  EXPECT_TRUE(samples.complete());
  EXPECT_TRUE(samples.has(1, 3) && samples.paired(7, 3));
  EXPECT_EQ(samples.shared(0, 1).rows, 20);
  EXPECT_EQ(samples.learned(), 20);
}

TEST(Presence, CountsWhatViewsShare) {
  const Samples samples = testing::with_gaps(Samples(120), 3);
  EXPECT_FALSE(samples.complete());
  Index learned = 0;
  double inverse = 0;
  for (Index v = 0; v < 3; ++v) {
    for (Index w = 0; w < 3; ++w) {
      Index rows = 0;
      for (Index i = 0; i < 120; ++i) rows += testing::lacks(v, i) || testing::lacks(w, i) ? 0 : 1;
      EXPECT_EQ(samples.shared(v, w).rows, rows);
      EXPECT_DOUBLE_EQ(samples.shared(v, w).effective, static_cast<double>(rows));
      if (v < w) inverse += 1 / static_cast<double>(rows);
    }
  }
  EXPECT_NEAR(samples.effective(), 3 / inverse, 1e-9);
  EXPECT_EQ(samples.total(), 120);
  for (Index i = 0; i < 120; ++i) {
    Index views = 0;
    for (Index v = 0; v < 3; ++v) views += testing::lacks(v, i) ? 0 : 1;
    learned += views > 1 ? 1 : 0;
    for (Index v = 0; v < 3; ++v) {
      EXPECT_EQ(samples.has(v, i), !testing::lacks(v, i));
      EXPECT_EQ(samples.paired(v, i), !testing::lacks(v, i) && views > 1);
    }
    for (Index j = 0; j < i; ++j) {  // equal numbers for equal sets of views
      bool same = true;
      for (Index v = 0; v < 3; ++v) same = same && samples.has(v, i) == samples.has(v, j);
      EXPECT_EQ(samples.pattern(i) == samples.pattern(j), same);
    }
  }
  EXPECT_EQ(samples.learned(), learned);
}

TEST(Presence, GroupsAndWeightsCountPerPair) {
  SampleOptions options;
  for (Index i = 0; i < 60; ++i) {
    options.groups.push_back(i / 3);
    options.sample_weight.push_back(i % 2 == 0 ? 1 : 3);
  }
  const Samples samples = testing::with_gaps(Samples(60, options), 2);
  std::map<Index, double> groups;
  for (Index i = 0; i < 60; ++i) {
    if (!testing::lacks(0, i) && !testing::lacks(1, i)) groups[i / 3] += samples.weight(i);
  }
  double sum = 0, squares = 0;
  for (const auto& [group, weight] : groups) {
    sum += weight;
    squares += weight * weight;
  }
  EXPECT_NEAR(samples.shared(0, 1).effective, sum * sum / squares, 1e-9);
  EXPECT_EQ(samples.shared(0, 1).independent, static_cast<Index>(groups.size()));
}

TEST(Presence, IsTheSameInSeveralProcesses) {
  const Samples whole = testing::with_gaps(Samples(90), 3);
  testing::run_all_workers(3, [&](Communicator& communicator) {
    SampleOptions options;
    options.communicator = &communicator;
    const Index rows = communicator.rank() == 1 ? 0 : 45;  // one has none
    const Samples part = testing::with_gaps(Samples(rows, options), 3);
    EXPECT_FALSE(part.complete());
    EXPECT_EQ(part.shared(0, 2).rows, whole.shared(0, 2).rows);
    EXPECT_EQ(part.learned(), whole.learned());
    EXPECT_EQ(part.patterns(), whole.patterns());
    for (Index i = 0; i < rows; ++i) EXPECT_EQ(part.pattern(i), whole.pattern(part.number(i)));
  });
}

TEST(Presence, TwoViewsMustShareSamples) {
  const auto give = [](Index rows_of_a, Index first_of_b) {
    Samples samples(40);
    std::vector<std::uint8_t> present;
    for (Index i = 0; i < 40; ++i) {
      present.push_back(i < rows_of_a ? 1 : 0);
      present.push_back(i >= first_of_b ? 1 : 0);
    }
    samples.set_presence({"rna", "protein"}, present);
  };
  EXPECT_NO_THROW(give(20, 10));
  expect_error<DataError>([&] { give(20, 11); }, {"\"rna\" and \"protein\" share only 9 samples; at least 10"});
  expect_error<DataError>([&] { give(20, 20); }, {"share no samples"});
  expect_error<DataError>([&] { give(40, 40); }, {"View \"protein\": all samples lack it"});
}

}  // namespace
}  // namespace treecca
