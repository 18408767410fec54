#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "app/plots/plot_canvas.h"

// Curves as lines of pixels.
namespace pericenter::app {
namespace {

constexpr std::array<float, 2> kDashed = {5, 3.5f}, kDotted = {1.2f, 2.4f};
constexpr std::array<float, 4> kDashDotted = {5, 2.4f, 1.2f, 2.4f};
constexpr std::size_t kMaxDashes = 100'000;  // in a longer line a float may not resolve the next dash

/// The points of one column of pixels, in the order of x.
class PixelColumn {
 public:
  explicit PixelColumn(std::vector<ImVec2>& line) : line_(line) {}

  void add(ImVec2 point, int column) {
    if (count_ > 0 && column != column_) end();
    if (count_ == 0) {
      column_ = column;
      first_ = lowest_ = highest_ = point;
      lowest_at_ = highest_at_ = 0;
    }
    if (point.y < lowest_.y) lowest_ = point, lowest_at_ = count_;
    if (point.y > highest_.y) highest_ = point, highest_at_ = count_;
    last_ = point;
    ++count_;
  }

  void end() {
    if (count_ > 0) line_.push_back(first_);
    const int last = count_ - 1;
    const bool lowest_first = lowest_at_ < highest_at_;
    const auto keep = [&](ImVec2 point, int at) {
      if (at > 0 && at < last) line_.push_back(point);
    };
    keep(lowest_first ? lowest_ : highest_, lowest_first ? lowest_at_ : highest_at_);
    if (lowest_at_ != highest_at_) keep(lowest_first ? highest_ : lowest_, lowest_first ? highest_at_ : lowest_at_);
    if (last > 0) line_.push_back(last_);
    count_ = 0;
  }

 private:
  std::vector<ImVec2>& line_;
  ImVec2 first_, lowest_, highest_, last_;
  int column_ = 0, count_ = 0, lowest_at_ = 0, highest_at_ = 0;
};

/// Collects lines; a gap ends one.
class LineBuilder {
 public:
  explicit LineBuilder(const PlotMapping& map) : map_(map) {}

  void add(double x, double y) {
    if (!map_.x.can_show(x) || !map_.y.can_show(y)) return gap();
    const ImVec2 point{map_.pixel_x(x), map_.pixel_y(y)};
    column_.add(point, static_cast<int>(point.x - map_.box.low.x));
  }
  void gap() {
    column_.end();
    if (!line_.empty()) lines_.push_back(std::move(line_));
    line_.clear();
  }
  std::vector<std::vector<ImVec2>> take() {
    gap();
    return std::move(lines_);
  }

 private:
  const PlotMapping& map_;
  std::vector<std::vector<ImVec2>> lines_;
  std::vector<ImVec2> line_;
  PixelColumn column_{line_};
};

/// Appends the part of a line between two distances from its start.
void add_piece(std::span<const ImVec2> line, std::span<const float> distance, float from, float to,
               std::vector<std::vector<ImVec2>>& pieces) {
  const auto at = [&](float wanted) {
    const auto right = std::lower_bound(distance.begin() + 1, distance.end() - 1, wanted);
    const std::size_t k = static_cast<std::size_t>(right - distance.begin());
    const float length = distance[k] - distance[k - 1], share = length > 0 ? (wanted - distance[k - 1]) / length : 0;
    return ImVec2{line[k - 1].x + share * (line[k].x - line[k - 1].x),
                  line[k - 1].y + share * (line[k].y - line[k - 1].y)};
  };
  std::vector<ImVec2> piece = {at(from)};
  const auto first = std::upper_bound(distance.begin(), distance.end(), from);
  for (auto inner = first; inner != distance.end() && *inner < to; ++inner)
    piece.push_back(line[static_cast<std::size_t>(inner - distance.begin())]);
  piece.push_back(at(to));
  pieces.push_back(std::move(piece));
}

}  // namespace

std::span<const float> pattern_of(LineStyle style) {
  switch (style) {
    case LineStyle::dashed:
      return kDashed;
    case LineStyle::dotted:
      return kDotted;
    case LineStyle::dash_dotted:
      return kDashDotted;
    case LineStyle::solid:
    case LineStyle::none:
      break;
  }
  return {};
}

float PlotMapping::pixel_y(double value) const {
  return box.high.y - static_cast<float>(std::clamp(y.share(value), -2.0, 3.0)) * box.height();
}

std::vector<std::vector<ImVec2>> lines_of(const Curve& curve, const PlotMapping& map) {
  LineBuilder builder(map);
  const PlotRange& range = map.x.range();
  const auto first = std::lower_bound(curve.x.begin(), curve.x.end(), range.low);
  const auto last = std::upper_bound(first, curve.x.end(), range.high);
  const auto add_edge = [&](double x) {
    if (const auto value = value_at(curve, x)) builder.add(x, *value);
  };
  if (first == curve.x.end() || *first != range.low) add_edge(range.low);
  for (auto x = first; x != last; ++x) builder.add(*x, curve.y[static_cast<std::size_t>(x - curve.x.begin())]);
  if (last == first || *std::prev(last) != range.high) add_edge(range.high);
  return builder.take();
}

std::vector<std::vector<ImVec2>> dashes_of(std::span<const ImVec2> line, const Stroke& stroke) {
  std::vector<std::vector<ImVec2>> pieces;
  const std::span<const float> pattern = pattern_of(stroke.style);
  if (line.size() < 2) return pieces;
  if (pattern.empty()) return {{line.begin(), line.end()}};
  std::vector<float> distance = {0};
  for (std::size_t k = 1; k < line.size(); ++k)
    distance.push_back(distance.back() + std::hypot(line[k].x - line[k - 1].x, line[k].y - line[k - 1].y));
  float from = 0;
  for (std::size_t k = 0; from < distance.back() && pieces.size() < kMaxDashes; k = (k + 2) % pattern.size()) {
    const float to = std::min(from + pattern[k] * stroke.width, distance.back());
    add_piece(line, distance, from, to, pieces);
    from = to + pattern[k + 1] * stroke.width;
  }
  return pieces;
}

}  // namespace pericenter::app
