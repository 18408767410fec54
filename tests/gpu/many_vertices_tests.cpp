// More vertices than 4 GiB hold, in each path that copies or binds them.
#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/vec3.hpp>
#include <memory>
#include <numeric>

#include "app/bridge/vertex_bridge.h"
#include "render/gl_info.h"
#include "render/headless_context.h"
#include "render/offscreen_target.h"
#include "render/renderer.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

// The initial rounding of a star depends on the low 16 bits of its index.
constexpr std::size_t kVisible = 1000, kLast = (std::size_t{1} << 28) + (1 << 16), kCount = kLast + kVisible;
constexpr int kWidth = 320, kHeight = 180;

using render::StarStyle;

double total(const render::Image& image) {
  return std::accumulate(image.rgb.begin(), image.rgb.end(), 0.0);
}

/// Stars of a small grid are visible, all others are behind the camera.
class ManyVertices : public testing::Test {
 protected:
  ManyVertices() {
    render::install_gl_debug(true);
    camera_.fit(1);
    std::fill_n(vertices_, kCount, behind());
  }

  Vertex behind() const {
    const glm::vec3 place = 10.0f * camera_.position();
    return {.x = place.x, .y = place.y, .z = place.z};
  }
  void show_from(std::size_t first) {
    for (std::size_t k = 0; k < kVisible; ++k) {
      Vertex star{};
      star.x = 0.02f * static_cast<float>(k % 40) - 0.4f;
      star.y = 0.03f * static_cast<float>(k / 40) - 0.4f;
      vertices_[first + k] = star;
    }
  }
  render::Frame frame(StarStyle style) const {
    render::Frame frame;
    frame.settings.style = style;
    frame.stars = {buffer_->name(), kCount};
    frame.camera = camera_;
    frame.settings.color = render::ColorMode::origin;  // the spectral class depends on the index
    frame.settings.auto_exposure = false;
    frame.settings.exposure = 20;  // a star of so many has little light
    return frame;
  }
  render::Image image(StarStyle style) {
    const render::OffscreenTarget target(kWidth, kHeight);
    renderer_.draw(frame(style), target.framebuffer(), kWidth, kHeight);
    render::Image image = render::read_pixels(target.framebuffer(), kWidth, kHeight);
    render::check_gl();
    return image;
  }

  render::HeadlessContext context_;
  render::Renderer renderer_;
  std::unique_ptr<app::VertexBuffer> buffer_ = app::make_host_buffer(kCount);
  Vertex* vertices_ = buffer_->map().vertices;
  render::Camera camera_;
};

TEST_F(ManyVertices, AreDrawnPickedAndSampledBeyond4GiB) {
  show_from(kLast);
  const render::Image at_end = image(StarStyle::splat), spread_at_end = image(StarStyle::automatic);
  EXPECT_GT(*std::max_element(at_end.rgb.begin(), at_end.rgb.end()), 60) << "no star is visible";
  EXPECT_GE(renderer_.pick(frame(StarStyle::splat), {kWidth / 2, kHeight / 2}, {kWidth, kHeight}).value_or(0), kLast);
  renderer_.sampler().request(frame(StarStyle::splat).stars, static_cast<std::uint32_t>(kLast), 0);
  glFinish();
  const auto sample = renderer_.sampler().take();
  ASSERT_TRUE(sample && sample->chosen);
  EXPECT_EQ(sample->chosen->position, glm::vec3(-0.4f, -0.4f, 0));

  std::fill_n(vertices_ + kLast, kVisible, behind());
  show_from(0);
  EXPECT_EQ(image(StarStyle::splat).rgb, at_end.rgb);
  // How far the light of a star is spread depends on its index, by chance.
  EXPECT_NEAR(total(image(StarStyle::automatic)) / total(spread_at_end), 1, 0.5);
}

}  // namespace
}  // namespace pericenter::test
