#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "app/autosize.h"
#include "app/vertex_bridge.h"
#include "render/headless_context.h"

namespace pericenter::app {
namespace {

using namespace std::chrono_literals;

class HostBridge : public ::testing::Test {
 protected:
  static request::LoadScene plummer(std::size_t bodies) { return {"plummer", {.bodies = bodies}}; }

  /// Runs the main loop's part until `bodies` vertices are there to be drawn.
  std::optional<Published> wait_for(std::size_t bodies) {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (std::chrono::steady_clock::now() < end) {
      const auto published = bridge->exchange(simulation);
      if (published && published->count == bodies) return published;
      std::this_thread::sleep_for(1ms);
    }
    return {};
  }

  std::vector<Vertex> drawn_vertices() const {
    std::vector<Vertex> vertices(bridge->count());
    glGetNamedBufferSubData(bridge->buffer(), 0, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)),
                            vertices.data());
    return vertices;
  }

  render::HeadlessContext context;
  std::unique_ptr<VertexBridge> bridge = make_host_bridge();
  SimulationThread simulation;
};

TEST_F(HostBridge, HasNothingBeforeTheFirstScene) {
  EXPECT_FALSE(bridge->exchange(simulation));
  EXPECT_EQ(bridge->count(), 0u);
}

TEST_F(HostBridge, BringsTheBodiesOfAScene) {
  simulation.request(plummer(500));
  ASSERT_TRUE(wait_for(500));
  EXPECT_EQ(bridge->count(), 500u);
  double radius = 0;
  for (const Vertex& vertex : drawn_vertices()) radius += std::hypot(vertex.x, vertex.y, vertex.z) / 500;
  EXPECT_GT(radius, 0.2);  // of a Plummer sphere in Henon units
  EXPECT_LT(radius, 3);
}

TEST_F(HostBridge, GrowsWithTheSceneAndKeepsThePictureMeanwhile) {
  simulation.request(plummer(500));
  ASSERT_TRUE(wait_for(500));
  simulation.request(plummer(30'000));
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (bridge->count() != 30'000u && std::chrono::steady_clock::now() < end) {
    ASSERT_EQ(bridge->count(), 500u);
    bridge->exchange(simulation);
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(bridge->count(), 30'000u);
}

TEST_F(HostBridge, NeverDrawsFromTheBufferThatIsWritten) {
  simulation.request(plummer(2000));
  ASSERT_TRUE(wait_for(2000));
  simulation.request(request::Play{});
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(wait_for(2000));
    const std::vector<Vertex> first = drawn_vertices();
    std::this_thread::sleep_for(5ms);  // the next step is written meanwhile
    const std::vector<Vertex> second = drawn_vertices();
    ASSERT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(Vertex)), 0);
  }
}

TEST_F(HostBridge, DoesNotWaitForAStep) {
  simulation.request(plummer(20'000));
  simulation.request(
      request::SetConfig{{.solver = "direct", .precision = Precision::float64, .threads = 1, .simd = Simd::plain}});
  ASSERT_TRUE(wait_for(20'000));
  simulation.request(request::Play{});
  double slowest = 0;
  for (int k = 0; k < 50; ++k) {
    const auto start = std::chrono::steady_clock::now();
    bridge->exchange(simulation);
    slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    std::this_thread::sleep_for(2ms);
  }
  EXPECT_LT(slowest, 0.1);  // a step takes more than half a second
}

TEST(Autosize, FitsTheSceneAndTheMachine) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t with_gpu = fitting_bodies("collision", {}, false);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GE(with_gpu, 2000u);
  EXPECT_LE(with_gpu, 1'000'000u);
  EXPECT_LT(seconds, 3);
  EXPECT_EQ(fitting_bodies("two-body", {}, true), 2u);
}

}  // namespace
}  // namespace pericenter::app
