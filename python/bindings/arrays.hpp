// Converts NumPy arrays to inputs of the core (read in place) and its results to NumPy arrays (moved, or copied if they
// are small and stay in the model).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca::python {

namespace nb = nanobind;

/// Two dimensions, single or double precision, any strides; read-only arrays too.
using InputArray = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;

/// A view of the array's memory: valid while the array lives.
inline MatrixView as_view(const InputArray& array) {
  const auto rows = static_cast<Index>(array.shape(0));
  const auto cols = static_cast<Index>(array.shape(1));
  if (reinterpret_cast<std::uintptr_t>(array.data()) % (array.itemsize()) != 0) {
    throw nb::value_error("The array is not aligned in memory. Copy it.");
  }
  if (array.dtype() == nb::dtype<float>()) {
    return {static_cast<const float*>(array.data()), rows, cols, array.stride(0), array.stride(1)};
  }
  if (array.dtype() == nb::dtype<double>()) {
    return {static_cast<const double*>(array.data()), rows, cols, array.stride(0), array.stride(1)};
  }
  throw nb::type_error("Expected an array of float32 or float64.");
}

/// The array's numbers in single precision.
inline Matrix<float> copied(const InputArray& array) {
  const MatrixView view = as_view(array);
  Matrix<float> copy(view.rows(), view.cols());
  for (Index i = 0; i < view.rows(); ++i) {
    for (Index k = 0; k < view.cols(); ++k) copy(i, k) = view(i, k);
  }
  return copy;
}

/// One number per sample, or None.
template <class T>
using InputColumn = std::optional<nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>;

/// The numbers of the column; empty for None.
template <class T>
std::vector<T> copied(const InputColumn<T>& column) {
  return column ? std::vector<T>(column->data(), column->data() + column->size()) : std::vector<T>{};
}

/// Moves the values into a NumPy array of this shape, which owns them. All arrays that go to Python are made here.
/// Failure: std::logic_error if values and shape differ in length, because NumPy would read beyond the values.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values, const std::vector<std::size_t>& shape) {
  const std::size_t length = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  if (length != values.size()) {
    throw std::logic_error("An array of " + std::to_string(length) + " elements was asked for, but there are " +
                           std::to_string(values.size()) + " values. This is a bug in TreeCCA.");
  }
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  const nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(owned.release()->data(), shape.size(), shape.data(), owner);
}

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(Matrix<T>&& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.rows());
  const auto cols = static_cast<std::size_t>(matrix.cols());
  return to_numpy(std::move(matrix.values()), {rows, cols});
}

/// Returns a copy, for a few numbers that stay in the model.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(const std::vector<T>& values) {
  return to_numpy(std::vector<T>(values), {values.size()});
}

}  // namespace treecca::python
