#include "sim/run/packed_motion.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <type_traits>

#include "sim/core/fault_injection.h"
#include "sim/core/parallel.h"
#include "sim/core/vertex_target.h"

namespace pericenter {
namespace {

template <class Real, int Dim>
struct MotionType {
  using Number = Real;
  static constexpr int kDimension = Dim, kNumbers = 2 * Dim;
};

/// Calls function(MotionType) for the layout.
template <class Function>
void with_motion_type(const MotionLayout& layout, const Function& function) {
  const bool flat = layout.dimension == 2;
  if (layout.precision == Precision::float32) {
    if (flat) return function(MotionType<float, 2>());
    return function(MotionType<float, 3>());
  }
  if (flat) return function(MotionType<double, 2>());
  return function(MotionType<double, 3>());
}

/// Position and velocity of one body.
template <class Type>
Body unpacked(const typename Type::Number* from) {
  Body body;
  for (int k = 0; k < Type::kDimension; ++k) {
    body.position[k] = static_cast<double>(from[k]);
    body.velocity[k] = static_cast<double>(from[Type::kDimension + k]);
  }
  return body;
}

Body unpacked(const PackedMotion& motion, std::size_t index) {
  Body body;
  with_motion_type(motion.layout(), [&]<class Type>(Type) {
    body = unpacked<Type>(motion.values<typename Type::Number>() + index * Type::kNumbers);
  });
  return body;
}

Vec3 mixed(const double (&weights)[4], const Body& left, const Body& right) {
  return weights[0] * left.position + weights[1] * left.velocity + weights[2] * right.position +
         weights[3] * right.velocity;
}

}  // namespace

PackedMotion::PackedMotion(const MotionLayout& layout) : layout_(layout) {
  if (should_fail(Fault::history_memory)) throw std::bad_alloc();
  memory_ = std::make_unique_for_overwrite<std::byte[]>(layout.bytes());
}

PackedMotion::PackedMotion(const MotionLayout& layout, const Bodies& bodies) : PackedMotion(layout) {
  pack(bodies);
}

PackedMotion::PackedMotion(const MotionLayout& layout, const Simulation& simulation) : PackedMotion(layout) {
  if (!simulation.copy_motion(memory_.get())) pack(simulation.bodies());
}

void PackedMotion::pack(const Bodies& bodies) {
  with_motion_type(layout_, [&]<class Type>(Type) {
    using Number = typename Type::Number;
    Number* const to = reinterpret_cast<Number*>(memory_.get());
    parallel_chunks(0, layout_.bodies, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        Number* const numbers = to + i * Type::kNumbers;
        for (int k = 0; k < Type::kDimension; ++k) {
          numbers[k] = static_cast<Number>(bodies[i].position[k]);
          numbers[Type::kDimension + k] = static_cast<Number>(bodies[i].velocity[k]);
        }
      }
    });
  });
}

BodyConstants::BodyConstants(const Bodies& bodies) : mass(bodies.size()), tag(bodies.size()) {
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      mass[i] = bodies[i].mass;
      tag[i] = bodies[i].tag;
    }
  });
}

bool BodyConstants::belong_to(const Bodies& bodies) const {
  if (bodies.size() != mass.size()) return false;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].mass != mass[i] || bodies[i].tag != tag[i]) return false;
  }
  return true;
}

Bodies bodies_of(const PackedMotion& motion, const BodyConstants& constants) {
  Bodies bodies = uninitialized_bodies(motion.layout().bodies);
  with_motion_type(motion.layout(), [&]<class Type>(Type) {
    const auto* const from = motion.values<typename Type::Number>();
    parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        bodies[i] = unpacked<Type>(from + i * Type::kNumbers);
        bodies[i].mass = constants.mass[i];
        bodies[i].tag = constants.tag[i];
      }
    });
  });
  return bodies;
}

Body body_of(const MotionPair& motion, const BodyConstants& constants, std::size_t index) {
  const Body left = unpacked(motion.left, index), right = unpacked(motion.right, index);
  return {mixed(motion.weights.position, left, right), mixed(motion.weights.velocity, left, right),
          constants.mass[index], constants.tag[index]};
}

void write_motion_vertices(const MotionPair& motion, const BodyConstants& constants, const RecordedScalar& scalar,
                           const VertexTarget& out) {
  with_motion_type(motion.left.layout(), [&]<class Left>(Left) {
    with_motion_type(motion.right.layout(), [&]<class Right>(Right) {
      const auto* const left = motion.left.values<typename Left::Number>();
      const auto* const right = motion.right.values<typename Right::Number>();
      parallel_chunks(0, vertices_of(constants.tag.size(), out.every), [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k) {
          const std::size_t i = k * out.every;
          const Body a = unpacked<Left>(left + i * Left::kNumbers), b = unpacked<Right>(right + i * Right::kNumbers);
          const Vec3 x = mixed(motion.weights.position, a, b);
          float shown = i < scalar.values.size() ? scalar.values[i] : kNoScalar;
          if (scalar.is_speed) shown = static_cast<float>(length(mixed(motion.weights.velocity, a, b)));
          out.vertices[k] = {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2]),
                             make_attribute(constants.tag[i], shown)};
        }
      });
    });
  });
}

}  // namespace pericenter
