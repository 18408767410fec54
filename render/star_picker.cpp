#include "render/star_picker.h"

#include <algorithm>
#include <limits>

#include "render/frame_uniforms.h"

namespace pericenter::render {
namespace {

constexpr std::size_t kBodyBytes = 16;
constexpr GLuint kGroup = 128;                        // local size of the compute shader
constexpr std::size_t kChunk = std::size_t{1} << 22;  // 64 MiB: half of the minimum GL_MAX_SHADER_STORAGE_BLOCK_SIZE
constexpr float kReach = 6, kMaxReach = 14;           // pixels around the cursor
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Locations of the uniforms of shaders/pick.comp.
enum Location { clip_from_world, count = 4, first, show_halo, cursor, size, reach };

}  // namespace

StarPicker::StarPicker(const ShaderLibrary& library)
    : programs_{LazyProgram(library, {"pick.comp"}, {"SEARCH 0"}), LazyProgram(library, {"pick.comp"}, {"SEARCH 1"})} {
  glNamedBufferStorage(found_.name(), 2 * sizeof(std::uint32_t), nullptr, GL_DYNAMIC_STORAGE_BIT);
}

std::optional<std::uint32_t> StarPicker::pick(const Frame& frame, glm::vec2 at, glm::ivec2 frame_size) {
  if (frame_size.x < 1 || frame_size.y < 1 || !std::isfinite(at.x) || !std::isfinite(at.y)) return std::nullopt;
  const bool is_left = frame.split && at.x < static_cast<float>(frame.divider(frame_size.x));
  const Stars& stars = is_left ? frame.split->left : frame.stars;
  if (stars.count == 0) return std::nullopt;
  const glm::vec2 whole(frame_size);
  const glm::mat4 matrix = frame.camera.projection(whole.x / whole.y) * frame.camera.view();
  std::array<std::uint32_t, 2> found = {kNone, kNone};
  glNamedBufferSubData(found_.name(), 0, sizeof found, found.data());
  for (const LazyProgram& program : programs_) {
    const GLuint name = program.name();
    glProgramUniformMatrix4fv(name, clip_from_world, 1, GL_FALSE, &matrix[0][0]);
    glProgramUniform1ui(name, show_halo, frame.settings.show_halo ? 1 : 0);
    glProgramUniform2f(name, cursor, at.x, at.y);
    glProgramUniform2f(name, size, whole.x, whole.y);
    glProgramUniform1f(name, reach, std::clamp(kReach * whole.y / kReferenceHeight, kReach, kMaxReach));
    search(program, stars);
  }
  glGetNamedBufferSubData(found_.name(), 0, sizeof found, found.data());
  if (found[1] == kNone) return std::nullopt;
  return found[1];
}

void StarPicker::search(const LazyProgram& program, const Stars& stars) const {
  glUseProgram(program.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, found_.name());
  for (std::size_t begin = 0; begin < stars.count; begin += kChunk) {
    const std::size_t part = std::min(kChunk, stars.count - begin);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, kBodiesBinding, stars.buffer, static_cast<GLintptr>(begin * kBodyBytes),
                      static_cast<GLsizeiptr>(part * kBodyBytes));
    glProgramUniform1ui(program.name(), count, static_cast<GLuint>(part));
    glProgramUniform1ui(program.name(), first, static_cast<GLuint>(begin));
    glDispatchCompute(static_cast<GLuint>((part + kGroup - 1) / kGroup), 1, 1);
  }
  // Unbind the vertex buffer, which the simulation writes next.
  for (const GLuint binding : {kBodiesBinding, kLightBinding}) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  glUseProgram(0);
}

}  // namespace pericenter::render
