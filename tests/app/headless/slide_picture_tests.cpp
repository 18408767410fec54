#include "app/lessons/slide_picture.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>

#include "app/bars/question_card.h"
#include "app/headless/slide_painter.h"

// What claims measure in the picture of a slide.

namespace pericenter::app {
namespace {

/// A black picture from above of a square of 2 x 2 about the origin, and pixels without words.
SlidePicture picture_from_above() {
  SlidePicture picture;
  picture.image = render::black_image(kPictureWidth, kPictureHeight);
  picture.frame.camera.fit(1);
  picture.frame.camera.look_down();
  picture.words.resize(static_cast<std::size_t>(kPictureWidth) * kPictureHeight);
  return picture;
}

/// A disc of stars on circles, to a radius of 0.6.
Bodies round_disc() {
  Bodies bodies;
  for (int k = 0; k < 2000; ++k) {
    const double r = 0.6 * std::sqrt(k / 2000.0), angle = 2.4 * k;
    bodies.push_back({{r * std::cos(angle), r * std::sin(angle), 0}, {-std::sin(angle), std::cos(angle), 0}, 1, 0});
  }
  return bodies;
}

/// Paints a brightness as a function of radius and angle from the middle of the picture; the disc has this radius.
template <class Brightness>
void paint(const Brightness& brightness, render::Image& image) {
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const double dx = x - kPictureWidth / 2.0, dy = kPictureHeight / 2.0 - y;
      const auto value = static_cast<std::uint8_t>(255 * brightness(std::hypot(dx, dy), std::atan2(dy, dx)));
      for (int k = 0; k < 3; ++k) image.rgb[3 * (static_cast<std::size_t>(y) * image.width + x) + k] = value;
    }
}

TEST(SlidePictures, StarsOutsideOfThePictureOrBehindWordsAreNotInView) {
  SlidePicture picture = picture_from_above();
  const Bodies bodies = round_disc();
  EXPECT_EQ(stars_in_view({picture, bodies}), 100);
  for (std::size_t k = picture.words.size() / 2; k < picture.words.size(); ++k) picture.words[k] = true;
  EXPECT_NEAR(stars_in_view({picture, bodies}), 50, 1);
  picture.frame.camera.move_target({100, 0, 0});
  EXPECT_EQ(stars_in_view({picture, bodies}), 0);
}

TEST(SlidePictures, OnlyHighlightedStarsCount) {
  SlidePicture picture = picture_from_above();
  const Bodies bodies = round_disc();
  const double whole = size_of_stars({picture, bodies});
  std::vector<std::size_t> inner(500);  // to half of the radius
  std::iota(inner.begin(), inner.end(), 0);
  EXPECT_NEAR(size_of_stars({picture, bodies, inner}), whole / 2, 0.02 * whole);
  EXPECT_EQ(stars_in_view({picture, bodies, inner}), 100);
  EXPECT_LT(whole, kPictureHeight);
  EXPECT_GT(whole, kPictureHeight / 3);
}

TEST(SlidePictures, ARunIsInViewInItsOwnHalf) {
  SlidePicture picture = picture_from_above();
  picture.frame.split = render::Split{.side_by_side = true};
  Bodies bodies = round_disc();
  EXPECT_EQ(stars_in_view({picture, bodies, {}, render::Half::left}), 100);
  EXPECT_EQ(stars_in_view({picture, bodies, {}, render::Half::right}), 100);
  for (std::size_t k = 0; k < picture.words.size(); ++k)
    if (k % kPictureWidth < kPictureWidth / 2) picture.words[k] = true;
  EXPECT_EQ(stars_in_view({picture, bodies, {}, render::Half::left}), 0);
  EXPECT_EQ(stars_in_view({picture, bodies, {}, render::Half::right}), 100);
  for (Body& body : bodies) body.position[0] += 1.6;  // A is drawn where B would be
  EXPECT_LT(stars_in_view({picture_from_above(), bodies, {}, render::Half::right}), 100);
  picture.words.assign(picture.words.size(), false);
  EXPECT_LT(stars_in_view({picture, bodies, {}, render::Half::left}), 10);
}

TEST(SlidePictures, AWipeShowsThatPartOfARunWhichIsOnItsSide) {
  SlidePicture picture = picture_from_above();
  picture.frame.split = render::Split{};
  const Bodies bodies = round_disc();
  EXPECT_NEAR(stars_in_view({picture, bodies, {}, render::Half::left}), 50, 1);
  EXPECT_NEAR(stars_in_view({picture, bodies, {}, render::Half::right}), 50, 1);
}

TEST(SlidePictures, OfAHaloCountsTheLightBesideTheStars) {
  SlidePicture picture = picture_from_above();
  Bodies bodies = round_disc();
  EXPECT_TRUE(std::isnan(halo_brightness({picture, bodies})));
  for (int k = 0; k < 2000; ++k) {
    const double angle = 2.4 * k, r = 0.7 + 0.1 * k / 2000;
    bodies.push_back({{r * std::cos(angle), r * std::sin(angle), 0}, {}, 1, make_tag(0, Component::halo)});
  }
  EXPECT_EQ(halo_brightness({picture, bodies}), 0);
  const glm::vec4 right = picture.frame.clip_from_world(render::Half::right, {kPictureWidth, kPictureHeight})[0];
  const glm::vec4 middle = picture.frame.clip_from_world(render::Half::right, {kPictureWidth, kPictureHeight})[3];
  const double unit = 0.5 * kPictureWidth * right.x / middle.w;  // pixels
  paint([&](double r, double) { return r < 0.65 * unit ? 1 : r < 0.9 * unit ? 0.4 : 0.1; }, picture.image);
  EXPECT_NEAR(halo_brightness({picture, bodies}), 30, 1);
}

TEST(SlidePictures, NucleiAreApartInThePicture) {
  SlidePicture picture = picture_from_above();
  Bodies bodies = round_disc();
  EXPECT_TRUE(std::isnan(nuclei_apart({picture, bodies})));
  for (const Body& body : round_disc())
    bodies.push_back({body.position + Vec3{0.5, 0, 0}, body.velocity, 1, make_tag(1, Component::disc)});
  const double apart = nuclei_apart({picture, bodies});
  EXPECT_GT(apart, 80);
  render::CameraPose far = picture.frame.camera.pose();
  far.distance *= 2;
  picture.frame.camera.set_pose(far);
  EXPECT_NEAR(nuclei_apart({picture, bodies}), apart / 2, 0.1 * apart);
}

TEST(SlidePictures, AnArmIsContrastAndARingOrBrightHalfIsNone) {
  SlidePicture picture = picture_from_above();
  const Bodies bodies = round_disc();
  const double radius = kPictureHeight / 2.0;
  paint([&](double r, double angle) { return 0.5 + 0.3 * std::cos(2 * angle + 4 * std::log(r)); }, picture.image);
  EXPECT_NEAR(arm_contrast({picture, bodies}), 60, 5);
  paint([&](double r, double) { return 0.5 + 0.3 * std::cos(20 * r / radius); }, picture.image);
  EXPECT_LT(arm_contrast({picture, bodies}), 2);
  paint([&](double, double angle) { return 0.5 + 0.3 * std::cos(angle); }, picture.image);
  EXPECT_LT(arm_contrast({picture, bodies}), 2);
}

TEST(SlidePictures, ArmsOfOtherColourAreContrastAsWell) {
  SlidePicture picture = picture_from_above();
  paint([&](double r, double angle) { return 0.5 + 0.3 * std::cos(2 * angle + 4 * std::log(r)); }, picture.image);
  for (std::size_t k = 0; k < picture.image.rgb.size(); k += 3) {  // blue arms, red between them, equally bright
    const double blue = picture.image.rgb[k];
    picture.image.rgb[k] = static_cast<std::uint8_t>(160 - 0.0722 / 0.2126 * (blue - 128));
    picture.image.rgb[k + 1] = 128;
  }
  EXPECT_GT(arm_contrast({picture, round_disc()}), 15);
}

TEST(SlidePictures, ADiscThatIsCutOffHasNoMeasuredArms) {
  SlidePicture picture = picture_from_above();
  picture.frame.camera.move_target({0, 1, 0});
  EXPECT_TRUE(std::isnan(arm_contrast({picture, round_disc()})));
}

TEST(SlidePictures, ACellLargerThanThePictureOrTinyIsNotVisible) {
  SlidePicture picture = picture_from_above();
  EXPECT_TRUE(std::isnan(visible_cell_sizes({picture, Bodies()})));
  picture.cells = {{{0, 0, 0}, {50, 50, 0}, 0},
                   {{0, 0, 0}, {0.5f, 0.5f, 0}, 6},
                   {{0.5f, 0, 0}, {0.5f, 0.5f, 0}, 6},
                   {{0, 0, 0}, {0.1f, 0.1f, 0}, 7},
                   {{0, 0, 0}, {0.001f, 0.001f, 0}, 9}};
  EXPECT_EQ(visible_cell_sizes({picture, Bodies()}), 2);
}

class SlidePainters : public testing::Test {
 protected:
  /// Where one half of the picture is brighter than the other, in pixels.
  static std::size_t brighter_pixels(const SlidePicture& picture, int half, int other) {
    std::size_t count = 0;
    for (std::size_t y = 0; y < kPictureHeight; ++y)
      for (std::size_t x = 0; x < kPictureWidth / 2; ++x) {
        const auto red = [&](int of) {
          return picture.image.rgb[3 * (y * kPictureWidth + static_cast<std::size_t>(of) * kPictureWidth / 2 + x)];
        };
        count += red(half) > red(other) + 60;
      }
    return count;
  }
  /// The picture at the end of a lesson of one slide.
  SlidePicture paint(Slide slide) {
    lesson_.name = "test";
    lesson_.slides = {std::move(slide)};
    HeadlessStage stage(lesson_, machine_, stop_);
    stage.enter(lesson_.slides[0]);
    stage.finish();
    return SlidePainter(question_card_rect).paint(stage);
  }
  static Slide slide_of(const std::string& scene) {
    Slide slide{.line = 7, .scene = "pericenter/1 scene=" + scene, .until = UntilSeconds{0.1}};
    slide.options.scene = scene;
    slide.options.bodies = 1500;
    return slide;
  }

  StopSignals stop_;
  LessonMachine machine_;
  Lesson lesson_;
};

TEST_F(SlidePainters, TheCardOfAnAnswerCoversWordsAndThePictureRises) {
  Slide plain = slide_of("galaxy"), asking = plain;
  asking.question.pupils = "What?";
  asking.choices = {{"This."}, {"That."}};
  asking.explanation.pupils = "This is so because of that.";
  const SlidePicture without = paint(plain), with = paint(asking);
  const std::size_t middle = static_cast<std::size_t>(kPictureHeight - 100) * kPictureWidth + kPictureWidth / 2;
  EXPECT_FALSE(without.words[middle]);
  EXPECT_TRUE(with.words[middle]);
  EXPECT_EQ(without.frame.camera.rise(), 0);
  EXPECT_GT(with.frame.camera.rise(), 0.15f);
  EXPECT_LT(with.frame.camera.rise(), 0.6f);
}

TEST_F(SlidePainters, AComparisonShowsBothRunsSideBySide) {
  Slide slide = slide_of("collision");
  slide.compare = "separation=12";
  const SlidePicture picture = paint(slide);
  ASSERT_TRUE(picture.frame.split && picture.frame.split->side_by_side);
  EXPECT_GT(brighter_pixels(picture, 0, 1), 300u);  // the galaxies have other places
  EXPECT_GT(brighter_pixels(picture, 1, 0), 300u);
  constexpr int kMiddle = kPictureWidth / 2;
  EXPECT_TRUE(picture.words[static_cast<std::size_t>(kPictureHeight / 2) * kPictureWidth + kMiddle]);  // divider
}

TEST_F(SlidePainters, EachHalfHasTheAgeOfItsRun) {
  Slide slide = slide_of("collision");
  slide.until = UntilTime{20};
  slide.compare = "separation=12";
  const SlidePicture picture = paint(slide);
  ASSERT_TRUE(picture.frame.split);
  EXPECT_NEAR(picture.frame.split->left.age, 0.020, 0.001);
  EXPECT_NEAR(picture.frame.stars.age, 0.020, 0.001);
}

TEST_F(SlidePainters, AComparisonMarksTheStarsOfBothRuns) {
  Slide slide = slide_of("collision");
  slide.compare = "i1=180,i2=180";
  slide.highlight = {.what = Highlight::What::galaxy, .galaxy = 1};
  const SlidePicture picture = paint(slide);
  std::array<std::size_t, 2> green = {};
  for (std::size_t k = 0; k < picture.image.rgb.size() / 3; ++k) {
    const std::uint8_t* const rgb = &picture.image.rgb[3 * k];
    if (rgb[1] > 200 && rgb[2] < 120) ++green[k % kPictureWidth < kPictureWidth / 2 ? 0 : 1];
  }
  EXPECT_GT(green[0], 100u);
  EXPECT_GT(green[1], 100u);
}

TEST_F(SlidePainters, ReadoutsOfTheSlideCount) {
  Slide slide = slide_of("galaxy");
  EXPECT_EQ(paint(slide).readouts, 0);
  slide.readouts = {Readout::trust, Readout::energy_error, Readout::step_time};
  EXPECT_EQ(paint(slide).readouts, 3);
}

TEST_F(SlidePainters, ARampOfTheTreeShowsAllLevelsToItsEnd) {
  Slide slide = slide_of("galaxy");
  slide.options.config.dimension = 2;
  slide.options.config.solver = "octree";
  slide.options.automatic_solver = false;
  slide.ramp = Ramp{"tree-level", 0, 3, 0.1};
  int deepest = 0, roots = 0;
  for (const TreeBox& cell : paint(slide).cells) {
    deepest = std::max(deepest, cell.level);
    roots += cell.level == 0;
  }
  EXPECT_EQ(roots, 1);
  EXPECT_EQ(deepest, 3);
}

TEST_F(SlidePainters, MarksAndFollowsWhatTheSlideSays) {
  Slide slide = slide_of("collision");
  slide.highlight = {.what = Highlight::What::galaxy, .galaxy = 1};
  slide.follow = {.what = Follow::What::galaxy, .galaxy = 1};
  const SlidePicture picture = paint(slide);
  EXPECT_GT(glm::length(picture.frame.camera.target()), 1);
  slide.highlight = {};
  std::size_t green = 0;
  for (std::size_t k = 0; k < picture.image.rgb.size(); k += 3)
    green += picture.image.rgb[k + 1] > 200 && picture.image.rgb[k + 2] < 120;
  EXPECT_GT(green, 200u);
}

}  // namespace
}  // namespace pericenter::app
