#pragma once

#include <vector>

#include "app/view/camera_control.h"

namespace pericenter::app {

/// Four keys, unevenly spaced, between whose first two the short way round is across half a turn.
inline std::vector<CameraKey> some_path() {
  return {{0, {{0, 0, 0}, 3.0f, 0.2f, 10}},
          {2, {{1, 0, 0}, -3.0f, 0.4f, 20}},
          {3, {{1, 2, 0}, -2.5f, -0.4f, 5}},
          {7, {{0, 0, 1}, 0.0f, 1.5f, 50}}};
}

}  // namespace pericenter::app
