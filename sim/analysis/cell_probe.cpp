#include "sim/analysis/cell_probe.h"

#include <algorithm>
#include <cmath>

#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/fmm/cell_walk.h"
#include "sim/solvers/fmm/select_criterion.h"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {
namespace {

template <class Real, int Dim>
class CellProbe {
 public:
  CellProbe(const Config& config, const Params& params, const BodyArrays<Real, Dim>& bodies, Probe& result)
      : params_(params),
        builder_(make_tree_builder<Real, Dim>(config)),
        order_(static_cast<int>(value_number(config, SolverOption::expansion))),
        far_(expansion_kernels<double, Dim>(config.simd, order_)),
        result_(result) {
    StageTimings timings;
    builder_->build(bodies, static_cast<Real>(params.gravity), timings);
    tree_ = builder_->view();
    while (builder_->original(index_) != result.body) ++index_;
    const auto units =
        CellUnits<Real>::of(builder_->cube().side, params.softening, static_cast<double>(tree_.moments[0].mass));
    const Real softening = static_cast<Real>(params.softening) * units.length;
    rule_ = cell_criterion(config, params, softening);
    auto weights = config.backend == Backend::cpu ? cpu_weights<Real> : cuda_weights<Real>;
    if (rule_.by_error() || !(config.backend == Backend::cpu || weighs_cells(bodies.size())))
      weights = no_weights<Real>;
    cells_.make(tree_, expansion_kernels<Real, Dim>(config.simd, order_), units, weights);
    if (rule_.by_error()) cells_.estimate_accelerations(tree_, rule_.softening_squared);
    opened_.resize(tree_.nodes.size());
    locals_.resize(static_cast<std::size_t>(far_.size.locals));
    descend();
    store_nodes();
  }

 private:
  /// Walks from the root to the leaf of the body.
  void descend() {
    CellWalk<Real, Dim> walk(cells_, cell_filter<Real, Dim>(Simd::plain), rule_);
    CellBuffer<Real, Dim> parent_cells, remaining;
    parent_cells.push(0, cells_.row());
    for (std::uint32_t cell = 0;;) {
      walk.resolve(cell, parent_cells.undecided(), remaining);
      add_fields(far_.far.fields, walk.accepted(), cell);
      add_fields(far_.far.harmonic_fields, walk.harmonic(), cell);
      if (cells_.is_leaf(cell)) {
        for (std::size_t i = 0; i < remaining.undecided().count; ++i) add_bodies(remaining.undecided().cell[i]);
        for (const std::uint32_t source : walk.small()) add_bodies(source);
        const TreeNode<Real, Dim>& leaf = tree_.nodes[cell];
        result_.shared_by = leaf.end - leaf.begin;
        return sum_up(cell);
      }
      std::uint32_t child = cells_.first_child(cell);
      while (tree_.nodes[child].end <= index_) ++child;
      inherit(cell, child);
      std::swap(parent_cells, remaining);
      cell = child;
    }
  }

  /// Adds the fields of cells around the centre of `cell`, in doubles.
  void add_fields(FarKernel<double> fields, const ActingCells& acting, std::uint32_t cell) {
    const std::size_t stride = record_stride(far_.size);
    std::vector<double> records;
    std::vector<std::uint32_t> numbers(padded(acting.count + 1, kSourcePadding));
    for (std::size_t i = 0; i < acting.count; ++i) {
      accepted_.push_back(acting.cell[i]);
      const Real* const record = cells_.center(acting.cell[i]);
      records.insert(records.end(), record, record + stride);
      numbers[i] = static_cast<std::uint32_t>(i);
    }
    double center[Dim];
    std::copy_n(cells_.center(cell), Dim, center);
    fields({records.data(), stride, numbers.data(), acting.count}, center, static_cast<double>(rule_.softening_squared),
           locals_.data());
  }

  void inherit(std::uint32_t parent, std::uint32_t child) {
    if (accepted_.empty()) return;
    double center[Dim][kSourcePadding] = {};
    SiblingCells<double, Dim> family{{}, {}, 1};
    for (int k = 0; k < Dim; ++k) {
      family.center[k] = static_cast<double>(cells_.center(parent)[k]);
      center[k][0] = static_cast<double>(cells_.center(child)[k]);
      family.child_center[k] = center[k];
    }
    std::vector<double> of_child(locals_.size());
    far_.inherited_fields(family, locals_.data(), of_child.data());
    locals_ = of_child;
  }

  void add_bodies(std::uint32_t cell) {
    const TreeNode<Real, Dim>& node = tree_.nodes[cell];
    opened_[cell] = true;
    const bool holds_body = node.begin <= index_ && index_ < node.end;
    if (node.size == 0) {
      add_point(node.center_of_mass, tree_.moments[cell].mass, !holds_body);
      return;
    }
    for (std::uint32_t j = node.begin; j < node.end; ++j) {
      Real position[Dim];
      for (int k = 0; k < Dim; ++k) position[k] = tree_.position[k][j];
      add_point(position, tree_.mass[j], j != index_);
    }
  }

  void add_point(const Real (&position)[Dim], Real mass, bool shown) {
    Vec3 point;
    for (int k = 0; k < Dim; ++k) {
      point[k] = static_cast<double>(position[k]);
      points_[k].push_back(point[k]);
    }
    points_[Dim].push_back(static_cast<double>(mass));
    if (shown) result_.bodies.push_back(point);
    ++result_.pairs;
    result_.pulls += pull(position, mass);
  }

  /// Magnitude of the acceleration of the body by a point.
  double pull(const Real (&position)[Dim], Real mass) const {
    double squared = 0;
    for (int k = 0; k < Dim; ++k) {
      const double d = static_cast<double>(position[k]) - static_cast<double>(tree_.position[k][index_]);
      squared += d * d;
    }
    const double softened = squared + params_.softening * params_.softening;
    return squared > 0 ? static_cast<double>(mass) * std::sqrt(squared) / (softened * std::sqrt(softened)) : 0;
  }

  void sum_up(std::uint32_t leaf) {
    double position[Dim][kSourcePadding] = {}, sum[Dim][kSourcePadding] = {}, center[Dim];
    TargetBlock<double, Dim> block{{}, {}, nullptr, kSourcePadding};
    for (auto& component : points_) component.resize(padded(component.size(), kSourcePadding));
    PointList<double, Dim> points{{}, points_[Dim].data(), points_[Dim].size()};
    for (int k = 0; k < Dim; ++k) {
      position[k][0] = static_cast<double>(tree_.position[k][index_]);
      block.position[k] = position[k];
      block.acceleration[k] = sum[k];
      points.position[k] = points_[k].data();
      center[k] = static_cast<double>(cells_.center(leaf)[k]);
    }
    const CellUnits<Real>& units = cells_.units();
    if (!accepted_.empty())
      far_.accelerations(locals_.data(), center,
                         {static_cast<double>(units.length), static_cast<double>(units.mass),
                          static_cast<double>(units.acceleration), static_cast<double>(units.potential)},
                         block);
    const Real softening = static_cast<Real>(params_.softening);
    pair_kernels<double, Dim>(Simd::plain)
        .points(points, block, static_cast<double>(std::max(softening * softening, kTinySquare<Real>)));
    for (int k = 0; k < Dim; ++k) result_.sum[k] = sum[k][0];
  }

  /// Stores the nodes: accepted cells, and as opened all ancestors of nodes that act.
  void store_nodes() {
    result_.cells = accepted_.size();
    std::vector<bool> accepted(tree_.nodes.size());
    for (const std::uint32_t cell : accepted_) {
      accepted[cell] = true;
      if (cell != 0) opened_[tree_.parents[cell]] = true;
    }
    for (std::size_t i = opened_.size(); i-- > 1;) {
      if (opened_[i]) opened_[tree_.parents[i]] = true;
    }
    for (std::size_t i = 0; i < opened_.size(); ++i) {
      result_.opened += opened_[i] ? 1 : 0;
      if (!opened_[i] && !accepted[i]) continue;
      const double force = accepted[i] ? pull(tree_.nodes[i].center_of_mass, tree_.moments[i].mass) : 0;
      result_.pulls += force;
      if (result_.nodes.size() < kMaxProbedNodes) result_.nodes.push_back({builder_->box(i), accepted[i], force});
    }
  }

  const Params& params_;
  const std::unique_ptr<TreeBuilder<Real, Dim>> builder_;
  const int order_;
  const ExpansionKernels<double, Dim>& far_;
  Probe& result_;
  TreeView<Real, Dim> tree_;
  CellTree<Real, Dim> cells_;
  CellCriterion<Real> rule_;
  std::uint32_t index_ = 0;  ///< index of the body in the tree
  std::vector<std::uint32_t> accepted_;
  std::vector<bool> opened_;  ///< one per cell
  std::vector<double> locals_;
  std::vector<double> points_[Dim + 1];  ///< positions of bodies that act directly, and their masses
};

}  // namespace

template <class Real, int Dim>
void probe_cells(const Config& config, const Params& params, const BodyArrays<Real, Dim>& bodies, Probe& result) {
  CellProbe<Real, Dim>(config, params, bodies, result);
}
template void probe_cells(const Config&, const Params&, const BodyArrays<float, 2>&, Probe&);
template void probe_cells(const Config&, const Params&, const BodyArrays<float, 3>&, Probe&);
template void probe_cells(const Config&, const Params&, const BodyArrays<double, 2>&, Probe&);
template void probe_cells(const Config&, const Params&, const BodyArrays<double, 3>&, Probe&);

}  // namespace pericenter
