#include "app/base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/program.h"

namespace pericenter::app {
namespace {

TEST(SessionLog, HasTheSceneAndEachChangeOfTheSolver) {
  const TemporaryFolder folder;
  Log log;
  log.open(folder / "a.log");
  SessionLog session(log);
  SessionState state;
  const auto scene_string = [&] { return "pericenter/1 solver=" + state.config.solver; };
  session.update(state, scene_string);
  EXPECT_EQ(text_of(folder / "a.log"), "") << "there is no scene yet";
  state.scene = "plummer";
  state.scene_serial = 1;
  state.bodies = 2000;
  state.config.solver = "octree";
  session.update(state, scene_string);
  session.update(state, scene_string);
  state.config.solver = "fmm";
  state.config.backend = Backend::cuda;
  state.device_name = "A GPU";
  session.update(state, scene_string);
  const std::string text = text_of(folder / "a.log");
  EXPECT_THAT(text,
              testing::HasSubstr("scene    plummer, 2,000 bodies, octree on the CPU\n    pericenter/1 solver=oct"));
  EXPECT_THAT(text,
              testing::HasSubstr("solver   plummer, 2,000 bodies, fmm on the A GPU\n    pericenter/1 solver=fmm"));
  EXPECT_EQ(text.find("octree on"), text.rfind("octree on")) << "once";
}

}  // namespace
}  // namespace pericenter::app
