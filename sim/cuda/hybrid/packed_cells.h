#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/solvers/tree/opening_criterion.h"
#include "sim/solvers/tree/tree_view.h"

// A tree as an array of fields that kernels copy without interpreting them.
namespace pericenter {

/// A field of a cell: the bits of a Real, or an integer.
template <class Real>
using Field = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

/// The fields of a cell, one value each.
template <int Dim>
struct CellFields {
  static constexpr unsigned kCenter = 0;             ///< centre of the cell, for display only; no walk reads it
  static constexpr unsigned kWidth = kCenter + Dim;  ///< opening_squared(), or kNeverOpened
  static constexpr unsigned kMass = kWidth + 1;      ///< times the gravitational constant
  static constexpr unsigned kCenterOfMass = kMass + 1;
  static constexpr unsigned kChildren = kCenterOfMass + Dim;  ///< kNoNode if there are none
  static constexpr unsigned kFirstBody = kChildren + (1u << Dim);
  static constexpr unsigned kBodies = kFirstBody + 1;  ///< leaf: number of bodies; inner cell: 0
  static constexpr unsigned kCount = kBodies + 1;
};
static_assert(CellFields<2>::kCount == 12 && CellFields<3>::kCount == 18);

/// Cells of a full tree of `depth` levels below the root, including the root.
template <int Dim>
constexpr std::size_t cells_of_full_tree(std::uint32_t depth) {
  std::size_t cells = 0;
  for (std::uint32_t level = 0; level <= depth; ++level) cells += std::size_t(1) << (Dim * level);
  return cells;
}

/// Index of field `field` of `cell`: field by field over all cells, or cell by cell.
template <int Dim, bool FieldByField, class Index>
constexpr Index place_of(Index cell, unsigned field, Index cells) {
  return FieldByField ? field * cells + cell : cell * CellFields<Dim>::kCount + field;
}

/// When a walk accepts a cell as a whole.
struct OpeningRule {
  double theta;
  bool leaf_points;  ///< LeafForce::point
};

/// Writes cell `i` of a tree to `fields`, which must have space for all cells.
template <bool FieldByField, class Real, int Dim>
void pack_cell(const TreeView<Real, Dim>& tree, std::size_t i, const OpeningRule& rule, Field<Real>* fields) {
  using Fields = CellFields<Dim>;
  const TreeNode<Real, Dim>& node = tree.nodes[i];
  const Bounds<Real, Dim>& bounds = tree.bounds[i];
  const auto set = [&](unsigned field, Field<Real> value) {
    fields[place_of<Dim, FieldByField>(i, field, tree.nodes.size())] = value;
  };
  for (unsigned k = 0; k < Dim; ++k) {
    const Real middle = bounds.low[k] + (bounds.high[k] - bounds.low[k]) / 2;
    set(Fields::kCenter + k, std::bit_cast<Field<Real>>(middle));
    set(Fields::kCenterOfMass + k, std::bit_cast<Field<Real>>(node.center_of_mass[k]));
  }
  const bool leaf = node.first_child == 0;
  Real opening = opening_squared(node.center_of_mass, bounds, node.size, rule.theta);
  if (leaf && rule.leaf_points && opening > 0) opening = kNeverOpened<Real>;
  set(Fields::kWidth, std::bit_cast<Field<Real>>(opening));
  set(Fields::kMass, std::bit_cast<Field<Real>>(tree.moments[i].mass));
  std::uint32_t child = leaf ? node.next : node.first_child;
  for (unsigned k = 0; k < 1u << Dim; ++k) {
    set(Fields::kChildren + k, child != node.next ? child : kNoNode);
    if (child != node.next) child = tree.nodes[child].next;
  }
  set(Fields::kFirstBody, node.begin);
  set(Fields::kBodies, leaf ? node.end - node.begin : 0);
}

}  // namespace pericenter
