#include "data/view_warnings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
            "feature. If it names the samples, match the rows by it (command line: --id \"nr\"; Python: set_index and "
            "treecca.align).");
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
  const Columns generated{"f0", {1, 2, 3, 4, 5, 6}, {"f0", "f1"}};
  const auto equal = warnings_of({generated, generated});  // no names that say id, but a correlation of 1
  ASSERT_EQ(equal.size(), 1U);
  EXPECT_NE(equal[0].find("have the same values"), std::string::npos) << equal[0];
}

TEST(ViewWarnings, IdsInAnyColumn) {
  Columns a{"x", {1.5F, 1.5F, 2}};
  a.names = {"x", "code"};
  for (Index i = 0; i < 3; ++i) a.values(i, 1) = static_cast<float>(100 + i);
  Columns b = a;
  b.names = {"y", "code"};
  b.first = {2, 1.5F, 0};
  ASSERT_EQ(warnings_of({a, b}).size(), 1U);
  EXPECT_NE(warnings_of({a, b})[0].find("\"code\""), std::string::npos);
}

/// A view of these columns, named c0, c1, ...
struct Doubles {
  Matrix<double> values;

  explicit Doubles(const std::vector<std::vector<double>>& columns)
      : values(static_cast<Index>(columns[0].size()), static_cast<Index>(columns.size())) {
    for (Index j = 0; j < values.cols(); ++j) {
      for (Index i = 0; i < values.rows(); ++i)
        values(i, j) = columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
    }
  }
  View view(const std::string& name) const {
    std::vector<std::string> names;
    for (Index j = 0; j < values.cols(); ++j) names.push_back("c" + std::to_string(j));
    return {name, values, names};
  }
};

std::vector<std::string> warnings_of_both(const Doubles& a, const Doubles& b) {
  return view_warnings({{a.view("a"), b.view("b")}, Samples(a.values.rows())});
}

/// Under different names, and in another order: the rows were never matched.
TEST(ViewWarnings, TheSameIdsInAnotherOrder) {
  const std::vector<double> ids{101, 107, 5, 99, 200, 1, 2, 31, 44, 12};
  std::vector<double> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> x, y;
  for (int i = 0; i < 10; ++i) {
    x.push_back(i / 2 + 0.5);
    y.push_back(i % 3);
  }
  const auto warnings = [&](const std::vector<double>& first, const std::vector<double>& second) {
    const Doubles a({x, first});
    const Doubles b({second, y});
    View named = b.view("b");
    named.feature_names = {"code", "y"};
    return view_warnings({{a.view("a"), named}, Samples(10)});
  };
  EXPECT_EQ(warnings(ids, sorted),
            std::vector<std::string>{
                "Column \"c1\" of view \"a\" and column \"code\" of view \"b\" look like sample ids: they contain the "
                "same integers, but in other rows. So the rows do not belong together. Match them by these columns "
                "(command line: --id a=c1 --id b=code; Python: set_index and treecca.align)."});
  for (std::size_t i = 5; i < 10; ++i) sorted[i] = 300 + static_cast<double>(i);  // half of the samples are others
  EXPECT_EQ(warnings(ids, sorted).size(), 1U);
  sorted[4] = 400;
  EXPECT_TRUE(warnings(ids, sorted).empty());
  ASSERT_EQ(warnings(ids, ids).size(), 1U);
  EXPECT_NE(warnings(ids, ids)[0].find("have the same values"), std::string::npos);
}

/// Every column of ranks has the same values.
TEST(ViewWarnings, RanksAreNoIds) {
  std::vector<double> up, down, mixed, odd;
  for (int i = 0; i < 12; ++i) {
    up.push_back(i);
    down.push_back(11 - i);
    mixed.push_back((i * 5) % 12);
    odd.push_back((i * 7) % 12);
  }
  for (const std::string& warning : warnings_of_both(Doubles({up, mixed}), Doubles({down, odd}))) {
    EXPECT_EQ(warning.find("in other rows"), std::string::npos) << warning;
  }
}

TEST(ViewWarnings, ColumnsWithoutAnyValue) {
  Columns a{"gone", {kMissing, kMissing, kMissing}};
  EXPECT_EQ(warnings_of({a}), std::vector<std::string>{"View \"view\" has columns without any value: \"gone\"."});
  a.first[2] = 0;
  EXPECT_TRUE(warnings_of({a}).empty());
}

TEST(ViewWarnings, FeaturesThatAreInTwoViews) {
  const Doubles a({{1.5, 2.5, 3.5, 0.5, 2, 1, 3}, {0, 1, 0, 1, 1, 0, 1}, {7, 7, 7, 7, 7, 7, 7}});
  EXPECT_EQ(
      warnings_of_both(a, Doubles({{7, 7, 7, 7, 7, 7, 7}, {9.5, 2.5, 3.5, 0.5, 2, 1, 3}, {0, 1, 0, 1, 1, 0, 1}})),
      (std::vector<std::string>{
          "Feature \"c1\" of view \"a\" and feature \"c2\" of view \"b\" have the same values. Such a feature makes a "
          "correlation of 1 by itself: leave it out of one view, unless you want that."}));
  Doubles braces = a;  // names are no format
  std::vector<View> views{braces.view("a{}"), a.view("b")};
  const std::vector<std::string> odd = view_warnings({views, Samples(a.values.rows())});
  ASSERT_EQ(odd.size(), 1U);
  EXPECT_TRUE(
      odd[0].starts_with("Feature \"c0\" of view \"a{}\" and feature \"c0\" of view \"b\" have the same values (and "
                         "one more pair)."))
      << odd[0];
  ASSERT_EQ(warnings_of_both(a, a).size(), 1U);
  EXPECT_NE(warnings_of_both(a, a)[0].find("have the same values (and one more pair)."), std::string::npos);
  EXPECT_TRUE(warnings_of_both(a, Doubles({{1.5, 2.5, 3.5, 0.25, 2, 1, 3}})).empty());
  EXPECT_TRUE(warnings_of_both(Doubles({{1, 2.5, 3}, {1, 2.5, 3}}), Doubles({{3, 2, 1.5}})).empty());  // in one view
}

TEST(ViewWarnings, ValuesThatProbablyMeanMissing) {
  std::vector<double> ages, counts, scale, few, wide;
  for (int i = 0; i < 100; ++i) {
    ages.push_back(i % 10 == 0 ? -999 : 20 + i % 50 + 0.5);
    counts.push_back(i % 2 == 0 ? 0 : i);       // many zeros among counts
    scale.push_back(i % 20 == 0 ? 99 : i % 5);  // 99 on a scale from 0 to 4
    few.push_back(i < 2 ? -999 : 20 + i % 50 + 0.001 * i);
    wide.push_back(i % 10 == 0 ? -999 : 10 * i + 0.5);
  }
  const Doubles other({std::vector<double>(100, 1.0)});
  EXPECT_EQ(
      warnings_of_both(Doubles({counts, ages, scale, few, wide}), other),
      (std::vector<std::string>{"View \"a\": the value -999 is frequent and far from all others in \"c1\". If it means "
                                "missing, mark it as missing (command line: --na -999).",
                                "View \"a\": the value 99 is frequent and far from all others in \"c2\". If it means "
                                "missing, mark it as missing (command line: --na 99)."}));
  EXPECT_TRUE(warnings_of_both(Doubles({counts, few, wide}), other).empty());
}

TEST(ViewWarnings, AColumnIsEmptyIfItIsSoInAllProcesses) {
  testing::run_all_workers(3, [](Communicator& communicator) {
    const bool last = communicator.rank() == 2;
    Columns columns{"partly", {last ? 1.0F : kMissing, kMissing}};
    columns.values(0, 1) = columns.values(1, 1) = kMissing;
    SampleOptions options;
    options.communicator = &communicator;
    const Dataset data{{columns.view(), columns.view()}, Samples(2, options)};
    EXPECT_EQ(
        view_warnings(data),
        (std::vector<std::string>{"View \"view\" has columns without any value: \"x\".",
                                  "View \"view\" has columns without any value: \"x\".",
                                  "5 samples have no value in any view, so nothing is learned from them. Leave them "
                                  "out."}));
  });
}

}  // namespace
}  // namespace treecca
