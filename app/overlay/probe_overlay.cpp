#include "app/overlay/probe_overlay.h"

#include <algorithm>
#include <cstdint>

#include "app/base/format.h"

namespace pericenter::app {
namespace {

glm::vec3 to_float(const Vec3& v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

std::string counted(std::uint64_t number, const char* one, const char* many) {
  return with_thousands(number) + ' ' + (number == 1 ? one : many);
}

std::string agreement(const Probe& probe) {
  const bool all_drawn = probe.nodes.size() < kMaxProbedNodes && probe.bodies.size() < kMaxProbedBodies;
  const std::string sum =
      all_drawn ? "the sum of what is drawn" : "the sum of what acts, of which the nearest is drawn,";
  const double size = length(probe.acceleration), difference = length(probe.sum - probe.acceleration);
  if (difference == 0) return sum + " is the acceleration";
  // Without its sign.
  return sum + " agrees with the acceleration to " + signed_error(size > 0 ? difference / size : difference).substr(1);
}

}  // namespace

render::ProbeDrawing drawing_of(const Probe& probe) {
  render::ProbeDrawing drawing;
  drawing.star = to_float(probe.position);
  for (const ProbedNode& node : probe.nodes) {
    const auto& [center, half_width, level] = node.box;
    (node.accepted ? drawing.accepted : drawing.opened)
        .push_back({{center[0], center[1], center[2]}, {half_width[0], half_width[1], half_width[2]}, level});
  }
  drawing.bodies.reserve(probe.bodies.size());
  std::transform(probe.bodies.begin(), probe.bodies.end(), std::back_inserter(drawing.bodies), to_float);
  return drawing;
}

std::vector<std::string> probe_lines(const Probe& probe) {
  const std::string others = with_thousands(probe.all_bodies > 0 ? probe.all_bodies - 1 : 0);
  std::vector<std::string> lines;
  if (probe.cells > 0) {
    lines.push_back(counted(probe.cells, "cell", "cells") + " and " + counted(probe.pairs, "body", "bodies") +
                    " instead of " + others);
  } else {
    lines.push_back("all " + others + " other bodies, one by one");
  }
  if (probe.opened > 0) {
    lines.push_back(counted(probe.opened, "cell", "cells") + " opened; " +
                    (probe.shared_by > 1 ? with_thousands(probe.shared_by) + " bodies walk together" : "walks alone"));
  }
  lines.push_back(agreement(probe));
  return lines;
}

}  // namespace pericenter::app
