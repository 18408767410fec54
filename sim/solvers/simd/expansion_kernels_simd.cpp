// Compiled once per instruction set; see vectors_simd.h for the restrictions.
#include "sim/solvers/fmm/expansion.h"
#include "sim/solvers/simd/expansion_kernels.h"
#include "sim/solvers/simd/transposed_load_simd.h"
#include "sim/solvers/simd/vectors_simd.h"

namespace pericenter::PERICENTER_SIMD {
namespace {

template <class Real>
struct Lanes {
  Real at[static_cast<std::size_t>(kLanes<Real>)];
  constexpr Lanes() : at() {
    for (int k = 0; k < kLanes<Real>; ++k) at[k] = static_cast<Real>(k);
  }
};
template <class Real>
inline constexpr Lanes<Real> kLaneNumbers{};

/// Which lanes have one of the `rest` last elements of a list.
template <class Real>
inline auto live_lanes(std::size_t rest) {
  const std::size_t most = rest < std::size_t(kLanes<Real>) ? rest : std::size_t(kLanes<Real>);
  return load(kLaneNumbers<Real>.at) < static_cast<Real>(most);
}

/// Whether the multipoles in records are folded, the basic ones first (expansion.h). Plain code has all components
/// everywhere, and is what the others are compared with.
template <int Dim>
inline constexpr bool kFolds = Dim == 3 && PERICENTER_LANES > 4;

/// Writes the sums over the lanes to a record.
template <int Dim, int P, class Real>
void store_multipoles(Pack<Real> (&multipoles)[kMultipoles<Dim, P>], Real* record) {
  if constexpr (kFolds<Dim>) fold_multipoles<P>(multipoles);
  Real totals[kMultipoles<Dim, P>] = {};
  add_sums<0>(multipoles, totals);
  for (int i = 0; i < kMultipoles<Dim, P>; ++i) {
    if constexpr (kFolds<Dim>)
      record[i] = totals[kHarmonicFirst<P>[static_cast<std::size_t>(i)]];
    else
      record[i] = totals[i];
  }
}
/// Reads the first Count multipoles of folded records.
template <int P, int Count, class Real, int All>
void read_first(const RecordReader<Real>& reader, Pack<Real> (&multipoles)[All]) {
  Pack<Real> read[Count];
  reader.template read<kCenterRoom>(read);
  for_constants<0, Count>([&](auto i) { multipoles[kHarmonicFirst<P>[static_cast<std::size_t>(i)]] = read[i]; });
}
template <int Dim, int P, class Real>
void read_multipoles(const RecordReader<Real>& reader, Pack<Real> (&multipoles)[kMultipoles<Dim, P>]) {
  if constexpr (kFolds<Dim>) {
    read_first<P, kMultipoles<Dim, P>>(reader, multipoles);
    unfold_multipoles<P>(multipoles);
  } else {
    reader.template read<kCenterRoom>(multipoles);
  }
}

template <class Real, int Dim, int P>
Real body_multipoles(const PointList<Real, Dim>& bodies, const CellUnits<Real>& units, const Real* center,
                     Real* multipoles) {
  Pack<Real> sums[kMultipoles<Dim, P>] = {};
  Pack<Real> farthest_squared{};
  for (std::size_t i = 0; i < bodies.count; i += kLanes<Real>) {
    const auto live = live_lanes<Real>(bodies.count - i);
    Pack<Real> y[Dim], squared{};
    for (int k = 0; k < Dim; ++k) {
      y[k] = live ? load(bodies.position[k] + i) * units.length - center[k] : Pack<Real>{};
      squared += y[k] * y[k];
    }
    farthest_squared = squared > farthest_squared ? squared : farthest_squared;
    add_mass_point<Dim, P>(y, live ? load(bodies.mass + i) * units.mass : Pack<Real>{}, sums);
  }
  store_multipoles<Dim, P>(sums, multipoles);
  Real farthest = 0;
  for (int k = 0; k < kLanes<Real>; ++k) farthest = farthest_squared[k] > farthest ? farthest_squared[k] : farthest;
  return farthest;
}

template <class Real, int Dim, int P>
void child_multipoles(const SiblingCells<Real, Dim>& family, const FarSources<Real>& children, Real* multipoles) {
  Pack<Real> sums[kMultipoles<Dim, P>] = {};
  for (std::size_t i = 0; i < children.count; i += kLanes<Real>) {
    Pack<Real> y[Dim], of_child[kMultipoles<Dim, P>];
    for (int k = 0; k < Dim; ++k) {
      y[k] = live_lanes<Real>(children.count - i) ? load(family.child_center[k] + i) - family.center[k] : Pack<Real>{};
    }
    read_multipoles<Dim, P>(RecordReader<Real>(children, i), of_child);
    add_child_multipoles<Dim, P>(y, of_child, sums);
  }
  store_multipoles<Dim, P>(sums, multipoles);
}

template <class Real, int Dim, int P, bool Potential, bool Harmonic>
[[gnu::flatten]] void fields(const FarSources<Real>& sources, const Real* center, Real softening_squared,
                             Real* locals) {
  Pack<Real> sums[kLocals<Dim, P>] = {};
  for (std::size_t i = 0; i < sources.count; i += kLanes<Real>) {
    Pack<Real> d[Dim], multipoles[kMultipoles<Dim, P>];
    // Lanes without a cell have no mass, and must not be at the centre.
    Pack<Real> r2 = live_lanes<Real>(sources.count - i) ? Pack<Real>{} + softening_squared : Pack<Real>{} + Real(1);
    const RecordReader<Real> reader(sources, i);
    reader.template read<0>(d);
    for (int k = 0; k < Dim; ++k) {
      d[k] = center[k] - d[k];
      r2 += d[k] * d[k];
    }
    if constexpr (Harmonic && kFolds<Dim>) {
      read_first<P, kHarmonicMultipoles<P>>(reader, multipoles);
      add_harmonic_far_field<P, Potential>(d, inverse_root(r2), softening_squared, multipoles, sums);
    } else {
      read_multipoles<Dim, P>(reader, multipoles);
      add_far_field<Dim, P, Potential>(d, inverse_root(r2), multipoles, sums);
    }
  }
  if constexpr (Potential) {
    locals[0] += sum<Real>(sums[0]);
  } else {
    if constexpr (Harmonic && kFolds<Dim>) complete_harmonic<P>(sums);
    add_sums<1>(sums, locals);
  }
}

template <class Real, int Dim, int P, bool Potential>
void inherited(const SiblingCells<Real, Dim>& family, const Real* locals, Real* of_children) {
  Pack<Real> parent[kLocals<Dim, P>];
  for (int m = 0; m < kLocals<Dim, P>; ++m) parent[m] = Pack<Real>{} + locals[m];
  for (std::size_t i = 0; i < family.count; i += kLanes<Real>) {
    Pack<Real> x[Dim], child[kLocals<Dim, P>] = {};
    for (int k = 0; k < Dim; ++k) x[k] = load(family.child_center[k] + i) - family.center[k];
    add_parent_field<Dim, P, Potential>(x, parent, child);
    for (std::size_t c = i; c < family.count && c < i + kLanes<Real>; ++c) {
      Real* const to = of_children + c * kLocals<Dim, P>;
      if constexpr (Potential) {
        to[0] = child[0][c - i];
      } else {
        to[0] = 0;
        for (int m = 1; m < kLocals<Dim, P>; ++m) to[m] = child[m][c - i];
      }
    }
  }
}

template <class Real, int Dim, int P, bool Potential>
void add_field_to(const Real* locals, const Real* center, const CellUnits<Real>& units,
                  const TargetBlock<Real, Dim>& targets) {
  for (std::size_t i = 0; i < targets.count; i += kLanes<Real>) {
    Pack<Real> x[Dim], force[Dim + 1] = {};
    for (int k = 0; k < Dim; ++k) x[k] = load(targets.position[k] + i) * units.length - center[k];
    add_field_at<Dim, P, Potential>(x, locals, force);
    const auto add = [&](Real* to, Pack<Real> what) {
      what += load(to + i);
      std::memcpy(to + i, &what, sizeof(what));
    };
    if constexpr (Potential) {
      add(targets.potential, force[Dim] * units.potential);
    } else {
      for (int k = 0; k < Dim; ++k) add(targets.acceleration[k], force[k] * units.acceleration);
    }
  }
}

template <class Real, int Dim, int P>
constexpr ExpansionKernels<Real, Dim> kernels_of() {
  return {{kMultipoles<Dim, P>, kLocals<Dim, P>},
          kFolds<Dim>,
          body_multipoles<Real, Dim, P>,
          child_multipoles<Real, Dim, P>,
          {fields<Real, Dim, P, false, false>, fields<Real, Dim, P, true, false>, fields<Real, Dim, P, false, true>,
           fields<Real, Dim, P, true, true>},
          inherited<Real, Dim, P, false>,
          inherited<Real, Dim, P, true>,
          add_field_to<Real, Dim, P, false>,
          add_field_to<Real, Dim, P, true>};
}

template <class Real, int Dim>
constexpr ExpansionKernels<Real, Dim> kTable[] = {kernels_of<Real, Dim, 3>(), kernels_of<Real, Dim, 4>(),
                                                  kernels_of<Real, Dim, 5>()};

}  // namespace

template <class Real, int Dim>
const ExpansionKernels<Real, Dim>* expansion_kernels() {
  return kTable<Real, Dim>;
}
template const ExpansionKernels<float, 2>* expansion_kernels<float, 2>();
template const ExpansionKernels<float, 3>* expansion_kernels<float, 3>();
template const ExpansionKernels<double, 2>* expansion_kernels<double, 2>();
template const ExpansionKernels<double, 3>* expansion_kernels<double, 3>();

}  // namespace pericenter::PERICENTER_SIMD
