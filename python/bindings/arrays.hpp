// NumPy arrays to and from the matrices of the core, without copies.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca::python {

namespace nb = nanobind;

/// Two dimensions, single or double precision, any strides; read-only arrays too.
using InputArray = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;

/// A window onto the array's memory: valid while the array lives.
inline MatrixView as_view(const InputArray& array) {
  const auto rows = static_cast<Index>(array.shape(0));
  const auto cols = static_cast<Index>(array.shape(1));
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

/// Gives the values to NumPy, which frees them in the end.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values, std::vector<std::size_t> shape) {
  auto* owner = new std::vector<T>(std::move(values));
  const nb::capsule capsule(owner, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(owner->data(), shape.size(), shape.data(), capsule);
}

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(Matrix<T>&& matrix) {
  const std::vector<std::size_t> shape{static_cast<std::size_t>(matrix.rows()),
                                       static_cast<std::size_t>(matrix.cols())};
  return to_numpy(std::move(matrix.values()), shape);
}

inline nb::ndarray<nb::numpy, double> to_numpy(const std::vector<double>& values) {
  return to_numpy(std::vector<double>(values), {values.size()});
}

}  // namespace treecca::python
