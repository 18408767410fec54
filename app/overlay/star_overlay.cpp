#include "app/overlay/star_overlay.h"

#include <algorithm>
#include <cmath>

#include "app/base/format.h"
#include "app/overlay/star_text.h"

namespace pericenter::app {
namespace {

constexpr float kArrowEms = 5, kRingEms = 0.6f, kRowEms = 1.25f, kEdgeEms = 0.45f, kColumnEms = 1;
constexpr float kWidest = 0.5f;    ///< largest share of the image's width that a card takes
constexpr double kMostSteps = 64;  ///< a report that is older belongs to another moment

/// Where something that was reported is at the time of the frame, a step or a few later.
glm::vec3 now_at(const AnnotatedFrame& frame, const Vec3& position, const Vec3& velocity) {
  const StarReport& report = *frame.state.stars;
  const double late = frame.time - report.time;
  const bool follows = report.has_velocities && std::abs(late) <= kMostSteps * std::abs(frame.state.params.dt);
  return to_glm(follows ? position + velocity * late : position);
}

/// A block of lines in two columns; the first line is larger.
struct Block {
  std::string title;
  std::vector<StarRow> rows;
};

struct BlockStyle {
  OverlayCanvas title;
  float names = 0;  ///< width of the first column
  ImVec2 size;
};

BlockStyle style_of(const OverlayCanvas& canvas, const Fonts& fonts, const AnnotatedFrame& frame, const Block& block) {
  BlockStyle style{canvas, 0, {}};
  style.title.font = frame.shown.large ? fonts.caption : fonts.headline;
  style.title.em = (frame.shown.large ? fonts.sizes.caption / fonts.sizes.legend : 1.2f) * canvas.em;
  float values = 0;
  for (const StarRow& row : block.rows) {
    if (!row.name.empty()) style.names = std::max(style.names, canvas.text_width(row.name) + kColumnEms * canvas.em);
    values = std::max(values, canvas.text_width(row.value));
  }
  const float edge = 2 * kEdgeEms * canvas.em;
  style.size = {std::max(style.names + values, style.title.text_width(block.title)) + edge,
                kRowEms * (style.title.em + canvas.em * static_cast<float>(block.rows.size())) + edge};
  return style;
}

/// The box of a block beside a pixel; inside the image, if there is no room beside it.
LabelBox place_block(const OverlayCanvas& canvas, const LabelWish& wish, const std::vector<LabelBox>& taken) {
  const PlacedLabel placed = place_labels({wish}, {canvas.low, canvas.high}, taken).front();
  if (placed.side) return placed.box;
  const ImVec2 &size = wish.size, most{canvas.high.x - size.x, canvas.high.y - size.y};
  const ImVec2 low{std::clamp(wish.at.x + wish.away, canvas.low.x, std::max(canvas.low.x, most.x)),
                   std::clamp(wish.at.y + wish.away, canvas.low.y, std::max(canvas.low.y, most.y))};
  return {low, {low.x + size.x, low.y + size.y}};
}

void draw_block(const OverlayCanvas& canvas, const BlockStyle& style, const Block& block, const LabelBox& box) {
  plate(canvas, box.low, box.high);
  const float edge = kEdgeEms * canvas.em;
  ImVec2 at{box.low.x + edge, box.low.y + edge};
  write(style.title, at, canvas.foreground, block.title);
  at.y += kRowEms * style.title.em;
  for (const StarRow& row : block.rows) {
    write(canvas, at, canvas.dim, row.name);
    write(canvas, {at.x + style.names, at.y}, canvas.foreground, row.value);
    at.y += kRowEms * canvas.em;
  }
}

/// Everything that is drawn of one frame.
class StarDrawing {
 public:
  StarDrawing(const OverlayCanvas& canvas, const Fonts& fonts, const AnnotatedFrame& frame,
              std::vector<LabelBox>& taken)
      : canvas_(canvas), fonts_(fonts), frame_(frame), taken_(taken), on_(canvas, frame.camera) {}

  void arrows(double length) {
    for (const VelocityArrow& arrow : velocity_arrows(frame_, length)) {
      ImVec2 from, to;
      if (on_.line(arrow.from, arrow.to, from, to))
        draw_arrow(canvas_, from, to, arrow.galaxy < 0 ? canvas_.foreground : galaxy_color(canvas_, arrow.galaxy));
    }
  }

  void ruler(const Ruler& ruler) {
    for (const std::uint32_t star : ruler.ends) ring(star);
    const auto ends = ruler_ends(*frame_.state.stars, ruler);
    if (!ends) return;
    ImVec2 from, to;
    if (!on_.line(place((*ends)[0]), place((*ends)[1]), from, to)) return;
    rule(canvas_, from, to, canvas_.foreground);
    const float room = canvas_.em;
    std::vector<std::string> lines = ruler_lines(frame_.state, ruler);
    Block words{lines.front(), {}};
    for (std::size_t k = 1; k < lines.size(); ++k) words.rows.push_back({"", lines[k]});
    std::vector<LabelBox> avoided = taken_;
    for (const ImVec2& end : {from, to})
      avoided.push_back({{end.x - room, end.y - room}, {end.x + room, end.y + room}});
    const ImVec2 across{from.y - to.y, to.x - from.x};
    block(words, {(from.x + to.x) / 2, (from.y + to.y) / 2}, across.y < 0 ? across : ImVec2{-across.x, -across.y},
          avoided);
  }

  void card(std::uint32_t star) {
    const std::optional<ImVec2> at = ring(star);
    if (at) block({star_title(frame_.state, star), star_rows(frame_.state, star)}, *at, {1, -1}, taken_);
  }

 private:
  glm::vec3 place(const Moving& end) const { return now_at(frame_, end.position, end.velocity); }

  /// A ring around a star. Returns its centre; nullopt: there is no such star, or it is behind the camera.
  std::optional<ImVec2> ring(std::uint32_t star) {
    const Body* const body = frame_.state.stars->star(star);
    const auto at = body ? on_.point(now_at(frame_, body->position, body->velocity)) : std::nullopt;
    if (!at) return {};
    const float radius = kRingEms * canvas_.em;
    canvas_.draw.AddCircle(*at, radius, packed(canvas_.halo, 2), 0, canvas_.em / 4);
    canvas_.draw.AddCircle(*at, radius, packed(canvas_.foreground), 0, canvas_.em / 9);
    return at;
  }

  void block(const Block& words, ImVec2 at, ImVec2 side, const std::vector<LabelBox>& avoided) {
    const ImVec2 inside{std::clamp(at.x, canvas_.low.x, canvas_.high.x),
                        std::clamp(at.y, canvas_.low.y, canvas_.high.y)};
    OverlayCanvas canvas{canvas_};
    const float width = style_of(canvas, fonts_, frame_, words).size.x;
    canvas.em *= std::min(1.0f, kWidest * canvas.size().x / width);
    const BlockStyle style = style_of(canvas, fonts_, frame_, words);
    const LabelWish wish{.at = inside, .away = 2 * canvas_.em, .size = style.size, .side = side};
    const LabelBox box = place_block(canvas_, wish, avoided);
    draw_block(canvas, style, words, box);
    taken_.push_back(box);
  }

  const OverlayCanvas& canvas_;
  const Fonts& fonts_;
  const AnnotatedFrame& frame_;
  std::vector<LabelBox>& taken_;
  Projection on_;
};

}  // namespace

VelocityScale velocity_scale(const OverlayCanvas& canvas, const render::Camera& camera, const Units& units) {
  const double unit = units.velocity_kms > 0 ? units.velocity_kms : 1, speed = round_length(unit) / unit;
  const double across = 2 * camera.distance() * std::tan(0.5 * camera.field_of_view());
  const double pixel = across / std::min(canvas.view().x, canvas.view().y);
  const float pixels = kArrowEms * canvas.em;
  return {static_cast<double>(pixels) * pixel / speed, pixels, speed_text(speed, units)};
}

std::vector<VelocityArrow> velocity_arrows(const AnnotatedFrame& frame, double length) {
  if (!frame.state.stars || !frame.state.stars->has_velocities) return {};
  std::vector<VelocityArrow> arrows;
  const auto add = [&](const Vec3& position, const Vec3& velocity, int galaxy) {
    const glm::vec3 from = now_at(frame, position, velocity);
    arrows.push_back({from, from + to_glm(velocity * length), galaxy});
  };
  for (const Nucleus& nucleus : frame.state.stars->nuclei)
    add(nucleus.position, nucleus.velocity, static_cast<int>(nucleus.galaxy));
  for (const StarReport::Star& star : frame.state.stars->stars) add(star.body.position, star.body.velocity, -1);
  return arrows;
}

ImVec2 draw_velocity_legend(const OverlayCanvas& canvas, const AnnotatedFrame& frame, ImVec2 corner) {
  if (frame.shown.hides_results || !frame.view.guides.velocities) return corner;
  const VelocityScale scale = velocity_scale(canvas, frame.camera, frame.state.units);
  const float left = canvas.low.x + 0.9f * canvas.em, y = corner.y - 1.1f * canvas.em;
  const bool known = !frame.state.stars || frame.state.stars->has_velocities;
  const std::string words = known ? scale.label : "no velocity arrows: velocities are " + std::string(kNoVelocities);
  if (known) draw_arrow(canvas, {left, y}, {left + scale.pixels, y}, canvas.foreground);
  const float start = known ? left + scale.pixels + 0.6f * canvas.em : left;
  write(canvas, {start, y - canvas.em / 2}, canvas.foreground, words);
  return {std::max(corner.x, start + canvas.text_width(words)), y - canvas.em};
}

void draw_stars(const OverlayCanvas& canvas, const Fonts& fonts, const AnnotatedFrame& frame,
                std::vector<LabelBox>& taken) {
  const bool shown = !frame.shown.hides_results;
  if (!shown || !frame.state.stars) return;
  StarDrawing drawing(canvas, fonts, frame, taken);
  canvas.draw.PushClipRect(canvas.low, canvas.high, true);
  if (frame.view.guides.velocities) drawing.arrows(velocity_scale(canvas, frame.camera, frame.state.units).length);
  const SelectedStars* const selected = frame.overlay.stars;
  if (selected && selected->ruler.on) drawing.ruler(selected->ruler);
  if (selected && selected->shown) drawing.card(*selected->shown);
  canvas.draw.PopClipRect();
}

}  // namespace pericenter::app
