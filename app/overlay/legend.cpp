#include "app/overlay/legend.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "app/base/format.h"
#include "app/base/theme.h"
#include "app/base/translation.h"
#include "app/overlay/labels.h"
#include "app/ui/run_sentences.h"
#include "app/view/camera_control.h"
#include "app/view/color_range.h"
#include "render/color_map.h"
#include "sim/core/display_units.h"
#include "sim/files/selection.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

using render::ColorMode;

constexpr std::size_t kBarColors = 33, kSwatchColors = 9;
constexpr std::size_t kMaxTicks = 6;

ImU32 screen(const glm::vec3& color) {
  return ImGui::ColorConvertFloat4ToU32({color.r, color.g, color.b, 1});
}

/// Components and galaxies of the visible stars.
struct Visible {
  std::set<Component> components;
  bool masses = false;  ///< bodies without component have a spectral class
  std::set<std::uint32_t> galaxies, types;
};

Visible visible_in(const ViewSettings& view, const render::StarSample* sample) {
  if (!sample) return {.components = {Component::disc, Component::bulge}, .galaxies = {0, 1}, .types = {}};
  Visible visible;
  for (const render::SampledStar& star : sample->stars) {
    const Component component = component_of(star.tag);
    if (component == Component::halo && !view.image.show_halo) continue;
    const bool has_class = component == Component::other && (star.tag & kHasSpectralClass) != 0;
    visible.masses = visible.masses || has_class;
    if (!has_class) visible.components.insert(component);
    visible.galaxies.insert(galaxy_of(star.tag) % render::kGalaxyColors);
    if (view.image.color == ColorMode::type && star.scalar >= 0)
      visible.types.insert(static_cast<std::uint32_t>(star.scalar + 0.5f));
  }
  return visible;
}

/// Colours of stars as the image shows them: on a light background they are dark.
class StarSwatchColor {
 public:
  explicit StarSwatchColor(Theme theme) : background_(background_of(theme)) {}
  ImU32 operator()(const glm::vec3& color) const {
    return screen(background_ == render::Background::light ? render::on_light_background(color) : color);
  }
  ImU32 of_light(const glm::vec3& light) const { return screen(render::star_color(light, background_)); }

 private:
  render::Background background_;
};

/// Whether stars of this class are in a population without young stars.
bool is_long_lived(const render::StellarClass& kind) {
  return std::string_view("FGKM").find(kind.name[0]) != std::string_view::npos;
}

Legend planets_legend(const Visible& visible, const StarSwatchColor& ink, const SessionState& state) {
  Legend legend{.title = "Bodies"};
  if (visible.components.contains(Component::other) && point_masses(state).count == 0)
    legend.swatches.push_back({"Sun, planet", {ink.of_light(render::other_light())}});
  Legend::Swatch small{"small body", {}};
  for (const render::StellarClass& kind : render::stellar_classes())
    if (is_long_lived(kind)) small.colors.push_back(ink.of_light(kind.light));
  legend.swatches.push_back(small);
  return legend;
}

Legend stars_legend(const Visible& visible, const StarSwatchColor& ink) {
  const bool young = visible.components.contains(Component::disc);
  const bool has_classes = young || visible.masses || visible.components.contains(Component::bulge);
  Legend legend{.title = visible.masses ? "Stars by mass: O heavy, large, bright; M light"
                         : has_classes  ? "Stars by spectral class"
                                        : "Bodies"};
  if (has_classes) {
    for (const render::StellarClass& kind : render::stellar_classes())
      if (young || visible.masses || is_long_lived(kind))
        legend.swatches.push_back({kind.name, {ink.of_light(kind.light)}});
  }
  if (young) legend.swatches.push_back({"H II region", {ink.of_light(render::ionized_gas_light())}});
  if (visible.components.contains(Component::other))
    legend.swatches.push_back(
        {has_classes ? "other body" : "without spectral class", {ink.of_light(render::other_light())}});
  if (visible.components.contains(Component::halo)) {
    legend.swatches.push_back({"dark halo", {ink.of_light(render::halo_light())}});
  }
  return legend;
}

/// Groups of bodies are galaxies, or clusters, or classes of orbits.
Legend origin_legend(const Visible& visible, render::GalaxyColors colors, const StarSwatchColor& ink,
                     const SessionState& state) {
  const bool galaxies = has_galaxies(state);
  const std::string origin(encounter_names(state.units).one);
  Legend legend{.title = galaxies ? origin + " of origin, centre to edge" : "Group, centre to edge at the start"};
  for (const std::uint32_t galaxy : visible.galaxies) {
    std::string name = galaxies ? galaxy_name(state, galaxy) : group_name(state, galaxy);
    if (name.empty()) name = visible.galaxies.size() > 1 ? "group " + std::to_string(galaxy + 1) : "all bodies";
    Legend::Swatch& swatch = legend.swatches.emplace_back(Legend::Swatch{std::move(name), {}});
    for (std::size_t k = 0; k < kSwatchColors; ++k) {
      const float birth = static_cast<float>(k) / static_cast<float>(kSwatchColors - 1);
      swatch.colors.push_back(ink(render::origin_color(galaxy, birth, colors)));
    }
  }
  return legend;
}

/// Both ends and round values in between, or powers of ten; in the unit of ScalarScale::shown().
std::vector<double> tick_places(double low, double high, bool logarithmic) {
  std::vector<double> places = {low};
  double step = std::pow(10, std::floor(std::log10((high - low) / 2)));
  if (logarithmic) step = std::max(1.0, std::ceil((high - low) / static_cast<double>(kMaxTicks - 1)));
  for (int factor = 0; factor < 2 && !logarithmic && (high - low) / step > static_cast<double>(kMaxTicks - 1); ++factor)
    step *= factor == 1 ? 2.5 : 2;
  const double margin = 0.12 * (high - low);  // leaves space for the text
  for (double at = step * std::ceil((low + margin) / step); at < high - margin && places.size() <= kMaxTicks;
       at += step)
    places.push_back(at);
  places.push_back(high);
  return places;
}

Legend no_field_legend(const SessionState& state) {
  return {.title = "Field of the file", .message = state.fields.empty() ? "this scene has none" : "being read"};
}

Legend types_legend(const Visible& visible, const StarSwatchColor& ink, const SessionState& state) {
  if (!state.field) return no_field_legend(state);
  Legend legend{.title = "Type of body"};
  for (const std::uint32_t type : visible.types)
    legend.swatches.push_back({type_name(type), {ink(render::origin_color(type, 1, render::GalaxyColors::safe))}});
  return legend;
}

Legend scalar_legend(const ViewSettings& view, const SessionState& state) {
  const Scalar scalar = scalar_of(view.image.color);
  const ScalarScale scale = scale_of(scalar, state);
  Legend legend{.title = scale.unit.empty() ? scale.title : scale.title + ", " + scale.unit};
  if (scalar == Scalar::force_error && !state.force_errors) {
    legend.message = "not measured yet";
    return legend;
  }
  if (scalar == Scalar::field && !state.field) return no_field_legend(state);
  for (std::size_t k = 0; k < kBarColors; ++k) {
    const float at = static_cast<float>(k) / static_cast<float>(kBarColors - 1);
    legend.colors.push_back(screen(render::map_color(view.image.map, at)));
  }
  const double low = scale.shown(view.image.low), high = scale.shown(view.image.high);
  if (!(high > low)) return legend;
  for (const double place : tick_places(low, high, scale.logarithmic)) {
    const double value = scale.logarithmic ? std::pow(10, place) : place;
    legend.ticks.push_back({static_cast<float>((place - low) / (high - low)),
                            number_text(value, scale.logarithmic ? 0 : 1e-9 * (high - low))});
  }
  return legend;
}

Legend colors_legend(const ViewSettings& view, const Visible& visible, const SessionState& state) {
  const StarSwatchColor ink(view.theme);
  const bool small_bodies = is_planetary(state.units) && visible.components.contains(Component::bulge);
  if (view.image.color == ColorMode::stars)
    return small_bodies ? planets_legend(visible, ink, state) : stars_legend(visible, ink);
  if (view.image.color == ColorMode::origin) return origin_legend(visible, view.image.galaxies, ink, state);
  if (view.image.color == ColorMode::type) return types_legend(visible, ink, state);
  return scalar_legend(view, state);
}

/// Draws a legend, or only measures it if `draw` is null.
class LegendPainter {
 public:
  LegendPainter(ImDrawList* draw, const LegendStyle& style, ImVec2 corner)
      : draw_(draw), style_(style), left_(corner.x), top_(corner.y), y_(corner.y) {}

  /// Height of what was laid out, width of its text.
  ImVec2 size() const { return {width_, y_ - top_}; }
  void skip(float ems) { y_ += ems * style_.size; }

  float width(const std::string& english) const {
    const std::string text = translated(english, style_.language);
    return style_.font->CalcTextSizeA(style_.size, FLT_MAX, 0, text.c_str()).x;
  }
  void write(float x, const std::string& english, ImU32 color) {
    width_ = std::max(width_, x + width(english));
    const std::string text = translated(english, style_.language);
    if (!draw_) return;
    const float edge = std::max(1.0f, style_.size / 14);
    const ImVec2 at{left_ + x, y_};
    for (int k = 0; style_.outline != 0 && k < 8; ++k) {
      const float angle = 0.785398f * static_cast<float>(k);
      const ImVec2 beside{at.x + edge * std::cos(angle), at.y + edge * std::sin(angle)};
      draw_->AddText(style_.font, style_.size, beside, style_.outline, text.c_str());
    }
    draw_->AddText(style_.font, style_.size, at, color, text.c_str());
  }
  /// A colour bar from x to x + width, `ems` high.
  void bar(float x, float width, float ems, const std::vector<ImU32>& colors) const {
    if (!draw_) return;
    const float bottom = y_ + ems * style_.size;
    const float part = width / static_cast<float>(colors.size() - 1);
    for (std::size_t k = 0; k + 1 < colors.size(); ++k) {
      const float from = left_ + x + part * static_cast<float>(k);
      draw_->AddRectFilledMultiColor({from, y_}, {from + part, bottom}, colors[k], colors[k + 1], colors[k + 1],
                                     colors[k]);
    }
  }
  void dot(float x, ImU32 color) const {
    const float radius = 0.28f * style_.size;
    if (!draw_) return;
    const ImVec2 center{left_ + x + radius, y_ + 0.55f * style_.size};
    draw_->AddCircleFilled(center, radius, color);
    draw_->AddCircle(center, radius, style_.dim);  // makes white visible on a light background
  }

 private:
  ImDrawList* draw_;
  const LegendStyle& style_;
  float left_, top_, y_, width_ = 0;
};

void lay_out_bar(const Legend& legend, const LegendStyle& style, LegendPainter& painter) {
  painter.bar(0, style.width, 0.55f, legend.colors);
  painter.skip(0.65f);
  float free = -style.size;  // end of the last number
  const float last = legend.ticks.empty() ? 0 : style.width - painter.width(legend.ticks.back().text);
  for (const Legend::Tick& tick : legend.ticks) {
    const bool is_last = &tick == &legend.ticks.back();
    const float width = painter.width(tick.text), gap = 0.6f * style.size;
    const float x = std::clamp(tick.at * style.width - width / 2, 0.0f, std::max(style.width - width, 0.0f));
    if (x < free + gap || (!is_last && x + width + gap > last)) continue;
    painter.write(x, tick.text, style.dim);
    free = x + width;
  }
  painter.skip(1.15f);
}

void lay_out_swatches(const Legend& legend, const LegendStyle& style, LegendPainter& painter) {
  float x = 0;
  for (const Legend::Swatch& swatch : legend.swatches) {
    const bool is_bar = swatch.colors.size() > 1;
    const float mark = (is_bar ? 4.4f : 0.8f) * style.size, width = mark + painter.width(swatch.name);
    if (x > 0 && x + width > style.width) {
      x = 0;
      painter.skip(1.3f);
    }
    if (is_bar)
      painter.bar(x, mark - 0.4f * style.size, 1, swatch.colors);
    else
      painter.dot(x, swatch.colors.front());
    painter.write(x + mark, swatch.name, style.dim);
    x += width + 0.8f * style.size;
  }
  painter.skip(1.3f);
}

ImVec2 lay_out(ImDrawList* draw, const Legend& legend, const LegendStyle& style, ImVec2 corner) {
  LegendPainter painter(draw, style, corner);
  painter.write(0, legend.title, style.foreground);
  painter.skip(1.35f);
  if (!legend.message.empty()) {
    painter.write(0, legend.message, style.dim);
    painter.skip(1.2f);
  } else if (!legend.colors.empty()) {
    lay_out_bar(legend, style, painter);
  } else {
    lay_out_swatches(legend, style, painter);
  }
  for (const std::optional<Legend::Swatch>& row : {legend.masses, legend.marked}) {
    if (!row) continue;
    painter.dot(0, row->colors.front());
    painter.write(0.8f * style.size, row->name, style.foreground);
    painter.skip(1.3f);
  }
  if (!legend.note.empty()) {
    painter.write(0, legend.note, style.dim);
    painter.skip(1.3f);
  }
  return painter.size();
}

const char* point_mass_words(const SessionState& state) {
  if (!is_solar(state)) return "point mass; others have no mass";
  const SceneInfo* const scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  return scene && !scene->others_have_mass ? "Sun, planet; others have no mass" : "Sun, planet";
}

}  // namespace

Legend legend_of(const ViewSettings& view, const render::StarSample* sample, const SessionState& state,
                 std::size_t marked) {
  const Visible visible = visible_in(view, sample);
  Legend legend = colors_legend(view, visible, state);
  if (const std::size_t masses = point_masses(state).count; masses > 0 && state.bodies > masses)
    legend.masses = {point_mass_words(state), {StarSwatchColor(view.theme)(glm::vec3(1))}};
  if (marked > 0)
    legend.marked = {"marked stars (" + with_thousands(marked) + ")",
                     {screen(render::marked_color(background_of(view.theme)))}};
  if (shows_sky(view, state.config.dimension == 2) && marked == 0)
    legend.note = visible.components.contains(Component::disc) ? "star ages, dust, sky: decorative"
                                                               : "background sky: decorative";
  return legend;
}

float draw_legend(ImDrawList& draw, const Legend& legend, const LegendStyle& style, ImVec2 corner) {
  return lay_out(&draw, legend, style, corner).y;
}

ImVec2 legend_size(const Legend& legend, const LegendStyle& style) {
  return lay_out(nullptr, legend, style, {});
}

}  // namespace pericenter::app
