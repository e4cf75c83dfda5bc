// The report of a fit: one HTML file that opens from disk, needs no network and can be sent to others.
//
// It says what was run and what was found: correlations beside their in-sample and linear counterparts, curves, the
// features and shapes of every component, the samples as points, warnings in plain words, and how to repeat the fit.
// Every text that comes from data (names, ids, labels) is escaped. A pure function: the same input gives the same
// bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "treecca/fit.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// Where a view came from. All fields but the name may be left empty.
struct ReportView {
  std::string name;
  std::string source;         // a file name
  std::uint64_t rows = 0;     // before views were joined
  std::uint64_t dropped = 0;  // rows without a partner in some other view
};

struct ReportSource {
  std::vector<ReportView> views = {};
  bool joined_by_id = false;
  std::vector<Matrix<float>> variates = {};  // per view N x K, or none: then no samples are shown
  bool out_of_fold = false;                  // each row of `variates` by trees that never saw it
  std::vector<std::string> sample_ids = {};  // N, or none: samples are numbered from 1
  std::vector<std::string> labels = {};      // N, or none: classes to colour the samples by
  std::vector<float> weights = {};           // N, or none: how much each sample counts
  std::vector<std::string> warnings = {};    // plain sentences
  std::vector<Stage> timings = {};
  std::string command = {};  // how to repeat the fit
};

/// Failure: DataError when the variates, ids or labels do not fit the model.
std::string report_html(const Model& model, const ReportSource& source = {});

}  // namespace treecca
