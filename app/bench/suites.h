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

/// Input of SuiteInfo::plan.
struct SuiteRequest {
  Config base;  ///< with the number of CPU threads
  std::vector<Backend> backends;
  std::vector<std::size_t> cpu_bodies, cuda_bodies;

  const std::vector<std::size_t>& bodies(Backend backend) const {
    return backend == Backend::cpu ? cpu_bodies : cuda_bodies;
  }
};

/// One measurement of a suite. Within a curve the cheapest comes first, because each predicts the time of the next.
struct SuiteCase {
  std::string curve;       ///< name of its curve
  std::string label = {};  ///< name within the curve; empty: the number of bodies
  std::string input;       ///< as in InputRequest
  double softening = 0.001;
  std::size_t samples = 0;    ///< bodies whose force error is measured
  std::size_t max_steps = 5;  ///< maximum number of timed steps; fewer if time is short
  double workers = 1;         ///< number of workers that share the work, in any unit
  BenchRow row;
};
using SuiteCases = std::vector<SuiteCase>;

/// Result of a suite: the columns of the published table, and a figure.
struct SuiteReport {
  Table table;
  std::vector<Panel> panels;
};

struct SuiteSizes {
  std::span<const std::size_t> cpu, cuda, quick;
};

/// A row of the table of suites. To add a suite: a file in app/bench/suites with a plan and a report, and a row.
struct SuiteInfo {
  std::string_view name;      ///< as in --suite
  std::string_view title;     ///< of the figure
  std::string_view workload;  ///< description of the workload
  std::string_view source;    ///< publication
  std::string_view columns;   ///< CSV columns, in addition to device, threads, n, steps_timed and note
  SuiteSizes sizes;           ///< numbers of bodies
  SuiteCases (*plan)(const SuiteRequest&);
  SuiteReport (*report)(const SuiteCases& measured);
};

std::span<const SuiteInfo> suites();

/// For --list-suites.
std::string list_of_suites();

/// Runs options.suite with a progress bar on stderr, prints its table, and writes NAME.csv and NAME.svg. The time of a
/// row is predicted from the previous row of the same curve; a curve ends before a row that would take too long. Ctrl+C
/// stops after the current step and keeps the rows so far. Rows that cannot run are reported on stderr. Returns an exit
/// code; throws CommandLineError when nothing can run, and FileError.
int run_suite(const BenchOptions& options);

}  // namespace pericenter::app
