// ONNX: one TreeEnsembleRegressor (ai.onnx.ml 3), and in front of its sum the linear base margin where there is one.
// Field numbers are those of onnx.proto.
#include <initializer_list>

#include "model/export_formats.hpp"
#include "model/protobuf_writer.hpp"
#include "treecca/version.hpp"

namespace treecca {
namespace {

using Message = ProtobufMessage;
using Names = std::initializer_list<std::string_view>;

constexpr int kFloatElements = 1;  // TensorProto.DataType
enum AttributeType { kInt = 2, kString = 3, kFloats = 6, kInts = 7, kStrings = 8 };

Message attribute(std::string_view name, AttributeType type) { return Message().text(1, name).number(20, type); }
Message attribute(std::string_view name, std::int64_t value) { return attribute(name, kInt).number(3, value); }
Message attribute(std::string_view name, std::string_view value) { return attribute(name, kString).text(4, value); }
Message attribute(std::string_view name, const std::vector<float>& values) {
  return attribute(name, kFloats).floats(7, values);
}
Message attribute(std::string_view name, const std::vector<std::int64_t>& values) {
  return attribute(name, kInts).numbers(8, values);
}
Message attribute(std::string_view name, const std::vector<std::string_view>& values) {
  Message result = attribute(name, kStrings);
  for (const std::string_view value : values) result.text(9, value);
  return result;
}

Message node(std::string_view operation, Names inputs, std::string_view output, std::string_view domain = "") {
  Message result;
  for (const std::string_view input : inputs) result.text(1, input);
  return result.text(2, output).text(3, output).text(4, operation).text(7, domain);
}

/// "features" or "variates": any number of rows, `columns` numbers each.
Message matrix_info(std::string_view name, Index columns) {
  const Message shape = Message().message(1, Message().text(2, "rows")).message(1, Message().number(1, columns));
  const Message tensor = Message().number(1, kFloatElements).message(2, shape);
  return Message().text(1, name).message(2, Message().message(1, tensor));
}

Message constant(std::string_view name, const std::vector<std::int64_t>& shape, const std::vector<float>& values) {
  return Message().numbers(1, shape).number(2, kFloatElements).floats(4, values).text(8, name);
}

Message tree_node(const PlainEnsemble& ensemble, std::string_view output) {
  const Index k = ensemble.n_outputs;
  std::vector<std::int64_t> tree_id, node_id, feature, when_true, when_false, missing_true;
  std::vector<float> threshold;
  std::vector<std::string_view> mode;
  std::vector<std::int64_t> target_tree, target_node, target;
  std::vector<float> weight;
  for (std::size_t t = 0; t < ensemble.trees.size(); ++t) {
    const Tree& tree = ensemble.trees[t];
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const Node& at = tree.nodes[i];
      tree_id.push_back(static_cast<std::int64_t>(t));
      node_id.push_back(static_cast<std::int64_t>(i));
      mode.push_back(at.is_leaf() ? "LEAF" : "BRANCH_LT");
      feature.push_back(at.is_leaf() ? 0 : at.feature);
      threshold.push_back(at.is_leaf() ? 0.0F : at.threshold);
      when_true.push_back(at.is_leaf() ? 0 : at.left);
      when_false.push_back(at.is_leaf() ? 0 : at.right);
      missing_true.push_back(!at.is_leaf() && at.default_left ? 1 : 0);
      if (!at.is_leaf()) continue;
      for (Index c = 0; c < k; ++c) {
        target_tree.push_back(static_cast<std::int64_t>(t));
        target_node.push_back(static_cast<std::int64_t>(i));
        target.push_back(c);
        weight.push_back(tree.leaf_values[static_cast<std::size_t>(at.leaf * k + c)]);
      }
    }
  }
  Message result = node("TreeEnsembleRegressor", {"features"}, output, "ai.onnx.ml");
  for (const Message& one :
       {attribute("aggregate_function", std::string_view("SUM")),
        attribute("base_values", std::vector<float>(ensemble.intercept.begin(), ensemble.intercept.end())),
        attribute("n_targets", k), attribute("nodes_treeids", tree_id), attribute("nodes_nodeids", node_id),
        attribute("nodes_featureids", feature), attribute("nodes_modes", mode), attribute("nodes_values", threshold),
        attribute("nodes_truenodeids", when_true), attribute("nodes_falsenodeids", when_false),
        attribute("nodes_missing_value_tracks_true", missing_true),
        attribute("post_transform", std::string_view("NONE")), attribute("target_treeids", target_tree),
        attribute("target_nodeids", target_node), attribute("target_ids", target),
        attribute("target_weights", weight)}) {
    result.message(5, one);
  }
  return result;
}

/// variates = trees + (features - mean) * weights, a missing value counting as the mean.
void add_base_margin(Message& graph, const PlainEnsemble& ensemble) {
  const auto p = static_cast<std::int64_t>(ensemble.feature_names.size());
  const BaseMargin& margin = ensemble.base_margin;
  const std::vector<double>& weights = margin.weights.values();
  graph.message(1, node("IsNaN", {"features"}, "is_missing"))
      .message(1, node("Where", {"is_missing", "mean", "features"}, "filled"))
      .message(1, node("Sub", {"filled", "mean"}, "centred"))
      .message(1, node("MatMul", {"centred", "weights"}, "base_margin"))
      .message(1, node("Add", {"trees", "base_margin"}, "variates"))
      .message(5, constant("mean", {1, p}, std::vector<float>(margin.mean.begin(), margin.mean.end())))
      .message(5, constant("weights", {p, ensemble.n_outputs}, std::vector<float>(weights.begin(), weights.end())));
}

}  // namespace

std::string onnx_bytes(const PlainEnsemble& ensemble, const std::string& view_name) {
  constexpr int kIrVersion = 8, kOpset = 13, kTreeOpset = 3;
  const bool linear = !ensemble.base_margin.empty();
  Message graph;
  graph.message(1, tree_node(ensemble, linear ? "trees" : "variates"));
  if (linear) add_base_margin(graph, ensemble);
  graph.text(2, view_name)
      .message(11, matrix_info("features", static_cast<Index>(ensemble.feature_names.size())))
      .message(12, matrix_info("variates", ensemble.n_outputs));
  return Message()
      .number(1, kIrVersion)
      .text(2, "treecca")
      .text(3, version)
      .message(7, graph)
      .message(8, Message().text(1, "").number(2, kOpset))
      .message(8, Message().text(1, "ai.onnx.ml").number(2, kTreeOpset))
      .bytes();
}

}  // namespace treecca
