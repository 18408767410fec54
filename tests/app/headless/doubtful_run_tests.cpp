// Runs whose result cannot be trusted say so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/core/random.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kDoubt = "This result cannot be trusted: ";

std::string line_of(double mass, const Vec3& place, const Vec3& velocity) {
  std::string line = std::to_string(mass);
  for (const Vec3& vector : {place, velocity})
    for (int k = 0; k < 3; ++k) line += ',' + std::to_string(vector[k]);
  return line + '\n';
}

/// The report of a run of these bodies with the settings that are suggested for them.
std::string report_on(const std::string& bodies, const test::Words& options) {
  const TemporaryFolder folder;
  write_text(folder / "a.csv", "m,x,y,z,vx,vy,vz\n" + bodies);
  test::Words words = {"--headless", "--no-progress", "--load", "a.csv"};
  words.insert(words.end(), options.begin(), options.end());
  return test::run_program({words, folder.path()}).out;
}

std::string ball_at_rest(std::size_t count) {
  std::string lines;
  for (std::size_t k = 0; k < count; ++k) {
    Random random(2, k);
    lines += line_of(1, random.direction() * std::cbrt(random.uniform()), {});
  }
  return lines;
}

TEST(DoubtfulRun, OfFewBodiesAtRestNamesTheStep) {
  for (const std::size_t count : {5, 64})
    EXPECT_THAT(report_on(ball_at_rest(count), {"-s", "1000", "--integrator", "leapfrog"}),
                HasSubstr(std::string(kDoubt) + "the strongest acceleration "))
        << count;
}

// Regression: without softening, nothing was said.
TEST(DoubtfulRun, OfTwoBodiesThatFallTogetherNamesTheOrbit) {
  const std::string pair = line_of(1, {1, 0, 0}, {}) + line_of(3, {-1, 0.1, 0.2}, {});
  const std::string report = report_on(pair, {"-s", "1000", "--integrator", "leapfrog"});
  EXPECT_THAT(report, HasSubstr(std::string(kDoubt) + "the orbit of body 0 about body 1 is wrong"));
  EXPECT_THAT(report, HasSubstr("Use a --softening: no time step follows a fall onto a point."));
}

// At the end the energy is right again.
TEST(DoubtfulRun, IsNoticedOnTheWay) {
  const std::string comet = line_of(1, {}, {}) + line_of(1e-6, {1, 0, 0}, {0, std::sqrt(0.3), 0});
  const std::string report = report_on(
      comet, {"-s", "1200", "--solver", "direct", "--precision", "double", "--dt", "0.02", "--integrator", "leapfrog"});
  EXPECT_THAT(report,
              HasSubstr(std::string(kDoubt) + "the energy error has been 4.3 %. Use a smaller --dt, or a larger "
                                              "--softening; half of the time step is --dt 0.01."));
}

TEST(DoubtfulRun, IsNotOneOfAnIntegratorThatAdapts) {
  const std::string comet = line_of(1, {}, {}) + line_of(1e-6, {1, 0, 0}, {0, std::sqrt(0.3), 0});
  const std::string report = report_on(comet, {"-s", "1200", "--dt", "0.02"});
  EXPECT_THAT(report, HasSubstr("dt 0.02, gauss-radau\n"));
  EXPECT_THAT(report, Not(HasSubstr(kDoubt)));
}

TEST(DoubtfulRun, IsNotOneOfManyBodies) {
  const std::string report = report_on(ball_at_rest(300), {"-s", "500"});
  EXPECT_THAT(report, HasSubstr("energy error"));
  EXPECT_THAT(report, Not(HasSubstr(kDoubt)));
}

}  // namespace
}  // namespace pericenter::app
