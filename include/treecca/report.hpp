// The summary of a run, and the report made from it: one HTML file that opens from disk and needs no network.
//
// The report shows the correlations next to their in-sample and linear counterparts, curves, the features and partial
// dependence curves of every component, the samples as points, warnings, and how to repeat the fit. Every text that
// comes from data (names, ids, labels) is escaped. A pure function: the same summary gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "treecca/fit.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// One view as it was read, before the views were joined.
struct InputView {
  std::string name = {};
  std::string source = {};    // a file name; empty: generated data, or not known
  std::uint64_t rows = 0;     // 0: not known
  std::uint64_t dropped = 0;  // rows without a match in some other view
  std::uint64_t lacking = 0;  // samples after the join that lack the view
  std::uint64_t features = 0;
  double missing_share = 0;  // fraction of values that are missing
};

/// The input of a run, and the result of joining it.
struct JoinedInputs {
  std::vector<InputView> views = {};  // one per view, or empty: not known
  bool by_id = false;                 // false: rows were matched by their order
  std::uint64_t samples = 0;          // samples after the join; 0: not known
  std::uint64_t matched = 0;          // of these: samples in every view
  std::uint64_t groups = 0;           // number of groups; 0: none were given
  std::vector<std::string> warnings = {};
};

/// The contents of a summary. Only the model is required.
struct RunSummary {
  /// `variates` and `out_of_fold` may be empty: then no samples are shown. Out-of-fold variates are preferred.
  FitResult result = {};
  JoinedInputs inputs = {};
  std::vector<std::string> sample_ids = {};  // N, or empty: samples are numbered from 1
  /// The training views, columns as in the model, for SHAP values of some samples; empty: none are shown.
  std::vector<MatrixView> data = {};
  std::vector<std::string> labels = {};  // N, or empty: labels that colour the samples; many labels are merged into a
                                         // few classes (numbers into five ranges)
  std::string command = {};              // how to repeat the fit
  std::string out = {};                  // the output folder; empty: none
  std::vector<std::string> files = {};   // names of the files in it
};

/// Failure: DataError if the variates, ids or labels do not fit the model.
std::string report_html(const RunSummary& run);

}  // namespace treecca
