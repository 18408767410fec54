#include "render/renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "render/adaptive_quality.h"
#include "render/box_pass.h"
#include "render/crowd_pass.h"
#include "render/gl_info.h"
#include "render/gl_objects.h"
#include "render/gpu_clock.h"
#include "render/image.h"
#include "render/light_levels.h"
#include "render/mass_pass.h"
#include "render/post_processing.h"
#include "render/shader_interface.h"
#include "render/shader_library.h"
#include "render/sky.h"
#include "render/smoothing_pass.h"
#include "render/star_pass.h"
#include "render/star_picker.h"
#include "render/trail_pass.h"

namespace pericenter::render {
namespace {

/// Total light of all bodies in the view chosen by fit(), in white pixels of a frame of kReferenceHeight.
constexpr float kTotalLight = 100000;

constexpr int kTileSide = 2048;
constexpr std::int64_t kMaxSinglePass = 4096LL * 2304;  // pixels of a still drawn in one pass: 225 MB of GPU memory

ShaderLibrary library_for_context(const std::string& shader_dir) {
  if (GLAD_GL_VERSION_4_5 == 0) {
    const GlInfo info = gl_info();
    throw std::runtime_error("OpenGL 4.5 is required, but this is " + info.version + " (" + info.renderer + ")");
  }
  return ShaderLibrary(shader_dir);
}

/// Resets state that other code, such as Dear ImGui, may have changed.
void reset_gl_state() {
  for (const GLenum capability : {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_SCISSOR_TEST, GL_STENCIL_TEST,
                                  GL_FRAMEBUFFER_SRGB, GL_RASTERIZER_DISCARD}) {
    glDisable(capability);
  }
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

void bind(unsigned framebuffer, glm::ivec2 size) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, size.x, size.y);
}

/// The first pixel column of the right half in a tile, 0 to the width of the tile.
int divider_in(const Frame& frame, const ImageTile& tile) {
  return std::clamp((frame.divider(tile.whole.x) - tile.first.x) >> tile.level, 0, tile.size.x);
}

constexpr float kDepthCue = 0.8f;      // share of the light that the strongest setting takes from the farthest stars
constexpr float kDustReach = 1.6f;     // extent of the dust around the target, in scene radii
constexpr float kNearestDust = 0.01f;  // distance from the camera, in distances of the target

/// Dust absorbs the light of stars, not colours that encode values.
bool has_dust(const ImageSettings& settings) {
  return settings.dust > 0 && settings.color == ColorMode::stars;
}

std::optional<DustView> dust_view(const Frame& frame, float aspect, unsigned every) {
  if (!has_dust(frame.settings)) return std::nullopt;
  const Camera& camera = frame.camera;
  const glm::mat4 projection = camera.projection(aspect);
  const float reach = kDustReach * camera.fitted_radius(), distance = camera.distance();
  return DustView{.clip_from_world = projection * camera.view(),
                  .aspect = aspect,
                  .near = std::max(distance - reach, kNearestDust * distance),
                  .far = distance + reach,
                  .height = 2 / projection[1][1],
                  .live = frame.live,
                  .every = every,
                  .absorption = frame.settings.dust};
}

/// The most massive stars of this age, in Gyr: `heavier` of shaders/colors.glsl, m^-1.35 solar masses. They live
/// 10 Gyr m^-2.5.
float turn_off(float age) {
  return std::pow(age / 10, 1.35f / 2.5f);
}

constexpr float kBloomOnPaper = 0.3f;  // share of it

/// Single bodies stay sharp where a colour is a value, and in the style that asks for it.
bool smooths(const ImageSettings& settings) {
  return !is_scalar(settings.color) && settings.style == StarStyle::automatic;
}

/// With colours of types, the number is kTypeColors of shaders/colors.glsl.
std::uint32_t color_map_of(const ImageSettings& settings) {
  if (settings.color == ColorMode::type) return 2;
  return settings.color == ColorMode::origin ? static_cast<std::uint32_t>(settings.galaxies)
                                             : static_cast<std::uint32_t>(settings.map);
}
bool has_fog(const ImageSettings& settings) {
  return settings.show_halo && smooths(settings);
}

constexpr float kMostKnots = 1'000'000;  // bodies; of more, not every H II region is drawn, or they would fade
constexpr float kFewKnots = 120'000;     // of fewer, there are more and fainter ones, or they would be hard spots
constexpr float kFaintestKnot = 3;       // at most this many times as many

/// FrameUniforms::knots for this number of bodies that are drawn.
float knots_of(std::size_t bodies) {
  const float count = static_cast<float>(std::max<std::size_t>(bodies, 1));
  return count > kMostKnots ? kMostKnots / count : std::clamp(kFewKnots / count, 1.0f, kFaintestKnot);
}

// More neighbours in dust, see shaders/accumulate.comp; in live frames without a GPU, the grid of dust is coarser and
// has less noise.
constexpr float kMoreInDust = 0.08f, kMoreInDustLive = 0.04f;
constexpr std::size_t kOnePixelFrom = 4'000'000;  // bodies whose light averages out

/// Whether the light of faint stars is spread.
bool spreads(const Frame& frame) {
  return smooths(frame.settings) && frame.stars.count >= kSamples;
}

/// The coarsest level on which light arrives by itself; 0: none.
int last_spread_level(const Frame& frame, const ImageTile& tile) {
  const int last = std::max(LightLevels::coarsest(tile.whole.y), tile.level + 2);
  const int wide = spreads(frame) ? static_cast<int>(std::ceil(widest_level(tile.whole.y))) : 0;
  const int fog = has_fog(frame.settings) ? std::max(HaloPass::kLevel, tile.level) : 0;
  return std::min(std::max(wide, fog), last);
}

/// Whether a tile shows the whole image. Others take what is spread from one that does.
bool is_whole(const ImageTile& tile) {
  return tile.first == glm::ivec2(0) && (tile.size.x << tile.level) >= tile.whole.x &&
         (tile.size.y << tile.level) >= tile.whole.y;
}

/// Passes from bodies to image; recreated together when shaders are reloaded.
struct LightPasses {
  explicit LightPasses(const ShaderLibrary& library)
      : left_dust(library),
        dust(library),
        halo(library),
        crowd(library),
        stars(library),
        levels(library),
        smoothing(library),
        bloom(library),
        exposure(library),
        tone_map(library),
        linear(library),
        sky(library),
        copy(library) {}

  void draw_image(const Exposure& chosen, const Frame& frame) {
    const bool marks = frame.stars.marks != 0;
    tone_map.draw({.sharp = stars.light(), .bloom = bloom, .smoothing = smoothing, .exposure = chosen}, frame.settings,
                  marks);
  }

  DustPass left_dust, dust;
  HaloPass halo;
  CrowdPass crowd;
  StarPass stars;
  LightLevels levels;
  SmoothingPass smoothing;
  BloomPass bloom;
  ExposurePass exposure;
  ToneMapPass tone_map;
  LinearPass linear;
  SkyPass sky;
  CopyPass copy;
};

/// What the two halves of a split frame do not share.
struct HalfPasses {
  explicit HalfPasses(const ShaderLibrary& library) : trails(library), boxes(library), sampler(library) {}

  TrailPass trails;
  BoxPass boxes;
  StarReadback sampler;
};

}  // namespace

struct Renderer::Impl {
  Impl(const std::string& shader_dir, unsigned decimation)
      : library(library_for_context(shader_dir)),
        light(library),
        right(library),
        left(library),
        masses(library),
        probe(library),
        picker(library),
        marks(library),
        star_decimation(decimation) {
    allocate(uniforms, sizeof(FrameUniforms), nullptr, GL_DYNAMIC_STORAGE_BIT);
  }

  void draw_light(const Frame& frame, const ImageTile& tile, unsigned every = 1);
  StarPass::Spread plan_spread(const Frame& frame, const ImageTile& tile, unsigned every, bool measured);
  void spread_and_expose(const Frame& frame, const ImageTile& tile, const Exposure& exposure);
  void draw_overlays(const Frame& frame, const ImageTile& tile);
  void look(const Frame& frame, Half half, const ImageTile& tile);
  void draw_half(const Frame& frame, Half half, const ImageTile& tile);
  /// One star in so many is drawn.
  unsigned every(const Frame& frame) const { return frame.live ? star_decimation.every() : 1; }
  HalfPasses& passes(Half half) { return half == Half::right ? right : left; }
  void draw_whole(const Frame& frame, unsigned framebuffer, glm::ivec2 size, glm::ivec2 inner, unsigned every = 1);
  Image in_one_pass(const Frame& frame, glm::ivec2 size, const std::function<bool(const Tile&)>& overlay);
  Image in_tiles(const Frame& frame, glm::ivec2 size, const std::function<bool(const Tile&)>& overlay);
  static void unbind();

  ShaderLibrary library;
  bool software = gl_info().software;
  LightPasses light;
  HalfPasses right, left;
  MassPass masses;
  ProbePass probe;
  StarPicker picker;
  StarMarks marks;
  Buffer uniforms;
  Exposure exposure, still_exposure;
  ColorTarget reduced;  // target of frames at reduced resolution
  GpuClock clock{software};
  RenderTimings timings;
  AdaptiveResolution adaptive_resolution;
  StarDecimation star_decimation;
  KeptMeasures kept_measures;
};

/// Sets the frame uniforms and accumulates the light of the stars in a tile, of one in `every` with the light of all.
void Renderer::Impl::draw_light(const Frame& frame, const ImageTile& tile, unsigned every) {
  const Stars& bodies = frame.stars;
  const Camera& camera = frame.camera;
  const ImageSettings& settings = frame.settings;
  const float height = static_cast<float>(tile.whole.y) / static_cast<float>(1 << tile.level);
  const float closeness = camera.fitted_distance() / camera.distance();
  const StarView view{.count = bodies.count,
                      .closeness = closeness,
                      .height = height,
                      .software = software,
                      .halved = software && frame.live && adaptive_resolution.halved()};
  const StarShape shape = star_shape(view, settings);
  const float units = fixed_point_units(bodies.count);
  // Keep the surface brightness when a closer camera or more pixels enlarge the image.
  const float larger = closeness * height / kReferenceHeight;
  const std::optional<DustView> dust = dust_view(frame, frame.aspect(Half::right, tile.whole), every);
  const float on_paper = settings.background == Background::light ? kBloomOnPaper : 1;
  const FrameUniforms values{.size = tile.size,
                             .color_mode = static_cast<std::uint32_t>(color_group(settings.color)),
                             .show_halo = settings.show_halo ? 1u : 0u,
                             .units = units,
                             .radius = shape.radius * camera.distance(),
                             .low = settings.low,
                             .high = settings.high,
                             .gain = kTotalLight * larger * larger / units,
                             .bloom = std::clamp(on_paper * settings.bloom, 0.0f, 1.0f),
                             .min_radius = shape.min,
                             .max_radius = shape.max,
                             .first = tile.first,
                             .stops = settings.exposure,
                             .color_map = color_map_of(settings),
                             .dust = dust ? settings.dust : 0,
                             .halo_fog = has_fog(settings) ? 1u : 0u,
                             .near = camera.distance() - camera.fitted_radius(),
                             .far = camera.distance() + camera.fitted_radius(),
                             .depth_cue = is_scalar(settings.color) ? 0 : kDepthCue * settings.depth_cue,
                             .knots = knots_of(frame.stars.count / every)};
  glNamedBufferSubData(uniforms.name(), 0, sizeof values, &values);
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, uniforms.name());
  reset_gl_state();
  const Stars other = frame.split ? frame.split->left : Stars{};
  const bool keeps = software && frame.live && !frame.split;
  const bool measured = kept_measures.allow({.clip_from_world = frame.clip_from_world(Half::right, tile.whole),
                                             .size = tile.size,
                                             .bodies = bodies.count,
                                             .dust = dust.has_value(),
                                             .spread = spreads(frame)},
                                            keeps);
  if (dust && !measured) {
    light.dust.fill(bodies, *dust);
    if (frame.split) light.left_dust.fill(other, *dust);
  }
  clock.mark();
  const StarPass::Spread spread = plan_spread(frame, tile, every, measured);
  light.stars.resize(tile.size.x, tile.size.y, is_whole(tile) ? light.smoothing.plane_pixels() : 0);
  const int column = divider_in(frame, tile);
  if (has_fog(settings)) {
    light.halo.clear(tile.size, tile.level);
    look(frame, Half::left, tile);
    if (column > 0) light.halo.add(other, {0, column});
    look(frame, Half::right, tile);
    if (column < tile.size.x) light.halo.add(bodies, {column, tile.size.x});
  }
  light.stars.draw(other, bodies, column,
                   {.footprint = shape.footprint,
                    .color = settings.color,
                    .every = every,
                    .left_dust = dust ? &light.left_dust : nullptr,
                    .dust = dust ? &light.dust : nullptr,
                    .spread = spreads(frame) ? &spread : nullptr,
                    .look = [&](Half half) { look(frame, half, tile); }});
}

/// How far the light of each body is spread, unless `measured`, and where it goes.
StarPass::Spread Renderer::Impl::plan_spread(const Frame& frame, const ImageTile& tile, unsigned every, bool measured) {
  const bool whole = is_whole(tile);
  if (whole) light.smoothing.arrange(tile, last_spread_level(frame, tile));
  if (!spreads(frame)) return {};
  if (whole && !measured) {
    const int column = divider_in(frame, tile);
    light.crowd.clear(tile, frame.stars.count);
    for (const Half half : {Half::left, Half::right}) {
      const glm::ivec2 columns = half == Half::left ? glm::ivec2(0, column) : glm::ivec2(column, tile.size.x);
      if (columns.x >= columns.y) continue;
      look(frame, half, tile);
      light.crowd.add(frame.stars_of(half), columns);
    }
    light.crowd.finish(widest_level(tile.whole.y), every);
  }
  return {.levels = light.crowd.levels(),
          .place = light.crowd.place_of(tile),
          .widest = widest_level(tile.whole.y),
          .in_dust = software && frame.live ? kMoreInDustLive : kMoreInDust,
          .first_level = {light.smoothing.first_level(), tile.level},
          .planes = whole ? light.smoothing.planes() : std::span<const SmoothingPass::Plane>(),
          .one_pixel = !software && frame.stars.count / every >= kOnePixelFrom};
}

/// Sets the projection and the age of the scene in the frame uniforms.
void Renderer::Impl::look(const Frame& frame, Half half, const ImageTile& tile) {
  const glm::mat4 clip = tile_transform(tile) * frame.clip_from_world(half, tile.whole);
  glNamedBufferSubData(uniforms.name(), offsetof(FrameUniforms, clip_from_world), sizeof clip, &clip);
  const float age = frame.stars_of(half).age;
  const std::array ages{age, turn_off(age)};
  glNamedBufferSubData(uniforms.name(), offsetof(FrameUniforms, age), sizeof ages, ages.data());
}

/// Bloom and exposure, from the accumulated light.
void Renderer::Impl::spread_and_expose(const Frame& frame, const ImageTile& tile, const Exposure& chosen) {
  light.levels.resize(tile.size, tile.whole, tile.level);
  light.smoothing.resolve(light.stars.light(), has_fog(frame.settings) ? &light.halo : nullptr);
  light.levels.shrink(light.stars.light(), light.smoothing.targets(), light.smoothing.first_level());
  const int divider = frame.divider(tile.whole.x);
  if (spreads(frame))
    light.smoothing.stretch(
        {.levels = light.levels, .height = tile.whole.y, .divider = divider, .live = software && frame.live});
  std::vector<SmoothingPass::Lanes> lanes;
  if (has_dust(frame.settings)) {
    const int width = tile.whole.x;
    const auto add = [&](const DustPass& dust, glm::ivec2 columns, Half half) {
      if (columns.x < columns.y)
        lanes.push_back({dust.lanes(), dust.lanes_size(), columns, frame.columns(half, width), tile.whole.y});
    };
    add(light.left_dust, {0, divider}, Half::left);
    add(light.dust, {divider, width}, Half::right);
  }
  light.smoothing.collect(lanes);
  light.bloom.spread(light.levels, light.smoothing);
  clock.mark();
  if (frame.settings.auto_exposure) {
    light.exposure.follow({.light = light.stars.light(),
                           .levels = light.levels,
                           .smoothing = light.smoothing,
                           .bodies = frame.stars.count,
                           .bloom = frame.settings.bloom,
                           .grain = smooths(frame.settings)},
                          frame.seconds, chosen);
  } else {
    light.exposure.reset(chosen);
  }
  clock.mark();
}

void Renderer::Impl::draw_half(const Frame& frame, Half half, const ImageTile& tile) {
  const OverlayView view{.clip_from_world = frame.clip_from_world(half, tile.whole),
                         .size = tile.whole,
                         .drawn = tile.size,
                         .background = frame.settings.background,
                         .focus = frame.camera.distance()};
  look(frame, half, tile);
  const glm::ivec2 filled = frame.columns(half, tile.whole.x);
  if (shows_sky(frame))
    light.sky.draw(frame.camera, {.whole = {filled.y - filled.x, tile.whole.y},
                                  .first = {tile.first.x - filled.x, tile.first.y},
                                  .size = tile.size});
  if (frame.trails.show) passes(half).trails.draw(frame.trails, frame.settings.background);
  masses.draw(frame.stars_of(half), view);
  if (frame.boxes.show) passes(half).boxes.draw(frame.boxes, view);
  if (frame.show_probe && half == Half::right) probe.draw(frame.boxes, view);
}

/// Draws sky and overlays of a tile into the bound framebuffer, which has its size.
void Renderer::Impl::draw_overlays(const Frame& frame, const ImageTile& tile) {
  const glm::ivec2 drawn = tile.size;
  const int column = divider_in(frame, tile);
  if (column > 0) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, column, drawn.y);
    draw_half(frame, Half::left, tile);
    glScissor(column, 0, drawn.x - column, drawn.y);
  }
  draw_half(frame, Half::right, tile);
  glDisable(GL_SCISSOR_TEST);
}

void Renderer::Impl::unbind() {
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, 0);
  glBindVertexArray(0);
  glUseProgram(0);
}

/// `inner`: resolution at which the stars are drawn.
void Renderer::Impl::draw_whole(const Frame& frame, unsigned framebuffer, glm::ivec2 size, glm::ivec2 inner,
                                unsigned every) {
  const ImageTile tile{.whole = inner, .size = inner};
  draw_light(frame, tile, every);
  clock.mark();
  spread_and_expose(frame, tile, exposure);
  if (inner == size) {
    bind(framebuffer, size);
    light.draw_image(exposure, frame);
  } else {
    if (inner != glm::ivec2(reduced.width, reduced.height)) reduced = ColorTarget(GL_RGBA8, inner.x, inner.y);
    bind(reduced.framebuffer.name(), inner);
    light.draw_image(exposure, frame);
    light.copy.draw(reduced.texture.name(), framebuffer, {0, 0}, size);
  }
  clock.mark();
  draw_overlays(frame, {.whole = size, .size = size});
  clock.mark();
  unbind();
}

Image Renderer::Impl::in_one_pass(const Frame& frame, glm::ivec2 size,
                                  const std::function<bool(const Tile&)>& overlay) {
  const OffscreenTarget target(size.x, size.y);
  draw_whole(frame, target.framebuffer(), size, size);
  if (overlay && !overlay({target.framebuffer(), {0, 0}, size, size})) return {};
  return read_pixels(target.framebuffer(), size.x, size.y);
}

Image Renderer::Impl::in_tiles(const Frame& frame, glm::ivec2 size, const std::function<bool(const Tile&)>& overlay) {
  Image image = black_image(size.x, size.y);
  const ImageTile overview = overview_of(size);
  draw_light(frame, overview);
  spread_and_expose(frame, overview, exposure);
  const auto rows = static_cast<int>(std::min<std::int64_t>(kTileSide, light.stars.max_pixels() / kTileSide));
  const std::vector<ImageTile> tiles = tiles_of(size, {kTileSide, rows});
  for (const ImageTile& tile : tiles) {
    draw_light(frame, tile);
    const OffscreenTarget target(tile.size.x, tile.size.y);
    bind(target.framebuffer(), tile.size);
    light.draw_image(exposure, frame);
    draw_overlays(frame, tile);
    unbind();
    const glm::ivec2 first(tile.first.x, size.y - tile.first.y - tile.size.y);
    if (overlay && !overlay({target.framebuffer(), first, tile.size, size})) return {};
    copy_into(read_pixels(target.framebuffer(), tile.size.x, tile.size.y), first.x, first.y, image);
  }
  return image;
}

Renderer::Renderer(const std::string& shader_dir, unsigned decimation)
    : impl_(std::make_unique<Impl>(shader_dir, decimation)) {}
Renderer::~Renderer() = default;

void Renderer::set_boxes(std::span<const Box> boxes, Half half) {
  impl_->passes(half).boxes.set_boxes(boxes);
}

void Renderer::set_probe(const ProbeDrawing& drawing) {
  impl_->probe.set(drawing);
}

void Renderer::record_trails(const Stars& stars, double time, const TrailSettings& settings, Half half) {
  impl_->passes(half).trails.record(stars, time, settings);
}

void Renderer::clear_trails(Half half) {
  impl_->passes(half).trails.clear();
}

StarReadback& Renderer::sampler(Half half) {
  return impl_->passes(half).sampler;
}

StarMarks& Renderer::marks() {
  return impl_->marks;
}

const StarMarks& Renderer::marks() const {
  return impl_->marks;
}

void Renderer::swap_halves() {
  std::swap(impl_->right, impl_->left);
}

RenderTimings Renderer::timings() const {
  return impl_->timings;
}

unsigned Renderer::star_decimation() const {
  return impl_->star_decimation.every();
}

std::optional<std::uint32_t> Renderer::pick(const Frame& frame, glm::vec2 at, glm::ivec2 size) {
  return impl_->picker.pick(frame, at, size);
}

void Renderer::draw(const Frame& frame, unsigned framebuffer, int width, int height) {
  if (width < 1 || height < 1) return;
  const bool adaptive = impl_->software && frame.live, decimates = !impl_->software && frame.live;
  if (const std::optional<RenderTimings> times = impl_->clock.begin()) {
    impl_->timings = *times;
    if (adaptive) impl_->adaptive_resolution.add(*times);
    if (decimates) impl_->star_decimation.add(*times);
  }
  if (decimates) impl_->star_decimation.begin(frame.stars.count + (frame.split ? frame.split->left.count : 0));
  const glm::ivec2 size(width, height);
  glm::ivec2 inner = size;
  while (std::int64_t{inner.x} * inner.y > impl_->light.stars.max_pixels()) inner = (inner + 1) / 2;
  if (adaptive && impl_->adaptive_resolution.halved()) inner = (inner + 1) / 2;
  impl_->draw_whole(frame, framebuffer, size, inner, impl_->every(frame));
}

void Renderer::copy(const OffscreenTarget& image, unsigned framebuffer, glm::ivec2 first, glm::ivec2 size) {
  reset_gl_state();
  impl_->light.copy.draw(image.texture(), framebuffer, first, size);
}

Image Renderer::still(const Frame& frame, int width, int height, const std::function<bool(const Tile&)>& overlay) {
  const glm::ivec2 size(width, height);
  if (std::min(width, height) < 1 || std::max(width, height) > kMaxStillSide) {
    throw std::runtime_error("An image of " + std::to_string(width) + " x " + std::to_string(height) +
                             " pixels cannot be drawn; each side may have 1 to " + std::to_string(kMaxStillSide) +
                             " pixels.");
  }
  // Stills must not affect the exposure of the window.
  std::swap(impl_->exposure, impl_->still_exposure);
  struct Restore {
    Impl& impl;
    ~Restore() { std::swap(impl.exposure, impl.still_exposure); }
  } const restore{*impl_};
  const std::int64_t max_pixels = std::min(impl_->light.stars.max_pixels(), kMaxSinglePass);
  const bool small = std::max(width, height) <= kTileSide || !impl_->software;
  const bool fits = small && std::int64_t{width} * height <= max_pixels;
  return fits ? impl_->in_one_pass(frame, size, overlay) : impl_->in_tiles(frame, size, overlay);
}

LightImage Renderer::light(const Frame& frame, int width, int height) {
  if (width < 1 || height < 1 || std::int64_t{width} * height > impl_->light.stars.max_pixels())
    throw std::runtime_error("The light of " + std::to_string(width) + " x " + std::to_string(height) +
                             " pixels cannot be drawn in one pass.");
  LightImage image{.width = width, .height = height, .rgb = {}};
  image.rgb.resize(std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const ImageTile tile{.whole = {width, height}, .size = {width, height}};
  const ColorTarget target(GL_RGBA32F, width, height);
  impl_->draw_light(frame, tile, impl_->every(frame));
  impl_->spread_and_expose(frame, tile, Exposure());
  impl_->light.linear.draw(impl_->light.stars.light(), impl_->light.smoothing, target);
  impl_->unbind();
  glGetTextureImage(target.texture.name(), 0, GL_RGB, GL_FLOAT, static_cast<GLsizei>(image.rgb.size() * sizeof(float)),
                    image.rgb.data());
  return image;
}

std::string Renderer::reload_shaders() {
  try {
    LightPasses new_light(impl_->library);
    for (HalfPasses* half : {&impl_->right, &impl_->left}) {
      half->boxes.build(impl_->library);
      half->trails.build(impl_->library);
      half->sampler.build(impl_->library);
    }
    impl_->masses.build(impl_->library);
    impl_->probe.build(impl_->library);
    impl_->picker = StarPicker(impl_->library);
    impl_->marks.build(impl_->library);
    impl_->light = std::move(new_light);
    impl_->kept_measures = {};
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

std::string Renderer::use_shaders(const std::string& shader_dir) {
  impl_->library = ShaderLibrary(shader_dir);
  return reload_shaders();
}

}  // namespace pericenter::render
