#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/ui/file_browser.h"
#include "app/ui/gui_guard.h"
#include "sim/core/fault_injection.h"
#include "tests/support/lesson_example.h"
#include "tests/support/panel_fixture.h"

// Windows that leave no room, and assertions of Dear ImGui.

namespace pericenter::app {
namespace {

using Phase = LessonState::Phase;

class NarrowWindow : public Panels {
 protected:
  NarrowWindow() {
    for (const Panel& panel : panels()) ui.layout.side_bar.open[std::string(panel.heading.id)] = true;
    state.health.level = HealthLevel::poor;
    state.health.reason = "The energy has changed by 5 %: halve dt.";
    state.health.energy_error = {0.05, 0.05, HealthLevel::poor};
    state.timeline.last = 500;
    state.timeline.shown = 200;
    state.record = test_record();
    ui.drawer.open = true;
  }
  static std::shared_ptr<const LabRecord> test_record() {
    auto record = std::make_shared<LabRecord>();
    record->events = {{EncounterEventKind::pericenter, 100, 3, 1}, {EncounterEventKind::tails, 200, 6, 1}};
    return record;
  }
  void open_lessons() {
    for (const char* name : {"the-fall", "quadtree"})
      ui.lessons.entries.push_back({name, "", example_lesson().lesson, ""});
    ui.lessons.open = true;
  }

  /// Draws everything at every width, and many heights.
  void draw_all() {
    for (const float scale : {kMinScale, 1.0f, 1.25f, kMaxScale}) {
      set_scale(scale);
      for (int width = 1; width <= 300; ++width) {
        window_width = static_cast<float>(width);
        window_height = static_cast<float>(width % 3 == 0 ? width * 7 % 300 + 1 : 1200);
        const std::string failed = draw_guarded([&] { frame(); });
        ASSERT_EQ(failed, "") << window_width << " x " << window_height << ", scale " << scale;
      }
    }
  }
};

TEST_F(NarrowWindow, HasPanelsAndPlots) {
  draw_all();
}

TEST_F(NarrowWindow, HasLists) {
  open_lessons();
  ui.layout.show_keys = true;
  open_browser("/usr", ui.files.browser);
  draw_all();
}

TEST_F(NarrowWindow, HasComparisons) {
  const SessionState a = state;
  reference = &a;
  ui.comparison.phase = ComparisonState::Phase::on;
  ui.layout.side_bar.simple = true;
  ui.drawer.focused = "cost";
  draw_all();
}

TEST_F(NarrowWindow, HasTheCardsOfLessons) {
  ui.lesson = example_lesson();
  ui.layout.show_panel = false;
  ui.lesson.shows_note = true;
  for (const Phase phase : {Phase::title, Phase::question, Phase::running, Phase::ended}) {
    ui.lesson.phase = phase;
    draw_all();
  }
}

class Assertion : public Panels {
 protected:
  ~Assertion() override { plan_fault({}); }
  void drawn() override {
    if (fails) ImGui::InvisibleButton("nothing", {0, 0});
  }
  std::string failed() {
    return draw_guarded([this] { frame(); });
  }
  bool fails = false;
};

TEST_F(Assertion, EndsTheFrameAndNotTheProgram) {
  EXPECT_EQ(failed(), "");
  for (int k = 0; k < 3; ++k) {
    fails = true;
    EXPECT_THAT(failed(), testing::AllOf(testing::HasSubstr("imgui"), testing::HasSubstr("size_arg")));
    fails = false;
    EXPECT_EQ(failed(), "") << "the next frame is complete";
    EXPECT_TRUE(find("softening"));
  }
}

TEST_F(Assertion, EndsWhatWasBegun) {
  const std::vector<std::function<void()>> begun = {[] { ImGui::PushFont(ImGui::GetFont()); },
                                                    [] { ImGui::PushStyleColor(ImGuiCol_Text, 0); },
                                                    [] { ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.5f); },
                                                    [] { ImGui::PushID(1); },
                                                    [] { ImGui::BeginGroup(); },
                                                    [] { ImGui::BeginDisabled(); },
                                                    [] {
                                                      ImGui::BeginChild("child", {10, 10});
                                                    },
                                                    [] { ImGui::PushItemWidth(10); }};
  for (std::size_t k = 0; k < begun.size(); ++k) {
    const std::string problem = draw_guarded([&] {
      ImGui::GetIO().DisplaySize = {300, 300};
      ImGui::NewFrame();
      ImGui::Begin("window");
      begun[k]();
      ImGui::InvisibleButton("nothing", {0, 0});
    });
    EXPECT_NE(problem, "") << k;
    EXPECT_EQ(failed(), "") << k;
  }
}

TEST_F(Assertion, OtherExceptionsPass) {
  EXPECT_THROW(draw_guarded([] { throw std::runtime_error("no memory"); }), std::runtime_error);
  EXPECT_EQ(failed(), "");
}

TEST_F(Assertion, OutsideOfAFrameEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ImGui::GetIO().DisplaySize = {300, 300};
  EXPECT_DEATH(
      {
        ImGui::NewFrame();
        ImGui::InvisibleButton("nothing", {0, 0});
      },
      "size_arg");
}

TEST_F(Assertion, IsInjectedForTests) {
  ASSERT_EQ(plan_fault("gui_assertion:2"), "");
  EXPECT_EQ(failed(), "");
  EXPECT_NE(failed(), "");
  EXPECT_EQ(failed(), "");
}

}  // namespace
}  // namespace pericenter::app
