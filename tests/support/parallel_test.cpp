#include "support/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "data/binning.hpp"
#include "helpers/folds.hpp"
#include "helpers/random_data.hpp"
#include "linear/cca.hpp"
#include "linear/pca.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

TEST(Parallel, ThreadsAreWhatWasAskedForWithinReason) {
  EXPECT_EQ(thread_count(1), 1);
  EXPECT_EQ(thread_count(3), 3);
  const int most = 4 * omp_get_num_procs();
  EXPECT_EQ(thread_count(most), most);
  EXPECT_EQ(thread_count(4096 * Index{most}), most);
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);  // as OMP_NUM_THREADS=3
  EXPECT_EQ(thread_count(-1), 3);
  omp_set_num_threads(before);
}

TEST(Parallel, EveryIndexIsVisitedOnceWhateverTheThreads) {
  for (const int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> visits(1000);
    parallel_for(1000, threads, [&](Index i) { ++visits[static_cast<std::size_t>(i)]; });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
  }
}

TEST(Parallel, BlocksCoverTheRangeAndDoNotDependOnTheThreads) {
  for (const int threads : {1, 3}) {
    std::vector<Index> end_of(10, -1);
    parallel_blocks(95, 10, threads,
                    [&](Index begin, Index end) { end_of[static_cast<std::size_t>(begin / 10)] = end; });
    EXPECT_EQ(end_of, (std::vector<Index>{10, 20, 30, 40, 50, 60, 70, 80, 90, 95}));
  }
}

TEST(Parallel, AnExceptionReachesTheCallerAndTheRestIsSkipped) {
  for (const int threads : {1, 2, 4}) {
    std::atomic<Index> begun{0};
    EXPECT_THROW(parallel_for(1'000'000, threads,
                              [&](Index) {
                                ++begun;
                                throw std::runtime_error("no");
                              }),
                 std::runtime_error);
    EXPECT_LE(begun, threads);
  }
}

TEST(Parallel, ARaisedFlagStopsALoopBetweenTwoBodies) {
  for (const int threads : {1, 2}) {
    std::atomic<bool> stop{false};
    std::atomic<Index> done{0};
    const auto body = [&](Index) {
      if (++done == 10) stop = true;
    };
    EXPECT_THROW(parallel_for(1'000'000, Threads(threads, &stop), body), Interrupted);
    EXPECT_LT(done, 10 + threads);
  }
}

/// The stages before the first round can take long on wide data: they too must look at the flag.
TEST(Parallel, TheStagesBeforeTheFirstRoundListenToTheFlag) {
  const Matrix<float> x = testing::normal_matrix(60, 8, 1);
  const std::atomic<bool> stop{true};
  const Threads threads(2, &stop);
  EXPECT_THROW(BinnedView({"x", x, {}}, 16, threads), Interrupted);
  EXPECT_THROW(principal_components(x, 2, true, 1, threads), Interrupted);
  EXPECT_THROW(linear_baseline({x, x}, testing::folds_of(60), 2, 1, threads), Interrupted);
}

}  // namespace
}  // namespace treecca
