#include "render/star_readback.h"

#include <algorithm>
#include <glm/gtc/packing.hpp>

#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

constexpr std::size_t kGroup = 64;  // local size of sample.comp
constexpr GLuint kCopiesBinding = 1;

struct Row {
  glm::vec3 position;
  std::uint32_t attribute;
};
static_assert(sizeof(Row) == 16);
// Per slot: the sample, the first stars, and the chosen star.
constexpr std::size_t kFirstRow = kMaxSampled, kChosenRow = kFirstRow + kFirstSampled, kRows = kChosenRow + 1;

SampledStar star_of(const Row& row) {
  return sampled_star(row.position, row.attribute);
}

}  // namespace

EveryNth every_nth(std::size_t stars, std::size_t max_count) {
  const std::size_t stride = std::max<std::size_t>(1, (stars + max_count - 1) / max_count);
  return {.stride = stride, .count = (stars + stride - 1) / stride};
}

StarCopier::StarCopier(const ShaderLibrary& library) : programs_(library, {"sample.comp"}, {{"MIXED", kMixes}}) {}

void StarCopier::copy(const Stars& stars, const EveryNth& which, GLuint target, std::size_t row) const {
  const GLuint program = programs_.get({stars.mixed()}).name();
  const auto set = [&](GLint uniform, std::size_t value) {
    glProgramUniform1ui(program, uniform, static_cast<GLuint>(value));
  };
  const auto copies_before = [&](std::size_t star) {
    const std::size_t stars_before = star - std::min(star, which.first);
    return std::min((stars_before + which.stride - 1) / which.stride, which.count);
  };
  glUseProgram(program);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kCopiesBinding, target);
  for_each_chunk(stars, 1, [&](const BodyChunk& chunk) {
    const std::size_t first = copies_before(chunk.first), last = copies_before(chunk.first + chunk.count);
    if (first >= last) return;
    set(0, last - first);
    set(1, which.first + first * which.stride - chunk.first);
    set(2, which.stride);
    set(3, row + first);
    glDispatchCompute(static_cast<GLuint>((last - first + kGroup - 1) / kGroup), 1, 1);
  });
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kCopiesBinding, 0);
  glUseProgram(0);
}

SampledStar sampled_star(const glm::vec3& position, std::uint32_t attribute) {
  const float scalar = glm::unpackHalf1x16(static_cast<std::uint16_t>(attribute >> 16));
  return {.position = position, .tag = attribute & 0xFFFFu, .scalar = scalar};
}

std::vector<SampledStar> read_stars(const Stars& stars, std::size_t first, std::size_t count) {
  const std::size_t begin = std::min(first, stars.count), size = std::min(count, stars.count - begin);
  std::vector<Row> rows(size);
  if (size > 0)
    glGetNamedBufferSubData(stars.buffer, static_cast<GLintptr>(begin * sizeof(Row)),
                            static_cast<GLsizeiptr>(size * sizeof(Row)), rows.data());
  std::vector<SampledStar> read(size);
  std::ranges::transform(rows, read.begin(), star_of);
  return read;
}

StarReadback::StarReadback(const ShaderLibrary& library) : copier_(library) {
  constexpr GLbitfield kAccess = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  constexpr auto kBytes = static_cast<GLsizeiptr>(kSlots * kRows * sizeof(Row));
  allocate(buffer_, kBytes, nullptr, kAccess);
  mapped_ = glMapNamedBufferRange(buffer_.name(), 0, kBytes, kAccess);
}

void StarReadback::request(const Stars& stars, std::optional<std::uint32_t> chosen, double time) {
  if (stars.count == 0 || !mapped_) return;
  // If all slots are in flight, replace the newest: the oldest is about to finish.
  const auto newest =
      std::max_element(slots_.begin(), slots_.end(), [](const Slot& a, const Slot& b) { return a.serial < b.serial; });
  const auto free = std::find_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return !slot.fence; });
  Slot& slot = free != slots_.end() ? *free : *newest;
  const std::size_t row = static_cast<std::size_t>(&slot - slots_.data()) * kRows;
  const EveryNth which = every_nth(stars.count, kMaxSampled);
  slot.has_chosen = chosen && *chosen < stars.count;
  slot.count = which.count;
  slot.first = std::min(stars.count, kFirstSampled);
  slot.serial = ++serial_;
  slot.time = time;
  copier_.copy(stars, which, buffer_.name(), row);
  copier_.copy(stars, {.count = slot.first}, buffer_.name(), row + kFirstRow);
  if (slot.has_chosen) copier_.copy(stars, {.count = 1, .first = *chosen}, buffer_.name(), row + kChosenRow);
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  slot.fence = Fence::now();
}

StarSample StarReadback::read(std::size_t slot) const {
  const Row* rows = static_cast<const Row*>(mapped_) + slot * kRows;
  StarSample sample;
  sample.time = slots_[slot].time;
  sample.stars.resize(slots_[slot].count);
  std::transform(rows, rows + slots_[slot].count, sample.stars.begin(), star_of);
  sample.first.resize(slots_[slot].first);
  std::transform(rows + kFirstRow, rows + kFirstRow + slots_[slot].first, sample.first.begin(), star_of);
  if (slots_[slot].has_chosen) sample.chosen = star_of(rows[kChosenRow]);
  return sample;
}

std::optional<StarSample> StarReadback::take() {
  std::optional<std::size_t> newest;
  for (std::size_t k = 0; k < kSlots; ++k) {
    if (!slots_[k].fence || !slots_[k].fence.signaled()) continue;
    slots_[k].fence = Fence();
    if (!newest || slots_[k].serial > slots_[*newest].serial) newest = k;
  }
  if (!newest) return std::nullopt;
  return read(*newest);
}

}  // namespace pericenter::render
