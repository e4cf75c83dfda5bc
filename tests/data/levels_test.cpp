#include "data/levels.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/binning.hpp"
#include "data/dataset.hpp"
#include "helpers/random_data.hpp"
#include "screen/rank_bins.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

/// A number and a category, c, in which no sample has "b".
Matrix<double> table() {
  Matrix<double> values(12, 2);
  for (Index i = 0; i < 12; ++i) {
    values(i, 0) = static_cast<double>(i);
    values(i, 1) = i % 3 == 0 ? 0 : i % 3 == 1 ? 2 : kNaN;
  }
  return values;
}

View ordered(const View& view) {
  std::shared_ptr<const Matrix<double>> copy;
  View result = with_ordered_levels(view, {}, copy);
  static std::vector<std::shared_ptr<const Matrix<double>>> alive;
  alive.push_back(copy);
  return result;
}

TEST(Levels, AreSortedAndUnusedOnesAreLeftOut) {
  const Matrix<double> values = table();
  const View view = ordered({"x", values, {"n", "c"}, {{}, {"z", "b", "a"}}});
  EXPECT_EQ(view.levels, (Levels{{}, {"a", "z"}}));
  for (Index i = 0; i < 12; ++i) {
    EXPECT_EQ(view.values.value(i, 0), values(i, 0));
    const double level = view.values.value(i, 1);
    EXPECT_EQ(std::isnan(level), i % 3 == 2);
    if (i % 3 != 2) {
      EXPECT_EQ(level, i % 3 == 0 ? 1 : 0);
    }
  }
  EXPECT_EQ(counts_of_levels(view, {}), (std::vector<std::vector<double>>{{}, {4, 4}}));
}

TEST(Levels, InOrderNeedNoCopy) {
  Matrix<double> values = table();
  for (Index i = 0; i < 12; ++i) values(i, 1) = static_cast<double>(i % 2);
  std::shared_ptr<const Matrix<double>> copy;
  with_ordered_levels({"x", values, {"n", "c"}, {{}, {"a", "b"}}}, {}, copy);
  EXPECT_EQ(copy, nullptr);
}

TEST(Levels, OfAColumnWithoutValuesAreNone) {
  Matrix<double> values(12, 2, kNaN);
  EXPECT_TRUE(ordered({"x", values, {"n", "c"}, {{}, {"a", "b"}}}).levels.empty());
}

TEST(Levels, BadInputIsNamed) {
  const auto error_with = [](double value, std::vector<std::string> levels) {
    Matrix<double> values = table();
    values(4, 1) = value;
    return error_of([&] { ordered({"x", values, {"n", "c"}, {{}, std::move(levels)}}); });
  };
  for (const double bad : {-1.0, 3.0, 0.5, HUGE_VAL}) {
    expect_part(error_with(bad, {"a", "b", "c"}), "View \"x\", feature \"c\": row 5 has the level number");
  }
  expect_part(error_with(0, {"a", "a", "c"}), "two levels are called \"a\"");
  expect_part(error_with(0, {"a", "", "c"}), "a level has no name");
  expect_part(error_with(0, {"a", "\xFF", "c"}), "is not UTF-8");
  const Matrix<double> values = table();
  expect_part(error_of([&] { ordered({"x", values, {"n", "c"}, {{}}}); }), "levels for 1");
  std::vector<std::string> many;
  Matrix<double> ids(256, 1);
  for (Index i = 0; i < 256; ++i) {
    ids(i, 0) = static_cast<double>(i);
    many.push_back("p" + std::to_string(i));
  }
  expect_part(error_of([&] { ordered({"x", ids, {"id"}, {many}}); }), "256 levels; a category has at most 255");
}

TEST(Levels, OfNewDataAreMatchedByName) {
  Matrix<double> values = table();
  const std::vector<std::string> notes =
      to_model_levels("x", {"n", "c"}, {{}, {"z", "b", "new"}}, {{}, {"a", "b", "z"}}, values);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0],
            "View \"x\", feature \"c\": the fit had no level \"new\"; it counts as missing in 4 of 12 samples.");
  EXPECT_EQ(values(0, 1), 2);
  EXPECT_TRUE(std::isnan(values(1, 1)) && std::isnan(values(2, 1)));
  EXPECT_EQ(values(7, 0), 7);
  Matrix<double> same = table();
  EXPECT_TRUE(to_model_levels("x", {"n", "c"}, {{}, {"a", "not there", "b"}}, {{}, {"a", "b"}}, same).empty());
}

TEST(Levels, OfNewDataMustBeOfTheSameKind) {
  Matrix<double> values = table();
  expect_part(error_of([&] {
                to_model_levels("x", {"n", "c"}, {}, {{}, {"a"}}, values);
              }),
              "it is a category in the model, but a number here");
  expect_part(error_of([&] {
                to_model_levels("x", {"n", "c"}, {{}, {"a", "b", "c"}}, {}, values);
              }),
              "it is a number in the model, but a category here");
  Matrix<double> missing(3, 2, kNaN);
  EXPECT_TRUE(to_model_levels("x", {"n", "c"}, {}, {{}, {"a"}}, missing).empty());
}

TEST(Levels, AreBins) {
  Matrix<double> values = table();
  for (Index i = 0; i < 12; ++i) values(i, 1) = i == 3 ? kNaN : static_cast<double>(i % 3 == 2 ? 6 : 1);
  const Levels levels{{}, {"a", "b", "c", "d", "e", "f", "g"}};
  const BinnedView bins({"x", values, {"n", "c"}, levels}, 3, 1);  // max_bin does not count for categories
  EXPECT_TRUE(bins.is_category(1));
  EXPECT_FALSE(bins.is_category(0));
  EXPECT_EQ(bins.n_bins(1), 7);
  for (Index i = 0; i < 12; ++i) EXPECT_EQ(bins.column(1)[i], i == 3 ? 7 : i % 3 == 2 ? 6 : 1);
  EXPECT_TRUE(bins.varies(1));
  for (Index i = 0; i < 12; ++i) values(i, 1) = 5;
  EXPECT_FALSE(BinnedView({"x", values, {"n", "c"}, levels}, 3, 1).varies(1));
}

TEST(LevelBins, AreTheFrequentLevelsAndTheRest) {
  // 100 rows: at least 10 in a bin.
  const RankBins bins = level_bins({3, 30, 2, 20, 4, 15, 3, 12, 1, 4, 2, 4, 0});
  EXPECT_EQ(bins.count, 5);
  EXPECT_EQ(bins.of_code[1], 0);
  EXPECT_EQ(bins.of_code[3], 1);
  EXPECT_EQ(bins.of_code[5], 2);
  EXPECT_EQ(bins.of_code[7], 3);
  for (const std::size_t rest : {0U, 2U, 4U, 6U, 8U, 12U}) EXPECT_EQ(bins.of_code[rest], 4) << rest;
  const RankBins many = level_bins({12, 12, 12, 12, 12, 12, 12, 12, 4});
  EXPECT_EQ(many.count, 6);
  EXPECT_EQ(many.of_code[4], 4);
  for (const std::size_t rest : {5U, 6U, 7U, 8U}) EXPECT_EQ(many.of_code[rest], 5);
  const RankBins with_missing = level_bins({50, 30, 20});
  EXPECT_EQ(with_missing.count, 3);
  EXPECT_EQ(with_missing.of_code[2], 2);
  EXPECT_EQ(level_bins({100, 0}).count, 1);
}

}  // namespace
}  // namespace treecca
