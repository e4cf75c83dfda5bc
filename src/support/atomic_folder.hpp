// Folders of results that appear whole or not at all.
//
// Failure is a FileError that names the file or folder and the reason, a full disk included; Interrupted when the
// caller asked to stop. In both cases everything is as it was before. A process that is killed leaves the old folder or
// the new one, where the system can exchange two folders in one step (Linux); its temporary folder is cleared by the
// next process that writes to the same place.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace treecca {

/// A file to be written into a folder: its name there, and the function that makes its bytes (called just before
/// writing, so that only one file at a time is in memory; twice at most).
struct OutputFile {
  std::string name;
  std::function<std::string()> bytes;
};

class OutputFolder {
 public:
  /// Checks, before long work begins, that the folder exists or can be made and can be written to. Leaves no trace.
  explicit OutputFolder(std::string path);

  /// Writes all files, then moves them into place. Files of the same names, and those of `obsolete` that exist, are
  /// replaced; others, and folders, stay. Of several processes that write at once the last one wins.
  void write(const std::vector<OutputFile>& files, const std::vector<std::string>& obsolete = {},
             const std::atomic<bool>* stop = nullptr) const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace treecca
