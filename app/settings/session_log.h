#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/base/log.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// Writes the scene, the solver and the scene string to the log at the start and when one of the first two changes.
class SessionLog {
 public:
  explicit SessionLog(Log& log) : log_(log) {}

  /// Call it after each change of `state`; `scene_string` is called only for an entry.
  void update(const SessionState& state, const std::function<std::string()>& scene_string);

 private:
  Log& log_;
  std::uint64_t scene_serial_ = 0;
  Config config_;
};

}  // namespace pericenter::app
