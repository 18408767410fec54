#include "render/color_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "render/gl_info.h"
#include "render/shader_interface.h"
#include "sim/core/bodies.h"
#include "tests/render/golden_image.h"
#include "tests/render/shader_copy.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

// SHOWN: an expression of the attribute `bits[i]` and the index `first + i` of a body.
constexpr const char* kShader = R"(#version 450 core
layout(local_size_x = 64) in;
#include "frame.glsl"
#include "vertex_layout.glsl"
#include "colors.glsl"
layout(std430, binding = 0) readonly buffer Bits { uint bits[]; };
layout(std430, binding = 1) writeonly buffer Shown { vec4 shown[]; };
layout(location = 0) uniform uint first;
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < bits.length()) shown[i] = SHOWN;
}
)";

/// Evaluates colors.glsl on the GPU.
class Colors : public testing::Test {
 protected:
  Colors() : Colors("vec4(body_color(bits[i], 0.0, first + i), 1.0)") {}
  explicit Colors(const std::string& shown) {
    install_gl_debug(true);
    shaders_.write("colors_test.comp", kShader);
    program_ = ShaderLibrary(shaders_.path().string()).build({"colors_test.comp"}, {"SHOWN " + shown});
  }

  /// Colour of each attribute, with vertex indices starting at `first`.
  std::vector<glm::vec4> colors_of(const std::vector<std::uint32_t>& attributes, std::uint32_t first = 0) const {
    std::vector<glm::vec4> colors(attributes.size());
    Buffer frame = make_buffer(), bits = make_buffer(), shown = make_buffer();
    glNamedBufferStorage(frame.name(), sizeof frame_, &frame_, 0);
    glNamedBufferStorage(bits.name(), static_cast<GLsizeiptr>(4 * attributes.size()), attributes.data(), 0);
    glNamedBufferStorage(shown.name(), static_cast<GLsizeiptr>(16 * attributes.size()), nullptr, 0);
    glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, frame.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, bits.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, shown.name());
    tables_.bind();
    glUseProgram(program_.name());
    glProgramUniform1ui(program_.name(), 0, first);
    glDispatchCompute(static_cast<GLuint>((attributes.size() + 63) / 64), 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(shown.name(), 0, static_cast<GLsizeiptr>(16 * colors.size()), colors.data());
    check_gl();
    return colors;
  }
  glm::vec3 color_of(std::uint32_t attribute) const { return glm::vec3(colors_of({attribute}).front()); }

  void show(ColorMode mode) { frame_.color_mode = static_cast<std::uint32_t>(mode); }

  HeadlessContext context_;
  ShaderCopy shaders_;
  Program program_;
  ColorTables tables_;
  FrameUniforms frame_;
};

constexpr std::size_t kMany = 100'000;
constexpr ColorMode kModes[] = {ColorMode::stars, ColorMode::origin, ColorMode::speed, ColorMode::force_error};

float peak(const glm::vec4& color) {
  return std::max({color.r, color.g, color.b});
}

/// Index of the spectral class with this colour; -1 if none.
int class_of(const glm::vec4& color) {
  for (std::size_t k = 0; k < kStellarClasses; ++k) {
    const glm::vec3 wanted = stellar_classes()[k].light;
    if (glm::length(glm::vec3(color) / peak(color) - wanted) < 1e-3f) return static_cast<int>(k);
  }
  return -1;
}

/// Number of stars per class O to M; others under -1.
std::map<int, std::size_t> census(const std::vector<glm::vec4>& colors) {
  std::map<int, std::size_t> count;
  for (const glm::vec4& color : colors) ++count[class_of(color)];
  return count;
}

std::vector<std::uint32_t> many(Component component, double birth) {
  return std::vector<std::uint32_t>(kMany, make_tag(0, component, birth));
}

TEST_F(Colors, ChannelsStayInRangeForAnyVertex) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<std::uint32_t> attributes;
  for (const float scalar : {-65504.0f, -1000.0f, -3.0f, 0.0f, 0.5f, 1.0f, 65504.0f, INFINITY, -INFINITY, nan})
    for (std::uint32_t tag = 0; tag < 65536; tag += 7) attributes.push_back(attribute_of(tag, scalar));
  for (const ColorMode mode : kModes) {
    show(mode);
    for (const float high : {1.0f, 0.0f}) {
      frame_.high = high;
      for (const glm::vec4& color : colors_of(attributes)) {
        ASSERT_TRUE(color.r >= 0 && color.g >= 0 && color.b >= 0) << static_cast<int>(mode);
        ASSERT_LE(peak(color), 1);
        ASSERT_GT(peak(color), 0.02) << "invisible";
      }
    }
  }
}

class Tags : public Colors {
 protected:
  Tags() : Colors("vec4(galaxy_of(bits[i]), component_of(bits[i]), dust_of(bits[i]), is_young(bits[i]))") {}
};

TEST_F(Tags, MeanTheSameInSimulationAndShaders) {
  std::vector<std::uint32_t> tags(65536);
  std::iota(tags.begin(), tags.end(), 0u);
  const std::vector<glm::vec4> shown = colors_of(tags);
  for (const std::uint32_t tag : tags) {
    const glm::vec4 wanted(galaxy_of(tag), static_cast<int>(component_of(tag)), dust_of(tag), is_young(tag));
    ASSERT_EQ(shown[tag], wanted) << tag;
  }
}

TEST_F(Colors, BulgeFollowsSalpeterWithoutYoungStars) {
  const auto count = census(colors_of(many(Component::bulge, 0.2)));
  // Fractions above 1.04, 0.8 and 0.45 solar masses, of stars between 0.31 and 1.1.
  const double all = 4.2 - 0.88;
  const std::array<double, 4> wanted = {(0.948 - 0.88) / all, (1.351 - 0.948) / all, (2.939 - 1.351) / all,
                                        (4.2 - 2.939) / all};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(static_cast<double>(count.at(k + 3)) / kMany, wanted[k], 0.006) << stellar_classes()[k + 3].name;
  }
  EXPECT_EQ(count.size(), 4u);
}

constexpr std::uint32_t kYoung = decoration_tag(Decoration::young);

TEST_F(Colors, DiscIsOldBetweenTheArmsMostOfAllInside) {
  const auto inner = census(colors_of(many(Component::disc, 0.2))), outer = census(colors_of(many(Component::disc, 4)));
  for (const int young : {0, 1, 2}) EXPECT_FALSE(inner.contains(young)) << young;
  EXPECT_GT(inner.at(6), 0u);
  EXPECT_FALSE(outer.contains(6));
  // Fraction of class A among stars of 0.38 to 2.4 ("heavier" of shaders/colors.glsl).
  EXPECT_NEAR(static_cast<double>(outer.at(2)) / kMany, (0.635 - 0.38) / (2.4 - 0.38), 0.006);
}

TEST_F(Colors, ArmsAreYoung) {
  const std::vector<std::uint32_t> arm(kMany, make_tag(0, Component::disc, 4) | kYoung);
  const auto count = census(colors_of(arm));
  EXPECT_NEAR(static_cast<double>(count.at(0) + count.at(1)) / kMany, 0.367 * (1 - 0.008), 0.006);
  EXPECT_FALSE(count.contains(5));
}

TEST_F(Colors, FewYoungBodiesAreIonizedGas) {
  const auto arm = [](double birth) {
    return std::vector<std::uint32_t>(kMany, make_tag(0, Component::disc, birth) | kYoung);
  };
  EXPECT_NEAR(static_cast<double>(census(colors_of(arm(2))).at(-1)) / kMany, 0.05, 0.003);
  EXPECT_FALSE(census(colors_of(arm(5))).contains(-1)) << "at the edge";
  EXPECT_FALSE(census(colors_of(many(Component::disc, 2))).contains(-1));
}

/// The light, and by how many levels less it is spread.
class Shines : public Colors {
 protected:
  Shines()
      : Colors(
            "vec4(body_shine(bits[i], 0.0, first + i).sharp + body_shine(bits[i], 0.0, first + i).wide, "
            "body_shine(bits[i], 0.0, first + i).narrower)") {}

  struct Knots {
    double number = 0, light = 0, all = 0;  ///< of H II regions: their number, light; light of all bodies
  };
  Knots knots(float share) {
    frame_.knots = share;
    Knots result;
    for (const glm::vec4& shine : colors_of(std::vector(kMany, make_tag(0, Component::disc, 2) | kYoung))) {
      result.all += shine.r;
      if (shine.a > 0) result.light = std::max<double>(result.light, shine.r);
      result.number += shine.a > 0 ? 1 : 0;
    }
    return result;
  }
};

// H II regions of many bodies would be too faint to be seen.
TEST_F(Shines, FewerKnotsAreAsMuchBrighter) {
  const Knots all = knots(1), some = knots(0.1f);
  EXPECT_NEAR(some.number / all.number, 0.1, 0.02);
  EXPECT_NEAR(some.light / all.light, 10, 3);
  EXPECT_NEAR(some.all / all.all, 1, 0.02);
}

// Those of few bodies would be hard spots.
TEST_F(Shines, MoreKnotsAreFainter) {
  const Knots all = knots(1), more = knots(4);
  EXPECT_NEAR(more.number / all.number, 4, 0.2);
  EXPECT_LT(more.light, 0.8 * all.light);
  EXPECT_NEAR(more.all / all.all, 1, 0.02);
}

// Masses and their classes (Habets and Heintze 1981).
TEST_F(Colors, StarsOfKnownMassHaveItsColorAndLight) {
  const auto star = [&](double mass) { return color_of(make_tag(0, Component::other, mass) | kHasSpectralClass); };
  const std::pair<double, std::size_t> classes[] = {{7, 1}, {1.7, 2}, {1.2, 3}, {0.95, 4}, {0.6, 5}, {0.1, 6}};
  double before = 2;
  for (const auto& [mass, number] : classes) {
    const glm::vec3 color = star(mass), own = light_of(stellar_classes()[number].light);
    EXPECT_LT(glm::length(glm::normalize(color) - glm::normalize(own)), 0.01f) << mass;
    EXPECT_LT(peak(glm::vec4(color, 1)), before) << "lighter stars are fainter";
    before = peak(glm::vec4(color, 1));
  }
  EXPECT_LT(before, 0.05);
  EXPECT_LT(glm::length(color_of(make_tag(0, Component::other, 7)) - light_of(other_light())), 1e-5f);
}

// Regression: A and F, F and G were the same dark brown or blue in the legend. O and B are alike on black, too.
TEST(LightBackground, SpectralClassesCanBeToldApart) {
  for (std::size_t k = 2; k < kStellarClasses; ++k) {
    const glm::vec3 one = star_color(stellar_classes()[k - 1].light, Background::light);
    const glm::vec3 next = star_color(stellar_classes()[k].light, Background::light);
    EXPECT_GT(glm::distance(one, next), 0.155f) << stellar_classes()[k].name;
  }
}

TEST_F(Colors, OldDiscIsFainterThanTheBulge) {
  const std::pair<std::uint32_t, double> cases[] = {{make_tag(0, Component::disc, 0.2), 0.28},
                                                    {make_tag(0, Component::disc, 4), 0.28},
                                                    {make_tag(0, Component::bulge, 1), 0.7}};
  for (const auto& [tag, light] : cases) {
    double sum = 0, least = 1;
    for (const glm::vec4& color : colors_of(std::vector<std::uint32_t>(kMany, tag))) {
      sum += peak(color);
      least = std::min<double>(least, peak(color));
    }
    EXPECT_NEAR(sum / kMany, light * 15 / 64, 0.004);
    EXPECT_NEAR(least, light / 8, 0.001);
  }
}

TEST_F(Colors, ColorDoesNotDependOnTheBufferRange) {
  const std::vector<std::uint32_t> attributes(1000, make_tag(0, Component::disc, 2));
  const auto all = colors_of(attributes, 5000);
  const auto part = colors_of(std::vector<std::uint32_t>(400, attributes[0]), 5600);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + 600));
}

TEST_F(Colors, OriginIsPaleInsideAndSaturatedOutside) {
  show(ColorMode::origin);
  for (std::uint32_t galaxy = 0; galaxy < 16; ++galaxy) {
    const glm::vec3 inside = color_of(make_tag(galaxy, Component::disc, 0));
    const glm::vec3 outside = color_of(make_tag(galaxy, Component::disc, 6));
    EXPECT_LT(glm::length(inside - light_of(origin_color(galaxy, 0))), 1e-5f) << galaxy;
    EXPECT_LT(glm::length(outside - light_of(origin_color(galaxy, 1))), 1e-5f) << galaxy;
    EXPECT_GT(std::min({inside.r, inside.g, inside.b}), std::min({outside.r, outside.g, outside.b}) + 0.3f);
  }
  EXPECT_NE(color_of(make_tag(0, Component::bulge)), color_of(make_tag(1, Component::bulge)));
}

TEST_F(Colors, BrightGalaxiesHaveTheColorsOfTheLegend) {
  show(ColorMode::origin);
  frame_.color_map = static_cast<std::uint32_t>(GalaxyColors::bright);
  for (std::uint32_t galaxy = 0; galaxy < 7; ++galaxy) {
    const glm::vec3 inside = color_of(make_tag(galaxy, Component::disc, 0));
    const glm::vec3 outside = color_of(make_tag(galaxy, Component::disc, 6));
    EXPECT_LT(glm::length(inside - light_of(origin_color(galaxy, 0, GalaxyColors::bright))), 1e-5f) << galaxy;
    EXPECT_LT(glm::length(outside - light_of(origin_color(galaxy, 1, GalaxyColors::bright))), 1e-5f) << galaxy;
  }
}

TEST_F(Colors, ScalarsUseTheColorMap) {
  show(ColorMode::density);
  frame_.low = -4;
  frame_.high = 4;
  for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis, ColorMap::magma, ColorMap::grey}) {
    frame_.color_map = static_cast<std::uint32_t>(map);
    for (const float scalar : {-9.0f, -4.0f, -1.0f, 0.0f, 2.5f, 4.0f, 900.0f}) {
      const glm::vec3 wanted = light_of(map_color(map, (scalar + 4) / 8));
      EXPECT_LT(glm::length(color_of(attribute_of(0, scalar)) - wanted), 0.01f) << scalar;
    }
  }
}

TEST_F(Colors, UnknownScalarsAreDimGrey) {
  for (const ColorMode mode : {ColorMode::speed, ColorMode::force_error}) {
    show(mode);
    const glm::vec3 color = color_of(attribute_of(0, -1000));
    EXPECT_LT(std::max({color.r, color.g, color.b}), 0.3f);
    EXPECT_LT(std::max({color.r, color.g, color.b}) - std::min({color.r, color.g, color.b}), 0.02f);
  }
}

TEST(ColorMaps, BrightnessIsMonotonic) {
  for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis, ColorMap::magma, ColorMap::grey}) {
    float last = 0.05f;  // even the darkest is visible
    for (int k = 0; k <= 100; ++k) {
      const glm::vec3 color = map_color(map, static_cast<float>(k) / 100);
      const float luma = glm::dot(color, {0.2126f, 0.7152f, 0.0722f});
      EXPECT_GT(luma, last - 1e-4f) << static_cast<int>(map) << ' ' << k;
      last = luma;
    }
    EXPECT_EQ(map_color(map, NAN), map_color(map, 0));
    EXPECT_EQ(map_color(map, 7), map_color(map, 1));
  }
}

void compare(const std::string& name, const ImageSettings& settings) {
  Scene scene = two_spirals(30'000);
  scene.settings = settings;
  expect_golden(name, scene);
}

TEST(GoldenColors, Stars) {
  compare("color_stars", {});
}
TEST(GoldenColors, StarsAndHalo) {
  compare("color_halo", {.show_halo = true});
}
TEST(GoldenColors, Origin) {
  compare("color_origin", {.color = ColorMode::origin});
}
TEST(GoldenColors, Maps) {
  compare("color_viridis", {.color = ColorMode::speed, .high = 2});
  compare("color_cividis", {.color = ColorMode::acceleration, .map = ColorMap::cividis, .high = 2});
  compare("color_magma", {.color = ColorMode::density, .map = ColorMap::magma, .high = 2});
  compare("color_grey", {.color = ColorMode::interactions, .map = ColorMap::grey, .high = 2});
}

// A large buffer is drawn in ranges.
TEST(StarsOfALargeBuffer, ColorDependsOnTheGlobalIndex) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  const std::size_t part = std::size_t{1} << 22;
  const auto frame_of = [&](std::size_t hidden) {
    Scene scene = two_spirals(10);
    scene.vertices.assign(hidden, {.x = 0, .y = 0, .z = 0, .attribute = make_tag(0, Component::halo)});
    for (int i = 0; i < 12; ++i) {
      scene.vertices.push_back({.x = static_cast<float>(i - 6), .attribute = make_tag(0, Component::disc, 1)});
    }
    scene.settings.style = StarStyle::splat;
    scene.settings.exposure = 4;
    return draw(renderer, scene).rgb;
  };
  const auto here = frame_of(part), there = frame_of(2 * part);
  std::size_t differ = 0;
  for (std::size_t k = 0; k < here.size(); ++k) differ += std::abs(here[k] - there[k]) > 25 ? 1 : 0;
  EXPECT_GT(differ, 3u);
}

}  // namespace
}  // namespace pericenter::render
