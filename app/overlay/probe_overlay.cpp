#include "app/overlay/probe_overlay.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>

#include "app/base/format.h"
#include "app/overlay/guides.h"
#include "app/view/tree_levels.h"

namespace pericenter::app {
namespace {

std::string counted(std::uint64_t number, const char* one, const char* many) {
  return with_thousands(number) + ' ' + (number == 1 ? one : many);
}

/// |a - b| relative to |b| where that is not 0.
double relative_difference(const Vec3& a, const Vec3& b) {
  const double size = length(b), difference = length(a - b);
  return size > 0 ? difference / size : difference;
}

std::string size_text(double positive) {
  return signed_error(positive).substr(1);  // removes the sign
}

constexpr std::size_t kDrawnBodies = 60;  // most bodies drawn in 3D

/// In 3D all cells and lines would cover each other.
bool draws_strongest(const Probe& probe) {
  return probe.dimension == 3;
}

std::size_t drawn_bodies(const Probe& probe) {
  return draws_strongest(probe) ? std::min(probe.bodies.size(), kDrawnBodies) : probe.bodies.size();
}

std::string error_line(const Probe& probe) {
  const double error = relative_difference(probe.acceleration, probe.exact);
  if (!std::isfinite(error)) return "force error unknown: a body is NaN or infinite";
  return "force error " + percent_text(error);
}

}  // namespace

render::ProbeDrawing drawing_of(const Probe& probe) {
  render::ProbeDrawing drawing;
  drawing.star = to_glm(probe.position);
  if (draws_strongest(probe)) {
    for (const std::uint32_t k : probe.strongest) drawing.accepted.push_back(render_box(probe.nodes[k].box));
  } else {
    for (const ProbedNode& node : probe.nodes)
      (node.accepted ? drawing.accepted : drawing.opened).push_back(render_box(node.box));
  }
  const auto bodies = std::span(probe.bodies).first(drawn_bodies(probe));
  std::ranges::transform(bodies, std::back_inserter(drawing.bodies), to_glm);
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
  if (draws_strongest(probe) && probe.strongest.size() < probe.cells)
    lines.push_back("boxes: the " + with_thousands(probe.strongest.size()) + " strongest of " +
                    counted(probe.cells, "cell") + ", " + text("%.0f", 100 * probe.strongest_share) +
                    " % of the acceleration");
  if (drawn_bodies(probe) < probe.bodies.size())
    lines.push_back("lines: the " + with_thousands(kDrawnBodies) + " nearest of " + with_thousands(probe.pairs) +
                    " bodies");
  if (probe.opened > 0) {
    lines.push_back(
        counted(probe.opened, "cell", "cells") + " opened; " +
        (probe.shared_by > 1 ? with_thousands(probe.shared_by) + " bodies share the walk" : "walk for one body"));
  }
  lines.push_back(error_line(probe));
  return lines;
}

std::string probe_check(const Probe& probe) {
  const bool all_known = probe.nodes.size() < kMaxProbedNodes && probe.bodies.size() < kMaxProbedBodies;
  const bool all_drawn =
      !draws_strongest(probe) || (probe.strongest.size() == probe.cells && drawn_bodies(probe) == probe.bodies.size());
  const std::string sum = all_known && all_drawn ? "The sum of the terms shown"
                          : all_known            ? "The sum of all terms"
                                                 : "The sum of all terms (only the nearest bodies are drawn)";
  const double difference = relative_difference(probe.sum, probe.acceleration);
  if (!std::isfinite(difference)) return {};
  if (difference == 0) return sum + " equals the solver's force.";
  return sum + " matches the solver's force to " + size_text(difference) + ".";
}

}  // namespace pericenter::app
