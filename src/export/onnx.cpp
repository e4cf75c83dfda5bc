// ONNX: TreeEnsembleRegressors (ai.onnx.ml 3) of a few hundred trees each, and the linear base margin if there is one,
// summed in double precision:
//     variates = float(intercept + sum of double(trees of a group) + (double(features) - mean) * weights)
// because a reader sums the trees of one ensemble in single precision, and features with a large offset would lose
// digits in it. Field numbers are those of onnx.proto.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "export/formats.hpp"
#include "export/protobuf_writer.hpp"
#include "treecca/version.hpp"

namespace treecca {
namespace {

using Message = ProtobufMessage;
using Names = std::vector<std::string>;

enum ElementType { kFloat = 1, kDouble = 11 };  // TensorProto.DataType
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

Message node(std::string_view operation, const Names& inputs, std::string_view output, std::string_view domain = "") {
  Message result;
  for (const std::string& input : inputs) result.text(1, input);
  return result.text(2, output).text(3, output).text(4, operation).text(7, domain);
}

/// "features" or "variates": any number of rows with `columns` numbers each.
Message matrix_info(std::string_view name, Index columns) {
  const Message shape = Message().message(1, Message().text(2, "rows")).message(1, Message().number(1, columns));
  const Message tensor = Message().number(1, kFloat).message(2, shape);
  return Message().text(1, name).message(2, Message().message(1, tensor));
}

Message constant(std::string_view name, const std::vector<std::int64_t>& shape, const std::vector<double>& values) {
  return Message().numbers(1, shape).number(2, kDouble).text(8, name).doubles(10, values);
}

Message cast(const std::string& input, std::string_view output, ElementType type) {
  return node("Cast", {input}, output).message(5, attribute("to", static_cast<std::int64_t>(type)));
}

Message tree_node(std::span<const Tree> trees, Index k, std::string_view output) {
  std::vector<std::int64_t> tree_id, node_id, feature, when_true, when_false, missing_true;
  std::vector<float> threshold;
  std::vector<std::string_view> mode;
  std::vector<std::int64_t> target_tree, target_node, target;
  std::vector<float> weight;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Tree& tree = trees[t];
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
       {attribute("aggregate_function", std::string_view("SUM")), attribute("n_targets", k),
        attribute("nodes_treeids", tree_id), attribute("nodes_nodeids", node_id),
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

/// "<name>" = (features - mean) * weights, a missing value counting as the mean.
void add_map(Message& graph, const LinearMap& map, const std::string& name) {
  const Index p = map.weights.rows();
  const auto own = [&](std::string_view what) { return fmt::format("{}_{}", name, what); };
  graph.message(1, cast("features", own("features"), kDouble))
      .message(1, node("IsNaN", {"features"}, own("missing")))
      .message(1, node("Where", {own("missing"), own("mean"), own("features")}, own("filled")))
      .message(1, node("Sub", {own("filled"), own("mean")}, own("centred")))
      .message(1, node("MatMul", {own("centred"), own("weights")}, name))
      .message(5, constant(own("mean"), {1, p}, map.mean))
      .message(5, constant(own("weights"), {p, map.weights.cols()}, map.weights.values()));
}

Message graph_of(const FlatEnsemble& ensemble, const std::string& view_name) {
  constexpr std::size_t kTreesOfAGroup = 256;
  Message graph;
  Names parts{"intercept"};
  const std::span<const Tree> trees(ensemble.trees);
  for (std::size_t first = 0; first < trees.size(); first += kTreesOfAGroup) {
    const std::string name = fmt::format("trees{}", first / kTreesOfAGroup);
    const auto group = trees.subspan(first, std::min(kTreesOfAGroup, trees.size() - first));
    parts.push_back("exact_" + name);
    graph.message(1, tree_node(group, ensemble.n_outputs, name)).message(1, cast(name, parts.back(), kDouble));
  }
  for (std::size_t i = 0; i < ensemble.maps.size(); ++i) {
    parts.push_back(fmt::format("map{}", i));
    add_map(graph, ensemble.maps[i], parts.back());
  }
  return graph.message(1, node("Sum", parts, "exact_variates"))
      .message(1, cast("exact_variates", "variates", kFloat))
      .message(5, constant("intercept", {1, ensemble.n_outputs}, ensemble.intercept))
      .text(2, view_name)
      .message(11, matrix_info("features", static_cast<Index>(ensemble.feature_names.size())))
      .message(12, matrix_info("variates", ensemble.n_outputs));
}

}  // namespace

std::string onnx_bytes(const FlatEnsemble& ensemble, const std::string& view_name) {
  constexpr int kIrVersion = 8, kOpset = 13, kTreeOpset = 3;
  return Message()
      .number(1, kIrVersion)
      .text(2, "treecca")
      .text(3, version)
      .message(7, graph_of(ensemble, view_name))
      .message(8, Message().text(1, "").number(2, kOpset))
      .message(8, Message().text(1, "ai.onnx.ml").number(2, kTreeOpset))
      .bytes();
}

}  // namespace treecca
