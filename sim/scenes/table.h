#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace pericenter {

/// A function given at increasing x, linear in between and constant outside.
class Table {
 public:
  Table() = default;
  Table(std::vector<double> x, std::vector<double> y) : x_(std::move(x)), y_(std::move(y)) {}

  double operator()(double x) const {
    if (x <= x_.front()) return y_.front();
    if (x >= x_.back()) return y_.back();
    const std::size_t i = static_cast<std::size_t>(std::upper_bound(x_.begin(), x_.end(), x) - x_.begin());
    const double fraction = (x - x_[i - 1]) / (x_[i] - x_[i - 1]);
    return y_[i - 1] + fraction * (y_[i] - y_[i - 1]);
  }

 private:
  std::vector<double> x_, y_;
};

}  // namespace pericenter
