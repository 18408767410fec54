#include "sim/files/body_check.h"

#include <cmath>

namespace pericenter {

std::string problem_with(const Body& body) {
  if (!is_finite(body.position)) return "its position is not finite";
  if (!is_finite(body.velocity)) return "its velocity is not finite";
  if (!std::isfinite(body.mass)) return "its mass is not finite";
  return body.mass < 0 ? "its mass is negative" : "";
}

void check_bodies(Snapshot& snapshot, const ReadOptions& options, const std::function<std::string(std::size_t)>& name,
                  std::size_t first) {
  const std::size_t count = snapshot.bodies.size();
  keep_bodies(snapshot, first, [&](std::size_t i) {
    const std::string problem = problem_with(snapshot.bodies[i]);
    if (!problem.empty() && !options.skip_bad) throw InputError(name(i) + " is invalid: " + problem + "." + kSkipHint);
    return problem.empty();
  });
  snapshot.skipped += count - snapshot.bodies.size();
}

}  // namespace pericenter
