#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "app/window/imgui_context.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The drawer over a run of 400 steps.
class DrawerTest : public Panels {
 protected:
  DrawerTest() {
    window_width = 1600;
    window_height = 1000;
    state.units = {1, 10, 100};
    state.steps = 400;
    state.time = 40;
    state.params.dt = 0.1;
    state.diagnostics.mass = 1;
    record();
    state.timeline.last = state.timeline.shown = 400;
    auto details = std::make_shared<TimelineDetails>();
    details->points = {{0, 0}, {400, 40}};
    details->marks = {{TimelineMarkKind::parameters, 200, "theta 0.5 -> 0.9"}};
    state.timeline.details = details;
    ui.drawer.open = true;
    frame();
    frame();
  }

  void record() {
    auto lab = std::make_shared<LabRecord>();
    for (int k = 0; k <= 400; ++k) {
      LabSample sample{.position = static_cast<double>(k), .time = 0.1 * k, .kinetic = 0.5, .potential = -1};
      sample.energy_error = 1e-6 * k;
      sample.angular_momentum = {0, 0, 1 + 1e-6 * k};
      lab->samples.push_back(sample);
    }
    state.record = lab;
  }

  /// The visible times of the plots.
  PlotRange times() const { return ui.drawer.zoom.value_or(ui.drawer.made.times); }

  void point_in(const std::string& id, float share) {
    const auto item = find(id);
    ASSERT_TRUE(item) << id;
    point_at(*item, share);
    frame();
  }
  void wheel(float notches) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseWheelEvent(0, notches);
#else
    ImGui::GetIO().MouseWheel = notches;
#endif
    frame();
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().MouseWheel = 0;
#endif
  }
  void click_here() {
    press_mouse(true);
    frame();
    press_mouse(false);
    frame();
  }
};

constexpr const char* kArea = "plot-energy-error-area";

TEST_F(DrawerTest, IsOpenedByCommandAndTakesRoomFromTheImage) {
  EXPECT_TRUE(find("plot-energy-error"));
  EXPECT_GT(ui.drawer.width, 300);
  EXPECT_EQ(ui.drawer.height, 0);
  click("close-plots");
  frame();
  EXPECT_FALSE(ui.drawer.open);
  EXPECT_FALSE(find("plot-energy-error"));
  EXPECT_EQ(ui.drawer.width, 0);
  const UiFrame view{.simulation = state, .now = now};
  apply_command({Action::toggle_drawer}, view, {ui});
  frame();
  EXPECT_TRUE(find("plot-energy-error"));
}

TEST_F(DrawerTest, IsBelowTheImageOfANarrowWindow) {
  window_width = 900;
  frame();
  frame();
  EXPECT_EQ(ui.drawer.width, 0);
  EXPECT_GT(ui.drawer.height, 100);
  const auto edge = find("drawer-edge");
  ASSERT_TRUE(edge);
  EXPECT_FLOAT_EQ(edge->y0, window_height - ui.layout.status_height - ui.layout.timeline_height - ui.drawer.height);
}

TEST_F(DrawerTest, LeavesMostOfTheImage) {
  for (const float width : {300.0f, 640.0f, 900.0f, 1280.0f, 3840.0f}) {
    for (const float scale : {1.0f, 2.0f}) {
      set_scale(scale);
      window_width = width;
      ui.layout.side_bar.drawer_width = ui.layout.side_bar.drawer_height = 500;
      frame();
      frame();
      EXPECT_LE(ui.drawer.width, 0.6f * (width - ui.layout.panel_width) + 1) << width;
      EXPECT_LE(ui.drawer.height, 0.6f * window_height + 1) << width;
    }
  }
}

TEST_F(DrawerTest, IsResizedAtItsEdge) {
  const float before = ui.drawer.width;
  point_in("drawer-edge", 0.5f);
  press_mouse(true);
  frame();
  move_mouse(window_width - before - 60, 300);
  frame();
  press_mouse(false);
  frame();
  EXPECT_NEAR(ui.drawer.width, before + 60, 2);
  EXPECT_NEAR(ui.layout.side_bar.drawer_width, (before + 60) / 16, 0.2f);
}

TEST_F(DrawerTest, FollowsTheNewestSample) {
  EXPECT_EQ(times(), (PlotRange{0, 400}));
  auto longer = std::make_shared<LabRecord>(*state.record);
  longer->samples.push_back({.position = 500, .time = 50, .kinetic = 0.5, .potential = -1});
  state.record = longer;
  frame();
  EXPECT_EQ(times(), (PlotRange{0, 500}));
  point_in(kArea, 0.5f);
  wheel(2);
  const PlotRange zoomed = times();
  EXPECT_LT(zoomed.length(), 400);
  longer = std::make_shared<LabRecord>(*longer);
  longer->samples.push_back({.position = 600, .time = 60, .kinetic = 0.5, .potential = -1});
  state.record = longer;
  frame();
  EXPECT_EQ(times(), zoomed);
}

TEST_F(DrawerTest, ZoomsAtTheMouse) {
  point_in(kArea, 0.25f);
  const double fixed = *ui.drawer.cursor;
  EXPECT_NEAR(fixed, 100, 2);
  wheel(3);
  ASSERT_TRUE(ui.drawer.zoom);
  EXPECT_NEAR(ui.drawer.zoom->length(), 400 * 0.512, 1e-6);
  frame();
  EXPECT_NEAR(*ui.drawer.cursor, fixed, 1e-6);
  wheel(-10);
  EXPECT_FALSE(ui.drawer.zoom) << "zooming out shows the whole run";
}

TEST_F(DrawerTest, DragMovesAndDoubleClickFits) {
  point_in(kArea, 0.5f);
  wheel(5);
  const PlotRange zoomed = *ui.drawer.zoom;
  press_mouse(true);
  frame();
  point_in(kArea, 0.25f);
  press_mouse(false);
  frame();
  EXPECT_FALSE(asked<request::Seek>()) << "a drag is no click";
  EXPECT_NEAR(ui.drawer.zoom->low, zoomed.low + zoomed.length() / 4, 0.02 * zoomed.length());
  EXPECT_NEAR(ui.drawer.zoom->length(), zoomed.length(), 1e-9);
  click_here();
  EXPECT_FALSE(asked<request::Seek>());
  press_mouse(true);
  frame();
  EXPECT_FALSE(ui.drawer.zoom);
  press_mouse(false);
  for (int k = 0; k < 5; ++k) {
    frame(0.2f);
    EXPECT_FALSE(asked<request::Seek>()) << "a double click is no click";
  }
}

TEST_F(DrawerTest, ClickSeeks) {
  point_in(kArea, 0.5f);
  click_here();
  const auto* seek = asked<request::Seek>();
  ASSERT_TRUE(seek);
  EXPECT_NEAR(seek->position, 200, 2);
}

TEST_F(DrawerTest, ClickOnAZoomedAxisSeeksAfterTheTimeOfADoubleClick) {
  point_in(kArea, 0.5f);
  wheel(3);
  frame(1);
  click_here();
  EXPECT_FALSE(asked<request::Seek>());
  frame(0.5f);
  const auto* seek = asked<request::Seek>();
  ASSERT_TRUE(seek);
  EXPECT_NEAR(seek->position, 200, 2);
}

TEST_F(DrawerTest, AllPlotsShareTheCursor) {
  point_in("plot-energy-area", 0.75f);
  ASSERT_TRUE(ui.drawer.cursor);
  EXPECT_NEAR(*ui.drawer.cursor, 300, 2);
  move_mouse(500, 10);
  frame();
  EXPECT_FALSE(ui.drawer.cursor);
}

TEST_F(DrawerTest, ShowsTheLastSteps) {
  click("plots-200-steps");
  point_in(kArea, 0.01f);
  ASSERT_TRUE(ui.drawer.cursor);
  EXPECT_NEAR(*ui.drawer.cursor, 202, 2) << "200 steps of 0.1 in units of 10 Myr";
  wheel(1);
  ASSERT_TRUE(ui.drawer.zoom);
  click("plots-whole-run");
  EXPECT_FALSE(ui.drawer.zoom);
  point_in(kArea, 0.01f);
  ASSERT_TRUE(ui.drawer.cursor);
  EXPECT_NEAR(*ui.drawer.cursor, 4, 2);
}

TEST_F(DrawerTest, SwitchesTheYAxis) {
  const auto logarithmic = [&] { return ui.drawer.made.plots.front().plot.y.logarithmic; };
  EXPECT_TRUE(logarithmic());
  click("plot-energy-error-log");
  frame();
  EXPECT_FALSE(logarithmic());
  record();  // new samples keep the choice
  frame();
  EXPECT_FALSE(logarithmic());
  click("plot-energy-error-log");
  frame();
  EXPECT_TRUE(logarithmic());
  EXPECT_TRUE(find(kArea)) << "the buttons in the heading do not fold it";
}

TEST_F(DrawerTest, CopiesTheVisibleRange) {
  click("plots-200-steps");
  click("plot-energy-error-csv");
  const std::string table = ImGui::GetClipboardText();
  EXPECT_THAT(table, StartsWith("time [Myr],|ΔE/E|\n"));
  EXPECT_THAT(table, HasSubstr("\n400,0.0004\n"));
  EXPECT_LE(std::ranges::count(table, '\n'), 202);
  EXPECT_GE(std::ranges::count(table, '\n'), 201);
  EXPECT_THAT(ui.notices.shown.text, StartsWith("Copied as CSV: 20"));
}

TEST_F(DrawerTest, SavesSvgOrReportsWhyNot) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("pericenter-plots-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  ::setenv("XDG_PICTURES_DIR", folder.c_str(), 1);
  click("plot-energy-svg");
  const std::filesystem::path file = folder / "pericenter-collision-energy-0001.svg";
  EXPECT_THAT(ui.notices.shown.text, HasSubstr("Plot saved: " + file.string()));
  EXPECT_FALSE(ui.notices.shown.is_error);
  std::ifstream saved(file);
  const std::string svg{std::istreambuf_iterator<char>(saved), {}};
  EXPECT_THAT(svg, StartsWith("<?xml"));
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
  ::setenv("XDG_PICTURES_DIR", "/proc", 1);  // nobody can create a file there
  testing::internal::CaptureStderr();
  click("plot-energy-svg");
  const std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(ui.notices.shown.is_error);
  EXPECT_THAT(ui.notices.shown.text, HasSubstr("/proc"));
  EXPECT_THAT(printed, HasSubstr(ui.notices.shown.text));
  std::filesystem::remove_all(folder);
  ::unsetenv("XDG_PICTURES_DIR");
}

TEST_F(DrawerTest, AsksForTheRotationCurveOnlyWhileItIsVisible) {
  EXPECT_FALSE(ui.drawer.measures_rotation);
  ui.layout.side_bar.open["plot-rotation"] = true;
  frame();
  ASSERT_TRUE(asked<request::MeasureRotation>());
  EXPECT_TRUE(asked<request::MeasureRotation>()->measure);
  frame();
  EXPECT_FALSE(asked<request::MeasureRotation>()) << "once";
  ui.drawer.open = false;
  frame();
  ASSERT_TRUE(asked<request::MeasureRotation>());
  EXPECT_FALSE(asked<request::MeasureRotation>()->measure);
}

TEST_F(DrawerTest, SaysWhatWillAppear) {
  state.record = std::make_shared<LabRecord>();
  ++state.scene_serial;
  frame();
  EXPECT_FALSE(find(kArea));
  ASSERT_TRUE(find("plot-energy-error-empty"));
  EXPECT_EQ(find("plot-energy-error-empty")->label, "Values appear here while the simulation runs.");
  state.playback = TimeRange{0, 10};
  ++state.scene_serial;
  frame();
  EXPECT_THAT(find("plot-energy-error-empty")->label, HasSubstr("playback"));
  ui.commands.clear();
  click("plot-energy-csv");  // disabled
  EXPECT_THAT(ui.notices.shown.text, testing::Not(HasSubstr("Copied")));
}

TEST_F(DrawerTest, EveryControlHasATooltip) {
  frame();
  const std::vector<ItemLog::Item> items = log.items;
  int seen = 0;
  for (const ItemLog::Item& item : items) {
    if (item.x0 < window_width - ui.drawer.width || item.y1 > window_height - ui.layout.status_height ||
        item.id.ends_with("-area"))
      continue;
    point_at(item, 0.05f);
    for (int k = 0; k < 3; ++k) frame(0.5f);
    EXPECT_FALSE(log.tooltip.empty()) << item.id;
    ++seen;
  }
  EXPECT_GE(seen, 10);
}

TEST_F(DrawerTest, SizeIsStored) {
  StoredLook look;
  look.side_bar.drawer_width = 33;
  look.side_bar.drawer_height = 14;
  const auto in_context = [](StoredLook& stored, const auto& act) {
    ImGuiContext* before = ImGui::GetCurrentContext();
    ImGuiContext* context = ImGui::CreateContext();
    ImGui::SetCurrentContext(context);
    ImGui::GetIO().IniFilename = nullptr;
    store_look(stored);
    act();
    ImGui::DestroyContext(context);
    ImGui::SetCurrentContext(before);
  };
  std::string layout;
  in_context(look, [&] {
    std::size_t size = 0;
    const char* saved = ImGui::SaveIniSettingsToMemory(&size);
    layout.assign(saved, size);
  });
  StoredLook loaded;
  in_context(loaded, [&] { ImGui::LoadIniSettingsFromMemory(layout.c_str(), layout.size()); });
  EXPECT_EQ(loaded.side_bar.drawer_width, 33);
  EXPECT_EQ(loaded.side_bar.drawer_height, 14);
}

/// Share of the window that a plot of a lesson takes.
TEST_F(DrawerTest, PlotsOfLessonsAreLarge) {
  const float small = find("plot-energy-error-area")->y1 - find("plot-energy-error-area")->y0;
  ui.drawer.focused = "energy-error";
  frame();
  frame();
  const auto plot = find("focused-energy-error-area");
  ASSERT_TRUE(plot);
  EXPECT_GT(plot->y1 - plot->y0, 2 * small);
  EXPECT_FALSE(find("close-plots")) << "only the plot";
  EXPECT_FALSE(find("plot-separation"));
  // Labels have the size of the legend of a projector.
  EXPECT_NEAR(plot->x0 - (window_width - ui.drawer.width), 4.4f * fonts.sizes.legend, fonts.sizes.legend);
}

}  // namespace
}  // namespace pericenter::app
