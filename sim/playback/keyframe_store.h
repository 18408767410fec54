#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/body_field.h"
#include "sim/core/simulation.h"
#include "sim/scenes/registry.h"

namespace pericenter {

/// The periodic volume of a snapshot, in scene units.
struct PeriodicBox {
  Vec3 low, sides;  ///< its corner and its sides; 0: not periodic
  /// Along each axis: the bodies are a group, which a wall would cut, because they leave half of the side empty.
  std::array<bool, 3> has_group = {};
  Vec3 origin;  ///< place of the file's origin, from which the lengths of an expanding volume grow
};

/// The bodies of one snapshot of a series.
struct Keyframe {
  Bodies bodies;                         ///< bodies in scene units
  std::vector<std::uint64_t> ids;        ///< identifiers, ascending; equal ones in the order of the file; empty: none
  std::vector<std::uint8_t> types = {};  ///< GADGET's particle type of each body; empty: unknown
  PeriodicBox box = {};
  FieldInfo field = {};            ///< the field that was read
  std::vector<float> values = {};  ///< its value of each body, NaN: none; empty: the file does not have it
};

/// The name of the field that the files of a series are read with; empty: none. Thread-safe.
class FieldChoice {
 public:
  std::string name() const {
    const std::scoped_lock lock(mutex_);
    return name_;
  }
  void choose(const std::string& name) {
    const std::scoped_lock lock(mutex_);
    name_ = name;
  }

 private:
  mutable std::mutex mutex_;
  std::string name_;
};

/// Sorts the bodies by id. `field`: that of the values of the labels.
std::shared_ptr<const Keyframe> make_keyframe(Bodies bodies, BodyLabels labels, const PeriodicBox& box = {},
                                              const FieldInfo& field = {});

/// Indices of two neighbouring snapshots; equal when only one can be read.
struct KeyframePair {
  std::size_t left = 0, right = 0;

  bool has(std::size_t index) const { return index == left || index == right; }
  friend bool operator==(const KeyframePair&, const KeyframePair&) = default;
};

/// Reads keyframes on a background thread and holds at most three, including the one being read. For one calling
/// thread.
class KeyframeStore {
 public:
  /// Throws InputError, std::bad_alloc, and SceneCancelled when its progress function returns false. Calls do not
  /// overlap.
  using Read = std::function<std::shared_ptr<const Keyframe>(std::size_t index, const Progress& progress)>;
  static constexpr std::size_t kMaxHeld = 3;

  /// Holds `first` as index 0.
  KeyframeStore(Read read, std::shared_ptr<const Keyframe> first);
  ~KeyframeStore() { cancel(); }

  bool holds(std::size_t index) const { return held_.contains(index); }
  std::size_t any() const { return held_.begin()->first; }
  const Keyframe& held(std::size_t index) const { return *held_.at(index); }
  /// Holds a keyframe that was read elsewhere; may evict others, except those of `keep`.
  void add(std::size_t index, std::shared_ptr<const Keyframe> frame, const KeyframePair& keep);
  /// Waits until the keyframe is held; may evict others, except those of `keep`. Throws the errors of the reader, and
  /// SceneCancelled when `progress` returns false.
  void load(std::size_t index, const KeyframePair& keep, const Progress& progress);
  /// Reads the keyframes of a pair again, and drops others; if that fails or is cancelled, some are the old ones.
  void reload(const KeyframePair& pair, const Progress& progress);
  /// Starts reading the keyframe unless another one is being read; does not wait.
  void read_ahead(std::size_t index, const KeyframePair& keep);

 private:
  struct Reading {
    std::size_t index = 0;
    std::atomic<bool> cancelled = false;
    std::atomic<double> progress = 0;
    std::future<std::shared_ptr<const Keyframe>> result;  // last: its destructor waits for the thread
  };

  void start(std::size_t index, const KeyframePair& keep);
  void make_room(const KeyframePair& keep);
  void wait(const Progress& progress);
  void cancel();

  Read read_;
  std::map<std::size_t, std::shared_ptr<const Keyframe>> held_;
  std::unique_ptr<Reading> reading_;
};

}  // namespace pericenter
