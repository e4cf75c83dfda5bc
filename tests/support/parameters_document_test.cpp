#include "support/parameters_document.hpp"

#include <gtest/gtest.h>

namespace treecca {
namespace {

TEST(ParametersDocument, HasValuesOfTheirTypes) {
  Parameters parameters;
  parameters.max_depth.values = {2, 6};
  parameters.min_child_weight = 10;
  parameters.n_repeats = 3;
  const Document document = parameters_document(parameters);
  EXPECT_EQ(document.find("trees")->text, "joint");
  EXPECT_EQ(document.find("rotate")->kind, Document::Kind::boolean);
  EXPECT_EQ(document.find("colsample_bytree")->text, "auto");
  EXPECT_EQ(document.find("linear")->text, "auto");
  EXPECT_EQ(document.find("n_repeats")->number, 3);
  EXPECT_EQ(document.find("n_repeats")->type, Document::Type::int64);
  EXPECT_EQ(document.find("max_depth")->numbers, (std::vector<double>{2, 6}));
  EXPECT_EQ(document.find("max_depth")->type, Document::Type::int64);
  EXPECT_EQ(document.find("n_components")->type, Document::Type::int64);
  EXPECT_EQ(document.find("min_child_weight")->number, 10);
  EXPECT_EQ(document.find("min_child_weight")->type, Document::Type::float64);
}

TEST(ParametersDocument, LeavesOutWhatDoesNotAffectTheModelUnlessAsked) {
  EXPECT_EQ(parameters_document({}).find("n_jobs"), nullptr);
  EXPECT_NE(parameters_document({}, /*all=*/true).find("n_jobs"), nullptr);
}

TEST(EngineParamsDocument, HasATextForEveryName) {
  const Document document = engine_params_document({{"gamma", "0.5"}, {"alpha", "1"}});
  EXPECT_EQ(document.keys, (std::vector<std::string>{"gamma", "alpha"}));
  EXPECT_EQ(document.find("gamma")->text, "0.5");
}

}  // namespace
}  // namespace treecca
