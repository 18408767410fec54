#include "app/window/viewport.h"

#include <glad/gl.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "app/window/scene_controller.h"
#include "render/gl_info.h"
#include "render/headless_context.h"
#include "render/image.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

/// A GPU buffer of stars.
class StarsOnGpu {
 public:
  explicit StarsOnGpu(const std::vector<Vertex>& vertices) : stars_{.buffer = 0, .count = vertices.size()} {
    glCreateBuffers(1, &stars_.buffer);
    glNamedBufferStorage(stars_.buffer, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)), vertices.data(), 0);
  }
  ~StarsOnGpu() { glDeleteBuffers(1, &stars_.buffer); }
  StarsOnGpu(const StarsOnGpu&) = delete;
  StarsOnGpu& operator=(const StarsOnGpu&) = delete;
  const render::Stars& stars() const { return stars_; }

 private:
  render::Stars stars_;
};

std::vector<Vertex> grid_of_stars(int side) {
  std::vector<Vertex> stars;
  for (int i = 0; i < side * side; ++i) {
    const auto place = [&](int k) { return 2 * (static_cast<float>(k) + 0.5f) / static_cast<float>(side) - 1; };
    stars.push_back({.x = place(i % side), .y = place(i / side), .z = 0, .attribute = make_tag(0, Component::disc)});
  }
  return stars;
}

class ViewportTest : public Panels {
 protected:
  static constexpr PixelRect kArea{40, 10, 320, 180};  // within a window of 400 x 200

  double brightness(const Viewport& view) const {
    double sum = 0;
    const render::Image image = render::read_pixels(view.framebuffer(), kArea.width, kArea.height);
    for (const std::uint8_t channel : image.rgb) sum += channel;
    return sum / static_cast<double>(image.rgb.size());
  }

  /// Distance of the camera after another frame.
  static float next_distance(Viewport& view, UiState& state) {
    ImGuiIO io;
    io.DisplayFramebufferScale = {1, 1};
    io.DeltaTime = 0.05f;
    view.invalidate();
    view.move_camera(io, 0, state);
    return view.camera().distance();
  }

  render::HeadlessContext context_;
};

TEST_F(ViewportTest, NewSceneIsExposedAtOnce) {
  const StarsOnGpu bright(grid_of_stars(200)), dark(grid_of_stars(5));
  Options options;
  options.paused = true;
  SimulationThread simulation;
  Viewport used(""), fresh("");
  SceneController scenes(options, simulation, used, ui), first(options, simulation, fresh, ui);
  scenes.update(state);
  used.draw(bright.stars(), ui, kArea);
  ++state.scene_serial;
  scenes.update(state);
  used.draw(dark.stars(), ui, kArea);
  fresh.draw({}, ui, kArea);  // the first frame is halved
  first.update(state);
  fresh.draw(dark.stars(), ui, kArea);
  EXPECT_NEAR(brightness(used) / brightness(fresh), 1, 0.01);
}

// Also if a frame takes longer than the exposure needs.
TEST_F(ViewportTest, ExposureHasSettledWhenNoMoreFramesAreDrawn) {
  using Milliseconds = std::chrono::milliseconds;
  const StarsOnGpu many(grid_of_stars(200)), few(grid_of_stars(5));
  Viewport fresh("");
  for (int k = 0; k < 2; ++k) fresh.draw(few.stars(), ui, kArea);
  const double expected = brightness(fresh);
  for (const Milliseconds pause : {Milliseconds(20), Milliseconds(800)}) {
    Viewport view("");
    for (int k = 0; k < 2; ++k) view.draw(many.stars(), ui, kArea);
    view.invalidate();
    view.draw(few.stars(), ui, kArea);
    const auto end = std::chrono::steady_clock::now() + Milliseconds(800);
    do {
      std::this_thread::sleep_for(pause);
      view.draw(few.stars(), ui, kArea);
    } while (std::chrono::steady_clock::now() < end);
    EXPECT_NEAR(brightness(view) / expected, 1, 0.03) << pause.count();
  }
}

// Whatever was drawn before, and however slowly.
TEST_F(ViewportTest, APictureAtRestDependsOnNothingBefore) {
  const StarsOnGpu many(grid_of_stars(200)), few(grid_of_stars(5));
  const auto after = [&](const render::Stars& first, bool plays) {
    Viewport view("");
    view.draw(first, ui, kArea);
    view.invalidate();
    view.draw(few.stars(), ui, kArea);
    view.set_playing(plays);
    EXPECT_EQ(view.settles(), !plays);
    std::this_thread::sleep_for(std::chrono::milliseconds(750));
    view.draw(few.stars(), ui, kArea);
    EXPECT_FALSE(view.settles());
    return render::read_pixels(view.framebuffer(), kArea.width, kArea.height).rgb;
  };
  const std::vector<std::uint8_t> rests = after(few.stars(), false);
  EXPECT_EQ(after(many.stars(), false), rests);
  EXPECT_NE(after(many.stars(), true), rests);
}

// Without a GPU, the first frame has half the resolution, also if nothing changes after it.
TEST_F(ViewportTest, TheFirstFrameIsDrawnAgain) {
  const StarsOnGpu stars(grid_of_stars(30));
  ui.view.image.auto_exposure = false;
  Viewport view("");
  const auto drawn = [&] {
    view.draw(stars.stars(), ui, kArea);
    return render::read_pixels(view.framebuffer(), kArea.width, kArea.height).rgb;
  };
  const std::vector<std::uint8_t> first = drawn(), second = drawn(), third = drawn();
  EXPECT_EQ(first != second, render::gl_info().software);
  EXPECT_EQ(second, third);
}

// The target is in the middle of what the card leaves visible, and returns when the lesson ends.
TEST_F(ViewportTest, TheImageRisesAboveTheCardOfALesson) {
  const StarsOnGpu stars(grid_of_stars(5));
  Viewport view("");
  view.draw(stars.stars(), ui, kArea);
  ui.presentation.card_height = 45;  // a quarter of the area
  const auto rise_after = [&](int frames) {
    ImGuiIO io;
    io.DisplayFramebufferScale = {1, 1};
    io.DeltaTime = 0.05f;
    bool moves = false;
    for (int k = 0; k < frames; ++k) moves = view.move_camera(io, 0, ui);
    EXPECT_EQ(moves, frames == 1) << "at rest in the end";
    return view.camera().rise();
  };
  EXPECT_EQ(rise_after(100), 0) << "no lesson";
  ui.lesson.lesson = std::make_shared<const Lesson>();
  const float first = rise_after(1);
  EXPECT_GT(first, 0);
  EXPECT_LT(first, 0.2f) << "glides";
  EXPECT_EQ(rise_after(100), 0.25f);
  ui.lesson.lesson = nullptr;
  EXPECT_EQ(rise_after(100), 0);
  ui.lesson.lesson = std::make_shared<const Lesson>();
  ui.presentation.reduced_motion = true;
  EXPECT_EQ(rise_after(1), 0.25f);
}

// The image fills with the stars, unless the view was given, follows something, or is a slide's.
TEST_F(ViewportTest, KeepsTheStarsInTheFrame) {
  const auto moved_by = [&](auto change) {
    UiState changed;
    changed.stars.sample = render::StarSample{.stars = {}, .chosen = {}};
    for (int k = 0; k < 100; ++k)
      changed.stars.sample->stars.push_back(
          {0.5f * glm::vec3(std::cos(k), std::sin(k), 0), make_tag(0, Component::disc)});
    Viewport view("");
    view.fit({.radius = 1});
    view.draw({}, changed, kArea);
    next_distance(view, changed);
    change(view, changed);
    const float before = view.camera().distance();
    for (render::SampledStar& star : changed.stars.sample->stars) star.position *= 5;
    return next_distance(view, changed) / before;
  };
  const float slowly = moved_by([](Viewport&, UiState&) {});
  EXPECT_GT(slowly, 1);
  EXPECT_LT(slowly, 1.1f);
  EXPECT_GT(moved_by([](Viewport& view, UiState&) { view.hold(1.5f); }), 4) << "an image of the command line";
  EXPECT_GT(moved_by([](Viewport& view, UiState& to) {
              view.draw({}, to, {40, 10, 300, 180});
            }),
            4)
      << "a resized window";
  EXPECT_EQ(moved_by([](Viewport&, UiState& to) { to.view.follow = {}; }), 1) << "as after a drag";
  EXPECT_EQ(moved_by([](Viewport&, UiState& to) { to.presentation.reduced_motion = true; }), 1);
  EXPECT_EQ(moved_by([](Viewport&, UiState& to) { to.lesson.lesson = std::make_shared<const Lesson>(); }), 1);
  EXPECT_EQ(moved_by([](Viewport&, UiState& to) { to.view.follow.what = Follow::What::galaxy; }), 1);
}

// Regression: the caption of a key moment, which pauses the run, covered tails.
TEST_F(ViewportTest, MakesRoomForACaptionInAPause) {
  ui.view.follow = {.what = Follow::What::story};
  ui.stars.sample = render::StarSample{.stars = {}, .chosen = {}};
  for (int k = 0; k < 100; ++k) {
    const auto angle = static_cast<float>(k);
    ui.stars.sample->stars.push_back({glm::vec3(std::cos(angle), std::sin(angle), 0), make_tag(0, Component::disc)});
  }
  Viewport view("");
  view.fit({.radius = 1});
  view.draw({}, ui, kArea);
  ImGuiIO io;
  io.DisplayFramebufferScale = {1, 1};
  io.DeltaTime = 0.05f;
  const auto frames_until_rest = [&] {
    int frames = 0;
    while (frames < 1000 && view.move_camera(io, 0, ui)) ++frames;
    return frames;
  };
  for (int k = 0; k < 100; ++k) next_distance(view, ui);
  view.draw({}, ui, kArea);
  frames_until_rest();
  const float alone = view.camera().distance();
  ui.presentation.card_height = 45;  // a quarter of the area
  const int frames = frames_until_rest();
  EXPECT_GT(frames, 10);
  EXPECT_LT(frames, 300) << "comes to rest";
  EXPECT_GT(view.camera().distance(), 1.1f * alone);
  ui.view.follow = {};
  ui.presentation.card_height = 0;
  EXPECT_EQ(frames_until_rest(), 0) << "somebody has moved it";
}

// Regression: a pause at the key moment stopped it with a tail outside, where many steps are between two frames.
TEST_F(ViewportTest, InAPauseItGoesOnUntilTheStarsAreInSight) {
  ui.stars.sample = render::StarSample{.stars = {}, .chosen = {}};
  for (int k = 0; k < 100; ++k)
    ui.stars.sample->stars.push_back({glm::vec3(std::cos(k), std::sin(k), 0), make_tag(0, Component::disc)});
  Viewport view("");
  view.fit({.radius = 1});
  view.draw({}, ui, kArea);
  next_distance(view, ui);
  view.draw({}, ui, kArea);
  const float near = next_distance(view, ui);
  for (render::SampledStar& star : ui.stars.sample->stars) star.position *= 3;
  EXPECT_LT(next_distance(view, ui), 1.5f * near) << "slowly";
  view.draw({}, ui, kArea);
  ImGuiIO io;
  io.DisplayFramebufferScale = {1, 1};
  io.DeltaTime = 0.05f;
  int frames = 0;
  while (frames < 1000 && view.move_camera(io, 0, ui)) ++frames;
  EXPECT_GT(view.camera().distance(), 2.5f * near);
  EXPECT_LT(frames, 300) << "comes to rest";
}

TEST_F(ViewportTest, EachHalfShowsItsWholeSceneAtOnce) {
  ui.presentation.reduced_motion = true;
  ui.stars.sample = render::StarSample{.stars = {}, .chosen = {}};
  for (int k = 0; k < 100; ++k)
    ui.stars.sample->stars.push_back({1.4f * glm::vec3(std::cos(k), 0, 0), make_tag(0, Component::disc)});
  Viewport view("");
  view.fit({.radius = 1});
  view.draw({}, ui, kArea);
  const auto distance = [&] { return next_distance(view, ui); };
  const float whole = distance();
  view.set_split(render::Split{.divider = 0.5f});
  EXPECT_EQ(distance(), whole) << "parts of one view";
  view.set_split(render::Split{.side_by_side = true});
  EXPECT_GT(distance(), 1.05f * whole);
  view.set_split(std::nullopt);
  EXPECT_LT(distance(), whole);
}

// However long a frame takes, a recorded drift turns by as much as the video lasts.
TEST_F(ViewportTest, DriftFollowsTheVideoWhileOneIsRecorded) {
  Viewport view("");
  ImGuiIO io;
  io.DisplayFramebufferScale = {1, 1};
  const auto turned_in = [&](float seconds) {
    const float before = view.camera().pose().yaw;
    io.DeltaTime = seconds;
    view.move_camera(io, 0, ui);
    return std::remainder(view.camera().pose().yaw - before, 6.2831853f);
  };
  const float second = drifted({}, 1).yaw;
  EXPECT_EQ(turned_in(1), 0);
  ui.view.drift = true;
  EXPECT_NEAR(turned_in(1), second, 1e-5f);
  ui.output.recording = true;
  ui.output.recorded_rate = 30;
  EXPECT_EQ(turned_in(1), 0) << "no frame yet";
  ui.output.recorded_frames = 3;
  EXPECT_NEAR(turned_in(1), second / 10, 1e-5f);
  EXPECT_EQ(turned_in(1), 0) << "waits for ffmpeg";
  ui.output.recording = false;
  EXPECT_NEAR(turned_in(1), second, 1e-5f);
  ui.presentation.reduced_motion = true;
  EXPECT_EQ(turned_in(1), 0);
  EXPECT_FALSE(view.drifts(ui));
}

TEST_F(ViewportTest, ANewRunKeepsThePathOfTheScene) {
  Options options;
  options.paused = true;
  SimulationThread simulation;
  Viewport view("");
  SceneController scenes(options, simulation, view, ui);
  scenes.update(state);
  ui.view.follow = {.what = Follow::What::path};
  state.scene = "collision";
  state.highlight_time = 28.3;
  ++state.scene_serial;
  scenes.update(state);
  EXPECT_EQ(ui.view.follow.what, Follow::What::path);
  EXPECT_FALSE(ui.camera.scene_path.empty());
  ui.view.follow = {.what = Follow::What::center_of_mass};
  ++state.scene_serial;
  scenes.update(state);
  EXPECT_EQ(ui.view.follow.what, Follow::What::story);
  ui.layout.side_bar.follows_story = false;
  ++state.scene_serial;
  scenes.update(state);
  EXPECT_EQ(ui.view.follow.what, Follow::What::nothing) << "switched off by hand";
}

TEST_F(ViewportTest, ClickTakesTheNearerOfTwoStars) {
  for (const float ratio : {1.0f, 2.0f}) {
    Viewport view("");
    const glm::vec2 size(kArea.width, kArea.height), at(160.5f, 90.5f);
    const glm::mat4 matrix = view.camera().projection(size.x / size.y) * view.camera().view();
    const glm::vec4 target = matrix * glm::vec4(view.camera().target(), 1);
    const auto star_at = [&](glm::vec2 pixel) {
      const glm::vec4 world =
          glm::inverse(matrix) * glm::vec4((2.0f * pixel / size - 1.0f) * target.w, target.z, target.w);
      return Vertex{.x = world.x / world.w,
                    .y = world.y / world.w,
                    .z = world.z / world.w,
                    .attribute = make_tag(0, Component::disc)};
    };
    for (const glm::vec2 step : {glm::vec2(1, 0), glm::vec2(0, 1)}) {
      const StarsOnGpu stars({star_at(at), star_at(at + 3.0f * step)});
      view.draw(stars.stars(), ui, kArea);
      const auto clicked = [&](glm::vec2 pixel) {
        ImGuiIO io;
        io.DisplaySize = {400 / ratio, 200 / ratio};
        io.DisplayFramebufferScale = {ratio, ratio};
        io.MousePos = {(pixel.x + kArea.left) / ratio, (200 - pixel.y - kArea.bottom) / ratio};
        io.MouseClicked[0] = true;
        view.clicked_star(io, stars.stars(), ui);
        io.MouseClicked[0] = false;
        io.MouseReleased[0] = true;
        return view.clicked_star(io, stars.stars(), ui).value();
      };
      EXPECT_EQ(clicked(at + step), 0u);
      EXPECT_EQ(clicked(at + 2.0f * step), 1u);
    }
  }
}

}  // namespace
}  // namespace pericenter::app
