// The files of a run: the model, CSV tables, the HTML report and a summary.
//
// CSV with a header line, comma-separated, cells quoted where needed. Numbers are the shortest text that reads back to
// the same value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/atomic_folder.hpp"
#include "treecca/report.hpp"
#include "treecca/shap.hpp"

namespace treecca {

/// A cell of text, quoted if it is empty or holds a quote, a line break or a separator.
std::string csv_cell(const std::string& text);

/// "sample,cc1,...": one line per row. Without sample ids rows are numbered from 1.
std::string variates_csv(const std::vector<std::string>& sample_ids, const Matrix<float>& variates);

/// "sample,variate,base_value,FEATURE,...": SHAP values of one component (counted from 0) and these features of the
/// view. base_value: less the effect of the covariates (N x K). variate: base_value plus the SHAP values of all
/// features. Rows of samples that lack the view have empty cells.
std::string shap_csv(const std::vector<std::string>& sample_ids, const std::vector<std::string>& feature_names,
                     const ShapValues& shap, const Matrix<double>& covariate_effect, Index component,
                     const std::vector<Index>& features);

/// component, out_of_fold, standard_error, noise_threshold, in_sample, linear_out_of_fold, linear_in_sample, found
/// (0 or 1), low, high (95% interval of out_of_fold); a cell without a number is empty.
std::string correlations_csv(const Model& model);

/// feature, gain, cover, splits, gain_cc1, ...
std::string importances_csv(const Model& model, Index view);

/// feature, component, loading, low, high (95% interval), and the same of the cross-loading (empty where unknown).
std::string loadings_csv(const Model& model, Index view);

/// feature, score, p_value, partner_view, partner, kept (encoders whose trees may use it).
std::string screening_csv(const Model& model, Index view);

/// round, loss, tcc, train_tcc, and the variance V_kk of every view and component.
std::string curves_csv(const Model& model);

/// All files of a fit; the summary must outlive the result. summary.json comes last, as it names the others.
std::vector<OutputFile> fit_files(const RunSummary& run);

/// The names of all files that a fit of these views may write.
std::vector<std::string> fit_file_names(const std::vector<std::string>& views);

/// The files of an earlier fit in the folder, as listed in its summary.json; none if that cannot be read.
std::optional<std::vector<std::string>> files_of_earlier_fit(const std::string& folder);

}  // namespace treecca
