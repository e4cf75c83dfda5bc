#include "trees/grow.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/aligned.hpp"
#include "support/parallel.hpp"
#include "trees/histogram.hpp"
#include "trees/level_split.hpp"

namespace treecca {
namespace {

/// With fewer histogram updates, a second thread costs more time than it saves.
constexpr Index kUpdatesWorthThreads = 1 << 16;
/// Maximum relative gain of a split that counts as rounding error.
constexpr double kMinRelativeGain = 1e-10;

template <class Layout>
class LayoutGrower final : public Grower {
  using Entry = typename Layout::Entry;

 public:
  LayoutGrower(Index width, Index max_rows, Index max_features, Index max_entries, Index max_depth, Index max_units,
               Index total_rows, const Kernels& use)
      : width_(width),
        kernels_(use),
        layout_(width, max_units),
        limit_(Layout::limit(total_rows, max_units)),
        rows_(static_cast<std::size_t>(max_rows)),
        scratch_rows_(static_cast<std::size_t>(max_rows)),
        gradients_(static_cast<std::size_t>(max_rows * layout_.entries())),
        ordered_(static_cast<std::size_t>(max_rows * layout_.entries())),
        differences_(static_cast<std::size_t>(width == 1 ? max_rows : 0)),
        histogram_begin_(static_cast<std::size_t>(max_features) + 1),
        splits_(static_cast<std::size_t>(max_features)) {
    // Each node on the current path holds one slot, each of its waiting siblings another, a histogram in progress one
    // more.
    slots_.resize(static_cast<std::size_t>(max_depth) + 2);
    for (auto& slot : slots_) slot.resize(static_cast<std::size_t>(max_entries * layout_.entries()));
    const Index max_leaves = std::min(Index{1} << max_depth, total_rows);
    nodes_.reserve(static_cast<std::size_t>(2 * max_leaves));
    totals_.reserve(static_cast<std::size_t>(2 * max_leaves * layout_.entries()));
    leaf_values_.reserve(static_cast<std::size_t>(max_leaves * width));
    free_slots_.reserve(slots_.size());
    stack_.reserve(static_cast<std::size_t>(max_depth) + 2);
    constexpr std::size_t kThreads = 256;  // more than most processors have: `grow` allocates nothing then
    floors_.reserve(kThreads);
    sums_by_worker_.reserve(kThreads * static_cast<std::size_t>(layout_.entries()));
  }

  std::span<RowIndex> rows() override { return rows_; }
  std::span<const GrownNode> nodes() const override { return nodes_; }
  std::span<const float> leaf_values() const override { return leaf_values_; }

  void grow(const BinnedView& view, const GradientSource& source, RowCounts counts, std::span<const Index> features,
            const GrowSettings& settings, Threads threads, const Peers& peers) override {
    view_ = &view;
    features_ = features;
    settings_ = settings;
    threads_ = threads;
    peers_ = peers;
    units_ = source.units_per_weight;
    start(counts);
    const double scale = quantise(source, counts.training);
    peers_.sum(std::span<Entry>(total_of(0), static_cast<std::size_t>(layout_.entries())));
    if (scale > 0 && splittable(0, 0)) {
      const int slot = take_slot();
      build(nodes_[0], slot);  // its gradients are in order already
      stack_.push_back({0, 0, slot});
      while (!stack_.empty()) {
        const Open open = stack_.back();
        stack_.pop_back();
        expand(open);
      }
    }
    fill_leaves(scale);
  }

 private:
  struct Open {
    int node;
    Index depth;
    int slot;  // holds the node's histograms
  };
  /// The highest score that a thread has seen, in features before `next`.
  struct ScanFloor {
    double score;
    Index next;
  };
  struct FeatureSplit {
    Split best;
    Index position = -1;  // in features_
  };

  void start(const RowCounts& counts) {
    nodes_.clear();
    leaf_values_.clear();
    stack_.clear();
    free_slots_.clear();
    for (int s = 0; s < static_cast<int>(slots_.size()); ++s) free_slots_.push_back(s);
    totals_.clear();
    add_node();
    nodes_[0].end = nodes_[0].other_begin = counts.training;
    nodes_[0].other_end = counts.training + counts.others;
    histogram_begin_[0] = 0;
    for (std::size_t f = 0; f < features_.size(); ++f) {
      histogram_begin_[f + 1] = histogram_begin_[f] + (view_->n_bins(features_[f]) + 1) * layout_.entries();
    }
  }

  /// Its rows and sums follow later.
  void add_node() {
    nodes_.push_back({});
    totals_.resize(nodes_.size() * static_cast<std::size_t>(layout_.entries()));
  }
  /// The sums over all rows of a node, in all processes.
  Entry* total_of(int node) { return totals_.data() + node * layout_.entries(); }
  const Entry* total_of(int node) const { return totals_.data() + node * layout_.entries(); }
  /// Units of weight; rows, if there are no weights.
  Index count_of(int node) const { return layout_.count(total_of(node)); }

  /// Fixed-point gradients by row number and in the order of the rows; their sum becomes the root's. Returns the factor
  /// from gradients to integers; 0 if all are zero.
  double quantise(const GradientSource& source, Index n) {
    const Index entries = layout_.entries();
    const double largest =
        largest_gradient(source, std::span<const RowIndex>(rows_.data(), static_cast<std::size_t>(n)), kernels_,
                         threads_, peers_, differences_);
    const double scale = largest > 0 ? static_cast<double>(limit_) / largest : 0.0;
    const Threads threads = threads_.for_work(n * width_);
    sums_by_worker_.assign(static_cast<std::size_t>(threads.count * entries), Entry{0});
    const Index blocks = (n + kGradientBlock - 1) / kGradientBlock;
    parallel_for_workers(blocks, threads, [&](Index block, int worker) {
      const Index begin = block * kGradientBlock;
      const Index end = std::min(n, begin + kGradientBlock);
      layout_.pack(kernels_, source, differences_.data() + (differences_.empty() ? 0 : begin), rows_.data() + begin,
                   end - begin, scale, gradients_.data(), ordered_.data() + begin * entries,
                   sums_by_worker_.data() + worker * entries);
    });
    for (std::size_t i = 0; i < sums_by_worker_.size(); ++i)
      total_of(0)[i % static_cast<std::size_t>(entries)] += sums_by_worker_[i];
    return scale;
  }

  bool splittable(int node, Index depth) const {
    // A shortcut: the scan would find no split either.
    return depth < settings_.max_depth && static_cast<double>(count_of(node)) >= 2 * least_count();
  }

  /// Minimum weight of a child, in units.
  double least_count() const { return std::max(1.0, settings_.min_child_weight * units_); }

  int take_slot() {
    const int slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }

  /// Histograms of all drawn features over the node's rows.
  void build(const GrownNode& node, int slot) {
    const Index n = node.end - node.begin;
    const RowIndex* rows = rows_.data() + node.begin;
    if (&node != nodes_.data()) layout_.gather(kernels_, rows, n, gradients_.data(), ordered_.data());
    const auto n_features = static_cast<Index>(features_.size());
    const Index blocks = (n_features + kFeatureBlock - 1) / kFeatureBlock;
    const Threads threads = n * n_features >= kUpdatesWorthThreads ? threads_ : threads_.with_count(1);
    parallel_for(blocks, threads, [&](Index block) {
      const std::uint8_t* columns[kFeatureBlock];
      Entry* histograms[kFeatureBlock];
      const Index first = block * kFeatureBlock;
      const Index last = std::min(n_features, first + kFeatureBlock);
      Entry* begin = slots_[slot].data();
      std::fill(begin + histogram_begin_[first], begin + histogram_begin_[last], Entry{0});
      for (Index f = first; f < last; ++f) {
        columns[f - first] = view_->column(features_[f]);
        histograms[f - first] = begin + histogram_begin_[f];
      }
      layout_.build(kernels_, columns, static_cast<int>(last - first), rows, n, ordered_.data(), histograms);
    });
    peers_.sum(std::span<Entry>(slots_[slot].data(), static_cast<std::size_t>(histogram_begin_[n_features])));
  }

  /// The children's sums, from the histogram of the feature of the split.
  void share_total(const GrownNode& node, const Entry* total, int slot, Index position) {
    const Index entries = layout_.entries();
    const Entry* histogram = slots_[slot].data() + histogram_begin_[position];
    Entry* left = total_of(node.left);
    Entry* right = total_of(node.right);
    std::fill(left, left + entries, Entry{0});
    for (int code = 0; code <= node.missing; ++code) {
      if (!node.goes_left(code)) continue;
      for (Index c = 0; c < entries; ++c) left[c] += histogram[code * entries + c];
    }
    for (Index c = 0; c < entries; ++c) right[c] = total[c] - left[c];
  }

  double score_of(const Entry* total) const {
    double squares = 0;
    for (Index k = 0; k < width_; ++k) {
      const auto sum = static_cast<double>(layout_.sum(total, k));
      squares += sum * sum;
    }
    return squares / (static_cast<double>(layout_.count(total)) + settings_.reg_lambda * units_);
  }

  /// The best split with a score above `floor`.
  FeatureSplit best_split(int slot, const Entry* total, double floor) {
    const auto n_features = static_cast<Index>(features_.size());
    const Threads threads = histogram_begin_[n_features] >= kUpdatesWorthThreads ? threads_ : threads_.with_count(1);
    floors_.assign(static_cast<std::size_t>(threads.count), {floor, 0});
    parallel_for_workers(n_features, threads, [&](Index f, int worker) {
      ScanFloor& known = floors_[static_cast<std::size_t>(worker)];
      if (f < known.next)
        known.score = floor;  // of equal scores the first feature counts, so only earlier ones may raise it
      known.next = f + 1;
      if (view_->is_category(features_[f])) {
        splits_[f] = {.score = level_split(slot, f).score};
      } else {
        // In units of weight: all scores are then too small by the same factor.
        const SplitInput input{view_->n_bins(features_[f]), settings_.reg_lambda * units_, least_count(), known.score};
        splits_[f] = layout_.best_split(kernels_, slots_[slot].data() + histogram_begin_[f], total, input);
      }
      known.score = std::max(known.score, splits_[f].score);
    });
    FeatureSplit split;
    for (Index f = 0; f < n_features; ++f) {
      if (splits_[f].score > split.best.score) split = {splits_[f], f};
    }
    return split;
  }

  /// Of the category at this place in features_.
  LevelSplit level_split(int slot, Index position) const {
    const Entry* histogram = slots_[slot].data() + histogram_begin_[position];
    const int bins = view_->n_bins(features_[position]);
    LevelSums sums{width_, {}, {}};
    for (int code = 0; code <= bins; ++code) {
      const Entry* entry = histogram + code * layout_.entries();
      sums.count.push_back(static_cast<double>(layout_.count(entry)));
      for (Index k = 0; k < width_; ++k) sums.gradients.push_back(static_cast<double>(layout_.sum(entry, k)));
    }
    // With fewer rows, the mean of a level is mostly noise; measured with benchmarks/categories.py.
    const double least_of_level = units_ * std::max(2.0, settings_.min_child_weight / 3);
    return best_level_split(sums, {bins, settings_.reg_lambda * units_, least_count()}, least_of_level);
  }

  /// Levels without rows in the node follow the missing values.
  void settle_absent_levels(GrownNode& node, int slot, Index position) const {
    if (!node.category || !node.missing_left) return;
    const Entry* histogram = slots_[slot].data() + histogram_begin_[position];
    for (int code = 0; code < node.missing; ++code) {
      if (layout_.count(histogram + code * layout_.entries()) == 0) {
        node.left_levels.insert(static_cast<std::size_t>(code));
      }
    }
  }

  /// Stable: rows stay ascending inside a node, so that columns are read sequentially. Returns the beginning of the
  /// rows that go right.
  Index partition(const GrownNode& node, Index begin, Index end) {
    const std::uint8_t* column = view_->column(node.feature);
    RowIndex* rows = rows_.data() + begin;
    Index left = 0;
    if (node.category) {
      Index right = 0;
      for (Index i = 0; i < end - begin; ++i) {
        const RowIndex row = rows[i];
        const bool goes_left = node.goes_left(int{column[row]});
        rows[left] = row;
        scratch_rows_[right] = row;
        left += goes_left ? 1 : 0;
        right += goes_left ? 0 : 1;
      }
    } else {
      left = kernels_.partition(column, node.bin, node.missing_left ? node.missing : -1, rows, end - begin,
                                scratch_rows_.data());
    }
    std::copy_n(scratch_rows_.data(), end - begin - left, rows + left);
    return begin + left;
  }

  void expand(const Open& open) {
    const double floor = score_of(total_of(open.node)) * (1 + kMinRelativeGain);
    const FeatureSplit split = best_split(open.slot, total_of(open.node), floor);
    if (split.position < 0 || !(split.best.score > floor)) {
      free_slots_.push_back(open.slot);
      return;
    }
    const int left = static_cast<int>(nodes_.size());
    add_node();
    add_node();
    GrownNode& node = nodes_[open.node];
    node.feature = features_[split.position];
    node.bin = split.best.bin;
    node.missing = view_->missing_code(node.feature);
    node.missing_left = split.best.missing_left;
    if (view_->is_category(node.feature)) {
      const LevelSplit levels = level_split(open.slot, split.position);
      node.category = true;
      node.left_levels = levels.left;
      node.missing_left = levels.missing_left;
    }
    node.left = left;
    node.right = left + 1;
    const Index middle = partition(node, node.begin, node.end);
    nodes_[left].begin = node.begin;
    nodes_[left].end = middle;
    nodes_[left + 1].begin = middle;
    nodes_[left + 1].end = node.end;
    share_total(node, total_of(open.node), open.slot, split.position);
    // These two only concern codes that no training row of the node has.
    settle_missing_direction(node, open.slot, split.position);
    settle_absent_levels(node, open.slot, split.position);
    const Index others = partition(node, node.other_begin, node.other_end);
    nodes_[left].other_begin = node.other_begin;
    nodes_[left].other_end = others;
    nodes_[left + 1].other_begin = others;
    nodes_[left + 1].other_end = node.other_end;
    open_children(open, left);
  }

  /// If no training row was missing, missing values of new data follow the heavier child.
  void settle_missing_direction(GrownNode& node, int slot, Index position) {
    const Entry* missing = slots_[slot].data() + histogram_begin_[position] + Index{node.missing} * layout_.entries();
    if (layout_.count(missing) > 0) return;
    node.missing_left = count_of(node.left) >= count_of(node.right);
  }

  void open_children(const Open& parent, int left) {
    const Index depth = parent.depth + 1;
    const int small = count_of(left) <= count_of(left + 1) ? left : left + 1;
    const int large = small == left ? left + 1 : left;
    const bool small_opens = splittable(small, depth);
    if (!splittable(large, depth)) {  // then the smaller is not either
      free_slots_.push_back(parent.slot);
      return;
    }
    const int slot = take_slot();
    build(nodes_[small], slot);
    layout_.subtract(kernels_, slots_[parent.slot].data(), slots_[slot].data(), histogram_begin_[features_.size()]);
    stack_.push_back({large, depth, parent.slot});
    if (small_opens) {
      stack_.push_back({small, depth, slot});
    } else {
      free_slots_.push_back(slot);
    }
  }

  /// Leaf values from the exact integer sums of the leaf's rows.
  void fill_leaves(double scale) {
    int leaves = 0;
    for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) {
      GrownNode& node = nodes_[n];
      node.weight = static_cast<double>(count_of(n)) / units_;
      if (node.feature >= 0) continue;
      node.leaf = leaves++;
      const double weight = node.weight + settings_.reg_lambda;
      for (Index k = 0; k < width_; ++k) {
        const double value =
            scale > 0 && weight > 0
                ? -settings_.learning_rate * static_cast<double>(layout_.sum(total_of(n), k)) / scale / weight
                : 0.0;
        leaf_values_.push_back(leaf_value(value, settings_));
      }
    }
  }

  Index width_;
  const Kernels& kernels_;
  Layout layout_;
  std::int64_t limit_;
  std::vector<RowIndex> rows_;
  std::vector<RowIndex> scratch_rows_;
  AlignedVector<Entry> gradients_;  // by row number
  AlignedVector<Entry> ordered_;    // in the order of the rows of the node being built
  std::vector<float> differences_;  // one output: gradients in the order of the rows, before rounding
  AlignedVector<Entry> sums_by_worker_;
  AlignedVector<Entry> totals_;  // one entry per node
  std::vector<AlignedVector<Entry>> slots_;
  std::vector<int> free_slots_;
  std::vector<Index> histogram_begin_;  // of each drawn feature, in entries
  std::vector<Split> splits_;
  std::vector<ScanFloor> floors_;  // per thread
  std::vector<Open> stack_;
  std::vector<GrownNode> nodes_;
  std::vector<float> leaf_values_;

  const BinnedView* view_ = nullptr;
  std::span<const Index> features_;
  GrowSettings settings_;
  double units_ = 1;  // of a row with weight 1
  Threads threads_ = 1;
  Peers peers_;
};

}  // namespace

std::unique_ptr<Grower> make_grower(bool vector_leaves, Index width, Index max_rows, Index max_features,
                                    Index max_entries, Index max_depth, Index max_units, Index total_rows,
                                    const Kernels& use) {
  const Index all_rows = std::max(max_rows, total_rows);
  const Index units = std::max(all_rows, max_units);
  if (vector_leaves) {
    return std::make_unique<LayoutGrower<VectorHistogram>>(width, max_rows, max_features, max_entries, max_depth, units,
                                                           all_rows, use);
  }
  return std::make_unique<LayoutGrower<ScalarHistogram>>(width, max_rows, max_features, max_entries, max_depth, units,
                                                         all_rows, use);
}

float leaf_value(double value, const GrowSettings& settings) {
  constexpr int kDigits = 4;
  constexpr double kLog2 = 0.30102999566398120;  // decimal digits per binary digit
  constexpr int kMostPlaces = 22;                // 10^22 is exact
  if (!settings.short_leaves || value == 0) return static_cast<float>(value);
  int exponent = 0;
  std::frexp(value, &exponent);
  const int places = kDigits - 1 - static_cast<int>(std::floor((exponent - 1) * kLog2));  // after the decimal point
  if (places < 0 || places > kMostPlaces) return static_cast<float>(value);
  static const std::vector<double> powers = [] {
    std::vector<double> of_ten{1};
    while (of_ten.size() <= kMostPlaces) of_ten.push_back(of_ten.back() * 10);
    return of_ten;
  }();
  const double power = powers[static_cast<std::size_t>(places)];
  return static_cast<float>(std::nearbyint(value * power) / power);
}

Tree to_tree(const Grower& grown, std::span<const float> leaf_values, const BinnedView& view, Index component) {
  Tree tree;
  tree.component = static_cast<std::int32_t>(component);
  tree.leaf_values.assign(leaf_values.begin(), leaf_values.end());
  tree.nodes.reserve(grown.nodes().size());
  for (const GrownNode& from : grown.nodes()) {
    Node node;
    node.cover = static_cast<float>(from.weight);
    if (from.feature < 0) {
      node.leaf = from.leaf;
    } else {
      node.feature = static_cast<std::int32_t>(from.feature);
      if (from.category) {
        node.level_set = static_cast<std::int32_t>(tree.level_sets.size());
        tree.level_sets.push_back(from.left_levels);
      } else {
        node.threshold = view.threshold(from.feature, from.bin);
      }
      node.left = from.left;
      node.right = from.right;
      node.default_left = from.missing_left;
    }
    tree.nodes.push_back(node);
  }
  return tree;
}

void number_leaves(Grower& grown, Index n_rows, LeafNumbers& numbers) {
  const std::span<const GrownNode> nodes = grown.nodes();
  const std::span<const RowIndex> rows = grown.rows();
  numbers.prepare(n_rows, static_cast<Index>(nodes.size() + 1) / 2);
  for (const GrownNode& node : nodes) {
    if (node.feature >= 0) continue;
    for (const auto& [begin, end] : {std::pair{node.begin, node.end}, {node.other_begin, node.other_end}}) {
      numbers.set(rows.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)), node.leaf);
    }
  }
}

}  // namespace treecca
