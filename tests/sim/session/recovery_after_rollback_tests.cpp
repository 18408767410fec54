#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>

#include "sim/core/device.h"
#include "sim/session/session.h"

namespace pericenter {
namespace {

// Not from the one before it, to which a second rollback would return.
TEST(RecoveryAfterRollback, Fault9ContinuesFromTheLatestCheckpoint) {
  Session session;
  session.load(request::LoadScene{"plummer", {.bodies = 300}});
  const auto start = std::chrono::steady_clock::now();
  while (session.run().checkpoints().latest()->run->steps == 0 &&
         std::chrono::steady_clock::now() - start < std::chrono::seconds(60))
    session.step();
  const std::shared_ptr<const Snapshot> latest = session.run().checkpoints().latest();
  ASSERT_GT(latest->run->steps, 0u);
  session.step();
  session.apply(request::Rollback{});
  ASSERT_EQ(session.state().steps, latest->run->steps);
  EXPECT_EQ(session.state().rollback_target->steps, 0u) << "a second rollback returns to the one before";
  session.step();
  session.recover(DeviceLost("test"));
  EXPECT_EQ(session.state().steps, latest->run->steps);
  EXPECT_EQ(session.state().time, latest->time);
  const Bodies bodies = session.simulation()->bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) ASSERT_EQ(bodies[i].position, latest->bodies[i].position);
}

}  // namespace
}  // namespace pericenter
