#include <algorithm>
#include <string>

#include "app/bars/bars.h"
#include "app/base/format.h"
#include "app/settings/auto_body_count.h"
#include "app/widgets/health_text.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

// What the transport says about a machine that does not reach the chosen speed.
namespace pericenter::app {
namespace {

/// Leaves room for what does not depend on the number of bodies.
constexpr double kReserve = 0.9;

/// Bodies with which this scene would reach its speed; 0: it cannot be told, or be had with a click.
std::size_t faster_bodies(const UiFrame& frame, const UiState& ui) {
  const SessionState& state = frame.simulation;
  const SceneInfo* scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  const SolverInfo* solver = find_solver(state.config.solver);
  if (!scene || !solver || scene->fixed_bodies || frame.reference || ui.lesson.on() || state.timeline.rewound) return 0;
  const std::size_t fewer = bodies_for_share(*scene, state.bodies, kReserve * frame.speed_reached, solver->has_tree());
  return fewer >= scene->min_bodies ? fewer : 0;
}

}  // namespace

void draw_slowness(const UiFrame& frame, UiState& ui) {
  if (!ui.notices.too_slow) return;
  const std::string message = slow_text(frame);
  ImGui::Spacing();
  widgets::paragraph(ui, {"speed-reached", message, kSlowTip}, look_of(HealthLevel::fair, ui.view.theme).color);
  const std::size_t bodies = faster_bodies(frame, ui);
  if (bodies == 0) return;
  const std::string label = "Restart with " + with_thousands(bodies) + " bodies";
  if (!widgets::button(ui,
                       {"fewer-bodies", label,
                        "This many would be fast enough, estimated from the duration of the steps. The scene starts "
                        "again; Undo (Ctrl+Z) returns to the present run."},
                       {ImGui::GetContentRegionAvail().x, 0}))
    return;
  ui.scene.bodies = bodies;
  const auto row = std::ranges::find(scenes(), frame.simulation.scene, &SceneInfo::name) - scenes().begin();
  ui.commands.push_back({Action::apply_scene, static_cast<int>(row)});
}

}  // namespace pericenter::app
