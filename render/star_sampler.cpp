#include "render/star_sampler.h"

namespace pericenter::render {

StarSampler::StarSampler(const ShaderLibrary& /*library*/) {}
void StarSampler::request(const Stars& /*stars*/, std::optional<std::uint32_t> /*chosen*/) {}
std::optional<StarSample> StarSampler::take() {
  return std::nullopt;
}

}  // namespace pericenter::render
