#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bridge/vertex_bridge.h"
#include "render/gl_info.h"
#include "render/headless_context.h"
#include "render/image.h"
#include "render/offscreen_target.h"
#include "render/renderer.h"
#include "sim/session/simulation_thread.h"
#include "tests/gpu/support.h"

namespace pericenter::test {

/// The main loop of the program without a window: lends vertex buffers, takes them back and draws them. An OpenGL
/// context must be current during its lifetime.
class MainLoop {
 public:
  explicit MainLoop(app::Interop interop) : bridge_(std::move(interop)) {}

  SimulationThread& simulation() { return simulation_; }
  SessionState state() const { return simulation_.state(); }
  const app::VertexBridge& bridge() const { return bridge_; }
  void set_interop(app::Interop interop) { bridge_.set_interop(std::move(interop)); }
  void request(Request request) { simulation_.request(std::move(request)); }

  /// Runs one frame. Throws OpenGL errors and app::NoInterop.
  std::optional<PublishedFrame> frame() {
    const auto published = bridge_.exchange(simulation_, simulation_.state());
    render::check_gl();
    return published;
  }

  /// Runs frames until `condition` holds for the published vertices; false on timeout.
  template <class Condition>
  bool shows(const Condition& condition) {
    return eventually([&] {
      const auto published = frame();
      return published && condition(*published);
    });
  }

  /// Runs frames until the simulation uses this config.
  bool runs(const Config& config) {
    return eventually([&] {
      frame();
      const SessionState now = state();
      return now.config == config && !now.busy;
    });
  }

  /// Runs frames until the simulation is paused.
  bool pauses() {
    return eventually([&] {
      frame();
      return !state().running;
    });
  }

  /// Runs frames until the bridge has this name; a buffer that is still being drawn is lent later.
  bool uses(std::string_view bridge) {
    return eventually([&] {
      frame();
      return bridge_.name() == bridge;
    });
  }

  /// Loads a scene and waits for its first frame.
  bool load(const std::string& scene, std::size_t bodies) {
    const std::uint64_t serial = state().scene_serial;
    request(request::LoadScene{scene, {.bodies = bodies}});
    return shows([&](const PublishedFrame& p) { return p.scene_serial == serial + 1 && p.count == bodies; });
  }

  /// Takes `count` steps and waits for the frame after the last.
  bool step(std::uint64_t count) {
    const std::uint64_t end = state().steps + count;
    request(request::Step{count});
    return shows([&](const PublishedFrame& p) { return p.steps == end; });
  }

  /// Contents of the drawn buffer.
  std::vector<Vertex> drawn() const {
    std::vector<Vertex> vertices(bridge_.count());
    const auto bytes = static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex));
    if (bytes > 0) glGetNamedBufferSubData(bridge_.buffer(), 0, bytes, vertices.data());
    render::check_gl();
    return vertices;
  }

  render::Image image() const {
    constexpr int kWidth = 640, kHeight = 360;
    render::Renderer renderer;
    render::Frame frame{.stars = {bridge_.buffer(), bridge_.count()}};
    frame.camera.fit(static_cast<float>(state().view_radius));
    const render::OffscreenTarget target(kWidth, kHeight);
    renderer.draw(frame, target.framebuffer(), kWidth, kHeight);
    render::Image image = render::read_pixels(target.framebuffer(), kWidth, kHeight);
    render::check_gl();
    return image;
  }

 private:
  app::VertexBridge bridge_;
  SimulationThread simulation_;  // after the bridge: it must end before the buffers that it may write to
};

/// Interop tests. Skipped, with the reason, unless OpenGL and CUDA use the same GPU.
class OnOneGpu : public testing::Test {
 protected:
  void SetUp() override {
    try {
      context_ = std::make_unique<render::HeadlessContext>();
    } catch (const std::runtime_error& error) {
      GTEST_SKIP() << error.what();
    }
    render::install_gl_debug(true);
    const app::InteropPlan plan = app::plan_interop(app::Bridge::automatic, cuda_status());
    if (!plan.interop.problem.empty()) GTEST_SKIP() << plan.interop.problem;
    device_ = plan.device;
  }

  /// Throws on the first interop failure instead of falling back to staged copies.
  app::Interop interop() const { return app::plan_interop(app::Bridge::interop, cuda_status()).interop; }
  app::Interop staged() const { return app::plan_interop(app::Bridge::staged, cuda_status()).interop; }
  Config cuda(Config config = {}) const {
    config.backend = Backend::cuda;
    config.device = device_;
    return config;
  }

 private:
  std::unique_ptr<render::HeadlessContext> context_;
  int device_ = 0;
};

}  // namespace pericenter::test
