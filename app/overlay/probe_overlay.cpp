#include "app/overlay/probe_overlay.h"

#include <algorithm>
#include <cstdint>

#include "app/base/format.h"
#include "app/overlay/guides.h"
#include "app/overlay/tree_boxes.h"

namespace pericenter::app {
namespace {

std::string counted(std::uint64_t number, const char* one, const char* many) {
  return with_thousands(number) + ' ' + (number == 1 ? one : many);
}

std::string accuracy_line(const Probe& probe) {
  const bool all_drawn = probe.nodes.size() < kMaxProbedNodes && probe.bodies.size() < kMaxProbedBodies;
  const std::string sum = all_drawn ? "sum of the drawn terms" : "sum of all terms (only the nearest are drawn)";
  const double size = length(probe.acceleration), difference = length(probe.sum - probe.acceleration);
  if (difference == 0) return sum + " = acceleration";
  // substr() removes the sign.
  return sum + " matches the acceleration to " + signed_error(size > 0 ? difference / size : difference).substr(1);
}

}  // namespace

render::ProbeDrawing drawing_of(const Probe& probe) {
  render::ProbeDrawing drawing;
  drawing.star = to_glm(probe.position);
  for (const ProbedNode& node : probe.nodes) {
    (node.accepted ? drawing.accepted : drawing.opened).push_back(render_box(node.box));
  }
  drawing.bodies.reserve(probe.bodies.size());
  std::transform(probe.bodies.begin(), probe.bodies.end(), std::back_inserter(drawing.bodies), to_glm);
  return drawing;
}

std::vector<std::string> probe_lines(const Probe& probe) {
  const std::string others = with_thousands(probe.all_bodies > 0 ? probe.all_bodies - 1 : 0);
  std::vector<std::string> lines;
  if (probe.cells > 0) {
    lines.push_back(counted(probe.cells, "cell", "cells") + " and " + counted(probe.pairs, "body", "bodies") +
                    " instead of " + others + " bodies");
  } else {
    lines.push_back("direct sum over " + others + " other bodies");
  }
  if (probe.opened > 0) {
    lines.push_back(
        counted(probe.opened, "cell", "cells") + " opened; " +
        (probe.shared_by > 1 ? with_thousands(probe.shared_by) + " bodies share the walk" : "walk for one body"));
  }
  lines.push_back(accuracy_line(probe));
  return lines;
}

}  // namespace pericenter::app
