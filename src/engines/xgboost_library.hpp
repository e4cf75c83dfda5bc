// Where XGBoost's library is, for the engine and for the communicator of distributed fits.
#pragma once

#include "engines/shared_library.hpp"

namespace treecca {

inline LibraryPlace xgboost_library_place(const std::string& needed_by = {}) {
  return {"xgboost", "TREECCA_XGBOOST_LIB", "xgboost/lib/libxgboost.so", "libxgboost.so", "xgboost", needed_by};
}

}  // namespace treecca
