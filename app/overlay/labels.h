#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/overlay/guides.h"
#include "app/view/view_settings.h"
#include "render/camera.h"
#include "render/star_readback.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// A name for a place in the scene.
struct ObjectLabel {
  glm::vec3 at{0};  ///< scene units
  std::string name;
  float extent = 0;    ///< radius of the object, in scene units: its name is drawn outside
  bool minor = false;  ///< gives way to the others
};

/// Draws the orbits of a planetary system as thin lines, nearer parts stronger; `sample` has the place of its star.
void draw_orbits(const OverlayCanvas& canvas, const render::Camera& camera, const std::vector<OsculatingOrbit>& orbits,
                 const render::StarSample& sample);

/// Names of the Sun and the planets, by mass, or of galaxies and their nuclei, which are measured in a sample of the
/// stars, or are point masses; none for other bodies. In a merger, nuclei that are closer together than a tenth of the
/// extents share a label.
std::vector<ObjectLabel> object_labels(const SessionState& state, const render::StarSample& sample);

/// The name in the table of the scene; empty without one.
std::string group_name(const SessionState& state, std::uint32_t group);
/// "Milky Way", "Galaxy 2"; empty if the bodies have no galaxies.
std::string galaxy_name(const SessionState& state, std::uint32_t galaxy);
/// Whether the groups of bodies are galaxies: not clusters, textbook cases, and classes of small bodies.
bool has_galaxies(const SessionState& state);
/// The name of the Sun or a planet; empty for other bodies.
std::string planet_name(const SessionState& state, std::uint32_t body);
/// Whether the scene is a solar system.
bool is_solar(const SessionState& state);

/// Whether labels are drawn: as the user has chosen, and before that in the scenes of the solar system.
bool shows_labels(const Guides& guides, const SessionState& state);

/// Where the densest part of these points is (the shrinking spheres of Power et al.
/// 2003, doi:10.1046/j.1365-8711.2003.05925.x): the mean of a few dozen points that are nearest to it. The points must
/// not be empty.
glm::vec3 densest_place(std::vector<glm::vec3> points);

/// A rectangle of the image in pixels.
struct LabelBox {
  ImVec2 low, high;
};

/// A label that is to be placed: the pixel that it belongs to, how far away it starts, and its size. Sides are vectors
/// in units of `away`.
struct LabelWish {
  ImVec2 at;
  float away = 0;
  ImVec2 size;
  ImVec2 side{1, -1};               ///< the direction in which it should be
  std::optional<ImVec2> last = {};  ///< side in the last frame
};

/// Where a label is; without a side there is no room for it.
struct PlacedLabel {
  std::optional<ImVec2> side;
  LabelBox box;
};

/// Places labels in the order of their priority. None of them, and none of the lines to their places, overlaps another
/// label or one of `taken`; all are inside `image`. A label stays on its last side while that is free.
std::vector<PlacedLabel> place_labels(const std::vector<LabelWish>& wishes, const LabelBox& image,
                                      std::vector<LabelBox> taken);

/// The sides on which labels were drawn in the last frame, in their order.
using LabelSides = std::vector<std::optional<ImVec2>>;
/// Of an image, or of B and A side by side.
using HalfLabelSides = std::array<LabelSides, 2>;

/// What labels must not cover, and their sides, which drawing updates; null: every frame is the first.
struct LabelContext {
  std::vector<LabelBox> taken;
  LabelSides* sides = nullptr;
};

/// Draws labels on small plates with a line to the place. Labels of places off screen, behind the camera or below one
/// of `context.taken` are not drawn.
void draw_labels(const OverlayCanvas& canvas, const render::Camera& camera, const std::vector<ObjectLabel>& labels,
                 const LabelContext& context);

}  // namespace pericenter::app
