#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/overlay/annotations.h"
#include "app/overlay/presenter_overlay.h"
#include "app/ui/hidden_results.h"
#include "tests/support/lesson_example.h"
#include "tests/support/panel_fixture.h"

// The cards of a lesson, and what they hide.

namespace pericenter::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Phase = LessonState::Phase;

class LessonCards : public Panels {
 protected:
  LessonCards() {
    set_window(1920, 1080);
    ui.layout.show_panel = false;
    ui.lesson = example_lesson();
    state.timeline = {.last = 400, .shown = 400};
  }

  void set_window(float width, float height, float projector = 1, float scale = 1) {
    window_width = width;
    window_height = height;
    set_scale(scale, projector_sizes(height, projector));
  }

  std::string label(const std::string& id) {
    const auto item = find(id);
    return item ? item->label : "no " + id;
  }

  /// Every item of a card is inside it, and the card inside the image.
  void expect_inside(const char* name, const std::string& when) {
    const ImGuiWindow* card = ImGui::FindWindowByName(name);
    ASSERT_TRUE(card && card->Active) << name << when;
    const ImRect rect = card->Rect();
    EXPECT_GE(rect.Min.x, 0) << when;
    EXPECT_GE(rect.Min.y, 0) << when;
    EXPECT_LE(rect.Max.x, window_width) << when;
    EXPECT_LE(rect.Max.y, window_height) << when;
    for (const ItemLog::Item& item : log.items) {
      if (item.window != name) continue;
      EXPECT_GE(item.x0, rect.Min.x) << item.id << when;
      EXPECT_LE(item.x1, rect.Max.x) << item.id << when;
      EXPECT_LE(item.y1, rect.Max.y) << item.id << when;
    }
  }

  /// Calls `check` for windows, projector sizes and UI scales.
  template <class Check>
  void at_all_sizes(const Check& check) {
    for (const ImVec2 size :
         {ImVec2{640, 360}, ImVec2{1024, 768}, ImVec2{1280, 720}, ImVec2{1920, 1080}, ImVec2{3840, 2160}}) {
      for (const float projector : {0.5f, 1.0f, 2.0f}) {
        for (const float scale : {1.0f, 2.0f}) {
          if (scale > largest_scale(size.x)) continue;
          set_window(size.x, size.y, projector, scale);
          for (int k = 0; k < 3; ++k) frame();
          check(" at " + std::to_string(size.x) + ", projector " + std::to_string(projector) + ", scale " +
                std::to_string(scale));
        }
      }
    }
  }

  /// A draw list has vertices in this rectangle.
  static bool has_drawn(const ImDrawList& list, ImVec2 low, ImVec2 high) {
    return std::ranges::any_of(list.VtxBuffer, [&](const ImDrawVert& vertex) {
      return vertex.pos.x > low.x && vertex.pos.x < high.x && vertex.pos.y > low.y && vertex.pos.y < high.y;
    });
  }
  bool has_pause_mark() {
    frame();
    return has_drawn(*ImGui::GetBackgroundDrawList(), {1920 - 70, 15}, {1920 - 15, 75});
  }
};

TEST_F(LessonCards, QuestionsWaitForAChoice) {
  frame();
  EXPECT_EQ(label("question"), "Which side grows long tails?");
  EXPECT_EQ(label("choice-1"), "the left side");
  EXPECT_EQ(label("choice-4"), "none");
  EXPECT_FALSE(find("explanation"));
  EXPECT_THAT(label("question-hint"), HasSubstr("1 to 4"));
  click("choice-2");
  EXPECT_THAT(ui.commands, ElementsAre(Command{Action::choose, 1}));
  EXPECT_THAT(tip_of("choice-2"), HasSubstr("key 2"));
}

// Regression: with UI scale 2 the card covered the upper part of a message.
TEST_F(LessonCards, QuestionsAreAboveMessages) {
  state.message = lesson_text(150);
  at_all_sizes([&](const std::string& when) {
    ++state.message_serial;
    for (int k = 0; k < 3; ++k) frame();
    const ImGuiWindow* const message = ImGui::FindWindowByName("Readout");
    ASSERT_TRUE(message && message->Active) << when;
    EXPECT_LE(ImGui::FindWindowByName("Question")->Rect().Max.y, message->Pos.y) << when;
  });
}

TEST_F(LessonCards, MessagesAreBesideThePlotOfTheSlide) {
  ui.drawer.open = true;
  ui.drawer.focused = "energy-error";
  set_notice("Press Esc again to leave the lesson.", false, now, ui);
  at_all_sizes([&](const std::string& when) {
    const ImGuiWindow *const message = ImGui::FindWindowByName("Readout"), *const plot =
                                                                               ImGui::FindWindowByName("Plots");
    EXPECT_LE(message->Rect().Max.x, plot->Pos.x > 0 ? plot->Pos.x + 1 : window_width) << when;
  });
}

TEST_F(LessonCards, AnswersAreMarkedByWords) {
  ui.lesson.phase = Phase::ended;
  ui.lesson.predicted = 2;
  frame();
  EXPECT_EQ(label("choice-1"), "the left side");
  EXPECT_EQ(label("choice-2"), "the right side: right");
  EXPECT_EQ(label("choice-3"), "both sides: predicted");
  EXPECT_EQ(label("explanation"), "On the right, stars keep pace with the passing galaxy.");
  ui.lesson.predicted = 1;
  frame();
  EXPECT_EQ(label("choice-2"), "the right side: right, as predicted");
  ui.lesson.predicted.reset();
  frame();
  EXPECT_EQ(label("choice-2"), "the right side: right") << "after a show of hands";
  click("choice-1");
  EXPECT_TRUE(ui.commands.empty());
}

TEST_F(LessonCards, AreOnlyShownInTheirPhase) {
  for (const Phase phase : {Phase::loading, Phase::running}) {
    ui.lesson.phase = phase;
    frame();
    EXPECT_FALSE(find("question"));
    EXPECT_EQ(ui.presentation.card_height, 0);
  }
  ui.lesson = {};
  frame();
  EXPECT_FALSE(find("question"));
}

TEST_F(LessonCards, QuestionsFitAtAllSizes) {
  auto lesson = std::make_shared<Lesson>(*ui.lesson.lesson);
  Slide& slide = lesson->slides[0];
  slide.question = {lesson_text(160)};
  slide.explanation = {lesson_text(300)};
  for (LessonText& choice : slide.choices) choice = {lesson_text(70)};
  ui.lesson.lesson = lesson;
  ui.lesson.predicted = 0;
  for (const Phase phase : {Phase::question, Phase::ended}) {
    ui.lesson.phase = phase;
    at_all_sizes([&](const std::string& when) {
      expect_inside("Question", when);
      for (const char* id : {"choice-1", "choice-2", "choice-3", "choice-4", "question-hint"})
        ASSERT_TRUE(find(id)) << id << when;
      EXPECT_LE(find("choice-1")->y1, find("choice-3")->y0 + 0.5f) << when;
      EXPECT_LE(ui.presentation.card_height, window_height) << when;
    });
  }
}

// Regression: with UI scale 2 and a plot beside the image, the card covered the second readout.
TEST_F(LessonCards, AnswersAreBelowTheReadouts) {
  auto lesson = std::make_shared<Lesson>(*ui.lesson.lesson);
  Slide& slide = lesson->slides[0];
  slide.choices.resize(3);
  slide.explanation = {lesson_text(170)};
  slide.readouts = {Readout::force_error, Readout::step_time};
  ui.lesson.lesson = lesson;
  ui.lesson.phase = Phase::ended;
  set_window(768, 720);
  set_scale(2, projector_sizes(window_height, 1, 2));
  for (int k = 0; k < 3; ++k) frame();
  const float corner = height_of_corner(fonts, class_view(ui, now), window_width);
  EXPECT_GT(corner, 5 * fonts.sizes.legend);
  EXPECT_LT(corner, window_height - ui.presentation.card_height);
}

// Regression: the last line of a German card was cut.
TEST_F(LessonCards, TheKeysMayNeedTwoLines) {
  auto lesson = std::make_shared<Lesson>(*ui.lesson.lesson);
  lesson->language = "de";
  ui.lesson.lesson = lesson;
  set_window(500, 900, 2);
  for (int k = 0; k < 3; ++k) frame();
  ASSERT_GT(find("question-hint")->y1 - find("question-hint")->y0, 1.5f * ImGui::GetFontSize());
  const float padding = 0.5f * fonts.sizes.caption;
  EXPECT_LE(find("question-hint")->y1 + padding, ImGui::FindWindowByName("Question")->Rect().Max.y);
}

TEST_F(LessonCards, QuestionsHave32Pixels) {
  frame();
  EXPECT_NEAR(find("question")->y1 - find("question")->y0, 32, 1);
  EXPECT_GE(find("choice-1")->y1 - find("choice-1")->y0, 1.4f * 32);
}

TEST_F(LessonCards, ShortChoicesAreInTwoColumns) {
  frame();
  EXPECT_EQ(find("choice-1")->y0, find("choice-2")->y0);
  EXPECT_LT(find("choice-2")->y1, find("choice-3")->y0);
}

TEST_F(LessonCards, LongChoicesHaveALineEach) {
  auto lesson = std::make_shared<Lesson>(*ui.lesson.lesson);
  lesson->slides[0].choices[3] = {lesson_text(45)};
  ui.lesson.lesson = lesson;
  frame();
  EXPECT_LE(find("choice-1")->y1, find("choice-2")->y0);
  EXPECT_LT(find("choice-4")->y1 - find("choice-4")->y0, 2 * 32);
}

TEST_F(LessonCards, TitleCardSaysWhatIsToCome) {
  ui.lesson.phase = Phase::title;
  frame();
  EXPECT_EQ(label("lesson-title"), "Tails need spin");
  EXPECT_EQ(label("lesson-facts"), "3 minutes  ·  age 14 and up");
  EXPECT_EQ(label("lesson-goal"), "You can say why one galaxy grows long tails.");
  EXPECT_EQ(label("lesson-start"), "next");
  EXPECT_FALSE(find("lesson-warning"));
  ui.lesson.warning = "This computer shows 12,000 bodies instead of 60,000.";
  frame();
  EXPECT_EQ(label("lesson-warning"), "▲ This computer shows 12,000 bodies instead of 60,000.");
  EXPECT_FALSE(find("question"));
  at_all_sizes([&](const std::string& when) { expect_inside("Lesson", when); });
}

TEST_F(LessonCards, TeachersNoteIsAtTheSide) {
  frame();
  EXPECT_FALSE(find("teacher-note"));
  ui.lesson.shows_note = true;
  frame();
  frame();
  EXPECT_EQ(label("teacher-note"), "Ask first: which stars stay near the other galaxy longest?");
  EXPECT_EQ(label("misconceptions"), "• Stars of two galaxies hit each other.");
  EXPECT_EQ(label("lesson-note"), "Vote by a show of hands.");
  EXPECT_GT(find("teacher-note")->x0, 1920 / 2);
  at_all_sizes([&](const std::string& when) {
    const ImGuiWindow* note = ImGui::FindWindowByName("Note");
    EXPECT_LE(note->Rect().Max.x, window_width) << when;
    EXPECT_LE(note->Rect().Max.y, window_height) << when;
  });
}

TEST_F(LessonCards, AQuestionHidesResultsInTheSideBar) {
  ui.layout.show_panel = true;
  ui.drawer.open = true;
  state.health.level = HealthLevel::poor;
  state.health.reason = "The mean force error is 2 %.";
  for (const Panel& panel : panels()) ui.layout.side_bar.open[std::string(panel.heading.id)] = true;
  window_height = kHeight;
  frame();
  frame();
  EXPECT_EQ(label("clock"), "?");
  EXPECT_EQ(label("health"), kHiddenResult);
  for (const char* id : {"timeline", "timeline-clock", "energy-error", "health-reason", "plot-energy", "cost-error",
                         "comparison-ms-a", "probe", "pericenter-forecast"})
    EXPECT_FALSE(find(id)) << id;
  for (const char* id : {"hidden-readouts-panel", "hidden-accuracy-panel", "hidden-tree-panel", "hidden-plots"})
    EXPECT_TRUE(find(id)) << id;
  ui.lesson.phase = Phase::running;
  frame();
  frame();
  EXPECT_THAT(label("clock"), HasSubstr("Myr"));
  EXPECT_TRUE(find("timeline"));
  EXPECT_TRUE(find("energy-error"));
  EXPECT_FALSE(find("hidden-plots"));
}

TEST_F(LessonCards, PanelsWithResultsAreHidden) {
  for (const std::string_view id : {"readouts-panel", "playback-panel", "encounter-panel", "ablation-panel",
                                    "accuracy-panel", "comparison-panel", "timings-panel", "color-panel", "tree-panel"})
    EXPECT_TRUE(std::ranges::any_of(panels(), [&](const Panel& panel) {
      return panel.heading.id == id && panel.shows == Panel::Shows::results;
    })) << id;
}

TEST_F(LessonCards, TheTimelineStaysHiddenWhileAQuestionWaits) {
  state.timeline.rewound = true;
  frame();
  EXPECT_FALSE(find("timeline")) << "it has the marks of later events";
  ui.lesson.phase = Phase::running;
  frame();
  EXPECT_TRUE(find("timeline"));
}

TEST_F(LessonCards, APauseHasAMark) {
  ui.lesson.phase = Phase::running;
  state.running = false;
  EXPECT_TRUE(has_pause_mark());
  state.running = true;
  EXPECT_FALSE(has_pause_mark());
  state.running = false;
  ui.lesson.phase = Phase::title;
  EXPECT_FALSE(has_pause_mark());
  ui.lesson = {};
  EXPECT_FALSE(has_pause_mark());
  ui.presentation.full_screen = true;
  EXPECT_TRUE(has_pause_mark());
}

TEST_F(LessonCards, BlankScreenCoversEverythingAndItsHintFades) {
  ui.lesson.blank = true;
  ui.lesson.slide = 1;
  ui.view.theme = Theme::light;
  frame();
  const ImDrawList& over = *ImGui::GetForegroundDrawList();
  const auto is_corner = [](const ImDrawVert& vertex) {
    return vertex.pos.x == 1920 && vertex.pos.y == 1080 && vertex.col == IM_COL32_BLACK;
  };
  EXPECT_TRUE(std::ranges::any_of(over.VtxBuffer, is_corner));
  EXPECT_GT(over.VtxBuffer.Size, 4) << "B: show";
  EXPECT_TRUE(presenter_changes(ui, now));
  frame(2.1f);
  EXPECT_EQ(over.VtxBuffer.Size, 4);
  EXPECT_FALSE(presenter_changes(ui, now + 1));
  ui.lesson.blank = false;
  frame();
  EXPECT_EQ(over.VtxBuffer.Size, 0);
}

TEST_F(LessonCards, KeysPressedAreShownForTwoSeconds) {
  ui.lesson.phase = Phase::running;
  ui.presentation.keys = {{"→", now + 2}, {"B", now + 4}};
  frame();
  const ImDrawList& over = *ImGui::GetForegroundDrawList();
  EXPECT_TRUE(has_drawn(over, {1920 - 200, 1080 - 100}, {1920, 1080}));
  frame(2.1f);
  ASSERT_EQ(ui.presentation.keys.size(), 1u);
  EXPECT_EQ(ui.presentation.keys[0].text, "B");
  frame(2.1f);
  EXPECT_EQ(over.VtxBuffer.Size, 0);
}

TEST_F(LessonCards, TheFirstSlideShowsItsKeysForFiveSeconds) {
  ui.lesson.phase = Phase::running;
  const auto has_keys = [&] { return has_drawn(*ImGui::GetBackgroundDrawList(), {700, 1080 - 40}, {1220, 1080}); };
  frame();
  EXPECT_TRUE(has_keys());
  frame(5.1f);
  EXPECT_FALSE(has_keys());
  ui.lesson.slide = 1;
  frame();
  ui.lesson.slide = 0;
  frame();
  EXPECT_FALSE(has_keys()) << "only once";
  ui.lesson = {};
  frame();
  ui.lesson = example_lesson();
  frame();
  EXPECT_TRUE(has_keys());
}

TEST_F(LessonCards, AStationShowsItsKeysOnTheFirstSlideForGood) {
  ui.presentation.station = true;
  ui.lesson.phase = Phase::running;
  const auto has_keys = [&] { return has_drawn(*ImGui::GetBackgroundDrawList(), {700, 1080 - 40}, {1220, 1080}); };
  for (int k = 0; k < 20; ++k) frame(1);
  EXPECT_TRUE(has_keys());
  ui.lesson.slide = 1;
  frame();
  EXPECT_FALSE(has_keys());
}

TEST_F(LessonCards, ControlsAreInTheCameraPanel) {
  ui.layout.show_panel = true;
  ui.layout.side_bar.open["camera-panel"] = true;
  window_height = kHeight;
  EXPECT_THAT(tip_of("projector-size"), HasSubstr("48, 32 and 24 pixels at 1080 lines"));
  click("show-pressed-keys");
  EXPECT_TRUE(ui.presentation.shows_keys);
}

}  // namespace
}  // namespace pericenter::app
