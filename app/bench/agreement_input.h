#pragma once

#include <cstddef>
#include <string>

#include "app/bench/options.h"
#include "app/settings/option_parser.h"
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

// Texts of `pericenter bench agreement --help`.
extern const char* const kAgreementDescription;
extern const char* const kAgreementFooter;

void set_agreement_defaults(BenchOptions& options);
/// Options except solvers, backends, threads and solver options.
void add_agreement_options(BenchOptions& options, OptionRows& rows);
/// Throws CommandLineError.
void check_agreement(const BenchOptions& options);

}  // namespace pericenter::app
