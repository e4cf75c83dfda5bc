// Opens tree libraries at run time, from installed Python packages or the system. TreeCCA neither links nor includes
// them.
#pragma once

#include <string>
#include <vector>

#include "treecca/engines.hpp"

namespace treecca {

/// The possible places of a library, and the names used in messages if it is missing.
struct LibraryPlace {
  std::string engine;          // "xgboost": the value of the parameter engine
  std::string variable;        // environment variable that names the file
  std::string in_packages;     // below a folder of Python packages: "xgboost/lib/libxgboost.so"
  std::string on_system;       // name for the system's loader: "libxgboost.so"
  std::string package;         // what to install: "xgboost"
  std::string needed_by = {};  // for messages; empty: the engine
};

/// The files to try, in this order: if the variable is set, only its file; else the path set by `prefer_library`, the
/// folders of Python packages of the active environment, of the environment that contains the program, of the user and
/// of the system; last the name for the system's loader.
std::vector<std::string> library_candidates(const LibraryPlace& place);

/// An open library. It is never closed, because tree libraries have their own threads.
class SharedLibrary {
 public:
  /// Failure: FileError that names the package to install and the variable to set.
  explicit SharedLibrary(const LibraryPlace& place);

  /// Returns a function by name. Failure: FileError (the library is too old or is not the expected library).
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

  const std::string& path() const { return path_; }

 private:
  void* symbol(const char* name) const;

  std::string path_;
  void* handle_ = nullptr;
};

}  // namespace treecca
