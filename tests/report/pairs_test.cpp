#include "report/pairs.hpp"

#include <gtest/gtest.h>

#include "helpers/json.hpp"
#include "helpers/random_model.hpp"
#include "support/document.hpp"

namespace treecca {
namespace {

/// Three views, two components; the pairs (0,1), (0,2), (1,2) of the first have these correlations, thresholds are 0.3.
Model with_pairs(double first, double second, double third) {
  testing_helpers::ModelShape shape;
  shape.features = {2, 3, 2};
  Model model = testing_helpers::random_model(3, shape);
  model.effective_samples = 50;
  model.n_samples = 50;
  Correlations& correlations = model.correlations;
  correlations.out_of_fold = {0.1, 0.1};
  correlations.noise_thresholds = {0.3, 0.3};
  correlations.pairwise.assign(18, 0.0);
  correlations.pairwise_standard_errors.assign(18, 0.05);
  correlations.pairwise_noise_thresholds.assign(18, 0.3);
  const auto set = [&](std::size_t i, std::size_t j, double r) {
    correlations.pairwise[(i * 3 + j) * 2] = correlations.pairwise[(j * 3 + i) * 2] = r;
  };
  set(0, 1, first);
  set(0, 2, second);
  set(1, 2, third);
  model.views[0].name = "rna";
  model.views[1].name = "protein";
  model.views[2].name = "mirna";
  return model;
}

TEST(SharedPairs, AreThoseAboveTheirThresholdHighestFirst) {
  const std::vector<SharedPair> pairs = shared_pairs(with_pairs(0.5, 0.2, 0.9), 0);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].first, 1U);
  EXPECT_EQ(pairs[0].second, 2U);
  EXPECT_EQ(pairs[0].correlation, 0.9);
  EXPECT_EQ(pairs[0].standard_error, 0.05);
  EXPECT_EQ(pairs[1].correlation, 0.5);
}

TEST(SharedPairs, InWords) {
  EXPECT_EQ(shared_pairs_in_words(with_pairs(0.5, 0.2, 0.9), 0, 3), "protein and mirna 0.90, rna and protein 0.50");
  EXPECT_EQ(shared_pairs_in_words(with_pairs(0.5, 0.2, 0.9), 0, 1), "protein and mirna 0.90, and 1 more");
  EXPECT_EQ(shared_pairs_in_words(with_pairs(0.5, 0.4, 0.9), 0, 1), "all pairs, 0.40 to 0.90");
  EXPECT_EQ(shared_pairs_in_words(with_pairs(0.5, 0.4, 0.9), 1, 1), "none");
  const std::string text = shared_pairs_text(with_pairs(0.5, 0.2, 0.1));
  EXPECT_NE(text.find("rna and protein 0.50\n"), std::string::npos) << text;
  EXPECT_NE(text.find("cc2"), std::string::npos) << text;
}

TEST(SharedPairs, TwoViewsNeedNoList) {
  EXPECT_EQ(shared_pairs_text(testing_helpers::random_model(5, {})), "");
  Model model = with_pairs(0.5, 0.2, 0.9);
  model.correlations.out_of_fold.clear();  // as without cross-fitting
  model.correlations.pairwise_noise_thresholds.clear();
  EXPECT_EQ(shared_pairs_text(model), "");
  EXPECT_TRUE(shared_pairs(model, 0).empty());
}

TEST(SharedPairs, AsJson) {
  const Json json = Json::parse(write_json(pairs_document(with_pairs(0.5, 0.2, 0.9)), DocumentStyle::typed));
  ASSERT_EQ(json.size(), 3U);
  EXPECT_EQ(json[2]["views"], Json::parse(R"(["protein", "mirna"])"));
  EXPECT_EQ(json[2]["correlations"], Json::parse("[0.9, 0.0]"));
  EXPECT_EQ(json[2]["found"], Json::parse("[1, 0]"));
  EXPECT_EQ(json[1]["found"], Json::parse("[0, 0]"));
}

}  // namespace
}  // namespace treecca
