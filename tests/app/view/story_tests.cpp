// That the camera of a new scene keeps what shines in the image, and shows it large: all scenes, from the start to
// twice the key moment, at their default speed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "app/view/camera_control.h"
#include "app/view/framing.h"
#include "sim/scenes/registry.h"
#include "sim/session/session.h"

namespace pericenter::app {
namespace {

constexpr float kWindowAspect = 16.0f / 9;
constexpr std::size_t kStoryBodies = 3000, kFewBodies = 64;
constexpr double kStorySpan = 50;
constexpr int kMoments = 10;  // the key moment is at 25 s
constexpr double kFrameTime = 1.0 / 8;
constexpr double kShare = 0.95;

/// Light of a body, roughly as `shaders/colors.glsl` draws it.
double light_of(std::uint32_t tag) {
  switch (component_of(tag)) {
    case Component::halo:
      return 0;
    case Component::disc:
      return is_young(tag) ? 1 : 0.5;
    default:
      return 1;
  }
}

/// A luminous body in an image; the edges are at 1.
struct SeenLight {
  glm::dvec2 at{0};
  double light = 0;
};

std::vector<SeenLight> seen_lights(const Bodies& bodies, const render::Camera& camera) {
  const glm::mat4 matrix = camera.projection(kWindowAspect) * camera.view();
  std::vector<SeenLight> result;
  for (const Body& body : bodies) {
    const glm::vec4 clip = matrix * glm::vec4(body.position[0], body.position[1], body.position[2], 1);
    constexpr double kOutside = 1e6;
    const bool before = clip.w > 0;
    const glm::dvec2 at(before ? clip.x / clip.w : kOutside, before ? clip.y / clip.w : kOutside);
    if (light_of(body.tag) > 0) result.push_back({at, light_of(body.tag)});
  }
  return result;
}

double light_of(const std::vector<SeenLight>& image, bool (*counts)(const SeenLight&)) {
  double sum = 0;
  for (const SeenLight& one : image) sum += counts(one) ? one.light : 0;
  return sum;
}

double inside(const std::vector<SeenLight>& image) {
  return light_of(image, [](const SeenLight& one) { return std::max(std::abs(one.at.x), std::abs(one.at.y)) < 1; }) /
         light_of(image, [](const SeenLight&) { return true; });
}

/// Mean and second moments of the light within an ellipse.
struct LightEllipse {
  glm::dvec2 middle{0};
  double xx = 1, xy = 0, yy = 1;

  double distance(const glm::dvec2& at) const {
    const glm::dvec2 d = at - middle;
    return (yy * d.x * d.x - 2 * xy * d.x * d.y + xx * d.y * d.y) / (xx * yy - xy * xy);
  }
};

LightEllipse ellipse_of(std::span<const SeenLight> part) {
  LightEllipse result;
  double sum = 0;
  for (const SeenLight& one : part) sum += one.light, result.middle += one.light * one.at;
  result.middle /= sum;
  result.xx = result.yy = 1e-12;
  for (const SeenLight& one : part) {
    const glm::dvec2 d = one.at - result.middle;
    result.xx += one.light / sum * d.x * d.x;
    result.xy += one.light / sum * d.x * d.y;
    result.yy += one.light / sum * d.y * d.y;
  }
  return result;
}

/// Height of the ellipse that holds 95 % of the light, in heights of the image. Its form is that of the light inside.
double height(std::vector<SeenLight> image) {
  const double all = light_of(image, [](const SeenLight&) { return true; });
  std::span<const SeenLight> part = image;
  double size = 0;
  for (int round = 0; round < 12; ++round) {
    const LightEllipse ellipse = ellipse_of(part);
    std::ranges::sort(image, {}, [&](const SeenLight& one) { return ellipse.distance(one.at); });
    double sum = 0;
    const auto last =
        std::ranges::find_if(image, [&](const SeenLight& one) { return (sum += one.light) >= kShare * all - 1e-9; });
    part = {image.begin(), last == image.end() ? last : last + 1};
    size = std::sqrt(ellipse.yy * ellipse.distance(part.back().at));
  }
  return size;
}

/// The sample that the window has of these bodies.
render::StarSample sample_of(const Bodies& bodies) {
  render::StarSample sample;
  const render::EveryNth some = render::every_nth(bodies.size(), render::kMaxSampled);
  const auto star = [&](std::size_t k) {
    const Vec3& at = bodies[k].position;
    return render::SampledStar{glm::vec3(at[0], at[1], at[2]), bodies[k].tag};
  };
  for (std::size_t k = 0; k < some.count; ++k) sample.stars.push_back(star(some.first + k * some.stride));
  for (std::size_t k = 0; k < std::min(bodies.size(), render::kFirstSampled); ++k) sample.first.push_back(star(k));
  return sample;
}

/// A scene as the window shows it.
class Story {
 public:
  explicit Story(const SceneInfo& scene) {
    Config config;
    config.backend = Backend::cpu;
    config.threads = 1;
    session_.apply(request::SetConfig{config});
    session_.apply(request::ChooseSolver{true, true, true});
    session_.load(request::LoadScene{std::string(scene.name), {.bodies = scene.allowed(kStoryBodies)}, {}, true});
    session_.apply(request::SetSpeed{});
    coarsen(scene);
    speed_ = session_.state().speed;
    view_ = story_view_of(session_.state());
    fit(view_, camera);
    framing_.start(camera);
    show(0);
  }

  /// Shows frames until `seconds` after the start.
  void play(double seconds) {
    while (seconds_ < seconds) {
      seconds_ += kFrameTime;
      const SessionState& state = session_.state();
      const double time = seconds_ * speed_;
      while (session_.simulation()->time() < time - 0.5 * state.params.dt) session_.advance(nullptr, false);
      show(kFrameTime);
    }
  }
  const Bodies& bodies() const { return bodies_; }
  std::vector<SeenLight> image() const { return seen_lights(bodies_, camera); }

  render::Camera camera;

 private:
  /// Where things are needs less accuracy than a run.
  void coarsen(const SceneInfo& scene) {
    const bool orbits = scene.fixed_bodies > 0 && scene.fixed_bodies < kFewBodies;
    if (orbits || (scene.encounter && scene.group == SceneGroup::restricted)) return;
    Params params = session_.state().params;
    params.theta = 1;
    params.dt *= scene.is_solar_system ? 2 : 4;
    session_.apply(request::SetParams{params});
  }
  void show(double seconds) {
    bodies_ = session_.simulation()->bodies();
    const auto wanted = framed(sample_of(bodies_), camera, shape_now());
    if (wanted) framing_.advance(*wanted, static_cast<float>(seconds), camera);
  }

  FrameShape shape_now() {
    FrameShape shape{.aspect = kWindowAspect, .keeps_scale = view_.keeps_scale};
    if (view_.story) shape.toward = view_.story->at(session_.simulation()->time());
    return shape;
  }

  Session session_{{.allows_rollback = false, .records = false, .reports_encounters = false}};
  SceneView view_;
  Framing framing_;
  Bodies bodies_;
  double seconds_ = 0, speed_ = 0;
};

class EveryScene : public ::testing::TestWithParam<std::string_view> {
 protected:
  const SceneInfo& scene() const { return *find_scene(GetParam()); }
};

TEST_P(EveryScene, StaysInTheFrameAndFillsIt) {
  Story story(scene());
  std::vector<SeenLight> all;
  for (int moment = 0; moment <= kMoments; ++moment) {
    story.play(moment * kStorySpan / kMoments);
    const std::vector<SeenLight> image = story.image();
    const render::CameraPose pose = story.camera.pose();
    const std::string when = std::string(GetParam()) + " after " + std::to_string(moment * kStorySpan / kMoments) +
                             " s, camera at " + std::to_string(glm::degrees(pose.yaw)) + ", " +
                             std::to_string(glm::degrees(pose.pitch)) + ", " + std::to_string(pose.distance);
    EXPECT_GE(inside(image), kShare) << when;
    if (image.size() > kFewBodies) {
      EXPECT_GE(height(image), 0.5) << when;
    }
    all.insert(all.end(), image.begin(), image.end());
  }
  EXPECT_GE(height(all), 0.5) << "orbits of few bodies are seen over time";
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> result;
  for (const SceneInfo& scene : scenes()) result.push_back(scene.name);
  return result;
}
std::string test_name(const ::testing::TestParamInfo<std::string_view>& scene) {
  std::string name(scene.param);
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Story, EveryScene, ::testing::ValuesIn(names()), test_name);

}  // namespace
}  // namespace pericenter::app
