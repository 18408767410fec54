#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "render/picture.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// A vertex as the host sees it.
struct SampledStar {
  glm::vec3 position{0};
  std::uint32_t tag = 0;
  float scalar = 0;
};

/// Some of the stars of one moment, evenly spread over the buffer.
struct StarSample {
  std::vector<SampledStar> stars;     ///< at most kMostSampled; the same ones every time
  std::optional<SampledStar> chosen;  ///< the one that was asked for
};
inline constexpr std::size_t kMostSampled = 4096;

/// Reads some of the stars back without ever waiting for the GPU.
class StarSampler {
 public:
  explicit StarSampler(const ShaderLibrary& library);

  /// Call it once for each new state of the buffer; `chosen` is the index of a star that should be among them.
  void request(const Stars& stars, std::optional<std::uint32_t> chosen);
  /// The newest that has arrived, a picture or two after it was asked for; nullopt when there is none since the last
  /// call.
  std::optional<StarSample> take();
};

}  // namespace pericenter::render
