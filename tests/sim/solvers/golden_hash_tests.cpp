#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <string_view>

#include "sim/core/random.h"
#include "tests/support/reference.h"

// The bits of the bodies after a few steps, with the instruction set "plain": a change of these hashes changes the
// result of every run, and restarts of saved runs are no longer exact.
//
// They hold for x86-64 with SSE2, and for every compiler and optimisation that follows IEEE 754: g++ 12 with -O1, -O2
// and -O3 and clang++ 14 with -O2 gave the same. Plain code has exact roots and divisions, because approximate
// reciprocal roots (rsqrtps, 12 bits) differ between the processors of AMD and Intel. They do not cover
// - other instruction sets: AVX2 and AVX-512 kernels have fused multiply-adds and other orders of summation,
// - machines on which the compiler contracts a * b + c (-march=native, ARM): the tests are skipped,
// - std::pow, std::log and the functions of angles, which differ between C libraries: the bodies are made without them,
// and no
//   solver needs them here,
// - CUDA.

namespace pericenter::test {
namespace {

#if defined(__x86_64__) && !defined(__FMA__) && !defined(__FAST_MATH__)
constexpr bool kHasGoldenArithmetic = true;
#else
constexpr bool kHasGoldenArithmetic = false;
#endif

struct Row {
  std::string_view solver;
  /// 2D float, 2D double, 3D float, 3D double.
  std::array<std::uint64_t, 4> hashes;
};

constexpr std::array<Row, 9> kRows = {{
    {"octree", {0xb8806d2b660598f5, 0x45bf9fbc82ffddae, 0x74924c18a0099dc6, 0x3cb5d29a65e858ae}},
    {"fmm", {0x20bc939b0cb287ba, 0xca63cbce38ac603d, 0xa44e02d9da741f3e, 0xe914bb34a17d7dbb}},
    {"concurrent-octree", {0xbab75893406b22e2, 0x33c5ee1700e180e6, 0x67369e272bdd1bc5, 0x18eba9053d8fcb15}},
    {"tree-sorted", {0xbab75893406b22e2, 0x33c5ee1700e180e6, 0x67369e272bdd1bc5, 0x18eba9053d8fcb15}},
    {"hilbert-bvh", {0xb02cf6e40fb88f7b, 0x3e15f2845947de91, 0x81ef99b360d67067, 0x1d465531129ac999}},
    {"hybrid", {0x7916b68e2c140b5c, 0x6f21fd2a890e0a9b, 0xa0eccd364ef7c09e, 0x4416dc526e52eed5}},
    {"hybrid-shared", {0x7916b68e2c140b5c, 0x6f21fd2a890e0a9b, 0xa0eccd364ef7c09e, 0x4416dc526e52eed5}},
    {"direct", {0x21e18b26da5c3932, 0xd4cb3a68afa798cb, 0x6bbed3f5c1045d2d, 0x13e0d739536023e6}},
    {"direct-tiled", {0xa505a3eb5f635f14, 0xb562cbd226bbfd61, 0xb24c35bdedaada2e, 0x7bc705b16e2da36b}},
}};

/// Null: the table has no row.
const Row* row_for(std::string_view solver) {
  const auto found = std::ranges::find(kRows, solver, &Row::solver);
  return found == kRows.end() ? nullptr : &*found;
}

/// Bodies in a cube, by additions and multiplications alone.
Bodies cube(std::size_t count, int dimension) {
  Bodies bodies(count);
  for (std::size_t i = 0; i < count; ++i) {
    Random random(1, i);
    for (int axis = 0; axis < dimension; ++axis) {
      bodies[i].position.data[axis] = 2 * random.uniform() - 1;
      bodies[i].velocity.data[axis] = random.uniform() - 0.5;
    }
    bodies[i].mass = (0.5 + random.uniform()) / static_cast<double>(count);
  }
  return bodies;
}

std::uint64_t hash_after_steps(std::string_view solver, int dimension, Precision precision) {
  const Config config = {
      .solver = std::string(solver), .precision = precision, .dimension = dimension, .simd = Simd::plain};
  const auto simulation = Simulation::create(config, cube(3000, dimension));
  for (int step = 0; step < 5; ++step) simulation->step({.dt = 0.01, .theta = 0.6, .softening = 0.02}, false);
  return hash(simulation->bodies());
}

std::array<std::uint64_t, 4> hashes_of(std::string_view solver) {
  std::array<std::uint64_t, 4> hashes = {};
  std::size_t place = 0;
  for (const int dimension : {2, 3}) {
    for (const Precision precision : {Precision::float32, Precision::float64})
      hashes[place++] = hash_after_steps(solver, dimension, precision);
  }
  return hashes;
}

/// The row of the table for these hashes.
std::string row_of(std::string_view solver, const std::array<std::uint64_t, 4>& hashes) {
  std::ostringstream text;
  text << "{\"" << solver << "\", {";
  for (std::size_t k = 0; k < hashes.size(); ++k)
    text << (k > 0 ? ", " : "") << "0x" << std::hex << std::setw(16) << std::setfill('0') << hashes[k];
  text << "}},";
  return text.str();
}

class GoldenHashes : public testing::TestWithParam<std::string_view> {};

std::vector<std::string_view> reproducible_solvers() {
  std::vector<std::string_view> names;
  for (const SolverInfo& solver : solvers())
    if (solver.runs_on(Backend::cpu) && solver.reproducible) names.push_back(solver.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Solvers, GoldenHashes, testing::ValuesIn(reproducible_solvers()), [](const auto& param) {
  std::string name(param.param);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(GoldenHashes, AreThoseOfTheTable) {
  if (!kHasGoldenArithmetic) GTEST_SKIP() << "the compiler may contract a * b + c on this machine";
  const Row* const row = row_for(GetParam());
  const std::array<std::uint64_t, 4> hashes = hashes_of(GetParam());
  ASSERT_NE(row, nullptr) << "add to the table:\n" << row_of(GetParam(), hashes);
  EXPECT_EQ(hashes, row->hashes) << "if the change is intended, replace the row:\n" << row_of(GetParam(), hashes);
}

}  // namespace
}  // namespace pericenter::test
