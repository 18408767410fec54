#include "sim/core/fault_injection.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace pericenter {
namespace {

class PlannedFault : public testing::Test {
 protected:
  ~PlannedFault() override { plan_fault({}); }
};

TEST_F(PlannedFault, StrikesWhereItIsAskedForAndNowhereElse) {
  for (const FaultInfo& info : faults()) {
    ASSERT_EQ(plan_fault(info.name), "") << info.name;
    for (const FaultInfo& other : faults()) EXPECT_EQ(strikes(other.fault), other.fault == info.fault) << other.name;
    EXPECT_TRUE(strikes(info.fault)) << "again";
  }
  ASSERT_EQ(plan_fault({}), "");
  for (const FaultInfo& info : faults()) EXPECT_FALSE(strikes(info.fault)) << info.name;
}

TEST_F(PlannedFault, WithACountItStrikesOnce) {
  ASSERT_EQ(plan_fault("gl_map:3"), "");
  for (int i = 1; i <= 10; ++i) {
    EXPECT_FALSE(strikes(Fault::gl_register));
    EXPECT_EQ(strikes(Fault::gl_map), i == 3) << i;
  }
}

TEST_F(PlannedFault, AMistypedPlanIsRefusedInWordsAndChangesNothing) {
  ASSERT_EQ(plan_fault("disk_full"), "");
  EXPECT_NE(plan_fault("disk_fool").find("there are no_kernel_image, "), std::string::npos);
  for (const char* plan : {"disk_full:", "disk_full:0", "disk_full:-1", "disk_full:2x", "disk_full:1:2"}) {
    EXPECT_NE(plan_fault(plan).find("count from 1 on"), std::string::npos) << plan;
  }
  EXPECT_TRUE(strikes(Fault::disk_full));
}

TEST(Faults, AreInTheOrderOfTheirNumbers) {
  ASSERT_EQ(faults().size(), static_cast<std::size_t>(Fault::count));
  for (std::size_t i = 0; i < faults().size(); ++i) EXPECT_EQ(faults()[i].fault, static_cast<Fault>(i));
}

}  // namespace
}  // namespace pericenter
