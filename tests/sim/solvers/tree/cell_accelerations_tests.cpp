#include <gtest/gtest.h>

#include <cmath>

#include "sim/solvers/fmm/cell_tree.h"
#include "sim/solvers/tree/tree_builder.h"
#include "tests/support/reference.h"

// Acceleration estimates for Opening::error.

namespace pericenter::test {
namespace {

constexpr double kSoftening = 0.01;

template <int Dim>
class Estimates {
 public:
  explicit Estimates(const Bodies& bodies)
      : builder_(make_tree_builder<double, Dim>({.solver = "fmm", .dimension = Dim})), bodies_(bodies) {
    StageTimings timings;
    builder_->build(to_arrays<double, Dim>(bodies), 1, timings);
    const TreeView<double, Dim> tree = builder_->view();
    units_ = CellUnits<double>::of(builder_->cube().side, kSoftening, tree.moments[0].mass);
    cells_.make(tree, expansion_kernels<double, Dim>(Simd::plain, 3), units_, no_weights<double>);
    cells_.estimate_accelerations(tree, kSoftening * kSoftening * units_.length * units_.length);
  }

  double of(std::uint32_t cell) const {
    const auto rule = CellCriterion<double>::of_error(1e-3, 3, Dim, 0);
    return 1 / (rule.allowed * cells_.target(cell, rule).strictness) * units_.acceleration;
  }

  /// Harmonic mean over the bodies of the cell.
  double exact(std::uint32_t cell) const {
    double sum = 0;
    const CellBodies& those = cells_.bodies(cell);
    for (std::uint32_t i = 0; i < those.count; ++i) {
      sum += 1 / length(exact_acceleration(bodies_, builder_->original(those.begin + i), kSoftening));
    }
    return those.count / sum;
  }

  /// Mean and scatter of log2(estimate / exact) over leaves, or over inner cells without the root.
  std::pair<double, double> bias_and_scatter(bool leaves) const {
    double sum = 0, squares = 0, cells = 0;
    for (std::uint32_t cell = 1; cell < builder_->view().nodes.size(); ++cell) {
      if (cells_.is_leaf(cell) != leaves) continue;
      const double ratio = std::log2(of(cell) / exact(cell));
      sum += ratio, squares += ratio * ratio, ++cells;
    }
    return {sum / cells, std::sqrt(squares / cells - sum / cells * (sum / cells))};
  }

 private:
  const std::unique_ptr<TreeBuilder<double, Dim>> builder_;
  const Bodies& bodies_;
  CellUnits<double> units_;
  CellTree<double, Dim> cells_;
};

template <int Dim>
void check() {
  for (const char* scene : {"plummer", "uniform", "collision"}) {
    SCOPED_TRACE(testing::Message() << scene << " " << Dim << "D");
    const Bodies bodies = scene_bodies(scene, 3000, Dim);
    const Estimates<Dim> estimates(bodies);
    const auto [bias, scatter] = estimates.bias_and_scatter(true);
    EXPECT_LE(std::abs(bias), 1.2) << "powers of two";
    EXPECT_LE(scatter, 1.5);
    // The attraction at the centre of a galaxy is smaller than around it, so that its cell opens others more strictly.
    const auto [bias_of_inner, scatter_of_inner] = estimates.bias_and_scatter(false);
    EXPECT_LE(bias_of_inner, 0.5);
    EXPECT_GE(bias_of_inner, -2.5);
    EXPECT_LE(scatter_of_inner, 1.6);
  }
}

TEST(CellAccelerations, ApproximateThoseOfTheBodies) {
  check<2>();
  check<3>();
}

}  // namespace
}  // namespace pericenter::test
