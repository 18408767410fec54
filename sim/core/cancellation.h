#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace pericenter {

/// Thrown when a force evaluation is cancelled.
struct Cancelled {};

/// Cancels a long force evaluation from another thread, and reports its progress.
class CancellationToken {
 public:
  enum class Why { nothing, cancelled, superseded };  ///< superseded: a newer request replaces the evaluation

  void ask(Why why) { why_ = why; }
  Why why() const { return why_.load(std::memory_order_relaxed); }
  bool asked() const { return why() != Why::nothing; }
  /// Progress of the current or the last evaluation, in [0, 1].
  double share() const { return std::min(1.0, static_cast<double>(done_) / std::max(static_cast<double>(all_), 1.0)); }

  // Called by the evaluating threads.
  void begin(std::uint64_t work) {
    done_ = 0;
    all_ = work;
  }
  /// Call before each part of some milliseconds. Throws Cancelled.
  void check() const {
    if (asked()) throw Cancelled{};
  }
  /// Call after such a part.
  void add(std::uint64_t work) { done_.fetch_add(work, std::memory_order_relaxed); }

 private:
  std::atomic<Why> why_{Why::nothing};
  alignas(64) std::atomic<std::uint64_t> done_{0};  // a cache line of its own: written often, while why_ is read often
  std::atomic<std::uint64_t> all_{0};
};

}  // namespace pericenter
