#include "support/atomic_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>

#include "support/atomic_file.hpp"
#include "support/random.hpp"
#include "support/threads.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string_view what, const fs::path& path, const std::error_code& error) {
  throw FileError(fmt::format("{} {} failed: {}.", what, path.string(), error.message()));
}

std::error_code last_error() { return {errno, std::generic_category()}; }

/// A new, empty folder inside `parent`; removed with its contents unless it was moved elsewhere.
class StagingFolder {
 public:
  explicit StagingFolder(const fs::path& parent, const std::string& prefix = ".treecca-") {
    std::string name = (parent / (prefix + "XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr) fail("Writing to the folder", parent, last_error());
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

/// Creates the missing folders of a path; removes them again unless kept.
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

/// Whether the process with this number has ended.
bool has_ended(long process) { return process > 0 && kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH; }

/// Moves the folders in `from` to `to`, which has no folders of these names.
void move_folders(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(from, ignored)) {
    if (!entry.is_directory(ignored) || entry.is_symlink(ignored)) continue;
    const fs::path target = to / entry.path().filename();
    if (!fs::exists(fs::symlink_status(target, ignored))) fs::rename(entry.path(), target, ignored);
  }
}

/// Prefix of the names of temporary folders next to a folder of results; the number of the process follows.
std::string staging_name(const fs::path& folder) {
  std::uint64_t hash = 0;
  for (const char c : folder.filename().string()) hash = mix_bits(hash ^ static_cast<unsigned char>(c));
  return fmt::format(".treecca-{:016x}-", hash);
}

std::string own_staging_name(const fs::path& folder) {
  return fmt::format("{}{}-", staging_name(folder), static_cast<long>(getpid()));
}

/// Removes temporary folders of killed processes. Folders that TreeCCA did not make are put back.
void clear_leftovers(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(staging_name(folder))) continue;
    if (!has_ended(std::strtol(name.c_str() + staging_name(folder).size(), nullptr, 10))) continue;
    move_folders(entry.path() / "new", folder);
    fs::remove_all(entry.path(), ignored);
  }
}

/// Exchanges two folders in one step; false if that is not possible.
bool exchange(const fs::path& a, const fs::path& b) {
#ifdef RENAME_EXCHANGE
  return renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
  static_cast<void>(a);
  static_cast<void>(b);
  return false;
#endif
}

/// Moves files into a folder and can undo it.
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

/// Writes a file to its temporary place. An error names the final place.
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

/// The default permissions of mkdir: temporary folders are private to their owner.
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
    // A name that is too long does not exist and cannot be created.
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
  // Probes of processes that were killed during this check. Folders that are not empty stay.
  constexpr std::string_view kProbe = ".treecca-probe-";
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(existing, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kProbe) || !has_ended(std::strtol(name.c_str() + kProbe.size(), nullptr, 10))) continue;
    fs::remove(entry.path(), ignored);
  }
  const StagingFolder probe(existing, fmt::format("{}{}-", kProbe, static_cast<long>(getpid())));
}

namespace {

/// Puts the new files and the remaining contents of the old folder into a temporary folder next to it, and exchanges
/// the two. Returns false, with nothing changed, if that is not possible: on another file system, for the current
/// folder, or in an unwritable place.
bool replaced_by_exchange(const fs::path& given, const std::vector<OutputFile>& files,
                          const std::vector<std::string>& obsolete, const std::atomic<bool>* stop) {
  std::error_code error;
  const fs::path folder = fs::canonical(given, error);
  if (error || !folder.has_relative_path() || fs::equivalent(folder, fs::current_path(error), error)) return false;
  if (access(folder.parent_path().c_str(), W_OK) != 0) return false;
  struct stat old {};
  if (stat(folder.c_str(), &old) != 0) return false;
  clear_leftovers(folder);
  const StagingFolder staging(folder.parent_path(), own_staging_name(folder));
  const fs::path staged = staging.path() / "new";
  if (!fs::create_directory(staged, error)) return false;
  std::set<std::string> replaced(obsolete.begin(), obsolete.end());
  for (const OutputFile& file : files) replaced.insert(file.name);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_folder = entry.is_directory(error) && !entry.is_symlink(error);
    if (is_folder && replaced.contains(name)) {
      throw FileError(fmt::format("{} cannot be written: it is a folder.", entry.path().string()));
    }
    if (is_folder || replaced.contains(name)) continue;  // folders are moved afterwards
    if (link(entry.path().c_str(), (staged / name).c_str()) != 0) return false;
  }
  if (error) return false;
  for (const OutputFile& file : files) {
    check_stop(stop);
    write_staged(staged, file, given);
  }
  check_stop(stop);
  if (chmod(staged.c_str(), old.st_mode & 07777) != 0) return false;
  if (!exchange(staged, folder)) return false;
  move_folders(staged, folder);  // staged is the old folder now
  return true;
}

}  // namespace

void OutputFolder::write(const std::vector<OutputFile>& files, const std::vector<std::string>& obsolete,
                         const std::atomic<bool>* stop) const {
  const fs::path folder(path_);
  if (fs::exists(folder) && replaced_by_exchange(folder, files, obsolete, stop)) return;
  const bool is_new = !fs::exists(folder);
  CreatedFolders created(is_new ? folder.parent_path() : fs::path());
  if (is_new) clear_leftovers(fs::absolute(folder));
  const StagingFolder staging(is_new ? parent_of(folder) : folder, is_new ? own_staging_name(folder) : ".treecca-");
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
