// Folders of files for tests.
#pragma once

#include <set>
#include <string>

namespace treecca {

std::string read_bytes(const std::string& path);
/// Throws std::runtime_error if the file cannot be written.
void write_bytes(const std::string& path, const std::string& bytes);

/// A new folder, removed by the destructor.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& bytes) const;
  /// All files and folders below, hidden ones included.
  std::set<std::string> contents() const;

 private:
  std::string path_;
};

}  // namespace treecca
