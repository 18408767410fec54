// Where the young stars and the dust of a disc start.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/scenes/model/galaxy.h"
#include "sim/scenes/model/procedural_source.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

constexpr std::size_t kManyBodies = 160'000;  // only the colder of their disc carry dust
constexpr double kDegree = std::numbers::pi / 180;

Bodies galaxy_with(const ArmsModel& arms, std::uint64_t seed = 1, int dimension = 3, std::size_t number = 40'000) {
  const auto galaxy = std::make_shared<const Galaxy>(GalaxyModel{.disc = {.arms = arms}}, 0.05, dimension);
  return ProceduralSource({{galaxy, galaxy->sampler(number, seed, 0)}}).make({});
}

template <class Condition>
Bodies those_of(const Bodies& bodies, const Condition& condition) {
  Bodies result;
  std::ranges::copy_if(bodies, std::back_inserter(result), condition);
  return result;
}
/// Each body as often as it has units of dust.
Bodies dusty(const Bodies& bodies) {
  Bodies result;
  for (const Body& body : bodies) result.insert(result.end(), dust_of(body.tag), body);
  return result;
}
Bodies young(const Bodies& bodies) {
  return those_of(bodies, [](const Body& body) { return is_young(body.tag); });
}
/// Share of the bodies of the disc.
double share(const Bodies& some, const Bodies& all) {
  return static_cast<double>(some.size()) / static_cast<double>(test::part_of(all, {}).size());
}

/// Dust per body of the disc, in units of the mean in the middle of a lane.
double mean_dust(const Bodies& bodies) {
  return share(dusty(bodies), bodies) / kFullDust * ArmsView::kThinDust;
}

/// Mean of exp(i number (angle + ln(R) / tan(pitch))): its absolute value is 1 for bodies on the crests of such arms
/// and near 0 for bodies that know nothing of them. Its argument is where the arms are.
std::complex<double> concentration(const Bodies& bodies, int number, double pitch) {
  std::complex<double> sum = 0;
  for (const Body& body : bodies) {
    const double x = body.position[0], y = body.position[1];
    sum += std::polar(1.0, number * (std::atan2(y, x) + std::log(std::hypot(x, y)) / std::tan(pitch * kDegree)));
  }
  return sum / static_cast<double>(bodies.size());
}

double rms_height(const Bodies& bodies) {
  double sum = 0;
  for (const Body& body : bodies) sum += body.position[2] * body.position[2];
  return std::sqrt(sum / static_cast<double>(bodies.size()));
}

// Means over the phase of exp(4 (cos - 1)), its product with the cosine, and exp(10 (cos - 1)): Bessel functions. Bends
// of 0.3 radians, root mean square, spread the young stars.
constexpr double kYoung = 0.06 + 0.65 * 0.207, kYoungCosine = 0.65 * 0.1787 / kYoung * 0.955;
constexpr double kDusty = 0.12 + 0.88 * 0.1278;

TEST(Arms, YoungStarsConcentrateOnThem) {
  for (const ArmsModel arms : {ArmsModel{}, ArmsModel{.number = 3, .pitch = 35}, ArmsModel{.number = 5, .pitch = 12}}) {
    const Bodies stars = young(galaxy_with(arms));
    EXPECT_NEAR(std::abs(concentration(stars, arms.number, arms.pitch)), kYoungCosine, 0.03) << arms.number;
    EXPECT_LT(std::abs(concentration(stars, arms.number + 1, arms.pitch)), 0.08) << "another number of arms";
    EXPECT_LT(std::abs(concentration(stars, arms.number, -arms.pitch)), 0.2) << "leading arms";
    for (const Body& star : stars) EXPECT_GE(std::hypot(star.position[0], star.position[1]), 0.5);
  }
}

// Arms that are alike on both sides would look drawn.
TEST(Arms, BendALittleAndEachInItsOwnWay) {
  const ArmsView arms{.number = 2, .tangent = std::tan(20 * kDegree), .start = 1, .seed = 1};
  double sum = 0;
  constexpr int kPlaces = 400;
  for (int i = 0; i < kPlaces; ++i) {
    const double r = 0.5 + 4.0 * i / kPlaces, x = r * std::cos(2.4 * i), y = r * std::sin(2.4 * i);
    const double smooth = 2 * (std::atan2(y, x) + std::log(r) / arms.tangent) + arms.start;
    EXPECT_LE(std::abs(arms.phase(x, y, r) - smooth), 0.7);
    sum += std::abs(std::remainder(arms.phase(x, y, r) - arms.phase(-x, -y, r), 2 * std::numbers::pi)) / kPlaces;
  }
  EXPECT_GT(sum, 0.15);
}

TEST(Arms, AreChainsOfAssociations) {
  const ArmsView arms{.number = 2, .seed = 1};
  double mean = 0, squares = 0, steepest = 0;
  constexpr int kPlaces = 20'000;
  for (int i = 0; i < kPlaces; ++i) {
    const double x = -3 + 6 * std::fmod(i * 0.754878, 1), y = -3 + 6 * std::fmod(i * 0.569840, 1);
    const double here = arms.association(x, y);
    mean += here / kPlaces;
    squares += here * here / kPlaces;
    steepest = std::max(steepest, std::abs(arms.association(x + 1e-3, y) - here) / 1e-3);
  }
  EXPECT_NEAR(mean, 0, 0.06);
  EXPECT_NEAR(std::sqrt(squares), 0.9 * std::sqrt(0.552 / 3), 0.05) << "of smoothed random numbers";
  EXPECT_LT(steepest, 2 * 0.9 * 1.5 / 0.35 * 1.01) << "without steps";
}

TEST(Arms, OnlyBodiesOfDiscsAreMarked) {
  for (const Body& body : galaxy_with({})) {
    if (component_of(body.tag) == Component::disc) continue;
    ASSERT_EQ(body.tag & kDecorationMask, decoration_tag(Decoration::none));
  }
}

constexpr double kCold = 0.3;  // share of the bodies with dust
// The integral of the dust of bodies at R, which grows up to R = 3 in steps.
const double kRadialDust = 0.094 * (1 - 4 * std::exp(-3.0)) + 0.2917 * (2 - 17 * std::exp(-3.0)) + 4 * std::exp(-3.0);

// Young stars are outside R = 0.5, and there is less dust inside R = 3.
TEST(Arms, DefineTheSharesOfYoungStarsAndDust) {
  const Bodies bodies = galaxy_with({}, 1, 3, kManyBodies);
  const double outside = 1.5 * std::exp(-0.5);
  EXPECT_NEAR(share(young(bodies), bodies), kYoung * outside, 0.015);
  EXPECT_NEAR(mean_dust(bodies), kDusty * kRadialDust * kCold, 0.005);
}

// The noise of N bodies with unequal amounts d of dust is that of (sum d)^2 / sum d^2 bodies with equal amounts.
TEST(Arms, DustIsInMoreBodiesThanIfAllHadMuch) {
  const Bodies bodies = galaxy_with({}, 1, 3, kManyBodies);
  double sum = 0, squares = 0;
  for (const Body& body : bodies) {
    sum += dust_of(body.tag);
    squares += std::pow(dust_of(body.tag), 2);
  }
  EXPECT_GT(sum * sum / squares, 1.5 * sum / (dust_amount(3) * kFullDust));
}

TEST(Arms, DustIsOnTheirInnerSide) {
  const Bodies bodies = galaxy_with({});
  const double ahead = std::arg(concentration(young(bodies), 2, 20) / concentration(dusty(bodies), 2, 20));
  EXPECT_NEAR(ahead, 0.8, 0.3);
}

TEST(Arms, DustIsThin) {
  const Bodies bodies = galaxy_with({}, 1, 3, kManyBodies);
  const double disc = rms_height(test::part_of(bodies, {}));
  EXPECT_LT(rms_height(dusty(bodies)), 0.5 * disc);
  EXPECT_NEAR(rms_height(young(bodies)) / disc, 1, 0.05);
}

// The dust of the colder ones of few bodies would be grainy.
TEST(Arms, MoreBodiesOfASmallDiscCarryDust) {
  const Bodies bodies = galaxy_with({}, 1, 3, 4'000), many = galaxy_with({}, 1, 3, kManyBodies);
  EXPECT_GT(mean_dust(bodies), 1.4 * mean_dust(many));
  EXPECT_LT(rms_height(dusty(bodies)), rms_height(test::part_of(bodies, {})));
}

// Every body with dust carries as much: a companion whose bodies have it more often would be too dark.
TEST(Arms, AllDiscsOfASceneHaveTheSameShareOfDust) {
  const Bodies bodies = test::make_scene("m51", {.bodies = 20'000}).bodies;
  double shares[2];
  for (const std::uint32_t galaxy : {0u, 1u}) {
    const Bodies disc = those_of(bodies, [&](const Body& body) {
      return galaxy_of(body.tag) == galaxy && component_of(body.tag) == Component::disc;
    });
    shares[galaxy] = static_cast<double>(dusty(disc).size()) / static_cast<double>(disc.size());
  }
  EXPECT_NEAR(shares[1] / shares[0], 1, 0.2);
}

// Dust that started near the plane with a high vertical velocity would leave it within a quarter of an oscillation.
TEST(Arms, DustStaysThin) {
  const Bodies bodies = galaxy_with({}, 1, 3, kManyBodies);
  const auto dust = test::ring_moments(dusty(bodies), 2, 3), disc = test::ring_moments(test::part_of(bodies, {}), 2, 3);
  EXPECT_LT(dust.sigma_vertical, 0.6 * disc.sigma_vertical);
}

TEST(Arms, NumberZeroHasYoungStarsAndDustInAllDirections) {
  const Bodies bodies = galaxy_with({.number = 0}), with_arms = galaxy_with({});
  for (int number = 1; number <= 6; ++number) {
    for (const double pitch : {10, 20, 45, 90}) {
      EXPECT_LT(std::abs(concentration(young(bodies), number, pitch)), 0.1) << number << ", " << pitch;
      EXPECT_LT(std::abs(concentration(dusty(bodies), number, pitch)), 0.2) << number << ", " << pitch;
    }
  }
  EXPECT_NEAR(share(young(bodies), bodies), share(young(with_arms), with_arms), 0.015);
  EXPECT_NEAR(mean_dust(bodies), mean_dust(with_arms), 0.01);
}

TEST(Arms, ChangeNoPositionAndNoVelocity) {
  constexpr std::uint32_t kDecoration = kDecorationMask | kDustBit;
  const Bodies expected = galaxy_with({});
  for (const ArmsModel arms : {ArmsModel{.number = 0}, ArmsModel{.number = 3}, ArmsModel{.pitch = 45}}) {
    const Bodies bodies = galaxy_with(arms);
    ASSERT_EQ(bodies.size(), expected.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      ASSERT_EQ(bodies[i].position, expected[i].position);
      ASSERT_EQ(bodies[i].velocity, expected[i].velocity);
      ASSERT_EQ(bodies[i].tag & ~kDecoration, expected[i].tag & ~kDecoration);
    }
  }
}

// A body and its twin on the other side of the centre are on arms together if the number is even, else alternately.
TEST(Arms, OfAPairAreOppositeOnlyIfTheNumberIsEven) {
  for (const int number : {2, 3}) {
    const Bodies all = galaxy_with({.number = number}), disc = test::part_of(all, {});
    double both = 0;
    for (std::size_t i = 0; i + 1 < disc.size(); i += 2)
      both += is_young(disc[i].tag) && is_young(disc[i + 1].tag) ? 1 : 0;
    const double independent = std::pow(share(young(all), all), 2) * static_cast<double>(disc.size()) / 2;
    EXPECT_TRUE(number == 2 ? both > 2 * independent : both < 0.7 * independent) << both << ", " << independent;
  }
}

TEST(Arms, StartInADirectionThatDependsOnTheSeed) {
  const auto direction = [](std::uint64_t seed) {
    return std::arg(concentration(young(galaxy_with({}, seed)), 2, 20));
  };
  std::vector<double> directions;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) directions.push_back(direction(seed));
  EXPECT_EQ(direction(1), directions[0]);
  std::ranges::sort(directions);
  for (std::size_t i = 1; i < directions.size(); ++i) EXPECT_GT(directions[i] - directions[i - 1], 0.01);
  EXPECT_GT(directions.back() - directions.front(), 1);
}

TEST(Arms, OfTwoGalaxiesDiffer) {
  const Scene scene = test::make_scene("collision", {.bodies = 40'000, .dimension = 2});
  std::complex<double> arms[2];
  for (const std::uint32_t galaxy : {0u, 1u}) {
    Bodies own = test::part_of(scene.bodies, {galaxy, Component::disc});
    shift(own, -test::mean_position(own), {});
    arms[galaxy] = concentration(young(own), 2, 20);
    EXPECT_GT(std::abs(arms[galaxy]), 0.5) << galaxy;
  }
  EXPECT_GT(std::abs(std::arg(arms[1] / arms[0])), 0.05);
}

TEST(Arms, ExistInTwoDimensions) {
  const Bodies bodies = galaxy_with({}, 1, 2);
  EXPECT_NEAR(std::abs(concentration(young(bodies), 2, 20)), kYoungCosine, 0.03);
  EXPECT_NEAR(mean_dust(bodies), kDusty * kRadialDust, 0.02) << "a disc without thickness is cold";
}

TEST(Arms, ImpossibleOnesAreRefused) {
  const auto message = [](const ArmsModel& arms) -> std::string {
    try {
      Galaxy({.disc = {.arms = arms}}, 0.05, 3);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({.number = -1}), "the number of spiral arms must be between 0 and 16, not -1");
  EXPECT_EQ(message({.number = 17}), "the number of spiral arms must be between 0 and 16, not 17");
  EXPECT_EQ(message({.pitch = 0.5}), "the pitch angle of spiral arms must be between 1 and 90 degrees, not 0.5");
  EXPECT_EQ(message({.pitch = std::nan("")}),
            "the pitch angle of spiral arms must be between 1 and 90 degrees, not nan");
  for (const ArmsModel arms :
       {ArmsModel{.number = 0}, ArmsModel{.number = 16}, ArmsModel{.pitch = 1}, ArmsModel{.pitch = 90}})
    EXPECT_EQ(message(arms), "");
}

TEST(Arms, BelongToTheModel) {
  EXPECT_EQ(GalaxyModel{}, GalaxyModel{});
  EXPECT_NE(GalaxyModel{}, (GalaxyModel{.disc = {.arms = {.number = 3}}}));
  EXPECT_NE(GalaxyModel{}, (GalaxyModel{.disc = {.arms = {.pitch = 21}}}));
}

}  // namespace
}  // namespace pericenter
