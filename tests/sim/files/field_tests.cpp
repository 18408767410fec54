#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "sim/files/load.h"
#include "sim/playback/series.h"
#include "sim/session/session.h"
#include "tests/support/hdf5_maker.h"
#include "tests/support/vertex_scalars.h"

// Quantities of bodies beside those of Body: which ones a file has, their units, and their values.

namespace pericenter::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::Not;

using Floats = std::vector<float>;

Snapshot read_with(const std::string& path, const std::string& field, Selection selection = {}) {
  ReadOptions options;
  options.field = field;
  options.selection = selection;
  return read_snapshot(path, options);
}

auto field_is(const std::string& name, const std::string& unit = "") {
  return AllOf(Field(&FieldInfo::name, name), Field(&FieldInfo::unit, unit));
}

/// Gas and stars of GADGET, in kpc, 1e10 solar masses and km/s.
void put_galaxy(Hdf5Maker& file) {
  file.header({3, 0, 0, 0, 2, 0}).bodies(0, 3).bodies(4, 2, 3);
  file.data("PartType0", "InternalEnergy", {100, 400, 900});
  file.data("PartType0", "Magnetic", {3, 4, 0, 0, 0, 1, 2, 3, 6}, 3);
  file.data("PartType0", "Metallicity", {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, 2);
  file.data("PartType4", "StellarFormationTime", {0, 0.5});
  file.put("Header", "Time", 2.0);
}

TEST(Fields, OfHdf5HaveNamesUnitsAndValuesOfEachType) {
  Hdf5Maker file;
  put_galaxy(file);
  const std::string path = file.path();
  const Snapshot snapshot = read_with(path, "InternalEnergy");
  EXPECT_THAT(
      snapshot.fields,
      ElementsAre(field_is("InternalEnergy", "(km/s)²"), field_is("Magnetic", "units of the file"),
                  field_is("Metallicity 0"), field_is("Metallicity 1"), field_is("temperature, if ionised", "K"),
                  field_is("age of stars", "Myr"), field_is("type"), field_is("id"), field_is("mass", "M☉")));
  EXPECT_THAT(snapshot.values, ElementsAre(100, 400, 900, testing::IsNan(), testing::IsNan()));
  EXPECT_EQ(snapshot.field.unit, "(km/s)²");
  EXPECT_THAT(read_with(path, "Magnetic").values, Contains(7).Times(1)) << "the size of the vector";
  EXPECT_EQ(read_with(path, "Metallicity 1").values[2], 0.6f);
  EXPECT_THAT(read_with(path, "type").values, ElementsAre(0, 0, 0, 4, 4));
  EXPECT_THAT(read_with(path, "id").values, ElementsAre(100, 101, 102, 103, 104));
  EXPECT_FLOAT_EQ(read_with(path, "mass").values[3], 1e10f);
  EXPECT_TRUE(read_with(path, "").values.empty());
  EXPECT_TRUE(read_with(path, "Entropy").values.empty());
}

// 2/3 u mu m_p / k with mu = 0.588 (TNG, data FAQ): 10 km/s squared are 4,750 K, and 1 / 0.978 of a time unit is a Gyr.
TEST(Fields, TemperatureAndAgeAreComputed) {
  Hdf5Maker file;
  put_galaxy(file);
  const std::string path = file.path();
  const Floats temperatures = read_with(path, "temperature, if ionised").values;
  EXPECT_NEAR(temperatures[0], 4750, 5);
  EXPECT_FLOAT_EQ(temperatures[2], 9 * temperatures[0]);
  const Floats ages = read_with(path, "age of stars").values;
  EXPECT_TRUE(std::isnan(ages[0]));
  EXPECT_NEAR(ages[3], 2 * 977.8, 0.1);
  EXPECT_NEAR(ages[4], 1.5 * 977.8, 0.1);
}

// Neutral gas has mu = 4 / (1 + 3 * 0.76).
TEST(Fields, ElectronsLowerTheTemperature) {
  Hdf5Maker file;
  put_galaxy(file);
  file.data("PartType0", "ElectronAbundance", {0, 1.16, 1.16});
  const Floats temperatures = read_with(file.path(), "temperature").values;
  EXPECT_NEAR(temperatures[0], 9850, 10);
  EXPECT_NEAR(temperatures[1], 4 * 4750, 20);
}

// In an Einstein-de Sitter universe with h = 0.5 the age is 2/3 / H0 a^(3/2), 13.04 Gyr at a = 1.
TEST(Fields, AgesOfCosmologicalRunsAreThoseOfTheUniverse) {
  Hdf5Maker file;
  file.header({0, 0, 0, 0, 3, 0}).bodies(4, 3);
  put_all(file, "Header",
          {{"Time", 1}, {"Redshift", 0}, {"Omega0", 1}, {"OmegaLambda", 0}, {"HubbleParam", 0.5}, {"BoxSize", 50}});
  file.data("PartType4", "GFM_StellarFormationTime", {1, 0.25, -0.5});
  const Floats ages = read_with(file.path(), "age of stars").values;
  EXPECT_NEAR(ages[0], 0, 1e-3);
  EXPECT_NEAR(ages[1], 13037 * (1 - 0.125), 5);
  EXPECT_TRUE(std::isnan(ages[2])) << "wind";
}

TEST(Fields, AttributesOfSwiftAndArepoGiveUnits) {
  Hdf5Maker file;
  file.header({2, 0, 0, 0, 0, 0}).bodies(0, 2);
  file.data("PartType0", "Entropies", {1, 2}).data("PartType0", "Pressure", {1, 2}).data("PartType0", "Sfr", {1, 2});
  put_all(file, "PartType0/Entropies",
          {{"Conversion factor to physical CGS (including cosmological corrections)", 1e10},
           {"U_L exponent", 2},
           {"U_t exponent", -2}});
  put_all(file, "PartType0/Pressure", {{"to_cgs", 1e5}, {"velocity_scaling", 1}, {"a_scaling", 1}, {"h_scaling", 0}});
  put_all(file, "PartType0/Sfr", {{"to_cgs", 0}, {"velocity_scaling", 0}, {"a_scaling", 0}, {"h_scaling", 0}});
  const std::string path = file.path();
  const Snapshot snapshot = read_with(path, "Entropies");
  EXPECT_THAT(snapshot.fields, Contains(field_is("Entropies", "(km/s)²")));
  EXPECT_THAT(snapshot.fields, Contains(field_is("Pressure", "km/s")));
  EXPECT_THAT(snapshot.fields, Contains(field_is("Sfr")));
  EXPECT_THAT(snapshot.values, ElementsAre(1, 2));
  EXPECT_THAT(read_with(path, "Pressure").values, ElementsAre(1, 2));
}

TEST(Fields, StayWithTheirBodiesInASelection) {
  Hdf5Maker file;
  put_galaxy(file);
  const Snapshot every = read_with(file.path(), "InternalEnergy", {.every = 2});
  ASSERT_EQ(every.bodies.size(), 3u);
  EXPECT_THAT(every.values, ElementsAre(100, 900, testing::IsNan()));
  const Snapshot stars = read_with(file.path(), "age of stars", {.types = 1u << 4});
  EXPECT_EQ(stars.values.size(), 2u);
  EXPECT_THAT(stars.fields, Not(Contains(field_is("InternalEnergy", "(km/s)²"))));
}

TEST(Fields, OfTablesAreTheOtherColumnsOfNumbers) {
  const TemporaryFile file("table.csv");
  std::ofstream(file.path()) << "m,x,y,z,vx,vy,vz,name,temp [K],age\n"
                                "1,0,0,0,0,0,0,a,,5\n1,1,0,0,0,0,0,b,300,n/a\n1,0,1,0,0,0,0,c,500,7\n";
  const Snapshot snapshot = read_with(file.path(), "temp");
  EXPECT_THAT(snapshot.fields, ElementsAre(field_is("age"), field_is("temp", "K")));
  EXPECT_THAT(snapshot.values, ElementsAre(testing::IsNan(), 300, 500));
  EXPECT_THAT(read_with(file.path(), "age").values, ElementsAre(5, testing::IsNan(), 7));
  EXPECT_THAT(notes_of(snapshot), testing::HasSubstr("Not used: name."));
}

TEST(FieldScales, AreLogarithmicOverManyDecades) {
  const FieldScale linear = scale_of({"a", ""}, Floats{4, 7, 10, NAN});
  EXPECT_FALSE(linear.logarithmic);
  EXPECT_EQ(linear.stored(4), 0);
  EXPECT_EQ(linear.stored(7), 0.5f);
  EXPECT_EQ(linear.stored(NAN), kNoScalar);
  EXPECT_EQ(scale_of({"a", ""}, Floats{1, 10}).low, 0) << "near 0";
  const FieldScale logarithmic = scale_of({"a", ""}, Floats{0, 1, 1000, 1e6});
  EXPECT_TRUE(logarithmic.logarithmic);
  EXPECT_EQ(logarithmic.low, 1);
  EXPECT_EQ(logarithmic.stored(1000), 3);
  EXPECT_EQ(logarithmic.stored(0), kNoScalar);
  EXPECT_FALSE(scale_of({"a", ""}, Floats{-1, 1, 1000, 1e6}).logarithmic);
  EXPECT_LT(scale_of({"a", ""}, Floats{3, 3}).low, scale_of({"a", ""}, Floats{3, 3}).high);
  EXPECT_EQ(scale_of({"a", ""}, Floats{NAN}).stored(NAN), kNoScalar);
}

class FieldSession : public testing::Test {
 protected:
  FieldSession() {
    put_galaxy(file_);
    path_ = file_.path();
  }
  void load() { session_.load(std::make_shared<const SceneSource>(file_source(path_, {}))); }
  void show(const std::string& name) { session_.apply(request::ShowScalar{Scalar::field, name}); }
  std::vector<double> shown() {
    std::vector<Vertex> buffer(session_.simulation()->size());
    session_.write_vertices(host_target(buffer));
    return scalars_of(buffer);
  }

  Hdf5Maker file_;
  std::string path_;
  Session session_{{.diagnostics_period = 1e9, .records_history = true}};
};

TEST_F(FieldSession, ShowsAFieldOfTheFileWhileBodiesMove) {
  load();
  EXPECT_EQ(session_.state().fields.size(), 9u);
  EXPECT_FALSE(session_.state().field);
  show("InternalEnergy");
  ASSERT_TRUE(session_.state().field);
  EXPECT_EQ(session_.state().field->field.unit, "(km/s)²");
  std::vector<double> energies;  // of the largest one
  for (const float energy : {100.0f, 400.0f, 900.0f}) energies.push_back(half_value(half_bits(energy / 900)));
  const auto gas = [this] {
    const std::vector<double> all = shown();
    return std::vector<double>(all.begin(), all.begin() + 3);
  };
  EXPECT_EQ(gas(), energies);
  EXPECT_LT(shown()[4], -999);
  session_.advance(nullptr, false);
  EXPECT_EQ(gas(), energies);
  Config config = session_.state().config;
  config.solver = "direct";
  session_.apply(request::SetConfig{config});
  EXPECT_EQ(gas(), energies) << "after another solver";
  session_.apply(request::Seek{0});
  EXPECT_EQ(gas(), energies) << "at a recorded moment";
  session_.apply(request::Reset{});
  EXPECT_EQ(gas(), energies) << "after a reset";
  EXPECT_EQ(session_.state().message_is_error, false) << session_.state().message;
}

TEST_F(FieldSession, TheFirstFieldStandsForOneThatIsMissing) {
  show("Entropy");
  load();
  ASSERT_TRUE(session_.state().field) << session_.state().message;
  EXPECT_EQ(session_.state().field->field.name, "InternalEnergy");
  EXPECT_THAT(session_.state().message, testing::HasSubstr("no field 'Entropy'"));
  show("");
  EXPECT_EQ(session_.state().field->field.name, "InternalEnergy");
}

TEST_F(FieldSession, TypesAreShownAsTheirNumbers) {
  load();
  show(kTypeField);
  EXPECT_EQ(shown(), (std::vector<double>{0, 0, 0, 4, 4}));
}

TEST_F(FieldSession, AFileThatHasChangedIsNotMixedUp) {
  load();
  std::filesystem::remove(path_);
  Hdf5Maker other("other.hdf5");
  other.header({2, 0, 0, 0, 0, 0}).bodies(0, 2).data("PartType0", "InternalEnergy", {1, 2});
  std::filesystem::copy_file(other.path(), path_);
  show("InternalEnergy");
  EXPECT_THAT(session_.state().message, testing::HasSubstr("has changed"));
  EXPECT_FALSE(session_.state().field);
}

TEST_F(FieldSession, APlaybackShowsTheValuesOfEachSnapshot) {
  std::vector<std::string> paths;
  std::vector<std::unique_ptr<Hdf5Maker>> files;
  for (int k = 0; k < 3; ++k) {
    auto& file = *files.emplace_back(std::make_unique<Hdf5Maker>("snap_" + std::to_string(k) + ".hdf5"));
    file.header({3, 0, 0, 0, 0, 0}).bodies(0, 3).put("Header", "Time", 1.0 * k);
    file.data("PartType0", "Temperature", {10.0 * k, 10.0 * k + 5, 10.0 * k + 10});
    paths.push_back(file.path());
  }
  session_.load(std::make_shared<const SceneSource>(series_source(paths, {})));
  show("Temperature");
  EXPECT_EQ(session_.state().field->field.unit, "K");
  EXPECT_EQ(shown(), (std::vector<double>{0, 0.5, 1}));
  const double last = session_.state().playback->last;
  session_.apply(request::Seek{0.75 * last});
  EXPECT_EQ(shown(), (std::vector<double>{1, 1.5, 2}));
  session_.apply(request::Simulate{});
  EXPECT_EQ(shown(), (std::vector<double>{1, 1.5, 2})) << "those of the snapshot from which the simulation started";
  EXPECT_TRUE(session_.state().fields.empty());
}

}  // namespace
}  // namespace pericenter::test
