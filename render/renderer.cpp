#include "render/renderer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "render/box_pass.h"
#include "render/frame.h"
#include "render/gl_info.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"
#include "render/star_pass.h"
#include "render/tone_map_pass.h"

namespace pericenter::render {
namespace {

/// Light of all bodies together when the camera is where fit() puts it, in pixels of white of a picture 720 pixels
/// high.
constexpr float kTotalLight = 50000;
constexpr float kReferenceHeight = 720;

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

}  // namespace

struct Renderer::Impl {
  explicit Impl(const std::string& shader_dir)
      : library(library_for_context(shader_dir)), stars(library), tone_map(library), boxes(library) {
    glNamedBufferStorage(uniforms.name(), sizeof(Frame), nullptr, GL_DYNAMIC_STORAGE_BIT);
  }

  ShaderLibrary library;
  bool software = gl_info().software;
  StarPass stars;
  ToneMapPass tone_map;
  BoxPass boxes;
  Buffer uniforms = make_buffer();
};

Renderer::Renderer(const std::string& shader_dir) : impl_(std::make_unique<Impl>(shader_dir)) {}
Renderer::~Renderer() = default;

void Renderer::set_boxes(std::span<const Box> boxes) {
  impl_->boxes.set_boxes(boxes);
}

void Renderer::draw(const Stars& stars, const OrbitCamera& camera, const PictureSettings& picture,
                    const BoxSettings& boxes, unsigned framebuffer, int width, int height) {
  if (width < 1 || height < 1) return;
  const float closeness = camera.fitted_distance() / camera.distance();
  const StarView view{.count = stars.count, .closeness = closeness, .height = height, .software = impl_->software};
  const StarShape shape = star_shape(view, picture);
  const float units = fixed_point_units(stars.count);
  // Nearer or on more pixels the same light covers a larger area: keep its surface brightness.
  const float enlargement = closeness * static_cast<float>(height) / kReferenceHeight;
  const Frame frame{
      .clip_from_world = camera.projection(static_cast<float>(width) / static_cast<float>(height)) * camera.view(),
      .size = {width, height},
      .color_mode = static_cast<std::uint32_t>(picture.color),
      .show_halo = picture.show_halo ? 1u : 0u,
      .units = units,
      .radius = shape.radius,
      .speed_scale = std::max(picture.speed_scale, 1e-30f),
      .gain = kTotalLight * std::exp2(picture.exposure) * enlargement * enlargement / units,
      .glow = std::clamp(picture.glow, 0.0f, 1.0f),
      .box_opacity = std::clamp(boxes.opacity, 0.0f, 1.0f)};
  glNamedBufferSubData(impl_->uniforms.name(), 0, sizeof frame, &frame);
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, impl_->uniforms.name());

  set_plain_state();
  impl_->stars.resize(width, height);
  impl_->tone_map.resize(width, height);
  impl_->stars.draw(stars, shape.footprint);
  impl_->tone_map.draw(impl_->stars.light(), framebuffer, width, height);
  if (boxes.show) impl_->boxes.draw(boxes.flat);

  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, 0);
  glBindVertexArray(0);
  glUseProgram(0);
}

std::string Renderer::reload_shaders() {
  try {
    StarPass new_stars(impl_->library);
    ToneMapPass new_tone_map(impl_->library);
    impl_->boxes.build(impl_->library);
    impl_->stars = std::move(new_stars);
    impl_->tone_map = std::move(new_tone_map);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace pericenter::render
