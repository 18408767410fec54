#pragma once

#include "sim/cuda/tree/device_tree.cuh"
#include "sim/solvers/fmm/cell_opening_criterion.h"
#include "sim/solvers/fmm/expansion.h"

namespace pericenter {

/// A cell as tested by the cell walk; lengths in cell_unit().
template <class Real>
struct alignas(8 * sizeof(Real)) FarCell {
  Real x, y, z;            ///< centre of mass and of the expansion
  Real radius;             ///< maximum distance of a body of the cell from the centre
  Real mass;               ///< times the gravitational constant
  std::uint32_t children;  ///< NodeLinks::children
  std::uint32_t begin, end;
};

// The expansion of a cell is a record of its centre, its mass and the higher multipoles, folded and in the order of
// kHarmonicFirst. The far field is limited by the number of bytes that it reads, so in single precision a record has
// only the upper 24 bits of the mass and of the multipoles of degree 2, and the upper 16 bits of the others: in the
// acceleration by the cell, errors of 2^-16 and of 2^-8 (size / distance)^3 at most, below those of the expansions. The
// multipole of z z has 16 bits: those of x x and y y are stored less it, so that its error is one of the trace, on
// which a harmonic kernel does not act.

/// Elements of a record with the centre, the mass and the multipoles of degree 2.
template <class Real>
inline constexpr int kRecordHead = sizeof(Real) == 4 ? 8 : 10;
/// Length of a record with the first `multipoles`, in whole words of 16 bytes.
template <class Real>
constexpr int record_length(int multipoles) {
  constexpr int kWord = 16 / int(sizeof(Real)), kInElement = sizeof(Real) == 4 ? 2 : 1;
  const int length = kRecordHead<Real> + (multipoles - 7 + kInElement - 1) / kInElement;
  return (length + kWord - 1) / kWord * kWord;
}
template <class Real, int P>
inline constexpr int kSourceStride = record_length<Real>(kMultipoles<3, P>);

/// `x` rounded to the nearest number of which only the upper `Bits` are not 0; ties to even.
template <int Bits>
__device__ __forceinline__ unsigned upper_bits(float x) {
  constexpr unsigned kLower = (1u << (32 - Bits)) - 1;
  const unsigned bits = __float_as_uint(x);
  return (bits + kLower / 2 + (bits >> (32 - Bits) & 1u)) & ~kLower;
}

/// Writes the mass and the multipoles of a record, and its padding.
template <int P>
__device__ __forceinline__ void write_multipoles(const float (&multipoles)[kMultipoles<3, P>], float* record) {
  const auto bits = [&]<int I, int Bits>() {
    if constexpr (I < kMultipoles<3, P>) {
      return upper_bits<Bits>(multipoles[kHarmonicFirst<P>[I]]);
    } else {
      return 0u;
    }
  };
  const auto write = [&](int at, unsigned word) { record[at] = __uint_as_float(word); };
  // The lower bytes have the fifth number of 24 bits, and the one of 16.
  const unsigned yy = bits.template operator()<4, 24>(), zz = bits.template operator()<6, 16>();
  write(3, bits.template operator()<0, 24>() | yy >> 24);
  write(4, bits.template operator()<1, 24>() | (yy >> 16 & 0xFFu));
  write(5, bits.template operator()<2, 24>() | (yy >> 8 & 0xFFu));
  write(6, bits.template operator()<3, 24>() | zz >> 24);
  write(7, bits.template operator()<5, 24>() | (zz >> 16 & 0xFFu));
  for_constants<kRecordHead<float>, kSourceStride<float, P>>([&](auto at) {
    constexpr int kFirst = 7 + 2 * (at - kRecordHead<float>);
    write(at, bits.template operator()<kFirst, 16>() >> 16 | bits.template operator()<kFirst + 1, 16>());
  });
}
template <int P>
__device__ __forceinline__ void write_multipoles(const double (&multipoles)[kMultipoles<3, P>], double* record) {
  for_constants<3, kSourceStride<double, P>>([&](auto at) {
    if constexpr (at - 3 < kMultipoles<3, P>) {
      record[at] = multipoles[kHarmonicFirst<P>[at - 3]];
    } else {
      record[at] = 0;  // padding is copied too
    }
  });
}

/// Reads the first Count multipoles of a record; the others are not set.
template <int P, int Count>
__device__ __forceinline__ void read_multipoles(const float* record, float (&multipoles)[kMultipoles<3, P>]) {
  const auto set = [&](auto i, unsigned bits) { multipoles[kHarmonicFirst<P>[i]] = __uint_as_float(bits); };
  unsigned head[kRecordHead<float>];
  for_constants<3, kRecordHead<float>>([&](auto at) { head[at] = __float_as_uint(record[at]); });
  for_constants<0, 4>([&](auto i) { set(i, head[3 + i] & 0xFFFFFF00u); });
  set(std::integral_constant<int, 4>{},
      __byte_perm(__byte_perm(head[4], head[3], 0x4000), head[5], 0x3243) & 0xFFFFFF00u);
  set(std::integral_constant<int, 5>{}, head[7] & 0xFFFFFF00u);
  set(std::integral_constant<int, 6>{}, __byte_perm(head[7], head[6], 0x4000) & 0xFFFF0000u);
  for_constants<7, Count>([&](auto i) {
    const unsigned both = __float_as_uint(record[kRecordHead<float> + (i - 7) / 2]);
    set(i, (i - 7) % 2 == 0 ? both << 16 : both & 0xFFFF0000u);
  });
}
template <int P, int Count>
__device__ __forceinline__ void read_multipoles(const double* record, double (&multipoles)[kMultipoles<3, P>]) {
  for_constants<0, Count>([&](auto i) { multipoles[kHarmonicFirst<P>[i]] = record[3 + i]; });
}

/// The cells of a tree, one element per node.
template <class Real>
struct FarCells {
  FarCell<Real>* cell;
  Real* source;  ///< kSourceStride per cell
};

/// Factor that scales lengths before expansions are computed: CellUnits::length. Masses are not scaled here.
template <class Real>
__device__ __forceinline__ Real cell_unit(const TreeStatus& status, const Softening<Real>& softening) {
  int exponent = 0;
  frexp(fmax(status.cube_side, double(softening.length)), &exponent);
  return static_cast<Real>(ldexp(1.0, max(-100, min(40, 10 - exponent))));
}

}  // namespace pericenter
