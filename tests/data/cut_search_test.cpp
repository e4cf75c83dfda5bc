#include "data/cut_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

TEST(CutSearch, CountsTheCutsAtOrBelowEveryNumber) {
  for (const Index n_cuts : {0, 1, 2, 3, 4, 7, 8, 127, 128, 254, 255}) {
    std::vector<float> cuts = testing::normal_matrix(n_cuts, 1, 1).values();
    std::sort(cuts.begin(), cuts.end());
    std::vector<float> numbers = testing::normal_matrix(101, 1, 2).values();
    for (const float cut : cuts) {
      numbers.insert(numbers.end(), {cut, std::nextafter(cut, -9.0F), std::nextafter(cut, 9.0F)});
    }
    const float most = std::numeric_limits<float>::max();
    numbers.insert(numbers.end(), {-most, most, 0.0F, -0.0F, std::numeric_limits<float>::denorm_min(), NAN, -NAN});
    std::vector<std::uint8_t> counts(numbers.size(), 77);
    CutSearch(cuts).count_below(numbers, counts.data());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      Index expected = 0;
      for (const float cut : cuts) expected += cut <= numbers[i] ? 1 : 0;
      ASSERT_EQ(Index{counts[i]}, expected) << numbers[i] << " among " << n_cuts;
    }
  }
}

}  // namespace
}  // namespace treecca
