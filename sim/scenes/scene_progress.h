#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>

#include "sim/scenes/registry.h"

namespace pericenter {

/// Tells the caller of a scene how far it is, some 50 times in all, from the thread that makes the scene.
class SceneProgress {
 public:
  /// `items`: how many for_each() will handle in all. Throws SceneCancelled when the caller wants no scene at all.
  SceneProgress(const Progress& progress, std::size_t items) : progress_(progress), items_(items) { report(); }

  /// Calls make(i) for i in [0, count) on all cores, and throws SceneCancelled between two portions when cancelled.
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
