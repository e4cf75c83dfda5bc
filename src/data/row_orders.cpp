#include "data/row_orders.hpp"

#include <algorithm>

namespace treecca {

ReorderedDataset::ReorderedDataset(const Dataset& data, const RowOrders& orders) : data_(data) {
  values_.resize(data.views.size());
  for (std::size_t v = 0; v < data.views.size(); ++v) {
    if (orders[v].empty()) continue;
    const MatrixView& from = data.views[v].values;
    Matrix<double> values(from.rows(), from.cols());
    for (Index i = 0; i < from.rows(); ++i) {
      for (Index j = 0; j < from.cols(); ++j) values(i, j) = from.value(orders[v][static_cast<std::size_t>(i)], j);
    }
    values_[v] = std::move(values);
    data_.views[v].values = MatrixView(values_[v]).less(from.offsets());
  }
}

}  // namespace treecca
