#include <gtest/gtest.h>

#include <numeric>

#include "render/gl_info.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

class ProbeFrame : public testing::Test {
 protected:
  ProbeFrame() {
    install_gl_debug(true);
    picture_.camera.fit(2);
    picture_.camera.look_down();
    picture_.boxes.flat = true;
    picture_.show_probe = true;
  }
  Image draw() {
    const Image image = renderer_.still(picture_, 400, 400);
    check_gl();
    return image;
  }
  /// Brightness at a point of the plane.
  int at(const Image& image, float x, float y) const {
    const glm::vec4 clip = picture_.camera.projection(1) * picture_.camera.view() * glm::vec4(x, y, 0, 1);
    const int column = static_cast<int>((clip.x / clip.w * 0.5f + 0.5f) * 400);
    const int row = static_cast<int>((0.5f - clip.y / clip.w * 0.5f) * 400);
    const std::size_t pixel = 3 * static_cast<std::size_t>(row * 400 + column);
    return image.rgb[pixel] + image.rgb[pixel + 1] + image.rgb[pixel + 2];
  }

  HeadlessContext context_;
  Renderer renderer_;
  Frame picture_;
};

TEST_F(ProbeFrame, ShowsStarCellsAndLines) {
  const Image empty = draw();
  renderer_.set_probe({.star = {-1, 0, 0},
                       .accepted = {{{0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}, 2}},
                       .opened = {{{0.5f, -0.7f, 0}, {0.5f, 0.5f, 0}, 2}},
                       .bodies = {{-1, 1, 0}}});
  const Image image = draw();
  EXPECT_GT(at(image, 0, 0.5f), at(empty, 0, 0.5f) + 300) << "edge of the accepted cell";
  EXPECT_GT(at(image, 0.5f, 0.5f), at(empty, 0.5f, 0.5f) + 10) << "its face";
  const int opened = at(image, 1, -0.7f) - at(empty, 1, -0.7f);
  EXPECT_TRUE(opened > 30 && opened < 200) << "edge of the opened cell: " << opened;
  EXPECT_GT(at(image, -1, 0.5f), at(empty, -1, 0.5f) + 200) << "line to the body";
  EXPECT_GT(at(image, -1, 0), at(empty, -1, 0) + 500) << "the star";
}

TEST_F(ProbeFrame, LeavesNothingBehind) {
  picture_.show_probe = false;
  const Image before = draw();
  renderer_.set_probe({.star = {0, 0, 0}, .accepted = {{{0, 0, 0}, {1, 1, 0}, 0}}, .opened = {}, .bodies = {}});
  EXPECT_EQ(draw().rgb, before.rgb);
  picture_.show_probe = true;
  EXPECT_NE(draw().rgb, before.rgb);
  picture_.show_probe = false;
  EXPECT_EQ(draw().rgb, before.rgb);
}

TEST_F(ProbeFrame, DimsTheStars) {
  const Scene scene = two_spirals(20'000);
  const VertexBuffer buffer(scene.vertices);
  picture_ = {.stars = buffer.stars(), .camera = scene.camera};
  const Image bright = draw();
  picture_.show_probe = true;
  renderer_.set_probe({.star = {100, 100, 0}, .accepted = {}, .opened = {}, .bodies = {}});
  const Image dim = draw();
  const auto light = [](const Image& image) { return std::accumulate(image.rgb.begin(), image.rgb.end(), 0.0); };
  EXPECT_LT(light(dim), 0.8 * light(bright));
  EXPECT_GT(light(dim), 0.3 * light(bright));
}

TEST_F(ProbeFrame, StarBehindTheCameraOrNonFiniteDrawsNothing) {
  const Image empty = [&] {
    renderer_.set_probe({});
    picture_.show_probe = false;
    return draw();
  }();
  picture_.show_probe = true;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const glm::vec3 eye = picture_.camera.position();
  for (const glm::vec3& star : {glm::vec3(nan), 2.0f * eye, eye}) {
    renderer_.set_probe({.star = star, .accepted = {}, .opened = {}, .bodies = {}});
    const Image image = draw();
    for (std::size_t k = 0; k < image.rgb.size(); ++k) ASSERT_LE(image.rgb[k], empty.rgb[k] + 4);
  }
}

}  // namespace
}  // namespace pericenter::render
