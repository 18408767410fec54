// Fields of each format but HDF5 and CSV: which ones a file has, their units, and that each value stays with its body.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "sim/files/load.h"
#include "sim/files/stated.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::IsNan;
using Data = std::vector<std::uint8_t>;

constexpr const char* kFileUnits = "units of the file";
constexpr double kTimeUnitMyr = 977.79;  ///< kpc / (km/s)

ReadOptions wanting(const std::string& name, Selection selection = {}) {
  ReadOptions options;
  options.field = name;
  options.selection = selection;
  return options;
}

std::vector<float> values_in(std::string_view format, Bytes bytes, const std::string& name, Selection selection = {}) {
  return read_as(format, bytes, wanting(name, selection)).values;
}

/// "name [unit]" of each field.
std::vector<std::string> fields_in(std::string_view format, Bytes bytes, Selection selection = {}) {
  std::vector<std::string> names;
  for (const auto& [name, unit] : read_as(format, bytes, wanting("", selection)).fields)
    names.push_back(unit.empty() ? name : name + " [" + unit + "]");
  return names;
}

template <class Number>
void overwrite(Data& data, std::size_t offset, Number number) {
  std::memcpy(data.data() + offset, &number, sizeof number);
}

// ---- GADGET

template <class Number>
void append_number(Data& data, Number number) {
  data.resize(data.size() + sizeof number);
  overwrite(data, data.size() - sizeof number, number);
}

/// A record in little endian, with a label in version 2.
template <class Number>
void append_block(Data& data, const std::string& label, const std::vector<Number>& numbers) {
  const auto size = static_cast<std::uint32_t>(numbers.size() * sizeof(Number));
  if (!label.empty()) {
    append_number(data, std::uint32_t{8});
    for (const char letter : (label + "    ").substr(0, 4)) data.push_back(static_cast<std::uint8_t>(letter));
    append_number(data, size + 8);
    append_number(data, std::uint32_t{8});
  }
  append_number(data, size);
  for (const Number number : numbers) append_number(data, number);
  append_number(data, size);
}

using Doubles = std::vector<double>;
using Floats = std::vector<float>;

Doubles counted(std::size_t count) {
  Doubles numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = 1 + static_cast<double>(i);
  return numbers;
}

constexpr std::size_t kLabelledHeader = 20, kPlainHeader = 4;

/// Version 2 in doubles, with 4, 5, 6, 3, 2 and 1 bodies of each type, at time 1.5 and with h = 1.
Data labelled_galaxy() {
  Data data = fixture_bytes("gadget2_little");
  append_block(data, "RHO", Doubles{1, 2, 3, 4});
  append_block(data, "TEMP", Floats{10, 20, 30, 40});
  append_block(data, "AGE", Doubles{0.5, 1.5});
  append_block(data, "Z", counted(6));
  append_block(data, "POT", counted(21));
  Doubles accelerations(63);
  accelerations[3] = -3;
  accelerations[4] = 4;
  append_block(data, "ACCE", accelerations);
  append_block(data, "TSTP", counted(21));
  append_block(data, "ENDT", counted(4));
  append_block(data, "XION", counted(4));
  append_block(data, "BFLD", Doubles{1, 2, 2, 0, 0, 0, 0, 0, 0, 0, 3, 4});
  append_block(data, "NIDS", std::vector<std::uint64_t>{1, 2, 3, 4});
  append_block(data, "ODD", counted(5));
  append_block(data, "INFO", counted(4));
  append_block(data, " ", counted(4));
  return data;
}

TEST(GadgetFields, LabelsAndSizesGiveTheTypes) {
  const Data data = labelled_galaxy();
  EXPECT_THAT(fields_in("gadget", data),
              ElementsAre("U [(km/s)²]", "RHO [M☉/pc³]", "TEMP [K]", "age of stars [Myr]", "Z", "POT [(km/s)²]",
                          "ACCE [units of the file]", "TSTP [Myr]", "ENDT [units of the file]",
                          "XION [units of the file]", "BFLD [units of the file]"));
  const auto values = [&](const std::string& name) { return values_in("gadget", data, name); };
  EXPECT_EQ(values("TEMP")[3], 40);
  EXPECT_THAT(values("TEMP")[4], IsNan());
  EXPECT_NEAR(values("RHO")[1] / 2 / 10, 1, 1e-3) << "1e10 solar masses per kpc^3";
  EXPECT_NEAR(values("age of stars")[18], kTimeUnitMyr, 0.1);
  EXPECT_EQ(values("age of stars")[19], 0);
  EXPECT_THAT(values("age of stars")[17], IsNan());
  EXPECT_EQ(values("Z")[3], 4);
  EXPECT_EQ(values("Z")[18], 5) << "stars follow gas";
  EXPECT_EQ(values("POT")[20], 21);
  EXPECT_EQ(values("ACCE")[1], 5);
  EXPECT_NEAR(values("TSTP")[0], kTimeUnitMyr, 0.1);
  EXPECT_EQ(values("BFLD")[0], 3);
  EXPECT_EQ(values("BFLD")[3], 5);
  EXPECT_TRUE(values("ODD").empty());
}

TEST(GadgetFields, ABlockOfGasOrStarsIsOfNeither) {
  Data data = fixture_bytes("gadget2_little");
  overwrite(data, kLabelledHeader + 4, 3);   // halo
  overwrite(data, kLabelledHeader + 16, 4);  // stars, as many as gas
  append_block(data, "XION", counted(4));
  append_block(data, "TEMP", counted(4));
  EXPECT_THAT(fields_in("gadget", data), ElementsAre("U [(km/s)²]", "TEMP [K]"));
}

TEST(GadgetFields, CosmologicalRunsArePhysical) {
  Data data = labelled_galaxy();
  for (const auto& [offset, value] : {std::pair(72, 0.25), {80, 3.0}, {136, 1.0}, {152, 0.5}})
    overwrite(data, kLabelledHeader + offset, value);
  const Data plain = labelled_galaxy();
  const auto ratio = [&](const std::string& name, std::size_t i) {
    return values_in("gadget", data, name)[i] / values_in("gadget", plain, name)[i];
  };
  EXPECT_FLOAT_EQ(ratio("RHO", 0), 0.25f * 64) << "h^2 / a^3";
  EXPECT_FLOAT_EQ(ratio("POT", 0), 4);
  EXPECT_FLOAT_EQ(ratio("U", 0), 1);
  EXPECT_THAT(fields_in("gadget", data), Contains("TSTP [units of the file]"));
  // The age of an Einstein-de Sitter universe with h = 0.5 is 13.04 Gyr a^(3/2).
  const std::string label = "AGE ";
  const auto ages = std::search(data.begin(), data.end(), label.begin(), label.end()) - data.begin() + 16;
  overwrite(data, static_cast<std::size_t>(ages), 0.0625);
  overwrite(data, static_cast<std::size_t>(ages) + 8, -0.5);
  const std::vector<float> values = values_in("gadget", data, "age of stars");
  EXPECT_NEAR(values[18], 13037 * (0.125 - 0.015625), 1);
  EXPECT_THAT(values[19], IsNan()) << "wind";
}

TEST(GadgetFields, InVersion1TheyFollowInTheOrderOfGadget2) {
  Data data = fixture_bytes("gadget1_little");
  EXPECT_THAT(fields_in("gadget", data), ElementsAre("U [(km/s)²]"));
  append_block(data, "", Floats{1, 2, 3, 4});
  append_block(data, "", Floats{5, 6, 7, 8});
  EXPECT_THAT(fields_in("gadget", data), ElementsAre("U [(km/s)²]", "RHO [M☉/pc³]", "HSML [kpc]"));
  EXPECT_THAT(values_in("gadget", data, "HSML", {.types = 1}), ElementsAre(5, 6, 7, 8));
  overwrite(data, kPlainHeader + 120, 1);  // flag_cooling: GADGET-3 has electrons before the smoothing length
  EXPECT_THAT(fields_in("gadget", data), ElementsAre("U [(km/s)²]", "RHO [M☉/pc³]"));
  append_block(data, "", Floats{1, 1, 1, 1});
  append_block(data, "", Floats{9, 8, 7, 6});
  EXPECT_THAT(fields_in("gadget", data), ElementsAre("U [(km/s)²]", "RHO [M☉/pc³]", "NE", "NH", "HSML [kpc]"));
  EXPECT_EQ(values_in("gadget", data, "HSML")[0], 9);
}

TEST(GadgetFields, StatedUnitsConvertThem) {
  Data data = fixture_bytes("gadget1_little");
  append_block(data, "", Floats{1, 2, 3, 4});
  append_block(data, "", Floats{5, 6, 7, 8});
  ReadOptions options = wanting("HSML");
  options.stated.units = units_from("length=pc mass=Msun velocity=km/s");
  EXPECT_FLOAT_EQ(read_as("gadget", data, options).values[0], 0.005f);
}

TEST(GadgetFields, DamageBehindTheBodiesIsHarmless) {
  for (const bool labelled : {true, false}) {
    const std::string name = labelled ? "gadget2_little" : "gadget1_little";
    const std::size_t bodies = fixture_bytes(name).size() - (labelled ? 56 : 24);
    Data data = fixture_bytes(name);
    append_block(data, labelled ? "RHO" : "", Floats{1, 2, 3, 4});
    for (std::size_t size = bodies; size < data.size(); ++size) {
      EXPECT_EQ(read_as("gadget", Bytes(data).first(size), wanting("RHO")).bodies.size(), 21u) << size;
      Data damaged = data;
      damaged[size] ^= 0xA5;
      EXPECT_EQ(read_as("gadget", damaged, wanting("RHO")).bodies.size(), 21u) << size;
    }
  }
}

TEST(GadgetFields, StayWithTheirBodies) {
  Data data = labelled_galaxy();
  EXPECT_THAT(values_in("gadget", data, "POT", {.types = 1u << 4}), ElementsAre(19, 20));
  EXPECT_THAT(fields_in("gadget", data, {.types = 1u << 1}),
              ElementsAre("POT [(km/s)²]", "ACCE [units of the file]", "TSTP [Myr]"));
  EXPECT_THAT(values_in("gadget", data, "TEMP", {.every = 2, .types = 1}), ElementsAre(10, 30));
  overwrite(data, kLabelledHeader + 256 + 4 + 16 + 4, std::nan(""));  // position of the first body
  ReadOptions options = wanting("TEMP");
  options.skip_bad = true;
  const Snapshot snapshot = read_as("gadget", data, options);
  EXPECT_EQ(snapshot.skipped, 1u);
  ASSERT_EQ(snapshot.values.size(), 20u);
  EXPECT_EQ(snapshot.values[0], 20);
}

TEST(GadgetFields, OfSeveralFilesWithAndWithoutThem) {
  Data with = labelled_galaxy(), without = fixture_bytes("gadget2_little");
  for (Data* const data : {&with, &without}) {
    overwrite(*data, kLabelledHeader + 124, 2);
    for (int type = 0; type < 6; ++type) overwrite(*data, kLabelledHeader + 96 + 4 * type, 2 * (type == 0 ? 4 : 0));
  }
  for (const bool first : {true, false}) {
    const TemporaryFile file("snap.0", first ? with : without);
    const Data& other = first ? without : with;
    std::ofstream(file.path("snap.1"), std::ios::binary)
        .write(reinterpret_cast<const char*>(other.data()), static_cast<std::streamsize>(other.size()));
    const Snapshot snapshot = read_snapshot(file.path(), wanting("TEMP"));
    ASSERT_EQ(snapshot.values.size(), 42u);
    EXPECT_EQ(snapshot.values[first ? 3 : 24], 40);
    EXPECT_THAT(snapshot.values[first ? 24 : 3], IsNan());
    EXPECT_EQ(snapshot.field.unit, "K");
  }
}

// ---- TIPSY

TEST(TipsyFields, AreTheNumbersAfterTheVelocities) {
  constexpr std::size_t kGasBytes = 48, kDarkBytes = 36, kStart = 32, kFurther = 28;
  Data data = fixture_bytes("tipsy_native");
  for (std::size_t k = 0; k < 5; ++k) overwrite(data, kStart + kFurther + 4 * k, 1.0f + static_cast<float>(k));
  overwrite(data, kStart + 2 * kGasBytes + kFurther + 4, 6.0f);
  const std::size_t star = kStart + 2 * kGasBytes + 3 * kDarkBytes + kFurther;
  for (std::size_t k = 0; k < 4; ++k) overwrite(data, star + 4 * k, 7.0f + static_cast<float>(k));
  EXPECT_THAT(fields_in("tipsy", data),
              ElementsAre("density [units of the file]", "temperature [K]", "smoothing length [units of the file]",
                          "metallicity", "formation time [units of the file]", "potential [units of the file]"));
  const auto values = [&](const std::string& name) {
    const std::vector<float> all = values_in("tipsy", data, name);
    return std::vector<float>{all[0], all[2], all[5]};  // the first of each kind
  };
  EXPECT_THAT(values("density"), ElementsAre(1, IsNan(), IsNan()));
  EXPECT_THAT(values("temperature"), ElementsAre(2, IsNan(), IsNan()));
  EXPECT_THAT(values("smoothing length"), ElementsAre(3, IsNan(), IsNan()));
  EXPECT_THAT(values("metallicity"), ElementsAre(4, IsNan(), 7));
  EXPECT_THAT(values("formation time"), ElementsAre(IsNan(), IsNan(), 8));
  EXPECT_THAT(values("potential"), ElementsAre(5, 6, 10));
  EXPECT_THAT(fields_in("tipsy", data, {.types = 1u << 1}), ElementsAre("potential [units of the file]"));
}

TEST(TipsyFields, IdsAreNoPotentials) {
  for (const char* const file : {"tipsy_ids", "tipsy_accelerations"}) {
    const Data data = fixture_bytes(file);
    EXPECT_THAT(fields_in("tipsy", data), ElementsAre("metallicity", "formation time [units of the file]")) << file;
    EXPECT_EQ(values_in("tipsy", data, "formation time")[6], 0) << file;
  }
}

// ---- RAMSES

class RamsesFields : public testing::Test {
 protected:
  RamsesFields() {
    std::filesystem::copy(fixture_path("ramses"), folder_.path(), std::filesystem::copy_options::recursive);
  }
  Snapshot read(const std::string& file, const std::string& name) const {
    return read_snapshot(folder_ / file, wanting(name));
  }
  void write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }

  TemporaryFolder folder_;
};

TEST_F(RamsesFields, AreTheOtherRecords) {
  const std::string file = "output_00001/info_00001.txt";
  EXPECT_THAT(read(file, "").fields,
              testing::IsSupersetOf({FieldInfo{"birth_time", kFileUnits}, FieldInfo{"family", ""},
                                     FieldInfo{"levelp", ""}, FieldInfo{"metallicity", ""}, FieldInfo{"tag", ""}}));
  EXPECT_THAT(read(file, "metallicity").values, ElementsAre(0, 1.f / 64, 2.f / 64, 3.f / 64, 4.f / 64, 5.f / 64));
  EXPECT_THAT(read(file, "family").values, ElementsAre(1, 1, 2, 3, 2, 4));
  EXPECT_THAT(read(file, "levelp").values, testing::Each(9));
  EXPECT_THAT(read(file, "birth_time").values, testing::Each(0.5f));
  EXPECT_TRUE(read(file, "age of stars").values.empty()) << "times of cosmological runs may be conformal";
}

TEST_F(RamsesFields, StarsOfIsolatedRunsHaveAges) {
  const std::string file = "output_00002/info_00002.txt";
  EXPECT_THAT(read(file, "").fields,
              testing::IsSupersetOf({FieldInfo{"birth_time", "Myr"}, FieldInfo{"age of stars", "Myr"}}));
  constexpr float kUnit = 5e15f / 3.15576e13f;
  EXPECT_THAT(read(file, "age of stars").values, ElementsAre(IsNan(), FloatNear(1.75f * kUnit, 0.01f), IsNan()));
  EXPECT_THAT(read(file, "birth_time").values, ElementsAre(IsNan(), FloatNear(-0.25f * kUnit, 0.01f), IsNan()));
}

TEST_F(RamsesFields, TheDescriptorTellsTheirTypes) {
  const std::string path = "output_00001/part_file_descriptor.txt";
  const Data bytes = file_bytes(folder_ / path);
  std::string text(bytes.begin(), bytes.end());
  text.replace(text.find("levelp, i"), 9, "births, i");
  text.replace(text.find("metallicity"), 11, "iron");
  write(path, text);
  EXPECT_THAT(read("output_00001/info_00001.txt", "births").values, testing::Each(9));
  EXPECT_EQ(read("output_00001/info_00001.txt", "births").field.unit, kFileUnits);
  EXPECT_EQ(read("output_00001/info_00001.txt", "iron").values[5], 5.f / 64);
}

TEST_F(RamsesFields, AreKnownWithoutDescriptor) {
  std::filesystem::remove(folder_ / "output_00001/part_file_descriptor.txt");
  // Some versions list what their file of stars has, too.
  write("output_00001/header_00001.txt",
        " Particle fields\npos vel mass iord level family tag tform metal \n Star fields\nID level x y z\n");
  EXPECT_EQ(read("output_00001/info_00001.txt", "metallicity").values[5], 5.f / 64);
  std::filesystem::remove(folder_ / "output_00001/header_00001.txt");
  EXPECT_EQ(read("output_00001/info_00001.txt", "metallicity").values[5], 5.f / 64);
  EXPECT_EQ(read("output_00001/info_00001.txt", "tag").values[5], 0);
}

// ---- REBOUND

TEST(ReboundFields, AreRadiiInTheUnitOfG) {
  for (const char* const file : {"rebound_4.bin", "rebound_5.bin"}) {
    Data data = fixture_bytes(file);
    EXPECT_THAT(fields_in("rebound", data), ElementsAre("radius [units of the file]"));
    EXPECT_THAT(values_in("rebound", data, "radius"), ElementsAre(IsNan(), 1.f / 64, 2.f / 64, 3.f / 64));
    const double half = 0.5, gravity = 4 * std::numbers::pi * std::numbers::pi;
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&half);
    std::memcpy(&*std::search(data.begin(), data.end(), bytes, bytes + 8), &gravity, 8);
    EXPECT_THAT(fields_in("rebound", data), ElementsAre("radius [AU]"));
  }
}

// ---- small bodies

constexpr std::ptrdiff_t kAddedBodies = 9;  // the Sun and eight planets

const std::string kOrbits =
    "epoch,e,q,i,om,w,tp,H\n"
    "2461000.5,0.5,1,10,0,0,2461000.5,3.5\n2461000.5,1,2,20,0,0,2461000.5,\n2461000.5,1.5,3,170,0,0,2461000.5,\n";

TEST(SmallBodyFields, AreElementsOfTheirOrbits) {
  EXPECT_THAT(fields_in("jpl", bytes_of(kOrbits)), ElementsAre("eccentricity", "semimajor axis [AU]", "inclination [°]",
                                                               "perihelion distance [AU]", "absolute magnitude [mag]"));
  const auto values = [](const std::string& name, Selection selection = {}) {
    const std::vector<float> all = values_in("jpl", bytes_of(kOrbits), name, selection);
    EXPECT_THAT(std::vector(all.begin(), all.begin() + kAddedBodies), testing::Each(IsNan()));
    return std::vector(all.begin() + kAddedBodies, all.end());
  };
  EXPECT_THAT(values("eccentricity"), ElementsAre(0.5, 1, 1.5));
  EXPECT_THAT(values("semimajor axis"), ElementsAre(2, IsNan(), IsNan()));
  EXPECT_THAT(values("inclination"), ElementsAre(10, 20, 170));
  EXPECT_THAT(values("perihelion distance"), ElementsAre(1, 2, 3));
  EXPECT_THAT(values("absolute magnitude"), ElementsAre(3.5, IsNan(), IsNan()));
  EXPECT_THAT(values("eccentricity", {.every = 2}), ElementsAre(0.5, 1.5));
}

TEST(SmallBodyFields, OfMpcorb) {
  std::string line =
      "00001    3.34  0.15 K25BL 231.53975   73.29974   80.24963   10.58789  0.0795763  0.21429712   2.7656157\n";
  const auto value = [&](const std::string& name) { return values_in("mpcorb", bytes_of(line), name).back(); };
  EXPECT_FLOAT_EQ(value("semimajor axis"), 2.7656157f);
  EXPECT_FLOAT_EQ(value("inclination"), 10.58789f);
  EXPECT_FLOAT_EQ(value("absolute magnitude"), 3.34f);
  line.replace(9, 4, "    ");
  EXPECT_THAT(fields_in("mpcorb", bytes_of(line)), testing::Not(Contains("absolute magnitude [mag]")));
}

// ---- FITS and VOTable

#if __has_include(<fitsio.h>)
TEST(FitsFields, AreTheOtherColumnsOfNumbers) {
  const Data data = fixture_bytes("tables/fields.fits");
  EXPECT_THAT(fields_in("fits", data), ElementsAre("temp [K]", "n", "spec[0]"));
  EXPECT_THAT(values_in("fits", data, "temp"), ElementsAre(0, 100, 200));
  EXPECT_THAT(values_in("fits", data, "n"), ElementsAre(0, IsNan(), 2));
  EXPECT_THAT(values_in("fits", data, "spec[0]"), ElementsAre(0, 0.5, 1));
  EXPECT_TRUE(values_in("fits", data, "name").empty());
  EXPECT_THAT(values_in("fits", data, "temp", {.every = 2}), ElementsAre(0, 200));
  for (const char* const name : {"", "temp", "name"}) {
    EXPECT_THAT(read_as("fits", data, wanting(name)).notes,
                ElementsAre(HasSubstr("No velocities"), "Used only for colours: temp, n, spec[0].",
                            "Not used: name, flag, pair."))
        << name;
  }
}
#endif

#if __has_include(<expat.h>)
TEST(VotableFields, AreTheOtherColumnsOfNumbers) {
  for (const std::string form : {"TABLEDATA", "BINARY", "BINARY2"}) {
    const Data data = fixture_bytes("tables/types_" + form + ".vot");
    EXPECT_THAT(fields_in("votable", data), ElementsAre("n", "k", "b")) << form;
    EXPECT_THAT(values_in("votable", data, "n"), testing::Each(IsNan())) << form;
    EXPECT_THAT(values_in("votable", data, "k"), ElementsAre(7, 7, 7, 7, 7, 7)) << form;
    EXPECT_THAT(values_in("votable", data, "b"), testing::Each(200)) << form;
    EXPECT_THAT(read_as("votable", data, wanting("n")).notes, Contains("Not used: flag, bits, colour, spectrum."));
  }
}

TEST(VotableFields, HaveTheUnitsOfTheirColumns) {
  std::string table = "<VOTABLE><RESOURCE><TABLE>";
  for (const char* const name : {"m", "x", "teff", "y"})
    table += "<FIELD name='" + std::string(name) + "' datatype='double' unit='" + (*name == 't' ? "K" : "") + "'/>";
  table += "<DATA><TABLEDATA>";
  for (int row = 0; row < 1500; ++row)  // only the last have a temperature
    table += "<TR><TD>1</TD><TD>" + std::to_string(row) + "</TD><TD>" + (row < 1400 ? "NaN" : "5800") +
             "</TD><TD>0</TD></TR>";
  table += "</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>";
  EXPECT_THAT(fields_in("votable", bytes_of(table)), ElementsAre("teff [K]"));
  const std::vector<float> values = values_in("votable", bytes_of(table), "teff");
  ASSERT_EQ(values.size(), 1500u);
  EXPECT_THAT(values[1399], IsNan());
  EXPECT_EQ(values[1400], 5800);
}
#endif

}  // namespace
}  // namespace pericenter::test
