#include "render/renderer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "render/adaptive_resolution.h"
#include "render/bloom_pass.h"
#include "render/box_pass.h"
#include "render/exposure_pass.h"
#include "render/frame_uniforms.h"
#include "render/gl_info.h"
#include "render/gl_objects.h"
#include "render/gpu_clock.h"
#include "render/image_tile.h"
#include "render/offscreen_target.h"
#include "render/shader_library.h"
#include "render/star_pass.h"
#include "render/star_picker.h"
#include "render/tone_map_pass.h"
#include "render/trail_pass.h"

namespace pericenter::render {
namespace {

/// Light of all bodies together when the camera is where fit() puts it, in white pixels of a
/// picture of kReferenceHeight.
constexpr float kTotalLight = 100000;

constexpr int kTileSide = 2048;
constexpr std::int64_t kMostAtOnce = 4096LL * 2304;  // pixels of a still: 225 MB of light and of what is made of it

ShaderLibrary library_for_context(const std::string& shader_dir) {
  if (GLAD_GL_VERSION_4_5 == 0) {
    const GlInfo info = gl_info();
    throw std::runtime_error("OpenGL 4.5 is required; this is " + info.version + " (" + info.renderer + ")");
  }
  return ShaderLibrary(shader_dir);
}

/// Whoever drew before may have left these on.
void set_plain_state() {
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

/// `size`, halved until it has no more than `most` pixels.
glm::ivec2 reduced_size(glm::ivec2 size, std::int64_t most) {
  while (std::int64_t{size.x} * size.y > most) size = (size + 1) / 2;
  return size;
}

/// What turns bodies into a picture: made anew together when shaders are read again.
struct LightPasses {
  explicit LightPasses(const ShaderLibrary& library)
      : stars(library), bloom(library), exposure(library), tone_map(library) {}

  StarPass stars;
  BloomPass bloom;
  ExposurePass exposure;
  ToneMapPass tone_map;
};

}  // namespace

struct Renderer::Impl {
  explicit Impl(const std::string& shader_dir)
      : library(library_for_context(shader_dir)),
        light(library),
        trails(library),
        boxes(library),
        probe(library),
        picker(library),
        sampler(library) {
    glNamedBufferStorage(uniforms.name(), sizeof(FrameUniforms), nullptr, GL_DYNAMIC_STORAGE_BIT);
  }

  void draw_light(const Frame& picture, const ImageTile& part, unsigned every = 1);
  void spread_and_expose(const Frame& picture, const ImageTile& part, const Exposure& exposure);
  void draw_overlays(const Frame& picture, glm::ivec2 whole, glm::ivec2 drawn);
  void draw_whole(const Frame& picture, unsigned framebuffer, glm::ivec2 size, glm::ivec2 inner, unsigned every = 1);
  Image at_once(const Frame& picture, glm::ivec2 size, const std::function<bool(const Tile&)>& overlay);
  Image in_tiles(const Frame& picture, glm::ivec2 size, const std::function<bool(const Tile&)>& overlay);
  static void unbind();

  ShaderLibrary library;
  bool software = gl_info().software;
  LightPasses light;
  TrailPass trails;
  BoxPass boxes;
  ProbePass probe;
  StarPicker picker;
  StarSampler sampler;
  Buffer uniforms = make_buffer();
  Exposure exposure, exposure_of_stills;
  ColorTarget reduced;  // for pictures that have fewer pixels inside
  GpuClock clock{software};
  RenderTimings timings;
  AdaptiveResolution thrift;
  StarDecimation star_thrift;
};

/// The light of the stars in a part of the picture, or of one in `every` for all, and the uniforms for all that
/// follows.
void Renderer::Impl::draw_light(const Frame& picture, const ImageTile& part, unsigned every) {
  const Stars& bodies = picture.stars;
  const Camera& camera = picture.camera;
  const ImageSettings& settings = picture.settings;
  const float height = static_cast<float>(part.whole.y) / static_cast<float>(1 << part.level);
  const float closeness = camera.fitted_distance() / camera.distance();
  const StarView view{.count = bodies.count, .closeness = closeness, .height = height, .software = software};
  const StarShape shape = star_shape(view, settings);
  const float units = fixed_point_units(bodies.count);
  // Nearer or on more pixels the same light covers a larger area: keep its surface brightness.
  const float larger = closeness * height / kReferenceHeight;
  const float aspect = static_cast<float>(part.whole.x) / static_cast<float>(part.whole.y);
  const FrameUniforms frame{.clip_from_world = enlargement(part) * camera.projection(aspect) * camera.view(),
                            .size = part.size,
                            .color_mode = static_cast<std::uint32_t>(settings.color),
                            .show_halo = settings.show_halo ? 1u : 0u,
                            .units = units,
                            .radius = shape.radius * camera.distance(),
                            .low = settings.low,
                            .high = settings.high,
                            .gain = kTotalLight * larger * larger / units,
                            .bloom = std::clamp(settings.bloom, 0.0f, 1.0f),
                            .least_radius = shape.least,
                            .most_radius = shape.most,
                            .first = part.first,
                            .tone = static_cast<std::uint32_t>(settings.tone),
                            .background = static_cast<std::uint32_t>(settings.background),
                            .stops = settings.exposure,
                            .color_map = static_cast<std::uint32_t>(settings.map)};
  glNamedBufferSubData(uniforms.name(), 0, sizeof frame, &frame);
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, uniforms.name());
  set_plain_state();
  light.stars.resize(part.size.x, part.size.y);
  light.stars.draw(bodies, shape.footprint, every);
}

/// What the whole picture decides, from the light of its part.
void Renderer::Impl::spread_and_expose(const Frame& picture, const ImageTile& part, const Exposure& chosen) {
  light.bloom.resize(part.size, part.whole, part.level);
  light.bloom.resolve(light.stars.light(), light.bloom.picture(), part.size);
  light.bloom.spread();
  clock.mark();
  if (picture.settings.auto_exposure) {
    light.exposure.follow(light.bloom.metered(), picture.seconds, chosen);
  } else {
    light.exposure.reset(chosen);
  }
  clock.mark();
}

/// Over a picture of size `whole`, `drawn` pixels of which are in the bound framebuffer.
void Renderer::Impl::draw_overlays(const Frame& picture, glm::ivec2 whole, glm::ivec2 drawn) {
  const Camera& camera = picture.camera;
  const float aspect = static_cast<float>(whole.x) / static_cast<float>(whole.y);
  const OverlayView view{.clip_from_world = camera.projection(aspect) * camera.view(),
                         .size = whole,
                         .drawn = drawn,
                         .background = picture.settings.background,
                         .focus = camera.distance()};
  if (picture.trails.show) trails.draw(picture.trails, picture.settings.background);
  if (picture.boxes.show) boxes.draw(picture.boxes, view);
  if (picture.show_probe) probe.draw(picture.boxes, view);
}

void Renderer::Impl::unbind() {
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, 0);
  glBindVertexArray(0);
  glUseProgram(0);
}

/// `inner` are the pixels that the stars are drawn with.
void Renderer::Impl::draw_whole(const Frame& picture, unsigned framebuffer, glm::ivec2 size, glm::ivec2 inner,
                                unsigned every) {
  const ImageTile part{.whole = inner, .size = inner};
  draw_light(picture, part, every);
  clock.mark();
  spread_and_expose(picture, part, exposure);
  if (inner == size) {
    bind(framebuffer, size);
    light.tone_map.draw(light.bloom.picture(), light.bloom, exposure);
  } else {
    if (inner != glm::ivec2(reduced.width, reduced.height)) reduced = ColorTarget(GL_RGBA8, inner.x, inner.y);
    bind(reduced.framebuffer.name(), inner);
    light.tone_map.draw(light.bloom.picture(), light.bloom, exposure);
    glBlitNamedFramebuffer(reduced.framebuffer.name(), framebuffer, 0, 0, inner.x, inner.y, 0, 0, size.x, size.y,
                           GL_COLOR_BUFFER_BIT, GL_LINEAR);
    bind(framebuffer, size);
  }
  clock.mark();
  draw_overlays(picture, size, size);
  clock.mark();
  unbind();
}

Image Renderer::Impl::at_once(const Frame& picture, glm::ivec2 size, const std::function<bool(const Tile&)>& overlay) {
  const OffscreenTarget target(size.x, size.y);
  draw_whole(picture, target.framebuffer(), size, size);
  if (overlay && !overlay({target.framebuffer(), {0, 0}, size, size})) return {};
  return read_pixels(target.framebuffer(), size.x, size.y);
}

Image Renderer::Impl::in_tiles(const Frame& picture, glm::ivec2 size, const std::function<bool(const Tile&)>& overlay) {
  Image image = empty_image(size.x, size.y);
  const ImageTile overview = overview_of(size);
  draw_light(picture, overview);
  spread_and_expose(picture, overview, exposure);
  const auto rows = static_cast<int>(std::min<std::int64_t>(kTileSide, light.stars.max_pixels() / kTileSide));
  const std::vector<ImageTile> tiles = tiles_of(size, {kTileSide, rows});
  const ColorTarget resolved(GL_RGBA16F, tiles.front().size.x, tiles.front().size.y);
  for (const ImageTile& part : tiles) {
    draw_light(picture, part);
    light.bloom.resolve(light.stars.light(), resolved, part.size);
    const OffscreenTarget target(part.size.x, part.size.y);
    bind(target.framebuffer(), part.size);
    light.tone_map.draw(resolved, light.bloom, exposure);
    draw_overlays(picture, size, part.size);
    unbind();
    const glm::ivec2 first(part.first.x, size.y - part.first.y - part.size.y);
    if (overlay && !overlay({target.framebuffer(), first, part.size, size})) return {};
    copy_into(read_pixels(target.framebuffer(), part.size.x, part.size.y), first.x, first.y, image);
  }
  return image;
}

Renderer::Renderer(const std::string& shader_dir) : impl_(std::make_unique<Impl>(shader_dir)) {}
Renderer::~Renderer() = default;

void Renderer::set_boxes(std::span<const Box> boxes) {
  impl_->boxes.set_boxes(boxes);
}

void Renderer::set_probe(const ProbeDrawing& drawing) {
  impl_->probe.set(drawing);
}

void Renderer::record_trails(const Stars& stars, double time, const TrailSettings& settings) {
  impl_->trails.record(stars, time, settings);
}

void Renderer::forget_trails() {
  impl_->trails.forget();
}

StarSampler& Renderer::sampler() {
  return impl_->sampler;
}

RenderTimings Renderer::timings() const {
  return impl_->timings;
}

unsigned Renderer::one_star_in() const {
  return impl_->star_thrift.every();
}

std::optional<std::uint32_t> Renderer::pick(const Frame& picture, glm::vec2 at, glm::ivec2 size) {
  return impl_->picker.pick(picture, at, size);
}

void Renderer::draw(const Frame& picture, unsigned framebuffer, int width, int height) {
  if (width < 1 || height < 1) return;
  const bool thrifty = impl_->software && picture.live;
  if (const std::optional<RenderTimings> times = impl_->clock.begin()) {
    impl_->timings = *times;
    if (thrifty) impl_->thrift.add(*times);
    if (!impl_->software && picture.live) impl_->star_thrift.add(times->stars, picture.stars.count);
  }
  const unsigned every = picture.live ? impl_->star_thrift.every() : 1;
  const glm::ivec2 size(width, height);
  glm::ivec2 inner = reduced_size(size, impl_->light.stars.max_pixels());
  if (thrifty && impl_->thrift.halved()) inner = (inner + 1) / 2;
  impl_->draw_whole(picture, framebuffer, size, inner, every);
}

Image Renderer::still(const Frame& picture, int width, int height, const std::function<bool(const Tile&)>& overlay) {
  const glm::ivec2 size(width, height);
  if (std::min(width, height) < 1 || std::max(width, height) > kLargestStill) {
    throw std::runtime_error("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                             " pixels cannot be drawn; each side may be 1 to " + std::to_string(kLargestStill));
  }
  // The window's own exposure goes on from where it was.
  std::swap(impl_->exposure, impl_->exposure_of_stills);
  struct Back {
    Impl& impl;
    ~Back() { std::swap(impl.exposure, impl.exposure_of_stills); }
  } const back{*impl_};
  const std::int64_t most = std::min(impl_->light.stars.max_pixels(), kMostAtOnce);
  const bool small = std::max(width, height) <= kTileSide || !impl_->software;
  const bool fits = small && std::int64_t{width} * height <= most;
  return fits ? impl_->at_once(picture, size, overlay) : impl_->in_tiles(picture, size, overlay);
}

std::string Renderer::reload_shaders() {
  try {
    LightPasses new_light(impl_->library);
    impl_->boxes.build(impl_->library);
    impl_->trails.build(impl_->library);
    impl_->probe.build(impl_->library);
    impl_->picker = StarPicker(impl_->library);
    impl_->sampler.build(impl_->library);
    impl_->light = std::move(new_light);
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
