// The version of the library, as model files and reports name it.
#pragma once

namespace treecca {
inline constexpr const char* version = "0.1.0";
}  // namespace treecca
