#include "render/star_marks.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

constexpr double kBirthRange = 8, kBirthSteps = 255;  // same as in shaders/vertex_layout.glsl
constexpr std::size_t kWordBits = 32;

// Locations of the uniforms of shaders/mark.comp.
enum MarkLocation {
  at_matrix,
  at_count = 4,
  at_first,
  at_halo,
  at_stroke,
  at_size,
  at_radius,
  at_columns,
  at_galaxy,
  at_births
};

constexpr std::size_t kInStroke = 0, kByBirth = 1;  // SELECT of shaders/mark.comp

std::size_t words_of(std::size_t stars) {
  return (stars + kWordBits - 1) / kWordBits;
}

GLuint birth_byte(double radius) {
  return static_cast<GLuint>(std::clamp(radius / kBirthRange, 0.0, 1.0) * kBirthSteps + 0.5);
}

}  // namespace

StarMarks::StarMarks(const ShaderLibrary& library)
    : programs_(library, {"mark.comp"}, {{"SELECT"}, {"MIXED", kMixes}}) {}

void StarMarks::build(const ShaderLibrary& library) {
  programs_ = {library, {"mark.comp"}, {{"SELECT"}, {"MIXED", kMixes}}};
}

/// Without marks, the bits become zeros.
void StarMarks::start(std::size_t stars) {
  if (stars == stars_ && count_ > 0) return;
  if (words_of(stars) != words_of(stars_) || bits_.name() == 0) {
    allocate(bits_, 4 * words_of(stars), nullptr, GL_DYNAMIC_STORAGE_BIT);
  }
  stars_ = stars;
  count_ = 0;
  glClearNamedBufferData(bits_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

void StarMarks::add(const Frame& frame, const Stroke& stroke, glm::ivec2 size) {
  const glm::vec2 ends = stroke.from + stroke.to;
  if (size.x < 1 || size.y < 1 || !std::isfinite(ends.x + ends.y + stroke.radius)) return;
  const auto divider = static_cast<float>(frame.divider(size.x));
  const Half half = frame.half_at(stroke.to.x, size.x);
  const Stars& stars = frame.stars_of(half);
  if (stars.count == 0 || (frame.split && frame.split->left.count != frame.stars.count)) return;
  const glm::vec2 whole(size);
  const glm::mat4 matrix = frame.clip_from_world(half, size);
  const LazyProgram& program = programs_.get({kInStroke, stars.mixed()});
  const GLuint name = program.name();
  glProgramUniformMatrix4fv(name, at_matrix, 1, GL_FALSE, &matrix[0][0]);
  glProgramUniform1ui(name, at_halo, frame.settings.show_halo ? 1 : 0);
  glProgramUniform4f(name, at_stroke, stroke.from.x, stroke.from.y, stroke.to.x, stroke.to.y);
  glProgramUniform2f(name, at_size, whole.x, whole.y);
  glProgramUniform1f(name, at_radius, stroke.radius);
  glProgramUniform2f(name, at_columns, half == Half::left ? 0 : divider, half == Half::left ? divider : whole.x);
  run(program, stars);
}

void StarMarks::add(const Stars& stars, const BirthRange& range) {
  if (stars.count == 0 || !(range.high >= range.low)) return;
  const LazyProgram& program = programs_.get({kByBirth, stars.mixed()});
  glProgramUniform1i(program.name(), at_galaxy, range.galaxy);
  glProgramUniform2ui(program.name(), at_births, birth_byte(range.low), birth_byte(range.high));
  run(program, stars);
}

void StarMarks::run(const LazyProgram& program, const Stars& stars) {
  start(stars.count);
  if (counter_.name() == 0) allocate(counter_, sizeof(GLuint), nullptr, GL_DYNAMIC_STORAGE_BIT);
  auto marked = static_cast<GLuint>(count_);
  glNamedBufferSubData(counter_.name(), 0, sizeof marked, &marked);
  glUseProgram(program.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, counter_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kMarksBinding, bits_.name());
  for_each_chunk(stars, 1, [&](const BodyChunk& chunk) {
    glProgramUniform1ui(program.name(), at_count, chunk.count);
    glProgramUniform1ui(program.name(), at_first, chunk.first);
    glDispatchCompute(chunk.groups, 1, 1);
  });
  for (const GLuint binding : {kLightBinding, kMarksBinding}) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  glUseProgram(0);
  glGetNamedBufferSubData(counter_.name(), 0, sizeof marked, &marked);
  count_ = marked;
}

void StarMarks::set(std::span<const std::uint32_t> indices, std::size_t stars) {
  clear();
  if (stars == 0) return;
  start(stars);
  std::vector<std::uint32_t> words(words_of(stars));
  for (const std::uint32_t index : indices) {
    if (index >= stars) continue;
    std::uint32_t& word = words[index / kWordBits];
    const std::uint32_t bit = std::uint32_t{1} << index % kWordBits;
    count_ += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }
  glNamedBufferSubData(bits_.name(), 0, static_cast<GLsizeiptr>(4 * words.size()), words.data());
}

}  // namespace pericenter::render
