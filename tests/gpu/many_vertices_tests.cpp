// More vertices than 4 GiB hold, in each path that copies or binds them.
#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/vec3.hpp>
#include <vector>

#include "app/headless/headless_stars.h"
#include "render/gl_info.h"
#include "render/headless_context.h"
#include "render/offscreen_target.h"
#include "render/renderer.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

constexpr std::size_t kVisible = 1000, kCount = (std::size_t{1} << 28) + 2 * kVisible;
constexpr int kWidth = 320, kHeight = 180;

/// Stars of a small grid are visible, all others are behind the camera.
class ManyVertices : public testing::Test {
 protected:
  ManyVertices() {
    render::install_gl_debug(true);
    camera_.fit(1);
    const glm::vec3 behind = 10.0f * camera_.position();
    vertices_.resize(kCount, Vertex{.x = behind.x, .y = behind.y, .z = behind.z});
    glNamedBufferStorage(buffer_.name(), static_cast<GLsizeiptr>(kCount * sizeof(Vertex)), nullptr,
                         GL_DYNAMIC_STORAGE_BIT);
  }

  void show_from(std::size_t first) {
    for (std::size_t k = 0; k < kVisible; ++k) {
      Vertex& star = vertices_[first + k];
      star.x = 0.02f * static_cast<float>(k % 40) - 0.4f;
      star.y = 0.03f * static_cast<float>(k / 40) - 0.4f;
      star.z = 0;
    }
  }
  void upload() { app::upload_vertices(buffer_.name(), vertices_); }
  render::Frame frame() const {
    render::Frame frame;
    frame.stars = {buffer_.name(), kCount};
    frame.camera = camera_;
    frame.settings.color = render::ColorMode::origin;  // the spectral class depends on the index
    frame.settings.auto_exposure = false;
    frame.settings.exposure = 20;  // a star of so many has little light
    return frame;
  }
  render::Image image() {
    const render::OffscreenTarget target(kWidth, kHeight);
    renderer_.draw(frame(), target.framebuffer(), kWidth, kHeight);
    render::Image image = render::read_pixels(target.framebuffer(), kWidth, kHeight);
    render::check_gl();
    return image;
  }

  render::HeadlessContext context_;
  render::Renderer renderer_;
  render::Buffer buffer_ = render::make_buffer();
  render::Camera camera_;
  std::vector<Vertex> vertices_;
};

TEST_F(ManyVertices, AreUploadedWhole) {
  for (std::size_t i = 0; i < kCount; ++i) vertices_[i].attribute = static_cast<std::uint32_t>(i);
  upload();
  for (const std::size_t i : {std::size_t{0}, std::size_t{1} << 24, (std::size_t{1} << 27) - 1, std::size_t{1} << 27,
                              (std::size_t{1} << 28) - 1, std::size_t{1} << 28, kCount - 1}) {
    Vertex got;
    glGetNamedBufferSubData(buffer_.name(), static_cast<GLintptr>(i * sizeof got), sizeof got, &got);
    EXPECT_EQ(got.attribute, i);
    EXPECT_EQ(got.z, vertices_[i].z) << i;
  }
}

TEST_F(ManyVertices, AreDrawnPickedAndSampledBeyond4GiB) {
  const std::size_t last = kCount - kVisible;
  show_from(last);
  upload();
  const render::Image at_end = image();
  EXPECT_GT(*std::max_element(at_end.rgb.begin(), at_end.rgb.end()), 60) << "no star is visible";
  EXPECT_EQ(renderer_.pick(frame(), {kWidth / 2, kHeight / 2}, {kWidth, kHeight}).value_or(0) / kVisible,
            last / kVisible);
  renderer_.sampler().request(frame().stars, static_cast<std::uint32_t>(last), 0);
  glFinish();
  const auto sample = renderer_.sampler().take();
  ASSERT_TRUE(sample && sample->chosen);
  EXPECT_EQ(sample->chosen->position.x, vertices_[last].x);
  EXPECT_EQ(sample->chosen->position.z, 0);

  std::fill(vertices_.begin() + static_cast<std::ptrdiff_t>(last), vertices_.end(), vertices_.front());
  show_from(0);
  upload();
  EXPECT_EQ(image().rgb, at_end.rgb);
}

}  // namespace
}  // namespace pericenter::test
