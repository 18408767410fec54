#include "app/view/view_settings.h"

#include "render/sky.h"
#include "render/smoothing_pass.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

render::ColorMode best_color(std::string_view scene) {
  const SceneInfo* const info = find_scene(scene);
  return info && info->by_origin ? render::ColorMode::origin : render::ColorMode::stars;
}

bool has_trails(std::string_view scene) {
  const SceneInfo* const info = find_scene(scene);
  return info && info->trails;
}

}  // namespace

render::ColorMode color_of_scene(std::string_view scene, std::string_view before, render::ColorMode chosen) {
  return chosen == best_color(before) ? best_color(scene) : chosen;
}

bool trails_of_scene(std::string_view scene, std::string_view before, bool chosen) {
  return chosen == has_trails(before) ? has_trails(scene) : chosen;
}

float scene_age(double time, const Units& units) {
  const double gyr = time * units.time_myr / 1000;
  return gyr > 0 ? static_cast<float>(gyr) : 0;
}

render::Frame frame_of(const ViewSettings& view, const render::Stars& stars, const render::Camera& camera,
                       const SceneLook& look) {
  render::Frame frame{
      .stars = stars, .camera = camera, .settings = view.image, .boxes = view.boxes, .trails = view.trails};
  frame.settings.background = background_of(view.theme);
  frame.boxes.show = view.tree.show;
  frame.boxes.flat = look.flat;
  const bool are_many = stars.count >= render::kSamples;  // fewer are discs, like planets
  frame.settings.by_mass = look.masses && view.image.style == render::StarStyle::automatic;
  if (look.points && are_many && view.image.style == render::StarStyle::automatic) {
    constexpr float kFainter = 3, kFainterStars = 2, kLessBloom = 0.2f;  // stops, and share
    frame.settings.style = render::StarStyle::splat;
    frame.settings.exposure -= look.stars ? kFainterStars : kFainter;
    frame.settings.bloom *= kLessBloom;
  }
  return frame;
}

bool shows_sky(const ViewSettings& view, bool flat) {
  return render::shows_sky(frame_of(view, {}, {}, {.flat = flat}));
}

}  // namespace pericenter::app
