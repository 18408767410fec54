#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/theme.h"
#include "render/camera.h"
#include "render/frame.h"
#include "sim/core/units.h"
#include "sim/session/requests.h"

namespace pericenter::app {

/// Annotations drawn over the frame.
struct Guides {
  bool grid = false;
  bool axes = false;
  bool scale_bar = true;
  bool legend = true;
  std::optional<bool> labels = {};  ///< names of galaxies, nuclei and planets; empty: only where there are planets
  bool velocities = false;          ///< arrows at nuclei and selected stars

  friend bool operator==(const Guides&, const Guides&) = default;
};

/// What the camera target follows; `path`: the whole camera is on the path of the scene, CameraState::scene_path;
/// `story`: target and distance keep in the frame what happens, see Framing.
struct Follow {
  enum class What { nothing, center_of_mass, galaxy, body, path, story };
  What what = What::nothing;
  int galaxy = 0;          ///< index, see galaxy_of()
  std::uint32_t body = 0;  ///< index

  friend bool operator==(const Follow&, const Follow&) = default;
};

/// How a scene is displayed. Command line, scene string, panels and keys set it; window, stills and videos draw it.
struct ViewSettings {
  render::ImageSettings image = {.sky = true};  ///< frame_of() sets its background from the theme
  std::string field;                            ///< shown by ColorMode::field; empty: the first that the file has
  bool fixed_range = false;                     ///< keep the ends of the colour map; otherwise they follow the bodies
  render::BoxSettings boxes;                    ///< frame_of() sets `show` and `flat`
  request::ShowTree tree;
  render::TrailSettings trails;
  Guides guides;
  Theme theme = Theme::dark;
  bool pause_at_highlight = false;
  Follow follow = {.what = Follow::What::story};
  bool drift = false;  ///< the camera slowly orbits, see drifted()
};

/// How bodies are drawn, by what they are.
struct SceneLook {
  bool flat = false;    ///< cells are squares (2D)
  bool points = false;  ///< bodies are single ones, not samples of a galaxy: no light between them
  bool stars = false;   ///< these points are stars, brighter than asteroids
  bool masses = false;  ///< stars of known mass, whose size shows it
};

/// The colours of a new scene, by the names of it and of the one before: those that it is best seen in, unless the user
/// has chosen others than those of the one before.
render::ColorMode color_of_scene(std::string_view scene, std::string_view before, render::ColorMode chosen);
/// Whether trails are shown, likewise.
bool trails_of_scene(std::string_view scene, std::string_view before, bool chosen);
/// Age of a scene at a time, in Gyr, for render::Stars; 0 if it has no physical units.
float scene_age(double time, const Units& units);
/// The frame of these stars.
render::Frame frame_of(const ViewSettings& view, const render::Stars& stars, const render::Camera& camera,
                       const SceneLook& look);
/// Whether that frame has a decorative sky, if there is no probe and no star is marked.
bool shows_sky(const ViewSettings& view, bool flat);

}  // namespace pericenter::app
