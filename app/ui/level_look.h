#pragma once

#include <imgui.h>

#include "app/base/theme.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// How a level of the accuracy is shown: never with the colour alone.
struct LevelLook {
  const char* word;
  const char* shape;
  ImVec4 color;
};
LevelLook look_of(HealthLevel level, Theme theme);

}  // namespace pericenter::app
