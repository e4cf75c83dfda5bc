// Labels of samples as classes, few enough for a legend.
#pragma once

#include <string>
#include <vector>

namespace treecca {

/// One text per sample, at most 20 different ones and "missing". Of more than 20 different labels, numbers become five
/// ranges with about equally many samples ("1.2 to 3.4"); of other texts the 19 most frequent stay, and all others
/// become "other". Pure.
std::vector<std::string> label_classes(const std::vector<std::string>& labels);

}  // namespace treecca
