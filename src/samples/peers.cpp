#include "samples/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "treecca/error.hpp"

namespace treecca {
namespace {

// First byte of the messages of throw_together; the text follows.
enum class FailureKind : char { fine = 'o', usage = 'u', data = 'd', file = 'f', interrupted = 'i', other = 'e' };

std::string described(const std::exception_ptr& failure, int rank) {
  if (!failure) return {static_cast<char>(FailureKind::fine)};
  const auto text = [](FailureKind kind, const std::string& message) { return static_cast<char>(kind) + message; };
  try {
    std::rethrow_exception(failure);
  } catch (const UsageError& e) {
    return text(FailureKind::usage, e.what());
  } catch (const DataError& e) {
    return text(FailureKind::data, e.what());
  } catch (const FileError& e) {
    return text(FailureKind::file, e.what());
  } catch (const Interrupted& e) {
    return text(FailureKind::interrupted, e.what());
  } catch (const Error& e) {
    return text(FailureKind::other, e.what());
  } catch (const std::bad_alloc&) {
    return text(FailureKind::other, fmt::format("Worker {} has too little memory for its rows.", rank));
  } catch (const std::exception& e) {
    return text(FailureKind::other, fmt::format("Worker {} failed: {}.", rank, e.what()));
  }
}

[[noreturn]] void rethrow(const std::string& description) {
  const std::string message = description.substr(1);
  switch (static_cast<FailureKind>(description[0])) {
    case FailureKind::usage:
      throw UsageError(message);
    case FailureKind::data:
      throw DataError(message);
    case FailureKind::file:
      throw FileError(message);
    case FailureKind::interrupted:
      throw Interrupted();
    default:
      throw Error(message);
  }
}

}  // namespace

std::vector<std::string> Peers::gather(const std::string& bytes) const {
  if (alone()) return {bytes};
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(size()), 0);
  sizes[static_cast<std::size_t>(rank())] = static_cast<std::int64_t>(bytes.size());
  sum(std::span<std::int64_t>(sizes));
  std::vector<std::string> all;
  for (int root = 0; root < size(); ++root) {
    std::string part = root == rank() ? bytes : std::string(static_cast<std::size_t>(sizes[root]), '\0');
    if (!part.empty()) communicator_->broadcast(std::as_writable_bytes(std::span<char>(part)), root);
    all.push_back(std::move(part));
  }
  return all;
}

void Peers::throw_together(const std::exception_ptr& failure) const {
  // Nearly always no process has failed: one number is enough to check.
  if (sum(Index{failure ? 1 : 0}) == 0) return;
  for (const std::string& description : gather(described(failure, rank()))) {
    if (description[0] != static_cast<char>(FailureKind::fine)) rethrow(description);
  }
}

void Peers::check_same(const std::string& bytes, const std::string& what) const {
  if (alone()) return;
  const std::vector<std::string> all = gather(bytes);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    throw Error(
        fmt::format("The {} of worker {} differ from those of worker 0. Give every worker the same.", what, rank));
  }
}

}  // namespace treecca
