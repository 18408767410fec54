#include "app/overlay/labels.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "app/ui/ui_style.h"
#include "app/view/camera_control.h"
#include "sim/core/bodies.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

struct NamedBody {
  std::size_t index;  ///< index in sim/scenes/solar_system.cpp
  const char* name;
};
// By mass: where there is no room for all, the heavier one has a label.
constexpr NamedBody kNamedBodies[] = {{0, "Sun"},   {5, "Jupiter"}, {6, "Saturn"}, {8, "Neptune"}, {7, "Uranus"},
                                      {3, "Earth"}, {2, "Venus"},   {4, "Mars"},   {1, "Mercury"}};

constexpr std::size_t kFewestStars = 12;  ///< fewest stars of a galaxy in the sample
constexpr std::size_t kCore = 40;         ///< stars whose mean is the densest place
constexpr float kGapShare = 0.2f;         ///< gap between labels, as a share of their height
constexpr float kFarther = 2;             ///< factor of the distance where there is no room at the usual one
constexpr float kTogether = 0.1f;         ///< distance of nuclei, in their extents, below which they share a label

/// Null for bodies from a file.
const SceneInfo* scene_of(const SessionState& state) {
  return state.file.empty() ? find_scene(state.scene) : nullptr;
}

/// The visible stars of one galaxy in the sample.
struct GalaxyStars {
  std::vector<glm::vec3> all, bulge;
};

std::array<GalaxyStars, 1u << kTagGalaxyBits> stars_by_galaxy(const render::StarSample& sample) {
  std::array<GalaxyStars, 1u << kTagGalaxyBits> galaxies;
  for (const render::SampledStar& star : sample.stars) {
    const Component component = component_of(star.tag);
    if (component != Component::disc && component != Component::bulge) continue;
    if (!std::isfinite(star.position.x + star.position.y + star.position.z)) continue;
    GalaxyStars& galaxy = galaxies.at(galaxy_of(star.tag));
    galaxy.all.push_back(star.position);
    if (component == Component::bulge) galaxy.bulge.push_back(star.position);
  }
  return galaxies;
}

/// Radius around a place that contains four of five points.
float extent_of(const std::vector<glm::vec3>& points, const glm::vec3& place) {
  std::vector<float> radii;
  for (const glm::vec3& point : points) radii.push_back(glm::distance(point, place));
  const auto most = radii.begin() + static_cast<std::ptrdiff_t>(4 * radii.size() / 5);
  std::nth_element(radii.begin(), most, radii.end());
  return *most;
}

std::vector<ObjectLabel> planet_labels(const render::StarSample& sample) {
  std::vector<ObjectLabel> labels;
  for (const NamedBody& body : kNamedBodies) {
    if (body.index >= sample.first.size()) continue;
    labels.push_back({.at = sample.first[body.index].position, .name = body.name});
  }
  return labels;
}

void add_point_masses(std::vector<ObjectLabel>& labels, std::size_t masses, const render::StarSample& sample) {
  for (std::size_t k = 0; k < std::min(masses, sample.first.size()); ++k)
    labels.push_back({.at = sample.first[k].position, .name = "point mass", .minor = true});
}

/// Adds the labels of nuclei; nuclei close together share one.
void add_nuclei(std::vector<ObjectLabel>& labels) {
  const std::size_t galaxies = labels.size();
  for (std::size_t k = 0; k < galaxies; ++k) {
    const ObjectLabel galaxy = labels[k];
    const auto shared = std::find_if(
        labels.begin() + static_cast<std::ptrdiff_t>(galaxies), labels.end(),
        [&](const ObjectLabel& other) { return glm::distance(other.at, galaxy.at) < kTogether * galaxy.extent; });
    if (shared != labels.end())
      shared->name = "nuclei";
    else
      labels.push_back({.at = galaxy.at, .name = "nucleus", .minor = true});
  }
}

bool overlaps(const LabelBox& a, const LabelBox& b) {
  return a.low.x < b.high.x && b.low.x < a.high.x && a.low.y < b.high.y && b.low.y < a.high.y;
}

bool holds(const LabelBox& image, const LabelBox& box) {
  return box.low.x >= image.low.x && box.low.y >= image.low.y && box.high.x <= image.high.x &&
         box.high.y <= image.high.y;
}

bool is_free(const LabelBox& box, const std::vector<LabelBox>& taken) {
  return std::ranges::none_of(taken, [&](const LabelBox& other) { return overlaps(box, other); });
}

LabelBox with_gap(const LabelBox& box, float gap) {
  return {{box.low.x - gap, box.low.y - gap}, {box.high.x + gap, box.high.y + gap}};
}

LabelBox beside(const LabelWish& wish, const ImVec2& side) {
  const auto start = [&](float at, float towards, float length) {
    return at + towards * wish.away + (towards > 0 ? 0 : towards < 0 ? -length : -length / 2);
  };
  const ImVec2 low{start(wish.at.x, side.x, wish.size.x), start(wish.at.y, side.y, wish.size.y)};
  return {low, {low.x + wish.size.x, low.y + wish.size.y}};
}

/// The point of a rectangle that is closest to a pixel.
ImVec2 nearest_point(const LabelBox& box, ImVec2 to) {
  return {std::clamp(to.x, box.low.x, box.high.x), std::clamp(to.y, box.low.y, box.high.y)};
}

/// The rectangle around the line from a place to its label.
LabelBox line_box(const LabelBox& label, ImVec2 at) {
  const ImVec2 end = nearest_point(label, at);
  return {{std::min(at.x, end.x), std::min(at.y, end.y)}, {std::max(at.x, end.x), std::max(at.y, end.y)}};
}

/// Sides of a place, near ones first, and of these the ones towards `to`.
std::vector<ImVec2> sides_towards(ImVec2 to) {
  std::array<ImVec2, 8> around = {
      {{0.7f, -0.7f}, {-0.7f, -0.7f}, {0.7f, 0.7f}, {-0.7f, 0.7f}, {1, 0}, {-1, 0}, {0, -1}, {0, 1}}};
  std::ranges::sort(around, std::greater(), [&](const ImVec2& side) {
    return std::pair(std::round(10 * (side.x * to.x + side.y * to.y)), side.x);
  });
  std::vector<ImVec2> sides(around.begin(), around.end());
  for (const ImVec2& side : around) sides.emplace_back(kFarther * side.x, kFarther * side.y);
  return sides;
}

/// The side on which a label is: the last one while it is free, else a free one, if possible without a place of another
/// label below it.
std::optional<ImVec2> free_side(const LabelWish& wish, const LabelBox& image, const std::vector<LabelBox>& taken,
                                const std::vector<LabelBox>& places) {
  const auto fits = [&](const ImVec2& side, float gap, const std::vector<LabelBox>& avoided) {
    const LabelBox box = beside(wish, side);
    return holds(image, box) && is_free(with_gap(box, gap), avoided) && is_free(line_box(box, wish.at), avoided);
  };
  if (wish.last && fits(*wish.last, 0, taken)) return wish.last;
  const std::vector<ImVec2> sides = sides_towards(wish.side);
  std::optional<ImVec2> found;
  for (const ImVec2& side : sides) {
    if (!fits(side, kGapShare * wish.size.y, taken)) continue;
    if (fits(side, 0, places)) return side;
    if (!found) found = side;
  }
  return found;
}

}  // namespace

glm::vec3 densest_place(std::vector<glm::vec3> points) {
  while (true) {
    glm::vec3 mean(0);
    for (const glm::vec3& point : points) mean += point / static_cast<float>(points.size());
    if (points.size() <= kCore) return mean;
    const std::size_t kept = std::max(kCore, points.size() * 3 / 4);
    std::ranges::nth_element(points, points.begin() + static_cast<std::ptrdiff_t>(kept), {}, [&](const glm::vec3& at) {
      const glm::vec3 from = at - mean;
      return glm::dot(from, from);
    });
    points.resize(kept);
  }
}

std::vector<ObjectLabel> object_labels(const SessionState& state, const render::StarSample& sample) {
  if (is_solar(state)) return planet_labels(sample);
  if (!has_galaxies(state)) return {};
  std::vector<ObjectLabel> labels;
  const auto galaxies = stars_by_galaxy(sample);
  const auto large = [](const GalaxyStars& galaxy) { return galaxy.all.size() >= kFewestStars; };
  const bool alone = std::ranges::count_if(galaxies, large) == 1;
  for (std::size_t k = 0; k < galaxies.size(); ++k) {
    if (!large(galaxies[k])) continue;
    const bool has_bulge = galaxies[k].bulge.size() >= kFewestStars;
    const glm::vec3 at = densest_place(has_bulge ? galaxies[k].bulge : galaxies[k].all);
    const std::string name = galaxy_name(state, static_cast<std::uint32_t>(k));
    labels.push_back({at, alone && name == "Galaxy 1" ? "Galaxy" : name, extent_of(galaxies[k].all, at)});
  }
  if (const std::size_t masses = point_masses(state).count; masses > 0)
    add_point_masses(labels, masses, sample);
  else
    add_nuclei(labels);
  return labels;
}

bool has_galaxies(const SessionState& state) {
  if (!state.file.empty()) return state.units.length_kpc > 0;
  const SceneInfo* const scene = scene_of(state);
  return scene && (scene->group == SceneGroup::encounters || scene->group == SceneGroup::galaxies ||
                   scene->group == SceneGroup::restricted);
}

std::string group_name(const SessionState& state, std::uint32_t group) {
  const SceneInfo* const scene = scene_of(state);
  return std::string(scene && group < scene->group_names.size() ? scene->group_names[group] : "");
}

std::string galaxy_name(const SessionState& state, std::uint32_t galaxy) {
  if (!has_galaxies(state)) return {};
  const std::string name = group_name(state, galaxy);
  return name.empty() ? "Galaxy " + std::to_string(galaxy + 1) : name;
}

std::string planet_name(const SessionState& state, std::uint32_t body) {
  const auto* const found = std::ranges::find(kNamedBodies, body, &NamedBody::index);
  return is_solar(state) && found != std::end(kNamedBodies) ? found->name : "";
}

bool is_solar(const SessionState& state) {
  return point_masses(state).sun;
}

bool shows_labels(const Guides& guides, const SessionState& state) {
  return guides.labels.value_or(is_solar(state));
}

std::vector<PlacedLabel> place_labels(const std::vector<LabelWish>& wishes, const LabelBox& image,
                                      std::vector<LabelBox> taken) {
  std::vector<LabelBox> places;
  for (const LabelWish& wish : wishes) places.push_back({wish.at, wish.at});
  std::vector<PlacedLabel> placed;
  for (const LabelWish& wish : wishes) {
    const std::optional<ImVec2> side = free_side(wish, image, taken, places);
    placed.push_back({side, side ? beside(wish, *side) : LabelBox{}});
    if (!side) continue;
    taken.push_back(placed.back().box);
    taken.push_back(line_box(placed.back().box, wish.at));
  }
  return placed;
}

void draw_labels(const OverlayCanvas& canvas, const render::Camera& camera, const std::vector<ObjectLabel>& labels,
                 const LabelContext& context) {
  const Projection on(canvas, camera);
  const float em = canvas.em, edge = 0.35f * em;
  const float scale = std::min(canvas.view().x, canvas.view().y) /
                      (2 * std::tan(0.5f * camera.field_of_view()));  // pixels at distance 1
  const LabelBox image{{canvas.low.x + edge, canvas.low.y + edge}, {canvas.high.x - edge, canvas.high.y - edge}};
  LabelSides sides = context.sides ? *context.sides : LabelSides{};
  sides.resize(labels.size());
  std::vector<LabelWish> wishes;
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const ObjectLabel& label = labels[k];
    const std::optional<ImVec2> last = std::exchange(sides[k], std::nullopt);
    const auto at = on.point(label.at);
    const auto is_at = [&](const LabelBox& box) { return holds(box, {*at, *at}); };
    if (!at || !is_at(image) || std::ranges::any_of(context.taken, is_at)) continue;
    const float distance = std::max(glm::distance(camera.position(), label.at), 1e-20f);
    const float outside = std::min(label.extent / distance * scale, 0.2f * canvas.size().y);
    wishes.push_back({*at,
                      std::max(outside, (label.minor ? 2.0f : 1.0f) * em),
                      {canvas.text_width(label.name) + 2 * edge, em + edge},
                      label.minor ? ImVec2{-1, 1} : ImVec2{1, -1},
                      last});
    shown.push_back(k);
  }
  const std::vector<PlacedLabel> placed = place_labels(wishes, image, context.taken);
  for (std::size_t k = 0; k < placed.size(); ++k) {
    sides[shown[k]] = placed[k].side;
    if (!placed[k].side) continue;
    const LabelBox& box = placed[k].box;
    const ObjectLabel& label = labels[shown[k]];
    const ImVec4 color = label.minor ? canvas.dim : canvas.foreground;
    rule({canvas.draw, canvas.font, 0.6f * em, canvas.low, canvas.high, canvas.foreground, canvas.dim, canvas.halo},
         wishes[k].at, nearest_point(box, wishes[k].at), color);
    plate(canvas, box.low, box.high);
    write(canvas, {box.low.x + edge, box.low.y + edge / 2}, color, label.name);
  }
  if (context.sides) *context.sides = std::move(sides);
}

}  // namespace pericenter::app
