#include "app/cli/settings_table.h"

#include <utility>

#include "app/base/enum_names.h"
#include "app/base/format.h"
#include "app/cli/command_line.h"
#include "app/cli/option_parser.h"
#include "app/cli/setting_kinds.h"
#include "app/cli/source_settings_rows.h"
#include "app/cli/view_settings_rows.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// Of a number of Encounter.
template <class At>
SceneRow encounter_row(std::string name, At at, Bounds bounds) {
  return {std::move(name),
          [at](const Options& now, const Options&) {
            const SceneInfo* scene = find_scene(now.scene);
            const bool said = now.encounter && scene && scene->encounter;
            return said && at(*now.encounter) != at(*scene->encounter) ? exact(at(*now.encounter)) : std::string();
          },
          [at, bounds](const Argument& a, Options& options) {
            const SceneInfo* scene = find_scene(options.scene);
            if (!scene || !scene->encounter) {
              throw CommandLineError(a.option + " is of an encounter, which scene " + options.scene +
                                     " is not; leave it out.");
            }
            if (!options.encounter) options.encounter = *scene->encounter;
            at(*options.encounter) = real_in<double>(a, bounds);
          },
          true};
}

SceneRow switch_row(SolverOption which) {
  const SolverOptionInfo& info = solver_option_info(which);
  return {std::string(info.name),
          [which, &info](const Options& now, const Options&) {
            const int choice = now.config.solver_options[which];
            return choice == SolverOptions::kDefault ? std::string()
                                                     : std::string(info.values[static_cast<std::size_t>(choice)].name);
          },
          [which](const Argument& a, Options& options) {
            options.config.solver_options.set(which, solver_option_value(which, a));
          }};
}

SceneRow solver_row() {
  return {"solver",
          [](const Options& now, const Options& defaults) {
            return now.config.solver == defaults.config.solver ? std::string() : now.config.solver;
          },
          [](const Argument& a, Options& options) {
            const auto names = names_of(solvers());
            options.config.solver = names[one_of(a, names)];
          }};
}

void add_recipe(std::vector<SceneRow>& rows) {
  constexpr Bounds kLength = {1e-6, 1e6};
  rows.push_back(file_row());
  rows.push_back(series_row());
  rows.push_back(scene_row());
  rows.push_back(bodies_row());
  rows.push_back(seed_row());
  rows.push_back(dimension_row());
  rows.push_back(encounter_row("pericenter", [](auto& e) -> auto& { return e.orbit.pericenter; }, {0, kLength.most}));
  rows.push_back(encounter_row("eccentricity", [](auto& e) -> auto& { return e.orbit.eccentricity; }, {0, 100}));
  rows.push_back(encounter_row(
      "separation", [](auto& e) -> auto& { return e.orbit.separation; }, kLength));
  rows.push_back(encounter_row("i1", [](auto& e) -> auto& { return e.first.inclination; }, {-360, 360}));
  rows.push_back(encounter_row("w1", [](auto& e) -> auto& { return e.first.pericenter_argument; }, {-360, 360}));
  rows.push_back(encounter_row("i2", [](auto& e) -> auto& { return e.second.inclination; }, {-360, 360}));
  rows.push_back(encounter_row("w2", [](auto& e) -> auto& { return e.second.pericenter_argument; }, {-360, 360}));
  rows.push_back(encounter_row("mass-ratio", [](auto& e) -> auto& { return e.mass_ratio; }, {1e-3, 1e3}));
  rows.push_back(encounter_row("speed", [](auto& e) -> auto& { return e.speed_factor; }, {0, 100}));
}

void add_run(std::vector<SceneRow>& rows) {
  rows.push_back(solver_row());
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) rows.push_back(switch_row(static_cast<SolverOption>(k)));
  rows.push_back(choice_row(
      "precision", [](auto& o) -> auto& { return o.config.precision; }, kPrecisionNames));
  rows.push_back(choice_row(
      "multipole", [](auto& o) -> auto& { return o.config.multipole; }, kMultipoleNames));
  rows.push_back(choice_row(
      "simd", [](auto& o) -> auto& { return o.config.simd; }, kSimdNames));
  rows.push_back(own_row(
      "theta", [](auto& o) -> auto& { return o.theta; }));
  rows.push_back(own_row(
      "accuracy", [](auto& o) -> auto& { return o.accuracy; }));
  rows.push_back(own_row(
      "softening", [](auto& o) -> auto& { return o.softening; }));
  rows.push_back(own_row(
      "softening-now", [](auto& o) -> auto& { return o.softening_now; }));
  rows.push_back(own_row(
      "dt", [](auto& o) -> auto& { return o.dt; }));
  rows.push_back(whole_row(
      "steps-per-frame", [](auto& o) -> auto& { return o.steps_per_frame; }, 1, 1000));
  rows.push_back(whole_row(
      "steps", [](auto& o) -> auto& { return o.steps; }, 0, UINT64_MAX));
  rows.push_back(flag_row(
      "pause-at-highlight", [](auto& o) -> auto& { return o.view.pause_at_highlight; }));
}

void add_light(std::vector<SceneRow>& rows) {
  rows.push_back(choice_row(
      "color-by", [](auto& o) -> auto& { return o.view.image.color; }, names_of(kColorNames)));
  rows.push_back(choice_row(
      "color-map", [](auto& o) -> auto& { return o.view.image.map; }, names_of(kMapNames)));
  rows.push_back(range_row());
  rows.push_back(flag_row(
      "halo", [](auto& o) -> auto& { return o.view.image.show_halo; }));
  rows.push_back(theme_row());
  rows.push_back(real_row("exposure", [](auto& o) -> auto& { return o.view.image.exposure; }, {-6, 6}));
  rows.push_back(flag_row(
      "auto-exposure", [](auto& o) -> auto& { return o.view.image.auto_exposure; }));
  rows.push_back(choice_row(
      "tone", [](auto& o) -> auto& { return o.view.image.tone; }, names_of(kToneNames)));
  rows.push_back(real_row("glow", [](auto& o) -> auto& { return o.view.image.bloom; }, {0, 1}));
  rows.push_back(choice_row(
      "stars", [](auto& o) -> auto& { return o.view.image.style; }, names_of(kStyleNames)));
  rows.push_back(real_row("star-size", [](auto& o) -> auto& { return o.view.image.star_size; }, {0.25, 4}));
}

void add_overlays(std::vector<SceneRow>& rows) {
  rows.push_back(flag_row(
      "trails", [](auto& o) -> auto& { return o.view.trails.show; }));
  rows.push_back(real_row("trail-length", [](auto& o) -> auto& { return o.view.trails.length; }, {0.01, 500}));
  rows.push_back(real_row("trail-opacity", [](auto& o) -> auto& { return o.view.trails.opacity; }, {0.02, 1}));
  rows.push_back(whole_row(
      "trail-bodies", [](auto& o) -> auto& { return o.view.trails.bodies; }, 10, 20'000));
  rows.push_back(flag_row(
      "tree", [](auto& o) -> auto& { return o.view.tree.show; }));
  rows.push_back(levels_row());
  rows.push_back(real_row("tree-opacity", [](auto& o) -> auto& { return o.view.boxes.opacity; }, {0, 1}));
  rows.push_back(real_row("tree-fill", [](auto& o) -> auto& { return o.view.boxes.fill; }, {0, 1}));
  rows.push_back(flag_row(
      "grid", [](auto& o) -> auto& { return o.view.guides.grid; }));
  rows.push_back(flag_row(
      "axes", [](auto& o) -> auto& { return o.view.guides.axes; }));
  rows.push_back(flag_row(
      "scale-bar", [](auto& o) -> auto& { return o.view.guides.scale_bar; }));
  rows.push_back(flag_row(
      "legend", [](auto& o) -> auto& { return o.view.guides.legend; }));
  rows.push_back(follow_row());
  rows.push_back(camera_row());
}

}  // namespace

std::vector<SceneRow> scene_rows() {
  std::vector<SceneRow> rows;
  add_recipe(rows);
  add_run(rows);
  add_light(rows);
  add_overlays(rows);
  return rows;
}

}  // namespace pericenter::app
