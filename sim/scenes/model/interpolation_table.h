#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sim/core/host_device.h"

namespace pericenter {

/// A view of a Table, which must outlive it, or of its copy on a GPU.
struct TableView {
  const double* x = nullptr;
  const double* y = nullptr;
  std::size_t size = 0;

  PERICENTER_HOST_DEVICE double operator()(double at) const {
    if (at <= x[0]) return y[0];
    if (at >= x[size - 1]) return y[size - 1];
    // Not std::upper_bound(): it compiles for CUDA without a warning, but returns wrong results.
    std::size_t i = 0, last = size;  // i becomes the index of the first greater x
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

/// A function tabulated at increasing x, with linear interpolation and constant extrapolation.
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
