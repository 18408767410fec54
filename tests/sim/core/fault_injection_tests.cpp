#include "sim/core/fault_injection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace pericenter {
namespace {

class FaultInjection : public testing::Test {
 protected:
  ~FaultInjection() override { plan_fault({}); }
};

TEST_F(FaultInjection, FailsOnlyThePlannedFault) {
  for (const FaultInfo& info : faults()) {
    ASSERT_EQ(plan_fault(info.name), "") << info.name;
    for (const FaultInfo& other : faults())
      EXPECT_EQ(should_fail(other.fault), other.fault == info.fault) << other.name;
    EXPECT_TRUE(should_fail(info.fault)) << "again";
  }
  ASSERT_EQ(plan_fault({}), "");
  for (const FaultInfo& info : faults()) EXPECT_FALSE(should_fail(info.fault)) << info.name;
}

TEST_F(FaultInjection, FailsOnceWithACount) {
  ASSERT_EQ(plan_fault("gl_map:3"), "");
  for (int i = 1; i <= 10; ++i) {
    EXPECT_FALSE(should_fail(Fault::gl_register));
    EXPECT_EQ(should_fail(Fault::gl_map), i == 3) << i;
  }
}

TEST_F(FaultInjection, RejectsInvalidPlans) {
  ASSERT_EQ(plan_fault("disk_full"), "");
  EXPECT_THAT(plan_fault("disk_fool"), testing::HasSubstr("available: no_kernel_image, "));
  for (const char* plan : {"disk_full:", "disk_full:0", "disk_full:-1", "disk_full:2x", "disk_full:1:2"}) {
    EXPECT_THAT(plan_fault(plan), testing::HasSubstr("count of at least 1")) << plan;
  }
  EXPECT_TRUE(should_fail(Fault::disk_full));
}

TEST(FaultTable, IsInEnumOrder) {
  ASSERT_EQ(faults().size(), static_cast<std::size_t>(Fault::count));
  for (std::size_t i = 0; i < faults().size(); ++i) EXPECT_EQ(faults()[i].fault, static_cast<Fault>(i));
}

}  // namespace
}  // namespace pericenter
