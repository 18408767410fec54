#pragma once

#include <span>
#include <string_view>

#include "sim/config.h"

namespace pericenter {

/// One row of the solver table. Combo boxes, command line, tests and benchmarks loop over solvers().
struct SolverInfo {
  std::string_view name;     ///< as in Config::solver and --solver
  std::string_view title;    ///< for the panel
  std::string_view summary;  ///< one line for --list-solvers and tooltips
  std::string_view source;   ///< author, year, DOI; empty for our own
  bool cpu = false, cuda = false;
  bool has_tree = false;  ///< theta matters, and there are boxes to draw
};

std::span<const SolverInfo> solvers();
/// nullptr when there is no such solver.
const SolverInfo* find_solver(std::string_view name);

}  // namespace pericenter
