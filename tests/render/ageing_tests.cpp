// Ageing of young stars: blue light fades where gas is used up.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <glm/glm.hpp>
#include <vector>

#include "render/gl_info.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

constexpr float kRemnant = 1.5f;  // age in Gyr

class Ageing : public testing::Test {
 protected:
  Ageing() {
    install_gl_debug(true);
    scene_.camera.look_down();
    scene_.settings.dust = 0.01f;  // measures density, and absorbs hardly any light
  }

  /// Keeps the bodies that were born farther out than this, in scale lengths, and moves them towards the centre.
  void keep_outer(double birth, float shrink = 1) {
    std::erase_if(scene_.vertices, [&](const Vertex& body) { return birth_radius_of(body.attribute) < birth; });
    for (Vertex& body : scene_.vertices) body.x *= shrink, body.y *= shrink, body.z *= shrink;
  }
  /// Light within a distance from the middle of the image, in pixels.
  glm::dvec3 light(float age, double within) {
    const VertexBuffer buffer(scene_.vertices);
    Frame frame{.stars = buffer.stars(), .camera = scene_.camera, .settings = scene_.settings};
    frame.stars.age = age;
    const LightImage image = renderer_.light(frame, scene_.width, scene_.height);
    check_gl();
    glm::dvec3 sum(0);
    const float* pixel = image.rgb.data();
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x, pixel += 3)
        if (std::hypot(x + 0.5 - image.width / 2, y + 0.5 - image.height / 2) < within)
          sum += glm::dvec3(pixel[0], pixel[1], pixel[2]);
    return sum;
  }
  /// By how much blue over red falls, as a share.
  double reddening(double within) {
    const glm::dvec3 start = light(0, within), later = light(kRemnant, within);
    return 1 - later.b / later.r / (start.b / start.r);
  }
  Image image(float age) {
    const VertexBuffer buffer(scene_.vertices);
    Frame frame{.stars = buffer.stars(), .camera = scene_.camera, .settings = scene_.settings};
    frame.stars.age = age;
    return draw_in_one_pass(renderer_, frame, scene_.width, scene_.height);
  }

  HeadlessContext context_;
  Renderer renderer_;
  Scene scene_ = start_of("galaxy", 50'000, 1);
};

constexpr double kInside = 70, kEverywhere = 1e4;  // pixels: 1.5 scale lengths

TEST_F(Ageing, ReddensWhatIsInsideAndLeavesStarsFromOutsideBlue) {
  const double inside = reddening(kInside);
  EXPECT_GT(inside, 0.15);
  keep_outer(4);
  EXPECT_LT(std::abs(reddening(kEverywhere)), inside / 3);
}

TEST_F(Ageing, ReddensStarsFromOutsideThatWereDrivenTogether) {
  keep_outer(3, 0.3f);
  EXPECT_GT(reddening(kEverywhere), 0.12);
}

int largest_difference(const Image& a, const Image& b) {
  int largest = 0;
  for (std::size_t k = 0; k < a.rgb.size(); ++k) largest = std::max(largest, std::abs(a.rgb[k] - b.rgb[k]));
  return largest;
}

TEST_F(Ageing, IsContinuous) {
  EXPECT_LE(largest_difference(image(0), image(1e-4f)), 2);
  EXPECT_LE(largest_difference(image(1), image(1.002f)), 2);
}

TEST_F(Ageing, ChangesOnlyTheColoursOfStars) {
  scene_.settings.color = ColorMode::origin;
  EXPECT_EQ(image(0).rgb, image(kRemnant).rgb);
}

TEST_F(Ageing, OfEachHalfIsItsOwn) {
  scene_.settings.style = StarStyle::splat;
  scene_.settings.auto_exposure = false;
  scene_.settings.bloom = 0;
  const VertexBuffer buffer(scene_.vertices);
  Frame frame{.stars = buffer.stars(), .split = Split{}, .camera = scene_.camera, .settings = scene_.settings};
  const auto drawn = [&](float left, float right) {
    frame.split->left = buffer.stars();
    frame.split->left.age = left;
    frame.stars.age = right;
    return draw_in_one_pass(renderer_, frame, scene_.width, scene_.height);
  };
  const Image young = drawn(0, 0), mixed = drawn(0, kRemnant), old = drawn(kRemnant, kRemnant);
  const auto at = [](const Image& of, int x) { return of.rgb[3 * (360 * 1280 + static_cast<std::size_t>(x)) + 2]; };
  int left = 0, right = 0;
  for (int x = 560; x < 630; ++x) left += std::abs(at(mixed, x) - at(young, x));
  for (int x = 650; x < 720; ++x) right += std::abs(at(mixed, x) - at(old, x));
  EXPECT_LT(left, 70);
  EXPECT_LT(right, 70);
}

}  // namespace
}  // namespace pericenter::render
