// The fixed parts of the page: page.css and page.js, which the build embeds. Plain CSS and JavaScript, no libraries.
#pragma once

#include <string_view>

namespace treecca::report {

extern const std::string_view kStyle;

/// Reads the JSON in the element "data" (see sample_data in sections.hpp), shows the chosen component and draws the
/// samples.
extern const std::string_view kScript;

}  // namespace treecca::report
