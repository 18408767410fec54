// FITS tables. The fixtures are from make_table_fixtures.py; Astropy reads them without complaint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "sim/files/load.h"
#include "sim/files/unit_system.h"
#include "tests/support/expect_bodies.h"

#if __has_include(<fitsio.h>)

namespace pericenter::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Data = std::vector<std::uint8_t>;

Data table_bytes(const std::string& name) {
  return fixture_bytes("tables/" + name);
}

void expect_six_bodies(const Snapshot& snapshot) {
  ASSERT_EQ(snapshot.bodies.size(), 6u);
  expect_fixture_bodies(snapshot);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(snapshot.bodies[i].mass, fixture_number(i, 0)) << i;
}

TEST(Fits, EveryTypeOfColumn) {
  const Snapshot snapshot = read_as("fits", table_bytes("types.fits"));
  expect_six_bodies(snapshot);
  constexpr std::uint64_t kFirst = (std::uint64_t{1} << 63) - 5;
  EXPECT_THAT(snapshot.ids, ElementsAre(kFirst, kFirst + 1, kFirst + 2, kFirst + 3, kFirst + 4, kFirst + 5));
  EXPECT_THAT(snapshot.notes, testing::Contains(HasSubstr("a \"b\"")));
  EXPECT_THAT(snapshot.notes, testing::Contains("Not used: flag, bits, spectrum, c, w, none, many."));
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, kKpcCm);
  EXPECT_DOUBLE_EQ(snapshot.units.mass_g, 1e10 * kSunGram);
  EXPECT_DOUBLE_EQ(snapshot.units.velocity_cm_s, 1e5);
}

TEST(Fits, VectorsInTheFirstTableOfBodies) {
  const Snapshot snapshot = read_as("fits", table_bytes("vectors.fits"));
  expect_six_bodies(snapshot);
  EXPECT_EQ(snapshot.format, "FITS table BODIES (part 3 of 3)");
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, kParsecCm);
}

TEST(Fits, AsciiTables) {
  expect_six_bodies(read_as("fits", table_bytes("ascii.fits")));
}

TEST(Fits, GaiaSourcesAreConverted) {
  const Snapshot snapshot = read_as("fits", table_bytes("gaia.fits"));
  ASSERT_EQ(snapshot.bodies.size(), 3u);
  const double speed = kAstronomicalUnitCm / kYearSecond / 1e5 * 10;  // 1 arcsec/yr at 10 pc
  const std::pair<Vec3, Vec3> expected[] = {
      {{10, 0, 0}, {10, speed, 0}}, {{0, 100, 0}, {0, 0, speed}}, {{-200 * std::sqrt(0.75), 0, 100}, {0, 0, 0}}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT(length(snapshot.bodies[i].position - expected[i].first), 1e-9) << i;
    EXPECT_LT(length(snapshot.bodies[i].velocity - expected[i].second), 1e-9) << i;
    EXPECT_EQ(snapshot.bodies[i].mass, 0);
  }
  constexpr std::uint64_t kIds = std::uint64_t{1} << 60;
  EXPECT_THAT(snapshot.ids, ElementsAre(kIds + 1, kIds + 2, kIds + 4));
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, kParsecCm);
  EXPECT_THAT(snapshot.notes, testing::Contains(HasSubstr("2 bodies without a parallax or distance above 0 left out")));
  EXPECT_THAT(snapshot.notes, testing::Contains(HasSubstr("2 bodies without a radial velocity: 0")));
  EXPECT_THAT(snapshot.notes, testing::Contains(HasSubstr("1 body without proper motion: 0")));
}

TEST(Fits, ImagesAndOtherTablesAreExplained) {
  EXPECT_THAT(error_of("fits", table_bytes("image.fits")), HasSubstr("This is a FITS image"));
  EXPECT_THAT(error_of("fits", table_bytes("other.fits")), HasSubstr("Column 'm' is missing"));
}

TEST(Fits, InvalidRowsAreNamedOrSkipped) {
  EXPECT_THAT(error_of("fits", table_bytes("hole.fits")),
              testing::StartsWith("Row 2, column 'x': the value is missing"));
  const Snapshot snapshot = read_as("fits", table_bytes("hole.fits"), {.skip_bad = true});
  EXPECT_EQ(snapshot.bodies.size(), 2u);
  EXPECT_EQ(snapshot.skipped, 1u);
}

TEST(Fits, TruncationIsExplained) {
  const Data whole = table_bytes("types.fits");
  const auto last = std::find_if(whole.rbegin(), whole.rend(), [](std::uint8_t byte) { return byte != 0; });
  const auto needed = static_cast<std::size_t>(whole.rend() - last);
  for (std::size_t size = 81; size < needed; size += 97)
    EXPECT_NE(error_of("fits", Bytes(whole).first(size)), "") << size;
}

TEST(Fits, TheLastBlockNeedNotBeComplete) {
  const Data whole = table_bytes("types.fits");
  const auto last = std::find_if(whole.rbegin(), whole.rend(), [](std::uint8_t byte) { return byte != 0; });
  const auto needed = static_cast<std::size_t>(whole.rend() - last);
  // Memory after which nothing can be read.
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), size = (needed / page + 1) * page;
  auto* const memory = static_cast<std::uint8_t*>(
      mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(mprotect(memory + size, page, PROT_NONE), 0);
  std::copy_n(whole.begin(), needed, memory + size - needed);
  EXPECT_EQ(read_as("fits", Bytes(memory + size - needed, needed)).bodies.size(), read_as("fits", whole).bodies.size());
  munmap(memory, size + page);
}

/// The header with another value of a keyword of one digit.
Data with_value(Data bytes, const std::string& key, const std::string& value) {
  const std::string card = (key + "        ").substr(0, 8) + "= ";
  const auto found = std::search(bytes.begin() + 2880, bytes.end(), card.begin(), card.end());
  const std::string padded = std::string(20 - value.size(), ' ') + value;
  std::copy(padded.begin(), padded.end(), found + 10);
  return bytes;
}

TEST(Fits, HostileHeadersAreRefused) {
  const Data whole = table_bytes("gaia.fits");
  for (const char* rows : {"9223372036854775807", "1000000000", "-1"})
    EXPECT_NE(error_of("fits", with_value(whole, "NAXIS2", rows)), "") << rows;
  EXPECT_NE(error_of("fits", with_value(whole, "NAXIS1", "4")), "");
  EXPECT_NE(error_of("fits", with_value(whole, "TFIELDS", "999")), "");
  EXPECT_NE(error_of("fits", with_value(whole, "TFORM2", "'9999999D'")), "");
  EXPECT_NE(error_of("fits", with_value(whole, "TFORM2", "'PD(3)'")), "");
}

TEST(Fits, NamesOfFilesAreNoCommands) {
  const TemporaryFile file("gaia.fits[1][ra > 100]", table_bytes("gaia.fits"));
  EXPECT_EQ(read_snapshot(file.path(), {}).bodies.size(), 3u);
}

TEST(Fits, ReadingCanBeCancelled) {
  const auto stop = [](double) { return false; };
  EXPECT_THROW(read_as("fits", table_bytes("types.fits"), {.progress = stop}), SceneCancelled);
}

}  // namespace
}  // namespace pericenter::test

#endif
