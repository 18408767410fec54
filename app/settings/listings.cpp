#include "app/settings/listings.h"

#include "sim/solvers/registry.h"

namespace pericenter::app {

std::string list_of_scenes() {
  std::string text;
  for (std::size_t group = 0; group < kSceneGroups.size(); ++group) {
    std::string rows;
    for (const SceneInfo& scene : scenes()) {
      if (static_cast<std::size_t>(scene.group) != group) continue;
      rows.append("  ").append(scene.name).append("\n      ").append(scene.title);
      rows.append(". ").append(scene.summary).append("\n");
    }
    if (!rows.empty()) text.append(text.empty() ? "" : "\n").append(kSceneGroups[group]).append("\n").append(rows);
  }
  return text;
}

std::string list_of_solvers() {
  std::string text;
  for (const SolverInfo& solver : solvers()) {
    const char* backends = solver.cpu && solver.cuda ? "CPU, CUDA" : solver.cuda ? "CUDA" : "CPU";
    text.append(solver.name).append("\n    ").append(solver.title).append(". ").append(solver.summary);
    text.append("\n    Backends: ").append(backends).append("\n");
    if (!solver.source.empty()) text.append("    Source: ").append(solver.source).append("\n");
  }
  return text;
}

}  // namespace pericenter::app
