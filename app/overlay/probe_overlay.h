#pragma once

#include <string>
#include <vector>

#include "render/probe_pass.h"
#include "sim/analysis/probe.h"

namespace pericenter::app {

/// The drawing of a probe. In 3D only the strongest cells and the nearest bodies are drawn, because the others would
/// hide them.
render::ProbeDrawing drawing_of(const Probe& probe);

/// The results of a probe for the panel and the annotations: "317 cells and 96 bodies instead of 1,048,575 bodies",
/// which cells are drawn, and the error of the force.
std::vector<std::string> probe_lines(const Probe& probe);

/// A sentence on whether the terms shown add up to the force of the solver; empty if a force is not finite.
std::string probe_check(const Probe& probe);

}  // namespace pericenter::app
