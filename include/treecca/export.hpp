// Writes models for other programs, which then compute the variates of one view, rotation included.
//
// One file per view. Its K outputs are the variates that `transform` returns, up to single precision: the rotation, the
// mean over cross-fitted encoders and the centring are part of its leaves and intercept. Features are the columns of
// the view, in its order; a missing value is NaN.
//
// Formats (name, ending of the file):
//     xgboost      .json       XGBoost's JSON
//     xgboost-ubj  .ubj        XGBoost's UBJSON: the same, smaller
//     treelite     .treelite   Treelite's own serialisation, version 4
//     onnx         .onnx       ONNX with ai.onnx.ml's TreeEnsembleRegressor; input "features", output "variates"
// XGBoost and Treelite files hold trees only: UsageError for a model with a linear base margin (preset "paper"). ONNX
// supports base margins too.
//
// Pure functions apart from the files written; thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

enum class ExportFormat { xgboost, xgboost_ubj, treelite, onnx };

/// Returns the names above, in this order.
std::vector<std::string> export_format_names();

/// Failure: UsageError for an unknown name.
ExportFormat export_format(std::string_view name);

/// Returns the contents of one view's file.
std::string export_view(const Model& model, Index view, ExportFormat format);

/// File names of all views: the view's name, made safe for a file name, plus the ending.
std::vector<std::string> export_file_names(const Model& model, ExportFormat format);

/// Writes one file per view into a folder, which is created if needed. Returns the paths of the files. On failure
/// (FileError, UsageError) folder and files stay unchanged.
std::vector<std::string> export_model(const Model& model, const std::string& folder, ExportFormat format);

}  // namespace treecca
