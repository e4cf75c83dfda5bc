// The version of the library, as written in model files and reports.
#pragma once

namespace treecca {
inline constexpr const char* version = "0.1.0";
}  // namespace treecca
