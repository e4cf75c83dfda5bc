// Names of the files that a fit writes, and explain.
// Files of a view have its name. `kOutOfFold` is reserved: a view whose name begins with it could have the file of
// another view.
#pragma once

#include <string>
#include <string_view>

namespace treecca {

inline constexpr std::string_view kModelFile = "model.json";
inline constexpr std::string_view kCorrelationsFile = "correlations.csv";
inline constexpr std::string_view kCurvesFile = "curves.csv";
inline constexpr std::string_view kReportFile = "report.html";
inline constexpr std::string_view kSummaryFile = "summary.json";

inline constexpr std::string_view kVariates = "variates_";
inline constexpr std::string_view kImportances = "importances_";
inline constexpr std::string_view kLoadings = "loadings_";
inline constexpr std::string_view kScreening = "screening_";
inline constexpr std::string_view kPartners = "partners_";
inline constexpr std::string_view kOutOfFold = "out_of_fold_";

/// "variates_rna.csv" for kVariates and "rna".
inline std::string view_file(std::string_view kind, std::string_view view) {
  return std::string(kind).append(view).append(".csv");
}

/// "shap_rna_cc1.csv"; component: counted from 0.
inline std::string shap_file(std::string_view view, std::ptrdiff_t component) {
  return std::string("shap_").append(view).append("_cc").append(std::to_string(component + 1)).append(".csv");
}

/// "interactions_rna_cc1.csv"; component: counted from 0.
inline std::string interactions_file(std::string_view view, std::ptrdiff_t component) {
  return std::string("interactions_").append(view).append("_cc").append(std::to_string(component + 1)).append(".csv");
}

/// "variates_out_of_fold_rna.csv".
inline std::string out_of_fold_file(std::string_view view) {
  return view_file(kVariates, std::string(kOutOfFold).append(view));
}

/// Whether a name can belong to a view's file.
inline bool is_view_file(std::string_view name) {
  const bool known = name.starts_with(kVariates) || name.starts_with(kImportances) || name.starts_with(kLoadings) ||
                     name.starts_with(kScreening) || name.starts_with(kPartners);
  return known && name.ends_with(".csv") && name.find('/') == std::string_view::npos;
}

}  // namespace treecca
