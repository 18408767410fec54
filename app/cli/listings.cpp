#include "app/cli/listings.h"

#include "app/cli/scene_groups.h"
#include "sim/scenes/registry.h"
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
    text += std::string(solver.name) + "\n    " + std::string(solver.title) + ": " + std::string(solver.summary) + "\n";
    text += std::string("    Runs on ") +
            (solver.cpu && solver.cuda ? "the CPU and CUDA"
             : solver.cuda             ? "CUDA"
                                       : "the CPU") +
            ".\n";
    if (!solver.source.empty()) text += "    Source: " + std::string(solver.source) + "\n";
  }
  return text;
}

}  // namespace pericenter::app
