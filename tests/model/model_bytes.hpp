// The bytes of model files, for the tests of their reader.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "treecca/error.hpp"
#include "treecca/model.hpp"

namespace treecca {

inline constexpr ModelFormat kFormats[] = {ModelFormat::json, ModelFormat::ubjson};

inline std::string error_of(std::string_view bytes) {
  try {
    parse_model(bytes);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

/// Every floating-point number of a model as bits, because 0 == -0.
inline std::vector<std::uint64_t> bits_of(const Model& model) {
  std::vector<std::uint64_t> bits;
  const auto add = [&](const auto& values) {
    for (const auto value : values) bits.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(value)));
  };
  for (const ViewModel& view : model.views) {
    for (const LinearMap& map : {view.base_margin, view.linear}) {
      add(map.mean);
      add(map.weights.values());
    }
    add(view.deviation);
    for (const PartModel& part : view.parts) {
      add(part.mean);
      add(part.rotation.values());
      for (const Encoder& encoder : part.encoders) {
        for (const Tree& tree : encoder) {
          add(tree.leaf_values);
          for (const Node& node : tree.nodes) add(std::vector<float>{node.threshold, node.cover});
        }
      }
    }
  }
  for (const std::vector<double>& values :
       {model.correlations.out_of_fold, model.correlations.standard_errors, model.correlations.noise_thresholds,
        model.correlations.pairwise, model.correlations.pairwise_standard_errors,
        model.correlations.pairwise_noise_thresholds, model.history.round, model.history.loss, model.history.tcc,
        model.history.train_tcc, model.history.variance.values()}) {
    add(values);
  }
  for (const BlendResult& candidate : model.correlations.candidates) add(candidate.correlations);
  return bits;
}

/// The file without its checksum, as it would be if nobody had thought of one.
inline std::string without_checksum(std::string bytes, ModelFormat format) {
  const std::size_t key = bytes.find("checksum");
  if (format == ModelFormat::json) {
    const std::size_t line = bytes.rfind('\n', key);
    return bytes.erase(line, bytes.find('\n', key) - line);
  }
  return bytes.erase(key - 2, 2 + 8 + 3 + 8);  // the key with its length, the text with its own
}

}  // namespace treecca
