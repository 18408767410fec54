#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "render/fence.h"
#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"
#include "render/star_copier.h"

namespace pericenter::render {

/// A vertex as the host sees it.
struct SampledStar {
  glm::vec3 position{0};
  std::uint32_t tag = 0;
  float scalar = 0;
};
/// From the 16 bytes of a vertex.
SampledStar sampled_star(const glm::vec3& position, std::uint32_t attribute);

/// Some of the stars of one moment, evenly spread over the buffer.
struct StarSample {
  double time = 0;                    ///< that was given with the request
  std::vector<SampledStar> stars;     ///< at most kMostSampled; the same ones every time
  std::optional<SampledStar> chosen;  ///< the one that was asked for
};
inline constexpr std::size_t kMostSampled = 4096;

/// Reads some of the stars back without ever waiting for the GPU.
class StarSampler {
 public:
  explicit StarSampler(const ShaderLibrary& library);
  /// Throws std::runtime_error and changes nothing when a shader is wrong.
  void build(const ShaderLibrary& library) { copier_ = StarCopier(library); }

  /// Call it once for each new state of the buffer, which is that of `time`; `chosen` is the index of a star that
  /// should be among them.
  void request(const Stars& stars, std::optional<std::uint32_t> chosen, double time = 0);
  /// The newest that has arrived, a picture or two after it was asked for; nullopt when there is none since the last
  /// call.
  std::optional<StarSample> take();

 private:
  /// A part of the buffer that the GPU fills while others are read.
  struct Slot {
    Fence fence;  // passed when it is filled; none when nothing was asked for
    std::uint64_t serial = 0;
    double time = 0;
    std::size_t count = 0;
    bool has_chosen = false;
  };
  static constexpr std::size_t kSlots = 4;

  StarSample read(std::size_t slot) const;

  StarCopier copier_;
  Buffer buffer_ = make_buffer();
  const void* mapped_ = nullptr;
  std::array<Slot, kSlots> slots_;
  std::uint64_t serial_ = 0;
};

}  // namespace pericenter::render
