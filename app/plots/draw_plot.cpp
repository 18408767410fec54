#include "app/base/translation.h"
#include "app/plots/plot_canvas.h"

namespace pericenter::app {
namespace {

/// Draws into the current ImGui window.
class WindowCanvas : public PlotCanvas {
 public:
  explicit WindowCanvas(std::string_view language) : language_(language) {}
  float em() const override { return ImGui::GetFontSize(); }
  float text_width(const std::string& english) const override {
    return ImGui::CalcTextSize(translated(english, language_).c_str()).x;
  }

  void line(std::span<const ImVec2> points, const Stroke& stroke) override {
    const ImU32 color = ImGui::ColorConvertFloat4ToU32(stroke.color);
    const auto draw = [&](std::span<const ImVec2> piece) {
      draw_.AddPolyline(piece.data(), static_cast<int>(piece.size()), color, 0, stroke.width);
    };
    if (pattern_of(stroke.style).empty()) return draw(points);
    for (const std::vector<ImVec2>& piece : dashes_of(points, stroke)) draw(piece);
  }
  void fill(const PlotBox& box, const ImVec4& color) override {
    draw_.AddRectFilled(box.low, box.high, ImGui::ColorConvertFloat4ToU32(color));
  }
  void dot(ImVec2 center, float radius, const ImVec4& color) override {
    draw_.AddCircleFilled(center, radius, ImGui::ColorConvertFloat4ToU32(color), 12);
  }
  void text(ImVec2 at, float align, const std::string& english, const ImVec4& color) override {
    draw_.AddText({at.x - align * text_width(english), at.y}, ImGui::ColorConvertFloat4ToU32(color),
                  translated(english, language_).c_str());
  }
  void begin_clip(const PlotBox& box) override { draw_.PushClipRect(box.low, box.high, true); }
  void end_clip() override { draw_.PopClipRect(); }

 private:
  std::string_view language_;
  ImDrawList& draw_ = *ImGui::GetWindowDrawList();
};

}  // namespace

PlotMapping draw_plot(const Plot& plot, const PlotView& view, const PlotStyle& style, const PlotSize& size) {
  WindowCanvas canvas(size.language);
  const PlotMapping map = paint(plot, view, style, {ImGui::GetCursorScreenPos(), size}, canvas);
  ImGui::Dummy({size.width, total_height(plot, canvas, size)});
  return map;
}

}  // namespace pericenter::app
