#include "app/cli/view_settings_rows.h"

#include <array>
#include <glm/gtc/constants.hpp>
#include <string_view>

#include "app/base/enum_names.h"
#include "app/base/format.h"
#include "app/cli/command_line.h"
#include "app/cli/setting_kinds.h"

namespace pericenter::app {
namespace {

constexpr float kFarthest = 1e12f;  // what is farther away has no squared distance in floats

}  // namespace

SceneRow theme_row() {
  return {"theme",
          [](const Options& now, const Options&) {
            return now.view.theme == Theme::light ? name_of(Theme::light, kThemeNames) : std::string();
          },
          [](const Argument& a, Options& options) { options.view.theme = static_cast<Theme>(one_of(a, kThemeNames)); }};
}

SceneRow levels_row() {
  return {"tree-levels",
          [](const Options& now, const Options& defaults) {
            const request::ShowTree &tree = now.view.tree, &all = defaults.view.tree;
            const bool same = tree.first_level == all.first_level && tree.last_level == all.last_level;
            return same ? std::string() : std::to_string(tree.first_level) + "," + std::to_string(tree.last_level);
          },
          [](const Argument& a, Options& options) {
            const std::vector<Argument> items = list_items(a);
            if (items.size() != 2) throw CommandLineError(a.option + " takes the first and the last level, as in 2,9.");
            options.view.tree.first_level = static_cast<int>(whole_number(items[0], "a level", 0, 64));
            options.view.tree.last_level = static_cast<int>(whole_number(items[1], "a level", 0, 64));
          }};
}

SceneRow range_row() {
  return {"color-range",
          [](const Options& now, const Options&) {
            const ViewSettings& look = now.view;
            return look.fixed_range ? exact(look.image.low) + "," + exact(look.image.high) : std::string();
          },
          [](const Argument& a, Options& options) {
            constexpr Bounds kAny = {-kFarthest, kFarthest};
            const std::vector<Argument> items = list_items(a);
            if (items.size() != 2) throw CommandLineError(a.option + " takes two numbers, as in -1.5,2.");
            const auto low = real_in<float>(items[0], kAny), high = real_in<float>(items[1], kAny);
            if (!(low < high)) throw CommandLineError(a.option + " is " + a.text + "; the second number must be more.");
            options.view.image.low = low;
            options.view.image.high = high;
            options.view.fixed_range = true;
          }};
}

SceneRow follow_row() {
  const auto text = [](const Options& now, const Options&) -> std::string {
    const Follow& follow = now.view.follow;
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
    options.view.follow = follow;
  };
  return {"follow", text, read};
}

SceneRow camera_row() {
  const auto text = [](const Options& now, const Options&) {
    std::string numbers;
    if (!now.camera) return numbers;
    const auto& [target, yaw, pitch, distance] = *now.camera;
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
    options.camera = render::CameraPose{.target = {number(0, kPlace), number(1, kPlace), number(2, kPlace)},
                                        .yaw = number(3, kYaw),
                                        .pitch = number(4, kPitch),
                                        .distance = number(5, kDistance)};
  };
  return {"camera", text, read};
}

}  // namespace pericenter::app
