#include "data/view_warnings.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "helpers/thread_workers.hpp"

namespace treecca {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

/// Two columns, `name` and "x"; x is constant.
struct Columns {
  std::string name;
  std::vector<float> first;
  std::vector<std::string> names = {name, "x"};
  Matrix<float> values = Matrix<float>(static_cast<Index>(first.size()), 2);

  View view() {
    for (std::size_t i = 0; i < first.size(); ++i) values(static_cast<Index>(i), 0) = first[i];
    return {"view", values, names};
  }
};

std::vector<std::string> warnings_of(std::vector<Columns> columns) {
  Dataset data;
  for (Columns& view : columns) data.views.push_back(view.view());
  data.samples = Samples(data.views[0].values.rows());
  return view_warnings(data);
}

TEST(ViewWarnings, IntegersThatLookLikeIds) {
  const Columns a{"nr", {3, 1, 2}};
  const Columns b{"nr", {1, 2, 3}};
  ASSERT_EQ(warnings_of({a, b}).size(), 1U);
  EXPECT_EQ(warnings_of({a, b})[0],
            "Column \"nr\" of all views holds a different integer in every row, like sample ids, but is used as a "
            "feature. If it names the samples, remove it from the features (command line: --id \"nr\").");
  EXPECT_EQ(warnings_of({{"f0", {1, 2, 3}}, {"f0", {1, 2, 3}}}).size(), 1U) << "only the first name looks generated";
  const Columns large{"nr", {20000001.0F, 20000002.0F, 20000003.0F}};  // equal as floats
  EXPECT_EQ(warnings_of({a, b, large}).size(), 1U);
}

TEST(ViewWarnings, OrdinaryFeatures) {
  const Columns a{"nr", {3, 1, 2}};
  EXPECT_TRUE(warnings_of({a}).empty());
  EXPECT_TRUE(warnings_of({a, {"other", {1, 2, 3}}}).empty());
  EXPECT_TRUE(warnings_of({a, {"nr", {1, 1, 3}}}).empty());
  EXPECT_TRUE(warnings_of({a, {"nr", {1, 2, 3.5F}}}).empty());
  EXPECT_TRUE(warnings_of({a, {"nr", {1, 2, kMissing}}}).empty());
  const Columns generated{"f0", {1, 2, 3}, {"f0", "f1"}};
  EXPECT_TRUE(warnings_of({generated, generated}).empty());
}

TEST(ViewWarnings, IdsInAnyColumn) {
  Columns a{"x", {1.5F, 1.5F, 2}};
  a.names = {"x", "code"};
  for (Index i = 0; i < 3; ++i) a.values(i, 1) = static_cast<float>(100 + i);
  Columns b = a;
  b.names = {"y", "code"};
  ASSERT_EQ(warnings_of({a, b}).size(), 1U);
  EXPECT_NE(warnings_of({a, b})[0].find("\"code\""), std::string::npos);
}

TEST(ViewWarnings, ColumnsWithoutAnyValue) {
  Columns a{"gone", {kMissing, kMissing, kMissing}};
  EXPECT_EQ(warnings_of({a}), std::vector<std::string>{"View \"view\" has columns without any value: gone."});
  a.first[2] = 0;
  EXPECT_TRUE(warnings_of({a}).empty());
}

TEST(ViewWarnings, AColumnIsEmptyIfItIsSoInAllProcesses) {
  testing::run_all_workers(3, [](Communicator& communicator) {
    const bool last = communicator.rank() == 2;
    Columns columns{"partly", {last ? 1.0F : kMissing, kMissing}};
    columns.values(0, 1) = columns.values(1, 1) = kMissing;
    SampleOptions options;
    options.communicator = &communicator;
    const Dataset data{{columns.view(), columns.view()}, Samples(2, options)};
    EXPECT_EQ(view_warnings(data), std::vector<std::string>(2, "View \"view\" has columns without any value: x."));
  });
}

}  // namespace
}  // namespace treecca
