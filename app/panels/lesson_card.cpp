#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>
#include <vector>

#include "app/base/format.h"
#include "app/overlay/presenter_overlay.h"
#include "app/panels/panels.h"

// The cards of a lesson over the image.
namespace pericenter::app {
namespace {

using LessonPhase = LessonState::Phase;

constexpr float kCardChars = 64, kCharWidth = 0.56f;  // of a line, and their width in units of the font size
constexpr float kLargestCard = 0.6f;                  // of the height of the image, with text of the full size
constexpr float kCardAlpha = 0.93f;
constexpr ImGuiWindowFlags kCardFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                        ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav;

/// A font and its size in pixels.
struct CardFont {
  ImFont* font;
  float size() const { return font->FontSize; }
  float height(const std::string& words, float width) const {
    return words.empty() ? 0 : font->CalcTextSizeA(size(), FLT_MAX, width, words.c_str()).y;
  }
  float width(const std::string& words) const { return font->CalcTextSizeA(size(), FLT_MAX, 0, words.c_str()).x; }
};

void begin_card(const char* name, float padding, const UiState& ui) {
  ImVec4 background = palette(ui.view.theme).panel;
  background.w = kCardAlpha;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, 0.7f * padding});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.4f * padding);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, background);
  ImGui::Begin(name, nullptr, kCardFlags);
}

void end_card() {
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

/// Text that wraps at `width` pixels.
void card_text(const CardFont& font, const widgets::Control& control, float width, const ImVec4& color, UiState& ui) {
  if (control.label.empty()) return;
  ImGui::PushFont(font.font);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(control.label.data(), control.label.data() + control.label.size());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  widgets::describe(ui, control);
}

/// A tick or a cross as high as a letter.
void draw_answer_mark(bool right, ImVec2 at, float size, ImU32 color) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float thick = std::max(2.0f, 0.13f * size);
  const auto point = [&](float x, float y) { return ImVec2{at.x + x * size, at.y + y * size}; };
  if (right) {
    const ImVec2 tick[] = {point(0.08f, 0.55f), point(0.36f, 0.84f), point(0.92f, 0.16f)};
    draw.AddPolyline(tick, 3, color, 0, thick);
    return;
  }
  draw.AddLine(point(0.14f, 0.16f), point(0.86f, 0.86f), color, thick);
  draw.AddLine(point(0.86f, 0.16f), point(0.14f, 0.86f), color, thick);
}

/// A choice of a question, and after the run what became of it.
struct Choice {
  std::string text;
  bool predicted = false, right = false, ended = false;

  const char* verdict() const {
    if (!ended) return "";
    if (right) return predicted ? "right, as predicted" : "right";
    return predicted ? "your prediction" : "";
  }
};

std::vector<Choice> choices_of(const LessonState& lesson) {
  std::vector<Choice> choices;
  const Slide& slide = lesson.current();
  for (std::size_t k = 0; k < slide.choices.size(); ++k)
    choices.push_back({slide.choices[k].in(lesson.wording), lesson.predicted == k, slide.answer == k,
                       lesson.phase == LessonPhase::ended});
  return choices;
}

/// Question and answer of a slide, laid out for a width.
class QuestionCard {
 public:
  QuestionCard(const LessonState& lesson, const Fonts& fonts, float width)
      : lesson_(lesson), small_{fonts.legend}, choices_(choices_of(lesson)), width_(width) {
    text_ = {fonts.caption};
    ended_ = lesson.phase == LessonPhase::ended;
    question_ = lesson.current().question.in(lesson.wording);
    explanation_ = ended_ ? lesson.current().explanation.in(lesson.wording) : "";
    hint_ = ended_             ? "→ next"
            : choices_.empty() ? "→ run"
                               : text("Keys 1 to %zu: your prediction  ·  → run without one", choices_.size());
  }
  /// Smaller text, if the card would be too high.
  void fit(float height) {
    if (content_height() > height) text_ = small_;
  }

  float padding() const { return 0.7f * text_.size(); }
  float content_height() const {
    float height = question_font().height(question_, width_) + gap();
    for (const Choice& choice : choices_) height += row_height(choice) + gap() / 2;
    if (!explanation_.empty()) height += text_.height(explanation_, width_) + 2 * gap();
    return height + small_.size() + gap();
  }

  void draw(UiState& ui) {
    const Palette& colors = palette(ui.view.theme);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, gap() / 2});
    card_text(question_font(), {"question", question_, "The question of this slide. The run gives the answer."}, width_,
              ended_ ? colors.dim : colors.text, ui);
    for (std::size_t k = 0; k < choices_.size(); ++k) draw_choice(k, ui);
    card_text(text_, {"explanation", explanation_, "Why the run did this."}, width_, colors.text, ui);
    card_text(small_, {"question-hint", hint_, "Keys; a clicker's forward key is → too."}, width_, colors.dim, ui);
    ImGui::PopStyleVar();
  }

 private:
  float gap() const { return 0.5f * text_.size(); }
  const CardFont& question_font() const { return ended_ ? small_ : text_; }
  KeyCapStyle cap_style(Theme theme) const { return {text_.font, text_.size(), theme}; }
  float cap_width() const { return 1.5f * text_.size(); }
  float verdict_width(const Choice& choice) const {
    return *choice.verdict() ? small_.width(choice.verdict()) + 2.2f * small_.size() : 0;
  }
  float words_width(const Choice& choice) const { return width_ - cap_width() - 3 * gap() - verdict_width(choice); }
  float row_height(const Choice& choice) const {
    return std::max(text_.height(choice.text, words_width(choice)), 1.45f * text_.size()) + gap();
  }

  void draw_choice(std::size_t k, UiState& ui) const {
    const Choice& choice = choices_[k];
    const Palette& colors = palette(ui.view.theme);
    const std::string id = text("choice-%zu", k + 1);
    const float height = row_height(choice);
    const bool pressed = ImGui::InvisibleButton(("###" + id).c_str(), {width_, height});
    if (pressed && lesson_.waits_for_prediction()) ui.commands.push_back({Action::choose, static_cast<int>(k)});
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const bool marked = *choice.verdict(), faint = ended_ && !marked;
    const ImVec4 mark = choice.right ? colors.good : colors.error;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float line = std::max(2.0f, text_.size() / 12);
    if (marked) {
      draw.AddRectFilled(low, high, ImGui::GetColorU32(mixed(colors.panel, mark, 0.14f)), gap() / 2);
      draw.AddRect(low, high, ImGui::GetColorU32(mark), gap() / 2, 0, choice.right ? 1.5f * line : line);
    } else if (!ended_ && ImGui::IsItemHovered()) {
      draw.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_ButtonHovered), gap() / 2);
    }
    const float middle = (low.y + high.y) / 2;
    draw_key_cap(draw, cap_style(ui.view.theme), {low.x + gap(), std::round(middle - 0.725f * text_.size())},
                 std::to_string(k + 1));
    const float wrap = words_width(choice), words = text_.height(choice.text, wrap);
    draw.AddText(text_.font, text_.size(),
                 {std::round(low.x + 2 * gap() + cap_width()), std::round(middle - words / 2)},
                 ImGui::GetColorU32(faint ? colors.dim : colors.text), choice.text.c_str(), nullptr, wrap);
    if (marked) draw_verdict(choice, {high.x - gap() - verdict_width(choice) + 0.6f * small_.size(), middle}, mark);
    const std::string tip = lesson_.waits_for_prediction()
                                ? text("The class predicts this (key %zu). The run starts.", k + 1)
                                : std::string("A choice. The run has given the answer.");
    widgets::describe(ui, {id, choice.text + (marked ? std::string(": ") + choice.verdict() : ""), tip});
  }

  void draw_verdict(const Choice& choice, ImVec2 at, const ImVec4& color) const {
    const float size = small_.size();
    draw_answer_mark(choice.right, {at.x, at.y - size / 2}, size, ImGui::GetColorU32(color));
    ImGui::GetWindowDrawList()->AddText(small_.font, size,
                                        {std::round(at.x + 1.3f * size), std::round(at.y - size / 2)},
                                        ImGui::GetColorU32(color), choice.verdict());
  }

  const LessonState& lesson_;
  CardFont text_{}, small_;
  std::vector<Choice> choices_;
  float width_;
  bool ended_ = false;
  std::string question_, explanation_, hint_;
};

/// At the lower edge of the image.
void draw_question_card(const Fonts& fonts, UiState& ui) {
  const ImageRect image = image_rect(ui);
  const BottomRoom room = bottom_room(image.size().x, fonts.sizes);
  const float padding = 0.7f * fonts.caption->FontSize;
  const float width = std::min(room.width - 2 * padding, kCardChars * kCharWidth * fonts.caption->FontSize);
  QuestionCard card(ui.lesson, fonts, width);
  card.fit(kLargestCard * image.size().y);
  const float height = card.content_height() + 1.4f * padding;
  const float bottom = image.high.y - room.raised;
  ui.presentation.card_height = height + room.raised;
  ImGui::SetNextWindowPos(
      {std::round((image.low.x + image.high.x - width) / 2 - padding), std::round(bottom - height)});
  ImGui::SetNextWindowSize({width + 2 * padding, height});
  begin_card("Question", padding, ui);
  card.draw(ui);
  end_card();
}

std::string minutes_text(double minutes) {
  return text(minutes == 1 ? "%g minute" : "%g minutes", minutes);
}

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
  begin_card("Lesson", padding, ui);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0.5f * body.size()});
  card_text(title, {"lesson-title", lesson.title.in(ui.lesson.wording), "Title of the lesson."}, width, colors.text,
            ui);
  const std::string facts = minutes_text(lesson.minutes) + "  ·  " + lesson.audience;
  card_text(small, {"lesson-facts", facts, "How long the lesson takes, and for whom it is."}, width, colors.dim, ui);
  card_text(body, {"lesson-goal", lesson.goal.in(ui.lesson.wording), "What the class learns."}, width, colors.text, ui);
  const std::string warning = ui.lesson.warning.empty() ? "" : "▲ " + ui.lesson.warning;
  card_text(small, {"lesson-warning", warning, "This machine is smaller than the lesson asks for."}, width,
            colors.caution, ui);
  card_text(small, {"lesson-start", "→ next", "Starts the first slide (PageDown, →, or a clicker)."}, width,
            colors.accent, ui);
  ImGui::PopStyleVar();
  end_card();
}

void note_part(const Fonts& fonts, const widgets::Control& control, float width, UiState& ui) {
  const Palette& colors = palette(ui.view.theme);
  if (control.label.empty()) return;
  const std::string heading = std::string(control.id) + "-heading";
  card_text({fonts.legend}, {heading, control.tip, control.tip}, width, colors.accent, ui);
  card_text({fonts.legend}, control, width, colors.text, ui);
}

/// On the right of the image.
void draw_note(const Fonts& fonts, UiState& ui) {
  const Lesson& lesson = *ui.lesson.lesson;
  const ImageRect image = image_rect(ui);
  const float size = fonts.legend->FontSize, padding = 0.9f * size;
  const float width = std::clamp(26 * size, 0.2f * image.size().x, 0.45f * image.size().x) - 2 * padding;
  const float top = image.low.y + padding, most = image.size().y - 2 * padding;
  ImGui::SetNextWindowPos({image.high.x - padding, top}, ImGuiCond_Always, {1, 0});
  ImGui::SetNextWindowSizeConstraints({width + 2 * padding, 0}, {width + 2 * padding, most});
  ImGui::SetNextWindowSize({width + 2 * padding, 0});
  begin_card("Note", padding, ui);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0.4f * size});
  const std::string note = ui.lesson.current().notes;
  note_part(fonts, {"teacher-note", note.empty() ? "No note for this slide." : note, "Teacher's note"}, width, ui);
  std::string beliefs;
  for (const LessonText& belief : lesson.misconceptions)
    beliefs += (beliefs.empty() ? "• " : "\n• ") + belief.in(ui.lesson.wording);
  note_part(fonts, {"misconceptions", beliefs, "What pupils often believe"}, width, ui);
  note_part(fonts, {"lesson-note", lesson.notes, "On the whole lesson"}, width, ui);
  card_text({fonts.legend}, {"note-hint", "? closes", "Closes the note (? or Esc). The wheel scrolls."}, width,
            palette(ui.view.theme).dim, ui);
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
