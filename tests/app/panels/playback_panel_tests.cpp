#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "app/base/format.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class PlaybackPanel : public Panels {
 protected:
  PlaybackPanel() {
    state.playback = TimeRange{2, 12, {2, 4, 6, 8, 10, 12}};
    state.time = 5;
    state.timeline = {.first = 2, .last = 12, .shown = 5, .is_playback = true};
    state.diagnostics.potential = state.energy_error = std::numeric_limits<double>::quiet_NaN();
  }

  /// Presses the mouse button on the centre of a control; ui.requests are those of that frame.
  void press_on(const std::string& label) {
    press_mouse(false);
    frame();
    const auto item = find(label);
    ASSERT_TRUE(item) << label;
    point_at(*item);
    frame();
    press_mouse(true);
    frame();
  }

  /// Horizontal extent of each glyph in the line of text below a control, sorted.
  std::vector<std::pair<float, float>> letters_below(const std::string& label) {
    std::vector<std::pair<float, float>> letters;
    const auto item = find(label);
    const float em = fonts.text->FontSize, top = item ? item->y1 : 0;
    const ImDrawData* drawn = ImGui::GetDrawData();
    for (int list = 0; item && list < drawn->CmdListsCount; ++list) {
      const ImVector<ImDrawVert>& vertices = drawn->CmdLists[list]->VtxBuffer;
      for (int k = 0; k + 2 < vertices.Size; ++k) {
        const ImVec2 low = vertices[k].pos, high = vertices[k + 2].pos;  // of a glyph
        const bool inside =
            low.x >= item->x0 && high.x < item->x1 + 0.1f * em && low.y > top && high.y < top + 1.4f * em;
        if (inside && low.x < high.x && low.y < high.y && high.x - low.x < 1.2f * em)
          letters.push_back({low.x, high.x});
      }
    }
    std::ranges::sort(letters);
    return letters;
  }

  /// Number of texts in a line, separated by more than a space.
  int texts(const std::vector<std::pair<float, float>>& letters) {
    int count = letters.empty() ? 0 : 1;
    for (std::size_t k = 1; k < letters.size(); ++k)
      if (letters[k].first - letters[k - 1].second > 0.8f * fonts.text->FontSize) ++count;
    return count;
  }

  /// Drags the timeline to this share of its width.
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
};

TEST_F(PlaybackPanel, IsShownOnlyForPlayback) {
  frame();
  EXPECT_TRUE(find("timeline"));
  EXPECT_TRUE(find("simulate-from-here"));
  EXPECT_FALSE(find("ablation-panel"));
  state.playback.reset();
  frame();
  EXPECT_FALSE(find("timeline"));
  EXPECT_FALSE(find("simulate-from-here"));
  EXPECT_TRUE(find("ablation-panel"));
}

// Regression: the labels overlapped with large text.
TEST_F(PlaybackPanel, TimelineLabelsDoNotOverlap) {
  std::vector<double> snapshots(2000);
  for (std::size_t k = 0; k < snapshots.size(); ++k) snapshots[k] = 2 + static_cast<double>(k);
  for (const float scale : {1.0f, 2.0f}) {
    set_scale(scale);
    state.playback = TimeRange{2, 12, {2, 4, 6, 8, 10, 12}};
    state.time = state.timeline.shown = 5;
    frame();
    EXPECT_EQ(texts(letters_below("timeline")), 3) << scale;
    EXPECT_GT(letters_below("timeline").size(), 22u) << "labels are shortened only if necessary";
    state.playback = TimeRange{2, 700, {snapshots.begin(), snapshots.begin() + 120}};
    state.time = state.timeline.shown = 60.5;
    frame();
    EXPECT_EQ(texts(letters_below("timeline")), 3) << scale;
    if (scale == 2) {
      EXPECT_EQ(letters_below("timeline").size(), std::string("28Myr59-60of1209660Myr").size());
    }
    state.playback = TimeRange{2, 2001, snapshots};
    state.time = state.timeline.shown = 1800.5;
    frame();
    EXPECT_EQ(texts(letters_below("timeline")), 3) << scale;
  }
}

TEST_F(PlaybackPanel, OffersNoPauseAfterEnd) {
  state.highlight_time = 11;
  frame();
  EXPECT_TRUE(find("pause-at-highlight"));
  state.highlight_time = 12.5;
  frame();
  EXPECT_FALSE(find("pause-at-highlight"));
  state.playback.reset();
  frame();
  EXPECT_TRUE(find("pause-at-highlight"));
}

TEST_F(PlaybackPanel, DragSeeks) {
  drag_to(0.75f);
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_NEAR(asked<request::Seek>()->position, 2 + 0.75 * 10, 0.2);
  EXPECT_EQ(ui.position.value(), asked<request::Seek>()->position);
  frame();
  EXPECT_FALSE(asked<request::Seek>());  // the cursor did not move
}

TEST_F(PlaybackPanel, DragIsClampedToRange) {
  drag_to(3);
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 12);
  move_mouse(0, 0);
  frame();
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 2);
}

TEST_F(PlaybackPanel, DragSnapsToSnapshot) {
  drag_to(0.602f);
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 8);
}

TEST_F(PlaybackPanel, HandleStaysDuringSlowRead) {
  drag_to(0.75f);
  const double wanted = ui.position.value();
  press_mouse(false);
  state.busy = true;
  for (int k = 0; k < 60; ++k) frame();
  EXPECT_EQ(ui.position.value(), wanted);
  state.busy = false;
  state.time = state.timeline.shown = 10;
  frame();
  EXPECT_EQ(ui.position.value(), 10);
}

TEST_F(PlaybackPanel, PlayButtonFollowsEnd) {
  click("play");
  ASSERT_TRUE(asked<request::Play>());
  EXPECT_TRUE(ui.running.value());
  for (int k = 0; k < 30; ++k) frame();
  EXPECT_FALSE(ui.running.value());
}

TEST_F(PlaybackPanel, SimulatesFromHere) {
  click("simulate-from-here");
  EXPECT_TRUE(asked<request::Simulate>());
}

TEST_F(PlaybackPanel, DisablesForceSettings) {
  for (const char* label : {"theta", "softening"}) {
    press_on(label);
    EXPECT_FALSE(asked<request::SetParams>()) << label;
  }
  press_mouse(false);
  click("algorithm");
  frame();
  EXPECT_FALSE(find("algorithm/direct"));  // the combo box is disabled
  click("backwards");
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_EQ(asked<request::SetParams>()->params.dt, -state.params.dt);
  press_on("timestep");
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_NEAR(std::abs(asked<request::SetParams>()->params.dt), std::sqrt(1e-4 * 0.25) * 10, 0.01);
}

TEST_F(PlaybackPanel, ExplainsUnavailableColors) {
  ui.view.image.color = render::ColorMode::acceleration;
  click("color-panel");
  frame();
  EXPECT_TRUE(find("color-unavailable"));
  ui.view.image.color = render::ColorMode::speed;
  frame();
  EXPECT_FALSE(find("color-unavailable"));
}

TEST(Format, WritesUnknownNumberAsDash) {
  EXPECT_EQ(signed_error(std::numeric_limits<double>::quiet_NaN()), "–");
}

}  // namespace
}  // namespace pericenter::app
