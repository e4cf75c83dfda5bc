// The hot loops. Histogram, split scan and predict: one kernel set beside the other and beside the plain loops that the
// tests hold them to. Items per second are updates (row x feature), candidate splits, and steps of a row down a tree;
// of binning, values.
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <vector>

#include "trees/gradients.hpp"
#include "trees/kernels.hpp"
#include "trees/plain_kernels.hpp"
#include "trees/predict.hpp"

namespace {

using namespace treecca;  // NOLINT: a benchmark of this one library

constexpr int kRows = 50'000;
constexpr int kBins = 255;

struct Data {
  Data() {
    std::mt19937_64 generator(1);
    for (auto& column : codes) {
      for (int i = 0; i < kRows; ++i) column.push_back(static_cast<std::uint8_t>(generator() % kBins));
    }
    for (RowIndex i = 0; i < kRows; i += 1 + static_cast<RowIndex>(generator() % 3)) rows.push_back(i);
    for (int i = 0; i < kRows * 64; ++i) lanes.push_back(static_cast<std::int32_t>(generator() % 20'001) - 10'000);
    for (int i = 0; i < kRows; ++i)
      packed.push_back((static_cast<std::int64_t>(generator() % 20'001) - 10'000) * 65'536 + 1);
    for (int f = 0; f < kFeatureBlock; ++f) columns[f] = codes[f].data();
  }
  std::vector<std::uint8_t> codes[kFeatureBlock];
  const std::uint8_t* columns[kFeatureBlock];
  std::vector<RowIndex> rows;
  std::vector<std::int32_t> lanes;
  std::vector<std::int64_t> packed;
};

const Data& data() {
  static const Data instance;
  return instance;
}

template <class Cell, class Build>
void time_build(benchmark::State& state, int cells, Build&& build) {
  std::vector<std::vector<Cell>> histograms(kFeatureBlock, std::vector<Cell>(std::size_t{256} * cells));
  Cell* pointers[kFeatureBlock];
  for (int f = 0; f < kFeatureBlock; ++f) pointers[f] = histograms[f].data();
  for (auto _ : state) {
    build(pointers);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(data().rows.size()) * kFeatureBlock);
}

/// Counts 1 per row, so that every split is allowed.
std::vector<std::int32_t> lane_histogram(int width, int lanes) {
  std::vector<std::int32_t> histogram(std::size_t{kBins + 1} * lanes, 0);
  for (int b = 0; b < kBins; ++b) {
    for (int k = 0; k < width; ++k) histogram[b * lanes + k] = data().lanes[b * 64 + k];
    histogram[b * lanes + width] = 10;
  }
  return histogram;
}

void add_build_and_scan(const std::string& name, const Kernels* use) {
  const auto n = static_cast<std::ptrdiff_t>(data().rows.size());
  benchmark::RegisterBenchmark(("histogram/scalar/" + name).c_str(), [=](benchmark::State& state) {
    const auto build = use != nullptr ? use->build_scalar : testing::plain_build_scalar;
    time_build<std::int64_t>(state, 1, [&](std::int64_t* const* histograms) {
      build(data().columns, kFeatureBlock, data().rows.data(), n, data().packed.data(), histograms);
    });
  });
  for (const int width : {3, 5, 10, 50}) {
    const int lanes = static_cast<int>(padded_lanes(width));
    benchmark::RegisterBenchmark(
        ("histogram/joint" + std::to_string(width) + "/" + name).c_str(), [=](benchmark::State& state) {
          const auto build = use != nullptr ? use->build_lanes : testing::plain_build_lanes;
          time_build<std::int32_t>(state, lanes, [&](std::int32_t* const* histograms) {
            build(data().columns, kFeatureBlock, data().rows.data(), n, data().lanes.data(), lanes, histograms);
          });
        });
    benchmark::RegisterBenchmark(
        ("scan/joint" + std::to_string(width) + "/" + name).c_str(), [=](benchmark::State& state) {
          const std::vector<std::int32_t> histogram = lane_histogram(width, lanes);
          std::vector<std::int32_t> total(static_cast<std::size_t>(lanes), 0);
          std::vector<std::vector<double>> entries;
          for (std::size_t i = 0; i < histogram.size(); ++i) total[i % lanes] += histogram[i];
          for (int b = 0; b <= kBins; ++b) {
            const auto begin = histogram.begin() + std::ptrdiff_t{b} * lanes;
            entries.emplace_back(begin, begin + width + 1);
          }
          const SplitInput input{kBins, 1.0, 1.0};
          for (auto _ : state) {
            benchmark::DoNotOptimize(use != nullptr
                                         ? use->best_split_lanes(histogram.data(), total.data(), width, lanes, input)
                                         : testing::plain_best_split(entries, width, input));
          }
          state.SetItemsProcessed(state.iterations() * (kBins - 1));
        });
  }
}

constexpr Index kPredictFeatures = 20;
constexpr int kDepth = 5;
constexpr int kTrees = 150;

/// Full trees of random splits with K = 5 values per leaf.
PartModel random_forest() {
  std::mt19937_64 generator(2);
  std::normal_distribution<float> normal;
  PartModel part;
  part.rotation = Matrix<double>(5, 5);
  part.encoders.resize(1);
  for (int t = 0; t < kTrees; ++t) {
    Tree tree;
    tree.component = -1;
    const int inner = (1 << kDepth) - 1;
    for (int i = 0; i < 2 * inner + 1; ++i) {
      Node node;
      if (i < inner) {
        node.feature = static_cast<std::int32_t>(generator() % kPredictFeatures);
        node.threshold = normal(generator);
        node.left = 2 * i + 1;
        node.right = 2 * i + 2;
      } else {
        node.leaf = i - inner;
      }
      tree.nodes.push_back(node);
    }
    for (int i = 0; i < (inner + 1) * 5; ++i) tree.leaf_values.push_back(normal(generator));
    part.encoders[0].push_back(std::move(tree));
  }
  return part;
}

struct Prediction {
  Prediction() : part(random_forest()), values(2000, kPredictFeatures), out(2000 * 5) {
    std::mt19937_64 generator(3);
    std::normal_distribution<float> normal;
    for (float& x : values.values()) x = normal(generator);
  }
  PartModel part;
  Matrix<float> values;
  std::vector<double> out;
};

void predict_compiled(benchmark::State& state, const Kernels& use) {
  Prediction work;
  const Predictor predictor(work.part, use);
  for (auto _ : state) {
    predictor.embed(work.values, 0, work.values.rows(), work.out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * work.values.rows() * kTrees * kDepth);
}

void predict_plain(benchmark::State& state) {
  Prediction work;
  for (auto _ : state) {
    std::fill(work.out.begin(), work.out.end(), 0.0);
    for (const Tree& tree : work.part.encoders[0]) {
      for (Index i = 0; i < work.values.rows(); ++i) {
        const float* row = work.values.row(i);
        const Node* node = tree.nodes.data();
        while (!node->is_leaf()) node = &tree.nodes[row[node->feature] < node->threshold ? node->left : node->right];
        const float* leaf = tree.leaf_values.data() + node->leaf * 5;
        for (int k = 0; k < 5; ++k) work.out[i * 5 + k] += leaf[k];
      }
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * work.values.rows() * kTrees * kDepth);
}

/// Row by row, as for a few new rows.
void predict_row(benchmark::State& state) {
  Prediction work;
  Index row = 0;
  for (auto _ : state) {
    embed_by_walking(work.part.encoders, 5, work.values, row, row + 1, work.out.data());
    row = (row + 1) % work.values.rows();
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kTrees * kDepth);
}

void bin_values(benchmark::State& state) {
  Matrix<float> values(kRows, kPredictFeatures);
  std::mt19937_64 generator(4);
  std::normal_distribution<float> normal;
  for (float& x : values.values()) x = normal(generator);
  for (auto _ : state) {
    const BinnedView binned(View{"x", values}, kBins, 1);
    benchmark::DoNotOptimize(binned.column(0));
  }
  state.SetItemsProcessed(state.iterations() * kRows * kPredictFeatures);
}

}  // namespace

int main(int argc, char** argv) {
  add_build_and_scan("plain", nullptr);
  const std::vector<InstructionSet>& sets = available_instruction_sets();
  for (const InstructionSet set : sets) add_build_and_scan(kernels(set).name, &kernels(set));
  benchmark::RegisterBenchmark("binning", bin_values);
  benchmark::RegisterBenchmark("predict/row", predict_row);
  benchmark::RegisterBenchmark("predict/plain", predict_plain);
  for (const InstructionSet set : sets) {
    benchmark::RegisterBenchmark((std::string("predict/") + kernels(set).name).c_str(),
                                 [=](benchmark::State& state) { predict_compiled(state, kernels(set)); });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
