#include <algorithm>
#include <string>

#include "app/bars/bars.h"
#include "app/base/format.h"
#include "app/lessons/lesson_words.h"
#include "app/overlay/presenter_overlay.h"
#include "app/ui/imgui_versions.h"
#include "app/widgets/card.h"

// The cards of a lesson over the image.
namespace pericenter::app {
namespace {

using LessonPhase = LessonState::Phase;

constexpr float kNoteAlpha = 0.98f;

/// In the middle of the image, before the first slide.
void draw_title_card(const Fonts& fonts, UiState& ui) {
  const Lesson& lesson = *ui.lesson.lesson;
  const Palette& colors = palette(ui.view.theme);
  const ImageRect image = image_rect(ui);
  const CardFont title{fonts.clock}, body{fonts.caption}, small{fonts.legend};
  const float padding = 1.2f * body.size();
  const float width = std::min(image.size().x - 4 * padding, 36 * body.size());
  ImGui::SetNextWindowPos({(image.low.x + image.high.x) / 2, (image.low.y + image.high.y) / 2}, ImGuiCond_Always,
                          {0.5f, 0.5f});
  ImGui::SetNextWindowSize({width + 2 * padding, 0});
  begin_card("Lesson", padding, kCardAlpha, ui);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0.6f * body.size()});
  const std::string minutes = text(lesson.minutes == 1 ? "%g minute" : "%g minutes", lesson.minutes);
  const std::string facts = lesson_words(minutes, ui.lesson) + "  ·  " + lesson.audience;
  const std::string warning = ui.lesson.warning.empty() ? "" : lesson_words("▲ " + ui.lesson.warning, ui.lesson);
  card_text(title, {"lesson-title", lesson.title.in(ui.lesson.wording), colors.text}, width, ui);
  card_text(small, {"lesson-facts", facts, colors.dim}, width, ui);
  card_text(body, {"lesson-goal", lesson.goal.in(ui.lesson.wording), colors.text}, width, ui);
  card_text(small, {"lesson-warning", warning, colors.caution}, width, ui);
  card_key(small, {"lesson-start", lesson_words("next", ui.lesson), colors.dim}, "→", ui);
  ImGui::PopStyleVar();
  end_card();
}

void note_part(const Fonts& fonts, const char* heading, const CardText& part, float width, UiState& ui) {
  if (part.words.empty()) return;
  const std::string id = std::string(part.id) + "-heading";
  card_text({fonts.legend}, {id, lesson_words(heading, ui.lesson), palette(ui.view.theme).accent}, width, ui);
  card_text({fonts.legend}, part, width, ui);
}

/// On the right of the image.
void draw_note(const Fonts& fonts, UiState& ui) {
  const Lesson& lesson = *ui.lesson.lesson;
  const ImageRect image = image_rect(ui);
  const float size = imgui::size_of(*fonts.legend), padding = 0.9f * size;
  const float width = std::clamp(26 * size, 0.2f * image.size().x, 0.45f * image.size().x) - 2 * padding;
  const float top = image.low.y + padding, most = image.size().y - 2 * padding;
  ImGui::SetNextWindowPos({image.high.x - padding, top}, ImGuiCond_Always, {1, 0});
  ImGui::SetNextWindowSizeConstraints({width + 2 * padding, 0}, {width + 2 * padding, most});
  ImGui::SetNextWindowSize({width + 2 * padding, 0});
  begin_card("Note", padding, kNoteAlpha, ui);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0.4f * size});
  const Palette& colors = palette(ui.view.theme);
  const std::string note = ui.lesson.current().notes;
  std::string beliefs;
  for (const LessonText& belief : lesson.misconceptions)
    beliefs += (beliefs.empty() ? "• " : "\n• ") + belief.in(ui.lesson.wording);
  note_part(
      fonts, "Teacher's note",
      {"teacher-note", note.empty() ? lesson_words("There is none for this slide.", ui.lesson) : note, colors.text},
      width, ui);
  note_part(fonts, "What pupils often believe", {"misconceptions", beliefs, colors.text}, width, ui);
  note_part(fonts, "The whole lesson", {"lesson-note", lesson.notes, colors.text}, width, ui);
  card_key({fonts.legend}, {"note-hint", lesson_words("close", ui.lesson), colors.dim}, "?", ui);
  ImGui::PopStyleVar();
  end_card();
}

}  // namespace

void draw_lesson_cards(const UiFrame& /*frame*/, const Fonts& fonts, UiState& ui) {
  ui.presentation.card_height = 0;
  const LessonState& lesson = ui.lesson;
  if (!lesson.on() || lesson.slide >= lesson.lesson->slides.size()) return;
  if (lesson.phase == LessonPhase::title) draw_title_card(fonts, ui);
  if (lesson.waits_for_prediction() || shows_answer(lesson)) draw_question_card(fonts, ui);
  if (lesson.shows_note) draw_note(fonts, ui);
}

}  // namespace pericenter::app
