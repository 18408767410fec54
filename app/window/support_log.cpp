#include "app/window/support_log.h"

#include <imgui.h>

#include <utility>

#include "app/base/system_report.h"
#include "app/window/settings_dir.h"

namespace pericenter::app {
namespace {

std::string bridge_line(const VertexBridge& bridge) {
  std::string line = "Vertex buffer: " + std::string(bridge.name());
  if (!bridge.reason().empty()) line += ", because " + std::string(bridge.reason());
  if (bridge.every() > 1) line += ". " + every_sentence(bridge.every());
  return line;
}

}  // namespace

SupportLog::SupportLog(Log& log, const Window& window) : log_(log), session_(log) {
  const std::string display = opengl_report() + "Window: " + window.system() +
                              ", Dear ImGui " IMGUI_VERSION "\nMonitor: " + window.monitor() +
                              "\nMonitors: " + window.monitors() + "\n";
  log_.write("display", display);
  report_ = fixed_ = machine_report(settings_dir()) + display;
}

void SupportLog::add_cuda(const std::string& interop_problem) {
  const std::string cuda = cuda_report() + "CUDA–OpenGL interop: " +
                           (interop_problem.empty() ? "possible" : "not possible, " + interop_problem) + "\n";
  log_.write("cuda", cuda);
  report_ = fixed_ = fixed_ + cuda;
}

void SupportLog::record_first_stars() {
  if (!std::exchange(has_stars_, true)) log_.write("frame", "the first stars are drawn");
}

void SupportLog::update(const SessionState& state, const VertexBridge& bridge,
                        const std::function<std::string()>& scene_string) {
  session_.update(state, scene_string);
  if (state.scene_serial == 0 || bridge_line(bridge) == bridge_) return;
  bridge_ = bridge_line(bridge);
  report_ = fixed_ + bridge_ + "\n";
  log_.write("display", bridge_);
}

}  // namespace pericenter::app
