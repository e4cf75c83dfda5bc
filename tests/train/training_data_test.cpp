#include "train/training_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "helpers/plain_parameters.hpp"
#include "helpers/synthetic_views.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

Start start_values(const View& view, Index view_number, const Parameters& parameters, Threads threads) {
  return start_values(view, view_number, parameters, threads, Samples(view.values.rows()));
}

class TrainingDataTest : public ::testing::Test {
 protected:
  testing::TwoViews views_ = testing::linear_views(100, 5, 4, 2, 0.5, 1);
  Dataset data_ = check_dataset(views_.views());
  Parameters parameters_ = testing::plain_parameters();
};

TEST_F(TrainingDataTest, BinsAreMadeOncePerMaxBin) {
  TrainingData shared(data_);
  const std::vector<BinnedView>& fine = shared.bins(parameters_, 1);
  ASSERT_EQ(fine.size(), 2U);
  EXPECT_EQ(fine[0].n_bins(0), 100);
  EXPECT_EQ(&shared.bins(parameters_, 2), &fine);
  Parameters coarse = parameters_;
  coarse.max_bin = std::vector<Index>{7, 200};
  const std::vector<BinnedView>& other = shared.bins(coarse, 1);
  EXPECT_NE(&other, &fine);
  EXPECT_EQ(other[0].n_bins(0), 7);
  EXPECT_EQ(other[1].n_bins(0), 100);
  EXPECT_EQ(fine[0].n_bins(0), 100);  // references stay valid
  coarse.n_components = 5;            // does not matter for bins
  EXPECT_EQ(&shared.bins(coarse, 1), &other);
}

TEST_F(TrainingDataTest, InitialValuesAreMadeOncePerKey) {
  TrainingData shared(data_);
  const Start& start = shared.start(0, parameters_, 1);
  EXPECT_EQ(start.values, start_values(data_.views[0], 0, parameters_, 1).values);
  const auto is_new = [&](Index view, auto&& change) {
    Parameters changed = parameters_;
    change(changed);
    const Start& other = shared.start(view, changed, 1);
    EXPECT_EQ(other.values, start_values(data_.views[static_cast<std::size_t>(view)], view, changed, 1).values);
    return &other != &start;
  };
  EXPECT_FALSE(is_new(0, [](Parameters&) {}));
  EXPECT_FALSE(is_new(0, [](Parameters& p) { p.max_depth = 7; }));
  EXPECT_FALSE(is_new(0, [](Parameters& p) { p.init_fade = 3; }));
  EXPECT_TRUE(is_new(1, [](Parameters&) {}));
  EXPECT_TRUE(is_new(0, [](Parameters& p) { p.init_fade = 0; }));
  EXPECT_TRUE(is_new(0, [](Parameters& p) { p.n_components = 3; }));
  EXPECT_TRUE(is_new(0, [](Parameters& p) { p.n_oversamples = 1; }));
  EXPECT_TRUE(is_new(0, [](Parameters& p) { p.init = Init::random; }));
  EXPECT_TRUE(is_new(0, [](Parameters& p) { p.random_state = 3; }));
}

TEST_F(TrainingDataTest, ThreadsThatAskAtTheSameTimeGetTheSame) {
  TrainingData shared(data_);
  std::vector<const BinnedView*> bins(6);
  std::vector<const Start*> starts(6);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      Parameters own = parameters_;
      own.max_bin = t % 2 == 0 ? 255 : 16;
      bins[t] = shared.bins(own, 1).data();
      starts[t] = &shared.start(0, parameters_, 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 2; t < 6; ++t) {
    EXPECT_EQ(bins[t], bins[t % 2]);
    EXPECT_EQ(starts[t], starts[0]);
  }
  EXPECT_NE(bins[0], bins[1]);
}

TEST_F(TrainingDataTest, ViewsThatCannotBeBinnedAreNamed) {
  views_.b = Matrix<float>(100, 3, 2.5F);
  const Dataset constant = check_dataset(views_.views());
  TrainingData flat(constant);
  expect_error<DataError>([&] { flat.bins(parameters_, 1); }, {"View \"b\" is constant", "3 features"});
  views_.b = testing::normal_matrix(100, 3, 1);
  views_.b(41, 2) = std::numeric_limits<float>::infinity();
  const Dataset infinite = check_dataset(views_.views());
  TrainingData broken(infinite);
  EXPECT_THROW(broken.bins(parameters_, 1), DataError);
}

}  // namespace
}  // namespace treecca
