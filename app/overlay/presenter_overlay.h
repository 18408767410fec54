#pragma once

#include <imgui.h>

#include <cfloat>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/overlay/annotations.h"
#include "app/overlay/guides.h"

// What a class sees over the image, apart from cards and lists, which are windows (app/bars/lesson_card.cpp).
namespace pericenter::app {

/// Whether the card with the answer of the slide, or with its explanation, is shown.
bool shows_answer(const LessonState& lesson);

/// The part of the window that the image takes, without the timeline over it.
struct ImageRect {
  ImVec2 low, high;
  ImVec2 size() const { return {high.x - low.x, high.y - low.y}; }
};
ImageRect image_rect(const UiState& ui);

/// Room at the lower edge of an image for captions and cards, between the scale bar and the axes that are shown, or
/// above them if the image is narrow.
struct BottomMargin {
  float width = 0;   ///< pixels, including the padding of the plate
  float raised = 0;  ///< pixels above the lower edge
};
BottomMargin bottom_margin(float image_width, const ProjectorSizes& sizes, const Guides& guides);

/// The words with line feeds, so that lines are at most `width` pixels wide. Breaks at spaces alone, not in 1,999,000
/// as Dear ImGui does.
std::string broken(ImFont& font, float size, std::string_view words, float width);

/// Lines of at most `width` pixels and of about equal length; breaks at line feeds too.
std::vector<std::string> wrapped(ImFont& font, float size, const std::string& words, float width);

inline constexpr float kCaptionShare = 0.5f;  ///< share of the height of the image for the lines of a caption

/// A line of text on a plate.
struct PlateLine {
  std::string words;
  ImFont* font;
  float size;  ///< font size, pixels
  ImVec4 color;

  float width() const { return font->CalcTextSizeA(size, FLT_MAX, 0, words.c_str()).x; }
};
/// Texts of any length as lines as wide as `room`, and in a smaller size, if they would be higher than `room`.
std::vector<PlateLine> fitted_lines(const std::vector<PlateLine>& texts, ImVec2 room);
/// A plate behind text; padding and rounding in pixels.
struct Plate {
  ImVec4 color;
  ImVec2 padding;
  float rounding;
  float highest;  ///< where its upper edge is at most: a high plate is lower than `end`
};
/// Draws centred lines on a plate; `end`: middle of its lower edge. Returns its upper edge.
float draw_plate(ImDrawList& draw, std::span<const PlateLine> lines, const Plate& plate, ImVec2 end);

/// Draws caption and narration on plates at the lower edge of the image.
void draw_captions(const OverlayCanvas& canvas, const Fonts& fonts, const AnnotatedFrame& frame);

/// Style of a key cap.
struct KeyCapStyle {
  ImFont* font;
  float size;  ///< font size, pixels
  Theme theme;
  float alpha = 1;
};
ImVec2 key_cap_size(const KeyCapStyle& style, const std::string& key);
/// Draws the name of a key with a frame; `at` is its upper left corner.
void draw_key_cap(ImDrawList& draw, const KeyCapStyle& style, ImVec2 at, const std::string& key);

/// Draws over the window: what its first picture waits for, the mark of a pause, the keys pressed, the keys of a lesson
/// at its beginning, and the blank screen. Updates ui.presentation.
void draw_presenter(const UiFrame& frame, const Fonts& fonts, UiState& ui);
/// Whether any of these, or the narration, will change without input.
bool presenter_changes(const UiState& ui, double now);

}  // namespace pericenter::app
