#include "app/picture_text.h"

#include <array>
#include <charconv>

#include "app/format.h"
#include "app/option_rows.h"
#include "sim/solvers/registry.h"
#include "sim/solvers/switches.h"

namespace pericenter::app {
namespace {

constexpr std::array<const char*, render::kColorModes> kColorNames = {
    "stars", "origin", "speed", "acceleration", "density", "interactions", "force error"};
constexpr std::array<const char*, 4> kMapNames = {"viridis", "cividis", "magma", "grey"};
constexpr std::array<const char*, 3> kStyleNames = {"automatic", "splat", "sprites"};
constexpr std::array<const char*, 2> kThemes = {"dark", "light"}, kCurves = {"filmic", "asinh"};

template <class Enum, class Names>
std::string name_of(Enum value, const Names& names) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

/// The shortest text that is read as the same number.
template <class Number>
std::string exact(Number number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return {digits.data(), end};
}

const char* backend_name(Backend backend) {
  return backend == Backend::cpu ? "cpu" : "cuda";
}

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

void add_system(const SimulationState& state, Lines& lines) {
  lines.add("scene", state.scene);
  lines.add("bodies", std::to_string(state.bodies));
  lines.add("seed", std::to_string(state.scene_request.seed));
  lines.add("dimension", std::to_string(state.config.dimension));
  lines.add("time", exact(state.time));
  if (state.units.time_myr > 0) {
    lines.add("time in Myr", text("%.6g", state.time * state.units.time_myr));
    lines.add("unit of length in kpc", text("%.6g", state.units.length_kpc));
  }
  lines.add("steps", std::to_string(state.steps));
}

/// The switches that the solver has, each with its choice.
void add_solver(const SimulationState& state, Lines& lines) {
  const Config& config = state.config;
  lines.add("solver", config.solver);
  const SolverInfo* solver = find_solver(config.solver);
  for (const SolverSwitch& row : solver ? solver->switches : decltype(solver->switches){}) {
    const int choice = config.switches[row.which];
    const SwitchInfo& info = switch_info(row.which);
    lines.add(info.name,
              choice == Switches::kStandard ? "the solver's own" : info.choices[static_cast<std::size_t>(choice)].name);
  }
  lines.add("backend", backend_name(config.backend));
  if (!state.device_name.empty()) lines.add("device", state.device_name);
  lines.add("precision", name_of(config.precision, kPrecisionNames));
  lines.add("multipole", name_of(config.multipole, kMultipoleNames));
  lines.add("simd", simd_name(config.simd));
  lines.add("theta", exact(state.params.theta));
  lines.add("softening", exact(state.params.softening));
  lines.add("dt", exact(state.params.dt));
  lines.add("energy error", signed_error(state.energy_error));
}

void add_look(const UiState& ui, const render::Camera& camera, Lines& lines) {
  const auto& [target, yaw, pitch, distance] = camera.pose();
  lines.add("camera target", exact(target.x) + " " + exact(target.y) + " " + exact(target.z));
  lines.add("camera yaw", exact(yaw));
  lines.add("camera pitch", exact(pitch));
  lines.add("camera distance", exact(distance));
  const render::PictureSettings& look = ui.picture;
  lines.add("colour", name_of(look.color, kColorNames));
  lines.add("colour map", name_of(look.map, kMapNames));
  lines.add("colour range", exact(look.low) + " to " + exact(look.high));
  lines.add("exposure",
            (look.auto_exposure ? "automatic, " : "") + text("%+g stops", static_cast<double>(look.exposure)));
  lines.add("tone curve", name_of(look.tone, kCurves));
  lines.add("glow", exact(look.glow));
  lines.add("stars drawn", name_of(look.style, kStyleNames));
  lines.add("star size", exact(look.star_size));
  lines.add("dark halo", look.show_halo ? "shown" : "hidden");
  lines.add("theme", name_of(ui.theme, kThemes));
}

std::string title_of(const SimulationState& state) {
  const SceneInfo* scene = find_scene(state.scene);
  return (scene ? std::string(scene->title) : state.scene) + ", " + time_text(state.time, state.units);
}

std::string description_of(const SimulationState& state) {
  return with_thousands(state.bodies) + " bodies after " + with_thousands(state.steps) + " steps of solver " +
         state.config.solver + " (" + backend_name(state.config.backend) + "), opening angle " +
         exact(state.params.theta) + ", energy error " + signed_error(state.energy_error) + ".";
}

}  // namespace

std::string command_of(const SimulationState& state) {
  const Config& config = state.config;
  std::string line = "pericenter --headless --scene " + state.scene + " -n " + std::to_string(state.bodies) +
                     " --seed " + std::to_string(state.scene_request.seed) + " --dimension " +
                     std::to_string(config.dimension) + " --solver " + config.solver + " --backend " +
                     backend_name(config.backend) + " --precision " + name_of(config.precision, kPrecisionNames) +
                     " --multipole " + name_of(config.multipole, kMultipoleNames) + " --simd " + simd_name(config.simd);
  for (std::size_t k = 0; k < kSwitchCount; ++k) {
    const auto which = static_cast<Switch>(k);
    const SwitchInfo& info = switch_info(which);
    if (const int choice = config.switches[which]; choice != Switches::kStandard)
      line += " --" + std::string(info.name) + " " + std::string(info.choices[static_cast<std::size_t>(choice)].name);
  }
  return line + " --theta " + exact(state.params.theta) + " --softening " + exact(state.params.softening) + " --dt " +
         exact(state.params.dt) + " -s " + std::to_string(state.steps) + " --screenshot picture.png";
}

std::vector<render::PngText> picture_texts(const SimulationState& state, const UiState& ui,
                                           const render::Camera& camera) {
  Lines lines;
  add_system(state, lines);
  add_solver(state, lines);
  add_look(ui, camera, lines);
  lines.add("command", command_of(state));
  return {{"Software", "Pericenter " PERICENTER_VERSION},
          {"Title", title_of(state)},
          {"Description", description_of(state)},
          {"Settings", lines.text()}};
}

}  // namespace pericenter::app
