// The formats of treecca/export.hpp, each from the plain form of a view.
#pragma once

#include <string>

#include "model/plain_ensemble.hpp"

namespace treecca {

std::string xgboost_json(const PlainEnsemble& ensemble);
std::string xgboost_ubjson(const PlainEnsemble& ensemble);
std::string treelite_bytes(const PlainEnsemble& ensemble);
std::string onnx_bytes(const PlainEnsemble& ensemble, const std::string& view_name);

}  // namespace treecca
