// Tables of numbers: Matrix owns its memory, MatrixView refers to memory of the caller.
//
// Rows are samples, columns are features or components. Trees use features in single precision, as in XGBoost. A
// MatrixView has both precisions: operator() rounds doubles to float, value() does not. Rounding would merge values in
// columns far from zero (time stamps, values around 1e8): a view can subtract an offset from each column before it
// rounds.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace treecca {

using Index = std::ptrdiff_t;

/// An owned, dense, row-major matrix: element (i, j) is data()[i * cols() + j].
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(Index rows, Index cols, T fill = T{})
      : rows_(rows), cols_(cols), values_(static_cast<std::size_t>(rows * cols), fill) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  bool empty() const { return values_.empty(); }

  T& operator()(Index i, Index j) { return values_[static_cast<std::size_t>(i * cols_ + j)]; }
  const T& operator()(Index i, Index j) const { return values_[static_cast<std::size_t>(i * cols_ + j)]; }
  T* row(Index i) { return values_.data() + i * cols_; }
  const T* row(Index i) const { return values_.data() + i * cols_; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  std::vector<T>& values() { return values_; }
  const std::vector<T>& values() const { return values_; }

  bool operator==(const Matrix&) const = default;

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  std::vector<T> values_;
};

/// A read-only view of float or double numbers owned by the caller, with any strides (in elements).
/// The memory must outlive the view. Missing values are NaN.
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(const float* data, Index rows, Index cols, Index row_stride, Index col_stride)
      : single_(data), rows_(rows), cols_(cols), row_stride_(row_stride), col_stride_(col_stride) {}
  MatrixView(const double* data, Index rows, Index cols, Index row_stride, Index col_stride)
      : double_(data), rows_(rows), cols_(cols), row_stride_(row_stride), col_stride_(col_stride) {}
  /// Row-major, contiguous.
  MatrixView(const float* data, Index rows, Index cols) : MatrixView(data, rows, cols, cols, 1) {}
  MatrixView(const double* data, Index rows, Index cols) : MatrixView(data, rows, cols, cols, 1) {}
  MatrixView(const Matrix<float>& m) : MatrixView(m.data(), m.rows(), m.cols()) {}   // NOLINT
  MatrixView(const Matrix<double>& m) : MatrixView(m.data(), m.rows(), m.cols()) {}  // NOLINT

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  /// In single precision, minus the column's offset.
  float operator()(Index i, Index j) const {
    if (single_ != nullptr && !offsets_) return single_[offset(i, j)];
    return static_cast<float>(offsets_ ? value(i, j) - (*offsets_)[static_cast<std::size_t>(j)]
                                       : double_[offset(i, j)]);
  }
  /// The number as given.
  double value(Index i, Index j) const {
    return single_ != nullptr ? static_cast<double>(single_[offset(i, j)]) : double_[offset(i, j)];
  }

  /// The offsets that operator() subtracts: one number per column, or empty.
  const std::vector<double>& offsets() const {
    static const std::vector<double> none;
    return offsets_ ? *offsets_ : none;
  }
  /// The same numbers with other offsets: one per column, or empty.
  MatrixView less(std::vector<double> offsets) const {
    MatrixView result = *this;
    result.offsets_ = offsets.empty() ? nullptr : std::make_shared<const std::vector<double>>(std::move(offsets));
    return result;
  }

 private:
  Index offset(Index i, Index j) const { return i * row_stride_ + j * col_stride_; }

  std::shared_ptr<const std::vector<double>> offsets_;
  const float* single_ = nullptr;
  const double* double_ = nullptr;
  Index rows_ = 0;
  Index cols_ = 0;
  Index row_stride_ = 0;
  Index col_stride_ = 0;
};

}  // namespace treecca
