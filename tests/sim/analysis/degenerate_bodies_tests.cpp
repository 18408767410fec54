// Every measurement, of bodies in arrangements in which distances, sizes and speeds vanish, overflow or underflow.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/analysis/encounter_events.h"
#include "sim/analysis/force_sample.h"
#include "sim/analysis/health.h"
#include "sim/analysis/probe.h"
#include "sim/analysis/reversibility_error.h"
#include "sim/analysis/rotation_curve.h"
#include "sim/analysis/structure.h"
#include "sim/analysis/theta_sweep.h"
#include "sim/core/simulation.h"

namespace pericenter {
namespace {

/// The first `together` of the bodies are at one place, and the others on both sides of it: on a line, or with a
/// `slope` in a plane.
struct Arrangement {
  std::uint32_t bodies = 0, together = 0;
  double slope = 0;
};

constexpr Arrangement kArrangements[] = {{0, 0},     {1, 0},    {2, 0},    {3, 0},   {2, 2},       {3, 3},
                                         {63, 63},   {63, 31},  {63, 30},  {63, 2},  {63, 2, 1},   {500, 500},
                                         {500, 250}, {500, 62}, {500, 30}, {500, 0}, {500, 62, 1}, {500, 0, 1}};

/// Stars of the discs of galaxies, which have the bodies in turn.
Bodies bodies_of(const Arrangement& wanted, double size, std::uint32_t galaxies) {
  Bodies bodies;
  for (std::uint32_t k = 0; k < wanted.bodies; ++k) {
    const std::uint32_t number = k / galaxies;
    const double distance = k < wanted.together ? 0 : size * (number / 2 + 1);
    const double sign = number % 2 == 0 ? 1 : -1, slope = number % 4 < 2 ? wanted.slope : -wanted.slope;
    const Vec3 place = Vec3{1, slope, 0} * (sign * distance);
    bodies.push_back({place, {-place[1], place[0], 0}, 1, make_tag(k % galaxies, Component::disc, 2)});
  }
  return bodies;
}

double extent(const Bodies& bodies) {
  double farthest = 0;
  for (const Body& body : bodies) farthest = std::max(farthest, length(body.position));
  return farthest;
}

/// The parameter is the unit of length.
class DegenerateBodies : public testing::TestWithParam<double> {
 protected:
  template <class Function>
  void for_each(std::uint32_t galaxies, const Function& check) {
    for (const Arrangement& wanted : kArrangements) {
      SCOPED_TRACE(testing::Message() << wanted.together << " of " << wanted.bodies << " bodies in " << galaxies
                                      << " galaxies at one place, slope " << wanted.slope);
      check(bodies_of(wanted, GetParam(), galaxies));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(, DegenerateBodies, testing::Values(1, 1e30, 1e-310));

/// Not measured, or a length of the bodies.
void expect_length(double value, double farthest) {
  EXPECT_TRUE(std::isnan(value) || (value >= 0 && value <= 2.001 * farthest)) << value;
}

void expect_structure(const Bodies& bodies) {
  const double farthest = extent(bodies);
  const StructureMeter meter(bodies);
  const StructureSample sample = meter.measure(bodies);
  expect_length(sample.separation, farthest);
  expect_length(sample.disc_radius, farthest);
  for (const LagrangeRadii& radii : sample.galaxies)
    for (const double radius : {radii.r10, radii.r50, radii.r90}) expect_length(radius, farthest);
  EXPECT_FALSE(sample.tail_fraction < 0 || sample.tail_fraction > 1) << sample.tail_fraction;
  const StructureMeter::Nuclei nuclei = meter.nuclei(bodies);
  EXPECT_EQ(nuclei[0].has_value(), !bodies.empty());
  if (!nuclei[0]) return;
  EXPECT_LE(length(*nuclei[0]), 1.001 * farthest);
  const RotationCurve curve = rotation_curve(bodies, {}, meter.disc(), *nuclei[0]);
  for (const double radius : curve.radius) expect_length(radius, farthest);
  EXPECT_TRUE(std::ranges::all_of(curve.measured, [](double speed) { return std::isfinite(speed); }));
}

TEST_P(DegenerateBodies, HaveAStructure) {
  for (const std::uint32_t galaxies : {1, 2}) for_each(galaxies, expect_structure);
}

// All separations are equal, and some times, too.
TEST_P(DegenerateBodies, HaveNoEvents) {
  for_each(2, [](const Bodies& bodies) {
    std::vector<StructureSample> samples(9, StructureMeter(bodies).measure(bodies));
    for (std::size_t k = 0; k < samples.size(); ++k) {
      samples[k].position = static_cast<double>(k);
      samples[k].time = std::floor(samples[k].position / 2);
    }
    for (const EncounterEvent& event : encounter_events(samples)) EXPECT_EQ(event.kind, EncounterEventKind::merger);
  });
}

void expect_measurable(const Config& config, const Params& params, const Bodies& bodies) {
  const auto simulation = Simulation::create(config, bodies);
  const std::vector<std::size_t> sampled = random_sample(bodies.size(), std::min<std::size_t>(bodies.size(), 5), 1);
  const std::optional<ForceErrors> errors = errors_of(simulation->sampled_forces(params, sampled));
  ASSERT_EQ(errors.has_value(), !bodies.empty()) << config.solver;
  EXPECT_TRUE(!errors || (errors->mean >= 0 && errors->max >= errors->mean)) << config.solver;
  const Diagnostics diagnostics = simulation->diagnostics(params);
  EXPECT_TRUE(std::isfinite(diagnostics.energy())) << config.solver << diagnostics.energy();
  HealthHistory history;
  history.add(measurement_of_time_step(params, diagnostics));
  Conservation conservation;
  for (int k = 0; k < 2; ++k) EXPECT_EQ(conservation.add(k, diagnostics, {}).energy, 0) << config.solver;
  if (bodies.empty()) return;
  EXPECT_EQ(probe(config, params, bodies, 0).all_bodies, bodies.size());
}

TEST_P(DegenerateBodies, HaveForcesErrorsAndHealth) {
  for_each(1, [](const Bodies& bodies) {
    for (const char* const solver : {"octree", "fmm", "direct"})
      for (const double softening : {0.0, 0.05})
        expect_measurable({.solver = solver, .precision = Precision::float64}, {.softening = softening}, bodies);
    EXPECT_EQ(StartPositions(bodies).rms_distance(bodies, 3), 0);
  });
}

TEST_P(DegenerateBodies, CanBeSwept) {
  const SweepRequest wanted{{}, {}, {"octree"}, [](double) { return true; }};
  for (const std::uint32_t together : {31, 63})
    EXPECT_EQ(measure_sweep(wanted, bodies_of({63, together}, GetParam(), 1)).size(), 1u);
}

}  // namespace
}  // namespace pericenter
