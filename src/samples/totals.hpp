// Sums by key over all processes, for keys that no process knows all of: groups.
#pragma once

#include <cstdint>
#include <map>

#include "samples/peers.hpp"

namespace treecca {

/// Every key that some process has, with the sum of what they have for it. Collective; the same in every process.
inline std::map<std::int64_t, double> summed_by_key(const std::map<std::int64_t, double>& own, const Peers& peers) {
  if (peers.alone()) return own;
  struct Entry {
    std::int64_t key;
    double value;
  };
  std::vector<Entry> entries;
  for (const auto& [key, value] : own) entries.push_back({key, value});
  std::string bytes;
  append_bytes(bytes, std::span<const Entry>(entries));
  std::map<std::int64_t, double> all;
  for (const std::string& part : peers.gather(bytes)) {
    for (const Entry& entry : values_from<Entry>(part)) all[entry.key] += entry.value;
  }
  return all;
}

}  // namespace treecca
