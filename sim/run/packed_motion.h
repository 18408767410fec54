#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"
#include "sim/core/hermite.h"
#include "sim/core/simulation.h"
#include "sim/core/vertex_target.h"

namespace pericenter {

/// Numbers of a PackedMotion: 2 * dimension per body, in the precision of the simulation.
struct MotionLayout {
  std::size_t bodies = 0;
  int dimension = 3;
  Precision precision = Precision::float32;

  std::size_t bytes() const {
    return bodies * 2 * static_cast<std::size_t>(dimension) * (precision == Precision::float32 ? 4 : 8);
  }
};

/// Positions and velocities of all bodies at one moment, with all bits that the simulation has. Immutable, so that
/// threads may share it.
class PackedMotion {
 public:
  /// Throws std::bad_alloc.
  PackedMotion(const MotionLayout& layout, const Bodies& bodies);
  /// Of a simulation with this layout. Throws std::bad_alloc.
  PackedMotion(const MotionLayout& layout, const Simulation& simulation);

  const MotionLayout& layout() const { return layout_; }
  /// The components of position, then of velocity, body after body. Real must be that of the layout.
  template <class Real>
  const Real* values() const {
    return reinterpret_cast<const Real*>(memory_.get());
  }

 private:
  explicit PackedMotion(const MotionLayout& layout);
  void pack(const Bodies& bodies);

  MotionLayout layout_;
  std::unique_ptr<std::byte[]> memory_;
};

/// What does not change while bodies move.
struct BodyConstants {
  std::vector<double> mass;
  std::vector<std::uint32_t> tag;

  explicit BodyConstants(const Bodies& bodies);
  bool belong_to(const Bodies& bodies) const;
};

/// A moment between two others of the same bodies, whose layouts may differ.
struct MotionPair {
  const PackedMotion& left;
  const PackedMotion& right;
  HermiteWeights weights;
};

/// The bodies at a recorded moment, bit by bit.
Bodies bodies_of(const PackedMotion& motion, const BodyConstants& constants);
/// One of the bodies.
Body body_of(const MotionPair& motion, const BodyConstants& constants, std::size_t index);

/// What vertices of a recorded moment can show: the speed, or one of these values per body, or if they are empty,
/// nothing.
struct RecordedScalar {
  bool is_speed = false;
  std::span<const float> values = {};
};

/// Writes one vertex per body, or of one in VertexTarget::every, on all cores.
void write_motion_vertices(const MotionPair& motion, const BodyConstants& constants, const RecordedScalar& scalar,
                           const VertexTarget& out);

}  // namespace pericenter
