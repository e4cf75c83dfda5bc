// Writes folders of results atomically: all files appear or none does.
//
// Failure: FileError that names the file or folder and the reason (including a full disk); Interrupted after a request
// to stop. Either way nothing changes on disk. If the process is killed, the folder is either old or complete, provided
// that the system can exchange two folders in one step (Linux). The next process that writes to the same place removes
// the temporary folder.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace treecca {

/// A file of the folder: its name, and the function that makes its contents. The function is called just before
/// writing, at most twice, so only one file at a time is in memory.
struct OutputFile {
  std::string name;
  std::function<std::string()> bytes;
};

class OutputFolder {
 public:
  /// Checks, before long work begins, that the folder exists or can be created, and is writable. Changes nothing.
  explicit OutputFolder(std::string path);

  /// Writes all files, then moves them into place. Files of the same names, and existing files in `obsolete`, are
  /// replaced; other files and folders stay. If several processes write at once, the last one wins.
  void write(const std::vector<OutputFile>& files, const std::vector<std::string>& obsolete = {},
             const std::atomic<bool>* stop = nullptr) const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace treecca
