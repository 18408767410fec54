// That the camera of a new scene keeps what shines and its tails in the image, and shows it large: all scenes, from the
// start to twice the key moment, at their default speed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/view/camera_control.h"
#include "app/view/framing.h"
#include "sim/analysis/structure.h"
#include "sim/analysis/tail_marks.h"
#include "sim/scenes/registry.h"
#include "sim/session/session.h"

namespace pericenter::app {
namespace {

constexpr float kWide = 16.0f / 9, kBesidePanel = 1.39f;  // the second in a window of 1440 x 810
constexpr std::size_t kStoryBodies = 3000, kFewBodies = 64;
constexpr double kStorySpan = 50;
constexpr int kMoments = 10;  // the key moment is at 25 s
constexpr double kFrameTime = 1.0 / 8;
constexpr double kShare = 0.95;
constexpr double kTails = 0.05;  // of the light; less are stray stars

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
  bool in_tail = false;
  std::uint32_t galaxy = 0;
};

/// `tails`: nullopt if there are none.
std::vector<SeenLight> seen_lights(const Bodies& bodies, const std::optional<TailCriterion>& tails,
                                   const glm::mat4& matrix) {
  std::vector<SeenLight> result;
  for (const Body& body : bodies) {
    const glm::vec4 clip = matrix * glm::vec4(body.position[0], body.position[1], body.position[2], 1);
    constexpr double kOutside = 1e6;
    const bool before = clip.w > 0;
    const glm::dvec2 at(before ? clip.x / clip.w : kOutside, before ? clip.y / clip.w : kOutside);
    const bool in_tail = tails && is_marked_as_tail(*tails, body.position, body.tag);
    if (light_of(body.tag) > 0) result.push_back({at, light_of(body.tag), in_tail, galaxy_of(body.tag)});
  }
  return result;
}

double light_of(const std::vector<SeenLight>& image, bool (*counts)(const SeenLight&)) {
  double sum = 0;
  for (const SeenLight& one : image) sum += counts(one) ? one.light : 0;
  return sum;
}

bool is_inside(const glm::dvec2& at) {
  return std::max(std::abs(at.x), std::abs(at.y)) < 1;
}

double inside(const std::vector<SeenLight>& image) {
  return light_of(image, [](const SeenLight& one) { return is_inside(one.at); }) /
         light_of(image, [](const SeenLight&) { return true; });
}

std::vector<SeenLight> tails_of(std::vector<SeenLight> image) {
  std::erase_if(image, [](const SeenLight& one) { return !one.in_tail; });
  return image;
}

/// Mean and second moments of the light within an ellipse.
struct EllipseOfLight {
  glm::dvec2 middle{0};
  double xx = 1, xy = 0, yy = 1;

  double distance(const glm::dvec2& at) const {
    const glm::dvec2 d = at - middle;
    return (yy * d.x * d.x - 2 * xy * d.x * d.y + xx * d.y * d.y) / (xx * yy - xy * xy);
  }
};

EllipseOfLight ellipse_of(std::span<const SeenLight> part) {
  EllipseOfLight result;
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

/// The ellipse that holds 95 % of the light. Its form is that of the light inside.
struct MostLight {
  glm::dvec2 middle{0};  ///< from that of the image, in heights of it
  glm::dvec2 size{0};    ///< width and height, in heights of the image
};

MostLight most_light(std::vector<SeenLight> image, float aspect) {
  const double all = light_of(image, [](const SeenLight&) { return true; });
  std::span<const SeenLight> part = image;
  MostLight result;
  for (int round = 0; round < 12; ++round) {
    const EllipseOfLight ellipse = ellipse_of(part);
    std::ranges::sort(image, {}, [&](const SeenLight& one) { return ellipse.distance(one.at); });
    double sum = 0;
    const auto last =
        std::ranges::find_if(image, [&](const SeenLight& one) { return (sum += one.light) >= kShare * all - 1e-9; });
    part = {image.begin(), last == image.end() ? last : last + 1};
    const double edge = ellipse.distance(part.back().at);
    result = {ellipse.middle * glm::dvec2(aspect, 1) / 2.0,
              {aspect * std::sqrt(ellipse.xx * edge), std::sqrt(ellipse.yy * edge)}};
  }
  return result;
}

/// Share of the light that a legend at the upper right of an image covers.
double behind(const glm::vec2& legend, const std::vector<SeenLight>& image) {
  double sum = 0, all = 0;
  for (const SeenLight& one : image) {
    all += one.light;
    if (is_inside(one.at) && one.at.x > 1 - 2 * legend.x && one.at.y > 1 - 2 * legend.y) sum += one.light;
  }
  return all > 0 ? sum / all : 0;
}

double height(const std::vector<SeenLight>& image) {
  return most_light(image, 1).size.y;
}

/// Half of the width and height of a box about the middle of an image, in those of the image, beyond each edge of which
/// this share of the bodies is.
glm::dvec2 half_of_box(const std::vector<SeenLight>& image, double beyond) {
  glm::dvec2 result{0};
  for (int axis = 0; axis < 2; ++axis) {
    std::vector<double> places;
    for (const SeenLight& one : image) places.push_back(one.at[axis]);
    std::ranges::sort(places);
    const auto outside = static_cast<std::size_t>(beyond * static_cast<double>(places.size()));
    result[axis] = (places[places.size() - 1 - outside] - places[outside]) / 2;
  }
  return result;
}

/// Whether all bodies are in hardly more space than most of them, as those of a cube: their number ends at an edge.
bool ends_at_an_edge(const std::vector<SeenLight>& image) {
  const glm::dvec2 most = half_of_box(image, 0.01), all = half_of_box(image, 0);
  return std::max(all.x / most.x, all.y / most.y) < 1.35;
}

/// The same if the image were just as large as it needs to be for these nuclei, too.
double height_beside(const std::vector<SeenLight>& nuclei, const std::vector<SeenLight>& image, float aspect) {
  const MostLight light = most_light(image, aspect);
  glm::dvec2 low = light.middle - light.size / 2.0, high = light.middle + light.size / 2.0;
  for (const SeenLight& nucleus : nuclei) {
    const glm::dvec2 at = nucleus.at * glm::dvec2(aspect, 1) / 2.0;
    low = glm::min(low, at);
    high = glm::max(high, at);
  }
  return light.size.y / std::max((high.x - low.x) / aspect, high.y - low.y);
}

/// Whether every galaxy has stars, and none is a single mass that passes a disc of test particles.
bool all_shine(const std::vector<SeenLight>& image) {
  std::map<std::uint32_t, int> stars;
  for (const SeenLight& one : image) ++stars[one.galaxy];
  return std::ranges::all_of(stars, [](const auto& galaxy) { return galaxy.second > 1; });
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

/// A camera in a window.
struct Viewer {
  float aspect = kWide;
  bool moves = true;    ///< no reduced motion
  float covered = 0;    ///< FrameShape::covered
  glm::vec2 legend{0};  ///< FrameShape::legend
  render::Camera camera = {};
  Framing framing = {};
};

// In a window of 1280 x 720, with text of once and twice the size.
const Viewer kWithLegend{.aspect = 1.34f, .legend = {0.28f, 0.14f}},
    kWithLargeLegend{.aspect = 1.08f, .legend = {0.69f, 0.3f}};

/// A scene as windows show it.
class Story {
 public:
  explicit Story(const SceneInfo& scene, std::vector<Viewer> watched) : viewers(std::move(watched)) {
    Config config;
    config.backend = Backend::cpu;
    config.threads = 1;
    session_.apply(request::SetConfig{config});
    session_.apply(request::ChooseSolver{true, true, true});
    session_.load(request::LoadScene{std::string(scene.name), {.bodies = scene.allowed(kStoryBodies)}, {}, true});
    session_.apply(request::SetSpeed{});
    coarsen(scene);
    speed_ = session_.state().speed;
    key_time_ = session_.state().highlight_time;
    meter_.emplace(session_.simulation()->bodies());
    view_ = story_view_of(session_.state());
    for (Viewer& viewer : viewers) {
      fit(view_, viewer.camera);
      viewer.framing.start(viewer.camera);
    }
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
  double key_time() const { return key_time_; }
  bool has_planets() { return session_.state().has_planets; }
  std::vector<SeenLight> image(const Viewer& viewer) const {
    const glm::mat4 matrix = viewer.camera.projection(viewer.aspect) * viewer.camera.view();
    return seen_lights(bodies_, meter_->tail_criterion(bodies_), matrix);
  }
  /// Where the nuclei of the galaxies are in an image.
  std::vector<SeenLight> nuclei(const Viewer& viewer) const {
    Bodies nuclei;
    for (const Nucleus& nucleus : meter_->moving_nuclei(bodies_))
      nuclei.push_back({nucleus.position, Vec3{}, 0, make_tag(nucleus.galaxy, Component::bulge)});
    return seen_lights(nuclei, {}, viewer.camera.projection(viewer.aspect) * viewer.camera.view());
  }

  std::vector<Viewer> viewers;

 private:
  /// Where things are needs less accuracy than a run.
  void coarsen(const SceneInfo& scene) {
    const bool orbits = scene.fixed_bodies > 0 && scene.fixed_bodies < kFewBodies;
    if (orbits || (scene.encounter && scene.group == SceneGroup::restricted)) return;
    Params params = session_.state().params;
    params.theta = 1;
    params.dt *= session_.state().has_planets ? 2 : 4;
    session_.apply(request::SetParams{params});
  }
  void show(double seconds) {
    bodies_ = session_.simulation()->bodies();
    const render::StarSample sample = sample_of(bodies_);
    for (Viewer& viewer : viewers) {
      FrameShape shape{.aspect = viewer.aspect,
                       .covered = viewer.covered,
                       .legend = viewer.legend,
                       .keeps_scale = view_.keeps_scale};
      if (view_.story) shape.toward = view_.story->at(session_.simulation()->time());
      if (!viewer.moves) continue;
      if (const auto wanted = framed(sample, viewer.camera, shape))
        viewer.framing.advance(*wanted, static_cast<float>(seconds), viewer.camera);
    }
  }

  Session session_{{.allows_rollback = false, .records = false, .reports_encounters = false}};
  std::optional<StructureMeter> meter_;
  SceneView view_;
  Bodies bodies_;
  double seconds_ = 0, speed_ = 0, key_time_ = 0;
};

class EveryScene : public ::testing::TestWithParam<std::string_view> {
 protected:
  const SceneInfo& scene() const { return *find_scene(GetParam()); }
};

std::string moment_name(int moment, const Viewer& viewer) {
  const render::CameraPose pose = viewer.camera.pose();
  return "after " + std::to_string(moment * kStorySpan / kMoments) + " s, aspect " + std::to_string(viewer.aspect) +
         ", camera at " + std::to_string(glm::degrees(pose.yaw)) + ", " + std::to_string(glm::degrees(pose.pitch)) +
         ", " + std::to_string(pose.distance);
}

/// The light, and that of the tails if they are more than stray stars.
void expect_inside(const Story& story, const Viewer& viewer, const std::string& when) {
  const std::vector<SeenLight> image = story.image(viewer);
  EXPECT_GE(inside(image), kShare) << when;
  const double tails = light_of(image, [](const SeenLight& one) { return one.in_tail; });
  if (tails < kTails * light_of(
                           image, [](const SeenLight&) { return true; }))
    return;
  EXPECT_GE(inside(tails_of(image)), kShare) << "tails " << when;
}

TEST_P(EveryScene, StaysInTheFrameAndFillsIt) {
  Story story(scene(), {{kWide}, {kBesidePanel}, kWithLegend, kWithLargeLegend});
  const Viewer &wide = story.viewers[0], &narrow = story.viewers[1];
  std::vector<SeenLight> all;
  for (int moment = 0; moment <= kMoments; ++moment) {
    story.play(moment * kStorySpan / kMoments);
    for (const Viewer* viewer : {&wide, &narrow}) expect_inside(story, *viewer, moment_name(moment, *viewer));
    const std::vector<SeenLight> image = story.image(wide);
    const bool sees_nuclei = inside(story.nuclei(wide)) == 1;
    if (image.size() > kFewBodies) {
      EXPECT_GE(height(image), 0.5) << moment_name(moment, wide);
      const double beside = height_beside(story.nuclei(wide), image, wide.aspect);
      EXPECT_TRUE(sees_nuclei || beside < 0.6) << "room for both galaxies: " << beside << moment_name(moment, wide);
    }
    if (image.size() > kFewBodies) {
      EXPECT_GE(height(story.image(narrow)), 0.5) << moment_name(moment, narrow);
      for (std::size_t k = 2; k < 4; ++k) {
        const Viewer& covered = story.viewers[k];
        const double most = k == 2 ? 0.01 : 0.06;  // orbits remain in the middle
        EXPECT_LT(behind(covered.legend, story.image(covered)), most) << moment_name(moment, covered);
        EXPECT_EQ(behind(covered.legend, story.nuclei(covered)), 0) << moment_name(moment, covered);
      }
    }
    all.insert(all.end(), image.begin(), image.end());
  }
  EXPECT_GE(height(all), 0.5) << "orbits of few bodies are seen over time";
}

// Regression: of cubes, corners were outside of images.
TEST_P(EveryScene, IsInTheFirstImageWithItsCorners) {
  Story story(scene(), {{1.6f}, {kWide}, {1}});
  for (const Viewer& viewer : story.viewers) {
    const std::vector<SeenLight> image = story.image(viewer);
    const std::string when = moment_name(0, viewer);
    EXPECT_GE(inside(image), kShare) << when;
    if (image.size() <= kFewBodies) continue;
    const glm::dvec2 size = most_light(image, viewer.aspect).size;
    EXPECT_GE(viewer.aspect == 1 ? std::max(size.x, size.y) : size.y, 0.5) << when;
    if (ends_at_an_edge(image)) {
      EXPECT_GT(inside(image), 0.999) << when;
    }
  }
}

// Regression: two stars far out counted as tails, and the galaxies were a third smaller.
TEST(FewStarsFarOut, AreNoTails) {
  const auto distance = [](const char* scene, std::size_t bodies) {
    render::Camera camera;
    camera.fit(15);
    const Scene made = find_scene(scene)->make({.bodies = bodies});
    return framed(sample_of(made.bodies), camera, {.aspect = kWide})->pose.distance;
  };
  for (const char* scene : {"collision", "retrograde"})
    EXPECT_LT(distance(scene, 20'000), 1.15 * distance(scene, 3000)) << scene;
}

TEST(SceneWithAnEdge, IsACubeButNoGalaxy) {
  const auto has_edge = [](std::string_view name) {
    const Story story(*find_scene(name), {{kWide}});
    return ends_at_an_edge(story.image(story.viewers[0]));
  };
  for (const char* name : {"uniform", "lattice", "cold-collapse", "random-masses"}) EXPECT_TRUE(has_edge(name)) << name;
  for (const char* name : {"galaxy", "plummer", "collision"}) EXPECT_FALSE(has_edge(name)) << name;
}

// Unless a mass without stars passes a disc: then the middle is between the two. Orbits stay in that of the whole
// image.
TEST_P(EveryScene, IsInTheMiddleOfTheFreeImageWithAllNuclei) {
  constexpr double kBeside = 0.05;  // heights of the image
  Story story(scene(), {{kWide}, {kBesidePanel}, {kWide, true, 0.25f}});
  for (const double seconds : {0.0, kStorySpan / 2}) {
    story.play(seconds);
    for (const Viewer& viewer : story.viewers) {
      const std::vector<SeenLight> image = story.image(viewer);
      if (image.size() <= kFewBodies) GTEST_SKIP() << "few bodies";
      const std::string when = moment_name(static_cast<int>(seconds * kMoments / kStorySpan), viewer);
      EXPECT_TRUE(seconds == 0 || viewer.covered > 0 || inside(story.nuclei(viewer)) == 1) << "nuclei " << when;
      if (!all_shine(image)) continue;
      const glm::dvec2 beside =
          most_light(image, viewer.aspect).middle - glm::dvec2(0, story.has_planets() ? 0 : viewer.covered / 2);
      EXPECT_LT(glm::length(beside), kBeside) << beside.x << ", " << beside.y << ' ' << when;
    }
  }
}

// With reduced motion the camera stands still.
TEST_P(EveryScene, IsInTheFrameOfACameraAtRest) {
  constexpr double kAfterKeyMoment = 0.9;
  Story story(scene(), {{kWide, false}});
  if (story.key_time() == 0) GTEST_SKIP() << "has no key moment";
  for (int moment = 0; moment <= kMoments; ++moment) {
    story.play(moment * kStorySpan / kMoments);
    const double least = 2 * moment <= kMoments ? kShare : kAfterKeyMoment;
    EXPECT_GE(inside(story.image(story.viewers[0])), least) << moment_name(moment, story.viewers[0]);
  }
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
