#pragma once

#include <cstddef>
#include <string>

#include "app/bench/options.h"
#include "sim/core/bodies.h"
#include "sim/core/config.h"
#include "sim/core/progress.h"

namespace pericenter::app {

/// The bodies that all solvers of `pericenter bench agreement` advance.
struct AgreementInput {
  Bodies bodies;
  std::size_t massive = 0;  ///< bodies with mass
  Params params;            ///< scene units
  std::string unit;         ///< unit of lengths in the table: "AU", "kpc", or "units" without physical units
  double unit_length = 1;   ///< the scene's unit of length in this unit
};

/// Throws CommandLineError, SceneCancelled.
AgreementInput make_agreement_input(const BenchOptions& options, const Progress& progress);

}  // namespace pericenter::app
