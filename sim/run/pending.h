#pragma once

#include <chrono>
#include <future>
#include <utility>

namespace pericenter {

/// A result that another thread computes. A copy of its owner, which continues independently, does not wait for it.
template <typename T>
class Pending {
 public:
  Pending() = default;
  Pending(std::future<T> result) : result_(std::move(result)) {}
  Pending(const Pending&) {}
  Pending(Pending&&) noexcept = default;
  Pending& operator=(Pending other) noexcept {
    result_ = std::move(other.result_);
    return *this;
  }

  bool exists() const { return result_.valid(); }
  bool is_ready() const { return exists() && result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  /// Waits for the result, or throws what the other thread threw. It must exist, and then exists no longer.
  T get() { return result_.get(); }

 private:
  std::future<T> result_;
};

}  // namespace pericenter
