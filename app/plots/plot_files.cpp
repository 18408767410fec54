#include "app/plots/plot_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "app/base/format.h"
#include "app/base/translation.h"

namespace pericenter::app {
namespace {

/// Quotes the text if RFC 4180 requires it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

/// Twelve significant digits: enough for every use, and 202 instead of 202.00000000000003.
std::string number(double value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 12);
  return {digits.data(), end.ptr};
}

struct Column {
  std::string name;
  std::span<const double> x, y;
  std::size_t next = 0;  ///< first row that is not written yet
};

std::vector<Column> columns_of(const Plot& plot) {
  std::vector<Column> columns;
  for (const Curve& curve : plot.curves) columns.push_back({curve.name, curve.x, curve.y});
  for (const Band& band : plot.bands) columns.push_back({band.name, plot.band_x, band.y});
  return columns;
}

/// The values of x of all columns in a range, ascending, each once.
std::vector<double> rows_of(const std::vector<Column>& columns, PlotRange range) {
  std::vector<double> rows;
  for (const Column& column : columns)
    std::ranges::copy_if(column.x, std::back_inserter(rows), [&](double x) { return range.contains(x); });
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// The value of the column at `x`, the last one if there are several; empty if it has none. Rows are asked for in
/// ascending order.
std::string value_in(Column& column, double x) {
  std::string value;
  for (; column.next < column.x.size() && !(column.x[column.next] > x); ++column.next)
    if (const double y = column.y[column.next]; column.x[column.next] == x)
      value = std::isfinite(y) ? number(y) : std::string();
  return value;
}

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
  explicit SvgCanvas(std::string_view language) : language_(language) {}
  float em() const override { return kFont; }
  float text_width(const std::string& english) const override {
    const std::string text = translated(english, language_);
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
            "\" " + paint_attribute("fill", color) + ">" + markup_text(translated(text, language_)) + "</text>\n";
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

  std::string_view language_;
  std::string out_;
  int clips_ = 0;
};

}  // namespace

std::string csv_text(const Plot& plot, PlotRange x) {
  std::vector<Column> columns = columns_of(plot);
  std::string table = field(title_of(plot.x));
  for (const Column& column : columns)
    table += "," + field(plot.y.unit.empty() ? column.name : column.name + " [" + plot.y.unit + "]");
  table += "\n";
  for (const double row : rows_of(columns, x)) {
    table += number(row);
    for (Column& column : columns) table += "," + value_in(column, row);
    table += "\n";
  }
  return table;
}

std::string svg_text(const Plot& plot, const PlotView& view, const PlotStyle& style, std::string_view language) {
  SvgCanvas canvas(language);
  const float width = kWidth - 2 * kBorder, top = kBorder + kTitleHeight;
  const float rest = total_height(plot, canvas, {width, 0, true});
  const PlotSize size{width, std::max(kHeight - top - kBorder - rest, 100.0f), true};
  canvas.fill({{0, 0}, {kWidth, kHeight}}, style.background);
  canvas.text({kWidth / 2, kBorder}, 0.5f, plot.title, style.text);
  paint(plot, view, style, {{kBorder, top}, size}, canvas);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
         pixels(kWidth) + "\" height=\"" + pixels(kHeight) + "\" viewBox=\"0 0 " + pixels(kWidth) + " " +
         pixels(kHeight) + "\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\" font-size=\"" +
         pixels(kFont) + "\">\n<title>" + markup_text(translated(plot.title, language)) + "</title>\n" + canvas.take() +
         "</svg>\n";
}

}  // namespace pericenter::app
