#include <gtest/gtest.h>

#include <cmath>

#include "render/gl_info.h"
#include "render/star_readback.h"
#include "sim/core/vertex_target.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

class Sampler : public testing::Test {
 protected:
  Sampler() { install_gl_debug(true); }

  /// Vertex i has x = i, galaxy i mod 16 and scalar i mod 1000.
  static std::vector<Vertex> numbered(std::size_t count) {
    std::vector<Vertex> vertices(count);
    for (std::size_t i = 0; i < count; ++i) {
      vertices[i] = {.x = static_cast<float>(i), .y = 1, .z = -2, .attribute = attribute_of(i % 16, float(i % 1000))};
    }
    return vertices;
  }
  std::optional<StarSample> finished() {
    glFinish();
    return sampler_.take();
  }
  static void expect_is(const SampledStar& star, std::size_t i) {
    EXPECT_EQ(star.position, glm::vec3(static_cast<float>(i), 1, -2));
    EXPECT_EQ(star.tag, i % 16);
    EXPECT_EQ(star.scalar, static_cast<float>(i % 1000));
  }

  HeadlessContext context_;
  StarReadback sampler_{ShaderLibrary("")};
};

TEST_F(Sampler, SamplesAllOfFewAndSomeOfMany) {
  for (const std::size_t count : {1u, 2u, 63u, 4096u, 4097u, 100'003u, (1u << 22) + 3000u}) {
    const VertexBuffer buffer(numbered(count));
    sampler_.request(buffer.stars(), {});
    const auto sample = finished();
    ASSERT_TRUE(sample) << count;
    const std::size_t stride = (count + kMaxSampled - 1) / kMaxSampled;
    ASSERT_EQ(sample->stars.size(), (count + stride - 1) / stride) << count;
    for (std::size_t k = 0; k < sample->stars.size(); ++k) expect_is(sample->stars[k], k * stride);
    EXPECT_FALSE(sample->chosen);
    check_gl();
  }
}

TEST_F(Sampler, SamplesStarsOnTheirWay) {
  std::vector<Vertex> moved = numbered(5000);
  for (Vertex& vertex : moved) vertex = {.x = vertex.x - 4, .y = 3, .z = 6, .attribute = 0};
  const VertexBuffer buffer(numbered(5000)), before(moved);
  Stars stars = buffer.stars();
  stars.before = before.stars().buffer;
  stars.way = 0.75f;
  sampler_.request(stars, 4321);
  const auto sample = finished();
  ASSERT_TRUE(sample && sample->chosen);
  const auto expect_between = [](const SampledStar& star, float i) {
    EXPECT_EQ(star.position, glm::vec3(i - 1, 1.5f, 0));
    EXPECT_EQ(star.tag, static_cast<std::uint32_t>(i) % 16) << "of the buffer that they move to";
  };
  expect_between(sample->stars[7], 14);
  expect_between(sample->first[3], 3);
  expect_between(*sample->chosen, 4321);
  check_gl();
}

TEST_F(Sampler, IncludesTheFirstStars) {
  for (const std::size_t count : {1u, 9u, 16u, 50'000u}) {
    const VertexBuffer buffer(numbered(count));
    sampler_.request(buffer.stars(), 0);
    const auto sample = finished();
    ASSERT_TRUE(sample) << count;
    ASSERT_EQ(sample->first.size(), std::min(count, kFirstSampled)) << count;
    for (std::size_t k = 0; k < sample->first.size(); ++k) expect_is(sample->first[k], k);
    ASSERT_TRUE(sample->chosen);
    expect_is(*sample->chosen, 0);
  }
}

TEST_F(Sampler, IncludesTheChosenStar) {
  const std::size_t count = 50'000;
  const VertexBuffer buffer(numbered(count));
  for (const std::uint32_t chosen : {0u, 1u, 777u, 49'999u}) {
    sampler_.request(buffer.stars(), chosen);
    const auto sample = finished();
    ASSERT_TRUE(sample && sample->chosen) << chosen;
    expect_is(*sample->chosen, chosen);
  }
  sampler_.request(buffer.stars(), count);
  EXPECT_FALSE(finished()->chosen);
}

TEST_F(Sampler, ReturnsTheNewestSampleOnce) {
  EXPECT_FALSE(sampler_.take());
  std::vector<Vertex> vertices = numbered(10);
  for (int k = 0; k < 11; ++k) {
    vertices[3].y = static_cast<float>(k);
    const VertexBuffer buffer(vertices);
    sampler_.request(buffer.stars(), 3);
  }
  const auto sample = finished();
  ASSERT_TRUE(sample && sample->chosen);
  EXPECT_EQ(sample->chosen->position.y, 10);
  EXPECT_FALSE(finished());
}

TEST_F(Sampler, HasNoSampleWithoutStars) {
  sampler_.request({}, 0);
  EXPECT_FALSE(finished());
  check_gl();
}

}  // namespace
}  // namespace pericenter::render
