#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace pericenter {

/// An evaluation of forces has been given up.
struct Cancelled {};

/// What one thread ends a long evaluation of forces with, and sees how far it is, while others are at it.
class CancellationToken {
 public:
  enum class Why { nothing, cancelled, superseded };  ///< its result is not wanted, or something else in its place is

  void ask(Why why) { why_ = why; }
  Why why() const { return why_.load(std::memory_order_relaxed); }
  bool asked() const { return why() != Why::nothing; }
  /// Of the evaluation under way or of the last one, in [0, 1].
  double share() const { return std::min(1.0, static_cast<double>(done_) / std::max(static_cast<double>(all_), 1.0)); }

  // For those who evaluate.
  void begin(std::uint64_t work) {
    done_ = 0;
    all_ = work;
  }
  /// Before a part that takes some milliseconds. Throws Cancelled.
  void check() const {
    if (asked()) throw Cancelled{};
  }
  /// After such a part.
  void add(std::uint64_t work) { done_.fetch_add(work, std::memory_order_relaxed); }

 private:
  std::atomic<Why> why_{Why::nothing};
  alignas(64) std::atomic<std::uint64_t> done_{0};  // written often, why_ is read often
  std::atomic<std::uint64_t> all_{0};
};

}  // namespace pericenter
