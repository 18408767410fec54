#include "app/settings/session_log.h"

#include "app/base/format.h"

namespace pericenter::app {

void SessionLog::update(const SessionState& state, const std::function<std::string()>& scene_string) {
  if (state.scene_serial == 0 || state.awaits_device ||
      (state.scene_serial == scene_serial_ && state.config == config_))
    return;
  const char* kind = state.scene_serial == scene_serial_ ? "solver" : "scene";
  scene_serial_ = state.scene_serial;
  config_ = state.config;
  const bool on_gpu = state.config.backend == Backend::cuda;
  const std::string device = !on_gpu ? "CPU" : state.device_name.empty() ? "GPU" : state.device_name;
  log_.write(kind, (state.playback ? "playback" : state.scene) + ", " + with_thousands(state.bodies) + " bodies, " +
                       state.config.solver + " on the " + device + "\n" + scene_string());
}

}  // namespace pericenter::app
