#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/bars/timeline_track.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A simulation of 400 steps, which is shown at its end.
class TimelineBar : public Panels {
 protected:
  TimelineBar() {
    window_height = 800;
    state.steps = 400;
    state.time = 40;
    state.timeline = {
        .last = 400, .shown = 400, .keyframes = 50, .bytes = 48'000'000, .budget = 2'000'000'000, .spacing = 8};
    set_details({.points = {{0, 0}, {400, 40}}, .marks = {}, .ghosts = {}});
  }

  void set_details(TimelineDetails details) {
    state.timeline.details = std::make_shared<const TimelineDetails>(std::move(details));
  }
  void rewind_to(double position) {
    state.timeline.rewound = true;
    state.timeline.shown = position;
  }
  void make_playback() {
    state.playback = TimeRange{2, 12, {2, 4, 6, 8, 10, 12}};
    state.time = 5;
    state.timeline = {.first = 2, .last = 12, .shown = 5, .is_playback = true};
  }

  float x_of(double position) {
    frame();
    const auto item = find("timeline");
    return TimelineTrack(state, {item->x0, item->y0}, {item->x1, item->y1}).x_at(position);
  }
  /// Puts the cursor on this position of the track.
  void point_at_position(double position) {
    const float x = x_of(position);
    const auto item = find("timeline");
    move_mouse(x, (item->y0 + item->y1) / 2);
    frame();
  }
  /// Drags the timeline to this share of its width; ui.requests are those of the last frame.
  void drag_to(float share) {
    frame();
    const auto item = find("timeline");
    ASSERT_TRUE(item);
    point_at(*item, 0.3f);
    frame();
    press_mouse(true);
    frame();
    point_at(*item, share);
    frame();
  }

  void expect_no_overlap(const std::string& when) {
    std::vector<ItemLog::Item> below;
    std::ranges::copy_if(log.items, std::back_inserter(below), [&](const auto& item) { return !in_side_bar(item); });
    for (const ItemLog::Item& a : below) {
      EXPECT_LE(a.x1, window_width + 0.5f) << a.id << ' ' << when;
      EXPECT_LE(a.needed, a.x1 - a.x0) << a.id << ' ' << when;
      for (const ItemLog::Item& b : below) {
        if (&a == &b) continue;
        const bool apart = a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0;
        EXPECT_TRUE(apart) << a.id << " and " << b.id << ' ' << when;
      }
    }
  }
};

TEST_F(TimelineBar, IsBetweenImageAndStatusLine) {
  frame();
  const auto track = find("timeline"), status = find("vertex-buffer");
  ASSERT_TRUE(track && status);
  EXPECT_GE(track->x0, ui.layout.panel_width);
  EXPECT_LE(track->y1, status->y0);
  EXPECT_NEAR(track->y1, window_height - ui.layout.status_height, 1);
  EXPECT_NEAR(ui.layout.timeline_height, 2.4f * fonts.text->FontSize, 1);
  state.scene_serial = 0;
  frame();
  EXPECT_FALSE(find("timeline"));
  EXPECT_EQ(ui.layout.timeline_height, 0);
}

TEST_F(TimelineBar, DragGoesBackAndPauses) {
  state.running = true;
  frame();
  const float x = x_of(100);
  point_at(*find("timeline"), 0.9f);
  frame();
  press_mouse(true);
  frame();
  EXPECT_TRUE(asked<request::Seek>());
  ASSERT_TRUE(asked<request::Play>());
  EXPECT_FALSE(asked<request::Play>()->running);
  move_mouse(x, ImGui::GetIO().MousePos.y);
  frame();
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 100) << "a whole number of steps";
  EXPECT_EQ(ui.timeline.position.value(), 100);
  frame();
  EXPECT_FALSE(asked<request::Seek>()) << "the cursor did not move";
}

TEST_F(TimelineBar, DragIsClampedToTheRun) {
  state.timeline.first = 30;
  rewind_to(200);
  drag_to(-2);
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 30);
  move_mouse(9000, 0);
  frame();
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 400);
}

// The handle must stay under the mouse, also on release, although buttons appear in the past.
TEST_F(TimelineBar, TrackKeepsItsSize) {
  for (const float width : {640.0f, 1280.0f, 1920.0f}) {
    window_width = width;
    state.timeline.rewound = false;
    drag_to(0.5f);
    const float end = find("timeline")->x1, handle = ImGui::GetIO().MousePos.x;
    rewind_to(ui.timeline.position.value());
    for (const bool down : {true, false, false}) {
      press_mouse(down);
      frame();
      EXPECT_EQ(find("timeline")->x1, end) << width;
      EXPECT_NEAR(x_of(ui.timeline.position.value()), handle, 1) << width;
      EXPECT_TRUE(find("continue-from-here")) << width;
    }
  }
}

// Regression: it covered the image for as long as the mouse rested there after a click.
TEST_F(TimelineBar, TooltipGoesWhenTheMouseRests) {
  point_at_position(100);
  for (int k = 0; k < 6; ++k) frame(1);
  EXPECT_NE(log.tooltip, "") << "time to read";
  for (int k = 0; k < 6; ++k) frame(1);
  EXPECT_EQ(log.tooltip, "");
  point_at_position(110);
  EXPECT_NE(log.tooltip, "");
}

TEST_F(TimelineBar, ClickAtTheEndOfARunDoesNotPause) {
  state.running = true;
  point_at_position(399);
  press_mouse(true);
  frame();
  EXPECT_TRUE(ui.requests.empty());
}

TEST_F(TimelineBar, DragSnapsToMarks) {
  set_details({.points = {{0, 0}, {400, 40}},
               .marks = {{TimelineMarkKind::pericenter, 211, "pericentre: 16 kpc"}},
               .ghosts = {}});
  rewind_to(50);
  const float x = x_of(211);
  point_at_position(50);
  press_mouse(true);
  frame();
  move_mouse(x + 1.5f, ImGui::GetIO().MousePos.y);
  frame();
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 211);
}

TEST_F(TimelineBar, WheelGoesStepByStep) {
  rewind_to(200);
  point_at_position(100);
  for (const auto& [notches, expected] : {std::pair(-1.0f, 199.0), std::pair(1.0f, 200.0), std::pair(2.0f, 202.0)}) {
    ImGui::GetIO().MouseWheel = notches;
    frame();
    ASSERT_TRUE(asked<request::Seek>());
    EXPECT_EQ(asked<request::Seek>()->position, expected);
    ImGui::GetIO().MouseWheel = 0;
  }
}

TEST_F(TimelineBar, TooltipHasTimeMarkAndMemory) {
  window_width = 1920;  // more pixels than steps
  set_details({.points = {{0, 0}, {400, 40}},
               .marks = {{TimelineMarkKind::parameters, 100, "theta 0.5 → 0.9"},
                         {TimelineMarkKind::pericenter, 150, "pericentre at 207 Myr, separation 16 kpc"},
                         {TimelineMarkKind::merger, 300, ""}},
               .ghosts = {{200, 380, 0}}});
  point_at_position(100);
  EXPECT_THAT(log.tooltip, HasSubstr("138 Myr\n◆ theta 0.5 → 0.9, at 138 Myr"));
  for (int k = 0; k < 3; ++k) frame(1);
  EXPECT_THAT(log.tooltip, HasSubstr("50 moments in 48 MB of 2 GB, one every 8 steps"));
  point_at_position(150);
  EXPECT_EQ(log.tooltip, "207 Myr\n▼ pericentre at 207 Myr, separation 16 kpc");
  point_at_position(300);
  EXPECT_THAT(log.tooltip, HasSubstr("Merger"));
  point_at_position(200);
  EXPECT_EQ(log.tooltip, "276 Myr");
  const float below = 0.5f * fonts.text->FontSize, line = 0.46f * ui.layout.timeline_height;
  move_mouse(x_of(250), find("timeline")->y0 + line + below);
  frame();
  EXPECT_THAT(log.tooltip, HasSubstr("An earlier course of the run, from 276 Myr"));
}

TEST_F(TimelineBar, DescribesDividedSteps) {
  set_details({.points = {{0, 0}, {400, 40}}, .marks = {}, .ghosts = {}, .divisions = {{100, 150, 8}}});
  point_at_position(120);
  EXPECT_THAT(log.tooltip, HasSubstr("Steps divided into up to 8 parts"));
  point_at_position(200);
  EXPECT_THAT(log.tooltip, testing::Not(HasSubstr("divided")));
}

// Regression: the star of the key moment covered the first tails.
TEST_F(TimelineBar, NoMarkCoversAnother) {
  set_details({.points = {{0, 0}, {400, 40}},
               .marks = {{TimelineMarkKind::tails, 200, "First tails"},
                         {TimelineMarkKind::highlight, 201, "Key moment"},
                         {TimelineMarkKind::parameters, 300, "theta 0.5 → 0.9"}},
               .ghosts = {}});
  frame();
  const auto item = find("timeline");
  const auto placed = TimelineTrack(state, {item->x0, item->y0}, {item->x1, item->y1}).placed_marks();
  ASSERT_EQ(placed.size(), 3u);
  EXPECT_GE(placed[1].at - placed[0].at, 0.6f * fonts.text->FontSize);
  EXPECT_EQ(placed[0].at, placed[0].x);
  EXPECT_EQ(placed[2].at, placed[2].x) << "there is room";
  point_at_position(200);
  EXPECT_THAT(log.tooltip, HasSubstr("First tails"));
  move_mouse(placed[1].at + 2, (item->y0 + item->y1) / 2);
  frame();
  EXPECT_THAT(log.tooltip, HasSubstr("Key moment"));
}

TEST_F(TimelineBar, HasAScaleWithRoundTimesAndTheirUnit) {
  const auto scale = [&] {
    frame();
    const auto item = find("timeline");
    return TimelineTrack(state, {item->x0, item->y0}, {item->x1, item->y1}).scale();
  };
  const auto shown = scale();
  ASSERT_GE(shown.size(), 3u);
  EXPECT_EQ(shown[0].text, "0");
  EXPECT_TRUE(shown.back().text.ends_with(" Myr"));
  const double step = std::stod(shown[1].text);
  EXPECT_TRUE(step == 50 || step == 100 || step == 200) << step;
  EXPECT_NEAR(shown[1].x, x_of(step / 552 * 400), 1) << "40 units of time are 552 Myr";
  state.timeline.last_time = -1e6;
  EXPECT_LT(scale().size(), 100u) << "a run backwards";
  set_details({.points = {{0, 0}}, .marks = {}, .ghosts = {}});
  state.timeline.last_time = 0;
  EXPECT_TRUE(scale().empty());
}

TEST_F(TimelineBar, TooltipIsAboveTheCursor) {
  point_at_position(300);
  frame();
  const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
  ASSERT_TRUE(tooltip);
  EXPECT_LE(tooltip->Pos.y + tooltip->Size.y, find("timeline")->y0 + 1);
  EXPECT_NEAR(tooltip->Pos.x + tooltip->Size.x / 2, x_of(300), 3);
}

TEST_F(TimelineBar, DrawsAnyNumberOfGhostsAndMarks) {
  for (const int count : {0, 1, 1000, 100'000}) {
    TimelineDetails details{.points = {{0, 0}, {400, 40}}, .marks = {}, .ghosts = {}};
    for (int k = 0; k < count; ++k) {
      details.ghosts.push_back({static_cast<double>(k % 400), 500.0 + k, k});
      details.marks.push_back({static_cast<TimelineMarkKind>(k % 8), 400.0 * k / count, "x"});
    }
    set_details(std::move(details));
    point_at_position(200);
    const ImGuiWindow* bar = ImGui::FindWindowByName("Timeline");
    ASSERT_TRUE(bar);
    EXPECT_LT(bar->DrawList->VtxBuffer.Size, 65'000) << count << ": indices have 16 bits";
    if (count == 1) {
      EXPECT_LT(x_of(400), x_of(500)) << "the ghost is longer than the run";
    }
  }
}

TEST_F(TimelineBar, ClockShowsTheMomentAndTheEnd) {
  frame();
  ASSERT_TRUE(find("timeline-clock"));
  EXPECT_EQ(find("timeline-clock")->label, "552 Myr");
  rewind_to(100);
  frame();
  EXPECT_EQ(find("timeline-clock")->label, "138 / 552 Myr");
}

TEST_F(TimelineBar, OffersBranchAndLiveOnlyInThePast) {
  frame();
  for (const char* id : {"continue-from-here", "timeline-live", "replay-speed"}) EXPECT_FALSE(find(id)) << id;
  rewind_to(100);
  click("continue-from-here");
  EXPECT_EQ(ui.commands, (std::vector<Command>{{Action::continue_from_here}}));
  EXPECT_TRUE(asked<request::ContinueFromHere>());
  ASSERT_TRUE(asked<request::Play>());
  EXPECT_TRUE(asked<request::Play>()->running);
  click("timeline-live");
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 400);
}

TEST_F(TimelineBar, SetsTheReplaySpeed) {
  rewind_to(100);
  frame();
  const auto slider = find("replay-speed");
  ASSERT_TRUE(slider);
  point_at(*slider, 0.99f);
  frame();
  press_mouse(true);
  frame();
  ASSERT_TRUE(asked<request::SetReplaySpeed>());
  EXPECT_NEAR(asked<request::SetReplaySpeed>()->speed, 10, 0.5);
  move_mouse(0, slider->y0 + 2);
  frame();
  ASSERT_TRUE(asked<request::SetReplaySpeed>());
  EXPECT_NEAR(asked<request::SetReplaySpeed>()->speed, 0.1, 1e-6);
}

TEST_F(TimelineBar, HandleFollowsAReplay) {
  rewind_to(100);
  frame();
  drag_to(0.5f);
  const double sought = ui.timeline.position.value();
  press_mouse(false);
  state.timeline.shown = sought;
  handle_requests();
  frame();
  state.running = true;
  state.timeline.shown = sought + 7.5;  // the number of steps of the simulation does not change
  frame();
  EXPECT_EQ(ui.timeline.position.value(), sought + 7.5);
}

TEST_F(TimelineBar, ButtonsStepAndPlay) {
  click("timeline-back");
  EXPECT_EQ(asked<request::Seek>()->position, 399);
  state.timeline.rewound = true;
  state.timeline.shown = 399;
  click("timeline-forward");
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 400);
  click("timeline-play");
  ASSERT_TRUE(asked<request::Play>());
  EXPECT_TRUE(asked<request::Play>()->running);
  rewind_to(0);
  handle_requests();
  frame(1);
  click("timeline-back");
  EXPECT_TRUE(ui.commands.empty()) << "at the start";
}

TEST_F(TimelineBar, SaysWhyThereIsNoHistory) {
  state.timeline = {.off_because =
                        "The history is off: one keyframe takes 12 GB, and at least 4 must fit into the budget."};
  frame();
  EXPECT_FALSE(find("timeline"));
  ASSERT_TRUE(find("timeline-off"));
  EXPECT_THAT(tip_of("timeline-off"), HasSubstr("one keyframe takes 12 GB, and at least 4 must fit"));
  EXPECT_TRUE(find("timeline-clock"));
  EXPECT_GT(ui.layout.timeline_height, 0);
}

TEST_F(TimelineBar, NothingOverlapsInNarrowWindows) {
  for (const bool rewound : {false, true}) {
    for (const char* off :
         {"", "The history is off: one keyframe takes 12 GB, and at least 4 must fit into the budget of 2 GB."}) {
      state.timeline.rewound = rewound;
      state.timeline.shown = rewound ? 100 : 400;
      state.timeline.off_because = off;
      for (const float scale : {1.0f, 2.0f}) {
        set_scale(scale);
        for (const float width : {640.0f, 1000.0f, 1280.0f, 1920.0f}) {
          if (scale > largest_scale(width)) continue;
          window_width = width;
          for (int k = 0; k < 3; ++k) frame();
          expect_no_overlap(std::to_string(width) + " at scale " + std::to_string(scale));
          EXPECT_EQ(find("continue-from-here").has_value(), rewound);
        }
      }
    }
  }
}

TEST_F(TimelineBar, IsOverTheImageWhileTheSideBarIsHidden) {
  ui.layout.show_panel = false;
  move_mouse(600, 300);
  frame();
  EXPECT_FALSE(find("timeline"));
  EXPECT_EQ(ui.layout.timeline_height, 0);
  move_mouse(600, window_height - 30);
  frame();
  frame();
  ASSERT_TRUE(find("timeline"));
  EXPECT_TRUE(find("timeline-play"));
  EXPECT_EQ(ui.layout.timeline_height, 0) << "the image keeps its size";
  move_mouse(600, 300);
  frame();
  EXPECT_FALSE(find("timeline"));
  press_mouse(true);  // turns the camera
  frame();
  move_mouse(600, window_height - 30);
  frame();
  EXPECT_FALSE(find("timeline"));
  press_mouse(false);
  move_mouse(600, 300);
  frame();
  rewind_to(100);
  frame();
  EXPECT_TRUE(find("continue-from-here")) << "stays while a recorded moment is shown";
}

TEST_F(TimelineBar, UndoButtonNamesTheChange) {
  frame();
  ASSERT_TRUE(find("undo"));
  click("undo");
  EXPECT_TRUE(ui.commands.empty());
  state.timeline.undo = "change of theta";
  EXPECT_EQ(tip_of("undo"), "Undo: change of theta (Ctrl+Z).");
  click("undo");
  EXPECT_TRUE(asked<request::Undo>());
  state.busy = true;
  frame();
  EXPECT_TRUE(find("undo"));
}

class PlaybackBar : public TimelineBar {
 protected:
  PlaybackBar() { make_playback(); }
};

TEST_F(PlaybackBar, DragSeeks) {
  drag_to(0.75f);
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_NEAR(asked<request::Seek>()->position, 2 + 0.75 * 10, 0.2);
  EXPECT_EQ(ui.timeline.position.value(), asked<request::Seek>()->position);
  frame();
  EXPECT_FALSE(asked<request::Seek>());  // the cursor did not move
}

TEST_F(PlaybackBar, DragIsClampedToRange) {
  drag_to(3);
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 12);
  move_mouse(0, 0);
  frame();
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 2);
}

TEST_F(PlaybackBar, DragSnapsToSnapshot) {
  drag_to(0.3f);
  move_mouse(x_of(8) + 1.5f, ImGui::GetIO().MousePos.y);
  frame();
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 8);
}

TEST_F(PlaybackBar, HandleStaysDuringSlowRead) {
  drag_to(0.75f);
  const double wanted = ui.timeline.position.value();
  press_mouse(false);
  state.busy = true;
  for (int k = 0; k < 60; ++k) frame();
  EXPECT_EQ(ui.timeline.position.value(), wanted);
  state.busy = false;
  state.time = state.timeline.shown = 10;
  handle_requests();
  frame();
  EXPECT_EQ(ui.timeline.position.value(), 10);
}

TEST_F(PlaybackBar, ShowsTimeSnapshotAndSpeed) {
  window_width = 1920;
  frame();
  EXPECT_EQ(find("timeline-clock")->label, "69 / 166 Myr");
  ASSERT_TRUE(find("timeline-snapshot"));
  EXPECT_EQ(find("timeline-snapshot")->label, "between 2 and 3 of 6");
  EXPECT_TRUE(find("replay-speed"));
  EXPECT_FALSE(find("continue-from-here"));
  EXPECT_FALSE(find("timeline-live"));
  state.timeline.shown = 8;
  frame(1);
  frame();
  EXPECT_EQ(find("timeline-snapshot")->label, "snapshot 4 of 6");
}

TEST_F(PlaybackBar, NothingOverlapsInNarrowWindows) {
  for (const float scale : {1.0f, 2.0f}) {
    set_scale(scale);
    for (const float width : {640.0f, 1280.0f, 1920.0f}) {
      if (scale > largest_scale(width)) continue;
      window_width = width;
      for (int k = 0; k < 3; ++k) frame();
      expect_no_overlap(std::to_string(width) + " at scale " + std::to_string(scale));
    }
  }
}

/// The panel History.
class HistoryPanel : public TimelineBar {
 protected:
  HistoryPanel() { ui.layout.side_bar.open["history-panel"] = true; }
};

TEST_F(HistoryPanel, ShowsTheMemory) {
  window_height = kHeight;
  frame();
  for (const char* id : {"history-memory", "history-moments", "record-history", "history-budget"})
    EXPECT_TRUE(find(id)) << id;
  state.timeline.off_because = "The history is off: there is not enough memory.";
  frame();
  EXPECT_TRUE(find("history-off"));
  make_playback();
  frame();
  EXPECT_FALSE(find("history-panel"));
}

// A smaller budget discards moments, so it must not follow the handle.
TEST_F(HistoryPanel, SetsTheBudgetOnRelease) {
  window_height = kHeight;
  frame();
  const auto slider = find("history-budget");
  ASSERT_TRUE(slider);
  point_at(*slider, 0.5f);
  frame();
  press_mouse(true);
  frame();
  point_at(*slider, 0.1f);
  frame();
  EXPECT_FALSE(asked<request::SetHistoryBudget>());
  press_mouse(false);
  frame();
  ASSERT_TRUE(asked<request::SetHistoryBudget>());
  EXPECT_LT(asked<request::SetHistoryBudget>()->bytes, 200'000'000u);
  EXPECT_GE(asked<request::SetHistoryBudget>()->bytes, 16'000'000u);
}

TEST_F(HistoryPanel, TurnsRecordingOffAndOn) {
  window_height = kHeight;
  click("record-history");
  ASSERT_TRUE(asked<request::SetHistoryBudget>());
  EXPECT_EQ(asked<request::SetHistoryBudget>()->bytes, 0u);
  state.timeline.budget = 0;
  click("record-history");
  ASSERT_TRUE(asked<request::SetHistoryBudget>());
  EXPECT_GT(asked<request::SetHistoryBudget>()->bytes, 0u);
}

}  // namespace
}  // namespace pericenter::app
