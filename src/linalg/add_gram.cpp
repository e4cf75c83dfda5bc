#include "linalg/add_gram.hpp"

#include "linalg/gram_kernels.hpp"

namespace treecca {

void add_gram(const double* x, Index rows, Index stride, Eigen::MatrixXd& sum, AlignedVector<double>& buffer) {
  constexpr Index kFewColumns = 12;  // fewer do not fill the kernel's vectors
  const Index cols = sum.cols();
  if (cols < kFewColumns) {
    const Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> columns(x, cols, rows,
                                                                             Eigen::OuterStride<>(stride));
    sum.selfadjointView<Eigen::Upper>().rankUpdate(columns);
    return;
  }
  const auto size = static_cast<std::size_t>(gram_buffer_size(cols));
  if (buffer.size() < size) buffer.resize(size);
  gram_kernels().add_rows(x, rows, stride, cols, buffer.data(), sum.data());
}

}  // namespace treecca
