// Files of other programs: a sentence names the format, and gzip is unpacked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "sim/files/foreign_formats.h"
#include "sim/files/formats.h"
#include "sim/files/gzip.h"
#include "sim/files/load.h"
#include "sim/files/mapped_file.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;
using Data = std::vector<std::uint8_t>;
using namespace std::string_literals;

Data data_of(const std::string& text) {
  return {text.begin(), text.end()};
}

std::string error_of_file(const std::string& name, const Data& data) {
  const TemporaryFile file(name, data);
  try {
    read_snapshot(file.path(), {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ForeignFormats, AreNamedWithAWay) {
  const std::pair<std::string, const char*> files[] = {
      {"\\begin{table}\n\\begin{tabular}{cc}\nm & x \\\\\n", "LaTeX"},
      {"{\"m\": [1, 2], \"x\": [0, 1]}", "JSON"},
      {"[ {\"m\": 1}]", "JSON"},
      {"<html>\n<head>\n</head>\n<body>\n<table>\n", "HTML"},
      {"|        m|        x|\n|   double|   double|\n", "IPAC"},
      {"======= =======\nm       x\n", "reStructuredText"},
      {"\x93NUMPY\x01\0v"s, "NumPy"},
      {"\xff\xfem\0,\0x\0"s, "UTF-16, which Pericenter does not read. Save it as CSV UTF-8"},
      {"\xfe\xff\0m\0,\0x"s, "UTF-16"},
      {"{\"signature\":{\"source\":\"NASA/JPL Horizons API\"", "Horizons API"},
      {"DTYPE: <f8\nNMEMB: 3\n", "bigfile"},
      {" Num   Name              Epoch      a          e\n", "ELEMENTS"},
      {"Title: a\n====\nByte-by-byte Description of file: a\n", "machine-readable table"},
      {"    CK25A060  2025 11  8.5472  0.534329  0.995734  132.9673  108.0980  143.6636  20251121  12.0  4.0  C/2025 "
       "A6 (Lemmon)   \n",
       "comets"},
      {"PK\x03\x04npz"s, "zip"},
      {"BZh91AY", "bzip2"},
      {"\xfd"
       "7zXZ\0"s,
       "xz"},
      {"\x28\xb5\x2f\xfd", "zstd"},
      {"#AMUSE CSV: 1.0\n#COL:0:mass:on:1.98892e+30\n", "AMUSE"},
      {"set SnapShot\n  set Parameters\n", "NEMO"},
      {"(Particle\n  N = 3\n", "Starlab"},
      {"\x92\x0b"
       "c\0Headline\0"s,
       "NEMO"},
      {"\x92\x09(\0SnapShot\0"s, "NEMO"},
      {"\0\x10\x34\xa5\x3f\xb9"s, "NChilada"},
      {"\x28\0\0\0\x61\xed\0\0"s, "Phantom"},
      {"*****\n Revised: 2013\n$$SOE\n2461041.5, A.D. 2026\n$$EOE\n", "Horizons"},
      {"300, 0, 300\n3\n0.5\n1\n2\n", "TIPSY ascii"},
      {"3\ncomment\nH 0 1 2\nH 0 1 2\n", "XYZ"},
      {"3 2 0.5\n1.0e+00 1.0 2.0 3.0 4.0 5.0 6.0 0 0.1 0.0 1 0 1e-3 1e-2\n", "PeTar"},
      {"3 2 0.5 0 0 0 0 0 0\n1.0e+00 1.0 2.0 3.0 4.0 5.0 6.0 0 0.1 0.0 1 0 1e-3 1e-2 7.0\n", "PeTar"},
      {"# vtk DataFile Version 3.0\n", "VTK"}};
  for (const auto& [contents, name] : files) {
    const std::string error = error_of_file("file", data_of(contents));
    EXPECT_THAT(error, HasSubstr(name));
    EXPECT_THAT(error, HasSubstr("which Pericenter does not read."));
    EXPECT_LT(error.size(), 300u) << "contents of the file are not repeated";
    EXPECT_TRUE(error.ends_with('.')) << error;
  }
}

TEST(ForeignFormats, DoNotHideFormatsThatAreRead) {
  for (const char* fixture : {"gadget1_little", "gadget2_big", "tipsy_standard", "tipsy_native_unpadded", "tipsy_ids",
                              "stdpar_3d.bin", "stdpar_2d.bin", "table.csv", "table_semicolon.csv"}) {
    const Data data = fixture_bytes(fixture);
    EXPECT_EQ(foreign_format({data, data.size(), fixture}), "") << fixture;
  }
  for (const FileFormat& format : file_formats()) {
    const std::filesystem::path seeds =
        std::filesystem::path(fixture_path("")).parent_path() / "../../../fuzz/corpus" / std::string(format.name);
    if (!std::filesystem::exists(seeds)) continue;
    for (const auto& seed : std::filesystem::directory_iterator(seeds)) {
      const MappedFile file(seed.path().string());
      EXPECT_EQ(foreign_format({file.bytes(), file.bytes().size(), "seed"}), "") << seed.path();
    }
  }
  for (const std::string table : {"m x y\n1 2 3\n", "# [01 x] [02 y]\n", "[m],[x]\n", "3\n1\n2\n",
                                  "3 2 0.5\n1 1.0 2.0 3.0 4.0 5.0 6.0 0 0.1 0.0 1 0 1e-3 1e-2\n"})
    EXPECT_EQ(foreign_format({bytes_of(table), table.size(), "t"}), "") << table;
}

// ---- gzip

Data packed(const Data& data) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  Data result(deflateBound(&stream, data.size()) + 64);
  stream.next_in = const_cast<Bytef*>(data.data());
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = result.data();
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

TEST(Gzip, FilesAreReadAsTheirContents) {
  for (const char* fixture : {"table.csv", "gadget2_big", "tipsy_native_doubles", "stdpar_3d.bin"}) {
    const TemporaryFile file(std::string(fixture) + ".gz", packed(fixture_bytes(fixture)));
    const Snapshot unpacked = read_snapshot(fixture_path(fixture), {}), snapshot = read_snapshot(file.path(), {});
    ASSERT_EQ(snapshot.bodies.size(), unpacked.bodies.size()) << fixture;
    for (std::size_t i = 0; i < snapshot.bodies.size(); ++i)
      EXPECT_EQ(snapshot.bodies[i].position, unpacked.bodies[i].position) << fixture;
    EXPECT_EQ(snapshot.ids, unpacked.ids);
  }
}

TEST(Gzip, SeveralMembersAreOne) {
  Data two = packed(data_of("m,x,y\n1,2,3\n"));
  const Data second = packed(data_of("4,5,6\n"));
  two.insert(two.end(), second.begin(), second.end());
  const Data text = gunzip(two, {});
  EXPECT_EQ(std::string(text.begin(), text.end()), "m,x,y\n1,2,3\n4,5,6\n");
}

TEST(Gzip, DamageIsExplained) {
  const Data whole = packed(fixture_bytes("gadget1_little"));
  for (std::size_t size = 3; size < whole.size(); ++size)
    EXPECT_NE(error_of_file("a.gz", Data(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))), "")
        << size;
  EXPECT_THAT(error_of_file("a.gz", Data(whole.begin(), whole.end() - 20)), HasSubstr("truncated"));
  for (std::size_t at = 10; at < whole.size(); at += 7) {
    Data damaged = whole;
    damaged[at] ^= 0x55;
    EXPECT_THAT(error_of_file("a.gz", damaged), HasSubstr("a.gz: ")) << at;
  }
}

TEST(Gzip, BombsAreRefusedBySize) {
  const Data bomb = packed(Data(300 << 20, 'x'));
  EXPECT_LT(bomb.size(), 400u << 10);
  EXPECT_THAT(error_of_file("bomb.gz", bomb), HasSubstr("too much"));
  const Data small = packed(Data(800 << 10, ' '));
  EXPECT_EQ(gunzip(small, {}).size(), 800u << 10);
}

TEST(Gzip, Hdf5MustBeUnpacked) {
  EXPECT_THAT(error_of_file("a.hdf5.gz", packed(data_of("\x89HDF\r\n\x1a\n" + std::string(2000, '\0')))),
              HasSubstr("gunzip"));
}

TEST(Gzip, CanBeCancelled) {
  EXPECT_THROW(gunzip(packed(Data(3 << 20, 'x')), [](double) { return false; }), SceneCancelled);
}

}  // namespace
}  // namespace pericenter::test
