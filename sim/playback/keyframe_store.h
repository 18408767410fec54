#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/scenes/registry.h"

namespace pericenter {

/// The bodies of one snapshot of a recording.
struct Keyframe {
  Bodies bodies;                   ///< in scene units
  std::vector<std::uint64_t> ids;  ///< of the bodies, rising; empty: 0, 1, 2 ...
};

/// Puts the bodies in the order of their ids. Throws InputError when two have the same one.
std::shared_ptr<const Keyframe> make_keyframe(Bodies bodies, std::vector<std::uint64_t> ids);

/// Two neighbouring snapshots, by number; the same one twice where there is no other.
struct KeyframePair {
  std::size_t left = 0, right = 0;

  bool has(std::size_t index) const { return index == left || index == right; }
  friend bool operator==(const KeyframePair&, const KeyframePair&) = default;
};

/// Reads keyframes on a thread of its own, and holds three at most, the one that is being read included. One thread
/// calls it.
class KeyframeStore {
 public:
  /// Throws InputError, std::bad_alloc, and SceneCancelled once its progress function returns false. Only one call runs
  /// at a time.
  using Read = std::function<std::shared_ptr<const Keyframe>(std::size_t index, const Progress& progress)>;
  static constexpr std::size_t kMax = 3;

  /// Holds `first` as number 0.
  KeyframeStore(Read read, std::shared_ptr<const Keyframe> first);
  ~KeyframeStore() { cancel(); }

  bool holds(std::size_t index) const { return held_.contains(index); }
  std::size_t any() const { return held_.begin()->first; }
  const Keyframe& held(std::size_t index) const { return *held_.at(index); }
  /// Waits until it is held; of the others only those of `keep` are sure to stay. Throws what the reader throws, and
  /// SceneCancelled when `progress` returns false.
  void load(std::size_t index, const KeyframePair& keep, const Progress& progress);
  /// Begins to read it unless another is being read; does not wait.
  void read_ahead(std::size_t index, const KeyframePair& keep);

 private:
  struct Reading {
    std::size_t index = 0;
    std::atomic<bool> cancelled = false;
    std::atomic<double> progress = 0;
    std::future<std::shared_ptr<const Keyframe>> result;  // last: its end waits for the thread, which uses the others
  };

  void start(std::size_t index, const KeyframePair& keep);
  void wait(const Progress& progress);
  void cancel();

  Read read_;
  std::map<std::size_t, std::shared_ptr<const Keyframe>> held_;
  std::unique_ptr<Reading> reading_;
};

}  // namespace pericenter
