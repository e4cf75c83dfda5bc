#include "data/dataset.hpp"

#include <gtest/gtest.h>

#include "helpers/folds.hpp"
#include "helpers/random_data.hpp"
#include "helpers/temporary_file.hpp"
#include "helpers/thread_workers.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Names = std::vector<std::string>;

class DatasetTest : public ::testing::Test {
 protected:
  void refused(const std::vector<View>& views, std::initializer_list<std::string_view> parts,
               const SampleOptions& options = {}) const {
    expect_error<DataError>([&] { check_dataset(views, options); }, parts);
  }
  const Matrix<float> x_ = testing::normal_matrix(25, 3, 1);
  const Matrix<float> y_ = testing::normal_matrix(25, 2, 2);
};

TEST_F(DatasetTest, RefersToTheCallersNumbersAndNamesAllFeatures) {
  const Dataset data = check_dataset({{"x", x_, {"a", "b", "c"}}, {"y", y_}});
  ASSERT_EQ(data.views.size(), 2U);
  EXPECT_EQ(data.views[0].feature_names, (Names{"a", "b", "c"}));
  EXPECT_EQ(data.views[1].name, "y");
  EXPECT_EQ(data.views[1].feature_names, (Names{"f0", "f1"}));
  EXPECT_EQ(data.samples.here(), 25);
  for (Index i = 0; i < 25; ++i) EXPECT_EQ(data.views[1].values(i, 1), y_(i, 1));
}

TEST_F(DatasetTest, KnowsWhoTheRowsAre) {
  SampleOptions options;
  for (int i = 0; i < 25; ++i) {
    options.groups.push_back(i / 5);
    options.sample_weight.push_back(1 + i % 2);
  }
  const Dataset data = check_dataset({{"x", x_}, {"y", y_}}, options);
  EXPECT_TRUE(data.samples.grouped());
  EXPECT_EQ(data.samples.weights().size(), 25U);
  EXPECT_LT(data.samples.effective(), 5.001);
  options.groups.pop_back();
  refused({{"x", x_}, {"y", y_}}, {"24 group labels for 25 samples"}, options);
}

TEST_F(DatasetTest, NamesWhatDoesNotFit) {
  const Matrix<float> longer = testing::normal_matrix(26, 2, 1);
  const Matrix<float> tiny = testing::normal_matrix(9, 2, 1);
  const Matrix<float> nothing(25, 0);
  refused({}, {"at least two views; 0 given"});
  refused({{"x", x_}}, {"at least two views; 1 given"});
  refused({{"x", x_}, {"y", longer}}, {"View \"y\" has 26 rows but view \"x\" has 25"});
  refused({{"x", tiny}, {"y", tiny}}, {"9 samples; at least 10", "check that the ids", "add samples"});
  refused({{"x", x_}, {"y", nothing}}, {"View \"y\" has no features"});
  refused({{"x", x_}, {"x", y_}}, {"\"x\" is empty or used twice"});
  refused({{"x", x_}, {"", y_}}, {"\"\" is empty or used twice"});
  refused({{"x", x_, {"a", "b"}}, {"y", y_}}, {"View \"x\" has 3 columns but 2 feature names"});
  refused({{"x", x_}, {"y", y_, {"b", "b"}}}, {"View \"y\" has two features called \"b\""});
  refused({{"x", x_}, {"y", y_, {"b", ""}}}, {"View \"y\" has a feature without a name (number 2)"});
}

TEST_F(DatasetTest, OneTableIsEnoughWhereAskedFor) {
  EXPECT_EQ(check_dataset({{"x", x_}}, {}, 1).views.size(), 1U);
  expect_error<DataError>([&] { check_dataset({}, {}, 1); }, {"0 given"});
}

/// What one process refuses, all refuse: none waits for the others.
TEST_F(DatasetTest, AllProcessesRefuseTogether) {
  const auto failures = testing::run_workers(2, [&](Communicator& communicator) {
    SampleOptions options;
    options.communicator = &communicator;
    const std::string name = communicator.rank() == 0 ? "y" : "x";
    check_dataset({{"x", x_}, {name, y_}}, options);
  });
  for (const std::exception_ptr& failure : failures) {
    ASSERT_TRUE(failure);
    expect_error<DataError>([&] { std::rethrow_exception(failure); }, {"\"x\" is empty or used twice"});
  }
}

TEST_F(DatasetTest, AViewMustVary) {
  const Matrix<float> flat(25, 4, 1.0F);
  expect_error<DataError>(
      [&] {
        check_varies(BinnedView({"flat", flat}, 255, 1), "flat");
      },
      {"View \"flat\" is constant", "4 features"});
  Matrix<float> almost = flat;
  almost(3, 2) = 2;
  EXPECT_NO_THROW(check_varies(BinnedView({"almost", almost}, 255, 1), "almost"));
}

}  // namespace
}  // namespace treecca
