#include "support/instruction_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace treecca {
namespace {

TEST(InstructionSet, NamesAreThoseOfTheVariable) {
  EXPECT_EQ(name_of(InstructionSet::baseline), "baseline");
  EXPECT_EQ(name_of(InstructionSet::avx2), "avx2");
  EXPECT_EQ(name_of(InstructionSet::avx512), "avx512");
}

TEST(InstructionSet, TheOneInUseIsAskedForOrTheBest) {
  const std::vector<InstructionSet>& sets = available_instruction_sets();
  ASSERT_FALSE(sets.empty());
  EXPECT_EQ(sets.front(), InstructionSet::baseline);
  EXPECT_TRUE(std::is_sorted(sets.begin(), sets.end()));
  EXPECT_EQ(std::adjacent_find(sets.begin(), sets.end()), sets.end());
  InstructionSet expected = sets.back();
  const char* asked = std::getenv("TREECCA_KERNELS");
  for (const InstructionSet set : sets) {
    if (asked != nullptr && name_of(set) == asked) expected = set;
  }
  EXPECT_EQ(instruction_set(), expected);
}

TEST(InstructionSet, TheProcessorHasWhatIsOffered) {
  std::ifstream stream("/proc/cpuinfo");
  std::stringstream text;
  text << stream.rdbuf();
  if (text.str().find("flags") == std::string::npos) GTEST_SKIP() << "no /proc/cpuinfo of an x86 processor";
  const auto has = [&](const std::string& flag) { return text.str().find(" " + flag + " ") != std::string::npos; };
  for (const InstructionSet set : available_instruction_sets()) {
    if (set == InstructionSet::avx2) {
      EXPECT_TRUE(has("avx2") && has("fma"));
    }
    if (set == InstructionSet::avx512) {
      EXPECT_TRUE(has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl"));
    }
  }
}

}  // namespace
}  // namespace treecca
