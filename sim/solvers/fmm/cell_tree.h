#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/solvers/simd/cell_filter.h"
#include "sim/solvers/simd/expansion_kernels.h"
#include "sim/solvers/tree/tree_view.h"

namespace pericenter {

/// The bodies of a cell, in tree order.
struct CellBodies {
  std::uint32_t begin, count;
  bool coincide;  ///< all bodies are at one point
};

/// Data for cell-cell interactions: centre of mass (middle of the bounds if massless), radius of a sphere around the
/// bodies, and multipoles of each cell, in CellUnits. The radius is the smaller of two bounds: the farthest corner of
/// the tight bounds, and the farthest point of the spheres of the children.
template <class Real, int Dim>
class CellTree {
 public:
  /// How a device weighs inner cells, by the number of their bodies.
  using Weights = CellWeights<Real> (*)(std::uint32_t bodies);

  /// Uses the threads of the current oneTBB arena. `tree` and `kernels` must outlive this object. `weights`:
  /// no_weights() if cells are opened by error.
  void make(const TreeView<Real, Dim>& tree, const ExpansionKernels<Real, Dim>& kernels, const CellUnits<Real>& units,
            Weights weights);

  /// Estimates the acceleration of the bodies of each cell, for CellCriterion::strictness(): the attraction of the cell
  /// by its siblings, and by the siblings of its ancestors at their centres, which needs no search for other cells.
  /// With harmonic means over the leaves for inner cells, work and errors are the same.
  void estimate_accelerations(const TreeView<Real, Dim>& tree, Real softening_squared);

  CellRow<Real, Dim> row() const;
  FarSources<Real> sources(const std::uint32_t* cells, std::size_t count) const {
    return {records_.data(), stride_, cells, count};
  }
  /// The children of an inner cell.
  SiblingCells<Real, Dim> family(std::uint32_t cell) const;
  CellTarget<Real, Dim> target(std::uint32_t cell, const CellCriterion<Real>& rule) const;

  const CellUnits<Real>& units() const { return units_; }
  const Real* center(std::uint32_t cell) const { return &records_[cell * stride_]; }
  const Real* multipoles(std::uint32_t cell) const { return center(cell) + kCenterRoom; }
  int locals() const { return kernels_->size.locals; }
  bool is_leaf(std::uint32_t cell) const { return child_count_[cell] == 0; }
  std::uint32_t first_child(std::uint32_t cell) const { return first_child_[cell]; }
  std::uint32_t child_count(std::uint32_t cell) const { return child_count_[cell]; }
  const CellBodies& bodies(std::uint32_t cell) const { return bodies_[cell]; }

 private:
  void make_leaf(const TreeView<Real, Dim>& tree, std::uint32_t cell);
  void make_inner(const TreeView<Real, Dim>& tree, std::uint32_t cell);
  void set_center(const TreeView<Real, Dim>& tree, std::uint32_t cell);
  Real corner_distance(const TreeView<Real, Dim>& tree, std::uint32_t cell) const;
  void estimate_acceleration(std::uint32_t cell, std::uint32_t parent, Real softening_squared);
  Real* multipoles_of(std::uint32_t cell) { return &records_[cell * stride_ + kCenterRoom]; }

  const ExpansionKernels<Real, Dim>* kernels_ = nullptr;
  Weights weights_ = nullptr;
  CellUnits<Real> units_;
  std::size_t stride_ = 0;
  std::array<std::vector<Real>, Dim> center_;
  std::vector<Real> radius_;
  std::vector<Real> reach_;  ///< CellRow::reach
  std::vector<Real> mass_;
  std::array<std::vector<Real>, Dim> pull_;  ///< estimates, 0 at the root
  std::vector<Real> acceleration_;           ///< and their lengths
  std::vector<std::uint32_t> first_child_;
  std::vector<std::uint8_t> child_count_;
  std::vector<CellBodies> bodies_;
  std::vector<Real> records_;  ///< FarSources::records
};

}  // namespace pericenter
