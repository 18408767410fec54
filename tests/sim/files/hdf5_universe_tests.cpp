#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/files/hdf5/hdf5_units.h"
#include "tests/support/hdf5_maker.h"

// Isolated or cosmological, by what headers of GADGET, AREPO, GIZMO, SWIFT and EAGLE say.

namespace pericenter::test {
namespace {

using testing::HasSubstr;
using Values = std::vector<std::pair<std::string, double>>;

constexpr double kGyr = 3.15576e16;

double gyr(const Snapshot& snapshot) {
  return snapshot.time * snapshot.units.length_cm / snapshot.units.velocity_cm_s / kGyr;
}

/// A file with a header of GADGET and these attributes: "Group/Name".
Snapshot with(const Values& values, const std::vector<std::string>& without = {}) {
  Hdf5Maker file;
  file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2);
  for (const std::string& name : without) file.remove("Header", name);
  for (const auto& [name, value] : values) {
    const std::size_t slash = name.find('/');
    file.put(slash == name.npos ? "Header" : name.substr(0, slash), name.substr(slash + 1), value);
  }
  return file.read();
}

Values joined(Values values, const Values& more) {
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

const Values kOmega = {{"Omega0", 0.3}, {"OmegaLambda", 0.7}};
const Values kToday = joined(kOmega, {{"Time", 1}});

TEST(Hdf5Universe, AnIsolatedRunKeepsItsTime) {
  const std::vector<std::pair<Values, std::string>> runs = {
      {kToday, "BoxSize"},
      {joined(kToday, {{"HubbleParam", 0.7}}), "BoxSize"},
      {joined(kToday, {{"BoxSize", 1000}}), "HubbleParam is 1"},
      {joined(kToday, {{"BoxSize", 1000}, {"HubbleParam", 0.7}, {"Parameters/ComovingIntegrationOn", 0}}), "is 0"},
      {joined(kToday, {{"BoxSize", 1000}, {"HubbleParam", 0.7}, {"ComovingIntegrationOn", 0}}), "is 0"},
      {joined(kToday, {{"BoxSize", 1000}, {"HubbleParam", 0.7}, {"RuntimePars/ComovingIntegrationOn", 0}}), "is 0"},
      {joined(kOmega, {{"Time", 0.5}, {"BoxSize", 1000}, {"HubbleParam", 0.7}}), "Time is not"},
      {joined(kOmega, {{"Time", 1.0001}, {"BoxSize", 1000}, {"HubbleParam", 0.7}}), "Time is not"},
      {joined(kOmega, {{"Time", 0}}), "Time is not"},
      {joined(kOmega, {{"Time", 2}, {"Redshift", 3}}), "Time is not"},
  };
  for (const auto& [values, reason] : runs) {
    const Snapshot snapshot = with(values);
    const std::string notes = notes_of(snapshot);
    EXPECT_THAT(notes, HasSubstr("Isolated run (")) << reason;
    EXPECT_THAT(notes, HasSubstr(reason));
    EXPECT_THAT(notes, HasSubstr("is a time"));
    double time = 0, hubble = 1;
    for (const auto& [name, value] : values) {
      if (name == "Time") time = value;
      if (name == "HubbleParam") hubble = value;
    }
    EXPECT_DOUBLE_EQ(snapshot.time, time / hubble) << reason;
    EXPECT_DOUBLE_EQ(snapshot.bodies[0].velocity[0], 0.0);
    EXPECT_DOUBLE_EQ(snapshot.bodies[1].velocity[0], 1.0) << reason;
    EXPECT_DOUBLE_EQ(snapshot.bodies[0].position[0], 1 / hubble) << reason;
  }
}

TEST(Hdf5Universe, NothingIsSaidOfIsolatedRunsWithoutOmega) {
  const Snapshot snapshot = with({{"Time", 1}});
  EXPECT_EQ(snapshot.time, 1);
  ASSERT_EQ(snapshot.notes.size(), 1u);
  EXPECT_THAT(snapshot.notes[0], HasSubstr("units"));
}

TEST(Hdf5Universe, ACosmologicalRunIsConverted) {
  const Values volume = joined(kOmega, {{"HubbleParam", 0.7}, {"BoxSize", 1000}});
  struct Run {
    Values values;
    double scale_factor;
    std::string reason;
  };
  const std::vector<Run> runs = {
      {joined(volume, {{"Time", 0.25}, {"Redshift", 3}}), 0.25, "1 / (1 + Redshift)"},
      {joined(volume, {{"Time", 0.3333}, {"Redshift", 2}}), 0.3333, "1 / (1 + Redshift)"},
      {joined(volume, {{"Time", 1}}), 1, "BoxSize, Omega0 and HubbleParam"},
      {joined(volume, {{"Time", 1}, {"Redshift", 2.2e-16}, {"BoxSize", 0}}), 1, "1 / (1 + Redshift)"},
      {joined(volume, {{"Time", 0.5}, {"Parameters/ComovingIntegrationOn", 1}}), 0.5, "ComovingIntegrationOn is 1"},
      {joined(volume, {{"Time", 0.5}, {"Redshift", 1}, {"ComovingIntegrationOn", 1}}), 0.5,
       "ComovingIntegrationOn is 1"},
      {joined(volume, {{"Time", 5.9}, {"Redshift", 1}, {"ComovingIntegrationOn", 1}}), 0.5, "from the redshift"},
      {joined(volume, {{"Time", 0.5}, {"ExpansionFactor", 0.5}, {"Redshift", 1}}), 0.5, "ExpansionFactor"},
  };
  for (const Run& run : runs) {
    const Snapshot snapshot = with(run.values);
    const std::string notes = notes_of(snapshot);
    EXPECT_THAT(notes, HasSubstr("Cosmological run at scale factor " + shown(run.scale_factor))) << run.reason;
    EXPECT_THAT(notes, HasSubstr(run.reason));
    EXPECT_DOUBLE_EQ(snapshot.bodies[1].velocity[0], std::sqrt(run.scale_factor)) << run.reason;
    EXPECT_DOUBLE_EQ(snapshot.bodies[0].position[0], run.scale_factor / 0.7) << run.reason;
    // Ages for Omega0 0.3 and h 0.7, from a sum over da / (a H).
    const std::map<double, double> ages = {{1, 13.4670}, {0.5, 5.7516}, {0.3333, 3.2262}, {0.25, 2.1125}};
    EXPECT_NEAR(gyr(snapshot), ages.at(run.scale_factor), 0.002) << run.reason;
  }
}

TEST(Hdf5Universe, HeadersMayLackNumbers) {
  const Values volume = joined(kOmega, {{"HubbleParam", 0.7}, {"BoxSize", 1000}, {"Redshift", 1}});
  EXPECT_NEAR(gyr(with(volume, {"Time"})), 5.7516, 0.002);
  const Snapshot bare = with({{"Time", 0.5}, {"Redshift", 1}}, {"Omega0", "OmegaLambda", "HubbleParam"});
  EXPECT_NEAR(gyr(bare), 5.7516, 0.002);
  EXPECT_THAT(notes_of(bare), HasSubstr("no Omega0"));
  EXPECT_DOUBLE_EQ(bare.bodies[0].position[0], 0.5);
  EXPECT_EQ(with({}, {"Time", "Redshift", "Omega0"}).time, 0);
}

TEST(Hdf5Universe, BothNotesStateWhatWasRead) {
  const Snapshot isolated = with(kToday);
  EXPECT_EQ(isolated.notes[1], "Isolated run (Redshift and BoxSize are 0): Time 1 is a time, not a scale factor.");
}

}  // namespace
}  // namespace pericenter::test
