#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

/// Stands for oneTBB under the thread sanitizer, which cannot see into a library that was compiled without it: what we
/// use of its interface, on threads that begin with a loop and end with it. That orders a loop with what is before and
/// behind it, and nothing within it, so that every race between two of its turns is seen. Loops within loops run on the
/// thread that meets them.
namespace tbb {

namespace stand_in {
inline constexpr std::size_t kMaxThreads = 4;
inline std::atomic<std::size_t> allowed{kMaxThreads};
inline thread_local std::size_t width = kMaxThreads;  ///< threads of the arena that this one is in
inline thread_local std::size_t place = 0;            ///< of this thread among those of its loop
inline thread_local bool in_loop = false;

/// Sets a value until its scope is left.
template <class T>
class Sets {
 public:
  Sets(T& value, T now) : value_(value), before_(std::exchange(value, now)) {}
  ~Sets() { value_ = before_; }
  Sets(const Sets&) = delete;
  Sets& operator=(const Sets&) = delete;

 private:
  T& value_;
  T before_;
};

/// Calls turn(0) .. turn(count - 1) on several threads; rethrows what the first that failed threw.
template <class Turn>
void loop(std::size_t count, const Turn& turn) {
  std::atomic<std::size_t> next{0};
  std::mutex guard;
  std::exception_ptr thrown;
  const auto work = [&](std::size_t where) {
    const Sets<std::size_t> at(place, where);
    const Sets<bool> inside(in_loop, true);
    try {
      for (std::size_t k; (k = next.fetch_add(1, std::memory_order_relaxed)) < count;) turn(k);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!thrown) thrown = std::current_exception();
      next.store(count, std::memory_order_relaxed);
    }
  };
  if (in_loop) {
    for (std::size_t k = 0; k < count; ++k) turn(k);
    return;
  }
  std::vector<std::thread> others;
  const std::size_t threads = std::min({count, width, allowed.load(), kMaxThreads});
  for (std::size_t k = 1; k < threads; ++k) others.emplace_back(work, k);
  work(0);
  for (std::thread& other : others) other.join();
  if (thrown) std::rethrow_exception(thrown);
}
}  // namespace stand_in

class global_control {
 public:
  enum parameter { max_allowed_parallelism };
  global_control(parameter, std::size_t threads) : before_(stand_in::allowed.exchange(threads)) {}
  ~global_control() { stand_in::allowed = before_; }
  global_control(const global_control&) = delete;
  global_control& operator=(const global_control&) = delete;
  static std::size_t active_value(parameter) { return stand_in::allowed; }

 private:
  std::size_t before_;
};

class task_arena {
 public:
  static constexpr int automatic = -1;
  explicit task_arena(int threads = automatic)
      : width_(threads > 0 ? static_cast<std::size_t>(threads) : stand_in::kMaxThreads) {}
  template <class Work>
  auto execute(const Work& work) const {
    const stand_in::Sets<std::size_t> inside(stand_in::width, width_);
    return work();
  }

 private:
  std::size_t width_;
};

template <class Value>
class blocked_range {
 public:
  blocked_range(Value begin, Value end, std::size_t grain = 1) : begin_(begin), end_(end), grain_(grain) {}
  Value begin() const { return begin_; }
  Value end() const { return end_; }
  std::size_t grainsize() const { return grain_; }

 private:
  Value begin_, end_;
  std::size_t grain_;
};

template <class Index, class Function>
void parallel_for(Index first, Index last, const Function& function) {
  if (!(first < last)) return;
  stand_in::loop(static_cast<std::size_t>(last - first),
                 [&](std::size_t k) { function(static_cast<Index>(first + static_cast<Index>(k))); });
}

template <class Value, class Function>
void parallel_for(const blocked_range<Value>& range, const Function& function) {
  const Value grain = static_cast<Value>(range.grainsize());
  parallel_for(Value(0), (range.end() - range.begin() + grain - 1) / grain, [&](Value block) {
    const Value begin = range.begin() + block * grain;
    function(blocked_range<Value>(begin, std::min(range.end(), begin + grain)));
  });
}

template <class Iterator, class... Less>
void parallel_sort(Iterator begin, Iterator end, const Less&... less) {
  std::sort(begin, end, less...);
}

class task_group {
 public:
  template <class Work>
  void run(const Work& work) {
    works_.push_back(work);
  }
  template <class Work>
  void run_and_wait(const Work& work) {
    run(work);
    stand_in::loop(works_.size(), [&](std::size_t k) { works_[k](); });
    works_.clear();
  }

 private:
  std::vector<std::function<void()>> works_;
};

/// A value for each thread of a loop, all made at once.
template <class Value>
class enumerable_thread_specific {
  using Values = std::vector<std::unique_ptr<Value>>;  // of what can neither be copied nor moved

 public:
  class iterator {
   public:
    explicit iterator(typename Values::iterator at) : at_(at) {}
    Value& operator*() const { return **at_; }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const iterator& other) const { return at_ != other.at_; }

   private:
    typename Values::iterator at_;
  };

  enumerable_thread_specific() : enumerable_thread_specific([] { return Value(); }) {}
  template <class Make>
  explicit enumerable_thread_specific(const Make& make) {
    for (std::size_t k = 0; k < stand_in::kMaxThreads; ++k) values_.emplace_back(new Value(make()));
  }
  Value& local() { return *values_[stand_in::place]; }
  iterator begin() { return iterator(values_.begin()); }
  iterator end() { return iterator(values_.end()); }

 private:
  Values values_;
};

}  // namespace tbb
