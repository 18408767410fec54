#include "app/overlay/comparison_overlay.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>
#include <vector>

#include "app/plots/plot_canvas.h"

namespace pericenter::app {
namespace {

constexpr float kPaddingEms = 0.5f, kGapEms = 0.6f, kLetterEms = 1.5f, kTopEms = 0.7f, kLabelLineEms = 1.2f;
constexpr float kPlateAlpha = 0.72f;

ImVec4 hex_color(unsigned rgb) {
  const auto channel = [&](int shift) { return static_cast<float>(rgb >> shift & 0xFFu) / 255; };
  return {channel(16), channel(8), channel(0), 1};
}

float label_height(std::size_t lines, float em) {
  return std::max(kLetterEms, kLabelLineEms * static_cast<float>(lines)) * em + kPaddingEms * em;
}

/// A letter and lines of text on a plate, with its inner edge beside the divider at `x`.
struct Label {
  const OverlayCanvas& canvas;
  ImFont* headline;
  Theme theme;
  float x;

  LabelBox draw_side(bool is_a, const std::vector<std::string>& lines) const {
    const float em = canvas.em, padding = kPaddingEms * em, letter = kLetterEms * em;
    const std::string name = is_a ? "A" : "B";
    const float letter_width = headline->CalcTextSizeA(letter, FLT_MAX, 0, name.c_str()).x;
    float text_width = 0;
    for (const std::string& line : lines) text_width = std::max(text_width, canvas.text_width(line));
    const float line_height = kLabelLineEms * em;
    const ImVec2 size{letter_width + text_width + 3 * padding, label_height(lines.size(), em)};
    const ImVec2 low{is_a ? x - kGapEms * em - size.x : x + kGapEms * em, canvas.low.y + kTopEms * em};
    const ImVec4 plate = with_alpha(hex_color(theme == Theme::dark ? 0x10141F : 0xF4F2EA), kPlateAlpha);
    ImDrawList& draw = canvas.draw;
    draw.PushClipRect({is_a ? canvas.low.x : x, canvas.low.y}, {is_a ? x : canvas.high.x, canvas.high.y}, true);
    draw.AddRectFilled(low, {low.x + size.x, low.y + size.y}, ImGui::ColorConvertFloat4ToU32(plate), 0.3f * em);
    // The letters are beside the divider, mirrored.
    const float letter_x = is_a ? low.x + size.x - padding - letter_width : low.x + padding;
    draw.AddText(headline, letter, {letter_x, low.y + (size.y - letter) / 2},
                 ImGui::ColorConvertFloat4ToU32(comparison_color(is_a, theme)), name.c_str());
    ImVec2 at{0, low.y + (size.y - line_height * static_cast<float>(lines.size())) / 2};
    for (const std::string& line : lines) {
      at.x = is_a ? letter_x - padding - canvas.text_width(line) : letter_x + letter_width + padding;
      draw.AddText(canvas.font, em, at, ImGui::ColorConvertFloat4ToU32(canvas.foreground), canvas.words(line).c_str());
      at.y += line_height;
    }
    draw.PopClipRect();
    return {low, {low.x + size.x, low.y + size.y}};
  }
};

}  // namespace

ImVec4 comparison_color(bool is_a, Theme theme) {
  return color_of(is_a ? kPlotGrey : kPlotBlue, theme);  // same colours as the curves of A and B
}

float divider_of(const OverlayCanvas& canvas, const ComparisonState& comparison) {
  return canvas.low.x + std::round(comparison.shown_divider() * canvas.size().x);
}

float end_of_labels(const ComparisonState& comparison, float em) {
  if (!comparison.on()) return 0;
  return kTopEms * em + label_height(label_lines(comparison.differences, true).size(), em);
}

float draw_dividing_line(const OverlayCanvas& canvas, const ComparisonState& comparison) {
  const float x = divider_of(canvas, comparison);
  rule(canvas, {x, canvas.low.y}, {x, canvas.high.y}, canvas.foreground);
  return x;
}

std::array<LabelBox, 2> draw_comparison(const OverlayCanvas& canvas, ImFont* headline,
                                        const ComparisonState& comparison, Theme theme) {
  const Label label{canvas, headline, theme, draw_dividing_line(canvas, comparison)};
  const LabelBox of_a = label.draw_side(true, label_lines(comparison.differences, true));
  return {of_a, label.draw_side(false, label_lines(comparison.differences, false))};
}

}  // namespace pericenter::app
