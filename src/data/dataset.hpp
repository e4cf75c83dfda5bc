// The caller's data after checks: views with named features, and their samples.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/binning.hpp"
#include "data/covariates.hpp"
#include "samples/samples.hpp"
#include "treecca/samples.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// Refers to the caller's numbers, or to the copies. Levels are in the order of data/levels.hpp. All views have the
/// rows of `samples`, names for every feature, and offsets by data/precision.hpp.
struct Dataset {
  std::vector<View> views;
  Samples samples;
  CovariateBasis covariates = {};
  std::vector<std::shared_ptr<const Matrix<double>>> copies = {};  // of views whose levels were reordered
};

/// The numbers of each view.
std::vector<MatrixView> matrices_of(const std::vector<View>& views);

/// The covariate columns that each view is adjusted for, one pointer per view; empty without covariates.
std::vector<const Matrix<double>*> covariates_of(const Dataset& data);

/// Generates feature names (f0, f1, ...) for views without any. min_views: 2, or 1 for learning from one table. With
/// two or more views, a row whose features are all missing lacks the view (Samples::has). Collective. Failure:
/// DataError, in every process the error of the first process that failed (too few views, unequal row counts, too few
/// samples, no features, names that do not fit or repeat, views or columns that differ from another process; as Samples
/// and Samples::set_presence).
Dataset check_dataset(const std::vector<View>& given, const SampleOptions& options = {}, std::size_t min_views = 2);

/// Throws DataError, naming the view, if all its features are constant.
void check_varies(const BinnedView& bins, const std::string& name);

}  // namespace treecca
