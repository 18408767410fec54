#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/hermite.h"
#include "sim/core/simulation.h"
#include "sim/core/tree_box.h"
#include "sim/core/vertex_target.h"
#include "sim/files/load.h"
#include "sim/playback/body_match.h"
#include "sim/playback/series_watch.h"

namespace pericenter {

/// Snapshots of the same bodies.
struct SnapshotSeries {
  std::vector<double> times;       ///< snapshot times in scene units, ascending
  std::vector<std::string> names;  ///< names shown to the user
  KeyframeStore::Read read;        ///< reads all but the first
  std::shared_ptr<const Keyframe> first;
  std::shared_ptr<SeriesWatch> watch = {};  ///< looks for further ones; null: there are none
  bool one_is_enough = false;               ///< because others may follow
  std::shared_ptr<FieldChoice> field = {};  ///< what `read` reads; null: no fields
};

/// Plays a series of snapshots in place of a simulation. Positions between two snapshots are the cubic interpolation of
/// the positions and velocities of both (C. Hermite 1878, J. reine angew. Math. 84, 70), velocities its derivative;
/// masses and tags are those of the earlier snapshot. In a periodic volume a body that leaves through a wall enters
/// through the opposite one. A body that is missing from one of the two is not shown between them. Vertex i is the i-th
/// of the bodies shown, sorted by id.
///
/// A snapshot that cannot be read is skipped from then on: the step or seek that needed it does its work without it and
/// then throws InputError. A playback that follows its series does not throw: such a file may be written again.
class Playback final : public Simulation {
 public:
  /// Starts at the first snapshot; reads the second. Throws InputError, SceneCancelled.
  Playback(SnapshotSeries series, const Progress& progress);

  void step(const Params& params, bool with_potential = false, const VertexTarget* vertices = nullptr) override;
  /// The potential is NaN, because no forces are computed.
  Diagnostics diagnostics(const Params& params) override;
  /// All 0, because no forces are computed.
  std::vector<Vec3> accelerations(const Params&) override { return std::vector<Vec3>(match_.size()); }
  SampledForces sampled_forces(const Params&, std::span<const std::size_t>) override { return {}; }
  Bodies bodies() const override;
  Body body(std::size_t index) const override { return body(index, moment()); }
  bool has_velocities() const override;
  /// Speed and the field are the only scalars available.
  void write_vertices(const VertexTarget& out) override;
  std::vector<std::uint32_t> interactions() const override { return {}; }
  void tree_boxes(int, int, std::size_t, std::vector<TreeBox>&) const override {}
  int tree_levels() const override { return 0; }
  WorkCounts work() const override { return {}; }
  std::string note() const override;
  /// Clamps `time` to the range of the snapshots.
  bool seek(double time, const Progress& progress) override;
  bool ended(double dt) const override;
  Continuity continuity() const override { return continuity_; }
  /// Labels of the earlier snapshot.
  BodyLabels labels() const override;

  /// Reads the snapshots between which the time is again, with this field, as all later ones. The scale is that of the
  /// earlier one. Throws InputError, SceneCancelled.
  std::optional<FieldScale> show_field(const std::string& name, const Progress& progress);

  TimeRange range() const;
  SeriesWatch* watch() const { return watch_.get(); }
  /// Whether new snapshots are looked for; false if they cannot be.
  bool follow(bool wanted);
  /// Takes the new snapshots. The time stays, unless it is no longer in the range. nullopt: there are none.
  std::optional<SeriesNews> take_news();

 private:
  void go_to(double time, const Progress& progress);
  void throw_read_errors();
  bool load(const KeyframePair& pair, const Progress& progress);
  void show(const KeyframePair& pair);
  void show_held();
  KeyframePair pair_at(double time) const;
  /// The present time between two snapshots.
  struct Moment {
    double span, fraction;
    HermiteWeights weights;
  };
  Moment moment() const;
  Body body(std::size_t i, const Moment& now) const;
  float scalar_of(std::size_t i, const Body& body) const;
  template <class Function>
  void each_body(const Function& function) const;

  std::vector<double> times_;
  std::vector<std::string> names_;
  std::vector<std::size_t> playable_;  ///< indices of the snapshots without a read error, by time
  KeyframeStore store_;
  std::shared_ptr<SeriesWatch> watch_;
  KeyframePair pair_;
  BodyMatch match_;
  std::uint64_t fingerprint_ = 0;     ///< hash of the ids shown
  std::string read_errors_;           ///< sentences for the user, not yet thrown
  std::vector<std::string> skipped_;  ///< names of snapshots
  Continuity continuity_;
  std::shared_ptr<FieldChoice> field_;
  std::optional<FieldScale> scale_;  ///< scale of the field that vertices show
};

}  // namespace pericenter
