// Compiled once per instruction set; see vectors_simd.h for the restrictions.
#include "sim/solvers/simd/cell_filter.h"
#include "sim/solvers/simd/vectors_simd.h"

namespace pericenter::PERICENTER_SIMD {
namespace {

/// Bit i is set where lane i is true.
template <class Mask>
inline unsigned bits_of(Mask mask) {
#if PERICENTER_LANES == 16
  const auto lanes = reinterpret_cast<__m512i>(mask);
  return sizeof(mask[0]) == 4 ? _mm512_movepi32_mask(lanes) : _mm512_movepi64_mask(lanes);
#elif PERICENTER_LANES == 8
  return static_cast<unsigned>(sizeof(mask[0]) == 4 ? _mm256_movemask_ps(reinterpret_cast<__m256>(mask))
                                                    : _mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
#else
  unsigned bits = 0;
  for (unsigned k = 0; k < sizeof(mask) / sizeof(mask[0]); ++k) bits |= (mask[k] != 0 ? 1u : 0u) << k;
  return bits;
#endif
}

#if PERICENTER_LANES == 8
/// The places of the bits that are set, in each set of eight.
struct SetBits {
  unsigned char places[256][8];
  constexpr SetBits() : places() {
    for (int bits = 0; bits < 256; ++bits) {
      for (int place = 0, next = 0; place < 8; ++place) {
        if ((bits >> place & 1) != 0) places[bits][next++] = static_cast<unsigned char>(place);
      }
    }
  }
};
inline constexpr SetBits kSetBits;
#endif

/// Writes the elements whose bits are set, one after the other, and perhaps others behind them.
template <class T>
inline void write_picked(unsigned bits, const T* from, T* to) {
#if PERICENTER_LANES == 16
  if constexpr (std::is_same_v<T, float>) {
    _mm512_storeu_ps(to, _mm512_maskz_compress_ps(static_cast<__mmask16>(bits), _mm512_loadu_ps(from)));
  } else if constexpr (std::is_same_v<T, double>) {
    _mm512_storeu_pd(to, _mm512_maskz_compress_pd(static_cast<__mmask8>(bits), _mm512_loadu_pd(from)));
  } else {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), _mm512_loadu_si512(from)));
  }
#else
#if PERICENTER_LANES == 8
  if constexpr (sizeof(T) == 4) {
    const __m128i places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kSetBits.places[bits]));
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(all, _mm256_cvtepu8_epi32(places)));
    return;
  }
#endif
  for (; bits != 0; bits &= bits - 1) *to++ = from[__builtin_ctz(bits)];
#endif
}

/// One cell per lane.
template <class Real, int Dim>
struct Candidates {
  const Real* center[Dim];
  const Real* reach;
  const Real* mass;
  const std::uint32_t* cell;
  int count;
};

template <class Real, int Dim>
[[gnu::always_inline]] inline void filter_batch(const CellTarget<Real, Dim>& target, const Candidates<Real, Dim>& some,
                                                ClassifiedCells<Real, Dim>& out) {
  const Pack<Real> reach = load(some.reach);
  Pack<Real> distance_squared{};
  for (int k = 0; k < Dim; ++k) {
    const Pack<Real> d = load(some.center[k]) - target.center[k];
    distance_squared += d * d;
  }
  const Pack<Real> radius = reach < 0 ? -reach : reach;
  const unsigned present = bits_of(reach == reach) & ((2u << (some.count - 1)) - 1);
  unsigned accepted = bits_of(target.rule.accepts(radius + target.radius, distance_squared)) & present;
  const bool by_error = target.rule.by_error();
  if (by_error && accepted != 0) {
    accepted &= bits_of(target.rule.is_exact(radius + target.radius,
                                             Real(1) / (distance_squared + target.rule.softening_squared),
                                             load(some.mass), target.radius, target.strictness));
  }
  const unsigned opened = bits_of(reach > target.opens) & present & ~accepted;
  const unsigned left = present & ~accepted & ~opened;
  const unsigned harmonic = accepted & bits_of(target.rule.is_harmonic(distance_squared));
  accepted &= ~harmonic;
  write_picked(accepted, some.cell, out.accepted + out.accepted_count);
  out.accepted_count += static_cast<unsigned>(__builtin_popcount(accepted));
  write_picked(harmonic, some.cell, out.harmonic + out.harmonic_count);
  out.harmonic_count += static_cast<unsigned>(__builtin_popcount(harmonic));
  write_picked(opened, some.cell, out.to_open + out.to_open_count);
  out.to_open_count += static_cast<unsigned>(__builtin_popcount(opened));
  if (!target.is_leaf()) {
    for (int k = 0; k < Dim; ++k) write_picked(left, some.center[k], out.left.center[k] + out.left.count);
    write_picked(left, some.reach, out.left.reach + out.left.count);
    if (by_error) write_picked(left, some.mass, out.left.mass + out.left.count);
  }
  write_picked(left, some.cell, out.left.cell + out.left.count);
  out.left.count += static_cast<unsigned>(__builtin_popcount(left));
  out.visits += static_cast<unsigned>(some.count);
}

template <class Real, int Dim>
void filter_children(const CellTarget<Real, Dim>& target, const CellRow<Real, Dim>& all, std::uint32_t parent,
                     ClassifiedCells<Real, Dim>& out) {
  const std::uint32_t first = all.first_child[parent], last = first + all.child_count[parent];
  for (std::uint32_t child = first; child < last; child += kLanes<Real>) {
    std::uint32_t cells[kCellSlack];
    for (unsigned k = 0; k < kCellSlack; ++k) cells[k] = child + k;
    const auto rest = static_cast<int>(last - child);
    Candidates<Real, Dim> some{
        {}, all.reach + child, all.mass + child, cells, rest < kLanes<Real> ? rest : kLanes<Real>};
    for (int k = 0; k < Dim; ++k) some.center[k] = all.center[k] + child;
    filter_batch(target, some, out);
  }
}

template <class Real, int Dim>
bool filter_cells(const CellTarget<Real, Dim>& target, const UndecidedCells<Real, Dim>& list,
                  const CellRow<Real, Dim>& all, ClassifiedCells<Real, Dim>& result) {
  constexpr std::size_t kMaxAdded = 16;
  // A copy, which the compiler keeps in registers.
  ClassifiedCells<Real, Dim> out = result;
  bool done = true;
  while (out.tested < list.count || out.opened < out.to_open_count) {
    if (out.accepted_count + kMaxAdded > out.room || out.harmonic_count + kMaxAdded > out.room ||
        out.to_open_count + kMaxAdded > out.room || out.left.count + kMaxAdded > out.room) {
      done = false;
      break;
    }
    // The cell that was found last is opened last, because the processor would have to wait for it.
    if (out.tested == list.count) {
      filter_children(target, all, out.to_open[out.opened++], out);
    } else {
      const std::size_t at = out.tested, rest = list.count - at;
      Candidates<Real, Dim> some{{},
                                 list.reach + at,
                                 list.mass + at,
                                 list.cell + at,
                                 rest < std::size_t(kLanes<Real>) ? static_cast<int>(rest) : kLanes<Real>};
      for (int k = 0; k < Dim; ++k) some.center[k] = list.center[k] + at;
      filter_batch(target, some, out);
      out.tested += static_cast<unsigned>(some.count);
    }
  }
  result = out;
  return done;
}

}  // namespace

template <class Real, int Dim>
CellFilter<Real, Dim> cell_filter() {
  return filter_cells<Real, Dim>;
}
template CellFilter<float, 2> cell_filter<float, 2>();
template CellFilter<float, 3> cell_filter<float, 3>();
template CellFilter<double, 2> cell_filter<double, 2>();
template CellFilter<double, 3> cell_filter<double, 3>();

}  // namespace pericenter::PERICENTER_SIMD
