// Products with a tall matrix that is never stored as doubles: it is loaded block by block.
//
// L is rows x cols; `load` fills the rows [begin, end) of L into a block with that number of rows. It is called from
// several threads at once and must be a pure function of its range. Blocks do not depend on the number of threads and
// are added in order, so neither do the results. Memory: at most 16 times the result, up to 256 MB, plus 2 MB per
// thread.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct TallMatrix {
  Index rows = 0;
  Index cols = 0;
  std::function<void(Index begin, Index end, Eigen::Ref<RowMatrix> block)> load;
};

/// L' L, cols x cols.
Eigen::MatrixXd gram(const TallMatrix& source, Threads threads);

/// L' (L right), cols x right.cols(), in one pass.
Eigen::MatrixXd gram_product(const TallMatrix& source, const Eigen::MatrixXd& right, Threads threads);

/// L right, rows x right.cols().
Eigen::MatrixXd product(const TallMatrix& source, const Eigen::MatrixXd& right, Threads threads);

}  // namespace treecca
