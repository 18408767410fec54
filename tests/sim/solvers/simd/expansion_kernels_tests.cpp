#include "sim/solvers/simd/expansion_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "sim/solvers/fmm/expansion.h"
#include "sim/solvers/simd/cell_filter.h"

namespace pericenter {
namespace {

/// Pseudo-random numbers in [-1, 1].
double number(std::size_t i) {
  const double x = std::sin(static_cast<double>(i) * 12.9898 + 4.1414) * 43758.5453;
  return 2 * (x - std::floor(x)) - 1;
}

template <class Real>
constexpr double kRounding = sizeof(Real) == 4 ? 3e-5 : 1e-12;

template <class Real, class Number>
void expect_close(const std::vector<Number>& got, const std::vector<double>& wanted) {
  double largest = 0;
  for (const double x : wanted) largest = std::max(largest, std::abs(x));
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(got[i]), wanted[i], kRounding<Real> * largest) << i;
  }
}

/// The kernels of one kind against the formulas in doubles.
template <class Real, int Dim, int P>
class Check {
 public:
  explicit Check(Simd simd) : kernels_(expansion_kernels<Real, Dim>(simd, P)) {}

  void run() const {
    EXPECT_EQ(kernels_.size.multipoles, (kMultipoles<Dim, P>));
    EXPECT_EQ(kernels_.size.locals, (kLocals<Dim, P>));
    for (const std::size_t count : {1, 2, 5, 8, 15, 16, 17, 33}) {
      SCOPED_TRACE(count);
      bodies(count);
      far_fields(count, Real(0.09), kernels_.far.fields, kernels_.far.field_potentials);
      far_fields(count, Real(1e-14), kernels_.far.harmonic_fields, kernels_.far.harmonic_potentials);
      families(std::min<std::size_t>(count, 1u << Dim));
    }
  }

 private:
  using Reals = std::vector<Real>;

  static Reals numbers(std::size_t count, std::size_t seed) {
    Reals result(count);
    for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<Real>(number(i + 1000 * seed));
    return result;
  }

  /// Multipoles in the order of multipole_index, from those of a record.
  std::vector<double> multipoles_in(const Real* record) const {
    double multipoles[kMultipoles<Dim, P>];
    for (std::size_t m = 0; m < std::size(multipoles); ++m) {
      std::size_t to = m;
      if constexpr (Dim == 3) to = kernels_.folded ? static_cast<std::size_t>(kHarmonicFirst<P>[m]) : m;
      multipoles[to] = static_cast<double>(record[m]);
    }
    if constexpr (Dim == 3) {
      if (kernels_.folded) unfold_multipoles<P>(multipoles);
    }
    return {std::begin(multipoles), std::end(multipoles)};
  }

  /// Values beyond the end must not affect the result.
  void bodies(std::size_t count) const {
    const Reals x = numbers((count + kSourcePadding) * (Dim + 1), 1);
    const std::size_t stride = count + kSourcePadding;
    PointList<Real, Dim> list{{}, x.data() + Dim * stride, count};
    for (int k = 0; k < Dim; ++k) list.position[k] = x.data() + static_cast<std::size_t>(k) * stride;
    const CellUnits<Real> units{4, 2, 1, 1};
    const Real center[3] = {Real(0.25), Real(-0.5), Real(1)};
    Reals got(kMultipoles<Dim, P>);
    const Real farthest_squared = kernels_.body_multipoles(list, units, center, got.data());
    double wanted[kMultipoles<Dim, P>] = {}, farthest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      double y[Dim], squared = 0;
      for (int k = 0; k < Dim; ++k) {
        y[k] = 4 * static_cast<double>(list.position[k][i]) - static_cast<double>(center[k]);
        squared += y[k] * y[k];
      }
      farthest = std::max(farthest, squared);
      add_mass_point<Dim, P>(y, 2 * static_cast<double>(list.mass[i]), wanted);
    }
    expect_close<Real>(multipoles_in(got.data()), {std::begin(wanted), std::end(wanted)});
    EXPECT_NEAR(static_cast<double>(farthest_squared), farthest, 1e-5 * farthest);
  }

  /// One record per cell, referenced out of order.
  void far_fields(std::size_t count, Real softening_squared, FarKernel<Real> fields, FarKernel<Real> potentials) const {
    const std::size_t stride = record_stride(kernels_.size), cells = 3 * count;
    const Reals records = numbers(cells * stride, 2);
    std::vector<std::uint32_t> named(count + kSourcePadding);
    for (std::size_t i = 0; i < count; ++i) named[i] = static_cast<std::uint32_t>((i * 7 + 2) % cells);
    const Real center[3] = {3, Real(-2.5), 2};
    Reals got(kLocals<Dim, P>), potential(kLocals<Dim, P>);
    const FarSources<Real> sources{records.data(), stride, named.data(), count};
    fields(sources, center, softening_squared, got.data());
    potentials(sources, center, softening_squared, potential.data());
    EXPECT_EQ(got[0], 0);
    EXPECT_TRUE(std::all_of(potential.begin() + 1, potential.end(), [](Real x) { return x == 0; }));
    got[0] = potential[0];
    double wanted[kLocals<Dim, P>] = {};
    for (std::size_t i = 0; i < count; ++i) {
      const Real* const record = &records[named[i] * stride];
      double d[Dim], r2 = static_cast<double>(softening_squared), multipoles[kMultipoles<Dim, P>];
      std::ranges::copy(multipoles_in(record + kCenterRoom), multipoles);
      for (int k = 0; k < Dim; ++k) {
        d[k] = static_cast<double>(center[k] - record[k]);
        r2 += d[k] * d[k];
      }
      add_far_field<Dim, P, true>(d, 1 / std::sqrt(r2), multipoles, wanted);
    }
    expect_close<Real>(got, {std::begin(wanted), std::end(wanted)});
    at_bodies(got, count);
  }

  void at_bodies(const Reals& locals, std::size_t count) const {
    const std::size_t room = (count + kSourcePadding - 1) / kSourcePadding * kSourcePadding;
    const Reals x = numbers(room * Dim, 3);
    Reals result(room * (Dim + 1), Real(0.5));
    TargetBlock<Real, Dim> block{{}, {}, result.data() + Dim * room, room};
    for (int k = 0; k < Dim; ++k) {
      block.position[k] = x.data() + static_cast<std::size_t>(k) * room;
      block.acceleration[k] = result.data() + static_cast<std::size_t>(k) * room;
    }
    const Real center[3] = {Real(0.25), Real(-0.5), Real(1)};
    const CellUnits<Real> units{2, 1, 4, 8};
    kernels_.accelerations(locals.data(), center, units, block);
    kernels_.potentials(locals.data(), center, units, block);
    const std::vector<double> in_doubles(locals.begin(), locals.end());
    std::vector<double> wanted(result.size());
    for (std::size_t i = 0; i < room; ++i) {
      double y[Dim], force[Dim + 1] = {};
      for (int k = 0; k < Dim; ++k) {
        y[k] = 2 * static_cast<double>(block.position[k][i]) - static_cast<double>(center[k]);
      }
      add_field_at<Dim, P, true>(y, in_doubles, force);
      for (int k = 0; k <= Dim; ++k)
        wanted[static_cast<std::size_t>(k) * room + i] = 0.5 + (k < Dim ? 4 : 8) * force[k];
    }
    expect_close<Real>(result, wanted);
  }

  /// A parent and its children, both ways.
  void families(std::size_t count) const {
    const std::size_t stride = record_stride(kernels_.size), room = count + kSourcePadding;
    const Reals records = numbers(count * stride, 4), centers = numbers(room * Dim, 5);
    const Reals locals = numbers(kLocals<Dim, P>, 6);
    std::vector<std::uint32_t> named(room);
    for (std::size_t i = 0; i < count; ++i) named[i] = static_cast<std::uint32_t>(i);
    SiblingCells<Real, Dim> family{{Real(0.1), Real(0.2)}, {}, count};
    for (int k = 0; k < Dim; ++k) family.child_center[k] = centers.data() + static_cast<std::size_t>(k) * room;
    Reals of_parent(kMultipoles<Dim, P>), of_children(count * kLocals<Dim, P>), potentials(of_children.size());
    kernels_.child_multipoles(family, {records.data(), stride, named.data(), count}, of_parent.data());
    kernels_.inherited_fields(family, locals.data(), of_children.data());
    kernels_.inherited_potentials(family, locals.data(), potentials.data());
    double wanted[kMultipoles<Dim, P>] = {};
    std::vector<double> inherited;
    for (std::size_t i = 0; i < count; ++i) {
      double y[Dim], child[kMultipoles<Dim, P>], parent[kLocals<Dim, P>], moved[kLocals<Dim, P>] = {};
      for (int k = 0; k < Dim; ++k) y[k] = static_cast<double>(family.child_center[k][i] - family.center[k]);
      std::ranges::copy(multipoles_in(&records[i * stride + kCenterRoom]), child);
      add_child_multipoles<Dim, P>(y, child, wanted);
      std::copy(locals.begin(), locals.end(), parent);
      add_parent_field<Dim, P, true>(y, parent, moved);
      inherited.insert(inherited.end(), std::begin(moved), std::end(moved));
      EXPECT_EQ((of_children[i * kLocals<Dim, P>]), 0);
      of_children[i * kLocals<Dim, P>] = potentials[i * kLocals<Dim, P>];
    }
    expect_close<Real>(multipoles_in(of_parent.data()), {std::begin(wanted), std::end(wanted)});
    expect_close<Real>(of_children, inherited);
  }

  const ExpansionKernels<Real, Dim>& kernels_;
};

class FarKernelTest : public testing::TestWithParam<Simd> {};
INSTANTIATE_TEST_SUITE_P(InstructionSets, FarKernelTest, testing::ValuesIn(supported_simd()),
                         [](const auto& simd) { return std::string(enum_name(simd.param)); });

template <class Real, int Dim>
void check_all_orders(Simd simd) {
  SCOPED_TRACE(testing::Message() << Dim << "D, " << sizeof(Real) << " bytes");
  Check<Real, Dim, 3>(simd).run();
  Check<Real, Dim, 4>(simd).run();
  Check<Real, Dim, 5>(simd).run();
}

TEST_P(FarKernelTest, ComputeTheExpansions) {
  check_all_orders<float, 2>(GetParam());
  check_all_orders<float, 3>(GetParam());
  check_all_orders<double, 2>(GetParam());
  check_all_orders<double, 3>(GetParam());
}

// Distant bodies, massless cells, cells to open, and so on, against a direct implementation of the rule.
TEST_P(FarKernelTest, CellFiltersFollowTheRule) {
  constexpr std::size_t kCells = 300;
  std::vector<float> x(kCells + kCellSlack), y(x.size()), reach(x.size()), mass(x.size());
  std::vector<std::uint32_t> cell(x.size()), first_child(kCells);
  std::vector<std::uint8_t> child_count(kCells);
  for (std::size_t i = 0; i < kCells; ++i) {
    x[i] = static_cast<float>(12 * number(i));
    y[i] = static_cast<float>(12 * number(i + 500));
    reach[i] = i % 11 == 0 ? std::nanf("") : static_cast<float>((i % 3 == 0 ? -1 : 1) * std::abs(3 * number(i + 900)));
    mass[i] = static_cast<float>(std::abs(number(i + 1300)));
    cell[i] = static_cast<std::uint32_t>(i);
    // The last hundred are children of the first.
    if (i < 20 && reach[i] > 0) first_child[i] = static_cast<std::uint32_t>(200 + 4 * i), child_count[i] = 4;
  }
  std::size_t accepted_before = 0;
  // By angle, or also by error: 0.02 of an acceleration of 0.05.
  constexpr float kSoftening = 0.5f;  // 14 of it are within the distances
  const CellCriterion<float> by_angle = CellCriterion<float>::of(0.7, kSoftening);
  CellCriterion<float> by_error = CellCriterion<float>::of_error(0.004, 3, 3, kSoftening);
  by_error.theta_squared = by_angle.theta_squared;
  for (const auto& [opens, rule] :
       {std::pair(2.0f, by_angle), std::pair(-0.0f, by_angle), std::pair(2.0f, by_error), std::pair(-0.0f, by_error)}) {
    const float strictness = rule.by_error() ? rule.strictness(0.05f) : 0;
    const CellTarget<float, 2> target{{1, -2}, 1, opens, strictness, rule};
    const auto is_exact = [&](double radii, double d2, double m) {
      const double softened = d2 + kSoftening * kSoftening,
                   alone = m / softened * std::pow(radii * radii / softened, 1.5) / 0.05;
      const double together = CellCriterion<float>::kTogether * std::pow(1 / softened, 1.5);
      return std::hypot(alone, together) < 0.004 * CellCriterion<float>::kErrorOfAccuracy[1][0];
    };
    std::vector<std::uint32_t> accepted, left;
    const auto part = [&](const auto& self, std::uint32_t i) -> void {
      if (std::isnan(reach[i])) return;
      const float dx = x[i] - 1, dy = y[i] + 2, d2 = dx * dx + dy * dy;
      const float radii = std::abs(reach[i]) + 1;
      if (radii < 0.7f * std::sqrt(d2) && (!target.rule.by_error() || is_exact(radii, d2, mass[i]))) {
        accepted.push_back(i);
      } else if (reach[i] > opens) {
        for (std::uint32_t k = 0; k < child_count[i]; ++k) self(self, first_child[i] + k);
      } else {
        left.push_back(i);
      }
    };
    for (std::uint32_t i = 0; i < 200; ++i) part(part, i);
    std::vector<float> lx(kCells), ly(kCells), lr(kCells), lm(kCells);
    std::vector<std::uint32_t> got_left(kCells), got_accepted(kCells), got_harmonic(kCells), to_open(kCells);
    ClassifiedCells<float, 2> out{{{lx.data(), ly.data()}, lr.data(), lm.data(), got_left.data()},
                                  got_accepted.data(),
                                  got_harmonic.data(),
                                  to_open.data()};
    out.room = kCells - kCellSlack;
    ASSERT_TRUE((cell_filter<float, 2>(GetParam())(
        target, {{x.data(), y.data()}, reach.data(), mass.data(), cell.data(), 200},
        {{x.data(), y.data()}, reach.data(), mass.data(), first_child.data(), child_count.data()}, out)));
    got_left.resize(out.left.count);
    got_accepted.resize(out.accepted_count);
    got_harmonic.resize(out.harmonic_count);
    for (const auto& [list, harmonic] : {std::pair(&got_accepted, false), std::pair(&got_harmonic, true)}) {
      EXPECT_GT(list->size(), rule.by_error() ? 0u : 5u) << harmonic;
      for (const std::uint32_t i : *list) EXPECT_EQ(std::hypot(x[i] - 1, y[i] + 2) > 14 * kSoftening, harmonic);
    }
    got_accepted.insert(got_accepted.end(), got_harmonic.begin(), got_harmonic.end());
    for (std::size_t i = 0; !target.is_leaf() && i < got_left.size(); ++i) {
      EXPECT_EQ(lx[i], x[got_left[i]]);
      EXPECT_EQ(lm[i], rule.by_error() ? mass[got_left[i]] : 0);
    }
    for (auto* list : {&accepted, &left, &got_left, &got_accepted}) std::sort(list->begin(), list->end());
    EXPECT_EQ(got_left, left);
    EXPECT_EQ(got_accepted, accepted);
    EXPECT_GT(accepted.size(), rule.by_error() ? 5u : 20u);
    accepted_before = rule.by_error() ? accepted_before : accepted.size();
    EXPECT_EQ(accepted.size() < accepted_before, rule.by_error());
    EXPECT_GT(left.size(), 5u);
  }
}

}  // namespace
}  // namespace pericenter
