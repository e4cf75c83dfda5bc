#include "support/atomic_folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "support/atomic_file.hpp"
#include "support/threads.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string_view what, const fs::path& path, const std::error_code& error) {
  throw FileError(fmt::format("{} {} failed: {}.", what, path.string(), error.message()));
}

std::error_code last_error() { return {errno, std::generic_category()}; }

/// A new, empty folder inside `parent`, removed with its contents unless it was moved away.
class StagingFolder {
 public:
  explicit StagingFolder(const fs::path& parent) {
    std::string name = (parent / ".treecca-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) fail("Writing into the folder", parent, last_error());
    path_ = name;
  }
  ~StagingFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Makes the missing folders of a path; takes them away again unless kept.
class CreatedFolders {
 public:
  explicit CreatedFolders(const fs::path& path) {
    if (path.empty() || fs::exists(path)) return;
    parents_ = std::make_unique<CreatedFolders>(path.parent_path());
    std::error_code error;
    if (!fs::create_directory(path, error) && error) fail("Making the folder", path, error);
    path_ = path;
  }
  ~CreatedFolders() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
  }
  CreatedFolders(const CreatedFolders&) = delete;
  CreatedFolders& operator=(const CreatedFolders&) = delete;

  void keep() {
    path_.clear();
    if (parents_) parents_->keep();
  }

 private:
  std::unique_ptr<CreatedFolders> parents_;
  fs::path path_;
};

/// Moves files into a folder and remembers how to undo it.
class Replacement {
 public:
  Replacement(fs::path folder, fs::path aside) : folder_(std::move(folder)), aside_(std::move(aside)) {}
  ~Replacement() {
    std::error_code ignored;
    for (auto move = moves_.rbegin(); move != moves_.rend(); ++move) fs::rename(move->second, move->first, ignored);
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void set_aside(const std::string& name) {
    if (fs::is_directory(folder_ / name)) {
      throw FileError(fmt::format("{} cannot be written: it is a folder.", (folder_ / name).string()));
    }
    if (fs::exists(fs::symlink_status(folder_ / name))) move(folder_ / name, aside_ / name);
  }
  void put(const fs::path& staged) { move(staged, folder_ / staged.filename()); }
  void keep() { moves_.clear(); }

 private:
  void move(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    if (error) fail("Writing", to, error);
    moves_.emplace_back(from, to);
  }

  fs::path folder_;
  fs::path aside_;
  std::vector<std::pair<fs::path, fs::path>> moves_;
};

/// Writes a file where it waits for the others. An error names the place where it was to be in the
/// end.
void write_staged(const fs::path& staged, const OutputFile& file, const fs::path& folder) {
  const std::string bytes = file.bytes();
  try {
    write_file_atomically((staged / file.name).string(), bytes);
  } catch (const FileError& error) {
    std::string message = error.what();
    const std::size_t at = message.find(staged.string());
    if (at != std::string::npos) message.replace(at, staged.string().size(), folder.string());
    throw FileError(message);
  }
}

fs::path parent_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// What mkdir would have given the folder: temporary folders are private to their owner.
void open_to_others(const fs::path& folder) {
  const mode_t mask = umask(0);
  umask(mask);
  if (chmod(folder.c_str(), 0777 & ~mask) != 0) fail("Setting the permissions of", folder, last_error());
}

}  // namespace

OutputFolder::OutputFolder(std::string path) {
  if (path.empty()) throw UsageError("The name of the output folder is empty.");
  fs::path folder = fs::path(path).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // "run/"
  path_ = folder.string();
  fs::path existing = folder;
  std::error_code error;
  while (!fs::exists(fs::symlink_status(existing, error)) && existing != parent_of(existing)) {
    // A name that is too long does not exist either, but cannot be made.
    if (error == std::errc::filename_too_long) {
      throw FileError(fmt::format("Results cannot be written to {}: {}.", path_, error.message()));
    }
    existing = parent_of(existing);
  }
  const bool is_folder = fs::is_directory(existing, error);
  if (error) fail("Looking at", existing, error);
  if (!is_folder) {
    throw FileError(fmt::format("Results cannot be written to {}: {} is not a folder.", path_, existing.string()));
  }
  const StagingFolder probe(existing);
}

void OutputFolder::write(const std::vector<OutputFile>& files, const std::vector<std::string>& obsolete,
                         const std::atomic<bool>* stop) const {
  const fs::path folder(path_);
  const bool is_new = !fs::exists(folder);
  CreatedFolders created(is_new ? folder.parent_path() : fs::path());
  const StagingFolder staging(is_new ? parent_of(folder) : folder);
  const fs::path staged = staging.path() / "new";
  const fs::path aside = staging.path() / "old";
  for (const fs::path& made : {staged, aside}) {
    std::error_code error;
    fs::create_directory(made, error);
    if (error) fail("Making the folder", made, error);
  }
  for (const OutputFile& file : files) {
    check_stop(stop);
    write_staged(staged, file, folder);
  }
  check_stop(stop);
  if (is_new) {
    open_to_others(staged);
    std::error_code error;
    fs::rename(staged, folder, error);
    if (error) fail("Making the folder", folder, error);
  } else {
    Replacement replacement(folder, aside);
    for (const OutputFile& file : files) replacement.set_aside(file.name);
    for (const std::string& name : obsolete) replacement.set_aside(name);
    for (const OutputFile& file : files) replacement.put(staged / file.name);
    replacement.keep();
  }
  created.keep();
}

}  // namespace treecca
