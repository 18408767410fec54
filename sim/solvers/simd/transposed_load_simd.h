// Transposes records of cells into vectors, and sums vectors; see vectors_simd.h for the restrictions.
#pragma once

#include "sim/solvers/simd/expansion_kernels.h"
#include "sim/solvers/simd/vectors_simd.h"

namespace pericenter::PERICENTER_SIMD {
namespace {

#if defined(__SSE2__)
// The masked forms, as the plain ones warn of uninitialised variables in g++ 12.
#if PERICENTER_LANES == 16
using Floats = __m512;
inline Floats interleaved_low(Floats a, Floats b) {
  return _mm512_maskz_unpacklo_ps(0xFFFF, a, b);
}
inline Floats interleaved_high(Floats a, Floats b) {
  return _mm512_maskz_unpackhi_ps(0xFFFF, a, b);
}
inline Floats low_halves(Floats a, Floats b) {
  return _mm512_maskz_shuffle_ps(0xFFFF, a, b, 0x44);
}
inline Floats high_halves(Floats a, Floats b) {
  return _mm512_maskz_shuffle_ps(0xFFFF, a, b, 0xEE);
}
#elif PERICENTER_LANES == 8
using Floats = __m256;
inline Floats interleaved_low(Floats a, Floats b) {
  return _mm256_unpacklo_ps(a, b);
}
inline Floats interleaved_high(Floats a, Floats b) {
  return _mm256_unpackhi_ps(a, b);
}
inline Floats low_halves(Floats a, Floats b) {
  return _mm256_shuffle_ps(a, b, 0x44);
}
inline Floats high_halves(Floats a, Floats b) {
  return _mm256_shuffle_ps(a, b, 0xEE);
}
#else
using Floats = __m128;
inline Floats interleaved_low(Floats a, Floats b) {
  return _mm_unpacklo_ps(a, b);
}
inline Floats interleaved_high(Floats a, Floats b) {
  return _mm_unpackhi_ps(a, b);
}
inline Floats low_halves(Floats a, Floats b) {
  return _mm_shuffle_ps(a, b, 0x44);
}
inline Floats high_halves(Floats a, Floats b) {
  return _mm_shuffle_ps(a, b, 0xEE);
}
#endif

inline Floats as_floats(Pack<float> pack) {
  return reinterpret_cast<Floats>(pack);
}
inline Pack<float> as_pack(Floats floats) {
  return reinterpret_cast<Pack<float>>(floats);
}

/// Turns each block of four by four numbers.
inline void turn(const Pack<float> (&row)[4], Pack<float>* to) {
  const Floats low01 = interleaved_low(as_floats(row[0]), as_floats(row[1]));
  const Floats low23 = interleaved_low(as_floats(row[2]), as_floats(row[3]));
  const Floats high01 = interleaved_high(as_floats(row[0]), as_floats(row[1]));
  const Floats high23 = interleaved_high(as_floats(row[2]), as_floats(row[3]));
  to[0] = as_pack(low_halves(low01, low23));
  to[1] = as_pack(high_halves(low01, low23));
  to[2] = as_pack(low_halves(high01, high23));
  to[3] = as_pack(high_halves(high01, high23));
}
#endif

/// Adds the sum over the lanes of each of the packs First ... Count - 1.
template <int First, int Count, class Real>
inline void add_sums(const Pack<Real> (&packs)[Count], Real* to) {
  int i = First;
#if defined(__SSE2__)
  if constexpr (sizeof(Real) == 4) {
    for (; i + 4 <= Count; i += 4) {
      const Pack<float> four[4] = {packs[i], packs[i + 1], packs[i + 2], packs[i + 3]};
      Pack<float> turned[4];
      turn(four, turned);
      const Pack<float> added = (turned[0] + turned[1]) + (turned[2] + turned[3]);
      typedef float Four __attribute__((vector_size(16)));
      Four blocks[kLanes<float> / 4], total;
      std::memcpy(blocks, &added, sizeof(added));
      for (int block = 1; block < kLanes<float> / 4; ++block) blocks[0] += blocks[block];
      std::memcpy(&total, to + i, sizeof(total));
      total += blocks[0];
      std::memcpy(to + i, &total, sizeof(total));
    }
  }
#endif
  for (; i < Count; ++i) to[i] += sum<Real>(packs[i]);
}

/// Values of lanes without a cell.
template <class Real>
inline constexpr Real kNoRecord[64] = {};

/// The records of as many cells as there are lanes, turned so that each number is a vector.
template <class Real>
class RecordReader {
 public:
  RecordReader(const FarSources<Real>& sources, std::size_t first) {
    for (std::size_t k = 0; k < std::size_t(kLanes<Real>); ++k) {
      row_[k] =
          first + k < sources.count ? sources.records + sources.cell[first + k] * sources.stride : kNoRecord<Real>;
    }
  }

  /// Sets the `Count` numbers after the first `Skip`; Skip is a multiple of kTogether.
  template <int Skip, int Count>
  void read(Pack<Real> (&to)[Count]) const {
    for (int i = 0; i < Count; i += kTogether) {
      Pack<Real> some[kTogether];
      read_some(Skip + i, some);
      for (int k = 0; k < kTogether && i + k < Count; ++k) to[i + k] = some[k];
    }
  }

 private:
  static constexpr int kTogether = static_cast<int>(kRecordPadding);

  void read_some(int first, Pack<Real> (&to)[kTogether]) const {
#if defined(__SSE2__)
    if constexpr (sizeof(Real) == 4) {
      const Pack<float> rows[4] = {joined(first, 0), joined(first, 1), joined(first, 2), joined(first, 3)};
      return turn(rows, to);
    }
#endif
    Real numbers[kTogether][kLanes<Real>];
    for (int k = 0; k < kLanes<Real>; ++k) {
      for (int i = 0; i < kTogether; ++i) numbers[i][k] = row_[k][first + i];
    }
    for (int i = 0; i < kTogether; ++i) to[i] = load(numbers[i]);
  }

#if defined(__SSE2__)
  /// Four numbers each of rows j, j + 4, j + 8 ...
  Pack<float> joined(int first, int j) const {
    const auto four = [&](int row) { return _mm_loadu_ps(row_[row] + first); };
#if PERICENTER_LANES == 16
    __m512 all = _mm512_zextps128_ps512(four(j));
    all = _mm512_maskz_insertf32x4(0xFFFF, all, four(j + 4), 1);
    all = _mm512_maskz_insertf32x4(0xFFFF, all, four(j + 8), 2);
    all = _mm512_maskz_insertf32x4(0xFFFF, all, four(j + 12), 3);
    return reinterpret_cast<Pack<float>>(all);
#elif PERICENTER_LANES == 8
    return reinterpret_cast<Pack<float>>(_mm256_insertf128_ps(_mm256_zextps128_ps256(four(j)), four(j + 4), 1));
#else
    return reinterpret_cast<Pack<float>>(four(j));
#endif
  }
#endif

  const Real* row_[static_cast<std::size_t>(kLanes<Real>)];
};

}  // namespace
}  // namespace pericenter::PERICENTER_SIMD
