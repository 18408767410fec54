#include "app/overlay/presenter_overlay.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "app/base/format.h"
#include "app/lessons/lesson_words.h"
#include "app/ui/hidden_results.h"
#include "app/ui/imgui_versions.h"

namespace pericenter::app {
namespace {

constexpr float kLineChars = 60, kCharEms = 0.56f;  // characters in a line, and width of a character
constexpr float kLineHeight = 1.25f;                // line height of captions, in units of the font size
constexpr float kPaddingX = 0.6f, kPaddingY = 0.3f;
constexpr float kPresenterPlateAlpha = 0.82f;
// Sizes in units of the legend's size: scale bar and axes with their margins, and the space below captions and cards
// for the line of keys.
constexpr float kBarWidth = 13, kBarHeight = 4.2f, kAxesSize = 7.2f, kBelowEms = 2.2f;
constexpr double kFadeSeconds = 0.5, kBlankHintSeconds = 2, kTeachSeconds = 5, kWaitSeconds = 0.2;
constexpr std::size_t kShownKeys = 6;

float presenter_text_width(ImFont& font, float size, const std::string& words) {
  return font.CalcTextSizeA(size, FLT_MAX, 0, words.c_str()).x;
}

/// 1 until `until`, less than half a second before it, and 0 from then on.
float fading(double until, double now) {
  return static_cast<float>(std::clamp((until - now) / kFadeSeconds, 0.0, 1.0));
}

/// The end of the first line of at most `width` pixels.
const char* end_of_line(ImFont& font, float size, std::string_view words, float width) {
  const char* const end = words.data() + words.size();
  const char* stop = font.CalcWordWrapPositionA(size / imgui::size_of(font), words.data(), end, width);
  // Dear ImGui also breaks after a comma, as in 1,999,000.
  const std::string_view line(words.data(), static_cast<std::size_t>(stop - words.data()));
  if (stop < end && *stop != ' ' && line.find(' ') != line.npos) stop = words.data() + line.rfind(' ');
  if (stop == words.data() && stop < end) ++stop;  // even a single character is too wide
  // Then newer versions of Dear ImGui return the second byte, which can be within a character.
  while (stop < end && (static_cast<unsigned char>(*stop) & 0xC0) == 0x80) ++stop;
  return stop;
}

std::vector<std::string> greedily_wrapped(ImFont& font, float size, std::string_view words, float width) {
  std::vector<std::string> lines;
  while (!words.empty()) {
    const std::string_view paragraph = words.substr(0, words.find('\n'));
    const auto length = static_cast<std::size_t>(end_of_line(font, size, paragraph, width) - words.data());
    lines.emplace_back(words.substr(0, length));
    words.remove_prefix(length);
    if (words.starts_with('\n'))
      words.remove_prefix(1);
    else
      words.remove_prefix(std::min(words.find_first_not_of(' '), words.size()));
  }
  return lines;
}

void draw_pause_mark(const Fonts& fonts, const UiState& ui, ImVec2 corner) {
  const float height = fonts.sizes.clock, bar = std::round(0.3f * height), gap = std::round(0.22f * height);
  const ImU32 ink = packed(palette(ui.view.theme).text, 0.95f);
  const ImU32 edge = packed(palette(ui.view.theme).panel, 0.8f);
  const float frame = std::max(2.0f, 0.05f * height);
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  for (const float left : {corner.x - 2 * bar - gap, corner.x - bar}) {
    draw.AddRectFilled({left - frame, corner.y - frame}, {left + bar + frame, corner.y + height + frame}, edge);
    draw.AddRectFilled({left, corner.y}, {left + bar, corner.y + height}, ink);
  }
}

/// The keys pressed in the last two seconds, the newest on the right.
void draw_pressed_keys(const UiFrame& frame, const Fonts& fonts, UiState& ui, const ImageRect& image) {
  auto& keys = ui.presentation.keys;
  std::erase_if(keys, [&](const Presentation::KeyCap& key) { return key.until <= frame.now; });
  while (keys.size() > kShownKeys) keys.pop_front();
  const float size = fonts.sizes.caption, gap = 0.3f * size;
  ImVec2 at{image.high.x - size, image.high.y - size};
  if (ui.view.guides.axes) at.y -= kAxesSize * fonts.sizes.legend;
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    const KeyCapStyle style{fonts.caption, size, ui.view.theme, fading(key->until, frame.now)};
    const ImVec2 cap = key_cap_size(style, key->text);
    draw_key_cap(*ImGui::GetForegroundDrawList(), style, {at.x - cap.x, at.y - cap.y}, key->text);
    at.x -= cap.x + gap;
  }
}

/// Key caps and what they do, in one line at the lower edge of the image, or above the scale bar of a narrow one.
void draw_key_line(const Fonts& fonts, float alpha, const UiState& ui, const ImageRect& image) {
  struct Hint {
    std::string key, meaning;
  };
  std::vector<Hint> hints = {{"→", "next"}, {"←", "back"}};
  if (!ui.presentation.station)
    hints.insert(hints.end(), {{"Space", "pause"}, {"B", "blank"}, {"?", "note"}, {"Esc", "leave"}});
  for (Hint& hint : hints) hint = {lesson_words(hint.key, ui.lesson), lesson_words(hint.meaning, ui.lesson)};
  const float size = std::round(0.75f * fonts.sizes.legend);
  const KeyCapStyle style{fonts.legend, size, ui.view.theme, alpha};
  float width = 0;
  for (const Hint& hint : hints)
    width += key_cap_size(style, hint.key).x + presenter_text_width(*fonts.legend, size, hint.meaning) + 1.6f * size;
  const float height = key_cap_size(style, "B").y;
  const float raised = bottom_margin(image.size().x, fonts.sizes, ui.view.guides).raised;
  const bool is_narrow = raised > kBelowEms * fonts.sizes.legend;
  const float bottom = image.high.y - (is_narrow ? raised - 0.5f * size - height : 0.5f * size);
  ImVec2 at{std::round((image.low.x + image.high.x - width) / 2), std::round(bottom - height)};
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  draw.AddRectFilled({at.x - size, at.y - 0.3f * size}, {at.x + width, at.y + height + 0.3f * size},
                     packed(palette(ui.view.theme).panel, 0.75f * alpha), 0.4f * size);
  for (const Hint& hint : hints) {
    draw_key_cap(draw, style, at, hint.key);
    at.x += key_cap_size(style, hint.key).x + 0.4f * size;
    draw.AddText(fonts.legend, size, {std::round(at.x), std::round(at.y + (height - size) / 2)},
                 packed(palette(ui.view.theme).dim, alpha), hint.meaning.c_str());
    at.x += presenter_text_width(*fonts.legend, size, hint.meaning) + 1.2f * size;
  }
}

void update_key_line(const UiFrame& frame, UiState& ui) {
  Presentation& shown = ui.presentation;
  const LessonState& lesson = ui.lesson;
  if (!lesson.on()) shown.taught.reset();
  const bool begins = lesson.on() && lesson.slide == 0 && lesson.phase != LessonState::Phase::title &&
                      lesson.phase != LessonState::Phase::loading;
  // Visitors come at any time.
  if (begins && shown.station) shown.keys_until = frame.now + kTeachSeconds;
  if (begins && std::exchange(shown.taught, lesson.lesson) != lesson.lesson)
    shown.keys_until = frame.now + kTeachSeconds;
  if (!lesson.on() || lesson.slide != 0) shown.keys_until = 0;
}

/// In the middle of an image without a picture yet: what the first one waits for, unless it comes at once.
void draw_waiting(const UiFrame& frame, const Fonts& fonts, UiState& ui, const ImageRect& image) {
  const SessionState& state = frame.simulation;
  const bool loads = ui.lesson.on() && ui.lesson.phase == LessonState::Phase::loading;
  const bool is_empty = state.scene_serial == 0 && state.next_bodies == 0 && (state.busy || loads);
  if (!is_empty) return ui.presentation.empty_since.reset();
  if (!ui.presentation.empty_since) ui.presentation.empty_since = frame.now;
  if (frame.now < *ui.presentation.empty_since + kWaitSeconds) return;
  const bool counts = state.busy && !state.awaits_device && !state.computing_forces;
  const std::string words = counts ? lesson_words(text("creating bodies … %.0f %%", 100 * state.progress), ui.lesson)
                                   : lesson_words("loading …", ui.lesson);
  const float size = fonts.sizes.legend, width = presenter_text_width(*fonts.legend, size, words);
  const ImVec2 middle{(image.low.x + image.high.x) / 2, (image.low.y + image.high.y) / 2};
  ImGui::GetBackgroundDrawList()->AddText(fonts.legend, size,
                                          {std::round(middle.x - width / 2), std::round(middle.y - size / 2)},
                                          packed(palette(ui.view.theme).dim), words.c_str());
}

void draw_blank(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  if (!ui.lesson.blank) return ui.presentation.blank_since.reset();
  if (!ui.presentation.blank_since) ui.presentation.blank_since = frame.now;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  draw.AddRectFilled({0, 0}, display, IM_COL32_BLACK);
  const float alpha = fading(*ui.presentation.blank_since + kBlankHintSeconds, frame.now);
  if (alpha <= 0) return;
  const float size = fonts.sizes.legend;
  const std::string hint = lesson_words("B: show", ui.lesson);
  const float width = presenter_text_width(*fonts.legend, size, hint);
  draw.AddText(fonts.legend, size, {std::round((display.x - width) / 2), std::round(display.y - 2 * size)},
               IM_COL32(130, 130, 130, static_cast<int>(255 * alpha)), hint.c_str());
}

}  // namespace

bool shows_answer(const LessonState& lesson) {
  if (!lesson.on() || lesson.phase != LessonState::Phase::ended) return false;
  return !lesson.current().question.empty() || !lesson.current().explanation.empty();
}

ClassView class_view(const UiState& ui, double now) {
  ClassView view{.large = is_presenting(ui), .hides_results = hides_results(ui)};
  if (ui.captions.narration.on && now < ui.captions.narration.until && !view.hides_results)
    view.narration = ui.captions.narration.sentence;
  add_slide(ui.lesson, view);
  return view;
}

void add_slide(const LessonState& lesson, ClassView& view) {
  view.language = language_of(lesson);
  if (!lesson.on() || lesson.phase == LessonState::Phase::title) return;
  view.title =
      lesson.lesson->title.in(lesson.wording) + text(" · %zu / %zu", lesson.slide + 1, lesson.lesson->slides.size());
  if (lesson.phase == LessonState::Phase::loading) view.title += " · " + lesson_words("loading …", lesson);
  if (lesson.leads_to || lesson.hurries) {
    const std::string goal =
        lesson.leads_to ? text("to slide %zu …", *lesson.leads_to + 1) : std::string("to the end of the run …");
    view.title += " · " + lesson_words(goal, lesson);
    if (lesson.share) view.title += text(" %.0f %%", 100 * *lesson.share);
    if (!lesson.leads_to) view.title += " · " + lesson_words("→ skips", lesson);
  }
  if (!view.hides_results) view.readouts = lesson.current().readouts;
  if (!shows_answer(lesson)) view.caption = lesson.current().caption.in(lesson.wording);
}

ImageRect image_rect(const UiState& ui) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float below = ui.layout.status_height + ui.layout.notice_height + ui.notices.alert.height +
                      ui.layout.timeline_height + ui.layout.overlay_height;
  return {{ui.layout.panel_width, 0}, {display.x - ui.drawer.width, display.y - below - ui.drawer.height}};
}

BottomMargin bottom_margin(float image_width, const ProjectorSizes& sizes, const Guides& guides) {
  constexpr float kLeastEms = 20;
  const float em = sizes.legend, bar = guides.scale_bar ? kBarWidth : 1, axes = guides.axes ? kAxesSize : 1;
  const float between = image_width - 2 * std::max(bar, axes) * em;
  if (between >= kLeastEms * sizes.caption) return {between, kBelowEms * em};
  const float scale_bar = guides.scale_bar || guides.grid ? kBarHeight : kBelowEms;
  return {image_width - 2 * em, std::max(scale_bar, guides.axes ? kAxesSize : kBelowEms) * em};
}

std::string broken(ImFont& font, float size, std::string_view words, float width) {
  std::string text;
  for (const std::string& line : greedily_wrapped(font, size, words, width)) text += line + '\n';
  if (!text.empty()) text.pop_back();
  return text;
}

std::vector<std::string> wrapped(ImFont& font, float size, const std::string& words, float width) {
  std::vector<std::string> lines = greedily_wrapped(font, size, words, width);
  if (lines.size() < 2) return lines;
  for (float share = 0.5f; share < 1; share += 0.05f) {
    std::vector<std::string> narrower = greedily_wrapped(font, size, words, share * width);
    if (narrower.size() == lines.size()) return narrower;
  }
  return lines;
}

std::vector<PlateLine> fitted_lines(const std::vector<PlateLine>& texts, ImVec2 room) {
  constexpr int kSmallest = 5;
  for (int tenths = 10;; --tenths) {
    const float share = static_cast<float>(tenths) / 10;
    std::vector<PlateLine> lines;
    float height = 0;
    for (PlateLine text : texts) {
      text.size = std::round(share * text.size);
      for (std::string& line : wrapped(*text.font, text.size, text.words, room.x)) {
        lines.push_back({std::move(line), text.font, text.size, text.color});
        height += kLineHeight * text.size;
      }
    }
    if (height <= room.y || tenths <= kSmallest) return lines;
  }
}

float draw_plate(ImDrawList& draw, std::span<const PlateLine> lines, const Plate& plate, ImVec2 end) {
  ImVec2 size{0, 0};
  for (const PlateLine& line : lines) size = {std::max(size.x, line.width()), size.y + kLineHeight * line.size};
  end.y = std::max(end.y, plate.highest + size.y + 2 * plate.padding.y);
  const float half = size.x / 2 + plate.padding.x, top = end.y - size.y - 2 * plate.padding.y;
  draw.AddRectFilled({end.x - half, top}, {end.x + half, end.y}, packed(plate.color), plate.rounding);
  float y = top + plate.padding.y;
  for (const PlateLine& line : lines) {
    const ImVec2 at{std::round(end.x - line.width() / 2), std::round(y + 0.5f * (kLineHeight - 1) * line.size)};
    draw.AddText(line.font, line.size, at, packed(line.color), line.words.c_str());
    y += kLineHeight * line.size;
  }
  return top;
}

void draw_captions(const OverlayCanvas& canvas, const Fonts& fonts, const AnnotatedFrame& frame) {
  const ProjectorSizes& sizes = fonts.sizes;
  const BottomMargin room = bottom_margin(canvas.size().x, sizes, frame.view.guides);
  const float gap = 0.5f * sizes.legend;
  float bottom = canvas.high.y - (frame.covered > 0 ? frame.covered + gap : room.raised);
  const Palette& colors = palette(frame.view.theme);
  const float size = sizes.caption, width = std::min(room.width - 2 * kPaddingX * size, kLineChars * kCharEms * size);
  const Plate plate{
      faded(colors.panel, kPresenterPlateAlpha), {kPaddingX * size, kPaddingY * size}, 0.25f * size, canvas.low.y};
  const auto draw = [&](const std::string& words, const ImVec4& ink) {
    if (words.empty()) return;
    const auto lines = fitted_lines({{words, fonts.caption, size, ink}}, {width, kCaptionShare * canvas.size().y});
    bottom = draw_plate(canvas.draw, lines, plate, {std::round((canvas.low.x + canvas.high.x) / 2), bottom}) - gap;
  };
  draw(frame.shown.caption, colors.text);
  constexpr float kMostCovered = 0.5f;  // more leaves a strip of stars, which is what the card is about
  if (frame.covered < kMostCovered * canvas.size().y) draw(frame.shown.narration, colors.accent);
}

ImVec2 key_cap_size(const KeyCapStyle& style, const std::string& key) {
  const float width = presenter_text_width(*style.font, style.size, key) + 0.9f * style.size;
  return {std::round(std::max(width, 1.5f * style.size)), std::round(1.45f * style.size)};
}

void draw_key_cap(ImDrawList& draw, const KeyCapStyle& style, ImVec2 at, const std::string& key) {
  const ImVec2 size = key_cap_size(style, key), high{at.x + size.x, at.y + size.y};
  const Palette& colors = palette(style.theme);
  const float round = 0.25f * style.size, line = std::max(1.0f, style.size / 14);
  draw.AddRectFilled(at, high, packed(colors.well, style.alpha), round);
  draw.AddRect(at, high, packed(colors.dim, style.alpha), round, 0, line);
  const float width = presenter_text_width(*style.font, style.size, key);
  draw.AddText(style.font, style.size,
               {std::round(at.x + (size.x - width) / 2), std::round(at.y + (size.y - style.size) / 2)},
               packed(colors.text, style.alpha), key.c_str());
}

void draw_presenter(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  const ImageRect image = image_rect(ui);
  const float margin = 0.9f * fonts.sizes.legend;
  const bool title = ui.lesson.on() && ui.lesson.phase == LessonState::Phase::title;
  if (is_presenting(ui) && !ui.edited.running.value() && !title && frame.simulation.scene_serial != 0)
    draw_pause_mark(fonts, ui, {image.high.x - margin, image.low.y + margin});
  draw_waiting(frame, fonts, ui, image);
  update_key_line(frame, ui);
  if (const float alpha = fading(ui.presentation.keys_until, frame.now); alpha > 0)
    draw_key_line(fonts, alpha, ui, image);
  draw_pressed_keys(frame, fonts, ui, image);
  draw_blank(frame, fonts, ui);
}

bool presenter_changes(const UiState& ui, double now) {
  // A little longer than it is visible, so that the last frame is one without it.
  constexpr double kAfter = 0.2;
  const Presentation& shown = ui.presentation;
  double last = shown.keys_until;
  if (ui.captions.narration.on && std::isfinite(ui.captions.narration.until))
    last = std::max(last, ui.captions.narration.until);
  for (const Presentation::KeyCap& key : shown.keys) last = std::max(last, key.until);
  if (shown.blank_since) last = std::max(last, *shown.blank_since + kBlankHintSeconds);
  return now < last + kAfter;
}

}  // namespace pericenter::app
