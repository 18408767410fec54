#include "app/bars/question_card.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/base/format.h"
#include "app/lessons/lesson_words.h"
#include "app/overlay/annotations.h"
#include "app/overlay/presenter_overlay.h"
#include "app/ui/imgui_versions.h"
#include "app/widgets/card.h"
#include "app/widgets/widgets.h"

namespace pericenter::app {
namespace {

constexpr float kCardChars = 64, kCharWidth = 0.56f;  // characters in a line, and their width in units of the font size
constexpr float kLargestCard = 0.6f;                  // share of the height of the image, with text of the full size
constexpr float kAboveEms = 0.3f;                     // between the lines in the corner and the card

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
  bool right = false;
  std::string verdict = {};  ///< empty: none
};

const char* verdict_of(bool predicted, bool right) {
  if (right) return predicted ? "right, as predicted" : "right";
  return predicted ? "predicted" : "";
}

std::vector<Choice> choices_of(const LessonState& lesson) {
  std::vector<Choice> choices;
  const Slide& slide = lesson.current();
  for (std::size_t k = 0; k < slide.choices.size(); ++k)
    choices.push_back({slide.choices[k].in(lesson.wording), slide.answer == k});
  for (std::size_t k = 0; k < choices.size() && lesson.phase == LessonState::Phase::ended; ++k)
    choices[k].verdict = lesson_words(verdict_of(lesson.predicted == k, choices[k].right), lesson);
  return choices;
}

/// Question and answer of a slide, laid out for a width.
class QuestionCard {
 public:
  QuestionCard(const LessonState& lesson, const Fonts& fonts, float width)
      : lesson_(lesson), text_{fonts.caption}, small_{fonts.legend}, choices_(choices_of(lesson)), width_(width) {
    ended_ = lesson.phase == LessonState::Phase::ended;
    question_ = lesson.current().question.in(lesson.wording);
    explanation_ = ended_ ? lesson.current().explanation.in(lesson.wording) : "";
    if (!ended_ && !choices_.empty()) hint_ = text("Keys 1 to %zu: your prediction  ·  ", choices_.size());
    hint_ += ended_ ? "→ next" : choices_.empty() ? "→ run" : "→ run without one";
    if (ended_ && lesson.skipped) hint_ = "Skipped: not in the picture yet  ·  " + hint_;
    hint_ = lesson_words(hint_, lesson);
    choose_columns();
  }
  /// Smaller text, if the card would be higher than this.
  void fit(float height, const Fonts& fonts) {
    for (ImFont* smaller : {fonts.legend, fonts.text}) {
      if (content_height() <= height) return;
      if (imgui::size_of(*smaller) > text_.size()) continue;
      text_ = {smaller};
      if (imgui::size_of(*smaller) < small_.size()) small_ = {smaller};
      choose_columns();
    }
  }

  float content_height() const {
    float height = small_.height(hint_, width_);
    if (!question_.empty()) height += question_font().height(question_, width_) + gap();
    for (std::size_t k = 0; k < choices_.size(); k += columns_) height += row_height(k) + gap();
    if (!explanation_.empty()) height += text_.height(explanation_, width_) + gap();
    return height;
  }

  void draw(UiState& ui) const {
    const Palette& colors = palette(ui.view.theme);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap(), gap()});
    card_text(question_font(), {"question", question_, ended_ ? colors.dim : colors.text}, width_, ui);
    for (std::size_t k = 0; k < choices_.size(); ++k) {
      if (k % columns_ != 0) ImGui::SameLine(0, gap());
      draw_choice(k, ui);
    }
    card_text(text_, {"explanation", explanation_, colors.text}, width_, ui);
    card_text(small_, {"question-hint", hint_, lesson_.skipped ? colors.text : colors.dim}, width_, ui);
    ImGui::PopStyleVar();
  }

 private:
  float gap() const { return 0.3f * text_.size(); }
  const CardFont& question_font() const { return ended_ ? small_ : text_; }
  float cap_width() const { return 1.5f * text_.size(); }
  float verdict_width(const Choice& choice) const {
    return !choice.verdict.empty() ? small_.width(choice.verdict) + 2.2f * small_.size() : 0;
  }
  float column_width() const { return columns_ == 1 ? width_ : (width_ - gap()) / 2; }
  float words_width(const Choice& choice) const {
    return column_width() - cap_width() - 5 * gap() - verdict_width(choice);
  }
  float choice_height(const Choice& choice) const {
    return std::max(text_.height(choice.text, words_width(choice)), 1.45f * text_.size()) + gap();
  }
  /// Height of the row that begins with this choice.
  float row_height(std::size_t first) const {
    float height = 0;
    for (std::size_t k = first; k < std::min(first + columns_, choices_.size()); ++k)
      height = std::max(height, choice_height(choices_[k]));
    return height;
  }
  /// Two columns, if all choices are short.
  void choose_columns() {
    columns_ = 2;
    for (const Choice& choice : choices_)
      if (text_.width(choice.text) > words_width(choice)) columns_ = 1;
  }

  void draw_choice(std::size_t k, UiState& ui) const {
    const Choice& choice = choices_[k];
    const std::string id = text("choice-%zu", k + 1);
    const bool waits = lesson_.waits_for_prediction();
    const bool pressed = widgets::invisible_button("###" + id, {column_width(), row_height(k - k % columns_)});
    if (pressed && waits) ui.commands.push_back({Action::choose, static_cast<int>(k)});
    draw_choice_box(choice, waits && ImGui::IsItemHovered(), palette(ui.view.theme));
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float middle = (low.y + high.y) / 2, wrap = words_width(choice);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw_key_cap(draw, {text_.font, text_.size(), ui.view.theme},
                 {low.x + gap(), std::round(middle - 0.725f * text_.size())}, std::to_string(k + 1));
    const ImVec4 ink = ended_ && choice.verdict.empty() ? palette(ui.view.theme).dim : palette(ui.view.theme).text;
    draw.AddText(
        text_.font, text_.size(),
        {std::round(low.x + 3 * gap() + cap_width()), std::round(middle - text_.height(choice.text, wrap) / 2)},
        ImGui::GetColorU32(ink), text_.broken(choice.text, wrap).c_str());
    if (!waits)
      return widgets::record_text(ui, id, choice.text + (choice.verdict.empty() ? "" : ": ") + choice.verdict);
    widgets::describe(ui, {id, choice.text,
                           lesson_words(text("Record this prediction (key %zu) and start the run.", k + 1), lesson_)});
  }

  /// Frame and verdict of a choice that was right or predicted.
  void draw_choice_box(const Choice& choice, bool hovered, const Palette& colors) const {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (hovered) draw.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_ButtonHovered), gap());
    if (choice.verdict.empty()) return;
    const ImVec4 ink = choice.right ? colors.good : colors.error;
    const float size = small_.size(), line = std::max(2.0f, text_.size() / (choice.right ? 8 : 14));
    draw.AddRectFilled(low, high, ImGui::GetColorU32(mixed(colors.panel, ink, 0.14f)), gap());
    draw.AddRect(low, high, ImGui::GetColorU32(ink), gap(), 0, line);
    const ImVec2 at{high.x - 2 * gap() - verdict_width(choice) + 0.6f * size, (low.y + high.y - size) / 2};
    draw_answer_mark(choice.right, at, size, ImGui::GetColorU32(ink));
    draw.AddText(small_.font, size, {std::round(at.x + 1.3f * size), std::round(at.y)}, ImGui::GetColorU32(ink),
                 choice.verdict.c_str());
  }

  const LessonState& lesson_;
  CardFont text_, small_;
  std::vector<Choice> choices_;
  float width_;
  std::size_t columns_ = 1;
  bool ended_ = false;
  std::string question_, explanation_, hint_;
};

struct PlacedCard {
  QuestionCard card;
  float padding;
  ImageRect rect;
};

PlacedCard placed_card(const LessonState& lesson, const Fonts& fonts, const ImageRect& image, const Guides& guides) {
  const BottomMargin room = bottom_margin(image.size().x, fonts.sizes, guides);
  const float padding = 0.7f * imgui::size_of(*fonts.caption);
  const float width = std::min(room.width - 2 * padding, kCardChars * kCharWidth * imgui::size_of(*fonts.caption));
  QuestionCard card(lesson, fonts, width);
  ClassView shown{.large = true, .hides_results = lesson.waits_for_prediction()};
  add_slide(lesson, shown);
  const float above = height_of_corner(fonts, shown, image.size().x) + kAboveEms * fonts.sizes.legend;
  const float below_corner = image.size().y - room.raised - above - 2 * kCardPaddingY * padding;
  card.fit(std::min(kLargestCard * image.size().y, below_corner), fonts);
  const float height = std::ceil(card.content_height() + 2 * kCardPaddingY * padding);
  const float bottom = image.high.y - std::clamp(image.size().y - height, 0.0f, room.raised);
  const ImVec2 low{std::round((image.low.x + image.high.x - width) / 2 - padding), std::round(bottom - height)};
  return {card, padding, {low, {low.x + width + 2 * padding, low.y + height}}};
}

}  // namespace

ImageRect question_card_rect(const LessonState& lesson, const Fonts& fonts, const ImageRect& image,
                             const Guides& guides) {
  return placed_card(lesson, fonts, image, guides).rect;
}

void draw_question_card(const Fonts& fonts, UiState& ui) {
  const ImageRect image = image_rect(ui);
  const PlacedCard placed = placed_card(ui.lesson, fonts, image, ui.view.guides);
  ui.presentation.card_height = image.high.y - placed.rect.low.y;
  ImGui::SetNextWindowPos(placed.rect.low);
  ImGui::SetNextWindowSize(placed.rect.size());
  begin_card("Question", placed.padding, kCardAlpha, ui);
  placed.card.draw(ui);
  end_card();
}

}  // namespace pericenter::app
