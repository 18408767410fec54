#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "sim/files/body_check.h"
#include "sim/files/snapshot.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {

/// GADGET's type of a body, by its component where the snapshot has no types; below kBodyTypes.
std::size_t type_of(const Snapshot& snapshot, std::size_t index);
/// Multiplies the masses from index `first` on so that each type has the mass of the census.
void restore_masses(Snapshot& snapshot, std::size_t first = 0);

/// Keeps the bodies of one file that ReadOptions::selection selects, block by block, so that the others need no memory.
/// A body that outweighs `every` mean ones of its type is always kept; so are types of at most `every` bodies, if ids
/// decide.
class BodySelector {
 public:
  static constexpr std::size_t kBlock = 1 << 15;

  /// `box`: sides of the periodic volume in the snapshot, unless the user states another; 0: none. `length_factor`: as
  /// in Snapshot.
  BodySelector(const ReadOptions& options, const Vec3& box, double length_factor = 1);

  bool selects() const { return options_.selection.any(); }
  /// The bodies of `snapshot` from index `first` on are the next ones of the file: removes those that are not selected.
  /// Bodies without ids get their places in the file.
  void apply(Snapshot& snapshot, std::size_t first = 0);
  /// Counts bodies that are not read, because their type is not selected.
  void pass(std::size_t type, std::uint64_t count);
  /// What was found so far.
  const Census& census() const { return census_; }
  /// After all bodies: fills the census and corrects the masses from index `first` on.
  void finish(Snapshot& snapshot, std::size_t first = 0) const;

  /// What bodies of a format have besides Body.
  struct Labels {
    bool ids = false, types = false, values = false;
  };
  /// Appends the bodies of a file, which are checked as by check_bodies(), and those of them that are selected remain.
  /// fill(i, to) writes the i-th of `count` to index `to` of the snapshot; name(i) is its name for errors.
  template <class Fill>
  void read(std::size_t count, const Labels& labels, SceneProgress& progress, Snapshot& snapshot, const Fill& fill,
            const std::function<std::string(std::size_t)>& name) {
    const std::size_t portion = selects() ? kBlock : std::max<std::size_t>(count, 1);
    for (std::size_t begin = 0; begin < count; begin += portion) {
      const std::size_t size = std::min(portion, count - begin), first = snapshot.bodies.size();
      snapshot.bodies.resize(first + size);
      if (labels.ids) snapshot.ids.resize(first + size);
      if (labels.types) snapshot.types.resize(first + size);
      if (labels.values) snapshot.values.resize(first + size);
      progress.for_each(size, [&](std::size_t k) { fill(begin + k, first + k); });
      check_bodies(
          snapshot, options_, [&](std::size_t index) { return name(begin + index - first); }, first);
      apply(snapshot, first);
    }
  }

 private:
  bool is_chosen(const Body& body, std::size_t type) const;
  bool is_kept(Body& body, std::size_t type, std::uint64_t id);

  const ReadOptions& options_;
  const double length_factor_;
  const Vec3 box_;
  Census census_;
  std::array<std::uint64_t, kBodyTypes> turns_ = {};  ///< bodies so far of which one of `every` is kept
  std::uint64_t place_ = 0;
};

}  // namespace pericenter
