// Frames that are divided between two sets of stars.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include "render/gl_info.h"
#include "render/renderer.h"
#include "sim/core/vertex_target.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

constexpr int kAdaptation = 3;  // the surroundings of a pixel reach across the divider and change its adaptation
constexpr int kSplitWidth = 320, kSplitHeight = 180;

class SplitFrames : public testing::Test {
 protected:
  SplitFrames() {
    install_gl_debug(true);
    frame_.camera = scene_.camera;
    frame_.settings = scene_.settings;
    frame_.settings.auto_exposure = false;
    // Bloom and smoothing reach across the divider.
    frame_.settings.bloom = 0;
    frame_.settings.style = StarStyle::splat;
  }
  Image drawn(const Frame& frame) { return draw_in_one_pass(renderer_, frame, kSplitWidth, kSplitHeight); }
  Frame of(const VertexBuffer& stars) const {
    Frame frame = frame_;
    frame.stars = stars.stars();
    return frame;
  }
  Frame of(const VertexBuffer& left, const VertexBuffer& right, float divider) const {
    Frame frame = of(right);
    frame.split = Split{left.stars(), divider};
    return frame;
  }
  Frame side_by_side(const VertexBuffer& left, const VertexBuffer& right) const {
    Frame frame = of(right);
    frame.split = Split{.left = left.stars(), .side_by_side = true};
    return frame;
  }
  /// The right or the left half of an image.
  static Image half_of(const Image& image, Half half) {
    Image result{image.width / 2, image.height, {}};
    const auto row = 3 * static_cast<std::ptrdiff_t>(image.width), part = row / 2;
    for (int y = 0; y < image.height; ++y) {
      const auto from = image.rgb.begin() + y * row + (half == Half::right ? part : 0);
      result.rgb.insert(result.rgb.end(), from, from + part);
    }
    return result;
  }
  /// Whether columns [first, end) of both images are equal, up to `tolerance` per channel.
  static bool same_columns(const Image& a, const Image& b, int first, int end, int tolerance = 0) {
    for (int y = 0; y < a.height; ++y) {
      for (int k = 3 * (y * a.width + first); k < 3 * (y * a.width + end); ++k)
        if (std::abs(a.rgb[static_cast<std::size_t>(k)] - b.rgb[static_cast<std::size_t>(k)]) > tolerance) return false;
    }
    return true;
  }
  /// The scene, turned by a quarter.
  std::vector<Vertex> turned() const {
    std::vector<Vertex> vertices = scene_.vertices;
    for (Vertex& vertex : vertices) std::swap(vertex.x, vertex.y);
    return vertices;
  }

  HeadlessContext context_;
  Renderer renderer_;
  Scene scene_ = two_spirals(4000);
  Frame frame_;
};

TEST_F(SplitFrames, EqualStarsOnBothSidesGiveTheUndividedImage) {
  const VertexBuffer stars(scene_.vertices);
  for (const StarStyle style : {StarStyle::splat, StarStyle::sprites}) {
    frame_.settings.style = style;
    frame_.settings.bloom = 0.5f;
    const Image whole = drawn(of(stars));
    // The rounding of large sprites depends on how the edge of the part cuts them.
    for (const float divider : {0.0f, 0.3f, 0.5f, 1.0f})
      EXPECT_TRUE(same_columns(drawn(of(stars, stars, divider)), whole, 0, kSplitWidth, 1)) << divider;
  }
}

TEST_F(SplitFrames, EachSideShowsItsOwnStars) {
  const VertexBuffer left(scene_.vertices), right(turned());
  for (const StarStyle style : {StarStyle::splat, StarStyle::sprites}) {
    frame_.settings.style = style;
    const Image whole_left = drawn(of(left)), whole_right = drawn(of(right));
    const Image split = drawn(of(left, right, 0.25f));
    EXPECT_TRUE(same_columns(split, whole_left, 0, kSplitWidth / 4, kAdaptation));
    EXPECT_TRUE(same_columns(split, whole_right, kSplitWidth / 4, kSplitWidth, kAdaptation));
    EXPECT_FALSE(same_columns(whole_left, whole_right, kSplitWidth / 4, kSplitWidth, kAdaptation));
  }
}

TEST_F(SplitFrames, TreesAndTrailsStayOnTheirSide) {
  const VertexBuffer stars(scene_.vertices);
  Frame frame = of(stars, stars, 0.5f);
  const Image without = drawn(frame);
  frame.boxes.show = frame.trails.show = true;
  renderer_.set_boxes(tree_cells(3), Half::left);
  const Image left = drawn(frame);
  EXPECT_TRUE(same_columns(left, without, kSplitWidth / 2, kSplitWidth));
  EXPECT_FALSE(same_columns(left, without, 0, kSplitWidth / 2));
  renderer_.swap_halves();
  const Image right = drawn(frame);
  EXPECT_TRUE(same_columns(right, without, 0, kSplitWidth / 2));
  EXPECT_FALSE(same_columns(right, without, kSplitWidth / 2, kSplitWidth));
}

TEST_F(SplitFrames, StillsInTilesAreDividedInTheSamePlace) {
  const VertexBuffer left(scene_.vertices), right(turned());
  frame_.settings.bloom = 0;
  const int width = 2304, height = 1296;  // in tiles on a software renderer
  const Frame split = of(left, right, 0.4f);
  const Image image = renderer_.still(split, width, height), whole_left = renderer_.still(of(left), width, height),
              whole_right = renderer_.still(of(right), width, height);
  EXPECT_TRUE(same_columns(image, whole_left, 0, split.divider(width), kAdaptation));
  EXPECT_TRUE(same_columns(image, whole_right, split.divider(width), width, kAdaptation));
}

TEST_F(SplitFrames, AStarIsPickedOnItsOwnSide) {
  const Vertex center{.x = 0, .y = 0, .z = 0, .attribute = make_tag(0, Component::disc)};
  const Vertex away{.x = 1000, .y = 0, .z = 0, .attribute = make_tag(0, Component::disc)};
  const VertexBuffer left({away, center}), right({center, away});
  const auto picked = [&](float divider) {
    return renderer_.pick(of(left, right, divider), {kSplitWidth / 2.0f, kSplitHeight / 2.0f},
                          {kSplitWidth, kSplitHeight});
  };
  EXPECT_EQ(picked(0.9f), std::optional<std::uint32_t>(1));
  EXPECT_EQ(picked(0.1f), std::optional<std::uint32_t>(0));
}

TEST_F(SplitFrames, SideBySideEachHalfIsTheImageOfItsStars) {
  const VertexBuffer left(scene_.vertices), right(turned());
  frame_.settings.show_halo = true;
  for (const StarStyle style : {StarStyle::splat, StarStyle::sprites, StarStyle::automatic}) {
    frame_.settings.style = style;
    const Image both = drawn(side_by_side(left, right));
    const auto alone = [&](const VertexBuffer& stars) {
      return draw_in_one_pass(renderer_, of(stars), kSplitWidth / 2, kSplitHeight);
    };
    // The smoothed light of one half reaches into the other.
    const int reach = style == StarStyle::automatic ? kSplitWidth / 16 : 0;
    EXPECT_TRUE(same_columns(half_of(both, Half::left), alone(left), 0, kSplitWidth / 2 - reach, 2 * kAdaptation));
    EXPECT_TRUE(same_columns(half_of(both, Half::right), alone(right), reach, kSplitWidth / 2, 2 * kAdaptation));
    EXPECT_FALSE(same_columns(alone(left), alone(right), 0, kSplitWidth / 2, 2 * kAdaptation));
  }
}

TEST_F(SplitFrames, SideBySideEqualStarsHaveEqualHalvesWithAllOverlays) {
  const VertexBuffer stars(scene_.vertices);
  Frame frame = side_by_side(stars, stars);
  const auto expect_equal_halves = [&](const char* what) {
    const Image plain = drawn(side_by_side(stars, stars)), image = drawn(frame);
    EXPECT_FALSE(same_columns(image, plain, 0, kSplitWidth)) << what;
    // The rounding of lines depends on their place.
    const Image left = half_of(image, Half::left), right = half_of(image, Half::right);
    std::size_t differing = 0;
    for (std::size_t k = 0; k < left.rgb.size(); ++k) differing += std::abs(left.rgb[k] - right.rgb[k]) > 2 ? 1 : 0;
    EXPECT_LT(differing, left.rgb.size() / 200) << what;
  };
  frame.settings.sky = true;
  expect_equal_halves("sky");
  frame.settings.sky = false;
  frame.boxes.show = true;
  for (const Half half : {Half::left, Half::right}) renderer_.set_boxes(tree_cells(3), half);
  expect_equal_halves("boxes");
  frame.boxes.show = false;
  frame.trails.show = true;
  std::vector<Vertex> moved = scene_.vertices;
  for (Vertex& vertex : moved) vertex.x += 2;
  const VertexBuffer later(moved);
  for (const Half half : {Half::left, Half::right}) {
    renderer_.record_trails(later.stars(), 0, frame.trails, half);
    renderer_.record_trails(stars.stars(), 1, frame.trails, half);
  }
  expect_equal_halves("trails");
}

TEST_F(SplitFrames, SideBySideInTilesIsTheSameImage) {
  const VertexBuffer left(scene_.vertices), right(turned());
  const int width = 2304, height = 1296;  // in tiles on a software renderer
  const Image both = renderer_.still(side_by_side(left, right), width, height);
  EXPECT_TRUE(same_columns(half_of(both, Half::left), renderer_.still(of(left), width / 2, height), 0, width / 2,
                           2 * kAdaptation));
  EXPECT_TRUE(same_columns(half_of(both, Half::right), renderer_.still(of(right), width / 2, height), 0, width / 2,
                           2 * kAdaptation));
}

TEST_F(SplitFrames, SideBySideAStarIsPickedWhereItIsDrawn) {
  const Vertex center{.x = 0, .y = 0, .z = 0, .attribute = make_tag(0, Component::disc)};
  const Vertex away{.x = 1000, .y = 0, .z = 0, .attribute = make_tag(0, Component::disc)};
  const VertexBuffer left({away, center}), right({center, away});
  const auto picked = [&](float share) {
    return renderer_.pick(side_by_side(left, right), {share * kSplitWidth, kSplitHeight / 2.0f},
                          {kSplitWidth, kSplitHeight});
  };
  EXPECT_EQ(picked(0.25f), std::optional<std::uint32_t>(1));
  EXPECT_EQ(picked(0.75f), std::optional<std::uint32_t>(0));
  EXPECT_EQ(picked(0.5f), std::nullopt);
}

}  // namespace
}  // namespace pericenter::render
