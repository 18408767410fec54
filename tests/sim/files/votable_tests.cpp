// VOTables. The fixtures are from make_table_fixtures.py; Astropy reads them without complaint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/files/load.h"
#include "sim/files/unit_system.h"
#include "tests/support/expect_bodies.h"

#if __has_include(<expat.h>)

namespace pericenter::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string votable_text(const std::string& name) {
  const std::vector<std::uint8_t> bytes = fixture_bytes("tables/" + name);
  return {bytes.begin(), bytes.end()};
}

std::string votable_error(const std::string& text) {
  return test::error_of("votable", bytes_of(text));
}

class VotableForms : public testing::TestWithParam<const char*> {};

TEST_P(VotableForms, EveryDatatype) {
  const Snapshot snapshot = read_as("votable", bytes_of(votable_text(std::string("types_") + GetParam() + ".vot")));
  EXPECT_EQ(snapshot.format, "VOTable stars") << "the first table has no bodies";
  ASSERT_EQ(snapshot.bodies.size(), 6u);
  expect_fixture_bodies(snapshot);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(snapshot.bodies[i].mass, fixture_number(i, 0)) << i;
    EXPECT_EQ(snapshot.ids.at(i), (std::uint64_t{1} << 62) + i);
    EXPECT_EQ(component_of(snapshot.bodies[i].tag), Component::halo);
  }
  EXPECT_THAT(snapshot.notes, Contains(HasSubstr("'A & B'")));
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, kParsecCm);
  EXPECT_DOUBLE_EQ(snapshot.units.mass_g, kSunGram);
  EXPECT_DOUBLE_EQ(snapshot.units.velocity_cm_s, 1e5);
}

TEST_P(VotableForms, MissingValuesOfGaiaSources) {
  const Snapshot snapshot = read_as("votable", bytes_of(votable_text(std::string("gaia_") + GetParam() + ".vot")));
  ASSERT_EQ(snapshot.bodies.size(), 3u);
  const double speed = kAstronomicalUnitCm / kYearSecond / 1e5 * 10;
  EXPECT_LT(length(snapshot.bodies[0].velocity - Vec3{10, speed, 0}), 1e-9);
  EXPECT_LT(length(snapshot.bodies[1].velocity - Vec3{0, 0, speed}), 1e-9);
  EXPECT_LT(length(snapshot.bodies[2].position - Vec3{-200 * std::sqrt(0.75), 0, 100}), 1e-9);
  constexpr std::uint64_t kIds = std::uint64_t{1} << 60;
  EXPECT_THAT(snapshot.ids, ElementsAre(kIds + 1, kIds + 2, kIds + 4));
  EXPECT_THAT(snapshot.notes, Contains(HasSubstr("2 bodies without a parallax")));
  EXPECT_THAT(snapshot.notes, Contains(HasSubstr("2 bodies without a radial velocity")));
}

TEST_P(VotableForms, TruncationIsExplained) {
  const std::string whole = votable_text(std::string("types_") + GetParam() + ".vot");
  const std::size_t needed = whole.rfind("DATA>");
  for (std::size_t size = 60; size < needed; size += 41) {
    const std::string error = votable_error(whole.substr(0, size));
    EXPECT_TRUE(error.find("damaged or incomplete") != error.npos || error.find("truncated") != error.npos) << error;
  }
}

INSTANTIATE_TEST_SUITE_P(All, VotableForms, testing::Values("TABLEDATA", "BINARY", "BINARY2"));

constexpr const char* kHead =
    "<VOTABLE><RESOURCE><TABLE><FIELD name='m' datatype='float'/><FIELD name='x' datatype='float'/>"
    "<FIELD ID='y' datatype='float'/>";

TEST(Votable, IsKnownWithAnyPrefix) {
  EXPECT_TRUE(matches("votable", bytes_of(kHead)));
  EXPECT_TRUE(matches("votable", bytes_of("<?xml version='1.0'?><v:VOTABLE>")));
  EXPECT_FALSE(matches("votable", bytes_of("name,m,x,y\nVOTABLE,1,2,3\n")));
  const TemporaryFile file("bodies.xml", fixture_bytes("tables/types_BINARY.vot"));
  EXPECT_EQ(read_snapshot(file.path(), {}).bodies.size(), 6u);
}

TEST(Votable, ErrorsNameTheRow) {
  const std::string start = std::string(kHead) + "<DATA><TABLEDATA><TR><TD>1</TD><TD>2</TD><TD>3</TD></TR>";
  const std::string end = "</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>";
  EXPECT_EQ(read_as("votable", bytes_of(start + end)).bodies.size(), 1u);
  EXPECT_THAT(votable_error(start + "<TR><TD>1</TD><TD>far</TD><TD>3</TD></TR>" + end),
              StartsWith("Row 2, column 'x': 'far' is not a finite number"));
  EXPECT_THAT(votable_error(start + "<TR><TD>1</TD><TD>NaN</TD><TD>3</TD></TR>" + end),
              StartsWith("Row 2, column 'x': the value is missing"));
  EXPECT_THAT(votable_error(start + "<TR><TD>1</TD></TR>" + end),
              StartsWith("Row 2, column 'x': the value is missing"));
}

TEST(Votable, WhatItLacksIsExplained) {
  const std::string head = kHead, end = "</DATA></TABLE></RESOURCE></VOTABLE>";
  EXPECT_THAT(votable_error(head + "<DATA><BINARY2><STREAM href='http://a/b'/></BINARY2>" + end),
              HasSubstr("another file"));
  EXPECT_THAT(votable_error(head + "<DATA><FITS><STREAM encoding='base64'/></FITS>" + end), HasSubstr("FITS table"));
  EXPECT_THAT(votable_error("<VOTABLE><RESOURCE><INFO name='QUERY_STATUS' value='ERROR'>Job <b>timed</b> out</INFO>"
                            "</RESOURCE></VOTABLE>"),
              HasSubstr("reports an error"));
  EXPECT_THAT(votable_error("<VOTABLE><RESOURCE><TABLE><FIELD name='flux' datatype='float'/><DATA/></TABLE></RESOURCE>"
                            "</VOTABLE>"),
              HasSubstr("Column 'm' is missing"));
  EXPECT_THAT(votable_error("<VOTABLE/>"), HasSubstr("no table with rows"));
  EXPECT_THAT(votable_error("<!DOCTYPE v [<!ENTITY a 'bbbbbbbbbb'>]><VOTABLE>&a;</VOTABLE>"), HasSubstr("entities"));
}

TEST(Votable, HostileSizesAreRefused) {
  const std::string end =
      "<DATA><BINARY><STREAM>//////////////8=</STREAM></BINARY></DATA></TABLE></RESOURCE></VOTABLE>";
  for (const char* size : {"99999999999999999999", "1000000x1000000x1000000", "*", "x", "-1", "16777216"})
    EXPECT_NE(
        votable_error(kHead + ("<FIELD name='a' datatype='double' arraysize='" + std::string(size) + "'/>") + end), "")
        << size;
  EXPECT_THAT(votable_error(kHead + std::string("<FIELD name='a' datatype='quark'/>") + end), HasSubstr("'quark'"));
}

TEST(Votable, ElementsInTheWrongPlaceAreHarmless) {
  const std::string data = "<DATA><TD>1</TD><TD>2</TD><TD>3</TD></TR></DATA></TABLE></RESOURCE></VOTABLE>";
  EXPECT_NE(votable_error(kHead + ("<TR>" + data)), "");
  const std::string nested = kHead + std::string("<DATA><TABLE></TABLE><BINARY><STREAM>AAAA</STREAM></BINARY></DATA>");
  EXPECT_TRUE(read_as("votable", bytes_of(nested)).bodies.empty());
}

TEST(Votable, ReadingCanBeCancelled) {
  EXPECT_THROW(
      read_as("votable", bytes_of(votable_text("gaia_BINARY2.vot")), {.progress = [](double) { return false; }}),
      SceneCancelled);
}

}  // namespace
}  // namespace pericenter::test

#endif
