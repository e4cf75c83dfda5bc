// What the caller gave, checked: views with named features, and their samples. Plain data, no work done yet.
#pragma once

#include <string>
#include <vector>

#include "data/binning.hpp"
#include "samples/samples.hpp"
#include "treecca/samples.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// Refers to the caller's numbers.
struct Dataset {
  std::vector<View>
      views;  // all with the rows of `samples`; every feature has a name; offsets as of data/precision.hpp
  Samples samples;
};

/// The numbers of each view.
std::vector<MatrixView> matrices_of(const std::vector<View>& views);

/// Generates feature names (f0, f1, ...) where there are none. min_views: 2, or 1 for learning from one table.
/// Collective. Failure: DataError, in every process what the first one met (too few views, unequal row counts, too few
/// samples, no features, names that do not fit or repeat, other views or columns than another process; as Samples).
Dataset check_dataset(const std::vector<View>& given, const SampleOptions& options = {}, std::size_t min_views = 2);

/// Failure: DataError, naming the view, when none of its features varies.
void check_varies(const BinnedView& bins, const std::string& name);

}  // namespace treecca
