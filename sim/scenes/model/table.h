#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sim/core/host_device.h"

namespace pericenter {

/// The numbers of a Table, which must outlive it; on the GPU, a copy of them.
struct TableView {
  const double* x = nullptr;
  const double* y = nullptr;
  std::size_t size = 0;

  PERICENTER_BOTH double operator()(double at) const {
    if (at <= x[0]) return y[0];
    if (at >= x[size - 1]) return y[size - 1];
    // std::upper_bound() compiles for CUDA without a word, and returns anything.
    std::size_t i = 0, last = size;  // of the first that is greater
    while (i < last) {
      const std::size_t middle = (i + last) / 2;
      if (at < x[middle]) {
        last = middle;
      } else {
        i = middle + 1;
      }
    }
    const double fraction = (at - x[i - 1]) / (x[i] - x[i - 1]);
    return y[i - 1] + fraction * (y[i] - y[i - 1]);
  }
};

/// A function given at increasing x, linear in between and constant outside.
class Table {
 public:
  Table() = default;
  Table(std::vector<double> x, std::vector<double> y) : x_(std::move(x)), y_(std::move(y)) {}

  double operator()(double x) const { return view()(x); }
  TableView view() const { return {x_.data(), y_.data(), x_.size()}; }

 private:
  std::vector<double> x_, y_;
};

}  // namespace pericenter
