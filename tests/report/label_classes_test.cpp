#include "report/label_classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace treecca {
namespace {

std::map<std::string, int> counts_of(const std::vector<std::string>& labels) {
  std::map<std::string, int> counts;
  for (const std::string& label : label_classes(labels)) ++counts[label];
  return counts;
}

TEST(LabelClasses, FewLabelsStayAsTheyAre) {
  std::vector<std::string> labels;
  for (int i = 0; i < 100; ++i) labels.push_back(std::to_string(i % 20));
  EXPECT_EQ(label_classes(labels), labels);
  EXPECT_TRUE(label_classes({}).empty());
}

TEST(LabelClasses, ManyNumbersBecomeRanges) {
  std::vector<std::string> ages;
  for (int i = 0; i < 100; ++i) ages.push_back(std::to_string((i * 37) % 100));
  EXPECT_EQ(counts_of(ages),
            (std::map<std::string, int>{
                {"0 to 19", 20}, {"20 to 39", 20}, {"40 to 59", 20}, {"60 to 79", 20}, {"80 to 99", 20}}));
  EXPECT_EQ(label_classes(ages)[1], "20 to 39");  // 37
  ages[3] = "NA";
  EXPECT_EQ(label_classes(ages)[3], "missing");
  std::vector<std::string> close;  // three digits would call them all the same
  for (int i = 0; i < 100; ++i) close.push_back(std::to_string(1e6 + 0.01 * i));
  EXPECT_EQ(counts_of(close).size(), 5U);
  std::vector<std::string> mostly_zero(70, "0");
  for (int i = 1; i <= 30; ++i) mostly_zero.push_back(std::to_string(i));
  EXPECT_EQ(counts_of(mostly_zero)["0 to 0"], 70);
}

TEST(LabelClasses, OfManyTextsTheMostFrequentStay) {
  std::vector<std::string> sites;
  for (int i = 0; i < 100; ++i) sites.push_back("site " + std::to_string(i % 25));
  for (int i = 0; i < 10; ++i) sites.emplace_back("site 24");
  const std::map<std::string, int> counts = counts_of(sites);
  EXPECT_EQ(counts.size(), 20U);
  EXPECT_EQ(counts.at("site 24"), 14);
  EXPECT_EQ(counts.at("site 0"), 4);  // of equals, those that come first
  EXPECT_EQ(counts.at("other"), 24);
}

TEST(LabelClasses, OnlyMissingValues) {
  std::vector<std::string> labels;
  for (const char* word : {"na", "nan", "none", "null"}) {
    for (int cases = 0; cases < 8; ++cases) {
      std::string label = word;
      for (int i = 0; i < 3 && i < static_cast<int>(label.size()); ++i) {
        if ((cases >> i) % 2 != 0)
          label[static_cast<std::size_t>(i)] = static_cast<char>(label[static_cast<std::size_t>(i)] - 32);
      }
      labels.push_back(label);
    }
  }
  ASSERT_GT(std::set<std::string>(labels.begin(), labels.end()).size(), 20U);
  EXPECT_EQ(counts_of(labels), (std::map<std::string, int>{{"missing", 32}}));
}

}  // namespace
}  // namespace treecca
