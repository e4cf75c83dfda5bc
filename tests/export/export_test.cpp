// The files themselves are tried with the packages they are for in python/tests/test_export.py.
#include "treecca/export.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "engines/xgboost_trees.hpp"
#include "export/flat_ensemble.hpp"
#include "helpers/json.hpp"
#include "helpers/random_model.hpp"
#include "helpers/workspace.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using testing_helpers::ModelShape;
using testing_helpers::random_model;

TEST(Export, NamesOfFormatsAreThereAndBack) {
  for (const std::string& name : export_format_names()) {
    EXPECT_EQ(export_format_names()[static_cast<std::size_t>(export_format(name))], name);
  }
  EXPECT_THROW(export_format("pmml"), UsageError);
}

TEST(Export, OurOwnReaderOfXgboostModelsFindsTheSameTrees) {
  for (const Index components : {1, 3}) {
    ModelShape shape;
    shape.components = components;
    const Model model = random_model(4, shape);
    const FlatEnsemble plain = flat_ensemble(model.views[0], model.n_components());
    const Encoder read = trees_of_xgboost(export_view(model, 0, ExportFormat::xgboost_ubj), components, true);
    ASSERT_EQ(read.size(), plain.trees.size());
    for (std::size_t t = 0; t < read.size(); ++t) {
      ASSERT_EQ(read[t].nodes.size(), plain.trees[t].nodes.size());
      EXPECT_EQ(node_values(read[t], components).values().size(), plain.trees[t].nodes.size() * components);
      EXPECT_EQ(read[t].nodes[0].feature, plain.trees[t].nodes[0].feature);
      EXPECT_EQ(read[t].nodes[0].threshold, plain.trees[t].nodes[0].threshold);
      EXPECT_NEAR(read[t].nodes[0].cover, plain.trees[t].nodes[0].cover, 1e-4 * plain.trees[t].nodes[0].cover);
    }
  }
}

/// JSON's digits distinguish floats, not doubles.
TEST(Export, BothEncodingsOfXgboostSayTheSame) {
  const Model model = random_model(4, {});
  EXPECT_EQ(Json::parse(export_view(model, 1, ExportFormat::xgboost)).in_single_precision(),
            Json::parse_ubjson(export_view(model, 1, ExportFormat::xgboost_ubj)).in_single_precision());
}

TEST(Export, RefusesWhatAFormatCannotHold) {
  ModelShape shape;
  shape.base_margin = true;
  const Model model = random_model(2, shape);
  for (const auto format : {ExportFormat::xgboost, ExportFormat::xgboost_ubj, ExportFormat::treelite}) {
    EXPECT_THROW(export_view(model, 0, format), UsageError);
  }
  EXPECT_FALSE(export_view(model, 0, ExportFormat::onnx).empty());
  for (const double linear : {0.5, 1.0}) {
    ModelShape blended;
    blended.linear = linear;
    const Model blend = random_model(2, blended);
    for (const auto format : {ExportFormat::xgboost, ExportFormat::xgboost_ubj, ExportFormat::treelite}) {
      EXPECT_THROW(export_view(blend, 0, format), UsageError);
    }
    EXPECT_FALSE(export_view(blend, 0, ExportFormat::onnx).empty());
  }
  EXPECT_THROW(export_view(model, 2, ExportFormat::onnx), UsageError);
  EXPECT_THROW(export_view(model, -1, ExportFormat::onnx), UsageError);
}

TEST(Export, FileNamesStayInsideTheFolderAndApart) {
  ModelShape shape;
  shape.features = {2, 2, 2};
  Model model = random_model(2, shape);
  model.views[0].name = "../x";
  model.views[1].name = "..:x";
  model.views[2].name = "plain name";
  EXPECT_EQ(export_file_names(model, ExportFormat::onnx),
            (std::vector<std::string>{".._x.onnx", ".._x_2.onnx", "plain name.onnx"}));
  model.views[0].name = "a/b";
  model.views[1].name = "a_b_3";
  model.views[2].name = "a_b";
  EXPECT_EQ(export_file_names(model, ExportFormat::onnx),
            (std::vector<std::string>{"a_b.onnx", "a_b_3.onnx", "a_b_4.onnx"}));
}

TEST(Export, AFileThatCannotBeWrittenLeavesTheFolderAsItWas) {
  const Workspace space;
  Model model = random_model(2, {});
  std::filesystem::create_directories(space.file("out/" + export_file_names(model, ExportFormat::onnx)[1]));
  EXPECT_THROW(export_model(model, space.file("out"), ExportFormat::onnx), FileError);
  EXPECT_FALSE(std::filesystem::exists(space.file("out/" + export_file_names(model, ExportFormat::onnx)[0])));
  model.views[1].name = std::string(300, 'x');  // longer than file systems allow
  EXPECT_THROW(export_model(model, space.file("new/folder"), ExportFormat::onnx), FileError);
  EXPECT_FALSE(std::filesystem::exists(space.file("new")));
}

TEST(Export, XgboostFindsTheInterceptInTheFirstTree) {
  for (const Index k : {1, 3}) {
    ModelShape shape;
    shape.components = k;
    const Model model = random_model(4, shape);
    const FlatEnsemble plain = flat_ensemble(model.views[0], model.n_components());
    const Json learner = Json::parse(export_view(model, 0, ExportFormat::xgboost))["learner"];
    EXPECT_EQ(learner["learner_model_param"]["base_score"], "0E0");  // versions before 3.1 take a list for 0.5
    for (std::size_t t = 0; t < plain.trees.size(); ++t) {
      const Json written = learner["gradient_booster"]["model"]["trees"][t];
      const Matrix<float> values = node_values(plain.trees[t], k);
      for (Index i = 0; i < values.rows(); ++i) {
        const Node& node = plain.trees[t].nodes[static_cast<std::size_t>(i)];
        for (Index c = 0; c < k; ++c) {
          const double expected = values(i, c) + (t == 0 ? plain.intercept[static_cast<std::size_t>(c)] : 0.0);
          EXPECT_NEAR(written["base_weights"][i * k + c].number(), expected, 1e-5) << "tree " << t << ", node " << i;
          if (!node.is_leaf()) continue;
          const Json leaf = k == 1 ? written["split_conditions"][i] : written["leaf_weights"][node.leaf * k + c];
          EXPECT_NEAR(leaf.number(), expected, 1e-5) << "tree " << t << ", node " << i;
        }
      }
    }
  }
}

TEST(Export, AViewWithoutTreesHasASingleLeaf) {
  Model model = random_model(4, {});
  for (Encoder& encoder : model.views[0].parts[0].encoders) encoder.clear();
  const FlatEnsemble plain = flat_ensemble(model.views[0], model.n_components());
  ASSERT_EQ(plain.trees.size(), 1U);
  EXPECT_EQ(plain.trees[0].nodes.size(), 1U);
  EXPECT_EQ(plain.trees[0].leaf_values, std::vector<float>(static_cast<std::size_t>(plain.n_outputs), 0.0F));
}

}  // namespace
}  // namespace treecca
