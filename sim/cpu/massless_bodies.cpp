#include "sim/cpu/massless_bodies.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/core/simulation.h"

namespace pericenter {
namespace {

constexpr std::size_t kBodiesPerTask = 256;
/// Parts of a time step that the bodies of a task may need, together.
constexpr int kMostParts = 2'000'000;
constexpr int kMostHalvings = 46;  ///< shorter steps are lost in the rounding of the time

struct MasslessBody {
  std::array<double, 3> position, velocity, lost_position = {}, lost_velocity = {};  // see add_compensated()
  int joined = -1;  ///< the source that the body has met
};

/// Bodies that take the same step.
class MasslessGroup {
 public:
  explicit MasslessGroup(std::span<MasslessBody* const> bodies) : bodies_(bodies) {
    for (std::size_t i = 0; i < kParticles; ++i) {
      const MasslessBody& body = *bodies_[std::min(i, bodies_.size() - 1)];
      for (int k = 0; k < 3; ++k) {
        particles_.position[k][i] = body.position[k];
        particles_.velocity[k][i] = body.velocity[k];
        particles_.lost[k][i] = body.lost_position[k];
      }
    }
  }

  /// Appends bodies that need a shorter step to `rest`, and moves the others.
  void move(ParticleKernel kernel, const FieldStep& step, std::vector<MasslessBody*>& rest) const {
    ParticleChanges changes;
    kernel(step, particles_, changes);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (!changes.good[i]) {
        rest.push_back(bodies_[i]);
        continue;
      }
      MasslessBody& body = *bodies_[i];
      for (int k = 0; k < 3; ++k) {
        add_compensated(body.position[k], body.lost_position[k], changes.way[k][i]);
        add_compensated(body.velocity[k], body.lost_velocity[k], changes.velocity[k][i]);
      }
    }
  }

 private:
  std::span<MasslessBody* const> bodies_;
  TestParticles particles_;
};

/// Where the sources are while a part of the time step passes.
struct PartOfStep {
  PartOfStep(const MassiveField& field, double start, double span)
      : step{.span = span,
             .gravity = field.params.gravity,
             .softening_squared = field.params.softening * field.params.softening,
             .sources = field.mass.size(),
             .mass = field.mass.data(),
             .nodes = {}} {
    for (int n = 0; n < kPoints; ++n) {
      nodes[n] = field.course.at(start + span * kPointSpacing[n]);
      step.nodes[n] = nodes[n].data();
    }
  }
  PartOfStep(const PartOfStep&) = delete;
  PartOfStep& operator=(const PartOfStep&) = delete;

  std::array<std::vector<double>, kPoints> nodes;
  FieldStep step;
};

/// Bodies of one task.
class MasslessTask {
 public:
  MasslessTask(const Motion& all, std::span<const std::size_t> bodies, const MassiveField& field) : field_(field) {
    for (const std::size_t i : bodies) {
      MasslessBody& body = bodies_.emplace_back();
      for (int k = 0; k < 3; ++k) {
        body.position[k] = all.position[k][i];
        body.velocity[k] = all.velocity[k][i];
      }
      for (std::size_t j = 0; j < field_.mass.size(); ++j)
        if (moves_with(body, j)) body.joined = static_cast<int>(j);
    }
  }

  void run() {
    std::vector<MasslessBody*> all;
    for (MasslessBody& body : bodies_) all.push_back(&body);
    advance(std::move(all), 0, field_.params.dt, 0);
  }

  void store(std::span<const std::size_t> bodies, Motion& all) const {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const MasslessBody& body = bodies_[i];
      for (int k = 0; k < 3; ++k) {
        const auto* const source = body.joined < 0 ? nullptr : &field_.end[3 * body.joined + k];
        all.position[k][bodies[i]] = source ? source->position : body.position[k];
        all.velocity[k][bodies[i]] = source ? source->velocity : body.velocity[k];
      }
    }
  }

 private:
  /// Through a part of the time step; bodies that need shorter steps move through its halves.
  void advance(std::vector<MasslessBody*> bodies, double start, double span, int halvings) {
    std::erase_if(bodies, [](const MasslessBody* body) { return body->joined >= 0; });
    if (bodies.empty()) return;
    field_.cancellation.check();
    if (++parts_ > kMostParts) throw too_long();
    const PartOfStep part(field_, start, span);
    std::vector<MasslessBody*> rest;
    for (std::size_t first = 0; first < bodies.size(); first += kParticles) {
      const std::size_t count = std::min(kParticles, bodies.size() - first);
      MasslessGroup(std::span(bodies).subspan(first, count)).move(field_.kernel, part.step, rest);
    }
    if (halvings == kMostHalvings)
      for (MasslessBody* body : std::exchange(rest, {})) join_closest(*body, part.nodes[0]);
    if (rest.empty()) return;
    advance(rest, start, span / 2, halvings + 1);
    advance(std::move(rest), start + span / 2, span / 2, halvings + 1);
  }

  static StepError too_long() {
    return StepError("The run stopped before a step that bodies without mass divide into more than " +
                     std::to_string(kMostParts) + " parts. Choose a shorter time step, or another integrator.");
  }
  void join_closest(MasslessBody& body, const std::vector<double>& sources) const {
    double least = std::numeric_limits<double>::infinity();
    body.joined = 0;
    for (std::size_t j = 0; j < field_.mass.size(); ++j) {
      double r2 = 0;
      for (int k = 0; k < 3; ++k) r2 += std::pow(sources[3 * j + k] - body.position[k], 2);
      if (!(r2 < least)) continue;
      least = r2;
      body.joined = static_cast<int>(j);
    }
  }
  bool moves_with(const MasslessBody& body, std::size_t j) const {
    for (std::size_t k = 0; k < 3; ++k) {
      const RadauSeries& source = field_.course.start()[3 * j + k];
      if (body.position[k] != source.position || body.velocity[k] != source.velocity) return false;
    }
    return true;
  }

  const MassiveField& field_;
  std::vector<MasslessBody> bodies_;
  int parts_ = 0;
};

}  // namespace

std::vector<double> positions_at(std::span<const RadauSeries> motion, double span, double h) {
  std::vector<double> position(motion.size());
  for (std::size_t i = 0; i < motion.size(); ++i) position[i] = motion[i].position + motion[i].way(span, h);
  return position;
}

void MassiveCourse::add(double span, std::vector<RadauSeries> motion) {
  const double start = steps_.empty() ? 0 : steps_.back().start + steps_.back().span;
  steps_.push_back({start, span, std::move(motion)});
}

std::vector<double> MassiveCourse::at(double time) const {
  const auto later =
      std::ranges::upper_bound(steps_, std::abs(time), {}, [](const Step& s) { return std::abs(s.start); });
  const Step& step = *(later - 1);
  return positions_at(step.motion, step.span, (time - step.start) / step.span);
}

void move_massless(Motion& motion, std::span<const std::size_t> bodies, const MassiveField& field) {
  const std::size_t tasks = (bodies.size() + kBodiesPerTask - 1) / kBodiesPerTask;
  tbb::parallel_for(std::size_t(0), tasks, [&](std::size_t k) {
    const auto mine = bodies.subspan(k * kBodiesPerTask, std::min(kBodiesPerTask, bodies.size() - k * kBodiesPerTask));
    MasslessTask task(motion, mine, field);
    task.run();
    task.store(mine, motion);
  });
}

}  // namespace pericenter
