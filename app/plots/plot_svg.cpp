#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/format.h"
#include "app/plots/plot_files.h"

namespace pericenter::app {
namespace {

constexpr float kWidth = 960, kHeight = 540, kFont = 16, kBorder = 14, kTitleHeight = 30;
constexpr float kLetter = 0.6f;  // mean width of a letter in units of the font size; fonts differ between viewers

std::string pixels(float value) {
  if (!std::isfinite(value)) return "0";
  const float rounded = std::round(value * 100) / 100;
  return exact(rounded == 0 ? 0.0f : rounded);
}

/// An attribute for the colour and, if it is not opaque, one for the opacity: name="#rrggbb" name-opacity="0.5".
std::string paint_attribute(const char* name, const ImVec4& color) {
  const auto part = [](float share) { return static_cast<int>(std::lround(std::clamp(share, 0.0f, 1.0f) * 255)); };
  std::string result = app::text("%s=\"#%02x%02x%02x\"", name, part(color.x), part(color.y), part(color.z));
  if (color.w < 1) result += app::text(" %s-opacity=\"", name) + pixels(color.w) + "\"";
  return result;
}

class SvgCanvas : public PlotCanvas {
 public:
  float em() const override { return kFont; }
  float text_width(const std::string& text) const override {
    const auto letters =
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    return kLetter * kFont * static_cast<float>(letters);
  }

  void line(std::span<const ImVec2> points, const Stroke& stroke) override {
    std::string places;
    for (const ImVec2& point : points) places += pixels(point.x) + "," + pixels(point.y) + " ";
    if (!places.empty()) places.pop_back();
    out_ += "<polyline fill=\"none\" stroke-linejoin=\"round\" " + paint_attribute("stroke", stroke.color) +
            " stroke-width=\"" + pixels(stroke.width) + "\"";
    std::string dashes;
    for (const float length : pattern_of(stroke.style)) dashes += pixels(length * stroke.width) + " ";
    if (!dashes.empty()) out_ += " stroke-dasharray=\"" + dashes.substr(0, dashes.size() - 1) + "\"";
    out_ += " points=\"" + places + "\"/>\n";
  }
  void fill(const PlotBox& box, const ImVec4& color) override {
    if (!(box.width() > 0 && box.height() > 0)) return;
    out_ += rectangle(box) + paint_attribute("fill", color) + "/>\n";
  }
  void dot(ImVec2 center, float radius, const ImVec4& color) override {
    out_ += "<circle cx=\"" + pixels(center.x) + "\" cy=\"" + pixels(center.y) + "\" r=\"" + pixels(radius) + "\" " +
            paint_attribute("fill", color) + "/>\n";
  }
  void text(ImVec2 at, float align, const std::string& text, const ImVec4& color) override {
    if (text.empty()) return;
    const char* anchor = align == 0 ? "start" : align == 1 ? "end" : "middle";
    out_ += "<text x=\"" + pixels(at.x) + "\" y=\"" + pixels(at.y + 0.95f * kFont) + "\" text-anchor=\"" + anchor +
            "\" " + paint_attribute("fill", color) + ">" + markup_text(text) + "</text>\n";
  }
  void begin_clip(const PlotBox& box) override {
    const std::string name = "clip" + std::to_string(clips_++);
    out_ += "<clipPath id=\"" + name + "\">" + rectangle(box) + "/></clipPath>\n<g clip-path=\"url(#" + name + ")\">\n";
  }
  void end_clip() override { out_ += "</g>\n"; }

  std::string take() { return std::move(out_); }

 private:
  static std::string rectangle(const PlotBox& box) {
    return "<rect x=\"" + pixels(box.low.x) + "\" y=\"" + pixels(box.low.y) + "\" width=\"" + pixels(box.width()) +
           "\" height=\"" + pixels(box.height()) + "\" ";
  }

  std::string out_;
  int clips_ = 0;
};

}  // namespace

std::string svg_text(const Plot& plot, const PlotView& view, const PlotStyle& style) {
  SvgCanvas canvas;
  const float width = kWidth - 2 * kBorder, top = kBorder + kTitleHeight;
  const float rest = total_height(plot, canvas, {width, 0});
  const PlotSize size{width, std::max(kHeight - top - kBorder - rest, 100.0f)};
  canvas.fill({{0, 0}, {kWidth, kHeight}}, style.background);
  canvas.text({kWidth / 2, kBorder}, 0.5f, plot.title, style.text);
  paint(plot, view, style, {{kBorder, top}, size}, canvas);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
         pixels(kWidth) + "\" height=\"" + pixels(kHeight) + "\" viewBox=\"0 0 " + pixels(kWidth) + " " +
         pixels(kHeight) + "\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\" font-size=\"" +
         pixels(kFont) + "\">\n<title>" + markup_text(plot.title) + "</title>\n" + canvas.take() + "</svg>\n";
}

}  // namespace pericenter::app
