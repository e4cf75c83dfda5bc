#include "screen/pair_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <tuple>

#include "screen/pair_kernels.hpp"
#include "support/parallel.hpp"

namespace treecca {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();

/// The inputs that all pairs share.
struct Plan {
  const std::vector<BinnedView>& views;
  const std::vector<std::vector<RankBins>>& bins;
  const RowOrder& order;
  std::vector<float> weights;  // empty, or in the order of counting
  int folds;
  int sets;
  std::vector<std::ptrdiff_t> begin;  // of the folds, in words of 64 rows or (with weights) in rows
  std::vector<float> scale;           // per set: its effective number of rows

  PairRows rows() const { return {folds, sets, begin.data(), scale.data()}; }
};

Plan make_plan(const std::vector<BinnedView>& views, const std::vector<std::vector<RankBins>>& bins,
               const RowOrder& order, std::span<const float> weights) {
  const auto folds = static_cast<int>(order.fold_begin.size()) - 1;
  Plan plan{views, bins, order, {}, folds, order.without_each_fold ? 1 + folds : 1, {0}, {}};
  const auto first = std::find_if(order.rows.begin(), order.rows.end(), [](const auto& rows) { return !rows.empty(); });
  for (std::size_t i = 0; !weights.empty() && first != order.rows.end() && i < first->size(); ++i) {
    plan.weights.push_back(weights[(*first)[i]]);
  }
  std::vector<double> sum;      // of weights, per fold
  std::vector<double> squares;  // of weights
  for (int f = 0; f < folds; ++f) {
    const Index from = order.fold_begin[static_cast<std::size_t>(f)];
    const Index to = order.fold_begin[static_cast<std::size_t>(f) + 1];
    plan.begin.push_back(plan.begin.back() + (weights.empty() ? (to - from + 63) / 64 : to - from));
    double total = static_cast<double>(to - from);
    double total_squares = total;
    if (!weights.empty()) {
      total = total_squares = 0;
      for (Index i = from; i < to; ++i) {
        const double weight = plan.weights[static_cast<std::size_t>(i)];
        total += weight;
        total_squares += weight * weight;
      }
    }
    sum.push_back(total);
    squares.push_back(total_squares);
  }
  for (int set = 0; set < plan.sets; ++set) {
    double total = 0;
    double total_squares = 0;
    for (int f = 0; f < folds; ++f) {
      if (f == set - 1) continue;
      total += sum[static_cast<std::size_t>(f)];
      total_squares += squares[static_cast<std::size_t>(f)];
    }
    plan.scale.push_back(total_squares > 0 ? static_cast<float>(total * total / total_squares) : 0.0F);
  }
  return plan;
}

/// Some features of one view with the same number of bins, in the layout of the kernels: one by one, or kLanes
/// interleaved.
class FeatureBlock {
 public:
  FeatureBlock(const Plan& plan, std::size_t view, std::span<const Index> features, int bins, int lanes)
      : features_(features), lanes_(lanes) {
    const std::size_t groups =
        (features.size() + static_cast<std::size_t>(lanes) - 1) / static_cast<std::size_t>(lanes);
    const auto width = static_cast<std::size_t>(lanes);
    const std::size_t words = static_cast<std::size_t>(plan.begin.back()) * width;
    const std::size_t counts = static_cast<std::size_t>(plan.folds) * kTableSide * width;
    const std::size_t inverse = static_cast<std::size_t>(plan.sets) * kTableSide * width;
    const std::size_t bits = plan.weights.empty() ? words * static_cast<std::size_t>(bins - 1) : 0;
    const std::size_t codes = plan.weights.empty() ? 0 : words;
    bits_.assign(groups * bits, 0);
    codes_.assign(groups * codes, 0);
    counts_.assign(groups * counts, 0.0F);
    inverse_.assign(groups * inverse, 0.0F);
    for (std::size_t j = 0; j < features.size(); ++j) {
      const std::size_t g = j / width;
      const std::size_t lane = j % width;
      fill(plan, view, features[j], bins, counts_.data() + g * counts + lane, bits_.data() + g * bits + lane,
           codes_.data() + g * codes + lane);
      invert(plan, counts_.data() + g * counts + lane, inverse_.data() + g * inverse + lane);
    }
    for (std::size_t g = 0; g < groups; ++g) {
      prepared_.push_back({bits_.data() + g * bits, codes_.data() + g * codes, counts_.data() + g * counts,
                           inverse_.data() + g * inverse});
    }
  }

  Index size() const { return static_cast<Index>(features_.size()); }
  Index feature(Index j) const { return features_[static_cast<std::size_t>(j)]; }
  const std::vector<PairFeatures>& prepared() const { return prepared_; }

 private:
  void fill(const Plan& plan, std::size_t view, Index feature, int bins, float* counts, std::uint64_t* bits,
            std::uint8_t* codes) const {
    const std::uint8_t* column = plan.views[view].column(feature);
    const auto& bin_of = plan.bins[view][static_cast<std::size_t>(feature)].of_code;
    const std::vector<RowIndex>& order = plan.order.rows[view];
    const std::ptrdiff_t words = plan.begin.back();
    for (int f = 0; f < plan.folds; ++f) {
      const Index from = plan.order.fold_begin[static_cast<std::size_t>(f)];
      const Index to = plan.order.fold_begin[static_cast<std::size_t>(f) + 1];
      for (Index i = from; i < to; ++i) {
        const std::uint8_t bin = bin_of[column[order[static_cast<std::size_t>(i)]]];
        const std::ptrdiff_t begin = plan.begin[static_cast<std::size_t>(f)];
        const Index at = i - from;
        float& count = counts[(f * kTableSide + bin) * lanes_];
        if (!plan.weights.empty()) {
          codes[(begin + at) * lanes_] = bin;
          count += plan.weights[static_cast<std::size_t>(i)];
          continue;
        }
        count += 1.0F;
        if (bin + 1 < bins) bits[(bin * words + begin + at / 64) * lanes_] |= std::uint64_t{1} << (at % 64);
      }
    }
  }

  void invert(const Plan& plan, const float* counts, float* inverse) const {
    for (int set = 0; set < plan.sets; ++set) {
      for (int bin = 0; bin < kTableSide; ++bin) {
        float count = 0;
        for (int f = 0; f < plan.folds; ++f) count += f == set - 1 ? 0.0F : counts[(f * kTableSide + bin) * lanes_];
        inverse[(set * kTableSide + bin) * lanes_] = count > 0 ? 1.0F / count : 0.0F;
      }
    }
  }

  std::span<const Index> features_;
  int lanes_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint8_t> codes_;
  std::vector<float> counts_;
  std::vector<float> inverse_;
  std::vector<PairFeatures> prepared_;
};

/// Per set, the best statistic of every feature of a block so far, and its partner (a position in the other block).
struct Best {
  Index features;
  std::vector<float> statistic;       // [set][feature]
  std::vector<std::int32_t> partner;  // likewise

  Best(Index n, int sets)
      : features(n),
        statistic(static_cast<std::size_t>(n * sets), -1.0F),
        partner(static_cast<std::size_t>(n * sets), -1) {}

  void see(int set, Index feature, float found, Index other) {
    const auto at = static_cast<std::size_t>(set * features + feature);
    if (found <= statistic[at]) return;
    statistic[at] = found;
    partner[at] = static_cast<std::int32_t>(other);
  }
};

/// One block of features against another.
struct Task {
  std::size_t view_a;
  std::size_t view_b;
  int bins_a;
  int bins_b;
  std::span<const Index> a;
  std::span<const Index> b;
};

void merge(const Plan& plan, const Best& best, const FeatureBlock& own, const FeatureBlock& other,
           std::size_t other_view, int degrees, ViewScores& scores) {
  for (Index j = 0; j < own.size(); ++j) {
    const auto feature = static_cast<std::size_t>(own.feature(j));
    const std::int32_t at = best.partner[static_cast<std::size_t>(j)];
    for (int set = 0; set < plan.sets; ++set) {
      const float statistic = best.statistic[static_cast<std::size_t>(set * own.size() + j)];
      const auto deviate = static_cast<float>(normal_deviate(statistic, degrees));
      float& known = scores.score[static_cast<std::size_t>(set)][feature];
      if (set == 0 && at >= 0) {
        const std::tuple partner{static_cast<std::int32_t>(other_view), static_cast<std::int32_t>(other.feature(at))};
        const std::tuple before{scores.partner_view[feature], scores.partner[feature]};
        if (deviate > known || (deviate == known && partner < before)) {
          std::tie(scores.partner_view[feature], scores.partner[feature]) = partner;
        }
      }
      known = std::max(known, deviate);
    }
  }
}

/// Features by their number of bins; features with one bin carry no information.
std::vector<std::vector<Index>> by_bins(const std::vector<RankBins>& bins) {
  std::vector<std::vector<Index>> classes(kMaxRankBins + 1);
  for (std::size_t j = 0; j < bins.size(); ++j) {
    if (bins[j].count > 1) classes[static_cast<std::size_t>(bins[j].count)].push_back(static_cast<Index>(j));
  }
  return classes;
}

/// The order of tasks. Blocks of the second feature stay in the second-level cache while all first blocks use them.
std::vector<Task> make_tasks(const std::vector<std::vector<std::vector<Index>>>& classes, std::ptrdiff_t bytes) {
  constexpr std::ptrdiff_t kCacheBytes = 1 << 18;
  const auto block = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(kCacheBytes / bytes, 16, 256));
  const auto cut = [block](const std::vector<Index>& features, const auto& use) {
    for (std::size_t from = 0; from < features.size(); from += block) {
      use(std::span(features).subspan(from, std::min(block, features.size() - from)));
    }
  };
  std::vector<Task> tasks;
  for (std::size_t u = 0; u < classes.size(); ++u) {
    for (std::size_t v = u + 1; v < classes.size(); ++v) {
      for (int i = 2; i <= kMaxRankBins; ++i) {
        for (int j = 2; j <= kMaxRankBins; ++j) {
          cut(classes[u][static_cast<std::size_t>(i)], [&](std::span<const Index> a) {
            cut(classes[v][static_cast<std::size_t>(j)], [&](std::span<const Index> b) {
              tasks.push_back({u, v, i, j, a, b});
            });
          });
        }
      }
    }
  }
  return tasks;
}

}  // namespace

double normal_deviate(double chi_square, int degrees_of_freedom) {
  const double spread = 2.0 / (9.0 * degrees_of_freedom);
  return (std::cbrt(std::max(0.0, chi_square) / degrees_of_freedom) - (1 - spread)) / std::sqrt(spread);
}

std::vector<ViewScores> pair_scores(const std::vector<BinnedView>& views,
                                    const std::vector<std::vector<RankBins>>& bins, const RowOrder& order,
                                    std::span<const float> weights, Threads threads) {
  const Plan plan = make_plan(views, bins, order, weights);
  std::vector<ViewScores> scores;
  std::vector<std::vector<std::vector<Index>>> classes;
  for (std::size_t v = 0; v < views.size(); ++v) {
    const auto p = static_cast<std::size_t>(views[v].features());
    scores.push_back({std::vector(static_cast<std::size_t>(plan.sets), std::vector<float>(p, kNothing)),
                      std::vector<std::int32_t>(p, -1), std::vector<std::int32_t>(p, -1)});
    classes.push_back(by_bins(order.rows[v].empty() ? std::vector<RankBins>() : bins[v]));
  }
  const std::ptrdiff_t bytes = weights.empty() ? plan.begin.back() * 8 * (kRankBins - 1) : plan.begin.back();
  const std::vector<Task> tasks = make_tasks(classes, std::max<std::ptrdiff_t>(1, bytes));
  const PairKernels& kernel = pair_kernels();
  std::mutex mutex;
  parallel_for(static_cast<Index>(tasks.size()), threads, [&](Index t) {
    const Task& task = tasks[static_cast<std::size_t>(t)];
    const FeatureBlock a(plan, task.view_a, task.a, task.bins_a, 1);
    const FeatureBlock b(plan, task.view_b, task.b, task.bins_b, kLanes);
    Best best_a(a.size(), plan.sets);
    Best best_b(b.size(), plan.sets);
    std::vector<float> tables(static_cast<std::size_t>(pair_table_size(plan.folds)));
    std::vector<float> found(static_cast<std::size_t>(kLanes * plan.sets));
    for (Index i = 0; i < a.size(); ++i) {
      const PairFeatures& one = a.prepared()[static_cast<std::size_t>(i)];
      for (Index j = 0; j < b.size(); j += kLanes) {
        const PairFeatures& others = b.prepared()[static_cast<std::size_t>(j / kLanes)];
        if (weights.empty()) {
          kernel.pairs_of_bits(plan.rows(), one, task.bins_a, others, task.bins_b, tables.data(), found.data());
        } else {
          kernel.pairs_of_codes(plan.rows(), plan.weights.data(), one, task.bins_a, others, task.bins_b, tables.data(),
                                found.data());
        }
        for (int set = 0; set < plan.sets; ++set) {
          for (Index lane = 0; lane < std::min<Index>(kLanes, b.size() - j); ++lane) {
            const float statistic = found[static_cast<std::size_t>(set * kLanes + lane)];
            best_a.see(set, i, statistic, j + lane);
            best_b.see(set, j + lane, statistic, i);
          }
        }
      }
    }
    const int degrees = (task.bins_a - 1) * (task.bins_b - 1);
    const std::lock_guard lock(mutex);
    merge(plan, best_a, a, b, task.view_b, degrees, scores[task.view_a]);
    merge(plan, best_b, b, a, task.view_a, degrees, scores[task.view_b]);
  });
  return scores;
}

std::vector<ViewScores> pair_scores_where_shared(const std::vector<BinnedView>& views,
                                                 const std::vector<std::vector<RankBins>>& bins,
                                                 const std::function<RowOrder(std::size_t, std::size_t)>& shared,
                                                 std::span<const float> weights, Threads threads) {
  std::vector<ViewScores> best;
  for (std::size_t v = 0; v < views.size(); ++v) {
    for (std::size_t w = v + 1; w < views.size(); ++w) {
      std::vector<ViewScores> own = pair_scores(views, bins, shared(v, w), weights, threads);
      if (best.empty()) {
        best = std::move(own);
        continue;
      }
      for (const std::size_t view : {v, w}) {
        ViewScores& known = best[view];
        const ViewScores& found = own[view];
        for (std::size_t set = 0; set < known.score.size(); ++set) {
          for (std::size_t j = 0; j < known.score[set].size(); ++j) {
            if (!(found.score[set][j] > known.score[set][j])) continue;
            known.score[set][j] = found.score[set][j];
            if (set > 0) continue;
            known.partner_view[j] = found.partner_view[j];
            known.partner[j] = found.partner[j];
          }
        }
      }
    }
  }
  return best;
}

}  // namespace treecca
