#include "app/overlay/encounter_overlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glm/glm.hpp>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/overlay/projection.h"
#include "app/ui/encounter_design.h"
#include "render/color_map.h"
#include "sim/scenes/model/orbit.h"

namespace pericenter::app {
namespace {

constexpr int kSides = 128;           // of curves
constexpr float kDashes = 26;         // until the pericentre, or in half of the way where that is longer
constexpr float kDrawn = 0.62f;       // share of a dash that is drawn
constexpr float kGone = 0.25f;        // alpha of the way that lies behind
constexpr float kPointAlpha = 0.35f;  // of the orbit of points
constexpr float kArrow = 1.2f;        // length of the spin, in radii of the disc

glm::vec3 to_glm(const Vec3& v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

ImU32 packed(ImVec4 color, float alpha) {
  color.w *= alpha;
  return ImGui::ColorConvertFloat4ToU32(color);
}

ImVec4 galaxy_color(const OverlayCanvas& paper, int galaxy) {
  const glm::vec3 color = render::origin_color(static_cast<std::size_t>(galaxy), 0.6f);
  const bool on_paper = paper.ink.x < 0.5f;
  return mixed({color.r, color.g, color.b, 1}, on_paper ? ImVec4{0, 0, 0, 1} : ImVec4{1, 1, 1, 1},
               on_paper ? 0.35f : 0.15f);
}

/// Draws curves and labels that keep clear of each other.
class Sketch {
 public:
  Sketch(const OverlayCanvas& paper, const render::Camera& camera)
      : paper_(paper), camera_(camera), on_(paper, camera) {}

  const Projection& on() const { return on_; }
  glm::vec3 eye() const { return camera_.position(); }

  /// A curve through points of the world, interrupted where it is behind the camera.
  void curve(const std::vector<glm::vec3>& points, ImU32 color, float thick) {
    ImDrawList& draw = paper_.draw;
    draw.PathClear();
    for (const glm::vec3& point : points) {
      const auto pixel = on_.point(point);
      if (pixel) draw.PathLineTo(*pixel);
      if (!pixel) draw.PathStroke(color, 0, thick);
    }
    draw.PathStroke(color, 0, thick);
  }

  /// Words beside a pixel, `away` from it: on that side with room which lies farthest towards `side`.
  bool label(ImVec2 at, const ImVec4& ink, const std::string& words, float away, ImVec2 side) {
    const ImVec2 size = paper_.font->CalcTextSizeA(paper_.em, FLT_MAX, 0, words.c_str());
    std::array<ImVec2, 8> sides = {
        {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0.7f, 0.7f}, {-0.7f, 0.7f}, {0.7f, -0.7f}, {-0.7f, -0.7f}}};
    std::ranges::stable_sort(sides, std::greater(),
                             [&](const ImVec2& to) { return std::round(10 * (to.x * side.x + to.y * side.y)); });
    for (const ImVec2& to : sides) {
      const auto start = [&](float center, float towards, float length) {
        return center + towards * away + (towards > 0 ? 0 : towards < 0 ? -length : -length / 2);
      };
      const ImVec2 low{start(at.x, to.x, size.x), start(at.y, to.y, size.y)};
      const Box box{low, {low.x + size.x, low.y + size.y}};
      if (!is_free(box)) continue;
      OverlayCanvas strong{paper_};
      strong.halo.w = std::min(2 * strong.halo.w, 1.0f);  // there are galaxies behind
      write(strong, low, ink, words);
      taken_.push_back(box);
      return true;
    }
    return false;
  }

 private:
  struct Box {
    ImVec2 low, high;
  };
  bool is_free(const Box& box) const {
    const float gap = 0.3f * paper_.em;
    if (box.low.x < paper_.low.x + gap || box.low.y < paper_.low.y + gap || box.high.x > paper_.high.x - gap ||
        box.high.y > paper_.high.y - gap)
      return false;
    return std::ranges::none_of(taken_, [&](const Box& other) {
      return box.low.x < other.high.x + gap && other.low.x < box.high.x + gap && box.low.y < other.high.y &&
             other.low.y < box.high.y;
    });
  }

  const OverlayCanvas& paper_;
  const render::Camera& camera_;
  Projection on_;
  std::vector<Box> taken_;
};

/// Shares of the way from the first to the second that lie between the centre of mass and each of them.
std::array<float, 2> arms(const EncounterDesign& design) {
  const EncounterForecast* found = design.forecast.result();
  const bool known = found && design.forecast.applies_to(design.draft()) && found->galaxies[0].mass > 0;
  const double ratio = known ? found->galaxies[1].mass / found->galaxies[0].mass : design.draft().mass_ratio;
  return {static_cast<float>(-ratio / (1 + ratio)), static_cast<float>(1 / (1 + ratio))};
}

/// Relative positions on the orbit of points: from the start to the same distance on the other side, or all around.
std::vector<glm::vec3> conic(const EncounterOrbit& orbit) {
  const double e = orbit.eccentricity, parameter = orbit.pericenter * (1 + e);
  const double cosine = e > 0 ? std::clamp((parameter / orbit.separation - 1) / e, -1.0, 1.0) : -1;
  const double end = e < 1 ? std::numbers::pi : std::acos(cosine);
  std::vector<glm::vec3> points;
  for (int k = 0; k <= kSides; ++k) {
    const double angle = end * (2.0 * k / kSides - 1);
    const double r = parameter / (1 + e * std::cos(angle));
    points.push_back(to_glm(Vec3{std::cos(angle), std::sin(angle), 0} * r));
  }
  return points;
}

void draw_conic(const OverlayCanvas& paper, const EncounterDesign& design, Sketch& sketch) {
  const std::vector<glm::vec3> whole = conic(design.draft().orbit);
  for (const float arm : arms(design)) {
    std::vector<glm::vec3> points;
    for (const glm::vec3& point : whole) points.push_back(point * arm);
    sketch.curve(points, packed(paper.dim, kPointAlpha), paper.em / 16);
  }
}

/// Last of all labels, where there is room left.
void name_conic(const OverlayCanvas& paper, const EncounterDesign& design, Sketch& sketch) {
  const glm::vec3 end = conic(design.draft().orbit).back();
  for (const float arm : arms(design)) {
    ImVec4 ink = paper.dim;
    ink.w = 2 * kPointAlpha;
    if (const auto at = sketch.on().point(end * arm);
        at && sketch.label(*at, ink, "two points", 0.4f * paper.em, {0, 1}))
      return;
  }
}

/// The way of a galaxy between two moments.
std::vector<glm::vec3> way(const EncounterForecast& found, int galaxy, double from, double to) {
  const std::vector<ForecastPoint>& points = found.points;
  const auto at = [&](std::size_t k) { return to_glm(points[k].centers.at(static_cast<std::size_t>(galaxy))); };
  const auto place = [&](std::size_t next, double time) {
    const double share = (time - points[next - 1].time) / (points[next].time - points[next - 1].time);
    return glm::mix(at(next - 1), at(next), static_cast<float>(share));
  };
  std::vector<glm::vec3> result;
  for (std::size_t next = 1; next < points.size(); ++next) {
    if (points[next].time <= from || points[next - 1].time >= to) continue;
    result.push_back(points[next - 1].time < from ? place(next, from) : at(next - 1));
    if (points[next].time >= to) result.push_back(place(next, to));
  }
  return result;
}

/// Dashes that last equally long, so that long ones are fast; what is behind is thin and whole.
void draw_ways(const OverlayCanvas& paper, const EncounterForecast& found, double now, Sketch& sketch) {
  const double end = found.points.back().time, dash = std::max(found.pericenter_time, end / 2) / kDashes;
  if (!(dash > 0)) return;
  for (int galaxy = 0; galaxy < 2; ++galaxy) {
    const ImVec4 color = galaxy_color(paper, galaxy);
    if (now > 0) sketch.curve(way(found, galaxy, 0, std::min(now, end)), packed(color, kGone), paper.em / 12);
    for (double from = std::floor(now / dash) * dash; from < end; from += dash) {
      const double to = std::min(from + kDrawn * dash, end);
      if (to <= now) continue;
      const float beyond = static_cast<float>((from - found.pericenter_time) / (end - found.pericenter_time));
      const float alpha = beyond > 0 ? std::max(0.75f * (1 - beyond), 0.0f) : 1;
      const std::vector<glm::vec3> points = way(found, galaxy, std::max(from, now), to);
      sketch.curve(points, packed(paper.halo, 2 * alpha), paper.em / 3.5f);
      sketch.curve(points, packed(color, alpha), paper.em / 7.5f);
    }
  }
}

void draw_pericenter(const OverlayCanvas& paper, const EncounterForecast& found, const Units& units, Sketch& sketch) {
  const ForecastPoint& nearest = found.points[found.nearest];
  std::array<std::optional<ImVec2>, 2> ends;
  for (std::size_t k = 0; k < 2; ++k) ends[k] = sketch.on().point(to_glm(nearest.centers[k]));
  if (!ends[0] || !ends[1]) return;
  paper.draw.AddLine(*ends[0], *ends[1], packed(paper.ink, 0.6f), paper.em / 14);
  for (int k = 0; k < 2; ++k) {
    const ImVec2 end = *ends.at(static_cast<std::size_t>(k));
    paper.draw.AddCircleFilled(end, 0.30f * paper.em, packed(paper.halo, 2));
    paper.draw.AddCircleFilled(end, 0.22f * paper.em, packed(galaxy_color(paper, k), 1));
  }
  const ImVec2 middle{(ends[0]->x + ends[1]->x) / 2, (ends[0]->y + ends[1]->y) / 2};
  // Beside both ways, which pass at right angles to the line between them.
  const ImVec2 half{ends[1]->x - middle.x, ends[1]->y - middle.y};
  const float length = std::hypot(half.x, half.y);
  const ImVec2 side = length > 1 ? ImVec2{half.x / length, half.y / length} : ImVec2{0, 1};
  sketch.label(middle, paper.ink, pericenter_text(found, units), std::max(length, 0.5f * paper.em) + 0.7f * paper.em,
               side);
}

/// A galaxy as it stands before it moves.
struct Tilted {
  glm::vec3 middle, spin;
  float radius = 0;
  ImVec4 color;
};

void draw_disc(const OverlayCanvas& paper, const Tilted& disc, Sketch& sketch) {
  const glm::vec3 across = std::abs(disc.spin.x) < 0.9f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
  const glm::vec3 e1 = glm::normalize(glm::cross(across, disc.spin)), e2 = glm::cross(disc.spin, e1);
  const auto at = [&](float angle, float reach) {
    return disc.middle + disc.radius * reach * (std::cos(angle) * e1 + std::sin(angle) * e2);
  };
  constexpr float kHalfTurn = std::numbers::pi_v<float>;
  const glm::vec3 eye = sketch.eye() - disc.middle;
  const float nearest = std::atan2(glm::dot(eye, e2), glm::dot(eye, e1));
  std::vector<glm::vec3> near, far;
  for (int k = 0; k <= kSides / 2; ++k) {
    const float angle = nearest + kHalfTurn * (2 * static_cast<float>(k) / kSides - 0.5f);
    near.push_back(at(angle, 1));
    far.push_back(at(angle + kHalfTurn, 1));
  }
  const float face_on = glm::dot(disc.spin, glm::normalize(eye)), strength = 0.45f + 0.5f * face_on * face_on;
  sketch.curve(far, packed(paper.halo, 2 * strength), paper.em / 4);
  sketch.curve(far, packed(disc.color, strength), paper.em / 11);
  sketch.curve(near, packed(paper.halo, 2), paper.em / 4);
  sketch.curve(near, packed(disc.color, 1), paper.em / 9);
  // Which way it turns.
  for (int k = 0; k < 3; ++k) {
    const float tip = 2 * kHalfTurn * (static_cast<float>(k) + 0.25f) / 3;
    const std::vector<glm::vec3> barbs = {at(tip - 0.13f, 1.07f), at(tip, 1), at(tip - 0.13f, 0.93f)};
    sketch.curve(barbs, packed(paper.halo, 2), paper.em / 4);
    sketch.curve(barbs, packed(disc.color, 1), paper.em / 9);
  }
}

/// As in textbooks: an arrow, or seen from its end a point in a circle, from its tail a cross.
void draw_spin(const OverlayCanvas& paper, const Tilted& disc, const char* words, Sketch& sketch) {
  const glm::vec3 tip = disc.middle + disc.spin * (kArrow * disc.radius);
  const auto from = sketch.on().point(disc.middle), to = sketch.on().point(tip);
  if (!from || !to) return;
  const float dx = to->x - from->x, dy = to->y - from->y, length = std::hypot(dx, dy), em = paper.em;
  const ImU32 color = packed(disc.color, 1), halo = packed(paper.halo, 2);
  const ImVec4 ink = mixed(disc.color, paper.ink, 0.35f);
  if (length < 1.3f * em) {
    const float r = 0.45f * em, d = 0.7f * r;
    paper.draw.AddCircle(*from, r, halo, 0, em / 4);
    paper.draw.AddCircle(*from, r, color, 0, em / 9);
    if (glm::dot(disc.spin, sketch.eye() - disc.middle) > 0) {
      paper.draw.AddCircleFilled(*from, 0.13f * em, color);
    } else {
      paper.draw.AddLine({from->x - d, from->y - d}, {from->x + d, from->y + d}, color, em / 9);
      paper.draw.AddLine({from->x - d, from->y + d}, {from->x + d, from->y - d}, color, em / 9);
    }
    sketch.label(*from, ink, words, 0.9f * em, {1, 0});
    return;
  }
  const ImVec2 along{dx / length, dy / length};
  const ImVec2 neck{to->x - 0.75f * em * along.x, to->y - 0.75f * em * along.y};
  paper.draw.AddLine(*from, neck, halo, em / 3.5f);
  paper.draw.AddLine(*from, neck, color, em / 8);
  const ImVec2 side{-0.28f * em * along.y, 0.28f * em * along.x};
  paper.draw.AddTriangleFilled(*to, {neck.x + side.x, neck.y + side.y}, {neck.x - side.x, neck.y - side.y}, color);
  sketch.label(*to, ink, words, 0.6f * em, along);
}

void draw_discs(const OverlayCanvas& paper, const Annotated& what, Sketch& sketch) {
  const EncounterDesign& design = *what.overlay.encounter;
  const EncounterForecast& found = *design.forecast.result();
  const Encounter draft = design.draft();
  const glm::vec3 apart = to_glm(relative_state(draft.orbit, 1).position);
  const std::array<float, 2> shares = arms(design);
  const bool flat = what.state.config.dimension == 2;
  for (int k = 0; k < 2; ++k) {
    const DiscOrientation& orientation = k == 0 ? draft.first : draft.second;
    Vec3 spin = spin_axis(orientation, k == 1);
    if (flat) spin = {0, 0, spin[2] < 0 ? -1.0 : 1.0};
    const auto index = static_cast<std::size_t>(k);
    const Tilted disc{.middle = apart * shares[index],
                      .spin = to_glm(spin),
                      .radius = static_cast<float>(found.galaxies[index].disc_radius),
                      .color = galaxy_color(paper, k)};
    if (!(disc.radius > 0)) continue;
    draw_disc(paper, disc, sketch);
    draw_spin(paper, disc, spin_name(orientation.inclination), sketch);
  }
}

}  // namespace

void draw_encounter(const OverlayCanvas& paper, const Annotated& what) {
  if (!what.overlay.encounter) return;
  const EncounterDesign& design = *what.overlay.encounter;
  if (!design.open || !design.show || design.scene.empty()) return;
  const bool planned = design.changed() || what.time == 0;
  Sketch sketch(paper, what.camera);
  draw_conic(paper, design, sketch);
  const EncounterForecast* found = design.forecast.result();
  if (found && design.forecast.applies_to(design.draft())) {
    draw_ways(paper, *found, planned ? 0 : what.time, sketch);
    draw_pericenter(paper, *found, what.state.units, sketch);
  }
  if (found && planned) draw_discs(paper, what, sketch);
  name_conic(paper, design, sketch);
}

}  // namespace pericenter::app
