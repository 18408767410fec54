#include "render/exposure_pass.h"

#include <cmath>

#include "render/frame_uniforms.h"

namespace pericenter::render {
namespace {

constexpr GLuint kPictureUnit = 1;
constexpr float kFollowSeconds = 0.17f;  // after half a second 95 % of the way are done
constexpr GLsizeiptr kBytes = 16;        // a block of uniforms has at least so many

}  // namespace

Exposure::Exposure() {
  const float none[kBytes / sizeof(float)] = {};
  glNamedBufferStorage(buffer_.name(), kBytes, none, GL_DYNAMIC_STORAGE_BIT);
}

ExposurePass::ExposurePass(const ShaderLibrary& library) : program_(library.build({"expose.comp"})) {}

void ExposurePass::follow(GLuint picture, float seconds, const Exposure& exposure) const {
  const float share = seconds > 0 ? 1 - std::exp(-seconds / kFollowSeconds) : 0;
  glUseProgram(program_.name());
  glProgramUniform1f(program_.name(), 0, share);
  glBindTextureUnit(kPictureUnit, picture);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, exposure.buffer());
  glDispatchCompute(1, 1, 1);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, 0);
  glBindTextureUnit(kPictureUnit, 0);
  glMemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void ExposurePass::reset(const Exposure& exposure) const {
  glClearNamedBufferData(exposure.buffer(), GL_R32F, GL_RED, GL_FLOAT, nullptr);
}

}  // namespace pericenter::render
