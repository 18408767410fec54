#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/hdf5_maker.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;

struct SofteningCase {
  std::string what;
  double scale_factor;  // 0: isolated
  Hdf5Values parameters;
  double softening;  // of type 1
};

TEST(Hdf5Softenings, SofteningFollowsTheRulesOfEachCode) {
  const Hdf5Values gadget4 = {{"SofteningClassOfPartType0", 0}, {"SofteningClassOfPartType1", 2},
                              {"SofteningComovingClass0", 9},   {"SofteningMaxPhysClass0", 9},
                              {"SofteningComovingClass2", 0.5}, {"SofteningMaxPhysClass2", 0.25}};
  const Hdf5Values arepo = {{"SofteningTypeOfPartType0", 1},
                            {"SofteningTypeOfPartType1", 3},
                            {"SofteningComovingType1", 9},
                            {"SofteningComovingType3", 0.5},
                            {"SofteningMaxPhysType3", 0.25}};
  const Hdf5Values swift = {{"Gravity:comoving_DM_softening", 0.5},
                            {"Gravity:max_physical_DM_softening", 0.25},
                            {"Gravity:comoving_baryon_softening", 9},
                            {"Gravity:max_physical_baryon_softening", 9}};
  const Hdf5Values gadget3 = {{"SofteningHalo", 0.5}, {"SofteningHaloMaxPhys", 0.25}};
  for (const SofteningCase& each :
       {SofteningCase{"GADGET-4", 0, gadget4, 0.5}, SofteningCase{"GADGET-4", 0.25, gadget4, 0.125},
        SofteningCase{"GADGET-4", 0.75, gadget4, 0.25}, SofteningCase{"AREPO", 0, arepo, 0.5},
        SofteningCase{"AREPO", 0.25, arepo, 0.125}, SofteningCase{"AREPO", 0.75, arepo, 0.25},
        SofteningCase{"SWIFT", 0, swift, 0.25}, SofteningCase{"SWIFT", 0.25, swift, 0.125},
        SofteningCase{"SWIFT", 0.75, swift, 0.25}, SofteningCase{"GADGET", 0, gadget3, 0.5},
        SofteningCase{"GADGET", 0.25, gadget3, 0.125}}) {
    Hdf5Maker file;
    file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2);
    put_all(file, each.what == "GADGET" ? "RuntimePars" : "Parameters", each.parameters);
    if (each.what == "SWIFT") {
      file.put("Cosmology", "Cosmological run", each.scale_factor > 0 ? 1.0 : 0.0);
      file.put("Header", "Scale-factor", each.scale_factor > 0 ? each.scale_factor : 1);
    } else if (each.scale_factor > 0) {
      put_all(file, "Header",
              {{"Omega0", 0.3}, {"ComovingIntegrationOn", 1}, {"Time", each.scale_factor}, {"HubbleParam", 0.5}});
      file.put("Header", "Redshift", 1 / each.scale_factor - 1);
    }
    const bool over_h = each.what != "SWIFT" && each.scale_factor > 0;
    const Snapshot snapshot = file.read();
    EXPECT_DOUBLE_EQ(snapshot.softening, each.softening / (over_h ? 0.5 : 1)) << each.what << each.scale_factor;
    EXPECT_THAT(snapshot.format, HasSubstr(each.what));
  }
}

TEST(Hdf5Softenings, SofteningsOfTypesAreAveragedOverBodies) {
  Hdf5Maker file;
  file.header({0, 3, 0, 0, 1, 0}).bodies(1, 3).bodies(4, 1, 3);
  put_all(file, "Parameters",
          {{"SofteningClassOfPartType1", 1},
           {"SofteningClassOfPartType4", 0},
           {"SofteningComovingClass0", 0.1},
           {"SofteningComovingClass1", 0.5}});
  const Snapshot snapshot = file.read();
  EXPECT_DOUBLE_EQ(snapshot.softening, 0.4);
  EXPECT_THAT(notes_of(snapshot), HasSubstr("from 0.1 to 0.5"));
}

TEST(Hdf5Softenings, DatasetsOfArepoHaveTheEndOfTheSpline) {
  for (const auto& [code, softening] : {std::pair("VORONOI", 0.5), std::pair("", 1.4)}) {
    Hdf5Maker file;
    file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2).data("PartType1", "Softenings", {1.4, 1.4});
    if (*code != '\0') file.put("Config", code, std::string(" "));
    EXPECT_DOUBLE_EQ(file.read().softening, softening) << code;
  }
}

}  // namespace
}  // namespace pericenter::test
