// The hot loops of trees, compiled for each instruction set: gradients, histograms, split search, partition,
// prediction.
//
// A histogram of one feature has n_bins + 1 entries (the last one counts the missing rows). Gradients are
// fixed-point integers, so sums do not depend on the order of addition. Two layouts:
//   scalar: one 64-bit entry, (gradient sum << count_bits) + row count;
//   lanes:  `lanes` 32-bit integers, lane k < width the gradient sum of component k, lane `width` the row count, the
//           rest zero. lanes is 4 or a multiple of 8.
// The kernels are compiled once per instruction set (tree.kernels.cpp lists them) and chosen at run time; all of them
// give the same bits (integer sums; floating point in one fixed order, no contraction).
// Thread-safe; allocate nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "samples/row_index.hpp"
#include "support/instruction_set.hpp"

namespace treecca {

/// Maximum number of entries of a feature's histogram (bins and missing): bounds the buffers of the split search.
inline constexpr int kMaxBinsWithMissing = 256;

/// Number of features whose histograms are built together, sharing the loads of rows and gradients.
inline constexpr int kFeatureBlock = 4;

/// Number of sums of a sketch that are computed together.
inline constexpr int kSketchLanes = 8;

/// Fewer bits of a packed entry for the count would leave a gradient sum that a double cannot hold.
inline constexpr int kMinCountBits = 12;

struct SplitInput {
  int n_bins;  // without the missing entry
  double reg_lambda;
  double min_child_weight;  // >= 1
  double floor = -1;        // only a split with a higher score counts
};

struct Split {
  double score = -1.0;  // sum over components of G_L^2/(n_L+lambda) + G_R^2/(n_R+lambda), in fixed-point units;
                        // -1: none is allowed and above the floor
  int bin = -1;         // codes <= bin go left
  bool missing_left = false;
};

/// Numbers by row: component k of a row is current[row * current_stride + k] minus the same of `target`, unless that is
/// null.
struct GradientRows {
  const float* current;
  std::ptrdiff_t current_stride;
  const float* target;
  std::ptrdiff_t target_stride;
  int width;
};

/// Number of rows that walk down a tree together: one bit each.
inline constexpr int kWalkRows = 64;

struct WalkNode {
  float threshold;
  std::int32_t column;  // where the feature's kWalkRows values begin in the block; -1: a leaf
  std::uint32_t child;  // the left child, relative to the root, after this node; the right child follows it
  bool missing_left;
  std::uint32_t leaf;  // leaves: the number to report; splits: 0, or for a category 1 + the number of its level set
};

/// Words of a level set in the array for `walk`.
inline constexpr int kLevelWords = 4;

struct Kernels {
  const char* name;

  /// Adds the rows to the histograms of `n_features` (<= kFeatureBlock) features. `gradients` are in the order of
  /// `rows`. histograms[f] must be zeroed.
  void (*build_scalar)(const std::uint8_t* const* columns, int n_features, const RowIndex* rows, std::ptrdiff_t n,
                       const std::int64_t* gradients, std::int64_t* const* histograms);
  void (*build_lanes)(const std::uint8_t* const* columns, int n_features, const RowIndex* rows, std::ptrdiff_t n,
                      const std::int32_t* gradients, int lanes, std::int32_t* const* histograms);

  /// The bits of the largest magnitude over these rows; of a number that is not finite, at least those of infinity.
  /// differences: null, or for width 1 the n numbers, in the order of the rows.
  std::uint32_t (*largest_difference)(const GradientRows& values, const RowIndex* rows, std::ptrdiff_t n,
                                      float* differences);
  /// Histogram entries of rows without weights, from numbers times `scale`, rounded: by row number, and in the order of
  /// the rows. Adds all to `total`. The rounded numbers fit into 32 bits.
  void (*pack_scalar)(const float* differences, const RowIndex* rows, std::ptrdiff_t n, double scale, int count_bits,
                      std::int64_t* by_row, std::int64_t* ordered, std::int64_t* total);
  void (*pack_lanes)(const GradientRows& values, const RowIndex* rows, std::ptrdiff_t n, double scale, int lanes,
                     std::int32_t* by_row, std::int32_t* ordered, std::int32_t* total);
  /// Adds round(scale * x) of every row's numbers to `sums` (width). The sums must stay below 2^50.
  void (*sum_rounded)(const GradientRows& values, const RowIndex* rows, std::ptrdiff_t n, double scale, double* sums);

  /// Products of rows with a matrix (width x stride, stride a multiple of kSketchLanes), added up in the order of the
  /// components, to `out` (stride numbers by row number).
  void (*sketch)(const GradientRows& values, const float* directions, int stride, const RowIndex* rows,
                 std::ptrdiff_t n, float* out);

  /// Lane entries of some rows, copied in their order.
  void (*gather_lanes)(const RowIndex* rows, std::ptrdiff_t n, const std::int32_t* gradients, int lanes,
                       std::int32_t* out);

  /// Stable partition of `rows`: those with a code <= bin or = missing (-1: none) come first; the others are in
  /// `right`, which has space for n. Returns the number of the former; what follows them in `rows` is undefined.
  std::ptrdiff_t (*partition)(const std::uint8_t* column, int bin, int missing, RowIndex* rows, std::ptrdiff_t n,
                              RowIndex* right);

  /// from[i] -= what[i]: computes a sibling's histograms from the parent's.
  void (*subtract_scalar)(std::int64_t* from, const std::int64_t* what, std::ptrdiff_t n);
  void (*subtract_lanes)(std::int32_t* from, const std::int32_t* what, std::ptrdiff_t n);

  /// Best split of one feature: highest score; of equal scores missing right first, then the lowest bin. `total` is the
  /// node's own entry; count_bits >= kMinCountBits. The grower then takes the first feature with the highest score, and
  /// splits only if the score exceeds the node's own by a relative 1e-10.
  Split (*best_split_scalar)(const std::int64_t* histogram, std::int64_t total, int count_bits,
                             const SplitInput& input);
  Split (*best_split_lanes)(const std::int32_t* histogram, const std::int32_t* total, int width, int lanes,
                            const SplitInput& input);

  /// Sends kWalkRows rows down one tree: leaf[i] becomes the `leaf` number of the leaf that row i reaches. `block`
  /// holds their values, feature by feature; `masks` has space for one entry per node. level_sets: levels that go left,
  /// one bit each.
  void (*walk)(const WalkNode* nodes, std::size_t n_nodes, const std::uint64_t* level_sets, const float* block,
               std::uint64_t* masks, std::uint32_t* leaf);
};

const Kernels& kernels(InstructionSet set = instruction_set());

}  // namespace treecca
