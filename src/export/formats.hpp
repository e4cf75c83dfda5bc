// Writes the formats of treecca/export.hpp, each from the flat form of a view.
#pragma once

#include <string>

#include "export/flat_ensemble.hpp"

namespace treecca {

std::string xgboost_json(const FlatEnsemble& ensemble);
std::string xgboost_ubjson(const FlatEnsemble& ensemble);
std::string treelite_bytes(const FlatEnsemble& ensemble);
std::string onnx_bytes(const FlatEnsemble& ensemble, const std::string& view_name);

}  // namespace treecca
