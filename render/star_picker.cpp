#include "render/star_picker.h"

#include <algorithm>
#include <limits>

#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

constexpr float kReach = 6, kMaxReach = 14;  // pixels around the cursor
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Locations of the uniforms of shaders/pick.comp.
enum Location { clip_from_world, count = 4, first, show_halo, cursor, size, reach };

}  // namespace

StarPicker::StarPicker(const ShaderLibrary& library)
    : programs_(library, {"pick.comp"}, {{"SEARCH"}, {"MIXED", kMixes}}) {
  allocate(found_, 2 * sizeof(std::uint32_t), nullptr, GL_DYNAMIC_STORAGE_BIT);
}

std::optional<std::uint32_t> StarPicker::pick(const Frame& frame, glm::vec2 at, glm::ivec2 frame_size) {
  if (frame_size.x < 1 || frame_size.y < 1 || !std::isfinite(at.x) || !std::isfinite(at.y)) return std::nullopt;
  const Half half = frame.half_at(at.x, frame_size.x);
  const Stars& stars = frame.stars_of(half);
  if (stars.count == 0) return std::nullopt;
  const glm::vec2 whole(frame_size);
  const glm::mat4 matrix = frame.clip_from_world(half, frame_size);
  std::array<std::uint32_t, 2> found = {kNone, kNone};
  glNamedBufferSubData(found_.name(), 0, sizeof found, found.data());
  for (const std::size_t pass : {0, 1}) {
    const LazyProgram& program = programs_.get({pass, stars.mixed()});
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
  for_each_chunk(stars, 1, [&](const BodyChunk& chunk) {
    glProgramUniform1ui(program.name(), count, chunk.count);
    glProgramUniform1ui(program.name(), first, chunk.first);
    glDispatchCompute(chunk.groups, 1, 1);
  });
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, 0);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  glUseProgram(0);
}

}  // namespace pericenter::render
