#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "app/base/format.h"
#include "app/widgets/health_text.h"
#include "tests/support/panel_fixture.h"

// How far a result can be trusted: the strip in the status line, and the line that explains a poor level.

namespace pericenter::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class HealthStrip : public Panels {
 protected:
  HealthStrip() {
    window_height = 800;
    state.health.level = HealthLevel::good;
    state.health.energy_error = {2e-5, 7e-5, HealthLevel::good};
    state.health.force_error = {9e-4, 9e-4, HealthLevel::good};
    state.health.fall_per_step = {0.01, 0.02, HealthLevel::good};
    state.health.momentum_change = 1e-6;
    state.timeline = {.last = 400, .shown = 400};
  }

  void make_poor() {
    state.health.level = state.health.energy_error.level = HealthLevel::poor;
    state.health.energy_error = {0.6, 0.7, HealthLevel::poor};
    state.health.reason =
        "The strongest acceleration moves a body from rest by 2.1 softening lengths per step (a·dt²/2ε = 2.1): divide "
        "dt by 3.";
    state.health.last_good = 120;
  }

  std::string label(const std::string& id) {
    const auto item = find(id);
    return item ? item->label : "no " + id;
  }

  /// Controls right of `left` in the lines below the image, none of which may overlap.
  void expect_no_overlap(const std::string& when) {
    std::vector<ItemLog::Item> below;
    std::ranges::copy_if(log.items, std::back_inserter(below), [&](const auto& item) { return !in_side_bar(item); });
    for (const ItemLog::Item& a : below) {
      EXPECT_LE(a.x1, window_width + 0.5f) << a.id << ' ' << when;
      EXPECT_GE(a.x0, 0) << a.id << ' ' << when;
      for (const ItemLog::Item& b : below) {
        if (&a == &b) continue;
        const bool apart = a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0;
        EXPECT_TRUE(apart) << a.id << " and " << b.id << ' ' << when;
      }
    }
  }
};

TEST_F(HealthStrip, HasAWordAndAShapeForEveryLevel) {
  const std::array<std::pair<HealthLevel, const char*>, 4> levels = {{{HealthLevel::good, "● Trustworthy"},
                                                                      {HealthLevel::fair, "▲ Doubtful"},
                                                                      {HealthLevel::poor, "■ Not trustworthy"},
                                                                      {HealthLevel::unknown, "○ Not measured yet"}}};
  for (const auto& [level, words] : levels) {
    state.health.level = level;
    frame();
    EXPECT_EQ(label("health"), words);
  }
}

TEST_F(HealthStrip, ShowsValuesInWords) {
  frame();
  EXPECT_EQ(label("health-energy"), "|ΔE/E| 2·10⁻⁵ (worst 7·10⁻⁵)");
  EXPECT_EQ(label("health-force"), "force error 0.09 %");
  EXPECT_EQ(label("health-step"), "pull 0.01 ε per step");
  EXPECT_EQ(label("health-momentum"), "|ΔP| 10⁻⁶");
}

TEST_F(HealthStrip, ShowsTheWorstValueThatMakesTheLevel) {
  state.health.force_error = {9e-4, 0.02, HealthLevel::poor};
  frame();
  EXPECT_EQ(label("health-force"), "force error 0.09 % (worst 2 %)");
}

// Regression: errors below 10⁻¹² read 0.
TEST_F(HealthStrip, ShowsThatATinyEnergyErrorIsThere) {
  const auto shown = [&](double error, double worst) {
    state.health.energy_error = {error, worst, HealthLevel::good};
    frame();
    return label("health-energy");
  };
  EXPECT_EQ(shown(3e-16, 2.3e-13), "|ΔE/E| < 10⁻¹⁴ (worst 2·10⁻¹³)");
  EXPECT_EQ(shown(0, 3e-14), "|ΔE/E| 0 (worst 3·10⁻¹⁴)");
}

TEST_F(HealthStrip, ComparesTheStepWithTheOrbitWithoutSoftening) {
  state.health.fall_per_step = {};
  state.health.steps_per_orbit = {35.2, 35.2, HealthLevel::good};
  frame();
  EXPECT_EQ(label("health-step"), "shortest orbit 35 steps");
}

TEST_F(HealthStrip, LeavesOutWhatIsNotMeasured) {
  state.health = {};
  frame();
  EXPECT_EQ(label("health"), "○ Not measured yet");
  for (const char* id : {"health-energy", "health-force", "health-step", "health-momentum"}) EXPECT_FALSE(find(id));
  state.scene_serial = 0;
  frame();
  EXPECT_FALSE(find("health"));
  EXPECT_TRUE(find("vertex-buffer"));
}

TEST_F(HealthStrip, SaysThatAPlaybackIsNotMeasured) {
  state.health = {};
  state.playback = TimeRange{0, 1};
  frame();
  EXPECT_EQ(label("health"), "○ Not measured: playback");
}

TEST_F(HealthStrip, ColorsFollowTheLevels) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const ImVec4 good = look_of(HealthLevel::good, theme).color, poor = look_of(HealthLevel::poor, theme).color;
    EXPECT_GT(good.y, good.x);
    EXPECT_GT(poor.x, poor.y);
  }
  const auto has_color = [&](const ImVec4& color) {
    const ImGuiWindow* status = ImGui::FindWindowByName("Status");
    return std::ranges::any_of(status->DrawList->VtxBuffer,
                               [&](const ImDrawVert& vertex) { return vertex.col == ImGui::GetColorU32(color); });
  };
  frame();
  EXPECT_TRUE(has_color(palette(ui.view.theme).good));
  EXPECT_FALSE(has_color(palette(ui.view.theme).caution));
  state.health.force_error.level = HealthLevel::fair;
  frame();
  EXPECT_TRUE(has_color(palette(ui.view.theme).caution));
}

TEST_F(HealthStrip, TooltipsListAllValuesAndTheCost) {
  state.force_sample.bodies = 512;
  state.force_sample.errors = {9e-4, 5e-4, 4e-3, 0.02};
  state.force_sample.seconds = 0.012;
  state.force_sample.share = 0.013;
  EXPECT_THAT(tip_of("health"), HasSubstr("● force error 0.09 %"));
  const std::string force = tip_of("health-force");
  EXPECT_THAT(force, HasSubstr("Of 512 bodies: 99 % below 0.4 %, largest 2 %."));
  EXPECT_THAT(force, HasSubstr("took 12 ms; measurements take 1.3 % of the computing time"));
}

TEST_F(HealthStrip, ClickOpensThePlots) {
  for (const char* id : {"health", "health-energy", "health-step"}) {
    ui.drawer.open = false;
    click(id);
    EXPECT_TRUE(ui.drawer.open) << id;
  }
}

TEST_F(HealthStrip, DropsItemsThatDoNotFit) {
  make_poor();
  for (const float scale : {1.0f, 2.0f}) {
    set_scale(scale);
    for (const float width : {640.0f, 800.0f, 1280.0f, 1920.0f, 3840.0f}) {
      if (scale > largest_scale(width)) continue;
      window_width = width;
      for (int k = 0; k < 3; ++k) frame();
      EXPECT_TRUE(find("health")) << width << ' ' << scale;
      EXPECT_TRUE(find("vertex-buffer")) << width << ' ' << scale;
      expect_no_overlap(std::to_string(width) + " at scale " + std::to_string(scale));
    }
  }
  EXPECT_TRUE(find("health-momentum")) << "there is room for all in a wide window";
  window_width = 1280;
  for (int k = 0; k < 3; ++k) frame();
  EXPECT_FALSE(find("health-momentum"));
  EXPECT_THAT(tip_of("health"), HasSubstr("|ΔP|"));
}

TEST_F(HealthStrip, StaysBesideANotice) {
  make_poor();
  set_notice("The disk is full. " + std::string(300, 'x'), true, now, ui);
  frame();
  EXPECT_EQ(label("health"), "■");
  EXPECT_FALSE(find("health-energy"));
  EXPECT_GT(find("health")->x0, kWidth - 100) << "before the text, it would look like the kind of the notice";
  EXPECT_LT(find("health")->x1, find("close-notice")->x0);
  expect_no_overlap("beside a notice");
  EXPECT_THAT(tip_of("health"), HasSubstr("Not trustworthy"));
  dismiss_notice(ui);
  frame();
  EXPECT_EQ(label("health"), "■ Not trustworthy");
}

TEST_F(HealthStrip, ShowsBothOfAComparison) {
  const SessionState good = state;
  make_poor();
  const SessionState poor = state;
  reference = &good;
  frame();
  EXPECT_EQ(label("health-a"), "A ● Trustworthy  |ΔE/E| 2·10⁻⁵");
  EXPECT_EQ(label("health-b"), "B ■ Not trustworthy  |ΔE/E| 0.6");
  EXPECT_FALSE(find("health"));
  window_width = 640;
  reference = &poor;
  for (int k = 0; k < 3; ++k) frame();
  EXPECT_EQ(label("health-a"), "A ■  |ΔE/E| 0.6");
  expect_no_overlap("with two simulations");
}

TEST_F(HealthStrip, EnergyReadoutHasTheLevel) {
  state.energy_error = 0.6;
  const auto colored = [&](const ImVec4& color) {
    frame();
    const ImGuiWindow* panel = ImGui::FindWindowByName("Panel");
    for (const ImGuiWindow* child : panel->DC.ChildWindows)
      for (const ImDrawVert& vertex : child->DrawList->VtxBuffer)
        if (vertex.col == ImGui::GetColorU32(color)) return true;
    return false;
  };
  EXPECT_TRUE(colored(palette(ui.view.theme).good));
  EXPECT_FALSE(colored(palette(ui.view.theme).error));
  make_poor();
  EXPECT_TRUE(colored(palette(ui.view.theme).error));
}

TEST_F(HealthStrip, PoorLevelExplainsAndGoesBack) {
  frame();
  EXPECT_FALSE(find("health-reason"));
  EXPECT_EQ(ui.notices.alert.height, 0);
  make_poor();
  frame();
  EXPECT_THAT(label("health-reason"), HasSubstr("The strongest acceleration moves a body from rest by 2.1 softening "
                                                "lengths per step (a·dt²/2ε = 2.1): divide dt by 3."));
  EXPECT_GT(ui.notices.alert.height, 0);
  click("go-back");
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 120);
  ASSERT_TRUE(asked<request::Play>());
  EXPECT_FALSE(asked<request::Play>()->running);
}

TEST_F(HealthStrip, AnOrbitThatTheStepCannotFollowIsNamed) {
  frame();
  EXPECT_FALSE(find("health-pericenter"));
  state.health.level = HealthLevel::fair;
  state.health.steps_at_pericenter = {0.4, 0.4, HealthLevel::fair};
  state.health.reason = "The time step cannot follow an orbit: divide dt by 50.";
  frame();
  EXPECT_EQ(label("health-pericenter"), "pericentre 0.4 steps");
  EXPECT_THAT(label("health-reason"), HasSubstr("▲  The time step cannot follow an orbit: divide dt by 50."));
  EXPECT_FALSE(find("go-back")) << "nothing is wrong yet";
  state.params.dt *= 8;
  click("restore-settings");
  EXPECT_TRUE(asked<request::SetParams>());
}

TEST_F(HealthStrip, PoorLevelRestoresSettings) {
  make_poor();
  state.params.dt *= 8;
  click("restore-settings");
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_EQ(asked<request::SetParams>()->params, state.suggested);
  state.params = state.suggested;
  frame(1);
  click("restore-settings");
  EXPECT_FALSE(asked<request::SetParams>()) << "nothing to restore";
}

TEST_F(HealthStrip, GoingBackNeedsTheMoment) {
  make_poor();
  state.timeline.first = 200;
  click("go-back");
  EXPECT_FALSE(asked<request::Seek>());
  EXPECT_THAT(tip_of("go-back"), HasSubstr("no longer in the history"));
  state.timeline.first = 0;
  state.timeline.off_because = "The history is off: one keyframe takes 12 GB.";
  click("go-back");
  EXPECT_FALSE(asked<request::Seek>());
  EXPECT_THAT(tip_of("go-back"), HasSubstr("The history is off: one keyframe takes 12 GB."));
}

TEST_F(HealthStrip, AlertStaysDismissedUntilSomethingNewHappens) {
  make_poor();
  click("dismiss-alert");
  frame();
  EXPECT_FALSE(find("health-reason"));
  state.health.reason =
      "The strongest acceleration moves a body from rest by 3.4 softening lengths per step (a·dt²/2ε = 3.4): divide dt "
      "by 4.";
  frame();
  EXPECT_FALSE(find("health-reason")) << "the same reason with another number";
  state.health.reason = "The mean force error is 2 %: reduce θ.";
  frame();
  EXPECT_TRUE(find("health-reason"));
  click("dismiss-alert");
  frame();
  EXPECT_FALSE(find("health-reason"));
  state.health.level = HealthLevel::good;
  frame();
  state.health.level = HealthLevel::poor;
  frame();
  EXPECT_TRUE(find("health-reason")) << "after the level has changed";
  click("dismiss-alert");
  ++state.scene_serial;
  frame();
  EXPECT_TRUE(find("health-reason")) << "another scene";
}

TEST_F(HealthStrip, AlertFitsIntoNarrowWindows) {
  make_poor();
  state.health.reason = "The forces have a mean error of 2.1 %: reduce θ below 0.7, or use a direct solver. " +
                        std::string("Then reset the scene.");
  for (const float scale : {1.0f, 2.0f}) {
    set_scale(scale);
    for (const float width : {640.0f, 1280.0f, 1920.0f}) {
      if (scale > largest_scale(width)) continue;
      window_width = width;
      for (int k = 0; k < 3; ++k) frame();
      for (const char* id : {"health-reason", "go-back", "restore-settings", "dismiss-alert"}) {
        const auto item = find(id);
        ASSERT_TRUE(item) << id;
        EXPECT_GE(item->x0, ui.layout.panel_width) << id << ' ' << width << ' ' << scale;
        EXPECT_LE(item->x1, width) << id << ' ' << width << ' ' << scale;
        EXPECT_LE(item->needed, item->x1 - item->x0) << id << ' ' << width << ' ' << scale;
      }
      expect_no_overlap(std::to_string(width) + " at scale " + std::to_string(scale));
    }
  }
}

TEST(TwoFigures, UseOneNotation) {
  EXPECT_EQ(two_figures(2.13e-5), "2.1·10⁻⁵");
  EXPECT_EQ(two_figures(1e-3), "10⁻³");
  EXPECT_EQ(two_figures(0.0999), "0.1");
  EXPECT_EQ(two_figures(1234), "1200");
  EXPECT_EQ(two_figures(0), "0");
  EXPECT_EQ(two_figures(std::numeric_limits<double>::infinity()), "∞");
  EXPECT_EQ(two_figures(std::numeric_limits<double>::quiet_NaN()), "–");
}

}  // namespace
}  // namespace pericenter::app
