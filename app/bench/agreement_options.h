#pragma once

#include "app/bench/options.h"
#include "app/settings/option_parser.h"

namespace pericenter::app {

// Texts of `pericenter bench agreement --help`.
extern const char* const kAgreementDescription;
extern const char* const kAgreementFooter;

void set_agreement_defaults(BenchOptions& options);
/// Options except solvers, backends, threads and solver options.
void add_agreement_options(BenchOptions& options, OptionRows& rows);
/// Throws CommandLineError.
void check_agreement(const BenchOptions& options);

}  // namespace pericenter::app
