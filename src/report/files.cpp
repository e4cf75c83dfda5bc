#include "report/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>

#include "report/file_names.hpp"
#include "report/inputs.hpp"
#include "report/partner_rows.hpp"
#include "report/summary.hpp"
#include "treecca/error.hpp"
#include "treecca/importance.hpp"
#include "treecca/intervals.hpp"
#include "treecca/loadings.hpp"

namespace treecca {
namespace {

using Buffer = fmt::memory_buffer;

std::string to_string(const Buffer& buffer) { return {buffer.data(), buffer.size()}; }

void append(Buffer& buffer, const std::string& text) { buffer.append(text.data(), text.data() + text.size()); }

template <class T>
void append_number(Buffer& buffer, T number) {
  fmt::format_to(std::back_inserter(buffer), FMT_STRING(",{}"), number);
}

/// ",x", or "," alone when there is no such number.
void append_number(Buffer& buffer, const std::vector<double>& numbers, std::size_t at) {
  if (at < numbers.size()) {
    append_number(buffer, numbers[at]);
  } else {
    buffer.push_back(',');
  }
}

}  // namespace

std::string csv_cell(const std::string& text) {
  if (!text.empty() && text.find_first_of(",\"\r\n;\t") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string variates_csv(const std::vector<std::string>& sample_ids, const Matrix<float>& variates) {
  Buffer out;
  append(out, "sample");
  for (Index k = 0; k < variates.cols(); ++k) append(out, fmt::format(",cc{}", k + 1));
  out.push_back('\n');
  for (Index i = 0; i < variates.rows(); ++i) {
    append(out, csv_cell(sample_name(sample_ids, i)));
    for (Index k = 0; k < variates.cols(); ++k) {
      if (std::isnan(variates(i, k))) {
        out.push_back(',');  // the sample lacks the view
      } else {
        append_number(out, variates(i, k));
      }
    }
    out.push_back('\n');
  }
  return to_string(out);
}

std::string shap_csv(const std::vector<std::string>& sample_ids, const std::vector<std::string>& feature_names,
                     const ShapValues& shap, const Matrix<double>& covariate_effect, Index component,
                     const std::vector<Index>& features) {
  const auto k = static_cast<Index>(shap.base_values.size());
  const auto p = static_cast<Index>(feature_names.size());
  Buffer out;
  append(out, "sample,variate,base_value");
  for (const Index feature : features) append(out, "," + csv_cell(feature_names[static_cast<std::size_t>(feature)]));
  out.push_back('\n');
  const Index rows = static_cast<Index>(shap.values.size()) / (p * k);
  for (Index i = 0; i < rows; ++i) {
    const double* row = shap.values.data() + i * p * k + component;
    const double base = shap.base_values[static_cast<std::size_t>(component)] - covariate_effect(i, component);
    double variate = base;
    for (Index j = 0; j < p; ++j) variate += row[j * k];
    append(out, csv_cell(sample_name(sample_ids, i)));
    if (std::isnan(variate)) {  // the sample lacks the view
      append(out, std::string(2 + features.size(), ',') + '\n');
      continue;
    }
    append_number(out, static_cast<float>(variate));
    append_number(out, static_cast<float>(base));
    for (const Index feature : features) append_number(out, static_cast<float>(row[feature * k]));
    out.push_back('\n');
  }
  return to_string(out);
}

std::string correlations_csv(const Model& model) {
  const Correlations& correlations = model.correlations;
  const std::vector<bool> found = model.found();
  const std::vector<Interval> intervals = correlation_intervals(model).per_component;
  Buffer out;
  append(out,
         "component,out_of_fold,standard_error,noise_threshold,in_sample,linear_out_of_fold,linear_in_sample,found,"
         "low,high\n");
  for (std::size_t k = 0; k < static_cast<std::size_t>(model.n_components()); ++k) {
    append(out, fmt::format("cc{}", k + 1));
    for (const auto* numbers :
         {&correlations.out_of_fold, &correlations.standard_errors, &correlations.noise_thresholds,
          &correlations.in_sample, &correlations.linear_out_of_fold, &correlations.linear_in_sample}) {
      append_number(out, *numbers, k);
    }
    append(out, k < found.size() ? (found[k] ? ",1" : ",0") : ",");
    if (intervals.empty()) {
      append(out, ",,");
    } else {
      append_number(out, intervals[k].low);
      append_number(out, intervals[k].high);
    }
    out.push_back('\n');
  }
  return to_string(out);
}

std::string importances_csv(const Model& model, Index view) {
  const auto gain = feature_importances(model, view, ImportanceKind::gain);
  const auto trees = feature_importances(model, view, ImportanceKind::trees);
  const auto linear = feature_importances(model, view, ImportanceKind::linear);
  const auto cover = feature_importances(model, view, ImportanceKind::cover);
  const auto splits = feature_importances(model, view, ImportanceKind::splits);
  const Matrix<double> per_component = component_importances(model, view, ImportanceKind::gain);
  const auto& names = model.views[static_cast<std::size_t>(view)].feature_names;
  Buffer out;
  append(out, "feature,gain,trees,linear,cover,splits");
  for (Index k = 0; k < per_component.rows(); ++k) append(out, fmt::format(",gain_cc{}", k + 1));
  out.push_back('\n');
  for (std::size_t j = 0; j < names.size(); ++j) {
    append(out, csv_cell(names[j]));
    for (const auto* numbers : {&gain, &trees, &linear, &cover, &splits}) append_number(out, *numbers, j);
    for (Index k = 0; k < per_component.rows(); ++k) append_number(out, per_component(k, static_cast<Index>(j)));
    out.push_back('\n');
  }
  return to_string(out);
}

std::string loadings_csv(const Model& model, Index view) {
  const ViewModel& of_view = model.views[static_cast<std::size_t>(view)];
  const Loadings& loadings = of_view.loadings;
  Buffer out;
  append(out, "feature,component,loading,low,high,cross_loading,cross_low,cross_high\n");
  const auto append_loading = [&](const Matrix<double>& values, const Matrix<double>& errors, Index j, Index k) {
    if (values.empty()) return append(out, ",,,");
    const Interval interval = loading_interval(of_view, values, errors, j, k);
    append(out, fmt::format(",{},{:.4f},{:.4f}", values(j, k), interval.low, interval.high));
  };
  for (Index k = 0; k < loadings.own.cols(); ++k) {
    for (Index j = 0; j < loadings.own.rows(); ++j) {
      append(out, fmt::format("{},cc{}", csv_cell(of_view.feature_names[static_cast<std::size_t>(j)]), k + 1));
      append_loading(loadings.own, loadings.own_errors, j, k);
      append_loading(loadings.cross, loadings.cross_errors, j, k);
      out.push_back('\n');
    }
  }
  return to_string(out);
}

std::string screening_csv(const Model& model, Index view) {
  const ViewModel& of_view = model.views[static_cast<std::size_t>(view)];
  const FeatureScores& scores = of_view.screening.scores;
  std::vector<std::size_t> kept(of_view.feature_names.size(), 0);
  for (const auto& features : of_view.screening.kept) {
    for (const std::int32_t feature : features) ++kept[static_cast<std::size_t>(feature)];
  }
  Buffer out;
  append(out, "feature,score,p_value,partner_view,partner,kept\n");
  for (std::size_t j = 0; j < kept.size(); ++j) {
    append(out, csv_cell(of_view.feature_names[j]));
    append_number(out, scores.score, j);
    append_number(out, scores.p_value, j);
    if (j < scores.partner.size() && scores.partner_view[j] >= 0) {
      const ViewModel& other = model.views[static_cast<std::size_t>(scores.partner_view[j])];
      append(out, "," + csv_cell(other.name) + "," +
                      csv_cell(other.feature_names[static_cast<std::size_t>(scores.partner[j])]));
    } else {
      append(out, ",,");
    }
    append_number(out, kept[j]);
    out.push_back('\n');
  }
  return to_string(out);
}

std::string curves_csv(const Model& model) {
  const History& history = model.history;
  Buffer out;
  append(out, "round,loss,tcc,train_tcc");
  for (const ViewModel& view : model.views) {
    for (Index k = 0; k < model.parameters.trained_components() && !history.variance.empty(); ++k)
      append(out, "," + csv_cell(fmt::format("V_{}_cc{}", view.name, k + 1)));
  }
  out.push_back('\n');
  for (std::size_t r = 0; r < history.round.size(); ++r) {
    append(out, fmt::format("{:.0f}", history.round[r]));
    for (const auto* numbers : {&history.loss, &history.tcc, &history.train_tcc}) append_number(out, *numbers, r);
    for (Index j = 0; j < history.variance.cols(); ++j) append_number(out, history.variance(static_cast<Index>(r), j));
    out.push_back('\n');
  }
  return to_string(out);
}

std::vector<OutputFile> fit_files(const RunSummary& run) {
  const FitResult& result = run.result;
  const Model& model = result.model;
  std::vector<OutputFile> files;
  files.push_back({std::string(kModelFile), [&] { return serialize_model(model, ModelFormat::json); }});
  files.push_back({std::string(kCorrelationsFile), [&] { return correlations_csv(model); }});
  files.push_back({std::string(kCurvesFile), [&] { return curves_csv(model); }});
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const std::string& name = model.views[v].name;
    const auto view = static_cast<Index>(v);
    files.push_back({view_file(kVariates, name), [&, v] { return variates_csv(run.sample_ids, result.variates[v]); }});
    if (!result.out_of_fold.empty()) {
      files.push_back({out_of_fold_file(name), [&, v] { return variates_csv(run.sample_ids, result.out_of_fold[v]); }});
    }
    files.push_back({view_file(kImportances, name), [&, view] { return importances_csv(model, view); }});
    if (!model.views[v].loadings.empty()) {
      files.push_back({view_file(kLoadings, name), [&, view] { return loadings_csv(model, view); }});
    }
    if (model.views.size() > 1) {
      files.push_back({view_file(kPartners, name), [&, view] { return partners_csv(model, view); }});
    }
    if (!model.views[v].screening.empty()) {
      files.push_back({view_file(kScreening, name), [&, view] { return screening_csv(model, view); }});
    }
  }
  if (model.views.size() > 1) files.push_back({std::string(kReportFile), [&] { return report_html(run); }});
  files.push_back({std::string(kSummaryFile), [&] { return write_json(summary_document(run), DocumentStyle::typed); }});
  return files;
}

std::vector<std::string> fit_file_names(const std::vector<std::string>& views) {
  std::vector<std::string> names;
  for (const std::string_view name : {kModelFile, kCorrelationsFile, kCurvesFile, kReportFile, kSummaryFile}) {
    names.emplace_back(name);
  }
  for (const std::string& view : views) {
    for (const std::string_view kind : {kVariates, kImportances, kLoadings, kPartners, kScreening}) {
      names.push_back(view_file(kind, view));
    }
    names.push_back(out_of_fold_file(view));
  }
  return names;
}

std::optional<std::vector<std::string>> files_of_earlier_fit(const std::string& folder) {
  std::ifstream file(fmt::format("{}/{}", folder, kSummaryFile), std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Document summary;
  try {
    read_document(text, summary);
  } catch (const ModelError&) {
    return std::nullopt;
  }
  const Document* files = summary.find("files");
  if (summary.find("treecca") == nullptr || files == nullptr || files->kind != Document::Kind::texts) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const std::string& name : files->texts) {
    if (is_view_file(name)) names.push_back(name);  // other names cannot be result files
  }
  return names;
}

}  // namespace treecca
