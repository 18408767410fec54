#include "app/overlay/legend.h"

#include <algorithm>
#include <cmath>

#include "app/overlay/annotations.h"
#include "app/view/color_range.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

using render::ColorMode;

/// Stars with the scalar `scalar(k)`.
template <class Number>
render::StarSample sample_with(std::size_t count, const Number& scalar, Component component = Component::disc) {
  render::StarSample sample;
  for (std::size_t k = 0; k < count; ++k) {
    sample.stars.push_back(
        {.position = {}, .tag = make_tag(k % 2, component), .scalar = static_cast<float>(scalar(k))});
  }
  return sample;
}

std::vector<std::string> ticks_of(const Legend& legend) {
  std::vector<std::string> words;
  for (const Legend::Tick& tick : legend.ticks) words.push_back(tick.text);
  return words;
}

std::vector<std::string> names_of(const Legend& legend) {
  std::vector<std::string> words;
  for (const Legend::Swatch& swatch : legend.swatches) words.push_back(swatch.name);
  return words;
}

using Words = std::vector<std::string>;

class Legends : public Panels {
 protected:
  /// The range is in the unit of the legend.
  Legend with_range(ColorMode mode, double low, double high) {
    ui.view.image.color = mode;
    const ScalarScale scale = scale_of(scalar_of(mode), state);
    ui.view.image.low = static_cast<float>(scale.stored(scale.logarithmic ? std::log10(low) : low));
    ui.view.image.high = static_cast<float>(scale.stored(scale.logarithmic ? std::log10(high) : high));
    return legend_of(ui.view, overlay_data(ui).sample, state);
  }
};

TEST_F(Legends, SayWhatIsDecorative) {
  const auto note = [&] { return legend_of(ui.view, overlay_data(ui).sample, state).note; };
  EXPECT_EQ(note(), "star ages, dust, sky: decorative");
  EXPECT_EQ(legend_of(ui.view, nullptr, state, 5).note, "") << "marked stars";
  ui.view.image.color = ColorMode::origin;
  EXPECT_EQ(note(), "");
  ui.view.image.color = ColorMode::stars;
  state.config.dimension = 2;
  EXPECT_EQ(note(), "");
  state.config.dimension = 3;
  ui.view.theme = Theme::light;
  EXPECT_EQ(note(), "");
  ui.view.theme = Theme::dark;
  ui.view.image.sky = false;
  EXPECT_EQ(note(), "");
}

TEST_F(Legends, StarsOfKnownMassHaveTheirClasses) {
  render::StarSample sample = sample_with(
      10, [](std::size_t) { return 0; }, Component::other);
  EXPECT_EQ(legend_of(ui.view, &sample, state).title, "Bodies");
  for (render::SampledStar& star : sample.stars) star.tag |= kHasSpectralClass;
  const Legend legend = legend_of(ui.view, &sample, state);
  EXPECT_EQ(legend.title, "Stars by mass: O heavy, large, bright; M light");
  EXPECT_EQ(names_of(legend), (Words{"O", "B", "A", "F", "G", "K", "M"}));
}

TEST_F(Legends, SpeedsAreInKilometersPerSecond) {
  const Legend legend = with_range(ColorMode::speed, 0, 400);
  EXPECT_EQ(legend.title, "Speed, km/s");
  EXPECT_EQ(ticks_of(legend), (Words{"0", "100", "200", "300", "400"}));
  EXPECT_FLOAT_EQ(legend.ticks[1].at, 0.25f);
  // A speed of 1 is 248 km/s.
  EXPECT_NEAR(ui.view.image.high, 400 / 248.0, 1e-4);
}

TEST_F(Legends, AccelerationsHaveTicksAtPowersOfTen) {
  const Legend legend = with_range(ColorMode::acceleration, 0.001, 100);
  EXPECT_EQ(legend.title, "Acceleration, km/s/Myr");
  EXPECT_EQ(ticks_of(legend), (Words{"10⁻³", "0.01", "0.1", "1", "10", "100"}));
  EXPECT_NEAR(legend.ticks[3].at, 0.6, 1e-5);
  EXPECT_NEAR(ui.view.image.high, std::log10(100 * 13.8 / 248), 1e-4);
}

TEST_F(Legends, SolarSystemsHaveTheirOwnUnits) {
  state.units = {4.848e-9, 1.5915e-7, 29.785};
  EXPECT_EQ(with_range(ColorMode::density, 1e-4, 1).title, "Density, M☉/AU³");
  EXPECT_NEAR(ui.view.image.high, 0, 1e-2) << "one sun in a cube of one AU";
  EXPECT_EQ(with_range(ColorMode::acceleration, 1e-4, 0.00593).title, "Acceleration, m/s²");
  EXPECT_NEAR(ui.view.image.high, 0, 1e-3) << "orbit of the Earth";
}

TEST_F(Legends, DensitiesAreInSolarMassesPerCubicParsec) {
  // A speed of 248 km/s at 3,500 pc about M: M = 248^2 * 3500 / 4.30091e-3 = 5.005e10 suns.
  const Legend legend = with_range(ColorMode::density, 1e-4, 1);
  EXPECT_EQ(legend.title, "Density, M☉/pc³");
  EXPECT_NEAR(ui.view.image.high, std::log10(std::pow(3500, 3) / 5.005e10), 1e-3);
  state.config.dimension = 2;
  EXPECT_EQ(legend_of(ui.view, overlay_data(ui).sample, state).title, "Density, M☉/pc²");
}

TEST_F(Legends, EveryRangeHasBothEndsAndFewTicks) {
  for (const ColorMode mode : {ColorMode::speed, ColorMode::acceleration}) {
    for (double span = 1e-3; span < 1e9; span *= 1.7) {
      const Legend legend = with_range(mode, 1, 1 + span);
      ASSERT_GE(legend.ticks.size(), 2u) << span;
      ASSERT_LE(legend.ticks.size(), 8u) << span;
      EXPECT_EQ(legend.ticks.front().at, 0);
      EXPECT_EQ(legend.ticks.back().at, 1);
    }
  }
}

TEST_F(Legends, ScenesWithoutUnitsShowNone) {
  state.units = {};
  EXPECT_EQ(with_range(ColorMode::speed, 0, 2).title, "Speed");
  EXPECT_EQ(with_range(ColorMode::acceleration, 0.1, 10).title, "Acceleration");
  EXPECT_EQ(with_range(ColorMode::density, 0.1, 10).title, "Density");
  EXPECT_NEAR(ui.view.image.high, 1, 1e-6);
}

TEST_F(Legends, OfAFieldHaveItsNameUnitAndRange) {
  ui.view.image.color = ColorMode::field;
  EXPECT_EQ(legend_of(ui.view, nullptr, state).message, "this scene has none");
  state.fields = {{"Temperature", "K"}};
  EXPECT_EQ(legend_of(ui.view, nullptr, state).message, "being read");
  state.field = FieldScale{.field = state.fields[0], .logarithmic = true, .low = 100, .high = 1e6};
  const Legend hot = with_range(ColorMode::field, 100, 1e6);
  EXPECT_EQ(hot.title, "Temperature, K");
  EXPECT_EQ(ticks_of(hot), (Words{"100", "1000", "10⁴", "10⁵", "10⁶"}));
  state.field = FieldScale{.field = {"Density", ""}, .logarithmic = true, .low = 1e-30, .high = 1e-20};
  EXPECT_EQ(ticks_of(with_range(ColorMode::field, 1e-30, 1e-20)).back(), "10⁻²⁰");
  state.field = FieldScale{.field = {"Potential", ""}, .low = -6e4, .high = -1e4};
  EXPECT_EQ(ticks_of(with_range(ColorMode::field, -6e4, -1e4)).front(), "-6·10⁴");
}

TEST_F(Legends, OfTypesNamesThem) {
  ui.view.image.color = ColorMode::type;
  EXPECT_EQ(legend_of(ui.view, nullptr, state).message, "this scene has none");
  state.fields = {{"type", ""}};
  state.field = FieldScale{.field = state.fields[0]};
  render::StarSample sample;
  for (const float type : {4.0f, 0.0f, 4.0f, kNoScalar}) sample.stars.push_back({.position = {}, .scalar = type});
  Words names;
  for (const Legend::Swatch& swatch : legend_of(ui.view, &sample, state).swatches) names.push_back(swatch.name);
  EXPECT_EQ(names, (Words{"gas", "star"}));
}

TEST_F(Legends, ForceErrorsMustBeMeasuredFirst) {
  EXPECT_EQ(with_range(ColorMode::force_error, 1e-6, 1e-2).message, "not measured yet");
  state.force_errors = ForceErrors{.mean = 1e-4};
  const Legend legend = legend_of(ui.view, overlay_data(ui).sample, state);
  EXPECT_EQ(legend.message, "");
  EXPECT_EQ(ticks_of(legend), (Words{"10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "0.01"}));
}

TEST_F(Legends, ShowOnlyVisibleStarsAndGalaxies) {
  ui.view.image.color = ColorMode::stars;
  EXPECT_EQ(names_of(legend_of(ui.view, overlay_data(ui).sample, state)),
            (Words{"O", "B", "A", "F", "G", "K", "M", "H II region"}));
  ui.stars.sample = sample_with(
      10, [](std::size_t) { return 0; }, Component::bulge);
  EXPECT_EQ(names_of(legend_of(ui.view, overlay_data(ui).sample, state)), (Words{"F", "G", "K", "M"}));
  EXPECT_EQ(legend_of(ui.view, overlay_data(ui).sample, state).note, "background sky: decorative");
  ui.stars.sample->stars.push_back({.position = {}, .tag = make_tag(4, Component::halo)});
  EXPECT_EQ(names_of(legend_of(ui.view, overlay_data(ui).sample, state)).size(), 4u);
  ui.view.image.color = ColorMode::origin;
  EXPECT_EQ(names_of(legend_of(ui.view, overlay_data(ui).sample, state)), (Words{"Galaxy 1", "Galaxy 2"}));
  ui.view.image.show_halo = true;
  EXPECT_EQ(names_of(legend_of(ui.view, overlay_data(ui).sample, state)), (Words{"Galaxy 1", "Galaxy 2", "Galaxy 5"}));
}

TEST_F(Legends, NameTheGroupsOfTheScene) {
  ui.view.image.color = ColorMode::origin;
  ui.stars.sample = sample_with(10, [](std::size_t) { return 0; });
  const auto names_in = [&](const char* scene) {
    state.scene = scene;
    return names_of(legend_of(ui.view, overlay_data(ui).sample, state));
  };
  const auto title = [&] { return legend_of(ui.view, overlay_data(ui).sample, state).title; };
  EXPECT_EQ(names_in("antennae"), (Words{"NGC 4038", "NGC 4039"}));
  EXPECT_EQ(title(), "Galaxy of origin, centre to edge");
  EXPECT_EQ(names_in("small-bodies"), (Words{"Sun, planets", "main belt"}));
  EXPECT_EQ(names_in("two-body"), (Words{"group 1", "group 2"}));
  EXPECT_EQ(title(), "Group, centre to edge at the start");
  state.units = {};
  EXPECT_EQ(names_in("head-on"), (Words{"first cluster", "second cluster"}));
  EXPECT_EQ(title(), "Star cluster of origin, centre to edge");
  for (render::SampledStar& star : ui.stars.sample->stars) star.tag = make_tag(0, Component::other);
  EXPECT_EQ(names_in("plummer"), (Words{"all bodies"}));
}

class Range : public testing::Test {
 protected:
  ColorRange shown(const render::StarSample& sample) {
    fit_range(sample, scale_, picture_);
    return {static_cast<float>(scale_.shown(picture_.low)), static_cast<float>(scale_.shown(picture_.high))};
  }
  static SessionState in_kpc() {
    SessionState state;
    state.units = {3.5, 13.8, 248};
    return state;
  }
  const SessionState state_ = in_kpc();
  ScalarScale scale_ = scale_of(Scalar::speed, state_);
  render::ImageSettings picture_;
};

TEST_F(Range, IgnoresOutliersUnknownValuesAndTheHalo) {
  auto sample = sample_with(1000, [](std::size_t k) { return k < 10 ? 60000 : k < 500 ? 1.0 : 2.0; });
  const auto halo = sample_with(
      1000, [](std::size_t) { return 9; }, Component::halo);
  const auto unknown = sample_with(1000, [](std::size_t) { return kNoScalar; });
  sample.stars.insert(sample.stars.end(), halo.stars.begin(), halo.stars.end());
  sample.stars.insert(sample.stars.end(), unknown.stars.begin(), unknown.stars.end());
  sample.stars.push_back({.position = {}, .tag = 0, .scalar = NAN});
  EXPECT_EQ(range_of(sample, false)->low, 1);
  EXPECT_EQ(range_of(sample, false)->high, 2);
  EXPECT_EQ(range_of(sample, true)->high, 9);
  EXPECT_FALSE(range_of(unknown, true));
  EXPECT_FALSE(range_of({}, true));
}

TEST_F(Range, HasRoundEndsAroundTheData) {
  const ColorRange speeds =
      shown(sample_with(500, [](std::size_t k) { return 0.1 + 0.0028 * static_cast<double>(k); }));
  EXPECT_EQ(speeds.low, 0);
  EXPECT_FLOAT_EQ(speeds.high, 400);
  scale_ = scale_of(Scalar::acceleration, state_);
  const ColorRange accelerations =
      shown(sample_with(500, [](std::size_t k) { return -2.3 + 0.006 * static_cast<double>(k); }));
  EXPECT_NEAR(2 * accelerations.low, std::round(2 * accelerations.low), 1e-4);
  EXPECT_NEAR(2 * accelerations.high, std::round(2 * accelerations.high), 1e-4);
  EXPECT_LT(picture_.low, -2.3 + 0.07);
  EXPECT_GT(picture_.high, 0.7 - 0.07);
}

TEST_F(Range, OfAFieldIsRoundInItsUnit) {
  SessionState state;
  state.field = FieldScale{.field = {"Potential", ""}, .low = -61000, .high = -9000};
  scale_ = scale_of(Scalar::field, state);
  picture_.high = 0;
  const ColorRange range = shown(sample_with(100, [](std::size_t k) { return 0.01 * static_cast<double>(k); }));
  EXPECT_NEAR(range.low, -60000, 1);
  EXPECT_NEAR(range.high, -10000, 1);
}

TEST_F(Range, OfEqualValuesIsNotEmpty) {
  for (const Scalar scalar : {Scalar::speed, Scalar::interactions}) {
    scale_ = scale_of(scalar, state_);
    for (const double value : {0.0, 1.0, 4.2}) {
      picture_.low = picture_.high = 0;
      shown(sample_with(50, [=](std::size_t) { return value; }));
      EXPECT_GT(picture_.high, picture_.low + 1e-3f) << value;
      EXPECT_LE(picture_.low, value);
      EXPECT_GE(picture_.high, value);
    }
  }
}

TEST_F(Range, StaysWhileItFits) {
  const auto speeds = [](double fastest) {
    return sample_with(500, [=](std::size_t k) { return fastest * static_cast<double>(k) / 500; });
  };
  shown(speeds(1.5));
  const float first = picture_.high;
  for (const double fastest : {1.45, 1.6, 1.3, 1.1, 0.9, 1.55}) {
    shown(speeds(fastest));
    EXPECT_EQ(picture_.high, first) << fastest;
  }
  shown(speeds(2.5));
  EXPECT_GT(picture_.high, 2.4);
  shown(speeds(0.5));
  EXPECT_LT(picture_.high, 0.7);
}

TEST_F(Panels, ColourByAsksForTheScalarAndFreesTheRange) {
  ui.view.fixed_range = true;
  click("color-panel");
  choose("color-by", "density");
  EXPECT_EQ(ui.view.image.color, ColorMode::density);
  const auto* show = asked<request::ShowScalar>();
  ASSERT_TRUE(show);
  EXPECT_EQ(show->scalar, Scalar::density);
  EXPECT_FALSE(ui.view.fixed_range);
}

TEST_F(Panels, TheEndsOfTheRangeAreSetWhereItIsKept) {
  ui.view.image.color = ColorMode::speed;
  click("color-panel");
  frame();
  EXPECT_FALSE(find("range-high"));
  click("lock-range");
  frame();
  const auto item = find("range-high");
  ASSERT_TRUE(item);
  point_at(*item, 0.5f);
  frame();
  press_mouse(true);
  frame();
  press_mouse(false);
  frame();
  EXPECT_NEAR(ui.view.image.high, 1000 / 248.0, 0.3);
}

TEST_F(Panels, FieldsOfTheFileAreListedWithTheirUnits) {
  ui.view.image.color = ColorMode::field;
  click("color-panel");
  frame();
  EXPECT_TRUE(find("no-fields"));
  state.fields = {{"Temperature", "K"}, {"age of stars", "Myr"}};
  state.field = FieldScale{.field = state.fields[0], .logarithmic = true, .low = 10, .high = 1e6};
  choose("field", "age of stars");
  EXPECT_EQ(ui.view.field, "age of stars");
  const auto* show = asked<request::ShowScalar>();
  ASSERT_TRUE(show);
  EXPECT_EQ(show->scalar, Scalar::field);
  EXPECT_EQ(show->field, "age of stars");
  state.playback = TimeRange{.first = 0, .last = 1};
  frame();
  EXPECT_FALSE(find("color-unavailable")) << "a playback has the fields of its files";
}

TEST_F(Panels, ForceErrorsAreMeasuredOnDemand) {
  ui.view.image.color = ColorMode::force_error;
  state.force_errors = ForceErrors{.mean = 1e-4, .median = 1e-4, .percentile_99 = 2e-3, .max = 1};
  click("color-panel");
  click("measure-force-error");
  EXPECT_TRUE(asked<request::MeasureForceErrors>());
  EXPECT_TRUE(find("force-error-p99"));
  EXPECT_TRUE(find("force-error-max"));
}

TEST_F(Panels, TrailsHaveTheirControlsWhileTheyAreShown) {
  click("color-panel");
  frame();
  EXPECT_FALSE(find("trail-count"));
  click("show-trails");
  frame();
  EXPECT_TRUE(ui.view.trails.show);
  for (const char* id : {"trail-length", "trail-opacity", "trail-count"}) EXPECT_TRUE(find(id)) << id;
}

TEST_F(Legends, MarkedStarsHaveAnEntryInEveryMode) {
  ui.view.image.sky = false;  // marks hide it, and with it its line
  for (const ColorMode mode : {ColorMode::stars, ColorMode::origin, ColorMode::speed}) {
    ui.view.image.color = mode;
    EXPECT_FALSE(legend_of(ui.view, nullptr, state).marked);
    const Legend legend = legend_of(ui.view, nullptr, state, 12'345);
    ASSERT_TRUE(legend.marked);
    EXPECT_EQ(legend.marked->name, "marked stars (12,345)");
    const LegendStyle style{.font = fonts.text};
    EXPECT_GT(legend_size(legend, style).y, legend_size(legend_of(ui.view, nullptr, state), style).y + 10);
  }
}

TEST_F(Legends, PanelMarksAndClears) {
  ui.layout.side_bar.open["color-panel"] = true;
  frame();
  click("mark-tails");
  EXPECT_EQ(ui.stars.marks.wanted, (Highlight{.what = Highlight::What::tails}));
  EXPECT_FALSE(find("marked-stars"));
  ui.stars.marks = {.wanted = {}, .count = 240};
  click("clear-marks");
  EXPECT_EQ(ui.stars.marks.wanted, Highlight{});
  EXPECT_TRUE(find("marked-stars"));
}

TEST_F(Panels, LegendsHaveTheirStatedHeight) {
  frame();
  ui.view.image.color = ColorMode::stars;
  ImDrawList draw(ImGui::GetDrawListSharedData());
  draw._ResetForNewFrame();
  draw.PushClipRectFullScreen();
  draw.PushTextureID(ImGui::GetIO().Fonts->TexID);
  for (const float width : {80.0f, 240.0f}) {
    for (const ColorMode mode : {ColorMode::stars, ColorMode::origin, ColorMode::speed, ColorMode::force_error}) {
      ui.view.image.color = mode;
      const LegendStyle style{
          .font = fonts.text, .size = 16, .width = width, .foreground = ~0u, .dim = ~0u, .outline = 1u};
      const Legend legend = legend_of(ui.view, overlay_data(ui).sample, state, width > 100 ? 240 : 0);
      const int before = draw.VtxBuffer.Size;
      const float height = draw_legend(draw, legend, style, {100, 50});
      EXPECT_NEAR(height, legend_size(legend, style).y, 1e-3f);
      ASSERT_GT(draw.VtxBuffer.Size, before);
      for (int k = before; k < draw.VtxBuffer.Size; ++k) {
        EXPECT_GT(draw.VtxBuffer[k].pos.y, 45);
        EXPECT_LT(draw.VtxBuffer[k].pos.y, 50 + height + 5);
        EXPECT_GT(draw.VtxBuffer[k].pos.x, 95);
      }
    }
  }
}

}  // namespace
}  // namespace pericenter::app
