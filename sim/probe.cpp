#include "sim/probe.h"

namespace pericenter {

Probe probe(const Config& /*config*/, const Params& params, const Bodies& bodies, std::size_t body) {
  Probe result;
  result.body = static_cast<std::uint32_t>(body);
  result.position = bodies.at(body).position;
  result.theta = params.theta;
  result.all_bodies = bodies.size();
  return result;
}

}  // namespace pericenter
