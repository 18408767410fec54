#pragma once

#include <array>
#include <optional>
#include <vector>

#include "render/camera.h"
#include "render/star_sampler.h"
#include "sim/simulation_state.h"

struct ImGuiIO;

namespace pericenter::app {

/// What the camera stays with.
struct Follow {
  enum class What { nothing, center_of_mass, galaxy, body };
  What what = What::nothing;
  int galaxy = 0;          ///< as in galaxy_of()
  std::uint32_t body = 0;  ///< its index

  friend bool operator==(const Follow&, const Follow&) = default;
};

/// A place on a camera's path, to be passed at `time` seconds.
struct CameraKey {
  double time = 0;
  render::CameraPose pose;

  friend bool operator==(const CameraKey&, const CameraKey&) = default;
};

inline constexpr std::size_t kSavedCameras = 8;

/// Where the camera is to be: what panel and keys change. The application carries it out.
struct CameraState {
  bool fly = false;  ///< W A S D Q E move it and a drag looks around; else a drag turns it about its target
  bool inertia = true;
  Follow follow;
  std::array<std::optional<render::CameraPose>, kSavedCameras> saved;
  std::vector<CameraKey> path;  ///< by time
  bool playing_path = false;
  double path_time = 0;  ///< seconds since its begin
};

}  // namespace pericenter::app
