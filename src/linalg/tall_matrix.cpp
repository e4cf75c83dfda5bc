#include "linalg/tall_matrix.hpp"

#include <algorithm>
#include <vector>

#include "linalg/add_gram.hpp"
#include "support/parallel.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

constexpr Index kBlockValues = Index{1} << 18;  // 2 MB of doubles, loaded by one thread at a time
constexpr Index kProductRows = 256;             // rows of a product that one thread makes at a time
constexpr Index kMaxParts = 16;                 // separate sums, so that threads need not wait for each other
constexpr Index kPartValues = Index{1} << 25;   // memory for all of these sums: 256 MB

/// Rows [begin, end) of L, block after block.
template <class Use>
void for_each_block(const TallMatrix& source, Index begin, Index end, Use&& use) {
  const Index step = std::clamp<Index>(kBlockValues / std::max<Index>(1, source.cols), 16, 4096);
  RowMatrix buffer(std::min(step, end - begin), source.cols);
  for (Index at = begin; at < end; at += step) {
    const Index size = std::min(step, end - at);
    source.load(at, at + size, buffer.topRows(size));
    use(at, buffer.topRows(size));
  }
}

/// The sum over all blocks, where add(block, sum) adds to a rows x cols matrix. Rows are divided into parts by the
/// shape alone; each part has its own sum, and these are added in order.
template <class Add>
MatrixXd sum_over_blocks(const TallMatrix& source, Index rows, Index cols, Threads threads, Add&& add) {
  if (rows * cols == 0) return MatrixXd(rows, cols);
  const Index parts = std::clamp<Index>(kPartValues / std::max<Index>(1, rows * cols), 1, kMaxParts);
  const Index part_rows = std::max<Index>(64, (source.rows + parts - 1) / parts);
  std::vector<MatrixXd> sums(static_cast<std::size_t>(parts));
  parallel_blocks(source.rows, part_rows, threads, [&](Index begin, Index end) {
    MatrixXd& sum = sums[static_cast<std::size_t>(begin / part_rows)];
    sum = MatrixXd::Zero(rows, cols);
    for_each_block(source, begin, end, [&](Index, const auto& block) { add(block, sum); });
  });
  MatrixXd total = MatrixXd::Zero(rows, cols);
  for (const MatrixXd& sum : sums) {
    if (sum.size() > 0) total += sum;
  }
  return total;
}

}  // namespace

MatrixXd gram(const TallMatrix& source, Threads threads) {
  MatrixXd result = sum_over_blocks(source, source.cols, source.cols, threads, [&](const auto& block, MatrixXd& sum) {
    AlignedVector<double> buffer;
    add_gram(block.data(), block.rows(), block.outerStride(), sum, buffer);
  });
  result.triangularView<Eigen::StrictlyLower>() = result.transpose();
  return result;
}

MatrixXd gram_product(const TallMatrix& source, const MatrixXd& right, Threads threads) {
  MatrixXd result = sum_over_blocks(source, source.cols, right.cols(), threads, [&](const auto& block, MatrixXd& sum) {
    const MatrixXd image = block * right;
    sum.noalias() += block.transpose() * image;
  });
  return result;
}

MatrixXd product(const TallMatrix& source, const MatrixXd& right, Threads threads) {
  MatrixXd result = MatrixXd::Zero(source.rows, right.cols());
  if (right.size() == 0) return result;
  parallel_blocks(source.rows, kProductRows, threads, [&](Index begin, Index end) {
    for_each_block(source, begin, end,
                   [&](Index at, const auto& block) { result.middleRows(at, block.rows()).noalias() = block * right; });
  });
  return result;
}

}  // namespace treecca
