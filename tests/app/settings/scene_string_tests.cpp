#include "app/settings/scene_string.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <variant>

#include "app/base/format.h"
#include "app/settings/command_line.h"
#include "app/settings/command_line_error.h"
#include "app/settings/settings_table.h"
#include "app/ui/send_requests.h"
#include "app/ui/ui_state.h"
#include "sim/files/stated.h"
#include "sim/session/simulation_thread.h"
#include "sim/solvers/registry.h"
#include "tests/support/program.h"
#include "tests/support/running_simulation.h"

namespace pericenter::app {
namespace {

/// State and display of a window.
struct Seen {
  SessionState state;
  UiState ui;
  render::Camera camera;

  std::string text() const { return scene_string(state, ui.view, camera); }
};

Seen seen_of(const SceneInfo& scene) {
  Seen seen;
  SessionState& state = seen.state;
  state.scene = scene.name;
  state.scene_request.bodies = scene.allowed(20'000);
  state.bodies = state.scene_request.bodies;
  state.suggested = state.params = {.dt = 0.03, .theta = 0.7, .softening = 0.1};
  state.view_radius = 21;
  state.angles = ViewAngles{30, 60};
  state.speed = default_speed(state);
  fit(view_of(state), seen.camera);
  return seen;
}

/// A change of one setting, which must appear in the scene string.
struct Change {
  std::string what;
  std::function<void(Seen&)> make;
};

std::vector<Change> source_changes(const SceneInfo& scene) {
  std::vector<Change> changes = {
      {"seed", [](Seen& s) { s.state.scene_request.seed = UINT64_MAX; }},
      {"softening",
       [](Seen& s) {
         s.state.scene_request.softening = s.state.suggested.softening = s.state.params.softening = 0.07;
       }},
      {"softening, then another",
       [](Seen& s) {
         s.state.scene_request.softening = s.state.suggested.softening = 0.07;
         s.state.params.softening = 0;
       }},
      {"softening that the scene did not take", [](Seen& s) { s.state.scene_request.softening = 0.07; }},
      {"dimension",
       [](Seen& s) {
         s.state.config.dimension = s.state.scene_request.dimension = 2;
         fit(view_of(s.state), s.camera);
       }},
  };
  if (scene.fixed_bodies == 0) changes.push_back({"n", [](Seen& s) { s.state.scene_request.bodies = 123'456'789; }});
  if (!scene.encounter) return changes;
  const auto add = [&](const char* what, auto change) {
    changes.push_back({what, [change, own = *scene.encounter](Seen& s) {
                         s.state.scene_request.encounter = own;
                         change(*s.state.scene_request.encounter);
                       }});
  };
  add("pericenter", [](Encounter& e) { e.orbit.pericenter += 0.1; });
  add("eccentricity", [](Encounter& e) { e.orbit.eccentricity += 0.01; });
  add("separation", [](Encounter& e) { e.orbit.separation *= 0.9; });
  add("i1", [](Encounter& e) { e.first.inclination = 100.1; });
  add("w1", [](Encounter& e) { e.first.pericenter_argument = -33; });
  add("i2", [](Encounter& e) { e.second.inclination = 1e-3; });
  add("w2", [](Encounter& e) { e.second.pericenter_argument = -1.0 / 3; });
  add("mass-ratio", [](Encounter& e) { e.mass_ratio = 0.3125; });
  add("speed", [](Encounter& e) { e.speed_factor = 1.07; });
  return changes;
}

std::vector<Change> run_changes() {
  return {
      {"precision", [](Seen& s) { s.state.config.precision = Precision::float64; }},
      {"multipole", [](Seen& s) { s.state.config.multipole = Multipole::monopole; }},
      {"integrator", [](Seen& s) { s.state.config.integrator = Integrator::euler; }},
      {"simd", [](Seen& s) { s.state.config.simd = Simd::plain; }},
      {"theta", [](Seen& s) { s.state.params.theta = 1.0 / 3; }},
      {"accuracy", [](Seen& s) { s.state.params.accuracy = 1.0 / 3e3; }},
      {"softening-now", [](Seen& s) { s.state.params.softening = 0.05; }},
      {"dt", [](Seen& s) { s.state.params.dt = -1e-300; }},
      {"adaptive-steps", [](Seen& s) { s.state.params.adaptive_steps = 1.0 / 3e2; }},
      {"steps", [](Seen& s) { s.state.steps = 1234; }},
      {"steps-per-frame",
       [](Seen& s) {
         s.state.steps_per_frame = 7;
         s.state.speed = 0;
       }},
      {"one step per frame", [](Seen& s) { s.state.speed = 0; }},
      {"pace", [](Seen& s) { s.state.speed = 12.5 / time_unit(s.state.units).scene_time; }},
  };
}

std::vector<Change> view_changes() {
  std::vector<Change> changes = {
      {"color-range",
       [](Seen& s) {
         set_color(render::ColorMode::density, s.ui);
         s.ui.view.fixed_range = true;
         s.ui.view.image.low = -1.0f / 3;
         s.ui.view.image.high = 2;
       }},
      {"halo", [](Seen& s) { s.ui.view.image.show_halo = true; }},
      {"theme", [](Seen& s) { s.ui.view.theme = Theme::light; }},
      {"exposure", [](Seen& s) { s.ui.view.image.exposure = -0.1f; }},
      {"auto-exposure", [](Seen& s) { s.ui.view.image.auto_exposure = false; }},
      {"tone", [](Seen& s) { s.ui.view.image.tone = render::ToneCurve::asinh; }},
      {"bloom", [](Seen& s) { s.ui.view.image.bloom = 1; }},
      {"depth-cue", [](Seen& s) { s.ui.view.image.depth_cue = 1; }},
      {"dust", [](Seen& s) { s.ui.view.image.dust = 2; }},
      {"sky", [](Seen& s) { s.ui.view.image.sky = false; }},
      {"star-size", [](Seen& s) { s.ui.view.image.star_size = 0.25f; }},
      {"trails", [](Seen& s) { s.ui.view.trails.show = true; }},
      {"trail-length", [](Seen& s) { s.ui.view.trails.length = 0.1f; }},
      {"trail-opacity", [](Seen& s) { s.ui.view.trails.opacity = 0.02f; }},
      {"trail-bodies",
       [](Seen& s) {
         s.ui.view.trails.show = true;
         s.ui.view.trails.bodies = 300;
       }},
      {"tree", [](Seen& s) { set_tree({.show = true, .limit = 50'000}, s.ui.tree, s.ui); }},
      {"first level", [](Seen& s) { set_tree({.first_level = 3}, s.ui.tree, s.ui); }},
      {"last level", [](Seen& s) { set_tree({.last_level = 9}, s.ui.tree, s.ui); }},
      {"all levels", [](Seen& s) { set_tree({.last_level = request::kAllLevels}, s.ui.tree, s.ui); }},
      {"tree-opacity", [](Seen& s) { s.ui.view.boxes.opacity = 0; }},
      {"tree-fill", [](Seen& s) { s.ui.view.boxes.fill = 0.7f; }},
      {"grid", [](Seen& s) { s.ui.view.guides.grid = true; }},
      {"axes", [](Seen& s) { s.ui.view.guides.axes = true; }},
      {"scale-bar", [](Seen& s) { s.ui.view.guides.scale_bar = false; }},
      {"legend", [](Seen& s) { s.ui.view.guides.legend = false; }},
      {"labels", [](Seen& s) { s.ui.view.guides.labels = true; }},
      {"no labels", [](Seen& s) { s.ui.view.guides.labels = false; }},
      {"velocities", [](Seen& s) { s.ui.view.guides.velocities = true; }},
      {"galaxy-colors", [](Seen& s) { s.ui.view.image.galaxies = render::GalaxyColors::bright; }},
      {"pause-at-highlight", [](Seen& s) { s.ui.view.pause_at_highlight = true; }},
      {"follow nothing", [](Seen& s) { s.ui.view.follow = {}; }},
      {"follow the middle",
       [](Seen& s) {
         s.ui.view.follow = {Follow::What::center_of_mass, 0, 0};
       }},
      {"follow a galaxy",
       [](Seen& s) {
         s.ui.view.follow = {Follow::What::galaxy, 1, 0};
       }},
      {"follow a body",
       [](Seen& s) {
         s.ui.view.follow = {Follow::What::body, 0, UINT32_MAX};
       }},
      {"follow the path of the scene",
       [](Seen& s) {
         s.ui.view.follow = {Follow::What::path, 0, 0};
       }},
      {"drift", [](Seen& s) { s.ui.view.drift = true; }},
      {"camera",
       [](Seen& s) {
         s.camera.set_pose({{1e-7f, -2, 1.0f / 3}, 3.1f, -0.1f, 5});
       }},
      {"camera, turned a little", [](Seen& s) { s.camera.orbit(1, 0, 1000); }},
  };
  for (int k = 1; k < render::kColorModes; ++k)
    changes.push_back({"color-by", [k](Seen& s) { set_color(static_cast<render::ColorMode>(k), s.ui); }});
  for (const int k : {1, 2, 3})
    changes.push_back({"color-map", [k](Seen& s) { s.ui.view.image.map = static_cast<render::ColorMap>(k); }});
  changes.push_back({"color-field", [](Seen& s) { s.ui.view.field = "temperature, if ionised"; }});
  for (const int k : {1, 2})
    changes.push_back({"stars", [k](Seen& s) { s.ui.view.image.style = static_cast<render::StarStyle>(k); }});
  return changes;
}

/// Each other solver, and each value of each option of each solver on each backend.
std::vector<Change> solver_changes() {
  std::vector<Change> changes;
  for (const SolverInfo& solver : solvers()) {
    for (const Backend backend : {Backend::cpu, Backend::cuda}) {
      if (!solver.runs_on(backend)) continue;
      const Config config{.solver = std::string(solver.name), .backend = backend};
      if (config.solver != Config().solver)
        changes.push_back({config.solver, [config](Seen& s) { s.state.config = config; }});
      for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
        const auto which = static_cast<SolverOption>(k);
        for (int choice = 0; has_option(config, which) && choice < std::ssize(solver_option_info(which).values);
             ++choice) {
          if (!problem_with_value(config, which, choice).empty()) continue;
          Config chosen = config;
          chosen.solver_options.set(which, choice);
          changes.push_back(
              {std::string(solver_option_info(which).name), [chosen](Seen& s) { s.state.config = chosen; }});
        }
      }
    }
  }
  return changes;
}

/// Keys of a scene string.
std::set<std::string> keys_of(const std::string& text) {
  std::set<std::string> keys;
  std::istringstream words(text.substr(text.find(' ')));
  for (std::string word; words >> word;) keys.insert(word.substr(0, word.find('=')));
  return keys;
}

void expect_same_source(const Seen& seen, const Options& options) {
  const SceneRequest& wanted = seen.state.scene_request;
  const SceneRequest request = scene_request(options, options.bodies.value_or(wanted.bodies));
  EXPECT_EQ(options.scene, seen.state.scene);
  EXPECT_EQ(request.bodies, wanted.bodies);
  EXPECT_EQ(request.seed, wanted.seed);
  EXPECT_EQ(request.dimension, wanted.dimension);
  EXPECT_EQ(request.softening, wanted.softening);
  EXPECT_EQ(request.encounter, wanted.encounter);
}

void expect_same_run(const Seen& seen, const Options& options) {
  Config config = options.config;
  config.backend = seen.state.config.backend;  // not in scene strings
  EXPECT_EQ(config, seen.state.config);
  Params own = seen.state.suggested;
  EXPECT_EQ(with_options(own, options), seen.state.params);
  EXPECT_EQ(options.steps, seen.state.steps);
  EXPECT_EQ(options.steps_per_frame.value_or(0), seen.state.speed > 0 ? 0 : seen.state.steps_per_frame);
  const bool has_own_speed = seen.state.speed == 0 || seen.state.speed == default_speed(seen.state);
  EXPECT_EQ(options.pace.value_or(0), has_own_speed ? 0 : displayed_speed(seen.state.speed, seen.state.units));
}

void expect_same_view(const Seen& seen, const Options& options) {
  UiState ui;
  set_view(options.view, ui);
  EXPECT_EQ(ui.view.image, seen.ui.view.image);
  EXPECT_EQ(ui.view.fixed_range, seen.ui.view.fixed_range);
  EXPECT_EQ(ui.view.boxes, seen.ui.view.boxes);
  EXPECT_EQ(ui.view.tree.show, seen.ui.view.tree.show);
  EXPECT_EQ(ui.view.tree.first_level, seen.ui.view.tree.first_level);
  EXPECT_EQ(ui.view.tree.last_level, seen.ui.view.tree.last_level);
  EXPECT_EQ(ui.view.tree.limit, request::ShowTree().limit);
  EXPECT_EQ(ui.view.trails, seen.ui.view.trails);
  EXPECT_EQ(ui.view.guides, seen.ui.view.guides);
  EXPECT_EQ(ui.view.pause_at_highlight, seen.ui.view.pause_at_highlight);
  EXPECT_EQ(ui.view.follow, seen.ui.view.follow);
  EXPECT_EQ(options.view.theme, seen.ui.view.theme);
  render::Camera camera;
  fit(view_of(seen.state), camera);
  if (options.camera) camera.set_pose(*options.camera);
  EXPECT_EQ(camera.pose(), seen.camera.pose());
}

/// Reads the scene string of `seen`, and compares all settings.
void expect_round_trip(const Seen& seen) {
  Options options;
  ASSERT_NO_THROW(read_scene_string(seen.text(), options)) << seen.text();
  EXPECT_EQ(scene_string(options), seen.text());
  expect_same_source(seen, options);
  expect_same_run(seen, options);
  expect_same_view(seen, options);
}

TEST(SceneString, OmitsDefaults) {
  EXPECT_EQ(seen_of(*find_scene("collision")).text(), "pericenter/1 scene=collision n=20000");
  Seen pair = seen_of(*find_scene("two-body"));
  pair.state.automatic_integrator = true;
  pair.ui.view.trails.show = true;  // as the scene has them
  EXPECT_EQ(pair.text(), "pericenter/1 scene=two-body");
}

TEST(SceneString, ReadsBackEverySettingOfEveryScene) {
  for (const SceneInfo& scene : scenes()) {
    std::vector<Change> changes = source_changes(scene);
    for (const auto& more : {run_changes(), view_changes()}) changes.insert(changes.end(), more.begin(), more.end());
    const Seen plain = seen_of(scene);
    expect_round_trip(plain);
    for (const Change& change : changes) {
      SCOPED_TRACE(std::string(scene.name) + ", " + change.what);
      Seen seen = seen_of(scene);
      change.make(seen);
      EXPECT_NE(seen.text(), plain.text());
      expect_round_trip(seen);
    }
  }
}

TEST(SceneString, ReadsBackEverySolverAndOption) {
  const Seen plain = seen_of(scenes().front());
  for (const Change& change : solver_changes()) {
    SCOPED_TRACE(change.what);
    Seen seen = seen_of(scenes().front());
    change.make(seen);
    EXPECT_NE(seen.text(), plain.text());
    expect_round_trip(seen);
  }
}

ReadOptions read_in_part() {
  return {.stated = {.units = units_from("length=kpc mass=1e10 Msun velocity=km/s"), .box = 12.5},
          .selection = {.every = 100, .types = types_from("gas,star"), .region = Region{{0.1, -2, 1e9}, 3}}};
}

TEST(SceneString, TellsHowAFileIsRead) {
  Seen seen = seen_of(scenes().front());
  seen.state.file = "/a.hdf5";
  seen.state.file_options = read_in_part();
  EXPECT_EQ(seen.text(),
            "pericenter/1 file=/a.hdf5 units=length%3Dkpc%20mass%3D1e10%20Msun%20velocity%3Dkm/s periodic=12.5 "
            "every=100 types=gas%2Cstar region=0.1%2C-2%2C1e+09%2C3");
  for (const bool playback : {false, true}) {
    if (playback) seen.state.playback = TimeRange{0, 1};
    SceneOptions options;
    read_scene_string(seen.text(), options);
    EXPECT_EQ(options.read.stated, seen.state.file_options.stated);
    EXPECT_EQ(options.read.selection, seen.state.file_options.selection);
    const auto source = std::get<request::LoadSource>(load_request(options)).source;
    EXPECT_EQ(source->options.stated, options.read.stated) << "when it is pasted";
    EXPECT_EQ(source->options.selection, options.read.selection);
    EXPECT_TRUE(is_loaded(options, seen.state));
    options.read.selection.every = 99;
    EXPECT_FALSE(is_loaded(options, seen.state));
  }
}

TEST(SceneString, TestsCoverEveryRow) {
  std::set<std::string> keys;
  Seen file = seen_of(scenes().front());
  file.state.file = "a b";
  keys.merge(keys_of(file.text()));
  file.state.playback = TimeRange{0, 1};
  file.state.file_options = read_in_part();
  keys.merge(keys_of(file.text()));
  const SceneInfo& encounter = *find_scene("collision");
  for (const auto& changes : {source_changes(encounter), run_changes(), view_changes(), solver_changes()})
    for (const Change& change : changes) {
      Seen seen = seen_of(encounter);
      change.make(seen);
      keys.merge(keys_of(seen.text()));
    }
  std::set<std::string> rows;
  for (const SettingRow& row : settings_table()) rows.insert(row.key);
  for (const std::string& row : rows) EXPECT_TRUE(keys.contains(row)) << row;
}

// Breaks the build if a struct gets a new field: add a row to app/settings/settings_table.cpp and a Change above, or
// state here why it needs none.
TEST(SceneString, HasARowForEveryField) {
  [[maybe_unused]] const auto& [bodies, seed, dimension, softening, encounter, procedural, progress] =
      SceneRequest();  // the last two are not settings
  [[maybe_unused]] const auto& [orbit, first, second, speed, mass_ratio] = Encounter();
  [[maybe_unused]] const auto& [pericenter, eccentricity, separation] = EncounterOrbit();
  [[maybe_unused]] const auto& [inclination, argument] = DiscOrientation();
  [[maybe_unused]] const auto& [dt, theta, accuracy, softening_now, gravity, adaptive_steps] =
      Params();  // gravity is 1 in every scene
  // Not in scene strings: backend, threads, device, GPUs.
  [[maybe_unused]] const auto& [solver, backend, precision, dimension_too, multipole, integrator, threads, simd, device,
                                gpus, switches] = Config();
  // The background follows the theme, `by_mass` the scene.
  [[maybe_unused]] const auto& [color, map, galaxies, low, high, style, halo, automatic, exposure, size, by_mass, bloom,
                                depth_cue, dust, sky, tone, background] = render::ImageSettings();
  // `show` follows the tree, `flat` the dimension, `revealed` the descent.
  [[maybe_unused]] const auto& [show, opacity, fill, flat, revealed] = render::BoxSettings();
  [[maybe_unused]] const auto& [show_trails, length, trail_opacity, trail_bodies] = render::TrailSettings();
  [[maybe_unused]] const auto& [show_tree, first_level, last_level, limit] =
      request::ShowTree();  // limit: depends on the machine
  [[maybe_unused]] const auto& [grid, axes, scale_bar, legend, labels, velocities] = Guides();
  [[maybe_unused]] const auto& [what, galaxy, body] = Follow();
  [[maybe_unused]] const auto& [target, yaw, pitch, distance] = render::CameraPose();
  [[maybe_unused]] const auto& [image, field, fixed_range, boxes, tree, trails, guides, theme, pause, follow, drift] =
      ViewSettings();
}

TEST(SceneString, NamesFilesOfTheHomeFolderWithoutTheUser) {
  ::setenv("HOME", "/home/Zoë/", 1);
  Seen seen = seen_of(scenes().front());
  for (const auto& [file, text] : std::map<std::string, std::string>{{"/home/Zoë/a b.hdf5", "~/a%20b.hdf5"},
                                                                     {"/home/Zoë2/a.hdf5", "/home/Zo%C3%AB2/a.hdf5"},
                                                                     {"a.hdf5", "a.hdf5"}}) {
    seen.state.file = file;
    EXPECT_EQ(seen.text(), "pericenter/1 file=" + text);
    Options options;
    read_scene_string(seen.text(), options);
    EXPECT_TRUE(std::filesystem::path(options.load).lexically_normal() == file) << options.load;
  }
  seen.state.file = "~/a.hdf5";
  EXPECT_EQ(seen.text(), "pericenter/1 file=./~/a.hdf5") << "a folder with this name";
}

TEST(SceneString, EncodesFileNames) {
  Seen seen = seen_of(scenes().front());
  seen.state.file = "/data/Zoë's data/snap_01%.hdf5";
  EXPECT_EQ(seen.text(), "pericenter/1 file=/data/Zo%C3%AB%27s%20data/snap_01%25.hdf5");
  Options options;
  read_scene_string(seen.text(), options);
  EXPECT_EQ(options.load, seen.state.file);
  EXPECT_EQ(options.play, "");
  seen.state.playback = TimeRange{0, 1};
  Options played;
  read_scene_string(seen.text(), played);
  EXPECT_EQ(played.play, seen.state.file);
  EXPECT_EQ(played.load, "");
}

TEST(SceneString, IgnoresOrderSpacesAndQuotationMarks) {
  Options options;
  read_scene_string(
      "\r\n > > pericenter/1 \tdt=0.5\n>> theta=0.25  seed=3\n\n> n=500 pericenter=3\r\n> scene=collision\n", options);
  EXPECT_EQ(scene_string(options), "pericenter/1 scene=collision n=500 seed=3 pericenter=3 theta=0.25 dt=0.5");
}

TEST(SceneString, ColorsAreThoseOfTheSceneUnlessNamed) {
  Options options;
  read_scene_string("pericenter/1 scene=minor-merger n=500", options);
  EXPECT_EQ(options.view.image.color, render::ColorMode::origin);
  EXPECT_EQ(scene_string(options), "pericenter/1 scene=minor-merger n=500");
  options.view.image.color = render::ColorMode::stars;
  const std::string words = scene_string(options);
  EXPECT_EQ(words, "pericenter/1 scene=minor-merger n=500 color-by=stars");
  Options again;
  read_scene_string(words, again);
  EXPECT_EQ(again.view.image.color, render::ColorMode::stars);
}

TEST(SceneString, TrailsAreThoseOfTheSceneUnlessNamed) {
  Options options;
  read_scene_string("pericenter/1 scene=figure-eight", options);
  EXPECT_TRUE(options.view.trails.show);
  EXPECT_EQ(scene_string(options), "pericenter/1 scene=figure-eight");
  options.view.trails.show = false;
  const std::string words = scene_string(options);
  EXPECT_EQ(words, "pericenter/1 scene=figure-eight trails=off");
  Options again;
  read_scene_string(words, again);
  EXPECT_FALSE(again.view.trails.show);
}

TEST(SceneString, OldKeysAreStillRead) {
  Options options;
  read_scene_string("pericenter/1 scene=galaxy glow=0.25", options);
  EXPECT_EQ(options.view.image.bloom, 0.25f);
  EXPECT_EQ(scene_string(options), "pericenter/1 scene=galaxy bloom=0.25");
}

struct Wrong {
  const char* text;
  std::vector<std::string> words;
};

TEST(SceneString, ReportsErrorsAndChangesNothing) {
  const std::vector<Wrong> wrong = {
      {"", {"not a scene string", "pericenter/1 scene="}},
      {"Dear colleague, pericenter/1 n=5", {"not a scene string"}},
      {"pericenter/2 n=5", {"version 2", "version 1", "newer"}},
      {"pericenter/1n=5", {"pericenter/1 and a space"}},
      {"pericenter/1 thta=1", {"version 1", "no thta=", "did you mean theta?"}},
      {"pericenter/1 warp-drive=1", {"no warp-drive=", "newer version"}},
      {"pericenter/1 theta", {"'theta'", "KEY=VALUE"}},
      {"pericenter/1 =1", {"'=1'", "KEY=VALUE"}},
      {"pericenter/1 theta=1 theta=1", {"two values of theta="}},
      {"pericenter/1 theta=wide", {"theta must be a number", "'wide'"}},
      {"pericenter/1 theta=", {"theta", "empty"}},
      {"pericenter/1 theta=3", {"theta is 3", "between 0"}},
      {"pericenter/1 theta=nan", {"theta is nan"}},
      {"pericenter/1 dt=inf", {"dt is inf", "finite"}},
      {"pericenter/1 softening=-1", {"softening is -1"}},
      {"pericenter/1 scene=colision", {"scene has no 'colision'; did you mean collision? It must be"}},
      {"pericenter/1 n=0", {"n must be", "'0'", "at least 1"}},
      {"pericenter/1 seed=-1", {"seed must be", "'-1'"}},
      {"pericenter/1 solver=direct walk=skip", {"'direct' has no option 'walk'"}},
      {"pericenter/1 solver=octree parallel=std", {"'octree' has no option 'parallel'", "direct-pairs"}},
      {"pericenter/1 walk=sideways", {"walk must be", "'sideways'", "group, warp"}},
      {"pericenter/1 scene=galaxy pericenter=3", {"pericenter", "galaxy", "remove it"}},
      {"pericenter/1 pericenter=-1", {"pericenter is -1"}},
      {"pericenter/1 eccentricity=0.2 separation=90", {"never reaches this separation"}},
      {"pericenter/1 eccentricity=nan", {"eccentricity is nan"}},
      {"pericenter/1 color-by=colour", {"color-by must be", "force-error"}},
      {"pericenter/1 color-range=2,1", {"color-range is 2,1", "larger"}},
      {"pericenter/1 color-range=2", {"color-range must be two numbers"}},
      {"pericenter/1 color-range=2,inf", {"color-range is inf"}},
      {"pericenter/1 exposure=1e9", {"exposure is 1e9", "-6 and 6"}},
      {"pericenter/1 bloom=1e-99999", {"bloom is 1e-99999"}},
      {"pericenter/1 glow=1e-99999", {"bloom is 1e-99999"}},
      {"pericenter/1 glow=0.5 bloom=0.5", {"two values of bloom="}},
      {"pericenter/1 halo=yes", {"halo must be off or on"}},
      {"pericenter/1 camera=1,2,3", {"camera must be six numbers"}},
      {"pericenter/1 camera=1,2,3,4,2,6", {"camera is 2", "between -1.57"}},
      {"pericenter/1 camera=1,2,3,4,1,0", {"camera is 0"}},
      {"pericenter/1 tree-levels=1", {"tree-levels must be the first and the last"}},
      {"pericenter/1 tree-levels=1,65", {"tree-levels must be", "from 0 to 64", "'65'"}},
      {"pericenter/1 follow=galaxy", {"follow must be", "galaxy,NUMBER"}},
      {"pericenter/1 follow=galaxy,16", {"follow must be", "from 0 to 15", "'16'"}},
      {"pericenter/1 follow=me", {"follow must be", "'me'"}},
      {"pericenter/1 file=a%2", {"file", "two hexadecimal digits"}},
      {"pericenter/1 file=a%00b", {"file", "two hexadecimal digits"}},
      {"pericenter/1 file=", {"file", "empty"}},
      {"pericenter/1 file=a region=1,2,3", {"region", "four numbers"}},
      {"pericenter/1 file=a every=0", {"every", "1"}},
      {"pericenter/1 file=a n=5", {"n= creates bodies", "remove one"}},
      {"pericenter/1 file=a scene=galaxy", {"scene= creates bodies"}},
      {"pericenter/1 theta=0.5\x01", {"invalid character", "'theta=0.5'"}},
      {"pericenter/1 th\xC3\xABta=0.5", {"invalid character", "'th'"}},
  };
  for (const Wrong& row : wrong) {
    Options options;
    options.seed = 42;
    try {
      read_scene_string(row.text, options);
      ADD_FAILURE() << "was accepted: " << row.text;
    } catch (const CommandLineError& error) {
      for (const std::string& word : row.words)
        EXPECT_THAT(std::string(error.what()), testing::HasSubstr(word)) << word << " is not in: " << error.what();
    }
    EXPECT_EQ(scene_string(options), "pericenter/1 scene=collision seed=42");
  }
}

/// The text is read, or rejected with a printable sentence.
void expect_read_or_rejected(const std::string& text) {
  Options options;
  try {
    read_scene_string(text, options);
    Options again;
    read_scene_string(scene_string(options), again);
    EXPECT_EQ(scene_string(again), scene_string(options)) << text;
  } catch (const CommandLineError& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.ends_with('.') || what.ends_with('?') || what.find("as in: ") != what.npos) << what;
    EXPECT_LT(what.size(), 1000u) << what;
    EXPECT_TRUE(std::ranges::all_of(what, [](char c) { return c >= ' ' && c <= '~'; })) << what;
  }
}

TEST(SceneString, MutatedTextIsReadOrRejectedWithAnError) {
  Seen seen = seen_of(scenes().front());
  for (const Change& change : view_changes()) change.make(seen);
  const std::vector<std::string> seeds = {seen.text(), seen_of(scenes().front()).text(),
                                          "pericenter/1 file=/a%20b theta=0.5 follow=body,3",
                                          "pericenter/1 solver=tree-sorted walk=skip pericenter=3 eccentricity=1.5"};
  constexpr std::string_view kLetters = "=,.%-+eE0123456789aniftx/ \n\t>\x80\xff\x01\x7f~_";
  std::mt19937 random(12345);  // the same on every system
  const auto below = [&](std::size_t end) { return random() % end; };
  for (int round = 0; round < 10'000; ++round) {
    std::string text = seeds[below(seeds.size())];
    for (std::size_t k = below(4) + 1; k > 0; --k) {
      const std::size_t at = below(text.size() + 1), length = std::min(below(12), text.size() - at);
      switch (below(4)) {
        case 0:
          text.insert(at, 1, kLetters[below(kLetters.size())]);
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(below(text.size() + 1), text.substr(at, length));
          break;
        default:
          if (at < text.size()) text[at] = kLetters[below(kLetters.size())];
      }
    }
    expect_read_or_rejected(text);
  }
}

TEST(SceneString, LongTextIsReadOrRejectedWithAnError) {
  std::string many = "pericenter/1";
  for (int k = 0; many.size() < 60'000; ++k) many += " k" + std::to_string(k) + "=1";
  const std::string long_word(60'000, 'a');
  for (const std::string& text :
       {many, "pericenter/1 " + long_word, "pericenter/1 " + long_word + "=1", "pericenter/1 theta=" + long_word,
        "pericenter/1 file=" + long_word, "pericenter/" + long_word, std::string(70'000, ' ')})
    expect_read_or_rejected(text);
}

TEST(ScenePaste, KeepsBackendAndThreads) {
  SessionState now;
  now.config.threads = 3;
  const SceneOptions pasted =
      pasted_scene("pericenter/1 scene=plummer solver=tree-sorted walk=skip", {now, 777, "none"});
  EXPECT_EQ(pasted.config.threads, 3);
  EXPECT_EQ(pasted.config.backend, Backend::cpu);
  EXPECT_EQ(pasted.bodies, 777u);
  EXPECT_EQ(pasted.config.solver_options[SolverOption::walk], static_cast<int>(Walk::skip));
}

TEST(ScenePaste, ResetsOptionsThatOnlyCudaHas) {
  const SessionState now;
  int tried = 0;
  for (const SolverInfo& solver : solvers())
    for (const SupportedOption& row : solver.options) {
      if (!solver.cpu || row.cpu.allowed != 0 || row.cuda.allowed == 0) continue;
      Options options;
      options.config.solver = solver.name;
      options.config.solver_options.set(row.which, row.cuda.default_value);
      const SceneOptions pasted = pasted_scene(scene_string(options), {now, 777, "no CUDA here"});
      EXPECT_EQ(pasted.config.solver_options[row.which], SolverOptions::kDefault);
      const std::string words = scene_string(options);
      const std::array line = {"pericenter", "--headless", "--backend", "cpu", "--scene-string", words.c_str()};
      const CommandLine read = parse_command_line(static_cast<int>(line.size()), line.data());
      EXPECT_EQ(read.options.config.solver_options[row.which], SolverOptions::kDefault);
      ++tried;
    }
  EXPECT_GT(tried, 0);
}

TEST(ScenePaste, ChoosesTheIntegratorUnlessItIsNamed) {
  for (const bool named : {false, true}) {
    SimulationThread simulation;
    const std::string text = "pericenter/1 scene=figure-eight";
    const SceneOptions pasted = pasted_scene(named ? text + " integrator=leapfrog" : text, {SessionState(), 1, ""});
    simulation.request(load_request(pasted));
    test::eventually([&] { return simulation.state().scene == "figure-eight"; });
    const SessionState state = simulation.state();
    EXPECT_EQ(state.config.integrator, named ? Integrator::leapfrog : Integrator::gauss_radau);
    EXPECT_EQ(state.automatic_integrator, !named);
  }
}

// Few bodies have left CUDA for the integrator; options of the command line must not return them.
TEST(SceneOptions, KeepAnIntegratorOnItsBackend) {
  SceneOptions options;
  options.config.backend = Backend::cuda;
  for (const char* text : {"", "pericenter/1 scene=two-body"}) {
    options.scene_string = text;
    const Config config = config_with_options({.integrator = Integrator::gauss_radau}, options);
    EXPECT_EQ(config.backend, Backend::cpu) << text;
    EXPECT_EQ(config.integrator, Integrator::gauss_radau) << text;
    EXPECT_EQ(config_with_options({}, options).backend, Backend::cuda) << text;
  }
}

TEST(SceneString, NamesAnIntegratorThatWasChosenForFewBodies) {
  const auto text = [](const char* scene, bool automatic) {
    Seen seen = seen_of(*find_scene(scene));
    seen.state.automatic_integrator = automatic;
    return seen.text();
  };
  EXPECT_THAT(text("figure-eight", false), testing::HasSubstr(" integrator=leapfrog"));
  EXPECT_THAT(text("figure-eight", true), testing::Not(testing::HasSubstr("integrator")));
  EXPECT_THAT(text("plummer", false), testing::Not(testing::HasSubstr("integrator"))) << "no other is chosen for it";
}

TEST(ScenePaste, RejectsWhatThisMachineDoesNotSupport) {
  const SessionState now;
  const PasteTarget here{now, 1000, "no CUDA here"};
  EXPECT_THROW(pasted_scene("pericenter/1 n=2000000000", here), CommandLineError);
  EXPECT_THROW(pasted_scene("pericenter/1 scene=two-body n=5", here), CommandLineError);
  for (const SolverInfo& solver : solvers()) {
    const std::string text = "pericenter/1 solver=" + std::string(solver.name);
    if (solver.cpu)
      EXPECT_NO_THROW(pasted_scene(text, here));
    else
      EXPECT_THROW(pasted_scene(text, here), CommandLineError);
  }
}

TEST(ScenePaste, LoadsTheSceneWithItsSolver) {
  SimulationThread simulation;
  simulation.request(request::LoadScene{"plummer", {.bodies = 50}});
  const SceneOptions pasted =
      pasted_scene("pericenter/1 scene=uniform n=60 seed=9 solver=direct dimension=2", {SessionState(), 1, ""});
  simulation.request(load_request(pasted));
  SessionState state;  // the second request may cancel the first scene
  test::eventually([&] {
    state = simulation.state();
    return state.scene == "uniform" || state.message_is_error;
  });
  EXPECT_EQ(state.message, "");
  EXPECT_TRUE(is_loaded(pasted, state));
  EXPECT_EQ(state.config.solver, "direct");
  EXPECT_EQ(state.config.dimension, 2);
  EXPECT_EQ(state.scene_request.dimension, 2);
  EXPECT_FALSE(is_loaded(pasted_scene("pericenter/1 scene=uniform n=60", {state, 1, ""}), state)) << "different seed";
}

TEST(SceneStringOption, RendersTheSameImageAsOptions) {
  const test::TemporaryFolder folder;
  const auto run = [&](std::vector<std::string> arguments, const std::string& picture) {
    arguments.insert(arguments.end(),
                     {"--headless", "--backend", "cpu", "--no-progress", "--size", "160x90", "--screenshot", picture});
    const test::Outcome outcome = test::run_program({arguments, folder.path()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return test::text_of(folder / picture);
  };
  const std::string long_way =
      run({"--scene", "galaxy", "-n",          "600", "--seed", "5", "--solver",   "tree-sorted", "--walk",  "skip",
           "--theta", "0.4",    "--softening", "0.2", "-s",     "3", "--color-by", "density",     "--theme", "light"},
          "long.png");
  const std::string words =
      "pericenter/1 scene=galaxy n=600 seed=5 solver=tree-sorted walk=skip theta=0.4 softening=0.2 color-by=density "
      "theme=light steps=3";
  ASSERT_FALSE(long_way.empty());
  EXPECT_TRUE(run({"--scene-string", words}, "short.png") == long_way);
  EXPECT_TRUE(run({"--theta", "0.4", "--solver", "tree-sorted", "--scene-string",
                   "pericenter/1 scene=galaxy n=600 seed=5 solver=hilbert-bvh theta=1 softening=0.2 color-by=density "
                   "theme=light steps=3",
                   "--walk", "skip"},
                  "won.png") == long_way)
      << "other options override the scene string";
  EXPECT_FALSE(run({"--scene-string", words + " camera=0,0,0,0,1,9"}, "moved.png") == long_way);
  EXPECT_FALSE(run({"--scene-string", words + " tree=on"}, "tree.png") == long_way);
}

}  // namespace
}  // namespace pericenter::app
