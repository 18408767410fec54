#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/playback/keyframe_store.h"

namespace pericenter {

/// Number of box sides to add to the later position of a body, so that it moves as its velocities say: the nearest
/// periodic image. 0 along axes that are not periodic in both snapshots, which are `span` apart in time.
Vec3 image_shift(const Body& before, const Body& after, const PeriodicBox& left, const PeriodicBox& right, double span);

/// Which bodies of two snapshots are the same: those of equal id, or without ids of equal place. Several bodies may
/// share an id, as stars do that were formed in one gas cell of GIZMO: each is matched with the nearest one, of its own
/// type if there is one.
class BodyMatch {
 public:
  BodyMatch() = default;
  BodyMatch(const Keyframe& left, const Keyframe& right, double span);

  std::size_t size() const { return size_; }
  std::size_t left(std::size_t i) const { return all_ ? i : in_left_[i]; }
  std::size_t right(std::size_t i) const { return all_ ? i : in_right_[i]; }
  /// Sentences for the user; empty if nothing is remarkable.
  std::string note() const;

 private:
  void merge(const Keyframe& left, const Keyframe& right, double span);
  void add(std::size_t left, std::size_t right);

  std::size_t size_ = 0;
  bool all_ = true;                                ///< every body, in order
  std::vector<std::uint32_t> in_left_, in_right_;  ///< unless all_
  std::size_t unmatched_ = 0;                      ///< bodies that only one of the two has
  std::size_t ambiguous_ = 0;                      ///< bodies of the first that share their id
  bool jumps_ = false;  ///< most bodies, matched by place, are farther apart than their velocities allow
};

}  // namespace pericenter
