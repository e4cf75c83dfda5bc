// Access to XGBoost's library, for the engine and for the communicator of distributed fits.
#pragma once

#include <algorithm>
#include <string>

#include "engines/shared_library.hpp"

namespace treecca {

inline LibraryPlace xgboost_library_place(const std::string& needed_by = {}) {
  return {"xgboost", "TREECCA_XGBOOST_LIB", "xgboost/lib/libxgboost.so", "libxgboost.so", "xgboost", needed_by};
}

/// XGBoost's message without the stack trace that follows it.
inline std::string xgboost_message(const char* last_error) {
  std::string text = last_error;
  text.resize(std::min(text.size(), text.find("\nStack trace")));
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace treecca
