#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/base/theme.h"
#include "app/lessons/lesson.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

struct ReadoutText {
  std::string words;
  std::optional<ImVec4> color = {};  ///< that of its health level; nullopt: it has none
};
/// What a class reads below the clock: "● trustworthy", "energy error 0.002 %", "12 ms per step". "–" stands for a
/// number that has not been measured yet.
ReadoutText readout_text(Readout readout, const SessionState& state, Theme theme);

}  // namespace pericenter::app
