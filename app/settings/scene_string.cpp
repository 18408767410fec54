#include "app/settings/scene_string.h"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/base/format.h"
#include "app/settings/command_line_error.h"
#include "app/settings/option_values.h"
#include "app/settings/settings_table.h"
#include "app/view/camera_control.h"
#include "sim/files/load.h"
#include "sim/playback/series.h"
#include "sim/scenes/model/encounter.h"
#include "sim/session/next_config.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::string_view kName = "pericenter/", kVersion = "1";
constexpr std::string_view kBlanks = " \t\r\n\f\v";
constexpr std::size_t kMaxBytes = 1 << 16, kMaxValue = 200, kMaxPath = 3 * 4096;
constexpr const char* kExample = "pericenter/1 scene=collision n=20000";

/// The values of a scene string by key.
using Texts = std::map<std::string, std::string, std::less<>>;

std::string shortened(std::string_view word) {
  constexpr std::size_t kShown = 40;
  return std::string(word.substr(0, kShown)) + (word.size() > kShown ? "..." : "");
}

/// Removes the next word from `text`; empty at the end.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

/// Quotation marks of mail programs.
bool is_quote_mark(std::string_view word) {
  return !word.empty() && word.find_first_not_of('>') == word.npos;
}

void take_version(std::string_view& text) {
  std::string_view word = take_word(text);
  while (is_quote_mark(word)) word = take_word(text);
  if (!word.starts_with(kName)) {
    throw CommandLineError("this is not a scene string; it must begin with pericenter/1, as in: " +
                           std::string(kExample));
  }
  const std::string_view version = word.substr(kName.size());
  if (version == kVersion) return;
  const bool is_number = !version.empty() && version.find_first_not_of("0123456789") == version.npos;
  if (!is_number) throw CommandLineError("a scene string must begin with pericenter/1 and a space.");
  throw CommandLineError("this scene string has version " + shortened(version) + ", but this program reads version " +
                         std::string(kVersion) + "; use a newer version of Pericenter.");
}

void check_letters(std::string_view word) {
  const auto strange = std::ranges::find_if(word, [](char letter) { return letter < '!' || letter > '~'; });
  if (strange == word.end()) return;
  throw CommandLineError("the scene string has an invalid character after '" +
                         shortened(word.substr(0, static_cast<std::size_t>(strange - word.begin()))) +
                         "'; check that no other text is in it.");
}

Texts texts_of(std::string_view text) {
  if (text.size() > kMaxBytes) {
    throw CommandLineError("this text has " + std::to_string(text.size()) + " characters; a scene string has at most " +
                           std::to_string(kMaxBytes) + ".");
  }
  take_version(text);
  Texts texts;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    if (is_quote_mark(word)) continue;
    check_letters(word);
    const std::size_t equals = word.find('=');
    if (equals == word.npos || equals == 0) {
      throw CommandLineError("'" + shortened(word) + "' is not of the form KEY=VALUE, as in: " + kExample);
    }
    const std::string key(current_key(word.substr(0, equals)));
    if (!texts.emplace(key, word.substr(equals + 1)).second)
      throw CommandLineError("the scene string has two values of " + shortened(key) + "=; remove one.");
  }
  return texts;
}

[[noreturn]] void refuse_key(const std::string& key) {
  std::vector<std::string_view> names;
  for (const SettingRow& row : settings_table()) names.push_back(row.key);
  const std::string shown = shortened(key), hint = did_you_mean(shown, names);
  throw CommandLineError("a scene string of version " + std::string(kVersion) + " has no " + shown + "=" +
                         (hint.empty() ? "; it may be from a newer version of Pericenter." : hint));
}

void read_row(const SettingRow& row, const std::string& text, SceneOptions& options) {
  if (text.size() > (row.key == "file" || row.key == "series" ? kMaxPath : kMaxValue))
    throw CommandLineError(row.key + " is too long: " + std::to_string(text.size()) + " characters.");
  if (row.of_source && options.reads_a_file())
    throw CommandLineError(row.key + "= creates bodies, but file= or series= loads them; remove one.");
  row.read({row.key, text}, options);
}

/// Why neither the CPU nor CUDA supports it; empty if one does. The string may be from another machine.
std::string problem_anywhere(Config config) {
  const SolverInfo& solver = *find_solver(config.solver);
  std::string problem;
  for (const Backend backend : {Backend::cuda, Backend::cpu}) {
    if (!solver.runs_on(backend)) continue;
    config.backend = backend;
    problem = problem_with(config);
    if (problem.empty()) break;
  }
  return problem;
}

std::string problem_with_orbit(const EncounterOrbit& orbit) {
  try {
    relative_state(orbit, 1);
  } catch (const std::invalid_argument&) {
    return "pericenter, eccentricity and separation are inconsistent: the orbit never reaches this separation";
  }
  return {};
}

template <class Number>
std::optional<Number> unless_own(Number number, Number own) {
  return number == own ? std::nullopt : std::optional(number);
}

/// `wanted` with the device of `now`, on the backend of `now` if the solver supports it, else on the other one.
Config here(Config wanted, const Config& now, std::string_view cuda_missing) {
  const SolverInfo& solver = *find_solver(wanted.solver);
  wanted = on_machine_of(wanted, now);
  if (wanted.backend == Backend::cuda && !solver.cuda) wanted.backend = Backend::cpu;
  if (has_internal_steps(wanted)) wanted.backend = Backend::cpu;
  if (wanted.backend == Backend::cpu && !solver.cpu) wanted.backend = Backend::cuda;
  if (wanted.backend == Backend::cuda && !cuda_missing.empty()) {
    throw CommandLineError("solver " + wanted.solver + " needs CUDA: " + std::string(cuda_missing) +
                           "; use another solver in the scene string.");
  }
  return without_unsupported_values(wanted);
}

}  // namespace

std::string scene_string(const SceneOptions& options) {
  SceneOptions defaults;
  if (!options.reads_a_file()) {
    defaults.view.image.color = color_of_scene(options.scene, defaults.scene, defaults.view.image.color);
    defaults.view.trails.show = trails_of_scene(options.scene, defaults.scene, defaults.view.trails.show);
  }
  std::string words = std::string(kName) + std::string(kVersion);
  for (const SettingRow& row : settings_table()) {
    const std::string text = row.text(options);
    if (text.empty() || (!row.always && text == row.text(defaults))) continue;
    words.append(" ").append(row.key).append("=").append(text);
  }
  return words;
}

SceneOptions options_of(const SessionState& state, const ViewSettings& view, const render::Camera& camera) {
  SceneOptions options;
  const SceneRequest& request = state.scene_request;
  (state.playback ? options.play : options.load) = state.file;
  options.read = state.file_options;
  if (state.file.empty()) {
    options.scene = state.scene;
    const SceneInfo* scene = find_scene(state.scene);
    if (!scene || scene->fixed_bodies == 0) options.bodies = request.bodies;
    options.seed = request.seed;
    options.encounter = request.encounter;
    if (request.softening != 0) options.softening = request.softening;
  }
  options.config = state.config;
  // For few bodies, gauss-radau may be chosen for a string without an integrator.
  const bool may_be_few = state.suggested.softening == 0 || state.bodies <= kMaxRadauBodies;
  options.given.integrator = !state.automatic_integrator && may_be_few;
  const Params &now = state.params, &own = state.suggested;
  options.theta = unless_own(now.theta, own.theta);
  options.accuracy = unless_own(now.accuracy, own.accuracy);
  options.softening_now = unless_own(now.softening, options.softening.value_or(own.softening));
  options.dt = unless_own(now.dt, own.dt);
  options.adaptive_steps = unless_own(now.adaptive_steps, own.adaptive_steps);
  if (state.speed == 0)
    options.steps_per_frame = state.steps_per_frame;
  else if (state.speed != default_speed(state))
    options.pace = displayed_speed(state.speed, state.units);
  options.steps = state.steps - state.steps_at_load;  // steps since the file was loaded
  options.view = view;
  if (!view.trails.show) options.view.trails.bodies = ViewSettings().trails.bodies;  // depends on the machine
  options.given.theme = true;
  render::Camera suggested;
  fit(view_of(state), suggested);
  if (camera.pose() != suggested.pose()) options.camera = camera.pose();
  return options;
}

std::string scene_string(const SessionState& state, const ViewSettings& view, const render::Camera& camera) {
  return scene_string(options_of(state, view, camera));
}

void check_values(const SceneOptions& options) {
  std::string problem = problem_with(with_options({}, options));
  if (problem.empty()) problem = problem_anywhere(options.config);
  if (problem.empty() && options.encounter) problem = problem_with_orbit(options.encounter->orbit);
  if (!problem.empty()) throw CommandLineError(problem + ".");
}

void read_scene_string(std::string_view text, SceneOptions& options) {
  Texts texts = texts_of(text);
  SceneOptions result = options;
  result.view.theme = Theme::dark;
  result.given.theme = true;
  result.automatic_solver = !texts.contains("solver");
  result.given.integrator = texts.contains("integrator");
  if (texts.contains("camera")) result.view.follow = {};  // unless it is said what it follows
  for (const SettingRow& row : settings_table()) {
    const auto value = texts.find(row.key);
    if (value == texts.end()) continue;
    read_row(row, value->second, result);
    texts.erase(value);
  }
  if (!texts.empty()) refuse_key(texts.begin()->first);
  check_values(result);
  options = std::move(result);
}

SceneOptions pasted_scene(std::string_view text, const PasteTarget& target) {
  SceneOptions options;
  read_scene_string(text, options);
  options.config = here(options.config, next_config(target.now), target.cuda_missing);
  if (options.reads_a_file()) return options;
  const SceneInfo& scene = *find_scene(options.scene);
  if (!options.bodies) options.bodies = scene.allowed(target.bodies);
  if (*options.bodies > target.most) options.bodies = scene.allowed(target.most);
  check_bodies(scene, *options.bodies, {options.config, true});
  return options;
}

Request load_request(const SceneOptions& pasted) {
  if (!pasted.play.empty())
    return request::LoadSource{std::make_shared<const SceneSource>(series_source(series_of(pasted.play), pasted.read))};
  if (!pasted.load.empty())
    return request::LoadSource{std::make_shared<const SceneSource>(file_source(pasted.load, pasted.read))};
  return request::LoadScene{pasted.scene, scene_request(pasted, pasted.bodies.value_or(0)), pasted.config,
                            !pasted.given.integrator};
}

Request pace_request(const SceneOptions& options, const Units& units) {
  if (options.steps_per_frame) return request::SetStepsPerFrame{*options.steps_per_frame};
  return request::SetSpeed{options.pace.value_or(0) / time_unit(units).scene_time};
}

bool is_loaded(const SceneOptions& pasted, const SessionState& state) {
  if (pasted.reads_a_file())
    return state.file == pasted.input() && state.file_options.stated == pasted.read.stated &&
           state.file_options.selection == pasted.read.selection;
  return state.file.empty() && state.scene == pasted.scene && state.scene_request.bodies == pasted.bodies &&
         state.scene_request.seed == pasted.seed && state.scene_request.encounter == pasted.encounter;
}

}  // namespace pericenter::app
