#include "app/settings/settings_table.h"
#include "app/base/format.h"
#include "app/base/home_folder.h"

#include <algorithm>
#include <array>
#include <glm/gtc/constants.hpp>
#include <utility>

#include "app/settings/option_parser.h"
#include "app/settings/option_values.h"
#include "app/settings/setting_values.h"
#include "sim/files/selection.h"
#include "sim/files/stated.h"
#include "sim/scenes/model/encounter_settings.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr float kMaxDistance = 1e12f;  // its square must be a finite float

/// Renamed keys of scene strings.
struct OldKey {
  std::string_view old_key, key;
};
constexpr std::array<OldKey, 1> kOldKeys = {{{"glow", "bloom"}}};

/// A row whose value is at(options).
template <class At>
SettingRow row(std::string_view key, At at, Range range = {}) {
  return {.key = std::string(key),
          .text = [at](const SceneOptions& options) { return value_text(at(options)); },
          .read = [at, range](const Argument& a, SceneOptions& options) { read_value(a, range, at(options)); }};
}

/// A number of the scene's Params that `at` overrides, with the key and help of kParamsSettings.
template <class At>
SettingRow params_row(double Params::*member, At at) {
  const SettingInfo& info = std::ranges::find(kParamsSettings, member, &ParamsSetting::member)->info;
  SettingRow result = row(info.key, at);
  result.group = kSolverGroup;
  result.type = info.type;
  result.help = info.help;
  return result;
}

SettingRow config_row(std::string_view key, const char* group, bool GivenOptions::*given) {
  SettingRow result;
  for_each_config_setting([&](const SettingInfo& info, auto member) {
    if (info.key != key) return;
    result = row(
        key, [member](auto& options) -> auto& { return options.config.*member; }, info.range);
    result.group = group;
    result.type = info.type;
    result.help = info.help;
    result.values = value_names<std::remove_cvref_t<decltype(std::declval<Config&>().*member)>>();
    result.given = given;
  });
  return result;
}

SettingRow solver_row() {
  SettingRow result = config_row("solver", kSolverGroup, nullptr);
  result.read = [](const Argument& a, SceneOptions& options) {
    const auto names = names_of(solvers());
    options.config.solver = names[one_of(a, names)];
  };
  return result;
}

/// Written if it was named, because another one may be chosen for the bodies.
SettingRow integrator_row() {
  SettingRow result = config_row("integrator", kSolverGroup, &GivenOptions::integrator);
  result.text = [text = result.text](const SceneOptions& options) {
    const bool is_default = options.config.integrator == Config().integrator;
    return is_default && !options.given.integrator ? std::string() : text(options);
  };
  return result;
}

SettingRow solver_option_row(SolverOption which) {
  const SolverOptionInfo& info = solver_option_info(which);
  return {.key = std::string(info.name),
          .text = [which](const SceneOptions& options) { return solver_option_text(options.config, which); },
          .read =
              [which](const Argument& a, SceneOptions& options) {
                options.config.solver_options.set(which, solver_option_value(which, a));
              },
          .group = kSolverOptionsGroup,
          .type = "NAME",
          .help = solver_option_help(info),
          .values = copies_of(names_of(info.values))};
}

SettingRow scene_row() {
  return {.key = "scene",
          .text = [](const SceneOptions& options) { return options.reads_a_file() ? std::string() : options.scene; },
          .read =
              [](const Argument& a, SceneOptions& options) {
                const auto names = names_of(scenes());
                const std::string before = std::exchange(options.scene, names[one_of(a, names)]);
                render::ColorMode& color = options.view.image.color;
                color = color_of_scene(options.scene, before, color);
                bool& trails = options.view.trails.show;
                trails = trails_of_scene(options.scene, before, trails);
                options.load.clear();
                options.play.clear();
              },
          .group = kSceneGroup,
          .type = "NAME",
          .help = "scene to start with, see --list-scenes (default: collision)",
          .values = copies_of(names_of(scenes())),
          .given = &GivenOptions::scene,
          .of_source = true,
          .always = true};
}

SettingRow bodies_row() {
  SettingRow result = row("n", [](auto& o) -> auto& { return o.bodies; }, {.min = 1});
  result.names = "-n,--bodies";
  result.group = kSceneGroup;
  result.type = "N";
  result.help = "number of bodies (default: 20000 with --headless; in a window: chosen for this machine)";
  result.given = &GivenOptions::bodies;
  result.of_source = true;
  return result;
}

SettingRow seed_row() {
  SettingRow result = row("seed", [](auto& o) -> auto& { return o.seed; }, {.min = 0});
  result.group = kSceneGroup;
  result.type = kSeedType;
  result.help = kSeedHelp;
  result.given = &GivenOptions::seed;
  result.of_source = true;
  return result;
}

SettingRow encounter_row(const EncounterSetting& setting) {
  return {.key = std::string(setting.key),
          .text =
              [&setting](const SceneOptions& options) {
                const SceneInfo* scene = find_scene(options.scene);
                if (!options.encounter || !scene || !scene->encounter) return std::string();
                Encounter now = *options.encounter, own = *scene->encounter;
                return setting.at(now) == setting.at(own) ? std::string() : exact(setting.at(now));
              },
          .read =
              [&setting](const Argument& a, SceneOptions& options) {
                const SceneInfo* scene = find_scene(options.scene);
                if (!scene || !scene->encounter) {
                  throw CommandLineError(a.option + " describes an encounter, but scene " + options.scene +
                                         " has none; remove it.");
                }
                if (!options.encounter) options.encounter = *scene->encounter;
                setting.at(*options.encounter) = number_in<double>(a, setting.range);
              },
          .of_source = true};
}

SettingRow file_row(std::string key, std::string SceneOptions::*file) {
  return {.key = std::move(key),
          .text = [file](const SceneOptions& options) { return url_encoded(abbreviated_home(options.*file)); },
          .read = [file](const Argument& a, SceneOptions& options) { options.*file = expanded_home(url_decoded(a)); }};
}

/// The option takes a word, too: a scene string has the number that was used.
SettingRow softening_row() {
  SettingRow result = params_row(
      &Params::softening, [](auto& o) -> auto& { return o.softening; });
  result.help.clear();
  result.read = [read = result.read](const Argument& a, SceneOptions& options) {
    read(a, options);
    options.softening_now.reset();
  };
  return result;
}

SettingRow steps_row() {
  SettingRow result = row("steps", [](auto& o) -> auto& { return o.steps; }, {.min = 0});
  result.names = "-s,--steps";
  result.group = kHeadlessGroup;
  result.type = "N";
  result.help = "number of steps (default: 100); with --record: those of 25 s; in a window: steps before --screenshot";
  result.given = &GivenOptions::steps;
  return result;
}

/// The last of two settings that exclude each other counts.
template <class Value>
SettingRow instead_of(std::optional<Value> SceneOptions::*other, SettingRow result) {
  result.read = [read = result.read, other](const Argument& a, SceneOptions& options) {
    read(a, options);
    (options.*other).reset();
  };
  return result;
}

SettingRow pace_row() {
  return instead_of(&SceneOptions::steps_per_frame,
                    {.key = "pace",
                     .text = [](const SceneOptions& options) { return value_text(options.pace); },
                     .read =
                         [](const Argument& a, SceneOptions& options) {
                           options.pace = number_in<double>(a, {kMinPace, kMaxPace});
                         },
                     .group = kViewGroup,
                     .type = "RATE",
                     .help = "speed of the story, in the unit of the clock per second: Myr per second for galaxies, "
                             "years for the solar system (default: the key moment of the scene comes after 25 s)"});
}

/// A row of the display group that is also an option.
SettingRow with_option(SettingRow result, std::string type, std::string help) {
  result.group = kViewGroup;
  result.type = std::move(type);
  result.help = std::move(help);
  return result;
}

SettingRow levels_row() {
  return {.key = "tree-levels",
          .text =
              [](const SceneOptions& options) {
                const request::ShowTree& tree = options.view.tree;
                return std::to_string(tree.first_level) + "," + std::to_string(tree.last_level);
              },
          .read =
              [](const Argument& a, SceneOptions& options) {
                const std::vector<Argument> items = list_items(a);
                if (items.size() != 2)
                  throw CommandLineError(a.option + " must be the first and the last level, such as 2,9.");
                options.view.tree.first_level = static_cast<int>(whole_number(items[0], 0, request::kAllLevels));
                options.view.tree.last_level = static_cast<int>(whole_number(items[1], 0, request::kAllLevels));
              }};
}

SettingRow range_row() {
  return {.key = "color-range",
          .text =
              [](const SceneOptions& options) {
                const ViewSettings& view = options.view;
                return view.fixed_range ? exact(view.image.low) + "," + exact(view.image.high) : std::string();
              },
          .read =
              [](const Argument& a, SceneOptions& options) {
                constexpr Range kAny = {-kMaxDistance, kMaxDistance};
                const std::vector<Argument> items = list_items(a);
                if (items.size() != 2) throw CommandLineError(a.option + " must be two numbers, such as -1.5,2.");
                const auto low = number_in<float>(items[0], kAny), high = number_in<float>(items[1], kAny);
                if (!(low < high))
                  throw CommandLineError(a.option + " is " + a.text + "; the second number must be larger.");
                options.view.image.low = low;
                options.view.image.high = high;
                options.view.fixed_range = true;
              }};
}

/// Empty for what follows from the rest: a camera that is stated stays, others follow the story.
std::string follow_text(const SceneOptions& options) {
  const Follow& follow = options.view.follow;
  const Follow::What own = options.camera ? Follow::What::nothing : Follow::What::story;
  if (follow.what == own) return {};
  switch (follow.what) {
    case Follow::What::center_of_mass:
      return "center-of-mass";
    case Follow::What::galaxy:
      return std::string("galaxy,").append(std::to_string(follow.galaxy));
    case Follow::What::path:
      return "path";
    case Follow::What::body:
      return std::string("body,").append(std::to_string(follow.body));
    case Follow::What::story:
      return "story";
    case Follow::What::nothing:
      break;
  }
  return "nothing";
}

Follow read_follow(const Argument& a) {
  constexpr std::array<std::string_view, 6> kNames = {"nothing", "center-of-mass", "galaxy",
                                                      "body",    "path",           "story"};  // see Follow
  const std::vector<Argument> items = list_items(a);
  Follow follow;
  follow.what = static_cast<Follow::What>(one_of(items[0], kNames));
  const bool has_number = follow.what == Follow::What::galaxy || follow.what == Follow::What::body;
  if (items.size() != (has_number ? 2 : 1))
    throw CommandLineError(a.option +
                           " must be story, nothing, center-of-mass, path, galaxy,NUMBER or body,NUMBER, not '" +
                           a.text + "'.");
  if (follow.what == Follow::What::galaxy)
    follow.galaxy = static_cast<int>(whole_number(items[1], 0, (1u << kTagGalaxyBits) - 1));
  if (follow.what == Follow::What::body)
    follow.body = static_cast<std::uint32_t>(whole_number(items[1], 0, UINT32_MAX));
  return follow;
}

/// Target, yaw and pitch in radians, distance.
std::string camera_text(const std::optional<render::CameraPose>& camera) {
  if (!camera) return {};
  const auto& [target, yaw, pitch, distance] = *camera;
  std::string numbers = exact(target.x);
  for (const float number : {target.y, target.z, yaw, pitch, distance}) numbers.append(",").append(exact(number));
  return numbers;
}

render::CameraPose read_camera(const Argument& a) {
  constexpr Range kPlace = {-kMaxDistance, kMaxDistance}, kYaw = {-100, 100},
                  kPitch = {-glm::half_pi<float>(), glm::half_pi<float>()}, kDistance = {1e-12, kMaxDistance};
  const std::vector<Argument> items = list_items(a);
  if (items.size() != 6) throw CommandLineError(a.option + " must be six numbers: x,y,z,yaw,pitch,distance.");
  const auto number = [&](std::size_t k, Range range) { return number_in<float>(items[k], range); };
  return {.target = {number(0, kPlace), number(1, kPlace), number(2, kPlace)},
          .yaw = number(3, kYaw),
          .pitch = number(4, kPitch),
          .distance = number(5, kDistance)};
}

/// How a file of bodies is read. `text` and `read` have the value of the row as text.
SettingRow reading_row(std::string key, std::string type, std::string help,
                       std::function<std::string(const ReadOptions&)> text,
                       std::function<void(const std::string&, ReadOptions&)> read) {
  return {.key = std::move(key),
          .text = [text](const SceneOptions& o) { return url_encoded(text(o.read)); },
          .read =
              [read](const Argument& a, SceneOptions& o) {
                try {
                  read(url_decoded(a), o.read);
                } catch (const InputError& error) {
                  throw CommandLineError(a.option + ": " + error.what());
                }
              },
          .group = kSceneGroup,
          .type = std::move(type),
          .help = std::move(help)};
}

void add_reading(std::vector<SettingRow>& rows) {
  rows.push_back(reading_row(
      "units", "TEXT",
      "units of --load or --play in place of those of the file: two or three of length, mass, velocity and time, such "
      "as \"length=kpc mass=1e10 Msun velocity=km/s\"",
      [](const ReadOptions& read) { return read.stated.units.text; },
      [](const std::string& text, ReadOptions& read) { read.stated.units = units_from(text); }));
  rows.push_back(reading_row(
      "periodic", "SIDE",
      "side of the periodic volume of --load or --play, in the file's unit of length; 0: not periodic",
      [](const ReadOptions& read) { return value_text(read.stated.box); },
      [](const std::string& text, ReadOptions& read) { read.stated.box = periodic_from(text); }));
  rows.push_back(row("every", [](auto& o) -> auto& { return o.read.selection.every; }, {.min = 1}));
  rows.back().group = kSceneGroup;
  rows.back().type = "N";
  rows.back().help =
      "of each type of bodies in the file of --load or --play, keep one of N, with N times the mass; the others need "
      "no "
      "memory";
  rows.push_back(reading_row(
      "types", "NAMES",
      "keep only bodies of these types of --load or --play: gas, halo, disk, bulge, star, boundary (black holes), or 0 "
      "to 5, separated by commas",
      [](const ReadOptions& read) { return read.selection.types == 0 ? "" : types_text(read.selection.types); },
      [](const std::string& text, ReadOptions& read) { read.selection.types = types_from(text); }));
  for (std::size_t type = 0; type < kBodyTypes - 1; ++type) rows.back().values.push_back(type_name(type));
  rows.push_back(reading_row(
      "region", "\"X Y Z R\"",
      "keep only bodies of --load or --play within R of a place, in the file's unit of length, also through the walls "
      "of a periodic volume",
      [](const ReadOptions& read) { return region_text(read.selection.region); },
      [](const std::string& text, ReadOptions& read) { read.selection.region = region_from(text); }));
}

void add_source(std::vector<SettingRow>& rows) {
  rows.push_back(file_row("file", &SceneOptions::load));
  rows.push_back(file_row("series", &SceneOptions::play));
  add_reading(rows);
  rows.push_back(scene_row());
  rows.push_back(bodies_row());
  rows.push_back(seed_row());
  rows.push_back(config_row("dimension", kSceneGroup, &GivenOptions::dimension));
  for (const EncounterSetting& setting : kEncounterSettings) rows.push_back(encounter_row(setting));
}

// clang-format off
void add_run(std::vector<SettingRow>& rows) {
  rows.push_back(solver_row());
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) rows.push_back(solver_option_row(static_cast<SolverOption>(k)));
  rows.push_back(config_row("precision", kSolverGroup, &GivenOptions::precision));
  rows.push_back(config_row("multipole", kSolverGroup, &GivenOptions::multipole));
  rows.push_back(integrator_row());
  rows.push_back(config_row("simd", kSolverGroup, &GivenOptions::simd));
  rows.push_back(params_row(&Params::theta, [](auto& o) -> auto& { return o.theta; }));
  rows.push_back(params_row(&Params::accuracy, [](auto& o) -> auto& { return o.accuracy; }));
  rows.push_back(softening_row());
  rows.push_back(row("softening-now", [](auto& o) -> auto& { return o.softening_now; }));
  rows.push_back(params_row(&Params::dt, [](auto& o) -> auto& { return o.dt; }));
  rows.push_back(params_row(&Params::adaptive_steps, [](auto& o) -> auto& { return o.adaptive_steps; }));
  rows.push_back(with_option(instead_of(&SceneOptions::pace, row("steps-per-frame", [](auto& o) -> auto& { return o.steps_per_frame; }, {1, 1000})),
                             "N", "simulation steps per rendered frame, 1 to 1000, instead of --pace; the speed then depends on the machine"));
  rows.push_back(pace_row());
  rows.push_back(steps_row());
  rows.push_back(row("pause-at-highlight", [](auto& o) -> auto& { return o.view.pause_at_highlight; }));
}

void add_image(std::vector<SettingRow>& rows) {
  rows.push_back(with_option(row("color-by", [](auto& o) -> auto& { return o.view.image.color; }), "NAME",
                             "quantity mapped to the colour of a star: " + list_of(kEnumNames<render::ColorMode>) +
                                 " (default: stars, or that in which the scene is best seen)"));
  rows.back().values = copies_of(kEnumNames<render::ColorMode>);
  rows.push_back({.key = "color-field",
                  .text = [](const SceneOptions& o) { return url_encoded(o.view.field); },
                  .read = [](const Argument& a, SceneOptions& o) { o.view.field = url_decoded(a); },
                  .group = kViewGroup,
                  .type = "FIELD",
                  .help = "field of the file that --color-by field shows, such as Temperature (default: the first)"});
  rows.push_back(with_option(row("color-map", [](auto& o) -> auto& { return o.view.image.map; }), "NAME",
                             "colour map: " + list_of(kEnumNames<render::ColorMap>) + " (default: viridis)"));
  rows.back().values = copies_of(kEnumNames<render::ColorMap>);
  rows.push_back(with_option(row("galaxy-colors", [](auto& o) -> auto& { return o.view.image.galaxies; }),
                             "safe|bright",
                             "colours of two galaxies with --color-by origin: readable with colour vision deficiency, "
                             "or more vivid (default: safe)"));
  rows.push_back(range_row());
  rows.push_back(row("halo", [](auto& o) -> auto& { return o.view.image.show_halo; }));
  rows.push_back(with_option(row("theme", [](auto& o) -> auto& { return o.view.theme; }), "dark|light",
                             "theme of panel and image; light is for bright rooms (default: as in the last session)"));
  rows.back().given = &GivenOptions::theme;
  rows.push_back(row("exposure", [](auto& o) -> auto& { return o.view.image.exposure; }, {-6, 6}));
  rows.push_back(row("auto-exposure", [](auto& o) -> auto& { return o.view.image.auto_exposure; }));
  rows.push_back(row("tone", [](auto& o) -> auto& { return o.view.image.tone; }));
  rows.push_back(row("bloom", [](auto& o) -> auto& { return o.view.image.bloom; }, {0, 1}));
  rows.push_back(row("depth-cue", [](auto& o) -> auto& { return o.view.image.depth_cue; }, {0, 1}));
  rows.push_back(row("dust", [](auto& o) -> auto& { return o.view.image.dust; }, {0, 2}));
  rows.push_back(with_option(row("sky", [](auto& o) -> auto& { return o.view.image.sky; }), "on|off",
                             "decorative stars and galaxies in the background (default: on)"));
  rows.push_back(row("stars", [](auto& o) -> auto& { return o.view.image.style; }));
  rows.push_back(row("star-size", [](auto& o) -> auto& { return o.view.image.star_size; }, {0.25, 4}));
}

void add_overlays(std::vector<SettingRow>& rows) {
  rows.push_back(row("trails", [](auto& o) -> auto& { return o.view.trails.show; }));
  rows.push_back(row("trail-length", [](auto& o) -> auto& { return o.view.trails.length; }, {0.01, 500}));
  rows.push_back(row("trail-opacity", [](auto& o) -> auto& { return o.view.trails.opacity; }, {0.02, 1}));
  rows.push_back(row("trail-bodies", [](auto& o) -> auto& { return o.view.trails.bodies; }, {10, 20'000}));
  rows.push_back(row("tree", [](auto& o) -> auto& { return o.view.tree.show; }));
  rows.push_back(levels_row());
  rows.push_back(row("tree-opacity", [](auto& o) -> auto& { return o.view.boxes.opacity; }, {0, 1}));
  rows.push_back(row("tree-fill", [](auto& o) -> auto& { return o.view.boxes.fill; }, {0, 1}));
  rows.push_back(row("grid", [](auto& o) -> auto& { return o.view.guides.grid; }));
  rows.push_back(row("axes", [](auto& o) -> auto& { return o.view.guides.axes; }));
  rows.push_back(row("scale-bar", [](auto& o) -> auto& { return o.view.guides.scale_bar; }));
  rows.push_back(row("legend", [](auto& o) -> auto& { return o.view.guides.legend; }));
  rows.push_back(row("labels", [](auto& o) -> auto& { return o.view.guides.labels; }));
  rows.push_back(row("velocities", [](auto& o) -> auto& { return o.view.guides.velocities; }));
  rows.push_back({.key = "follow",
                  .text = [](const SceneOptions& o) { return follow_text(o); },
                  .read = [](const Argument& a, SceneOptions& o) { o.view.follow = read_follow(a); }});
  rows.push_back(with_option(row("drift", [](auto& o) -> auto& { return o.view.drift; }), "on|off",
                             "slow orbit of the camera, one turn in three minutes (default: off)"));
  rows.push_back({.key = "camera",
                  .text = [](const SceneOptions& o) { return camera_text(o.camera); },
                  .read = [](const Argument& a, SceneOptions& o) { o.camera = read_camera(a); }});
}
// clang-format on

}  // namespace

const std::vector<SettingRow>& settings_table() {
  static const std::vector<SettingRow> rows = [] {
    std::vector<SettingRow> all;
    add_source(all);
    add_run(all);
    add_image(all);
    add_overlays(all);
    return all;
  }();
  return rows;
}

std::string_view current_key(std::string_view key) {
  const auto renamed = std::ranges::find(kOldKeys, key, &OldKey::old_key);
  return renamed == kOldKeys.end() ? key : renamed->key;
}

}  // namespace pericenter::app
