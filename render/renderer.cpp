#include "render/renderer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "render/box_pass.h"
#include "render/frame.h"
#include "render/gl_info.h"
#include "render/gl_objects.h"
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

/// Where a picture goes.
struct Target {
  unsigned framebuffer;
  glm::ivec2 size;
};

/// `size`, halved until it has no more than `most` pixels.
glm::ivec2 reduced_size(glm::ivec2 size, std::int64_t most) {
  while (std::int64_t{size.x} * size.y > most) size = (size + 1) / 2;
  return size;
}

}  // namespace

struct Renderer::Impl {
  explicit Impl(const std::string& shader_dir)
      : library(library_for_context(shader_dir)),
        stars(library),
        tone_map(library),
        trails(library),
        boxes(library),
        probe(library),
        picker(library),
        sampler(library) {
    glNamedBufferStorage(uniforms.name(), sizeof(Frame), nullptr, GL_DYNAMIC_STORAGE_BIT);
  }

  ShaderLibrary library;
  bool software = gl_info().software;
  StarPass stars;
  ToneMapPass tone_map;
  TrailPass trails;
  BoxPass boxes;
  ProbePass probe;
  StarPicker picker;
  StarSampler sampler;
  Buffer uniforms = make_buffer();
  ColorTarget reduced;  // for pictures that are too large to be drawn pixel by pixel

  void draw_stars(const Stars& bodies, Footprint footprint, glm::ivec2 size, const Target& target);
};

void Renderer::Impl::draw_stars(const Stars& bodies, Footprint footprint, glm::ivec2 size, const Target& target) {
  stars.resize(size.x, size.y);
  tone_map.resize(size.x, size.y);
  stars.draw(bodies, footprint);
  if (size == target.size) {
    tone_map.draw(stars.light(), target.framebuffer, size.x, size.y);
    return;
  }
  if (size != glm::ivec2(reduced.width, reduced.height)) reduced = ColorTarget(GL_RGBA8, size.x, size.y);
  tone_map.draw(stars.light(), reduced.framebuffer.name(), size.x, size.y);
  glBlitNamedFramebuffer(reduced.framebuffer.name(), target.framebuffer, 0, 0, size.x, size.y, 0, 0, target.size.x,
                         target.size.y, GL_COLOR_BUFFER_BIT, GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glViewport(0, 0, target.size.x, target.size.y);
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

std::optional<std::uint32_t> Renderer::pick(const Picture& picture, glm::vec2 at, glm::ivec2 size) {
  return impl_->picker.pick(picture, at, size);
}

void Renderer::draw(const Picture& picture, unsigned framebuffer, int width, int height) {
  if (width < 1 || height < 1) return;
  const auto& [stars, camera, settings, boxes, trails, show_probe, seconds] = picture;
  const glm::ivec2 size = reduced_size({width, height}, impl_->stars.max_pixels());
  const float closeness = camera.fitted_distance() / camera.distance();
  const StarView view{.count = stars.count, .closeness = closeness, .height = size.y, .software = impl_->software};
  const StarShape shape = star_shape(view, settings);
  const float units = fixed_point_units(stars.count);
  // Nearer or on more pixels the same light covers a larger area: keep its surface brightness.
  const float enlargement = closeness * static_cast<float>(size.y) / kReferenceHeight;
  const Frame frame{
      .clip_from_world = camera.projection(static_cast<float>(width) / static_cast<float>(height)) * camera.view(),
      .size = size,
      .color_mode = static_cast<std::uint32_t>(settings.color),
      .show_halo = settings.show_halo ? 1u : 0u,
      .units = units,
      .radius = shape.radius,
      .low = settings.low,
      .high = settings.high,
      .gain = kTotalLight * std::exp2(settings.exposure) * enlargement * enlargement / units,
      .glow = std::clamp(settings.glow, 0.0f, 1.0f)};
  glNamedBufferSubData(impl_->uniforms.name(), 0, sizeof frame, &frame);
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, impl_->uniforms.name());

  set_plain_state();
  impl_->draw_stars(stars, shape.footprint, size, {.framebuffer = framebuffer, .size = {width, height}});
  if (trails.show) impl_->trails.draw(trails);
  if (boxes.show) {
    const float unit = static_cast<float>(height) / (2 * camera.distance() * std::tan(0.5f * camera.field_of_view()));
    impl_->boxes.draw(boxes, unit);
  }
  if (show_probe) impl_->probe.draw(boxes);

  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, 0);
  glBindVertexArray(0);
  glUseProgram(0);
}

Image Renderer::still(const Picture& picture, int width, int height, const std::function<bool(const Tile&)>& overlay) {
  const OffscreenTarget target(width, height);
  draw(picture, target.framebuffer(), width, height);
  const Tile whole{target.framebuffer(), {0, 0}, {width, height}, {width, height}};
  if (overlay && !overlay(whole)) return {};
  return read_pixels(target.framebuffer(), width, height);
}

std::string Renderer::reload_shaders() {
  try {
    StarPass new_stars(impl_->library);
    ToneMapPass new_tone_map(impl_->library);
    impl_->boxes.build(impl_->library);
    impl_->trails.build(impl_->library);
    impl_->probe.build(impl_->library);
    impl_->stars = std::move(new_stars);
    impl_->tone_map = std::move(new_tone_map);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace pericenter::render
