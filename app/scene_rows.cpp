#include "app/scene_rows.h"

#include <charconv>
#include <glm/gtc/constants.hpp>
#include <utility>

#include "app/command_line.h"
#include "app/format.h"
#include "app/names.h"
#include "app/option_rows.h"
#include "app/scene_row_kinds.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::string_view, 2> kDimensions = {"2", "3"};
constexpr float kFarthest = 1e12f;  // what is farther away has no squared distance in floats

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

SceneRow switch_row(Switch which) {
  const SwitchInfo& info = switch_info(which);
  return {
      std::string(info.name),
      [which, &info](const Options& now, const Options&) {
        const int choice = now.config.switches[which];
        return choice == Switches::kStandard ? std::string()
                                             : std::string(info.choices[static_cast<std::size_t>(choice)].name);
      },
      [which](const Argument& a, Options& options) { options.config.switches.set(which, switch_choice(which, a)); }};
}

// Rows of their own.

/// A path in letters that no mail and no shell changes: the others as %XX (RFC 3986, section 2.1).
std::string encoded(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF", kPlain = "/._-~+:@";
  std::string text;
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= 'a' && letter <= 'z') || kPlain.find(letter) != kPlain.npos;
    if (plain)
      text += letter;
    else
      text.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
  }
  return text;
}

std::string decoded(const Argument& argument) {
  const std::string& text = argument.text;
  std::string path;
  for (std::size_t k = 0; k < text.size(); ++k) {
    unsigned byte = static_cast<unsigned char>(text[k]);
    if (text[k] == '%') {
      const std::string digits = text.substr(k + 1, 2);
      const char* last = digits.data() + digits.size();
      const bool hexadecimal = std::from_chars(digits.data(), last, byte, 16).ptr == last;
      if (digits.size() != 2 || !hexadecimal || byte == 0) {
        throw CommandLineError(argument.option +
                               " has a % that two hexadecimal digits must follow, as in %20 for a "
                               "blank.");
      }
      k += 2;
    }
    path += static_cast<char>(byte);
  }
  if (path.empty()) throw CommandLineError(argument.option + " takes the path of a file, not an empty text.");
  return path;
}

SceneRow file_row() {
  return {"file", [](const Options& now, const Options&) { return encoded(now.load); },
          [](const Argument& a, Options& options) { options.load = decoded(a); }};
}

SceneRow series_row() {
  return {"series", [](const Options& now, const Options&) { return encoded(now.play); },
          [](const Argument& a, Options& options) { options.play = decoded(a); }};
}

SceneRow scene_row() {
  return {"scene", [](const Options& now, const Options&) { return now.reads_a_file() ? std::string() : now.scene; },
          [](const Argument& a, Options& options) {
            const auto names = names_of(scenes());
            options.scene = names[one_of(a, names)];
          },
          true};
}

SceneRow bodies_row() {
  return {"n",
          [](const Options& now, const Options&) { return now.bodies ? std::to_string(*now.bodies) : std::string(); },
          [](const Argument& a, Options& options) {
            options.bodies = whole_number(a, "a number of bodies", 1, UINT64_MAX);
          },
          true};
}

SceneRow seed_row() {
  SceneRow row = whole_row(
      "seed", [](auto& o) -> auto& { return o.seed; }, 0, UINT64_MAX);
  row.of_recipe = true;
  return row;
}

SceneRow dimension_row() {
  return {"dimension",
          [](const Options& now, const Options& by_itself) {
            const int dimension = now.config.dimension;
            return dimension == by_itself.config.dimension ? std::string() : std::to_string(dimension);
          },
          [](const Argument& a, Options& options) {
            options.config.dimension = static_cast<int>(2 + one_of(a, kDimensions));
          }};
}

SceneRow solver_row() {
  return {"solver",
          [](const Options& now, const Options& by_itself) {
            return now.config.solver == by_itself.config.solver ? std::string() : now.config.solver;
          },
          [](const Argument& a, Options& options) {
            const auto names = names_of(solvers());
            options.config.solver = names[one_of(a, names)];
          }};
}

SceneRow theme_row() {
  return {"theme",
          [](const Options& now, const Options&) {
            return now.theme == Theme::light ? name_of(Theme::light, kThemeNames) : std::string();
          },
          [](const Argument& a, Options& options) { options.theme = static_cast<Theme>(one_of(a, kThemeNames)); }};
}

/// Which levels of the tree are drawn.
SceneRow levels_row() {
  return {"tree-levels",
          [](const Options& now, const Options& by_itself) {
            const request::ShowTree &tree = now.look.tree, &all = by_itself.look.tree;
            const bool same = tree.first_level == all.first_level && tree.last_level == all.last_level;
            return same ? std::string() : std::to_string(tree.first_level) + "," + std::to_string(tree.last_level);
          },
          [](const Argument& a, Options& options) {
            const std::vector<Argument> items = list_items(a);
            if (items.size() != 2) throw CommandLineError(a.option + " takes the first and the last level, as in 2,9.");
            options.look.tree.first_level = static_cast<int>(whole_number(items[0], "a level", 0, 64));
            options.look.tree.last_level = static_cast<int>(whole_number(items[1], "a level", 0, 64));
          }};
}

/// The ends of the colour map, where they are kept.
SceneRow range_row() {
  return {"color-range",
          [](const Options& now, const Options&) {
            const Look& look = now.look;
            return look.fixed_range ? exact(look.picture.low) + "," + exact(look.picture.high) : std::string();
          },
          [](const Argument& a, Options& options) {
            constexpr Bounds kAny = {-kFarthest, kFarthest};
            const std::vector<Argument> items = list_items(a);
            if (items.size() != 2) throw CommandLineError(a.option + " takes two numbers, as in -1.5,2.");
            const auto low = real_in<float>(items[0], kAny), high = real_in<float>(items[1], kAny);
            if (!(low < high)) throw CommandLineError(a.option + " is " + a.text + "; the second number must be more.");
            options.look.picture.low = low;
            options.look.picture.high = high;
            options.look.fixed_range = true;
          }};
}

SceneRow follow_row() {
  const auto text = [](const Options& now, const Options&) -> std::string {
    const Follow& follow = now.look.follow;
    switch (follow.what) {
      case Follow::What::center_of_mass:
        return "center-of-mass";
      case Follow::What::galaxy:
        return std::string("galaxy,").append(std::to_string(follow.galaxy));
      case Follow::What::body:
        return std::string("body,").append(std::to_string(follow.body));
      case Follow::What::nothing:
        break;
    }
    return {};
  };
  const auto read = [](const Argument& a, Options& options) {
    constexpr std::array<std::string_view, 3> kNames = {"center-of-mass", "galaxy", "body"};
    const std::vector<Argument> items = list_items(a);
    Follow follow;
    follow.what = static_cast<Follow::What>(1 + one_of(items[0], kNames));
    if (items.size() != (follow.what == Follow::What::center_of_mass ? 1 : 2))
      throw CommandLineError(a.option + " takes center-of-mass, galaxy,NUMBER or body,NUMBER, not '" + a.text + "'.");
    if (follow.what == Follow::What::galaxy)
      follow.galaxy = static_cast<int>(whole_number(items[1], "a galaxy", 0, (1u << kTagGalaxyBits) - 1));
    if (follow.what == Follow::What::body)
      follow.body = static_cast<std::uint32_t>(whole_number(items[1], "a body", 0, UINT32_MAX));
    options.look.follow = follow;
  };
  return {"follow", text, read};
}

/// As in a file of cameras: target, yaw and pitch in radians, distance.
SceneRow camera_row() {
  const auto text = [](const Options& now, const Options&) {
    std::string numbers;
    if (!now.look.camera) return numbers;
    const auto& [target, yaw, pitch, distance] = *now.look.camera;
    for (const float number : {target.x, target.y, target.z, yaw, pitch, distance})
      numbers.append(exact(number)).append(",");
    numbers.pop_back();
    return numbers;
  };
  const auto read = [](const Argument& a, Options& options) {
    constexpr Bounds kPlace = {-kFarthest, kFarthest}, kYaw = {-100, 100},
                     kPitch = {-glm::half_pi<float>(), glm::half_pi<float>()}, kDistance = {1e-12, kFarthest};
    const std::vector<Argument> items = list_items(a);
    if (items.size() != 6) throw CommandLineError(a.option + " takes six numbers: x,y,z,yaw,pitch,distance.");
    const auto number = [&](std::size_t k, const Bounds& bounds) { return real_in<float>(items[k], bounds); };
    options.look.camera = render::CameraPose{.target = {number(0, kPlace), number(1, kPlace), number(2, kPlace)},
                                             .yaw = number(3, kYaw),
                                             .pitch = number(4, kPitch),
                                             .distance = number(5, kDistance)};
  };
  return {"camera", text, read};
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
  for (std::size_t k = 0; k < kSwitchCount; ++k) rows.push_back(switch_row(static_cast<Switch>(k)));
  rows.push_back(choice_row(
      "precision", [](auto& o) -> auto& { return o.config.precision; }, kPrecisionNames));
  rows.push_back(choice_row(
      "multipole", [](auto& o) -> auto& { return o.config.multipole; }, kMultipoleNames));
  rows.push_back(choice_row(
      "simd", [](auto& o) -> auto& { return o.config.simd; }, kSimdNames));
  rows.push_back(own_row(
      "theta", [](auto& o) -> auto& { return o.theta; }));
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
      "pause-at-highlight", [](auto& o) -> auto& { return o.look.pause_at_highlight; }));
}

void add_light(std::vector<SceneRow>& rows) {
  rows.push_back(choice_row(
      "color-by", [](auto& o) -> auto& { return o.look.picture.color; }, names_of(kColorNames)));
  rows.push_back(choice_row(
      "color-map", [](auto& o) -> auto& { return o.look.picture.map; }, names_of(kMapNames)));
  rows.push_back(range_row());
  rows.push_back(flag_row(
      "halo", [](auto& o) -> auto& { return o.look.picture.show_halo; }));
  rows.push_back(theme_row());
  rows.push_back(real_row("exposure", [](auto& o) -> auto& { return o.look.picture.exposure; }, {-6, 6}));
  rows.push_back(flag_row(
      "auto-exposure", [](auto& o) -> auto& { return o.look.picture.auto_exposure; }));
  rows.push_back(choice_row(
      "tone", [](auto& o) -> auto& { return o.look.picture.tone; }, names_of(kToneNames)));
  rows.push_back(real_row("glow", [](auto& o) -> auto& { return o.look.picture.glow; }, {0, 1}));
  rows.push_back(choice_row(
      "stars", [](auto& o) -> auto& { return o.look.picture.style; }, names_of(kStyleNames)));
  rows.push_back(real_row("star-size", [](auto& o) -> auto& { return o.look.picture.star_size; }, {0.25, 4}));
}

void add_overlays(std::vector<SceneRow>& rows) {
  rows.push_back(flag_row(
      "trails", [](auto& o) -> auto& { return o.look.trails.show; }));
  rows.push_back(real_row("trail-length", [](auto& o) -> auto& { return o.look.trails.length; }, {0.01, 500}));
  rows.push_back(real_row("trail-opacity", [](auto& o) -> auto& { return o.look.trails.opacity; }, {0.02, 1}));
  rows.push_back(whole_row(
      "trail-bodies", [](auto& o) -> auto& { return o.look.trails.bodies; }, 10, 20'000));
  rows.push_back(flag_row(
      "tree", [](auto& o) -> auto& { return o.look.tree.show; }));
  rows.push_back(levels_row());
  rows.push_back(real_row("tree-opacity", [](auto& o) -> auto& { return o.look.boxes.opacity; }, {0, 1}));
  rows.push_back(real_row("tree-fill", [](auto& o) -> auto& { return o.look.boxes.fill; }, {0, 1}));
  rows.push_back(flag_row(
      "grid", [](auto& o) -> auto& { return o.look.guides.grid; }));
  rows.push_back(flag_row(
      "axes", [](auto& o) -> auto& { return o.look.guides.axes; }));
  rows.push_back(flag_row(
      "scale-bar", [](auto& o) -> auto& { return o.look.guides.scale_bar; }));
  rows.push_back(flag_row(
      "legend", [](auto& o) -> auto& { return o.look.guides.legend; }));
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
