#include "sim/files/body_check.h"

#include <cmath>

namespace pericenter {

std::string problem_with(const Body& body) {
  if (!is_finite(body.position)) return "its position is not finite";
  if (!is_finite(body.velocity)) return "its velocity is not finite";
  if (!std::isfinite(body.mass)) return "its mass is not finite";
  return body.mass < 0 ? "its mass is negative" : "";
}

void check_bodies(Snapshot& snapshot, const ReadOptions& options, const std::function<std::string(std::size_t)>& name) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) {
    if (const std::string problem = problem_with(snapshot.bodies[i]); problem.empty()) {
      if (kept != i) {
        snapshot.bodies[kept] = snapshot.bodies[i];
        if (!snapshot.ids.empty()) snapshot.ids[kept] = snapshot.ids[i];
        if (!snapshot.types.empty()) snapshot.types[kept] = snapshot.types[i];
      }
      ++kept;
    } else if (!options.skip_bad) {
      throw InputError(name(i) + " is invalid: " + problem + "." + kSkipHint);
    }
  }
  snapshot.skipped += snapshot.bodies.size() - kept;
  snapshot.bodies.resize(kept);
  if (!snapshot.ids.empty()) snapshot.ids.resize(kept);
  if (!snapshot.types.empty()) snapshot.types.resize(kept);
}

}  // namespace pericenter
