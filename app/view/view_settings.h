#pragma once

#include <cstdint>
#include <optional>

#include "render/camera.h"
#include "render/frame.h"
#include "sim/session/requests.h"

namespace pericenter::app {

/// What is drawn over the picture to explain it.
struct Guides {
  bool grid = false;
  bool axes = false;
  bool scale_bar = true;
  bool legend = true;

  friend bool operator==(const Guides&, const Guides&) = default;
};

/// What the camera stays with.
struct Follow {
  enum class What { nothing, center_of_mass, galaxy, body };
  What what = What::nothing;
  int galaxy = 0;          ///< as in galaxy_of()
  std::uint32_t body = 0;  ///< its index

  friend bool operator==(const Follow&, const Follow&) = default;
};

/// How a scene is seen. What a theme or a machine decides is not in it: the ground, how many cells can be drawn.
struct ViewSettings {
  render::ImageSettings picture;
  bool fixed_range = false;  ///< the colour map keeps the ends that `picture` has
  render::BoxSettings boxes;
  request::ShowTree tree;
  render::TrailSettings trails;
  Guides guides;
  bool pause_at_highlight = false;
  Follow follow;
  std::optional<render::CameraPose> camera;  ///< nullopt: as the scene suggests it
};

struct UiState;

/// What panel and keys have set, seen by this camera of a scene that suggests `suggested`.
ViewSettings look_of(const UiState& ui, const render::CameraPose& camera, const render::CameraPose& suggested);

/// Sets panel and keys so; the camera is left where it is.
void set_look(const ViewSettings& look, UiState& ui);

}  // namespace pericenter::app
