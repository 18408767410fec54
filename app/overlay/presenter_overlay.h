#pragma once

#include <imgui.h>

#include <cfloat>
#include <span>
#include <string>
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

/// Lines of at most `width` pixels and of about equal length; breaks at line feeds too.
std::vector<std::string> wrapped(ImFont& font, float size, const std::string& words, float width);

/// A line of text on a plate.
struct PlateLine {
  std::string words;
  ImFont* font;
  float size;  ///< font size, pixels
  ImVec4 color;

  float width() const { return font->CalcTextSizeA(size, FLT_MAX, 0, words.c_str()).x; }
};
/// A plate behind text; padding and rounding in pixels.
struct Plate {
  ImVec4 color;
  ImVec2 padding;
  float rounding;
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

/// Draws over the window: the mark of a pause, the keys pressed, the keys of a lesson at its beginning, and the blank
/// screen. Updates ui.presentation.
void draw_presenter(const UiFrame& frame, const Fonts& fonts, UiState& ui);
/// Whether any of these, or the narration, will change without input.
bool presenter_changes(const UiState& ui, double now);

}  // namespace pericenter::app
