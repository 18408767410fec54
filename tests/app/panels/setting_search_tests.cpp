#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/ui/hidden_results.h"
#include "tests/support/lesson_example.h"
#include "tests/support/panel_fixture.h"

// The field "Search settings" above the panels.

namespace pericenter::app {
namespace {

using testing::HasSubstr;

class SettingSearches : public Panels {
 protected:
  void search(const std::string& words) {
    ui.widgets.search.words = words;
    for (int k = 0; k < 3; ++k) frame();
  }
  /// The controls of the side bar that are drawn, without those above and below the panels.
  std::vector<std::string> found() {
    std::vector<std::string> ids;
    for (const ItemLog::Item& item : log.items)
      if (in_side_bar(item) && item.y0 > find("search-settings")->y1) ids.push_back(item.id);
    return ids;
  }
};

TEST_F(SettingSearches, FindControlsInClosedPanelsByLabelTooltipAndTitle) {
  for (const bool simple : {false, true}) {
    ui.layout.side_bar.simple = simple;
    search("");
    EXPECT_FALSE(find("inertia")) << "the panel Camera is closed";
    search("inertia");
    EXPECT_TRUE(find("inertia"));
    EXPECT_FALSE(find("theta"));
    search("fewer frames on slow machines");
    EXPECT_TRUE(find("inertia")) << "the tooltip";
    search("CAMERA drift");
    EXPECT_TRUE(find("drift"));
    EXPECT_FALSE(find("projector-size"));
    search("camera");
    EXPECT_TRUE(find("projector-size")) << "all of the panel";
    EXPECT_EQ(ui.layout.side_bar.open.size(), 0u) << "the panels stay as they are";
  }
}

TEST_F(SettingSearches, EveryControlOfEveryPanelIsFoundByItsLabel) {
  std::vector<ItemLog::Item> all;
  for (const Panel& panel : panels()) ui.layout.side_bar.open[std::string(panel.heading.id)] = true;
  frame();
  std::ranges::copy_if(log.items, std::back_inserter(all), [&](const auto& item) {
    const bool in_panels = in_side_bar(item) && item.y0 > find("search-settings")->y1 && item.id != "detail";
    return in_panels && !item.id.ends_with("-panel") && !item.label.empty();
  });
  ASSERT_GE(all.size(), 60u);
  for (const ItemLog::Item& item : all) {
    search(item.label);
    EXPECT_TRUE(find(item.id)) << item.id << ": " << item.label;
  }
}

TEST_F(SettingSearches, LinesFollowEachOtherWithoutOverlap) {
  for (const float scale : {1.0f, 2.0f}) {
    set_scale(scale);
    for (const char* words : {"e", "the", "time", "star", "size", "error", "camera", "file", "view"}) {
      search(words);
      std::vector<ItemLog::Item> shown;
      std::ranges::copy_if(log.items, std::back_inserter(shown), in_side_bar);
      ASSERT_GE(shown.size(), 8u) << words;
      for (const ItemLog::Item& a : shown) {
        EXPECT_LE(a.x1, ui.layout.panel_width) << words << ": " << a.id;
        for (const ItemLog::Item& b : shown) {
          if (&a == &b || a.id == "cost-card" || b.id == "cost-card") continue;
          const bool apart = a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 + 0.5f || b.y1 <= a.y0 + 0.5f;
          EXPECT_TRUE(apart) << words << " at scale " << scale << ": " << a.id << " and " << b.id;
        }
      }
    }
    search("inertia");
    EXPECT_LT(find("inertia")->y1, find("search-settings")->y1 + 8 * fonts.text->FontSize) << "no gaps before it";
  }
}

TEST_F(SettingSearches, AFoundControlWorks) {
  search("inertia");
  const bool before = ui.camera.inertia;
  click("inertia");
  EXPECT_NE(ui.camera.inertia, before);
  EXPECT_THAT(tip_of("inertia"), HasSubstr("glides"));
  search("opening angle");
  ASSERT_TRUE(find("theta"));
  point_at(*find("theta"), 0.9f);
  frame();
  press_mouse(true);
  frame();
  EXPECT_TRUE(asked<request::SetParams>());
  press_mouse(false);
  search("integrator");
  choose("integrator", "euler");
  ASSERT_TRUE(asked<request::SetConfig>());
  EXPECT_EQ(asked<request::SetConfig>()->config.integrator, Integrator::euler);
}

// The list of a combo box takes the place of its control in the log.
TEST_F(SettingSearches, OtherLinesStayHiddenWhileAListIsOpen) {
  search("integrator");
  const std::vector<std::string> before = found();
  open_list("integrator");
  ASSERT_TRUE(find("integrator/euler"));
  for (const std::string& id : found())
    EXPECT_TRUE(id.starts_with("integrator/") || std::ranges::count(before, id) > 0) << id;
}

TEST_F(SettingSearches, SaysThatNothingIsFound) {
  search("flux capacitor");
  ASSERT_TRUE(find("nothing-found"));
  EXPECT_THAT(find("nothing-found")->label, HasSubstr("flux capacitor"));
  search("light theme");
  EXPECT_FALSE(find("nothing-found"));
  EXPECT_TRUE(find("light-theme"));
}

TEST_F(SettingSearches, CtrlFTypesAndEscClears) {
  ui.layout.show_panel = false;
  keyed = {{Action::search_settings}};
  for (int k = 0; k < 4; ++k) frame();
  ASSERT_TRUE(find("search-settings"));
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  type("iner");
  type("tia");
  frame();
  frame();
  EXPECT_TRUE(find("inertia"));
  press(ImGuiKey_Escape);
  EXPECT_EQ(ui.widgets.search.words, "");
  EXPECT_FALSE(find("inertia"));
  ui.stars.probed = 3;
  search("inertia");
  apply_command({Action::close_dialogs}, UiFrame{.simulation = state, .now = now}, {ui});
  EXPECT_EQ(ui.widgets.search.words, "") << "also while the field has not the keyboard";
  EXPECT_EQ(ui.stars.probed, 3u) << "Esc closes one thing at a time";
}

TEST_F(SettingSearches, DoNotStartTheForecastOfAnEncounter) {
  search("inertia");
  EXPECT_FALSE(ui.encounter.open);
  search("closest approach");
  EXPECT_TRUE(ui.encounter.open);
}

TEST_F(SettingSearches, KeepHiddenWhatALessonHides) {
  search("sample of the forces");
  EXPECT_TRUE(find("sample-forces"));
  ui.lesson = example_lesson();
  ui.lesson.phase = LessonState::Phase::question;
  ASSERT_TRUE(hides_results(ui));
  search("sample of the forces ");
  EXPECT_FALSE(find("sample-forces"));
}

}  // namespace
}  // namespace pericenter::app
