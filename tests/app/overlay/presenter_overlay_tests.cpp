#include "app/overlay/presenter_overlay.h"

#include <gmock/gmock.h>
#include <imgui.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "app/overlay/readouts.h"
#include "tests/support/lesson_example.h"

// What a class sees over the image: sizes in pixels, places, and what a question hides.

namespace pericenter::app {
namespace {

struct Area {
  float left = 1e9f, top = 1e9f, right = -1e9f, bottom = -1e9f;
  bool empty() const { return left > right; }
  bool touches(const Area& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

class Presenter : public testing::Test {
 protected:
  Presenter() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    state.scene = "collision";
    state.units = {3.5, 13.8, 248};
    state.bodies = 20'000;
    camera.fit(20);
    ui.view.guides = {.grid = false, .axes = false, .scale_bar = false, .legend = false};
    shown.large = true;
  }
  ~Presenter() override { ImGui::DestroyContext(); }

  void set_size(ImVec2 size, float projector_size = 1) {
    window = size;
    fonts = apply_style(1, ui.view.theme, projector_sizes(size.y, projector_size));
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    ImGui::GetIO().DisplaySize = size;
  }

  /// Vertices of the annotations.
  std::vector<ImDrawVert> drawn(bool clock = false) {
    ImGui::GetIO().DeltaTime = 0.1f;
    ImGui::NewFrame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const AnnotatedFrame frame{.state = state,
                               .view = ui.view,
                               .overlay = overlay_data(ui),
                               .camera = camera,
                               .time = 28.3,
                               .clock = clock,
                               .shown = shown,
                               .covered = covered,
                               .reserves_mark = true};
    draw_annotations(list, fonts, 1, frame, {0, 0}, window);
    std::vector<ImDrawVert> vertices(list.VtxBuffer.begin(), list.VtxBuffer.end());
    ImGui::EndFrame();
    return vertices;
  }
  Area area(bool clock = false) { return bounds(drawn(clock)); }
  static Area bounds(const std::vector<ImDrawVert>& vertices) {
    Area all;
    for (const ImDrawVert& vertex : vertices) {
      all.left = std::min(all.left, vertex.pos.x);
      all.right = std::max(all.right, vertex.pos.x);
      all.top = std::min(all.top, vertex.pos.y);
      all.bottom = std::max(all.bottom, vertex.pos.y);
    }
    return all;
  }

  /// Captions are inside the image, and touch neither scale bar nor axes.
  void expect_free(const std::string& when) {
    for (const bool axes : {false, true}) {
      ui.view.guides = {.grid = axes, .axes = axes, .scale_bar = true, .legend = false};
      const std::vector<ImDrawVert> all = drawn();
      const ClassView words = std::exchange(shown, {.large = true});
      const std::size_t guides = drawn().size();
      shown = words;
      ASSERT_GT(all.size(), guides) << when;
      const Area captions = bounds({all.begin() + static_cast<std::ptrdiff_t>(guides), all.end()});
      EXPECT_GE(captions.left, 0) << when;
      EXPECT_LE(captions.right, window.x) << when;
      EXPECT_LT(captions.bottom, window.y) << when;
      ui.view.guides.grid = false;
      shown = {.large = true};
      ui.view.guides.axes = false;
      EXPECT_FALSE(captions.touches(area())) << when << ": scale bar";
      ui.view.guides = {.grid = false, .axes = axes, .scale_bar = false, .legend = false};
      EXPECT_FALSE(captions.touches(area())) << when << ": axes";
      shown = words;
    }
  }

  SessionState state;
  UiState ui;
  render::Camera camera;
  Fonts fonts;
  ImVec2 window{1920, 1080};
  ClassView shown;
  float covered = 0;
};

TEST_F(Presenter, ClockIs48PixelsAndTheRest24) {
  for (const float size : {0.5f, 1.0f, 2.0f}) {
    set_size({1920, 1080}, size);
    const Area all = area(true);
    const float clock = 48 * size, small = 24 * size, top = 0.8f * 0.9f * small;
    const float words = fonts.clock->CalcTextSizeA(clock, 1e9f, 0, "391 Myr").x;
    const float bodies = fonts.legend->CalcTextSizeA(small, 1e9f, 0, "20,000 bodies").x;
    EXPECT_NEAR(all.right, 0.9f * small + std::max(words, bodies), 0.2f * small) << size;
    EXPECT_NEAR(all.bottom, top + 1.25f * clock + small, 0.4f * small) << size;
  }
}

// Regression: on a busy machine, a window with a lesson showed nothing but the sky for seconds.
TEST_F(Presenter, AnEmptyImageSaysWhatItWaitsFor) {
  set_size({1280, 720});
  const auto words = [&](double now) {
    ImGui::GetIO().DeltaTime = 0.1f;
    ImGui::NewFrame();
    draw_presenter({.simulation = state, .now = now}, fonts, ui);
    const ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const Area at = bounds({list.VtxBuffer.begin(), list.VtxBuffer.end()});
    ImGui::EndFrame();
    return at;
  };
  state.busy = true;
  EXPECT_TRUE(words(1).empty()) << "it may come at once";
  const Area at = words(1.5);
  ASSERT_FALSE(at.empty());
  EXPECT_NEAR((at.left + at.right) / 2, 640, 3);
  EXPECT_NEAR((at.top + at.bottom) / 2, 360, 8);
  state.next_bodies = 100;
  EXPECT_TRUE(words(2).empty()) << "there are stars";
  state.next_bodies = 0;
  state.scene_serial = 1;
  EXPECT_TRUE(words(3).empty()) << "the scene before stays";
  state = {};
  EXPECT_TRUE(words(4).empty()) << "nothing will come";
}

// Regression: at twice the size, the title was written over the label of a comparison.
TEST_F(Presenter, ALongTitleHasSeveralLines) {
  ui.view.guides.legend = false;
  set_size({1280, 720}, 1);
  shown.title = "Tails need spin · 1 / 1";
  const float one_line = area(true).bottom;
  shown.title = "Tails need spin · 1 / 1 · to the end of the run … 27 % · → skips";
  EXPECT_EQ(area(true).bottom, one_line);
  window.x = 420;
  EXPECT_LE(area(true).right, window.x);
  EXPECT_GT(area(true).bottom, one_line);
}

TEST_F(Presenter, LegendIsBelowTheMarkOfAPause) {
  set_size({1920, 1080});
  ui.view.guides.legend = true;
  EXPECT_GE(area().top, 48 + 0.9f * 24);
}

TEST_F(Presenter, ReadoutsAreLargeAndBelowTheClock) {
  set_size({1920, 1080});
  const Area without = area(true);
  state.health.energy_error = {.now = -2.13e-5, .worst = 3e-5, .level = HealthLevel::good};
  shown.readouts = {Readout::trust, Readout::energy_error};
  const Area with = area(true);
  EXPECT_NEAR(with.bottom - without.bottom, 2 * 1.25f * 32, 12);
  EXPECT_NEAR(with.right, 0.9f * 24 + fonts.caption->CalcTextSizeA(32, 1e9f, 0, "energy error 0.0021 %").x, 8);
}

TEST_F(Presenter, ReadoutsHaveUnits) {
  const auto words = [&](Readout readout) { return readout_text(readout, state, Theme::dark).words; };
  EXPECT_EQ(words(Readout::step_time), "– ms per step");
  EXPECT_EQ(words(Readout::force_error), "force error – %");
  state.bodies_per_second = 4e5;
  state.health.force_error = {.now = 0.00071, .worst = 0.02, .level = HealthLevel::poor};
  state.health.energy_error = {.now = -2.13e-5, .worst = 3e-5, .level = HealthLevel::good};
  state.health.level = HealthLevel::poor;
  EXPECT_EQ(words(Readout::step_time), "50 ms per step");
  EXPECT_EQ(words(Readout::force_error), "force error 0.071 %");
  EXPECT_EQ(words(Readout::energy_error), "energy error 0.0021 %");
  EXPECT_EQ(words(Readout::trust), "■ Not trustworthy");
  const auto color = readout_text(Readout::force_error, state, Theme::dark).color;
  ASSERT_TRUE(color);
  EXPECT_EQ(color->x, look_of(HealthLevel::good, Theme::dark).color.x) << "of the value that is shown";
  state.health.energy_error.now = 3e-9;
  EXPECT_EQ(words(Readout::energy_error), "energy error below 0.0001 %");
}

TEST_F(Presenter, CaptionsAreInsideAndFree) {
  shown.caption = lesson_text(240);
  shown.narration = lesson_text(120);
  for (const ImVec2 size : {ImVec2{640, 360}, ImVec2{1024, 768}, ImVec2{1280, 720}, ImVec2{1920, 1080},
                            ImVec2{3840, 2160}, ImVec2{600, 900}}) {
    for (const float projector : {0.5f, 1.0f, 2.0f}) {
      set_size(size, projector);
      for (const float radius : {20.0f, 15.0f, 11.0f, 8.0f}) {  // scale bars of different lengths
        camera.fit(radius);
        expect_free(std::to_string(size.x) + " × " + std::to_string(projector));
      }
    }
  }
}

TEST_F(Presenter, CaptionsAreAboveACard) {
  set_size({1920, 1080});
  shown.caption = lesson_text(100);
  const float without = area().bottom;
  covered = 400;
  EXPECT_LT(area().bottom, 1080 - 400);
  EXPECT_LT(area().bottom, without);
}

// Regression: with large text the sentence was over the galaxies, of which the card left a strip.
TEST_F(Presenter, TheNarratorLeavesAStripOfStarsFree) {
  set_size({1920, 1080});
  shown.narration = lesson_text(50);
  covered = 500;
  EXPECT_FALSE(area().empty());
  covered = 600;
  EXPECT_TRUE(area().empty());
}

TEST_F(Presenter, LinesHaveAbout60Characters) {
  set_size({1920, 1080});
  const std::string words = lesson_text(240);
  const std::vector<std::string> lines = wrapped(*fonts.caption, 32, words, 60 * 0.56f * 32);
  EXPECT_EQ(lines.size(), 4u);
  std::size_t longest = 0, shortest = 1000;
  for (const std::string& line : lines) {
    longest = std::max(longest, line.size());
    shortest = std::min(shortest, line.size());
    EXPECT_LE(fonts.caption->CalcTextSizeA(32, 1e9f, 0, line.c_str()).x, 60 * 0.56f * 32);
  }
  EXPECT_LE(longest, 68u);
  EXPECT_GE(shortest, longest / 2) << "lines of about equal length";
  const std::string joined =
      std::accumulate(lines.begin() + 1, lines.end(), lines.front(),
                      [](const std::string& all, const std::string& line) { return all + " " + line; });
  EXPECT_EQ(joined, words);
}

TEST_F(Presenter, TextIsSmallerWhereThereIsLittleRoom) {
  set_size({1280, 720});
  const PlateLine text{lesson_text(120), fonts.caption, 43, {1, 1, 1, 1}};
  const auto height = [](const std::vector<PlateLine>& lines) {
    return 1.25f * lines[0].size * static_cast<float>(lines.size());
  };
  EXPECT_EQ(fitted_lines({text}, {600, 1000})[0].size, 43);
  const std::vector<PlateLine> small = fitted_lines({text}, {600, 110});
  EXPECT_LE(height(small), 110);
  EXPECT_GT(small[0].size, 21);
  EXPECT_EQ(fitted_lines({text}, {600, 5})[0].size, 22) << "not illegible";
}

TEST_F(Presenter, WrapsLineFeedsAndLongWords) {
  set_size({1920, 1080});
  EXPECT_EQ(wrapped(*fonts.caption, 32, "one\ntwo", 500), (std::vector<std::string>{"one", "two"}));
  std::string umlauts;
  for (int k = 0; k < 30; ++k) umlauts += "ü";
  for (const std::string& line : wrapped(*fonts.caption, 32, umlauts, 10)) EXPECT_EQ(line, "ü");
  EXPECT_TRUE(wrapped(*fonts.caption, 32, "", 500).empty());
  for (const std::string& line : wrapped(*fonts.caption, 32, "that makes 1,999,000 pairs", 280))
    EXPECT_FALSE(line.ends_with(',')) << line;
  EXPECT_EQ(broken(*fonts.caption, 32, "that makes 1,999,000 pairs", 280), "that makes\n1,999,000 pairs");
  EXPECT_EQ(broken(*fonts.caption, 32, "\none\n", 500), "\none");
}

TEST_F(Presenter, AQuestionHidesClockProbeAndNumbersOfTheLegend) {
  set_size({1920, 1080});
  const auto vertices = [&](bool hidden) {
    shown.hides_results = hidden;
    return drawn(true).size();
  };
  EXPECT_LT(vertices(true), vertices(false)) << "? Myr instead of 391 Myr";
  const std::size_t plain = vertices(true);
  ui.stars.probe.emplace();
  ui.stars.probe->cells = 17;
  EXPECT_EQ(vertices(true), plain);
  EXPECT_GT(vertices(false), plain);
  ui.stars.probe.reset();
  ui.view.guides.legend = true;
  ui.view.image.color = render::ColorMode::speed;
  ui.view.image.low = 0;
  ui.view.image.high = 300;
  shown.hides_results = true;
  const std::size_t hidden = drawn().size();
  shown.hides_results = false;
  EXPECT_LT(hidden, drawn().size());
}

TEST_F(Presenter, ALessonSaysThatAResultCannotBeTrusted) {
  set_size({1920, 1080});
  shown.title = "Break it · 2 / 5";
  const auto lines = [&](HealthLevel level) {
    state.health.level = level;
    return area(true).bottom;
  };
  EXPECT_EQ(lines(HealthLevel::good), lines(HealthLevel::fair));
  EXPECT_GT(lines(HealthLevel::poor), lines(HealthLevel::good) + 20);
  shown.hides_results = true;
  EXPECT_EQ(lines(HealthLevel::poor), lines(HealthLevel::good));
}

TEST(ClassViews, FollowTheLesson) {
  UiState ui;
  EXPECT_FALSE(class_view(ui, 0).large);
  ui.layout.show_panel = false;
  EXPECT_FALSE(class_view(ui, 0).large) << "a window";
  ui.presentation.full_screen = true;
  EXPECT_TRUE(class_view(ui, 0).large);
  ui.lesson = example_lesson();
  ui.layout.show_panel = true;
  ui.lesson.phase = LessonState::Phase::title;
  EXPECT_TRUE(class_view(ui, 0).large);
  EXPECT_EQ(class_view(ui, 0).caption, "") << "the title card comes first";
  ui.lesson.phase = LessonState::Phase::running;
  EXPECT_EQ(class_view(ui, 0).title, "Tails need spin · 1 / 3");
  EXPECT_EQ(class_view(ui, 0).caption, "Two discs fall towards each other.");
  ui.lesson.phase = LessonState::Phase::loading;
  EXPECT_EQ(class_view(ui, 0).title, "Tails need spin · 1 / 3 · loading …");
  ui.lesson.phase = LessonState::Phase::ended;
  EXPECT_EQ(class_view(ui, 0).caption, "") << "the card has the explanation";
  ui.lesson.phase = LessonState::Phase::running;
  ui.lesson.wording = Wording::technical;
  EXPECT_EQ(class_view(ui, 0).caption, "A prograde encounter.");
}

TEST(ClassViews, HaveTheSentenceOfTheNarratorForAWhile) {
  UiState ui;
  ui.captions.narration = {true, "The first tails.", 20};
  EXPECT_EQ(class_view(ui, 19).narration, "The first tails.");
  EXPECT_TRUE(presenter_changes(ui, 19));
  EXPECT_EQ(class_view(ui, 20).narration, "");
  EXPECT_FALSE(presenter_changes(ui, 21));
  ui.captions.narration.on = false;
  EXPECT_EQ(class_view(ui, 19).narration, "");
  ui.captions.narration.on = true;
  ui.lesson = example_lesson();
  ui.lesson.phase = LessonState::Phase::question;
  EXPECT_EQ(class_view(ui, 19).narration, "") << "it may tell the answer";
}

}  // namespace
}  // namespace pericenter::app
