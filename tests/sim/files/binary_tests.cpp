// Binary formats: fixtures are read exactly, and errors are explained.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "sim/files/unit_system.h"
#include "tests/support/expect_bodies.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;
using Data = std::vector<std::uint8_t>;

template <class Number>
void put(Data& data, std::size_t offset, Number number) {
  std::memcpy(data.data() + offset, &number, sizeof number);
}

// Offsets of block contents in gadget1_little.
constexpr std::size_t kHeader = 4, kPositions = 268;

class GadgetLayouts : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(GadgetLayouts, AreReadExactly) {
  const auto [file, format] = GetParam();
  const Data data = fixture_bytes(file);
  ASSERT_TRUE(matches("gadget", data, file));
  const Snapshot snapshot = read_as("gadget", data);
  ASSERT_EQ(snapshot.bodies.size(), 21u);
  expect_fixture_bodies(snapshot);
  const std::vector<std::size_t> counts = {4, 5, 6, 3, 2, 1};
  const std::vector<Component> components = {Component::disc,  Component::halo, Component::disc,
                                             Component::bulge, Component::disc, Component::other};
  std::size_t i = 0;
  for (std::size_t type = 0; type < 6; ++type) {
    for (std::size_t k = 0; k < counts[type]; ++k, ++i) {
      const double mass = type == 1 ? 0.25 : type == 4 ? 0.125 : fixture_number(i, 0);
      EXPECT_EQ(snapshot.bodies[i].mass, mass) << i;
      EXPECT_EQ(snapshot.bodies[i].tag, make_tag(0, components[type])) << i;
      EXPECT_EQ(snapshot.ids[i], 1000 + i);
    }
  }
  EXPECT_EQ(snapshot.format, format);
  EXPECT_EQ(snapshot.time, 1.5);
  EXPECT_EQ(snapshot.pieces.files, 1u);
  EXPECT_EQ(snapshot.pieces.bodies, 21u);
}

INSTANTIATE_TEST_SUITE_P(All, GadgetLayouts,
                         testing::Values(std::pair("gadget1_little", "GADGET-1 binary, little endian"),
                                         std::pair("gadget1_big", "GADGET-1 binary, big endian"),
                                         std::pair("gadget2_little",
                                                   "GADGET-2 binary, little endian"),  // doubles and 64-bit ids
                                         std::pair("gadget2_big", "GADGET-2 binary, big endian")));

TEST(Gadget, MassBlockIsOptionalWithMassTable) {
  const Snapshot snapshot = read_as("gadget", fixture_bytes("gadget_no_mass_block"));
  ASSERT_EQ(snapshot.bodies.size(), 5u);
  for (const Body& body : snapshot.bodies) EXPECT_EQ(body.mass, 0.25);
}

// pynbody and others write such files; only some have labels.
TEST(Gadget, IdsAreOptional) {
  for (const auto& [file, count] : {std::pair("gadget1_masses_without_ids", 8u),
                                    {"gadget1_table_without_ids", 5u},
                                    {"gadget2_masses_without_ids", 8u},
                                    {"gadget2_table_without_ids", 5u}}) {
    const Snapshot snapshot = read_as("gadget", fixture_bytes(file));
    ASSERT_EQ(snapshot.bodies.size(), count) << file;
    expect_fixture_bodies(snapshot);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(snapshot.bodies[i].mass, count == 5 ? 0.25 : fixture_number(i, 0)) << file << i;
    }
    EXPECT_TRUE(snapshot.ids.empty()) << file;
    EXPECT_THAT(snapshot.notes.back(), HasSubstr("no ids")) << file;
  }
}

TEST(Gadget, AssumesAndReportsDefaultUnits) {
  const Snapshot snapshot = read_as("gadget", fixture_bytes("gadget1_little"));
  EXPECT_NEAR(gravity_in(snapshot.units), 43007.1, 43007.1 * 1e-4);
  ASSERT_EQ(snapshot.notes.size(), 1u);
  EXPECT_THAT(snapshot.notes[0], HasSubstr("kpc"));
}

TEST(Gadget, TotalThatContradictsTheCountIsNoted) {
  Data data = fixture_bytes("gadget1_little");
  put(data, 4 + 96 + 4, std::uint32_t(1000));  // the total of type 1
  const Snapshot snapshot = read_as("gadget", data);
  ASSERT_EQ(snapshot.notes.size(), 2u);
  EXPECT_THAT(snapshot.notes[1], HasSubstr("particles in total, but this file, the only one, has 21"));
  for (int type = 0; type < 6; ++type) put(data, 4 + 96 + 4 * type, std::uint32_t(0));  // initial conditions: unset
  EXPECT_EQ(read_as("gadget", data).notes.size(), 1u);
}

TEST(Gadget, CosmologicalRunsBecomePhysical) {
  const Snapshot snapshot = read_as("gadget", fixture_bytes("gadget_cosmological"));
  ASSERT_EQ(snapshot.bodies.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(snapshot.bodies[i].position, fixture_body(i).position * 0.25);
    EXPECT_EQ(snapshot.bodies[i].velocity, fixture_body(i).velocity * 0.5);
  }
  EXPECT_NEAR(snapshot.units.length_cm, 2e3 * kParsecCm, 1e10);  // h = 0.5
  EXPECT_NEAR(snapshot.units.mass_g, 2e10 * kSunGram, 1e33);
  // An Einstein-de Sitter universe has the age 2/3 (1 + z)^(-3/2) / H0; this one is older.
  EXPECT_GT(snapshot.time, 10 * 2.0 / 3 / 8);
  EXPECT_NEAR(snapshot.time, 10 * 2.0 / 3 / std::sqrt(0.75) * std::asinh(std::sqrt(3.0) / 8), 1e-12);
  EXPECT_THAT(snapshot.notes.back(), HasSubstr("redshift 3"));
}

/// A cosmological snapshot at a = 0.25 with these numbers of particles; types 0, 2, 3 and 5 have own masses.
Data zoom(const std::vector<std::uint32_t>& counts, const std::vector<std::uint32_t>& totals) {
  Data data = fixture_bytes("gadget1_little");
  for (std::size_t type = 0; type < counts.size(); ++type) {
    put(data, kHeader + 4 * type, counts[type]);
    put(data, kHeader + 96 + 4 * type, totals[type]);
  }
  for (const auto& [offset, value] : {std::pair(72, 0.25), {80, 3.0}, {136, 0.3}}) put(data, kHeader + offset, value);
  return data;
}

// As in HDF5 files.
TEST(Gadget, TypesOfZoomsAreDark) {
  const std::vector<std::uint32_t> stars = {4, 5, 6, 3, 2, 1}, dark = {0, 7, 6, 3, 0, 5}, none(6, 0);
  const std::vector<Component> with_stars = {Component::disc, Component::halo, Component::halo,
                                             Component::halo, Component::disc, Component::other};
  const std::vector<Component> all_dark(6, Component::halo);
  struct Case {
    std::vector<std::uint32_t> counts, totals;
    std::vector<Component> components;
    std::string note;
  };
  for (const Case& each :
       {Case{stars, stars, with_stars, "type 2, 3 are dark matter of low resolution"},
        Case{stars, none, with_stars, "type 2, 3 are dark"}, Case{dark, dark, all_dark, "type 2, 3, 5 are dark"},
        Case{dark, none, all_dark, "type 2, 3, 5 are dark"},
        Case{dark, stars, with_stars, "type 2, 3 are dark"}}) {  // stars are in another file
    const Snapshot snapshot = read_as("gadget", zoom(each.counts, each.totals));
    ASSERT_EQ(snapshot.bodies.size(), 21u);
    for (std::size_t i = 0; i < 21; ++i)
      EXPECT_EQ(component_of(snapshot.bodies[i].tag), each.components[snapshot.types[i]]) << each.note << i;
    EXPECT_THAT(snapshot.notes.back(), HasSubstr(each.note));
  }
  EXPECT_THAT(read_as("gadget", fixture_bytes("gadget1_little")).notes.back(), Not(HasSubstr("dark")));
}

TEST(Gadget, PieceDeclaresTheOthers) {
  const Snapshot snapshot = read_as("gadget", fixture_bytes("pieces.1"));
  EXPECT_EQ(snapshot.pieces.files, 3u);
  EXPECT_EQ(snapshot.pieces.bodies, 9u);
  ASSERT_EQ(snapshot.bodies.size(), 4u);
  expect_fixture_bodies(snapshot, 3);
}

TEST(Gadget, HeaderOfGadget4IsExplained) {
  const Data data = fixture_bytes("gadget4_own_header");
  EXPECT_TRUE(matches("gadget", data, "x"));
  EXPECT_THAT(error_of("gadget", data), HasSubstr("GADGET-4"));
  EXPECT_THAT(error_of("gadget", data), HasSubstr("HDF5"));
}

TEST(Gadget, InconsistentBlocksAreReported) {
  Data data = fixture_bytes("gadget1_little");
  put(data, kHeader, 5);  // gas particles, of which there are 4
  EXPECT_THAT(error_of("gadget", data), HasSubstr("Block POS at byte 264 has 252 bytes, not the 264 or 528"));
  put(data, kHeader, -4);
  EXPECT_THAT(error_of("gadget", data), HasSubstr("type 0 is negative"));
  data = fixture_bytes("gadget1_little");
  put(data, kPositions + 252, 251);
  EXPECT_THAT(error_of("gadget", data), HasSubstr("Block POS at byte 264 does not end where"));
}

TEST(Gadget, MissingMassBlockIsReported) {
  Data data = fixture_bytes("gadget_no_mass_block");
  put(data, kHeader + 32, 0.0);  // mass of type 1
  EXPECT_THAT(error_of("gadget", data), HasSubstr("Block MASS is missing"));
}

TEST(Gadget, InvalidBodiesAreReportedOrSkipped) {
  Data data = fixture_bytes("gadget1_little");
  put(data, kPositions + 12 * 5 + 4, std::numeric_limits<float>::quiet_NaN());  // the second of type 1
  put(data, kHeader + 24 + 8 * 4, -0.5);                                        // mass of type 4: two particles
  EXPECT_THAT(error_of("gadget", data), HasSubstr("Particle 2 of type 1 is invalid: its position"));
  const Snapshot snapshot = read_as("gadget", data, {.skip_bad = true});
  EXPECT_EQ(snapshot.skipped, 3u);
  ASSERT_EQ(snapshot.bodies.size(), 18u);
  ASSERT_EQ(snapshot.ids.size(), 18u);
  EXPECT_EQ(snapshot.ids[4], 1004u);
  EXPECT_EQ(snapshot.ids[5], 1006u);
  EXPECT_EQ(snapshot.bodies[5].position, fixture_body(6).position);
  EXPECT_EQ(snapshot.ids[17], 1020u);
}

TEST(Gadget, AtRedshiftZeroABoxAndAnHTellAnExpandingVolume) {
  for (const auto& [box, h, expands] : {std::tuple(0.0, 0.7, false), {100.0, 1.0, false}, {100.0, 0.7, true}}) {
    Data data = fixture_bytes("gadget1_little");
    put(data, kHeader + 72, 1.0);  // time
    put(data, kHeader + 80, 0.0);  // redshift
    put(data, kHeader + 128, box);
    put(data, kHeader + 136, 0.3);  // Omega0
    put(data, kHeader + 152, h);
    EXPECT_EQ(read_as("gadget", data).time != 1, expands) << box << ' ' << h;
  }
}

TEST(Gadget, CanBeCancelled) {
  const auto cancel = [](double done) { return done < 0.5; };
  EXPECT_THROW(read_as("gadget", fixture_bytes("gadget1_little"), {.progress = cancel}), SceneCancelled);
}

class TipsyLayouts : public testing::TestWithParam<const char*> {};

TEST_P(TipsyLayouts, AreReadExactly) {
  const Data data = fixture_bytes(GetParam());
  ASSERT_TRUE(matches("tipsy", data, GetParam()));
  const Snapshot snapshot = read_as("tipsy", data);
  ASSERT_EQ(snapshot.bodies.size(), 9u);
  expect_fixture_bodies(snapshot);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(snapshot.bodies[i].mass, fixture_number(i, 0));
    EXPECT_EQ(component_of(snapshot.bodies[i].tag), i >= 2 && i < 5 ? Component::halo : Component::disc);
  }
  EXPECT_EQ(snapshot.time, 2.5);
  EXPECT_EQ(snapshot.softening, 0.0625);  // of dark matter; the softening of stars is larger
  EXPECT_FALSE(snapshot.units.known());
  EXPECT_TRUE(snapshot.ids.empty());
  EXPECT_TRUE(snapshot.notes.empty());
}

INSTANTIATE_TEST_SUITE_P(All, TipsyLayouts,
                         testing::Values("tipsy_standard", "tipsy_standard_unpadded", "tipsy_native",
                                         "tipsy_native_unpadded", "tipsy_standard_double_positions",
                                         "tipsy_native_double_positions", "tipsy_standard_double_velocities",
                                         "tipsy_native_double_velocities", "tipsy_standard_doubles",
                                         "tipsy_native_doubles"));

TEST(Tipsy, VersionsWithIdsAreReadExactly) {
  for (const char* file : {"tipsy_ids", "tipsy_accelerations"}) {
    const Snapshot snapshot = read_as("tipsy", fixture_bytes(file));
    ASSERT_EQ(snapshot.bodies.size(), 7u) << file;
    expect_fixture_bodies(snapshot);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(snapshot.ids[i], (std::uint64_t{1} << 40) + i) << file;
    EXPECT_EQ(snapshot.softening, 0) << file;
  }
  Data data = fixture_bytes("tipsy_ids");
  put(data, 28, 0);  // other writers leave anything in the padding
  EXPECT_TRUE(read_as("tipsy", data).ids.empty());
}

TEST(Tipsy, ATimeThatMayBeAScaleFactorIsNoted) {
  Data data = fixture_bytes("tipsy_native");
  put(data, 0, 0.25);
  ASSERT_EQ(read_as("tipsy", data).notes.size(), 1u);
  EXPECT_THAT(read_as("tipsy", data).notes[0], testing::AllOf(HasSubstr("comoving"), HasSubstr(".param")));
}

TEST(Tipsy, DifferentSofteningsAreIgnored) {
  Data data = fixture_bytes("tipsy_native");
  put(data, 32 + 2 * 48 + 28, 7.0f);  // Bonsai stores body numbers here
  for (std::size_t star = 0; star < 4; ++star) put(data, 32 + 2 * 48 + 3 * 36 + star * 44 + 36, 0.0f);
  EXPECT_EQ(read_as("tipsy", data).softening, 0);
}

TEST(Tipsy, WrongFileSizeIsExplained) {
  Data data = fixture_bytes("tipsy_native");
  data.resize(400);
  EXPECT_THAT(error_of("tipsy", data),
              HasSubstr("2 gas particles, 3 dark particles and 4 stars, which take 408 or 412"));
  EXPECT_THAT(error_of("tipsy", data), HasSubstr("has 400"));
}

TEST(Tipsy, InvalidBodiesAreReportedOrSkipped) {
  Data data = fixture_bytes("tipsy_native");
  put(data, 32 + 2 * 48 + 36, -1.0f);
  EXPECT_THAT(error_of("tipsy", data), HasSubstr("Dark particle 2 is invalid: its mass is negative"));
  EXPECT_EQ(read_as("tipsy", data, {.skip_bad = true}).bodies.size(), 8u);
  put(data, 32 + 2 * 48 + 36, 0.0f);  // a test particle
  EXPECT_EQ(read_as("tipsy", data).bodies.size(), 9u);
}

TEST(Stdpar, IsReadExactlyInBothDimensions) {
  for (const auto& [file, dimension] : {std::pair("stdpar_3d.bin", 3), std::pair("stdpar_2d.bin", 2)}) {
    const Data data = fixture_bytes(file);
    ASSERT_TRUE(matches("stdpar", data, file));
    const Snapshot snapshot = read_as("stdpar", data);
    ASSERT_EQ(snapshot.bodies.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
      Body expected = fixture_body(i);
      if (dimension == 2) expected.position[2] = expected.velocity[2] = 0;
      EXPECT_EQ(snapshot.bodies[i].position, expected.position);
      EXPECT_EQ(snapshot.bodies[i].velocity, expected.velocity);
      EXPECT_EQ(snapshot.bodies[i].mass, expected.mass);
    }
  }
}

TEST(Stdpar, AppliesItsGravitationalConstant) {
  const Snapshot snapshot = read_as("stdpar", fixture_bytes("stdpar_gravity.bin"));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(snapshot.bodies[i].mass, 0.5 * fixture_number(i, 0));
  EXPECT_EQ(snapshot.notes.size(), 1u);
}

TEST(Stdpar, WrongFileSizeIsExplained) {
  Data data = fixture_bytes("stdpar_3d.bin");
  data.pop_back();
  EXPECT_THAT(error_of("stdpar", data), HasSubstr("5 bodies in 3 dimensions, which take 156 bytes, but the file has"));
}

// A file truncated anywhere gives an error, unless only data after the bodies is missing.
TEST(Truncation, IsDetectedAtEveryByte) {
  struct Case {
    const char* file;
    const char* format;
    std::size_t unused;  // bytes at the end
  };
  for (const Case& c :
       {Case{"gadget1_little", "gadget", 24}, Case{"gadget1_big", "gadget", 24}, Case{"gadget2_little", "gadget", 56},
        Case{"gadget2_big", "gadget", 40}, Case{"tipsy_standard", "tipsy", 0}, Case{"stdpar_2d.bin", "stdpar", 0}}) {
    const Data whole = fixture_bytes(c.file);
    for (std::size_t size = 0; size + c.unused < whole.size(); ++size) {
      Data cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      // Four bytes less is the size of an unpadded TIPSY file, which cannot be distinguished.
      if (c.format == std::string_view("tipsy") && size == whole.size() - 4) continue;
      EXPECT_NE(error_of(c.format, cut), "") << c.file << " truncated at " << size;
    }
  }
}

TEST(Truncation, NamesTheBlock) {
  Data data = fixture_bytes("gadget1_little");
  data.resize(600);
  EXPECT_THAT(error_of("gadget", data), HasSubstr("Block VEL at byte 524 is truncated: the file ends at byte 600"));
}

// A header with any byte changed is read completely or refused, quickly and without much memory.
TEST(Headers, SurviveEveryByteFlip) {
  struct Case {
    const char* file;
    const char* format;
    std::size_t header;
  };
  for (const Case& c : {Case{"gadget1_little", "gadget", 264}, Case{"gadget2_big", "gadget", 280},
                        Case{"tipsy_native", "tipsy", 32}, Case{"stdpar_3d.bin", "stdpar", 16}}) {
    Data data = fixture_bytes(c.file);
    const std::size_t bodies = read_as(c.format, data).bodies.size();
    for (std::size_t at = 0; at < c.header; ++at) {
      for (const int flip : {0x01, 0x80, 0xFF}) {
        data[at] = static_cast<std::uint8_t>(data[at] ^ flip);
        try {
          const Snapshot snapshot = read_as(c.format, data);
          EXPECT_EQ(snapshot.bodies.size(), bodies) << c.file << " byte " << at;
        } catch (const InputError& error) {
          EXPECT_GT(std::strlen(error.what()), 20u);
        }
        data[at] = static_cast<std::uint8_t>(data[at] ^ flip);
      }
    }
  }
}

}  // namespace
}  // namespace pericenter::test
