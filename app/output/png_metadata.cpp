#include "app/output/png_metadata.h"

#include "app/base/format.h"
#include "app/base/home_folder.h"
#include "app/settings/scene_string.h"
#include "app/settings/settings_table.h"
#include "sim/core/printable.h"
#include "sim/core/solver_options.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// "name: value" lines.
class Lines {
 public:
  void add(std::string_view name, std::string_view value) {
    text_.append(name).append(": ").append(printable(value)).append("\n");
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_state(const SessionState& state, Lines& lines) {
  lines.add("scene", state.scene);
  if (!state.file.empty()) lines.add("file", abbreviated_home(state.file));
  lines.add("bodies", std::to_string(state.bodies));
  if (state.file.empty()) lines.add("seed", std::to_string(state.scene_request.seed));
  lines.add("time", exact(state.time));
  if (state.units.time_myr > 0) {
    lines.add("time in Myr", text("%.6g", state.time * state.units.time_myr));
    lines.add("unit of length in kpc", text("%.6g", state.units.length_kpc));
  }
  lines.add("steps", std::to_string(state.steps));
  lines.add("backend", enum_name(state.config.backend));
  if (!state.device_name.empty()) lines.add("device", state.device_name);
  lines.add("energy error", signed_error(state.energy_error));
}

/// Options with the values that are in effect, defaults included.
SceneOptions effective_options(const SessionState& state, const ViewSettings& view, const render::Camera& camera) {
  SceneOptions options = options_of(state, view, camera);
  options.theta = state.params.theta;
  if (opens_by_error(state.config)) options.accuracy = state.params.accuracy;
  options.softening = state.params.softening;
  options.softening_now.reset();
  options.dt = state.params.dt;
  options.view.fixed_range = true;
  options.camera = camera.pose();
  return options;
}

void add_settings(const SceneOptions& options, Lines& lines) {
  for (const SettingRow& row : settings_table()) {
    if (row.of_source || row.key == "file" || row.key == "series" || row.key == "steps") continue;
    if (const std::string text = row.text(options); !text.empty()) lines.add(row.key, text);
  }
  const SolverInfo* solver = find_solver(options.config.solver);
  for (const SupportedOption& option : solver ? solver->options : decltype(solver->options){}) {
    if (options.config.solver_options[option.which] == SolverOptions::kDefault)
      lines.add(solver_option_info(option.which).name, "solver default");
  }
}

std::string title_of(const SessionState& state) {
  const SceneInfo* scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  return (scene ? std::string(scene->title) : state.scene) + ", " + time_text(state.time, state.units);
}

std::string description_of(const SessionState& state) {
  const bool by_error = opens_by_error(state.config);
  return with_thousands(state.bodies) + " bodies after " + with_thousands(state.steps) + " steps of solver " +
         state.config.solver + " (" + std::string(enum_name(state.config.backend)) + "), " +
         (by_error ? "opening by error " + exact(state.params.accuracy)
                   : "opening angle " + exact(state.params.theta)) +
         ", energy error " + signed_error(state.energy_error) + ".";
}

}  // namespace

std::string command_of(const SessionState& state, const ViewSettings& view, const render::Camera& camera) {
  // Only the window measures force errors.
  const bool unavailable = view.image.color == render::ColorMode::force_error;
  return "pericenter --headless --backend " + std::string(enum_name(state.config.backend)) + " --scene-string '" +
         scene_string(state, view, camera) + "' -s " + std::to_string(state.steps - state.steps_at_load) +
         (unavailable ? " --color-by stars" : "") + " --screenshot image.png";
}

std::vector<render::PngText> image_metadata(const SessionState& state, const ViewSettings& view,
                                            const render::Camera& camera) {
  Lines lines;
  add_state(state, lines);
  add_settings(effective_options(state, view, camera), lines);
  lines.add("command", command_of(state, view, camera));
  return {{"Software", "Pericenter " PERICENTER_VERSION},
          {"Title", title_of(state)},
          {"Description", description_of(state)},
          {"Settings", lines.text()},
          {"Scene", scene_string(state, view, camera)}};
}

}  // namespace pericenter::app
