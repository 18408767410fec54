#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/measure.h"
#include "app/bench/options.h"
#include "app/bench/plot.h"
#include "app/bench/table.h"

namespace pericenter::app {

/// What a suite is to plan for.
struct SuiteRequest {
  Config base;  ///< threads of the CPU
  std::vector<Backend> backends;
  std::vector<std::size_t> cpu_bodies, cuda_bodies;

  const std::vector<std::size_t>& bodies(Backend backend) const {
    return backend == Backend::cpu ? cpu_bodies : cuda_bodies;
  }
};

/// One measurement of a suite. Within a curve the cheapest comes first, so that each tells what the next will cost.
struct SuiteCase {
  std::string curve;       ///< what it belongs to
  std::string label = {};  ///< what it is called there, if not after its number of bodies
  std::string input;       ///< as in InputRequest
  double softening = 0.001;
  std::size_t samples = 0;    ///< bodies whose force is checked
  std::size_t max_steps = 5;  ///< that are timed: fewer, when there is no time
  double workers = 1;         ///< that share the work, in any unit
  BenchRow row;
};
using SuiteCases = std::vector<SuiteCase>;

/// What a suite makes of the cases that were measured: the columns of the published table, and a picture.
struct SuiteReport {
  Table table;
  std::vector<Panel> panels;
};

struct SuiteSizes {
  std::span<const std::size_t> cpu, cuda, quick;
};

/// One row of the table of suites. To add a suite: a file in app/suites with a plan and a report, and a row.
struct SuiteInfo {
  std::string_view name;      ///< as in --suite
  std::string_view title;     ///< of the picture
  std::string_view workload;  ///< a sentence: what it runs
  std::string_view source;    ///< what it repeats
  std::string_view columns;   ///< of its CSV, beyond device, threads, n, steps_timed and note
  SuiteSizes sizes;           ///< numbers of bodies
  SuiteCases (*plan)(const SuiteRequest&);
  SuiteReport (*report)(const SuiteCases& measured);
};

std::span<const SuiteInfo> suites();

/// For --list-suites.
std::string list_of_suites();

/// Runs options.suite with a progress bar on stderr, prints its table, and writes NAME.csv and NAME.svg. Before a row
/// its time is estimated from the row before of the same curve; a curve ends where a row would take too long. Ctrl+C
/// ends it after the step that it is in, with the rows so far. What cannot run here is left out with a line on stderr.
/// Returns an exit code; throws CommandLineError when nothing can run, and FileError.
int run_suite(const BenchOptions& options);

}  // namespace pericenter::app
