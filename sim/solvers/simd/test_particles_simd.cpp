// Compiled once per instruction set; see vectors_simd.h for the restrictions.
#include "sim/solvers/simd/test_particles.h"

#include "sim/solvers/simd/vectors_simd.h"

namespace pericenter::PERICENTER_SIMD {
namespace {

/// A step is tried if the square root of G M / r^3, summed over the sources, times the step is at most this.
constexpr double kMostTurn = 0.2;
/// It is good if the last term of the accelerations is below this share of them: the error goes with its square.
constexpr double kMostLastTerm = 1e-4;
/// Corrections end when they change the velocity by less than a quarter of its rounding.
constexpr double kRounding = 3e-17;
constexpr int kMostCorrections = 5;
constexpr double kLeastSquare = 1e-180;  ///< two bodies in one place do not attract, and divide by no zero

using Lanes = Pack<double>;
using Mask = decltype(Lanes{} < Lanes{});

inline Lanes larger(Lanes a, Lanes b) {
  return a > b ? a : b;
}
inline Lanes magnitude(Lanes value) {
  return value < 0 ? -value : value;
}
inline bool any(Mask mask) {
  for (int lane = 0; lane < kLanes<double>; ++lane)
    if (mask[lane]) return true;
  return false;
}

struct Vector {
  Lanes along[3] = {};

  Lanes largest() const { return larger(larger(magnitude(along[0]), magnitude(along[1])), magnitude(along[2])); }
};

/// Particles in one register.
class Attempt {
 public:
  Attempt(const FieldStep& step, const TestParticles& particles, std::size_t first) : step_(step) {
    for (int k = 0; k < 3; ++k) {
      position_.along[k] = load(particles.position[k] + first);
      velocity_.along[k] = load(particles.velocity[k] + first);
      lost_.along[k] = load(particles.lost[k] + first);
    }
  }

  /// Finds the accelerations at the nodes; returns for which particles they are good.
  Mask solve() {
    const double span = step_.span < 0 ? -step_.span : step_.span, most = kMostTurn / span;
    const Lanes rate = accelerate(0, position_, found_[0]);
    Mask good = rate <= Lanes{} + most * most;
    if (!any(good)) return good;
    const Lanes rounding = kRounding * larger(velocity_.largest() / span, found_[0].largest());
    for (int n = 1; n < kPoints; ++n) correct(n, kCollocation.first[n]);
    Mask open = good;
    for (int k = 0; k < kMostCorrections; ++k)
      for (int n = 1; n < kPoints && any(open); ++n) open = good & ~(correct(n, kCollocation.way[n]) <= rounding);
    const Lanes size = larger(found_[0].largest(), found_[kPoints - 1].largest());
    return good & ~open & (weighted(kCollocation.last_term).largest() <= kMostLastTerm * size);
  }

  void store(ParticleChanges& changes, std::size_t first, Mask good) const {
    const double span = step_.span;
    const Vector way = weighted(kCollocation.end_way), velocity = weighted(kCollocation.end_velocity);
    for (int lane = 0; lane < kLanes<double>; ++lane) {
      const std::size_t i = first + static_cast<std::size_t>(lane);
      changes.good[i] = good[lane] != 0;
      for (int k = 0; k < 3; ++k) {
        changes.way[k][i] = span * velocity_.along[k][lane] + span * span * way.along[k][lane];
        changes.velocity[k][i] = span * velocity.along[k][lane];
      }
    }
  }

 private:
  Vector weighted(const double (&weights)[kPoints]) const {
    Vector sum;
    for (int n = 0; n < kPoints; ++n)
      for (int k = 0; k < 3; ++k) sum.along[k] += weights[n] * found_[n].along[k];
    return sum;
  }
  /// The largest change of the acceleration at node n.
  Lanes correct(int n, const double (&weights)[kPoints]) {
    const double time = step_.span * kPointSpacing[n], square = step_.span * step_.span;
    const Vector way = weighted(weights);
    Vector at, now, change;
    for (int k = 0; k < 3; ++k)
      at.along[k] = position_.along[k] + (lost_.along[k] + time * velocity_.along[k] + square * way.along[k]);
    accelerate(n, at, now);
    for (int k = 0; k < 3; ++k) change.along[k] = now.along[k] - found_[n].along[k];
    found_[n] = now;
    return change.largest();
  }
  /// Returns the sum of G M / r^3.
  Lanes accelerate(int n, const Vector& at, Vector& found) const {
    const double square = step_.softening_squared > kLeastSquare ? step_.softening_squared : kLeastSquare;
    Lanes rate = {};
    found = {};
    for (std::size_t j = 0; j < step_.sources; ++j) {
      const double* const source = step_.nodes[n] + 3 * j;
      Vector way;
      Lanes r2 = Lanes{} + square;
      for (int k = 0; k < 3; ++k) {
        way.along[k] = source[k] - at.along[k];
        r2 += way.along[k] * way.along[k];
      }
      const Lanes inverse = inverse_root(r2);
      const Lanes force = (step_.gravity * step_.mass[j] * inverse) * (inverse * inverse);
      for (int k = 0; k < 3; ++k) found.along[k] += force * way.along[k];
      rate += magnitude(force);
    }
    return rate;
  }

  const FieldStep& step_;
  Vector position_, velocity_, lost_;
  Vector found_[kPoints];
};

void move_particles(const FieldStep& step, const TestParticles& particles, ParticleChanges& changes) {
  for (std::size_t first = 0; first < kParticles; first += kLanes<double>) {
    Attempt attempt(step, particles, first);
    const Mask good = attempt.solve();
    attempt.store(changes, first, good);
  }
}

}  // namespace

ParticleKernel particle_kernel() {
  return move_particles;
}

}  // namespace pericenter::PERICENTER_SIMD
