#include "sim/analysis/probe.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "sim/analysis/cell_probe.h"
#include "sim/core/parallel.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/tree/body_walk.h"
#include "sim/solvers/tree/opening.h"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {
namespace {

constexpr std::size_t kWarp = 32;

/// What acts on one body, added up in doubles by the law of PairKernels.
template <class Real, int Dim>
class Pull {
 public:
  Pull(const Source<Real, Dim>& target, double softening) {
    for (int k = 0; k < Dim; ++k) target_[k] = static_cast<double>(target.position[k]);
    const Real length = static_cast<Real>(softening);
    softening_squared_ = static_cast<double>(std::max(length * length, kTinySquare<Real>));
  }

  void add_point(const Vec3& from, Real mass) {
    const Vec3 d = from - target_;
    const double r2 = dot(d, d) + softening_squared_;
    sum_ += d * (static_cast<double>(mass) / (r2 * std::sqrt(r2)));
  }

  /// As a point and, with u = d/R and T = 3 sum m x x, what its second moments add: (5/2 u.T.u - tr T / 2) u/R^4 -
  /// T.u/R^4.
  void add_cell(const Vec3& from, const NodeMoments<Real, Dim>& moments) {
    add_point(from, moments.mass);
    const Vec3 d = from - target_;
    const double inverse = 1 / std::sqrt(dot(d, d) + softening_squared_), inverse4 = std::pow(inverse, 4);
    const Vec3 u = d * inverse;
    Vec3 tu;
    double trace = 0;
    for (int row = 0, at = 0; row < Dim; ++row) {
      for (int column = row; column < Dim; ++column, ++at) {
        const double moment = static_cast<double>(moments.moment[at]);
        tu[row] += moment * u[column];
        if (column != row) tu[column] += moment * u[row];
        if (column == row) trace += moment;
      }
    }
    sum_ += (u * (2.5 * dot(u, tu) - 0.5 * trace) - tu) * inverse4;
  }

  const Vec3& target() const { return target_; }
  const Vec3& sum() const { return sum_; }

 private:
  Vec3 target_, sum_;
  double softening_squared_;
};

template <class Real, int Dim>
Vec3 point(const Real (&position)[Dim]) {
  Vec3 point;
  for (int k = 0; k < Dim; ++k) point[k] = static_cast<double>(position[k]);
  return point;
}

/// Keeps the nearest kMaxProbedBodies, in their order.
void keep_nearest(const Vec3& target, std::vector<Vec3>& bodies) {
  const std::size_t kept = std::min(bodies.size(), kMaxProbedBodies);
  std::partial_sort(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(kept), bodies.end(),
                    [&](const Vec3& a, const Vec3& b) {
                      const Vec3 to_a = a - target, to_b = b - target;
                      return dot(to_a, to_a) < dot(to_b, to_b);
                    });
  bodies.resize(kept);
}

/// Whether a node acts as a whole: by the rule of the group that the body walks with, or by that of single walks. Lanes
/// of a warp that have done with a node sleep until the others have, so that each follows the rule of single walks.
template <class Real, int Dim>
class OpeningRule {
 public:
  OpeningRule(const TreeView<Real, Dim>& tree, std::uint32_t place, bool group, double theta)
      : tree_(tree), theta_(theta), theta_squared_(static_cast<Real>(theta * theta)) {
    for (int k = 0; k < Dim; ++k) target_[k] = tree.position[k][place];
    if (!group) return;
    const auto groups = make_groups(tree, kGroupSize);
    group_ = *std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return place < g.end; });
  }

  bool accepts(std::uint32_t i) const {
    const TreeNode<Real, Dim>& node = tree_.nodes[i];
    if (group_size() == 0) {
      Real distance_squared = 0;
      for (int k = 0; k < Dim; ++k) {
        const Real d = node.center_of_mass[k] - target_[k];
        distance_squared += d * d;
      }
      return distance_squared >= opening_squared(node.center_of_mass, tree_.bounds[i], theta_);
    }
    const bool holds_group = node.begin <= group_.begin && group_.end <= node.end;
    const Real distance_squared = squared_distance(node.center_of_mass, group_.bounds);
    return node.size == 0 || (!holds_group && node.size * node.size < theta_squared_ * distance_squared);
  }
  /// Bodies that walk together; 0 of a single walk.
  std::uint32_t group_size() const { return group_.end - group_.begin; }

 private:
  const TreeView<Real, Dim>& tree_;
  const double theta_;
  const Real theta_squared_;
  Real target_[Dim];
  BodyGroup<Real, Dim> group_{};
};

/// Lanes at work in the warp that the body of `place` walks in: all but those that are beyond the last body.
template <class Real, int Dim>
std::size_t lanes_of_warp(const TreeBuilder<Real, Dim>& builder, Order order, std::uint32_t place) {
  std::vector<std::uint32_t> original(builder.size());
  for (std::size_t i = 0; i < original.size(); ++i) original[i] = builder.original(i);
  const std::vector<std::uint32_t> walks = walk_order(builder.view(), original, order);
  const auto walk = static_cast<std::size_t>(std::find(walks.begin(), walks.end(), place) - walks.begin());
  return std::min(kWarp, walks.size() - walk / kWarp * kWarp);
}

template <class Real, int Dim>
class TreeProbe {
 public:
  TreeProbe(const Config& config, const Params& params, const BodyArrays<Real, Dim>& bodies, Probe& result)
      : builder_(make_tree_builder<Real, Dim>(config)), result_(result) {
    StageTimings timings;
    builder_->build(bodies, static_cast<Real>(params.gravity), timings);
    while (builder_->original(place_) != result.body) ++place_;
    const Walk walk = has_option(config, SolverOption::walk) ? option_value<Walk>(config) : Walk::skip;
    const Order order = has_option(config, SolverOption::order) ? option_value<Order>(config) : Order::tree;
    const bool quadrupoles = find_solver(config.solver)->quadrupoles && config.multipole == Multipole::quadrupole;
    const TreeView<Real, Dim> tree = builder_->view();
    const OpeningRule<Real, Dim> rule(tree, place_, walk == Walk::group, params.theta);
    Pull<Real, Dim> pull(source_of(bodies, result.body, Real(1)), params.softening);
    this->walk(tree, rule, quadrupoles, pull);
    if (walk == Walk::group) result.shared_by = rule.group_size();
    if (walk == Walk::warp) result.shared_by = lanes_of_warp(*builder_, order, place_);
  }

 private:
  void walk(const TreeView<Real, Dim>& tree, const OpeningRule<Real, Dim>& rule, bool quadrupoles,
            Pull<Real, Dim>& pull) {
    for (std::uint32_t i = 0; i != kNoNode;) {
      const TreeNode<Real, Dim>& node = tree.nodes[i];
      const bool accepted = rule.accepts(i), coincident = node.size == 0, leaf = node.first_child == 0;
      const Vec3 center = point(node.center_of_mass);
      if (accepted && coincident) {
        ++result_.pairs;
        pull.add_point(center, tree.moments[i].mass);
        if (!(node.begin <= place_ && place_ < node.end)) result_.bodies.push_back(center);
      } else if (accepted) {
        ++result_.cells;
        quadrupoles ? pull.add_cell(center, tree.moments[i]) : pull.add_point(center, tree.moments[i].mass);
      } else {
        ++result_.opened;
        if (leaf) add_bodies(tree, node, pull);
      }
      if (!(accepted && coincident)) show(i, accepted);
      i = accepted || leaf ? node.next : node.first_child;
    }
    result_.sum = pull.sum();
    keep_nearest(pull.target(), result_.bodies);
  }

  void add_bodies(const TreeView<Real, Dim>& tree, const TreeNode<Real, Dim>& leaf, Pull<Real, Dim>& pull) {
    result_.pairs += leaf.end - leaf.begin;
    for (std::uint32_t j = leaf.begin; j < leaf.end; ++j) {
      Real position[Dim];
      for (int k = 0; k < Dim; ++k) position[k] = tree.position[k][j];
      pull.add_point(point(position), tree.mass[j]);
      if (j != place_) result_.bodies.push_back(point(position));
    }
  }

  void show(std::uint32_t node, bool accepted) {
    if (result_.nodes.size() < kMaxProbedNodes) result_.nodes.push_back({builder_->box(node), accepted});
  }

  const std::unique_ptr<TreeBuilder<Real, Dim>> builder_;
  Probe& result_;
  std::uint32_t place_ = 0;  ///< of the body, in the tree
};

/// Every other body, and in most direct solvers the body itself.
template <class Real, int Dim>
void probe_pairs(const Config& config, const Params& params, const BodyArrays<Real, Dim>& bodies, Probe& result) {
  const Real gravity = static_cast<Real>(params.gravity);
  Pull<Real, Dim> pull(source_of(bodies, result.body, gravity), params.softening);
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    if (j == result.body) continue;
    const Source<Real, Dim> source = source_of(bodies, j, gravity);
    pull.add_point(point(source.position), source.mass);
    result.bodies.push_back(point(source.position));
  }
  result.pairs = config.solver == "direct-pairs" ? bodies.size() - 1 : bodies.size();
  result.sum = pull.sum();
  keep_nearest(pull.target(), result.bodies);
}

template <class Real, int Dim>
void probe_as(const Config& config, const Params& params, const Bodies& bodies, Probe& result) {
  const BodyArrays<Real, Dim> arrays = to_arrays<Real, Dim>(bodies);
  for (int k = 0; k < Dim; ++k) result.position[k] = static_cast<double>(arrays.position[k][result.body]);
  tbb::task_arena(arena_threads(config.threads)).execute([&] {
    const SolverInfo& solver = *find_solver(config.solver);
    if (solver.cells_act_on_cells()) {
      probe_cells(config, params, arrays, result);
      keep_nearest(result.position, result.bodies);
    } else if (solver.has_tree()) {
      TreeProbe<Real, Dim>(config, params, arrays, result);
    } else {
      probe_pairs(config, params, arrays, result);
    }
  });
}

}  // namespace

Probe probe(const Config& config, const Params& params, const Bodies& bodies, std::size_t body) {
  if (body >= bodies.size()) throw std::out_of_range("there is no body " + std::to_string(body));
  Probe result;
  result.body = static_cast<std::uint32_t>(body);
  result.theta = params.theta;
  result.all_bodies = bodies.size();
  const bool flat = config.dimension == 2;
  if (config.precision == Precision::float32) {
    flat ? probe_as<float, 2>(config, params, bodies, result) : probe_as<float, 3>(config, params, bodies, result);
  } else {
    flat ? probe_as<double, 2>(config, params, bodies, result) : probe_as<double, 3>(config, params, bodies, result);
  }
  return result;
}

}  // namespace pericenter
