// The fixed parts of the page: style sheet and script. Plain CSS and JavaScript, no libraries.
#pragma once

#include <string_view>

namespace treecca::report {

extern const std::string_view kStyle;

/// Reads the JSON in the element "data" ({views, ids, labels, variates[view][component][sample], kind}) and brings the
/// chooser of components and the scatter of the samples to life.
extern const std::string_view kScript;

}  // namespace treecca::report
