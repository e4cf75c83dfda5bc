#include "infer/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "support/random.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

std::vector<std::vector<Index>> rows_of_groups(const Samples& samples) {
  std::map<std::int64_t, std::vector<Index>> by_group;
  for (Index i = 0; i < samples.here(); ++i) by_group[samples.groups()[static_cast<std::size_t>(i)]].push_back(i);
  std::vector<std::vector<Index>> groups;
  for (auto& [group, rows] : by_group) groups.push_back(std::move(rows));
  return groups;
}

std::vector<std::vector<Index>> single_rows(const std::vector<Index>& rows) {
  std::vector<std::vector<Index>> blocks;
  for (const Index row : rows) blocks.push_back({row});
  return blocks;
}

/// Sets of exchangeable blocks: of equal size, whose rows have the same views. So every order has the same rows for
/// each pair of views, and the test is valid even if missing views depend on the values.
std::vector<std::vector<std::vector<Index>>> alike_blocks(std::vector<std::vector<Index>> blocks,
                                                          const Samples& samples) {
  std::map<std::vector<Index>, std::vector<std::vector<Index>>> alike;
  for (std::vector<Index>& block : blocks) {
    std::stable_sort(block.begin(), block.end(),
                     [&](Index a, Index b) { return samples.pattern(a) < samples.pattern(b); });
    std::vector<Index> pattern;
    for (const Index row : block) pattern.push_back(samples.pattern(row));
    alike[pattern].push_back(std::move(block));
  }
  std::vector<std::vector<std::vector<Index>>> sets;
  for (auto& [pattern, own] : alike) sets.push_back(std::move(own));
  return sets;
}

std::string nothing_to_exchange(Permute kind, const Samples& samples) {
  if (kind == Permute::rows) return "No two samples have the same views, so nothing can be exchanged.";
  if (kind == Permute::within_groups) {
    return samples.complete()
               ? "Every group has one sample, so nothing can be exchanged within groups. Set permute to rows."
               : "No group has two samples with the same views, so nothing can be exchanged within groups.";
  }
  const std::string within = "or set permute to within_groups if samples of a group are independent of each other.";
  if (samples.independent() < 2) {
    return "There is only one group, so groups cannot be exchanged. Add data from more groups, " + within;
  }
  return std::string("No two groups have the same number of samples") +
         (samples.complete() ? "" : " with the same views") +
         ", so groups cannot be exchanged. Take the same number of samples from each, " + within;
}

}  // namespace

Exchange::Exchange(const Samples& samples, Permute kind) : kind_(kind), rows_(samples.here()) {
  if (kind_ == Permute::automatic) kind_ = samples.grouped() ? Permute::groups : Permute::rows;
  if (kind_ != Permute::rows && !samples.grouped()) {
    throw UsageError("permute = groups and within_groups need groups. Give them, or permute rows.");
  }
  const auto add = [&](std::vector<Block> blocks) {
    for (std::vector<Block>& set : alike_blocks(std::move(blocks), samples)) sets_.push_back(std::move(set));
  };
  if (kind_ == Permute::rows) {
    std::vector<Index> all(static_cast<std::size_t>(rows_));
    std::iota(all.begin(), all.end(), Index{0});
    add(single_rows(all));
  } else if (kind_ == Permute::groups) {
    add(rows_of_groups(samples));
  } else {
    for (const Block& group : rows_of_groups(samples)) add(single_rows(group));
  }
  for (const std::vector<Block>& blocks : sets_) {
    if (kind_ != Permute::groups) break;
    in_place_.of_groups += static_cast<Index>(blocks.size());
    if (blocks.size() > 1) continue;
    ++in_place_.groups;
    in_place_.samples += static_cast<Index>(blocks[0].size());
  }
  std::erase_if(sets_, [](const std::vector<Block>& blocks) { return blocks.size() < 2; });
  if (!sets_.empty()) return;
  throw DataError(nothing_to_exchange(kind_, samples));
}

double Exchange::log10_orders() const {
  double sum = 0;
  for (const std::vector<Block>& blocks : sets_) {
    for (std::size_t n = 2; n <= blocks.size(); ++n) sum += std::log10(static_cast<double>(n));
  }
  return sum;
}

std::vector<Index> Exchange::order(std::uint64_t seed, std::uint64_t number) const {
  std::vector<Index> result(static_cast<std::size_t>(rows_));
  std::iota(result.begin(), result.end(), Index{0});
  const RandomKey key(seed, Draw::permutation, {number});
  std::uint64_t draw = 0;
  for (const std::vector<Block>& blocks : sets_) {
    std::vector<std::size_t> from(blocks.size());
    std::iota(from.begin(), from.end(), std::size_t{0});
    for (std::size_t i = blocks.size() - 1; i > 0; --i) {
      const auto other = static_cast<std::size_t>(key.uniform(draw++) * static_cast<double>(i + 1));
      std::swap(from[i], from[other]);
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (std::size_t i = 0; i < blocks[b].size(); ++i) {
        result[static_cast<std::size_t>(blocks[b][i])] = blocks[from[b]][i];
      }
    }
  }
  return result;
}

}  // namespace treecca
