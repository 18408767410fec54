#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sim/files/hdf5/hdf5_units.h"
#include "tests/support/hdf5_maker.h"

// Names, units, softenings and types of GIZMO, GADGET-4, AREPO, SWIFT and EAGLE.

namespace pericenter::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A header of GIZMO since 2024 (io.c): lengths in pc, masses in suns and velocities in m/s, each over h where it has
/// one.
void put_gizmo(Hdf5Maker& file, double hubble) {
  put_all(file, "Header",
          {{"GIZMO_version", 2022},
           {"ComovingIntegrationOn", 0},
           {"HubbleParam", hubble},
           {"UnitLength_In_CGS", kParsecCm / hubble},
           {"UnitMass_In_CGS", kSunGram / hubble},
           {"UnitVelocity_In_CGS", 100},
           {"Kernel_Function_ID", 3},
           {"Gravitational_Constant_In_Code_Inits", 6.672e-8 * kSunGram / kParsecCm / 1e4}});
}

void put_gizmo_cosmology(Hdf5Maker& file) {
  for (const char* old : {"Omega0", "OmegaLambda"}) file.remove("Header", old);
  put_all(
      file, "Header",
      {{"ComovingIntegrationOn", 1}, {"Time", 0.25}, {"Redshift", 3}, {"Omega_Matter", 0.3}, {"Omega_Lambda", 0.7}});
}

TEST(Hdf5Codes, UnitsOfGizmoContainH) {
  for (const double hubble : {1.0, 0.7}) {
    Hdf5Maker file;
    file.header({0, 0, 0, 0, 2, 0}).bodies(4, 2);
    put_gizmo(file, hubble);
    file.put("Header", "Time", 3.0);
    const Snapshot snapshot = file.read();
    EXPECT_EQ(snapshot.format, "GIZMO HDF5");
    EXPECT_DOUBLE_EQ(snapshot.units.length_cm, kParsecCm / hubble);
    EXPECT_DOUBLE_EQ(snapshot.units.mass_g, kSunGram / hubble);
    EXPECT_EQ(snapshot.units.velocity_cm_s, 100);
    EXPECT_EQ(snapshot.bodies[1].position[0], 2);
    EXPECT_EQ(snapshot.bodies[1].mass, 0.5);
    EXPECT_EQ(snapshot.time, 3);
    EXPECT_TRUE(snapshot.notes.empty()) << notes_of(snapshot);
  }
}

TEST(Hdf5Codes, CosmologyOfGizmo) {
  Hdf5Maker file;
  file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2);
  put_gizmo(file, 0.7);
  put_gizmo_cosmology(file);
  const Snapshot snapshot = file.read();
  EXPECT_EQ(snapshot.bodies[1].position[0], 2 * 0.25);
  EXPECT_EQ(snapshot.bodies[1].velocity[0], 0.5);
  EXPECT_EQ(snapshot.bodies[1].mass, 0.5);
  const double second = snapshot.units.length_cm / snapshot.units.velocity_cm_s;
  EXPECT_NEAR(snapshot.time * second / 3.15576e16, 2.1125, 0.001);
}

// Before 2021 GIZMO had the header of GADGET; between 2021 and 2024 it did not name itself.
TEST(Hdf5Codes, OlderHeadersOfGizmo) {
  Hdf5Maker unnamed, old;
  for (Hdf5Maker* file : {&unnamed, &old}) {
    file->header({0, 2, 0, 0, 0, 0}).bodies(1, 2);
    put_gizmo(*file, 0.7);
    put_gizmo_cosmology(*file);
    file->remove("Header", "GIZMO_version");
  }
  for (const char* name :
       {"UnitLength_In_CGS", "UnitMass_In_CGS", "UnitVelocity_In_CGS", "ComovingIntegrationOn",
        "Gravitational_Constant_In_Code_Inits", "Kernel_Function_ID", "Omega_Matter", "Omega_Lambda"})
    old.remove("Header", name);
  put_all(old, "Header", {{"Omega0", 0.3}, {"OmegaLambda", 0.7}});
  EXPECT_EQ(unnamed.read().format, "GIZMO HDF5");
  const Snapshot gadget = old.read();
  EXPECT_EQ(gadget.format, "GADGET HDF5");
  EXPECT_DOUBLE_EQ(gadget.bodies[1].position[0], 2 * 0.25 / 0.7);
}

TEST(Hdf5Codes, ARunWithItsOwnGravityMovesAsItDid) {
  for (const auto& [group, name] : {std::pair("Header", "Gravitational_Constant_In_Code_Inits"),
                                    std::pair("Parameters", "GravityConstantInternal")}) {
    Hdf5Maker file;
    file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2);
    put_gizmo(file, 1);
    file.put(group, name, 1.0);
    EXPECT_NEAR(gravity_in(file.read().units), 1, 1e-12) << name;
  }
}

TEST(Hdf5Codes, SofteningOfGizmoIsThatOfItsKernel) {
  for (const auto& [kernel, depth] : {std::pair(3.0, 2.8), std::pair(5.0, 956.0 / 280)}) {
    Hdf5Maker file;
    file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2);
    put_gizmo(file, 0.7);
    put_gizmo_cosmology(file);
    file.put("Header", "Kernel_Function_ID", kernel);
    file.put("Header", "Fixed_ForceSoftening_Keplerian_Kernel_Extent", std::vector<double>{1, 8, 0, 0, 0, 0});
    EXPECT_DOUBLE_EQ(file.read().softening, 8 / depth * 0.25) << kernel;
  }
}

TEST(Hdf5Codes, BodiesThatGizmoSplitHaveDifferentIds) {
  Hdf5Maker file;
  file.header({0, 0, 0, 0, 3, 0}).bodies(4, 3, 0, {"ParticleIDs"});
  file.data("PartType4", "ParticleIDs", {7, 7, 7}, 1, H5T_NATIVE_UINT32);
  file.data("PartType4", "ParticleChildIDsNumber", {0, 1, 2}, 1, H5T_NATIVE_UINT32);
  const Snapshot snapshot = file.read();
  const std::uint64_t child = std::uint64_t(1) << 32;
  EXPECT_EQ(snapshot.ids, (std::vector<std::uint64_t>{7, 7 + child, 7 + 2 * child}));
  EXPECT_THAT(notes_of(snapshot), HasSubstr("ParticleChildIDsNumber: 2 bodies."));
}

TEST(Hdf5Codes, ArepoIsNotGadget4) {
  struct Marks {
    std::string name, group, attribute;
  };
  for (const Marks& marks :
       {Marks{"AREPO", "Config", "VORONOI"}, Marks{"AREPO", "Header", "NumPart_Total_HighWord"},
        Marks{"AREPO", "Parameters", "SofteningTypeOfPartType0"},
        Marks{"GADGET-4", "Parameters", "SofteningClassOfPartType0"}, Marks{"GADGET-4", "Config", "NTYPES"}}) {
    Hdf5Maker file;
    file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2);
    file.put("Header", "Git_commit", std::string("abc")).put("Config", "SELFGRAVITY", std::string(" "));
    file.put(marks.group, marks.attribute, 0.0);
    EXPECT_EQ(file.read().format, marks.name + " HDF5") << marks.attribute;
  }
}

void put_value(Hdf5Maker& file, const std::string& where, const std::string& name, Hdf5Id type, const Hdf5Handle& space,
               const void* text) {
  const Hdf5Handle group = file.group(where);
  const Hdf5Handle made(H5Acreate2(group.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  EXPECT_GE(H5Awrite(made.get(), type, text), 0);
}

TEST(Hdf5Codes, TextMayBeOfAnyKind) {
  const char* const variable = "SWIFT";
  const char padded[8] = {'S', 'W', 'I', 'F', 'T', ' ', ' ', ' '};
  const hsize_t one = 1;
  for (const bool array : {false, true}) {
    const Hdf5Handle space(array ? H5Screate_simple(1, &one, nullptr) : H5Screate(H5S_SCALAR), H5Sclose);
    for (const H5T_cset_t characters : {H5T_CSET_ASCII, H5T_CSET_UTF8}) {
      for (const std::size_t size : {H5T_VARIABLE, std::size_t(5), std::size_t(8)}) {
        for (const H5T_str_t padding : {H5T_STR_NULLPAD, H5T_STR_NULLTERM, H5T_STR_SPACEPAD}) {
          if (size == 5 && padding == H5T_STR_NULLTERM) continue;
          Hdf5Maker file;
          file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2);
          const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
          H5Tset_size(type.get(), size);
          H5Tset_strpad(type.get(), padding);
          H5Tset_cset(type.get(), characters);
          const bool is_variable = size == H5T_VARIABLE;
          put_value(file, "Header", "Code", type.get(), space,
                    is_variable                   ? static_cast<const void*>(&variable)
                    : padding == H5T_STR_SPACEPAD ? padded
                                                  : "SWIFT\0\0\0");
          EXPECT_EQ(file.read().format, "SWIFT HDF5") << array << characters << size << padding;
        }
      }
    }
    Hdf5Maker bytes;
    bytes.header({0, 2, 0, 0, 0, 0}).bodies(1, 2);
    const Hdf5Handle opaque(H5Tcreate(H5T_OPAQUE, 8), H5Tclose);
    put_value(bytes, "Header", "Code", opaque.get(), space, "SWIFT\0\0\0");
    EXPECT_EQ(bytes.read().format, "SWIFT HDF5");
  }
}

TEST(Hdf5Codes, SwiftIsRecognisedByItsContents) {
  const std::vector<std::pair<std::string, std::string>> marks = {{"InternalCodeUnits", "Unit length in cgs (U_L)"},
                                                                  {"Cosmology", "Cosmological run"},
                                                                  {"Header", "Scale-factor"},
                                                                  {"Units", "Unit length in cgs (U_L)"}};
  for (const auto& [group, name] : marks) {
    Hdf5Maker file;
    file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2).remove("Header", "HubbleParam");
    put_all(file, "Units", {{"Unit mass in cgs (U_M)", 2e43}, {"Unit time in cgs (U_t)", 3e16}});
    file.put("Units", "Unit length in cgs (U_L)", 3e21).put(group, name, 1.0);
    const Snapshot snapshot = file.read();
    EXPECT_EQ(snapshot.format, "SWIFT HDF5") << name;
    EXPECT_EQ(snapshot.bodies[1].position[0], 2) << name;
  }
  // Units of SWIFT beside h of GADGET, as initial conditions for both have.
  Hdf5Maker both;
  both.header({0, 2, 0, 0, 0, 0}).bodies(1, 2).put("Header", "HubbleParam", 0.5);
  put_all(both, "Units",
          {{"Unit mass in cgs (U_M)", 2e43}, {"Unit time in cgs (U_t)", 3e16}, {"Unit length in cgs (U_L)", 3e21}});
  EXPECT_DOUBLE_EQ(both.read().bodies[1].position[0], 4);
}

/// As swiftsimio.Writer 12.4 writes it: no code, no cosmology, and an exponent of 1 for masses.
TEST(Hdf5Codes, ScalesOfDatasetsAreTheRatioOfTheirUnits) {
  Hdf5Maker file;
  file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2).put("Header", "Scale-factor", std::vector<double>{0.5});
  for (const char* name : {"HubbleParam", "Time", "Redshift", "Omega0"}) file.remove("Header", name);
  for (const auto& [name, factor] :
       {std::pair("Coordinates", 0.5), std::pair("Velocities", 1.0), std::pair("Masses", 1.0)}) {
    const Hdf5Handle group = file.group("PartType1"), data = open_hdf5_dataset(group.get(), name, H5P_DEFAULT);
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    for (const auto& [attribute, value] :
         {std::pair("Conversion factor to CGS (not including cosmological corrections)", 3e21),
          std::pair("Conversion factor to physical CGS (including cosmological corrections)", 3e21 * factor),
          std::pair("a-scale exponent", 1.0), std::pair("h-scale exponent", 0.0)}) {
      const Hdf5Handle made(H5Acreate2(data.get(), attribute, H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                            H5Aclose);
      H5Awrite(made.get(), H5T_NATIVE_DOUBLE, &value);
    }
  }
  const Snapshot snapshot = file.read();
  EXPECT_DOUBLE_EQ(snapshot.bodies[1].position[0], 1);
  EXPECT_DOUBLE_EQ(snapshot.bodies[1].velocity[0], 1);
  EXPECT_DOUBLE_EQ(snapshot.bodies[1].mass, 0.5);
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, 3e21);  // of the datasets, as there is no group of units
  EXPECT_THAT(notes_of(snapshot), HasSubstr("'Scale-factor' is 0.5"));
}

TEST(Hdf5Codes, ABooleanIsANumber) {
  Hdf5Maker file;
  file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2).put("Header", "Scale-factor", 0.5);
  const Hdf5Handle type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  const signed char no = 0, yes = 1;
  H5Tenum_insert(type.get(), "FALSE", &no);
  H5Tenum_insert(type.get(), "TRUE", &yes);
  put_value(file, "Cosmology", "Cosmological run", type.get(), space, &no);
  EXPECT_THAT(notes_of(file.read()), Not(HasSubstr("Cosmological run at")));
}

TEST(Hdf5Codes, EagleHasItsOwnNames) {
  Hdf5Maker file;
  file.header({2, 0, 0, 0, 0, 0}).bodies(0, 2, 0, {"Velocities", "Masses"});
  file.data("PartType0", "Velocity", {0, 0, 0, 1, 2, 3}, 3).data("PartType0", "Mass", {5, 7});
  put_all(file, "Header",
          {{"ExpansionFactor", 0.25}, {"Time", 0.25}, {"Redshift", 3}, {"Omega0", 0.3}, {"HubbleParam", 0.5}});
  const Snapshot snapshot = file.read();
  EXPECT_EQ(snapshot.bodies[1].velocity, (Vec3{0.5, 1, 1.5}));
  EXPECT_EQ(snapshot.bodies[1].mass, 14);
}

std::string components(Hdf5Maker& file) {
  std::string text;
  for (const Body& body : file.read().bodies) text += std::to_string(static_cast<int>(component_of(body.tag)));
  return text;
}

TEST(Hdf5Codes, TypesOfZoomsAndOfSwiftAreDark) {
  const auto number = [](Component component) { return std::to_string(static_cast<int>(component)); };
  const std::string disc = number(Component::disc), halo = number(Component::halo), bulge = number(Component::bulge),
                    other = number(Component::other);
  Hdf5Maker isolated, zoom, swift;
  for (Hdf5Maker* file : {&isolated, &zoom, &swift}) {
    file->header({1, 1, 1, 1, 1, 1, 1});
    for (int type = 0; type < 7; ++type) file->bodies(type, 1, type);
  }
  put_all(zoom, "Header", {{"Time", 0.5}, {"Redshift", 1}, {"Omega0", 0.3}});
  swift.put("Header", "Code", std::string("SWIFT"));
  EXPECT_EQ(components(isolated), disc + halo + disc + bulge + disc + other + other);
  EXPECT_EQ(components(swift), disc + halo + halo + other + disc + other + halo);
  EXPECT_EQ(components(zoom), disc + halo + halo + halo + disc + other + other);
  EXPECT_THAT(notes_of(read_hdf5(zoom.path(), {})), HasSubstr("type 2, 3 are dark matter of low resolution"));
  EXPECT_THAT(notes_of(read_hdf5(swift.path(), {})), HasSubstr("type 2 are dark matter of low resolution"));
  EXPECT_THAT(notes_of(read_hdf5(isolated.path(), {})), Not(HasSubstr("dark")));
}

TEST(Hdf5Codes, Type5IsDarkInZoomsWithoutGasAndStars) {
  Hdf5Maker file;
  file.header({0, 1, 0, 0, 0, 1}).bodies(1, 1).bodies(5, 1, 1);
  put_all(file, "Header", {{"Time", 0.5}, {"Redshift", 1}, {"Omega0", 0.3}});
  const Snapshot snapshot = file.read();
  for (const Body& body : snapshot.bodies) EXPECT_EQ(component_of(body.tag), Component::halo);
  EXPECT_THAT(notes_of(snapshot), HasSubstr("type 5 are dark matter of low resolution"));
}

TEST(Hdf5Codes, StarsInTheFileCountWhateverTheHeaderSays) {
  for (const int type : {0, 4}) {
    for (const bool here_too : {false, true}) {
      Hdf5Maker file;
      file.header({1.0 * (type == 0), 1, 0, 0, 1.0 * (type == 4), 1}).bodies(type, 1).bodies(1, 1, 1).bodies(5, 1, 2);
      put_all(file, "Header", {{"Time", 0.5}, {"Redshift", 1}, {"Omega0", 0.3}});
      const std::vector<double> zeros(6, 0);
      file.put("Header", "NumPart_Total", zeros);
      if (here_too) file.put("Header", "NumPart_ThisFile", zeros);
      const Snapshot snapshot = file.read();
      ASSERT_EQ(snapshot.bodies.size(), 3u);
      EXPECT_EQ(component_of(snapshot.bodies[2].tag), Component::other) << type;
      EXPECT_THAT(notes_of(snapshot), Not(HasSubstr("low resolution")));
    }
  }
}

/// Units of a group in the form of SWIFT, with times so that velocities are in km/s.
void put_swift_units(Hdf5Maker& file, const std::string& group, double length_cm, double mass_g) {
  file.put(group, "Unit length in cgs (U_L)", length_cm);
  file.put(group, "Unit mass in cgs (U_M)", mass_g);
  file.put(group, "Unit time in cgs (U_t)", length_cm / 1e5);
}

// SWIFT writes parameters as they are in its parameter file, in internal units, but bodies in those of snapshots.
TEST(Hdf5Codes, ParametersOfSwiftAreInInternalUnits) {
  for (const double softening : {0.0, 0.05}) {
    for (const double strength : {0.0, 1.0, 3.0}) {
      Hdf5Maker file;
      file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2).put("Header", "Code", std::string("SWIFT"));
      put_swift_units(file, "Units", kParsecCm, kSunGram);
      put_swift_units(file, "InternalCodeUnits", kKpcCm, 1e10 * kSunGram);
      file.put("Parameters", "Gravity:max_physical_DM_softening", softening);
      const double physical = 1e10 * kSunGram / natural_mass(kKpcCm, 1e5);  // G in internal units
      if (strength > 0) file.put("Parameters", "PhysicalConstants:G", strength * physical);
      const Snapshot snapshot = file.read();
      EXPECT_NEAR(snapshot.softening, 1000 * softening, 1e-9);
      EXPECT_NEAR(snapshot.units.mass_g / kSunGram, strength > 0 ? strength : 1, 1e-9);
      EXPECT_DOUBLE_EQ(snapshot.units.length_cm, kParsecCm);
    }
  }
}

}  // namespace
}  // namespace pericenter::test
