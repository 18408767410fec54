#include "sim/cpu/massless_bodies.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/cpu/radau_step.h"

namespace pericenter {
namespace {

/// Bodies side by side, as many as fit into a register of every x86-64 processor.
constexpr std::size_t kSide = 2;
using Pack = double __attribute__((vector_size(kSide * sizeof(double))));

constexpr std::size_t kBodiesPerTask = 256;
/// Steps of a body in one step of the massive ones, including those that are repeated.
constexpr int kMostOwnSteps = 4'000;
constexpr double kShortestOwnStep = 1e-14;  ///< share of the time step
/// The velocity changes by an eighth of this, in units of its change in the step: far below its rounding.
constexpr double kOwnTolerance = 2e-13;
constexpr double kTinySquare = 1e-180;  ///< two bodies in one place do not attract, and divide by no zero

}  // namespace

template <>
struct RadauNumber<Pack> {
  static Pack magnitude(Pack value) { return value < 0 ? -value : value; }
  static Pack larger(Pack a, Pack b) { return a > b ? a : b; }
  static double top(Pack value) {
    double most = value[0];
    for (std::size_t k = 1; k < kSide; ++k) most = value[k] <= most ? most : value[k];
    for (std::size_t k = 0; k < kSide; ++k) most = std::isnan(value[k]) ? value[k] : most;
    return most;
  }
};

namespace {

/// Bodies without mass that share their steps.
class Block {
 public:
  Block(const Motion& all, std::span<const std::size_t> bodies, const MassiveField& field)
      : bodies_(bodies), field_(field) {
    for (std::size_t lane = 0; lane < kSide; ++lane) {
      const std::size_t body = bodies_[std::min(lane, bodies_.size() - 1)];
      for (int k = 0; k < 3; ++k) {
        motion_[k].position[lane] = all.position[k][body];
        motion_[k].velocity[lane] = all.velocity[k][body];
      }
      for (std::size_t j = 0; j < field_.mass.size(); ++j)
        if (moves_with(&field_.steps.front().motion[3 * j], lane)) join(lane, j);
    }
  }

  void follow(const MassiveStep& massive) {
    double left = joined_[0] >= 0 && joined_[kSide - 1] >= 0 ? 0 : massive.span;
    for (int attempt = 0; left != 0; ++attempt) {
      const double wanted = limited_step(next_, left), since = massive.span - left;
      if (attempt >= kMostOwnSteps || std::abs(wanted) < kShortestOwnStep * std::abs(field_.params.dt)) {
        join_closest(massive.at(since));
        next_ = left;
        attempt = 0;
        if (joined_[0] >= 0 && joined_[kSide - 1] >= 0) return;
        continue;
      }
      if (std::exchange(has_ended_, false))
        for (auto& one : motion_) one.predict_next(wanted / span_);
      span_ = wanted;
      const double growth = try_step(massive, since);
      next_ = span_ * growth;
      if (growth * kMostExcess < 1) continue;
      left = span_ == left ? 0 : left - span_;
      for (auto& one : motion_) one.finish(span_);
      has_ended_ = true;
    }
  }

  void store(Motion& all) const {
    for (std::size_t lane = 0; lane < bodies_.size(); ++lane) {
      for (int k = 0; k < 3; ++k) {
        const bool is_free = joined_[lane] < 0;
        const RadauSeries<double>* const source = is_free ? nullptr : &field_.end[3 * joined_[lane] + k];
        all.position[k][bodies_[lane]] = is_free ? motion_[k].position[lane] : source->position;
        all.velocity[k][bodies_[lane]] = is_free ? motion_[k].velocity[lane] : source->velocity;
      }
    }
  }

 private:
  /// Computes the series of a step that begins after `since` of the massive one. Returns how much longer it could be.
  double try_step(const MassiveStep& massive, double since) {
    const bool whole = span_ == massive.span;
    std::array<std::vector<double>, kRadauNodes> own;
    for (int n = 0; n < kRadauNodes && !whole; ++n) own[n] = massive.at(since + span_ * kRadauSpacing[n]);
    const auto& sources = whole ? massive.nodes : own;
    std::array<Pack, 3> found;
    accelerate(sources[0], 0, found);
    for (int k = 0; k < 3; ++k) motion_[k].acceleration = found[k];
    const double b6 =
        correct_series(std::span<RadauSeries<Pack>>(motion_), std::span<Pack>(found), kOwnTolerance,
                       [&](int n, std::span<Pack> into) { accelerate(sources[n], kRadauSpacing[n], into); });
    const double growth = radau_growth(b6);
    if (growth * kMostExcess < 1)
      for (auto& one : motion_) std::isfinite(b6) ? one.rescale(growth) : one.forget();
    return growth;
  }

  /// The accelerations at the share h of the step, by sources with these positions.
  void accelerate(const std::vector<double>& sources, double h, std::span<Pack> found) const {
    const double square = field_.params.softening * field_.params.softening;
    Pack at[3], sum[3] = {};
    for (int k = 0; k < 3; ++k) at[k] = motion_[k].position + motion_[k].way(span_, h);
    for (std::size_t j = 0; j < field_.mass.size(); ++j) {
      Pack way[3], r2 = Pack{} + square;
      for (int k = 0; k < 3; ++k) {
        way[k] = sources[3 * j + k] - at[k];
        r2 += way[k] * way[k];
      }
      r2 = RadauNumber<Pack>::larger(r2, Pack{} + kTinySquare);
      Pack distance;
      for (std::size_t lane = 0; lane < kSide; ++lane) distance[lane] = std::sqrt(r2[lane]);
      const Pack force = field_.mass[j] / (r2 * distance);
      for (int k = 0; k < 3; ++k) sum[k] += force * way[k];
    }
    for (int k = 0; k < 3; ++k) found[k] = pull_ > 0 ? sum[k] * field_.params.gravity : Pack{};
  }

  /// The body closest to a source stays with it from now on: they have met.
  void join_closest(const std::vector<double>& sources) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t closest = joined_[0] >= 0 ? kSide - 1 : 0, source = 0;
    for (std::size_t lane = 0; lane < kSide; ++lane) {
      for (std::size_t j = 0; j < field_.mass.size() && joined_[lane] < 0; ++j) {
        double r2 = 0;
        for (int k = 0; k < 3; ++k) r2 += std::pow(sources[3 * j + k] - motion_[k].position[lane], 2);
        if (!(r2 < least)) continue;
        least = r2;
        closest = lane;
        source = j;
      }
    }
    join(closest, source);
    for (auto& one : motion_) one.forget();
    has_ended_ = false;
  }
  void join(std::size_t lane, std::size_t source) {
    joined_[lane] = static_cast<int>(source);
    pull_[lane] = 0;
    for (auto& one : motion_) one.position[lane] = one.velocity[lane] = 0;
  }

  /// Whether the body has the motion of this source.
  bool moves_with(const RadauSeries<double>* source, std::size_t lane) const {
    for (int k = 0; k < 3; ++k) {
      if (motion_[k].position[lane] != source[k].position || motion_[k].velocity[lane] != source[k].velocity)
        return false;
    }
    return true;
  }

  std::span<const std::size_t> bodies_;
  const MassiveField& field_;
  std::array<RadauSeries<Pack>, 3> motion_;
  std::array<int, kSide> joined_ = {-1, -1};  ///< the source that a body has met
  Pack pull_ = Pack{} + 1;                    ///< 0 for these bodies
  double span_ = 0;                           ///< time of the step that the series describe
  double next_ = std::numeric_limits<double>::infinity();
  bool has_ended_ = false;  ///< whether the positions are those of its end
};

}  // namespace

std::vector<double> positions_at(std::span<const RadauSeries<double>> motion, double span, double h) {
  std::vector<double> position(motion.size());
  for (std::size_t i = 0; i < motion.size(); ++i) position[i] = motion[i].position + motion[i].way(span, h);
  return position;
}

MassiveStep::MassiveStep(double span_, std::vector<RadauSeries<double>> motion_)
    : span(span_), motion(std::move(motion_)) {
  for (int n = 0; n < kRadauNodes; ++n) nodes[n] = positions_at(motion, span, kRadauSpacing[n]);
}

void move_massless(Motion& motion, std::span<const std::size_t> bodies, const MassiveField& field) {
  const std::size_t tasks = (bodies.size() + kBodiesPerTask - 1) / kBodiesPerTask;
  tbb::parallel_for(std::size_t(0), tasks, [&](std::size_t task) {
    field.cancellation.check();
    const auto mine = bodies.subspan(task * kBodiesPerTask);
    for (std::size_t first = 0; first < std::min(kBodiesPerTask, mine.size()); first += kSide) {
      Block block(motion, mine.subspan(first, std::min(kSide, mine.size() - first)), field);
      for (const MassiveStep& step : field.steps) block.follow(step);
      block.store(motion);
    }
  });
}

}  // namespace pericenter
