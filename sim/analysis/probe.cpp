#include "sim/analysis/probe.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/analysis/cell_probe.h"
#include "sim/analysis/force_error.h"
#include "sim/core/parallel.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/tree/body_walk.h"
#include "sim/solvers/tree/opening_criterion.h"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {
namespace {

/// Acceleration of one body, summed in doubles with the force law of PairKernels.
template <class Real, int Dim>
class AccelerationSum {
 public:
  AccelerationSum(const Source<Real, Dim>& target, double softening) {
    for (int k = 0; k < Dim; ++k) target_[k] = static_cast<double>(target.position[k]);
    const Real length = static_cast<Real>(softening);
    softening_squared_ = static_cast<double>(std::max(length * length, kTinySquare<Real>));
  }

  void add_point(const Vec3& from, Real mass) { add(of_point(from, mass)); }

  /// Monopole and quadrupole; with u = d/R and T = 3 sum m x x the latter is (5/2 u.T.u - tr T / 2) u/R^4 - T.u/R^4.
  void add_cell(const Vec3& from, const NodeMoments<Real, Dim>& moments) {
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
    add(of_point(from, moments.mass) + (u * (2.5 * dot(u, tu) - 0.5 * trace) - tu) * inverse4);
  }

  const Vec3& target() const { return target_; }
  const Vec3& value() const { return sum_; }
  /// Magnitude of the contribution that was added last, and the sum of all magnitudes.
  double last_pull() const { return last_pull_; }
  double pulls() const { return pulls_; }

 private:
  Vec3 of_point(const Vec3& from, Real mass) const {
    const Vec3 d = from - target_;
    const double r2 = dot(d, d) + softening_squared_;
    return d * (static_cast<double>(mass) / (r2 * std::sqrt(r2)));
  }
  void add(const Vec3& contribution) {
    sum_ += contribution;
    last_pull_ = length(contribution);
    pulls_ += last_pull_;
  }

  Vec3 target_, sum_;
  double softening_squared_, last_pull_ = 0, pulls_ = 0;
};

template <class Real, int Dim>
Vec3 point(const Real (&position)[Dim]) {
  Vec3 point;
  for (int k = 0; k < Dim; ++k) point[k] = static_cast<double>(position[k]);
  return point;
}

/// Reduces `bodies` to the nearest kMaxProbedBodies, sorted by distance.
void keep_nearest(const Vec3& target, std::vector<Vec3>& bodies) {
  const std::size_t count = std::min(bodies.size(), kMaxProbedBodies);
  std::partial_sort(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(count), bodies.end(),
                    [&](const Vec3& a, const Vec3& b) {
                      const Vec3 to_a = a - target, to_b = b - target;
                      return dot(to_a, to_a) < dot(to_b, to_b);
                    });
  bodies.resize(count);
}

void find_strongest(Probe& result) {
  std::vector<std::uint32_t>& strongest = result.strongest;
  for (std::uint32_t k = 0; k < result.nodes.size(); ++k)
    if (result.nodes[k].accepted) strongest.push_back(k);
  const std::size_t count = std::min(strongest.size(), kStrongestCells);
  std::ranges::partial_sort(strongest, strongest.begin() + static_cast<std::ptrdiff_t>(count), std::greater(),
                            [&](std::uint32_t k) { return result.nodes[k].pull; });
  strongest.resize(count);
  for (const std::uint32_t k : strongest) result.strongest_share += result.nodes[k].pull;
  if (result.pulls > 0) result.strongest_share /= result.pulls;
}

/// The opening criterion: that of the group of the body, or that of single walks, for all voters. With Walk::warp the
/// lanes wait for each other, but each applies the criterion of single walks.
template <class Real, int Dim>
class OpeningRule {
 public:
  /// `voters`: places in the tree of the bodies that open nodes together, including `index`. `leaf_points`: a leaf acts
  /// as one point.
  OpeningRule(const TreeView<Real, Dim>& tree, std::uint32_t index, std::vector<std::uint32_t> voters, bool leaf_points,
              double theta)
      : tree_(tree),
        leaf_points_(leaf_points),
        theta_(theta),
        theta_squared_(static_cast<Real>(theta * theta)),
        voters_(std::move(voters)) {
    if (!voters_.empty()) return;
    const auto groups = make_groups(tree, kGroupSize);
    group_ = *std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return index < g.end; });
  }

  bool accepts(std::uint32_t i) const {
    const TreeNode<Real, Dim>& node = tree_.nodes[i];
    if (leaf_points_ && node.first_child == 0) return true;
    if (!voters_.empty()) {
      const Real opening = opening_squared(node.center_of_mass, tree_.bounds[i], node.size, theta_);
      return std::all_of(voters_.begin(), voters_.end(), [&](std::uint32_t voter) {
        Real distance_squared = 0;
        for (int k = 0; k < Dim; ++k) {
          const Real d = node.center_of_mass[k] - tree_.position[k][voter];
          distance_squared += d * d;
        }
        return distance_squared >= opening;
      });
    }
    const bool holds_group = node.begin <= group_.begin && group_.end <= node.end;
    const Real distance_squared = squared_distance(node.center_of_mass, group_.bounds);
    return node.size == 0 || accepts_for_group(node.size, holds_group, theta_squared_, distance_squared);
  }
  /// Bodies of the group; 0 without one.
  std::uint32_t group_size() const { return group_.end - group_.begin; }

 private:
  const TreeView<Real, Dim>& tree_;
  const bool leaf_points_;
  const double theta_;
  const Real theta_squared_;
  std::vector<std::uint32_t> voters_;
  BodyGroup<Real, Dim> group_{};
};

/// The bodies in the warp of the body at `index`.
template <class Real, int Dim>
std::vector<std::uint32_t> bodies_of_warp(const TreeBuilder<Real, Dim>& builder, Order order, std::uint32_t index) {
  std::vector<std::uint32_t> original(builder.size());
  for (std::size_t i = 0; i < original.size(); ++i) original[i] = builder.original(i);
  const std::vector<std::uint32_t> walks = walk_order(builder.view(), original, order);
  const auto walk = std::find(walks.begin(), walks.end(), index) - walks.begin();
  const auto first = walks.begin() + walk / kVoters * kVoters;
  return {first, first + std::min<std::ptrdiff_t>(kVoters, walks.end() - first)};
}

template <class Real, int Dim>
class TreeProbe {
 public:
  TreeProbe(const Config& config, const Params& params, const BodyArrays<Real, Dim>& bodies, Probe& result)
      : builder_(make_tree_builder<Real, Dim>(config)), result_(result) {
    StageTimings timings;
    builder_->build(bodies, static_cast<Real>(params.gravity), timings);
    while (builder_->original(index_) != result.body) ++index_;
    const Walk walk = has_option(config, SolverOption::walk) ? option_value<Walk>(config) : Walk::skip;
    const Order order = has_option(config, SolverOption::order) ? option_value<Order>(config) : Order::tree;
    const bool quadrupoles = find_solver(config.solver)->quadrupoles && config.multipole == Multipole::quadrupole;
    const TreeView<Real, Dim> tree = builder_->view();
    std::vector<std::uint32_t> warp;
    if (walk == Walk::warp || walk == Walk::vote) warp = bodies_of_warp(*builder_, order, index_);
    std::vector<std::uint32_t> voters;
    if (walk != Walk::group) voters = walk == Walk::vote ? warp : std::vector{index_};
    const OpeningRule<Real, Dim> rule(tree, index_, voters, has_leaf_points(config), params.theta);
    AccelerationSum<Real, Dim> sum(source_of(bodies, result.body, Real(1)), params.softening);
    walk_tree(tree, rule, quadrupoles, sum);
    if (walk == Walk::group) result.shared_by = rule.group_size();
    if (!warp.empty()) result.shared_by = warp.size();
  }

 private:
  void walk_tree(const TreeView<Real, Dim>& tree, const OpeningRule<Real, Dim>& rule, bool quadrupoles,
                 AccelerationSum<Real, Dim>& sum) {
    for (std::uint32_t i = 0; i != kNoNode;) {
      const TreeNode<Real, Dim>& node = tree.nodes[i];
      const bool accepted = rule.accepts(i), coincident = node.size == 0, leaf = node.first_child == 0;
      const Vec3 center = point(node.center_of_mass);
      if (accepted && coincident) {
        ++result_.pairs;
        sum.add_point(center, tree.moments[i].mass);
        if (!(node.begin <= index_ && index_ < node.end)) result_.bodies.push_back(center);
      } else if (accepted) {
        ++result_.cells;
        quadrupoles ? sum.add_cell(center, tree.moments[i]) : sum.add_point(center, tree.moments[i].mass);
      } else {
        ++result_.opened;
        if (leaf) add_bodies(tree, node, sum);
      }
      if (!(accepted && coincident)) store(i, accepted, accepted ? sum.last_pull() : 0);
      i = accepted || leaf ? node.next : node.first_child;
    }
    result_.sum = sum.value();
    result_.pulls = sum.pulls();
    keep_nearest(sum.target(), result_.bodies);
  }

  void add_bodies(const TreeView<Real, Dim>& tree, const TreeNode<Real, Dim>& leaf, AccelerationSum<Real, Dim>& sum) {
    result_.pairs += leaf.end - leaf.begin;
    for (std::uint32_t j = leaf.begin; j < leaf.end; ++j) {
      Real position[Dim];
      for (int k = 0; k < Dim; ++k) position[k] = tree.position[k][j];
      sum.add_point(point(position), tree.mass[j]);
      if (j != index_) result_.bodies.push_back(point(position));
    }
  }

  void store(std::uint32_t node, bool accepted, double pull) {
    if (result_.nodes.size() < kMaxProbedNodes) result_.nodes.push_back({builder_->box(node), accepted, pull});
  }

  const std::unique_ptr<TreeBuilder<Real, Dim>> builder_;
  Probe& result_;
  std::uint32_t index_ = 0;  ///< index of the body in the tree
};

/// All other bodies; most direct solvers also count the body itself.
template <class Real, int Dim>
void probe_pairs(const Config& config, const Params& params, const BodyArrays<Real, Dim>& bodies, Probe& result) {
  const Real gravity = static_cast<Real>(params.gravity);
  AccelerationSum<Real, Dim> sum(source_of(bodies, result.body, gravity), params.softening);
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    if (j == result.body) continue;
    const Source<Real, Dim> source = source_of(bodies, j, gravity);
    sum.add_point(point(source.position), source.mass);
    result.bodies.push_back(point(source.position));
  }
  result.pairs = bodies.size() - (find_solver(config.solver)->skips_itself ? 1 : 0);
  result.sum = sum.value();
  result.pulls = sum.pulls();
  keep_nearest(sum.target(), result.bodies);
}

template <class Real, int Dim>
void probe_as(const Config& config, const Params& params, const Bodies& bodies, Probe& result) {
  const BodyArrays<Real, Dim> arrays = to_arrays<Real, Dim>(bodies);
  for (int k = 0; k < Dim; ++k) result.position[k] = static_cast<double>(arrays.position[k][result.body]);
  tbb::task_arena(arena_threads(config.threads)).execute([&] {
    const SolverInfo& solver = *find_solver(config.solver);
    if (solver.expansions) {
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
  if (body >= bodies.size()) throw std::out_of_range("body " + std::to_string(body) + " does not exist");
  Probe result;
  result.body = static_cast<std::uint32_t>(body);
  result.dimension = config.dimension;
  result.theta = params.theta;
  result.all_bodies = bodies.size();
  result.exact = direct_accelerations(bodies, std::array{body}, params.softening).front() * params.gravity;
  const bool flat = config.dimension == 2;
  if (stored_precision(config) == Precision::float32) {
    flat ? probe_as<float, 2>(config, params, bodies, result) : probe_as<float, 3>(config, params, bodies, result);
  } else {
    flat ? probe_as<double, 2>(config, params, bodies, result) : probe_as<double, 3>(config, params, bodies, result);
  }
  find_strongest(result);
  return result;
}

}  // namespace pericenter
