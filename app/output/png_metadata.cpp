#include "app/output/png_metadata.h"

#include "app/base/enum_names.h"
#include "app/base/format.h"
#include "app/cli/scene_string.h"
#include "sim/core/solver_options.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// "name: value" lines.
class Lines {
 public:
  void add(std::string_view name, std::string_view value) {
    text_.append(name).append(": ").append(value).append("\n");
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_system(const SessionState& state, Lines& lines) {
  lines.add("scene", state.scene);
  if (!state.file.empty()) lines.add("file", state.file);
  lines.add("bodies", std::to_string(state.bodies));
  if (state.file.empty()) lines.add("seed", std::to_string(state.scene_request.seed));
  lines.add("dimension", std::to_string(state.config.dimension));
  lines.add("time", exact(state.time));
  if (state.units.time_myr > 0) {
    lines.add("time in Myr", text("%.6g", state.time * state.units.time_myr));
    lines.add("unit of length in kpc", text("%.6g", state.units.length_kpc));
  }
  lines.add("steps", std::to_string(state.steps));
}

/// The switches that the solver has, each with its choice.
void add_solver(const SessionState& state, Lines& lines) {
  const Config& config = state.config;
  lines.add("solver", config.solver);
  const SolverInfo* solver = find_solver(config.solver);
  for (const SupportedOption& row : solver ? solver->options : decltype(solver->options){}) {
    const int choice = config.solver_options[row.which];
    const SolverOptionInfo& info = solver_option_info(row.which);
    lines.add(info.name, choice == SolverOptions::kDefault ? "the solver's own"
                                                           : info.values[static_cast<std::size_t>(choice)].name);
  }
  lines.add("backend", name_of(config.backend, kBackendNames));
  if (!state.device_name.empty()) lines.add("device", state.device_name);
  lines.add("precision", name_of(config.precision, kPrecisionNames));
  lines.add("multipole", name_of(config.multipole, kMultipoleNames));
  lines.add("simd", name_of(config.simd, kSimdNames));
  lines.add("theta", exact(state.params.theta));
  if (opens_by_error(config)) lines.add("accuracy", exact(state.params.accuracy));
  lines.add("softening", exact(state.params.softening));
  lines.add("dt", exact(state.params.dt));
  lines.add("energy error", signed_error(state.energy_error));
}

void add_view(const ViewSettings& view, const render::Camera& camera, Lines& lines) {
  const auto& [target, yaw, pitch, distance] = camera.pose();
  lines.add("camera target", exact(target.x) + " " + exact(target.y) + " " + exact(target.z));
  lines.add("camera yaw", exact(yaw));
  lines.add("camera pitch", exact(pitch));
  lines.add("camera distance", exact(distance));
  const render::ImageSettings& image = view.image;
  lines.add("colour", name_of(image.color, kColorNames));
  lines.add("colour map", name_of(image.map, kMapNames));
  lines.add("colour range", exact(image.low) + " to " + exact(image.high));
  lines.add("exposure",
            (image.auto_exposure ? "automatic, " : "") + text("%+g stops", static_cast<double>(image.exposure)));
  lines.add("tone curve", name_of(image.tone, kToneNames));
  lines.add("glow", exact(image.bloom));
  lines.add("stars drawn", name_of(image.style, kStyleNames));
  lines.add("star size", exact(image.star_size));
  lines.add("dark halo", image.show_halo ? "shown" : "hidden");
  lines.add("theme", name_of(view.theme, kThemeNames));
}

std::string title_of(const SessionState& state) {
  const SceneInfo* scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  return (scene ? std::string(scene->title) : state.scene) + ", " + time_text(state.time, state.units);
}

std::string description_of(const SessionState& state) {
  const bool by_error = opens_by_error(state.config);
  return with_thousands(state.bodies) + " bodies after " + with_thousands(state.steps) + " steps of solver " +
         state.config.solver + " (" + name_of(state.config.backend, kBackendNames) + "), " +
         (by_error ? "opening by error " + exact(state.params.accuracy)
                   : "opening angle " + exact(state.params.theta)) +
         ", energy error " + signed_error(state.energy_error) + ".";
}

}  // namespace

std::string command_of(const SessionState& state, const ViewSettings& view, const render::Camera& camera) {
  // Force errors are measured in the window alone, and only hands can ask for that.
  const bool unknown = view.image.color == render::ColorMode::force_error;
  return "pericenter --headless --backend " + name_of(state.config.backend, kBackendNames) + " --scene-string '" +
         scene_string(state, view, camera) + "' -s " + std::to_string(state.steps - state.steps_before) +
         (unknown ? " --color-by stars" : "") + " --screenshot picture.png";
}

std::vector<render::PngText> picture_texts(const SessionState& state, const ViewSettings& view,
                                           const render::Camera& camera) {
  Lines lines;
  add_system(state, lines);
  add_solver(state, lines);
  add_view(view, camera, lines);
  lines.add("command", command_of(state, view, camera));
  return {{"Software", "Pericenter " PERICENTER_VERSION},
          {"Title", title_of(state)},
          {"Description", description_of(state)},
          {"Settings", lines.text()},
          {"Scene", scene_string(state, view, camera)}};
}

}  // namespace pericenter::app
