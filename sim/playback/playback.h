#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/simulation.h"
#include "sim/playback/keyframe_store.h"

namespace pericenter {

/// What a recording is made of: snapshots of the same bodies.
struct Reel {
  std::vector<double> times;       ///< of the snapshots in scene units, rising
  std::vector<std::string> names;  ///< of them, for the user
  KeyframeStore::Read read;        ///< all but the first
  std::shared_ptr<const Keyframe> first;
};

/// Plays a recording where others compute. Between two snapshots positions follow the cubic through the positions and
/// velocities of both (C. Hermite 1878, J. reine angew. Math. 84, 70), and velocities its derivative; masses and tags
/// are those of the earlier one. A body that is missing from one of the two is not shown between them. Vertex i is the
/// i-th of the bodies that are shown, in the order of their ids.
///
/// A snapshot that cannot be read is left out from then on; the step or seek that needed it throws InputError, which
/// says so, after it has done its work without it.
class Recording final : public Simulation {
 public:
  /// Starts at the first snapshot; reads the second. Throws InputError, SceneCancelled.
  Recording(Reel reel, const Progress& progress);

  void step(const Params& params, bool with_potential = false, const VertexTarget* vertices = nullptr) override;
  /// Without forces there is no potential: it is NaN.
  Diagnostics diagnostics(const Params& params) override;
  /// All 0: they are not known.
  std::vector<Vec3> accelerations(const Params&) override { return std::vector<Vec3>(size_); }
  Bodies bodies() const override;
  /// Of all scalars it knows the speed alone.
  void publish(const VertexTarget& out) override;
  std::vector<std::uint32_t> interactions() const override { return {}; }
  void tree_boxes(int, int, std::size_t, std::vector<TreeBox>&) const override {}
  int tree_levels() const override { return 0; }
  WorkCounts work() const override { return {}; }
  std::string note() const override;
  /// Goes there, or to the nearest moment that it has.
  bool seek(double time, const Progress& progress) override;
  bool ended(double dt) const override;
  Continuity continuity() const override { return continuity_; }

 private:
  /// Where the moment lies between the two snapshots, as the weights of the cubic and of its derivative.
  struct Weights {
    double position[4], velocity[4];  ///< of left position, left velocity, right position, right velocity
  };

  void go_to(double time, const Progress& progress);
  void complain();
  bool load(const KeyframePair& pair, const Progress& progress);
  void show(const KeyframePair& pair);
  void match(const Keyframe& left, const Keyframe& right);
  void stay_with_what_is_held();
  KeyframePair pair_at(double time) const;
  Weights weights() const;
  Body body(std::size_t i, const Weights& weights) const;
  template <class Function>
  void each_body(const Function& function) const;

  std::vector<double> times_;
  std::vector<std::string> names_;
  std::vector<std::size_t> playable_;  ///< snapshots that may be read, rising
  KeyframeStore store_;
  KeyframePair pair_;
  std::vector<std::uint32_t> in_left_, in_right_;  ///< places of the bodies that both have; empty: all, in order
  std::size_t unmatched_ = 0;                      ///< bodies that only one of the two has
  std::uint64_t fingerprint_ = 0;                  ///< of the ids that are shown
  std::string trouble_;                            ///< sentences about what could not be read since it was last told
  std::vector<std::string> left_out_;              ///< names of snapshots
  Continuity continuity_;
};

}  // namespace pericenter
