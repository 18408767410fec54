// How the GPU draws the light of millions of bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include "app/bridge/vertex_bridge.h"
#include "render/headless_context.h"
#include "render/offscreen_target.h"
#include "render/renderer.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

constexpr int kColumns = 640, kRows = 360;

/// A round cloud of up to this many bodies, densest in its middle.
class Millions : public testing::Test {
 protected:
  static constexpr std::size_t kMost = 4'000'000;  // from here on light goes to one pixel of four

  Millions() {
    std::mt19937 random(1);
    std::normal_distribution<float> place(0, 0.3f);
    std::generate_n(vertices_, kMost, [&] {
      Vertex body{};
      for (float* at : {&body.x, &body.y, &body.z}) *at = place(random);
      return body;
    });
  }
  render::Image image(std::size_t bodies) {
    render::Frame frame;
    frame.stars = {buffer_->name(), bodies};
    frame.camera.fit(1);
    frame.settings.color = render::ColorMode::origin;
    frame.settings.auto_exposure = false;
    const render::OffscreenTarget target(kColumns, kRows);
    renderer_.draw(frame, target.framebuffer(), kColumns, kRows);
    return render::read_pixels(target.framebuffer(), kColumns, kRows);
  }

  render::HeadlessContext context_;
  render::Renderer renderer_;
  std::unique_ptr<app::VertexBuffer> buffer_ = app::make_host_buffer(kMost);
  Vertex* vertices_ = buffer_->map().vertices;
};

TEST_F(Millions, LookTheSameWithOnePixelPerBody) {
  const render::Image one = image(kMost), four = image(kMost - 1);
  ASSERT_EQ(one.rgb.size(), four.rgb.size());
  double difference = 0;
  int most = 0;
  for (std::size_t k = 0; k < one.rgb.size(); ++k) {
    const int here = std::abs(static_cast<int>(one.rgb[k]) - static_cast<int>(four.rgb[k]));
    difference += here;
    most = std::max(most, here);
  }
  EXPECT_GT(std::accumulate(one.rgb.begin(), one.rgb.end(), 0.0), 10.0 * static_cast<double>(one.rgb.size()))
      << "not black";
  EXPECT_LT(difference, 0.5 * static_cast<double>(one.rgb.size())) << "half a screen value on average";
  EXPECT_LE(most, 8);
}

}  // namespace
}  // namespace pericenter::test
