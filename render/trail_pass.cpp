#include "render/trail_pass.h"

#include <algorithm>
#include <utility>

namespace pericenter::render {
namespace {

constexpr std::size_t kRowBytes = 16;

}  // namespace

TrailPass::TrailPass(const ShaderLibrary& library) : copier_(library) {
  build(library);
  GLint max_texels = 0;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &max_texels);
  max_rows_ = static_cast<std::size_t>(max_texels) / kPoints;
}

void TrailPass::build(const ShaderLibrary& library) {
  LazyProgram program(library, {"trail.vert", "trail.frag"});
  copier_ = StarCopier(library);
  program_ = std::move(program);
}

void TrailPass::begin(const Stars& stars, const TrailSettings& settings) {
  const std::size_t max_count = std::clamp<std::size_t>(static_cast<std::size_t>(settings.bodies), 1, max_rows_);
  which_ = every_nth(stars.count, max_count);
  star_count_ = stars.count;
  bodies_ = settings.bodies;
  head_ = 0;
  points_ = 1;
  allocate(places_, kPoints * which_.count * kRowBytes);
  texture_ = make_buffer_texture(GL_RGBA32UI, places_);
}

void TrailPass::record(const Stars& stars, double time, const TrailSettings& settings) {
  if (stars.count == 0 || settings.bodies < 1) return clear();
  const bool other = stars.count != star_count_ || settings.bodies != bodies_;
  if (points_ == 0 || other || time < times_[head_]) {
    begin(stars, settings);
  } else {
    const std::size_t before = (head_ + kPoints - 1) % kPoints;
    const double interval = static_cast<double>(settings.length) / static_cast<double>(kPoints - 1);
    if (points_ == 1 || times_[head_] - times_[before] >= interval) {
      head_ = (head_ + 1) % kPoints;
      points_ = std::min(points_ + 1, kPoints);
    }
  }
  times_[head_] = time;
  copier_.copy(stars, which_, places_.name(), head_ * which_.count);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void TrailPass::draw(const TrailSettings& settings, Background background) const {
  if (points_ < 2) return;
  std::array<float, kPoints> strength{};  // one per point, newest first
  for (std::size_t k = 0; k < points_; ++k) {
    const double age = times_[head_] - times_[(head_ + kPoints - k) % kPoints];
    const float left = 1 - static_cast<float>(age) / std::max(settings.length, 1e-6f);
    strength[k] = std::clamp(settings.opacity, 0.0f, 1.0f) * std::clamp(left, 0.0f, 1.0f);
  }
  const GLuint program = program_.name();
  glProgramUniform1ui(program, 0, static_cast<GLuint>(which_.count));
  glProgramUniform1ui(program, 1, static_cast<GLuint>(which_.stride));
  glProgramUniform1ui(program, 2, static_cast<GLuint>(head_));
  glProgramUniform1ui(program, 3, background == Background::light ? 1 : 0);
  glProgramUniform1fv(program, 4, kPoints, strength.data());
  colors_.bind();
  glBindTextureUnit(0, texture_.name());
  glEnable(GL_BLEND);
  glBlendEquation(background == Background::light ? GL_FUNC_REVERSE_SUBTRACT
                                                  : GL_FUNC_ADD);  // dark trails subtract light
  glBlendFuncSeparate(GL_ONE, GL_ONE, GL_ZERO, GL_ONE);
  glUseProgram(program);
  glBindVertexArray(no_attributes_.name());
  glDrawArraysInstanced(GL_LINES, 0, static_cast<GLsizei>(2 * (points_ - 1)), static_cast<GLsizei>(which_.count));
  glBlendEquation(GL_FUNC_ADD);
  glDisable(GL_BLEND);
  glBindTextureUnit(0, 0);
}

}  // namespace pericenter::render
