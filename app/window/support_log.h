#pragma once

#include <functional>
#include <string>

#include "app/base/log.h"
#include "app/bridge/vertex_bridge.h"
#include "app/window/window.h"

namespace pericenter::app {

/// The system report of the window, and what the log says about its run.
class SupportLog {
 public:
  /// Writes what the window and its OpenGL context add to the report.
  SupportLog(Log& log, const Window& window);

  /// Adds CUDA once it has started. `interop_problem`: why CUDA and OpenGL cannot share memory; empty if they can.
  void add_cuda(const std::string& interop_problem);
  /// Writes when the first stars have been drawn.
  void record_first_stars();
  /// Once per frame. Writes changes of scene, solver and vertex buffer; `scene_string` is called only then.
  void update(const SessionState& state, const VertexBridge& bridge, const std::function<std::string()>& scene_string);
  /// Lines "name: value", see app/base/system_report.h.
  const std::string& system_report() const { return report_; }

 private:
  Log& log_;
  SessionLog session_;
  std::string fixed_, report_, bridge_;
  bool has_stars_ = false;
};

}  // namespace pericenter::app
