#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "app/ui/narrator.h"

namespace pericenter::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class DescriberTest : public testing::Test {
 protected:
  DescriberTest() {
    state_.scene = "collision";
    state_.units = {3.5, 13.8, 248};
    state_.params.dt = 0.03;
    state_.bodies = 20'000;
    state_.scene_serial = 1;
    state_.running = true;
    set_time(0);
  }
  void set_time(double time) {
    state_.time = time;
    state_.timeline.shown = state_.timeline.last = time / 0.03;
    LabRecord record;
    for (int k = 0; 0.3 * k <= time + 1e-9; ++k)
      record.structure.push_back({.position = 10.0 * k, .time = 0.3 * k, .separation = 25 - 0.3 * k});
    state_.record = std::make_shared<const LabRecord>(record);
  }
  std::string update(double now) {
    lines_.str("");
    describer_.update(state_, now);
    return lines_.str();
  }

  SessionState state_;
  std::ostringstream lines_;
  Describer describer_{lines_};
};

TEST_F(DescriberTest, BeginsWithTheScene) {
  const std::string line = update(1);
  EXPECT_THAT(line, StartsWith("Scene: Galaxy collision, 20,000 bodies. Two disc galaxies"));
  EXPECT_EQ(line.back(), '\n');
  EXPECT_THAT(update(1.1), IsEmpty());
}

TEST_F(DescriberTest, TellsEveryTenSecondsWhereTheGalaxiesAre) {
  update(1);
  set_time(12);
  EXPECT_THAT(update(5), IsEmpty());
  EXPECT_EQ(update(11.5), "At 166 million years the two galaxies are 46 kiloparsecs apart and approaching.\n");
  EXPECT_THAT(update(30), IsEmpty()) << "nothing has moved";
}

TEST_F(DescriberTest, TellsWhatTheUserChanges) {
  update(1);
  state_.params.theta = 0.9;
  EXPECT_EQ(update(3), "Theta is now 0.9.\n");
  state_.config.solver = "fmm";
  EXPECT_EQ(update(5), "The solver is now fmm.\n");
  state_.running = false;
  EXPECT_EQ(update(7), "Paused at 0 million years.\n");
  EXPECT_THAT(update(9), IsEmpty());
}

TEST_F(DescriberTest, DraggedSliderDoesNotFlood) {
  update(0);
  std::string lines;
  for (int k = 1; k <= 300; ++k) {
    state_.params.theta = 0.001 * k;
    lines += update(k / 60.0);
  }
  EXPECT_LE(std::ranges::count(lines, '\n'), 6);
  EXPECT_THAT(update(8) + lines, HasSubstr("Theta is now 0.3."));
}

TEST_F(DescriberTest, HasPlainText) {
  update(1);
  set_time(12);
  for (const char letter : update(20)) EXPECT_TRUE(letter == '\n' || (letter >= ' ' && letter < 127)) << int{letter};
}

}  // namespace
}  // namespace pericenter::app
