
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/glm.hpp>
#include <numbers>
#include <vector>

#include "app/overlay/overlay_drawing.h"
#include "app/ui/encounter_design.h"
#include "sim/scenes/model/orbit.h"

namespace pericenter::app {
namespace {

constexpr int kSegments = 128;   // segments of a curve
constexpr float kDashes = 26;    // dashes up to the closest approach, or in half of the trajectory if that is longer
constexpr float kDrawn = 0.62f;  // drawn part of a dash
constexpr float kPastAlpha = 0.25f;   // trajectory before the current time
constexpr float kPointAlpha = 0.35f;  // point-mass orbit
constexpr float kArrow = 1.2f;        // length of the spin arrow in disc radii

/// Positions of both galaxies relative to the centre of mass, as fractions of the vector from the first to the second.
std::array<float, 2> arms(const EncounterDesign& design) {
  const EncounterForecast* found = design.forecast.result();
  const bool known = found && design.forecast.applies_to(design.draft()) && found->galaxies[0].mass > 0;
  const double ratio = known ? found->galaxies[1].mass / found->galaxies[0].mass : design.draft().mass_ratio;
  return {static_cast<float>(-ratio / (1 + ratio)), static_cast<float>(1 / (1 + ratio))};
}

/// Relative positions on the point-mass orbit: from the initial separation to the same separation after the pericentre,
/// or the whole ellipse.
std::vector<glm::vec3> conic(const EncounterOrbit& orbit) {
  const double e = orbit.eccentricity, parameter = orbit.pericenter * (1 + e);
  const double cosine = e > 0 ? std::clamp((parameter / orbit.separation - 1) / e, -1.0, 1.0) : -1;
  const double end = e < 1 ? std::numbers::pi : std::acos(cosine);
  std::vector<glm::vec3> points;
  for (int k = 0; k <= kSegments; ++k) {
    const double angle = end * (2.0 * k / kSegments - 1);
    const double r = parameter / (1 + e * std::cos(angle));
    points.push_back(to_glm(Vec3{std::cos(angle), std::sin(angle), 0} * r));
  }
  return points;
}

void draw_conic(const OverlayCanvas& canvas, const EncounterDesign& design, OverlayDrawing& sketch) {
  const std::vector<glm::vec3> whole = conic(design.draft().orbit);
  for (const float arm : arms(design)) {
    std::vector<glm::vec3> points;
    for (const glm::vec3& point : whole) points.push_back(point * arm);
    sketch.curve(points, packed(canvas.dim, kPointAlpha), canvas.em / 16);
  }
}

/// Call it last, so that the label takes the space that the others leave.
void label_conic(const OverlayCanvas& canvas, const EncounterDesign& design, OverlayDrawing& sketch) {
  const glm::vec3 end = conic(design.draft().orbit).back();
  for (const float arm : arms(design)) {
    const ImVec4 foreground = with_alpha(canvas.dim, 2 * kPointAlpha);
    if (const auto at = sketch.on().point(end * arm);
        at && sketch.label(*at, foreground, "point-mass orbit", 0.4f * canvas.em, {0, 1}))
      return;
  }
}

/// The trajectory of a galaxy between two times.
std::vector<glm::vec3> trajectory(const EncounterForecast& found, int galaxy, double from, double to) {
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

/// Draws dashes of equal duration, so that long dashes mean high speed. The past is a thin solid line.
void draw_trajectories(const OverlayCanvas& canvas, const EncounterForecast& found, double now,
                       OverlayDrawing& sketch) {
  const double end = found.points.back().time, dash = std::max(found.pericenter_time, end / 2) / kDashes;
  if (!(dash > 0)) return;
  for (int galaxy = 0; galaxy < 2; ++galaxy) {
    const ImVec4 color = galaxy_color(canvas, galaxy);
    if (now > 0)
      sketch.curve(trajectory(found, galaxy, 0, std::min(now, end)), packed(color, kPastAlpha), canvas.em / 12);
    for (double from = std::floor(std::max(now, 0.0) / dash) * dash; from < end; from += dash) {
      const double to = std::min(from + kDrawn * dash, end);
      if (to <= now) continue;
      const float beyond = static_cast<float>((from - found.pericenter_time) / (end - found.pericenter_time));
      const float alpha = beyond > 0 ? std::max(0.75f * (1 - beyond), 0.0f) : 1;
      const std::vector<glm::vec3> points = trajectory(found, galaxy, std::max(from, now), to);
      sketch.curve(points, packed(canvas.halo, 2 * alpha), canvas.em / 3.5f);
      sketch.curve(points, packed(color, alpha), canvas.em / 7.5f);
    }
  }
}

void draw_pericenter(const OverlayCanvas& canvas, const EncounterForecast& found, const Units& units,
                     OverlayDrawing& sketch) {
  const ForecastPoint& nearest = found.points[found.nearest];
  std::array<std::optional<ImVec2>, 2> ends;
  for (std::size_t k = 0; k < 2; ++k) ends[k] = sketch.on().point(to_glm(nearest.centers[k]));
  if (!ends[0] || !ends[1]) return;
  canvas.draw.AddLine(*ends[0], *ends[1], packed(canvas.foreground, 0.6f), canvas.em / 14);
  for (int k = 0; k < 2; ++k) {
    const ImVec2 end = *ends.at(static_cast<std::size_t>(k));
    canvas.draw.AddCircleFilled(end, 0.30f * canvas.em, packed(canvas.halo, 2));
    canvas.draw.AddCircleFilled(end, 0.22f * canvas.em, packed(galaxy_color(canvas, k), 1));
  }
  const ImVec2 middle{(ends[0]->x + ends[1]->x) / 2, (ends[0]->y + ends[1]->y) / 2};
  // Along the line between the galaxies, away from the trajectories, which cross it at right angles.
  const ImVec2 half{ends[1]->x - middle.x, ends[1]->y - middle.y};
  const float length = std::hypot(half.x, half.y);
  const ImVec2 side = length > 1 ? ImVec2{half.x / length, half.y / length} : ImVec2{0, 1};
  sketch.label(middle, canvas.foreground, "closest approach: " + pericenter_text(found, units),
               std::max(length, 0.5f * canvas.em) + 0.7f * canvas.em, side);
}

/// A disc before the start of the encounter.
struct Disc {
  glm::vec3 center, spin;
  float radius = 0;
  ImVec4 color;
};

void draw_disc(const OverlayCanvas& canvas, const Disc& disc, OverlayDrawing& sketch) {
  const glm::vec3 across = std::abs(disc.spin.x) < 0.9f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
  const glm::vec3 e1 = glm::normalize(glm::cross(across, disc.spin)), e2 = glm::cross(disc.spin, e1);
  const auto at = [&](float angle, float reach) {
    return disc.center + disc.radius * reach * (std::cos(angle) * e1 + std::sin(angle) * e2);
  };
  constexpr float kHalfTurn = std::numbers::pi_v<float>;
  const glm::vec3 eye = sketch.eye() - disc.center;
  const float nearest = std::atan2(glm::dot(eye, e2), glm::dot(eye, e1));
  std::vector<glm::vec3> near, far;
  for (int k = 0; k <= kSegments / 2; ++k) {
    const float angle = nearest + kHalfTurn * (2 * static_cast<float>(k) / kSegments - 0.5f);
    near.push_back(at(angle, 1));
    far.push_back(at(angle + kHalfTurn, 1));
  }
  const float face_on = glm::dot(disc.spin, glm::normalize(eye)), strength = 0.45f + 0.5f * face_on * face_on;
  sketch.curve(far, packed(canvas.halo, 2 * strength), canvas.em / 4);
  sketch.curve(far, packed(disc.color, strength), canvas.em / 11);
  sketch.curve(near, packed(canvas.halo, 2), canvas.em / 4);
  sketch.curve(near, packed(disc.color, 1), canvas.em / 9);
  // Arrows in the direction of rotation.
  for (int k = 0; k < 3; ++k) {
    const float tip = 2 * kHalfTurn * (static_cast<float>(k) + 0.25f) / 3;
    const std::vector<glm::vec3> barbs = {at(tip - 0.13f, 1.07f), at(tip, 1), at(tip - 0.13f, 0.93f)};
    sketch.curve(barbs, packed(canvas.halo, 2), canvas.em / 4);
    sketch.curve(barbs, packed(disc.color, 1), canvas.em / 9);
  }
}

/// Textbook symbols: an arrow, a circle with a dot if it points to the viewer, a circle with a cross if it points away.
void draw_spin(const OverlayCanvas& canvas, const Disc& disc, const char* label, OverlayDrawing& sketch) {
  const glm::vec3 tip = disc.center + disc.spin * (kArrow * disc.radius);
  const auto from = sketch.on().point(disc.center), to = sketch.on().point(tip);
  if (!from || !to) return;
  const float dx = to->x - from->x, dy = to->y - from->y, length = std::hypot(dx, dy), em = canvas.em;
  const ImU32 color = packed(disc.color, 1), halo = packed(canvas.halo, 2);
  const ImVec4 foreground = mixed(disc.color, canvas.foreground, 0.35f);
  if (length < 1.3f * em) {
    const float r = 0.45f * em, d = 0.7f * r;
    canvas.draw.AddCircle(*from, r, halo, 0, em / 4);
    canvas.draw.AddCircle(*from, r, color, 0, em / 9);
    if (glm::dot(disc.spin, sketch.eye() - disc.center) > 0) {
      canvas.draw.AddCircleFilled(*from, 0.13f * em, color);
    } else {
      canvas.draw.AddLine({from->x - d, from->y - d}, {from->x + d, from->y + d}, color, em / 9);
      canvas.draw.AddLine({from->x - d, from->y + d}, {from->x + d, from->y - d}, color, em / 9);
    }
    sketch.label(*from, foreground, label, 0.9f * em, {1, 0});
    return;
  }
  const ImVec2 along{dx / length, dy / length};
  draw_arrow(canvas, *from, *to, disc.color);
  sketch.label(*to, foreground, label, 0.6f * em, along);
}

void draw_discs(const OverlayCanvas& canvas, const AnnotatedFrame& frame, OverlayDrawing& sketch) {
  const EncounterDesign& design = *frame.overlay.encounter;
  const EncounterForecast& found = *design.forecast.result();
  const Encounter draft = design.draft();
  const glm::vec3 apart = to_glm(relative_state(draft.orbit, 1).position);
  const std::array<float, 2> shares = arms(design);
  const bool flat = frame.state.config.dimension == 2;
  for (int k = 0; k < 2; ++k) {
    const DiscOrientation& orientation = k == 0 ? draft.first : draft.second;
    Vec3 spin = spin_axis(orientation, k == 1);
    if (flat) spin = {0, 0, spin[2] < 0 ? -1.0 : 1.0};
    const auto index = static_cast<std::size_t>(k);
    const Disc disc{.center = apart * shares[index],
                    .spin = to_glm(spin),
                    .radius = static_cast<float>(found.galaxies[index].disc_radius),
                    .color = galaxy_color(canvas, k)};
    if (!(disc.radius > 0)) continue;
    draw_disc(canvas, disc, sketch);
    draw_spin(canvas, disc, spin_name(orientation.inclination), sketch);
  }
}

}  // namespace

void draw_encounter(const OverlayCanvas& canvas, const AnnotatedFrame& frame) {
  if (!frame.overlay.encounter) return;
  const EncounterDesign& design = *frame.overlay.encounter;
  if (!design.open || !design.show || design.scene.empty()) return;
  const bool planned = design.changed() || frame.time == 0;
  OverlayDrawing sketch(canvas, frame.camera);
  draw_conic(canvas, design, sketch);
  const EncounterForecast* found = design.forecast.result();
  if (found && design.forecast.applies_to(design.draft())) {
    draw_trajectories(canvas, *found, planned ? 0 : frame.time, sketch);
    draw_pericenter(canvas, *found, frame.state.units, sketch);
  }
  if (found && planned) draw_discs(canvas, frame, sketch);
  label_conic(canvas, design, sketch);
}

}  // namespace pericenter::app
