// The light of an image as numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "render/gl_info.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

class Light : public testing::Test {
 protected:
  Light() { install_gl_debug(true); }

  LightImage light_of(const Scene& scene) {
    const VertexBuffer buffer(scene.vertices);
    const Frame frame{.stars = buffer.stars(), .camera = scene.camera, .settings = scene.settings};
    const LightImage image = renderer_.light(frame, scene.width, scene.height);
    check_gl();
    return image;
  }
  static double sum(const LightImage& image) { return std::accumulate(image.rgb.begin(), image.rgb.end(), 0.0); }

  HeadlessContext context_;
  Renderer renderer_;
};

TEST_F(Light, HasNeitherExposureNorBloom) {
  Scene scene = two_spirals(2000);
  scene.settings.bloom = 0;
  const LightImage plain = light_of(scene);
  EXPECT_GT(sum(plain), 0);
  scene.settings.bloom = 1;
  scene.settings.exposure = 3;
  scene.settings.auto_exposure = false;
  EXPECT_EQ(light_of(scene).rgb, plain.rgb);
}

// Values beyond those of a screen are kept: half of the bodies on one pixel are as bright as they are.
TEST_F(Light, IsNotLimited) {
  Scene scene;
  scene.settings.style = StarStyle::splat;
  scene.settings.color = ColorMode::origin;
  scene.vertices.assign(1000, {.x = 0, .y = 0, .z = 0, .attribute = attribute_of(make_tag(0, Component::disc), 0)});
  const LightImage image = light_of(scene);
  EXPECT_GT(*std::max_element(image.rgb.begin(), image.rgb.end()), 1000);
}

TEST_F(Light, FirstRowIsTheLowest) {
  Scene scene;
  scene.settings.style = StarStyle::splat;
  scene.camera.fit(1);
  scene.vertices = {{.x = 0, .y = 0, .z = 0.5f, .attribute = attribute_of(make_tag(0, Component::other), 0)}};
  const LightImage image = light_of(scene);
  const auto half = static_cast<std::ptrdiff_t>(image.rgb.size() / 2);
  EXPECT_EQ(std::accumulate(image.rgb.begin(), image.rgb.begin() + half, 0.0), 0);
  EXPECT_GT(std::accumulate(image.rgb.begin() + half, image.rgb.end(), 0.0), 0);
}

TEST(PortableFloatMap, HasSizeAndNumbers) {
  const LightImage image{.width = 2, .height = 1, .rgb = {1, 2, 3, 4, 5, 60'000.5f}};
  const std::vector<std::uint8_t> bytes = encode_pfm(image);
  const std::string header = "PF\n2 1\n-1.0\n";
  ASSERT_EQ(bytes.size(), header.size() + 6 * sizeof(float));
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header.size())), header);
  float last = 0;
  std::memcpy(&last, bytes.data() + bytes.size() - sizeof last, sizeof last);
  EXPECT_EQ(last, 60'000.5f);
}

}  // namespace
}  // namespace pericenter::render
