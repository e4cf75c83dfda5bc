#include "data/sample_warnings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "helpers/folds.hpp"
#include "helpers/random_data.hpp"
#include "helpers/thread_workers.hpp"

namespace treecca {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
using Texts = std::vector<std::string>;

class SampleWarnings : public ::testing::Test {
 protected:
  Texts warnings(const Samples& samples = Samples(100)) const {
    return sample_warnings({{{"a", a_, {"p", "q", "r"}}, {"b", b_, {"s", "t"}}}, samples});
  }
  void copy(Index from, Index to) {
    for (Index j = 0; j < 3; ++j) a_(to, j) = a_(from, j);
    for (Index j = 0; j < 2; ++j) b_(to, j) = b_(from, j);
  }
  Matrix<float> a_ = testing::normal_matrix(100, 3, 1);
  Matrix<float> b_ = testing::normal_matrix(100, 2, 2);
};

TEST_F(SampleWarnings, OrdinarySamples) {
  EXPECT_EQ(warnings(), Texts{});
  for (Index i = 0; i < 100; i += 7) a_(i, 0) = kMissing;
  for (Index i = 3; i < 100; i += 5) b_(i, 1) = kMissing;  // gaps of their own
  EXPECT_EQ(warnings(), Texts{});
}

TEST_F(SampleWarnings, GapsInTheSameSamples) {
  for (Index i = 0; i < 100; i += 10) a_(i, 0) = b_(i, 1) = kMissing;
  EXPECT_EQ(warnings(),
            Texts{"Samples that lack values in view \"a\" lack them in view \"b\" too (correlation 1.00). "
                  "Trees see which values are missing, so this alone makes the views correlate. Leave these samples "
                  "out, or fill the gaps."});
}

TEST_F(SampleWarnings, SamplesWithoutAnyValue) {
  const auto clear = [&](Index i) {
    for (Index j = 0; j < 3; ++j) a_(i, j) = kMissing;
    for (Index j = 0; j < 2; ++j) b_(i, j) = kMissing;
  };
  for (Index j = 0; j < 3; ++j) a_(2, j) = kMissing;
  EXPECT_EQ(warnings(), Texts{});  // lacks a view
  clear(4);
  EXPECT_EQ(warnings(), Texts{"1 sample has no value in any view (5), so nothing is learned from it. Leave it out."});
  clear(9);
  EXPECT_EQ(warnings()[0],
            "2 samples have no value in any view (the first: 5), so nothing is learned from them. Leave them out.");
}

TEST_F(SampleWarnings, SamplesThatRepeat) {
  copy(0, 50);
  EXPECT_EQ(warnings(), Texts{});  // one in a hundred
  copy(1, 51);
  EXPECT_EQ(warnings(),
            Texts{"2 of 100 samples have the same values as another sample in all views (such as 1 and 51). A fit "
                  "that has seen one copy knows the other, so correlations are too high. Keep one copy of each, or "
                  "give all copies the same group."});
  std::vector<std::int64_t> groups;
  for (Index i = 0; i < 100; ++i) groups.push_back(i % 50);
  EXPECT_EQ(warnings(Samples(100, testing::in_groups(groups))), Texts{});
  groups[50] = groups[51] = 49;
  const Texts apart = warnings(Samples(100, testing::in_groups(groups)));
  ASSERT_EQ(apart.size(), 1U);
  EXPECT_NE(apart[0].find("in all views and are in another group (such as"), std::string::npos) << apart[0];
}

/// Rows of categories are equal by chance.
TEST_F(SampleWarnings, CategoriesMayRepeat) {
  for (Index i = 0; i < 100; ++i) {
    for (Index j = 0; j < 3; ++j) a_(i, j) = static_cast<float>((i >> j) % 2);
    for (Index j = 0; j < 2; ++j) b_(i, j) = static_cast<float>((i >> (j + 1)) % 3);
  }
  EXPECT_EQ(warnings(), Texts{});
}

TEST_F(SampleWarnings, IdsOfReplicates) {
  const auto named = [&](auto&& id) {
    std::vector<std::string> names;
    for (int i = 0; i < 100; ++i) names.push_back(id(i));
    SampleOptions options;
    options.names = names;
    return warnings(Samples(100, options));
  };
  EXPECT_EQ(
      named([](int i) { return fmt::format("P{:03}_rep{}", i / 2, i % 2 + 1); }),
      Texts{
          "Several samples share most of their id, such as \"P000_rep1\" and \"P000_rep2\". If they come from the same "
          "donor (replicates, visits, tissues), give the donors as groups; else correlations are too high."});
  EXPECT_EQ(named([](int i) { return fmt::format("{}-P{:03}", i % 2 ? "normal" : "tumour", i / 2); }).size(), 1U);
  EXPECT_EQ(named([](int i) { return fmt::format("P{}{}", i / 2, i % 2 ? "b" : "a"); }).size(), 1U);
  EXPECT_EQ(named([](int i) { return fmt::format("P_{:03}", i); }), Texts{});
  EXPECT_EQ(named([](int i) { return fmt::format("plate{}_{}", i / 10, i % 10); }), Texts{});
  EXPECT_EQ(named([](int i) { return fmt::format("TCGA-{:02}-{:04}", i % 17, i * 37); }), Texts{});
  EXPECT_EQ(named([](int i) { return fmt::format("{}", i); }), Texts{});
}

TEST_F(SampleWarnings, OfAllProcesses) {
  for (Index i = 0; i < 100; i += 10) a_(i, 0) = b_(i, 1) = kMissing;
  const Texts expected = warnings();
  testing::run_all_workers(2, [&](Communicator& communicator) {
    SampleOptions about;
    about.communicator = &communicator;
    const Index first = 50 * communicator.rank();
    const Dataset data{{{"a", MatrixView(a_.data() + 3 * first, 50, 3), {"p", "q", "r"}},
                        {"b", MatrixView(b_.data() + 2 * first, 50, 2), {"s", "t"}}},
                       Samples(50, about)};
    EXPECT_EQ(sample_warnings(data), expected);
  });
}

}  // namespace
}  // namespace treecca
