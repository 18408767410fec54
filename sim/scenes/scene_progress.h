#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>

#include "sim/scenes/registry.h"

namespace pericenter {

/// Parallel loops that report progress about 50 times in all, on the calling thread.
class SceneProgress {
 public:
  /// `items`: total number of items of all for_each() calls. Throws SceneCancelled if `progress` already cancels.
  SceneProgress(const Progress& progress, std::size_t items) : progress_(progress), items_(items) { report(); }

  /// Calls make(i) for i in [0, count) on all cores. Throws SceneCancelled between two portions when cancelled.
  template <class Make>
  void for_each(std::size_t count, const Make& make) {
    const std::size_t portion = std::max<std::size_t>(1, items_ / 50);
    for (std::size_t begin = 0; begin < count; begin += portion) {
      const std::size_t end = std::min(count, begin + portion);
      tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end, 256), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) make(i);
      });
      done_ += end - begin;
      report();
    }
  }

 private:
  void report() const {
    const double fraction = items_ == 0 ? 1 : std::min(1.0, static_cast<double>(done_) / static_cast<double>(items_));
    if (progress_ && !progress_(fraction)) throw SceneCancelled{};
  }

  const Progress& progress_;
  std::size_t items_;
  std::size_t done_ = 0;
};

}  // namespace pericenter
