#include "engines/shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include "treecca/error.hpp"

namespace treecca {
namespace {

namespace fs = std::filesystem;

std::mutex preferences_mutex;
std::map<std::string, std::string>& preferences() {
  static std::map<std::string, std::string> paths;
  return paths;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// lib/python3.x/site-packages (or dist-packages) below a prefix, the newest Python first.
void add_package_folders(const fs::path& prefix, std::vector<fs::path>& folders) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const char* lib : {"lib", "lib64", "local/lib"}) {
    for (const auto& entry : fs::directory_iterator(prefix / lib, ignored)) {
      if (!entry.path().filename().string().starts_with("python3")) continue;
      for (const char* name : {"site-packages", "dist-packages"}) found.push_back(entry.path() / name);
    }
  }
  std::sort(found.rbegin(), found.rend());
  folders.insert(folders.end(), found.begin(), found.end());
}

std::vector<fs::path> package_folders() {
  std::vector<fs::path> folders;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const std::string prefix = variable(name); !prefix.empty()) add_package_folders(prefix, folders);
  }
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty()) add_package_folders(program.parent_path().parent_path(), folders);
  // A repaired wheel keeps the program among the packages: site-packages/treecca.scripts/treecca.
  for (fs::path folder = program; folder.has_relative_path(); folder = folder.parent_path()) {
    if (const fs::path name = folder.filename(); name == "site-packages" || name == "dist-packages") {
      folders.push_back(folder);
    }
  }
  if (const std::string home = variable("HOME"); !home.empty()) add_package_folders(fs::path(home) / ".local", folders);
  add_package_folders("/usr/local", folders);
  add_package_folders("/usr", folders);
  return folders;
}

}  // namespace

std::vector<std::string> library_candidates(const LibraryPlace& place) {
  if (const std::string given = variable(place.variable.c_str()); !given.empty()) return {given};
  std::vector<std::string> candidates;
  {
    const std::lock_guard lock(preferences_mutex);
    if (const auto found = preferences().find(place.engine); found != preferences().end()) {
      candidates.push_back(found->second);
    }
  }
  std::error_code ignored;
  for (const fs::path& folder : package_folders()) {
    const fs::path file = folder / place.in_packages;
    if (fs::exists(file, ignored)) candidates.push_back(file.string());
  }
  candidates.push_back(place.on_system);
  return candidates;
}

void prefer_library(const std::string& engine, const std::string& path) {
  const std::lock_guard lock(preferences_mutex);
  preferences()[engine] = path;
}

SharedLibrary::SharedLibrary(const LibraryPlace& place) {
  std::string reason;  // of the first existing file, else of the last one tried
  bool found = false;
  std::error_code ignored;
  for (const std::string& candidate : library_candidates(place)) {
    handle_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    path_ = candidate;
    if (handle_ != nullptr) return;
    const char* error = dlerror();
    if (found) continue;
    reason = error == nullptr ? "" : error;
    found = fs::exists(candidate, ignored);
  }
  throw FileError(fmt::format(
      "{0} needs the library of the package {1}, which cannot be opened ({2}). Install it (pip "
      "install {1}), or set {3} to the path of the library.",
      place.needed_by.empty() ? "engine=" + place.engine : place.needed_by, place.package, reason, place.variable));
}

void* SharedLibrary::symbol(const char* name) const {
  void* found = dlsym(handle_, name);
  if (found == nullptr) {
    throw FileError(fmt::format("{} has no function {}: it is too old, or another library.", path_, name));
  }
  return found;
}

}  // namespace treecca
