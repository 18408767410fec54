#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/progress_bar.h"
#include "app/bench/suites.h"
#include "app/cli/command_line_error.h"
#include "app/cli/option_parser.h"
#include "sim/core/device.h"

namespace pericenter::app {
namespace {

// A row computes the initial forces and at least one step.
constexpr double kMinStepsPerRow = 2;
// Exponents of the step time in the number of bodies and in theta; upper estimates.
constexpr double kDirectGrowth = 2, kTreeGrowth = 1.1, kThetaGrowth = -2.5;

/// Seconds.
struct TimeLimits {
  double timed_steps;  ///< per row
  double row;          ///< a curve ends before a longer row
};
constexpr TimeLimits kLimits = {8, 60}, kQuickLimits = {0.1, 2};

/// Predicted seconds per step of `next`, from the previous case of the curve.
double estimated_seconds(const SuiteCase& last, const SuiteCase& next) {
  const double more = static_cast<double>(next.row.bodies) / static_cast<double>(last.row.bodies);
  const double seconds = last.row.step_ms / 1e3 * last.workers / next.workers;
  if (!next.row.has_tree()) return seconds * std::pow(more, kDirectGrowth);
  return seconds * std::pow(more, kTreeGrowth) * std::pow(next.row.theta / last.row.theta, kThetaGrowth);
}

void print_message(const std::string& message) {
  std::cerr << "pericenter: " << message << '\n';
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "CPU";
}

std::string compiler() {
#if defined(__clang__)
  return __VERSION__;
#else
  return "g++ " __VERSION__;
#endif
}

/// One-line description of the machine.
std::string machine(const SuiteCases& measured) {
  std::vector<std::string> devices;
  int threads = 0;
  for (const SuiteCase& one : measured) {
    const std::string& device = one.row.device;
    if (std::find(devices.begin(), devices.end(), device) == devices.end()) devices.push_back(device);
    if (one.row.config.backend == Backend::cpu) threads = std::max(threads, threads_of(one.row.config));
  }
  std::string line;
  for (const std::string& device : devices) line += device + ", ";
  if (threads > 0) line += text("%d %s, ", threads, threads == 1 ? "thread" : "threads");
  return line + compiler();
}

SuiteRequest request_for(const BenchOptions& options, const SuiteInfo& suite) {
  const auto sizes = [&](std::span<const std::size_t> full) {
    if (!options.bodies.empty()) return options.bodies;
    const auto chosen = options.quick ? suite.sizes.quick : full;
    return std::vector<std::size_t>(chosen.begin(), chosen.end());
  };
  SuiteRequest request{options.config, options.backends, sizes(suite.sizes.cpu), sizes(suite.sizes.cuda)};
  request.base.threads = options.threads.front();
  if (request.backends.empty()) request.backends = {Backend::cpu, Backend::cuda};
  std::sort(request.cpu_bodies.begin(), request.cpu_bodies.end());
  std::sort(request.cuda_bodies.begin(), request.cuda_bodies.end());
  return request;
}

/// Removes CUDA cases if CUDA is not available, and reports them.
void remove_unavailable(SuiteCases& cases) {
  const CudaStatus cuda = cuda_status();
  std::string names;
  std::set<std::string> named;
  for (SuiteCase& one : cases) {
    if (one.row.config.backend == Backend::cpu) continue;
    if (cuda.available())
      one.row.config.device = cuda.devices.front().index;
    else if (named.insert(one.curve).second)
      names += (names.empty() ? "" : "; ") + one.curve;
  }
  if (cuda.available() || names.empty()) return;
  std::erase_if(cases, [](const SuiteCase& one) { return one.row.config.backend == Backend::cuda; });
  if (cases.empty()) {
    throw CommandLineError("nothing to measure: CUDA cannot be used: " + cuda.missing + ".", kUnavailable);
  }
  print_message("skipped: " + names + ": CUDA cannot be used: " + cuda.missing + ".");
}

class SuiteRun {
 public:
  SuiteRun(const BenchOptions& options, const SuiteInfo& suite)
      : options_(options), suite_(suite), limits_(options.quick ? kQuickLimits : kLimits) {}

  int run() {
    for (const char* ending : {".csv", ".svg"}) check_can_create(path(ending));
    SuiteCases cases = suite_.plan(request_for(options_, suite_));
    remove_unavailable(cases);
    const SuiteCases measured = measure_all(cases);
    for (const std::string& sentence : skipped_) print_message("skipped: " + sentence + ".");
    return finish(measured);
  }

 private:
  std::string path(const char* ending) const {
    return (std::filesystem::path(options_.out) / (std::string(suite_.name) + ending)).string();
  }

  SuiteCases measure_all(SuiteCases& cases) {
    ProgressBar bar(std::string(suite_.name), "rows", options_.progress);
    SuiteCases measured;
    for (std::size_t k = 0; k < cases.size() && !stop_.raised(); ++k) {
      bar.show(static_cast<double>(k), static_cast<double>(cases.size()));
      if (!takes_too_long(cases[k]) && measure_case(cases[k])) measured.push_back(std::move(cases[k]));
    }
    const auto all = static_cast<double>(cases.size());
    if (!stop_.raised()) bar.show(all, all);
    return measured;
  }

  static std::string name_of(const SuiteCase& one) {
    const std::string bodies = std::to_string(one.row.bodies) + " bodies";
    return one.curve + (one.label.empty() ? "" : ", " + one.label) + " with " + bodies;
  }

  /// Reports the first row of a curve that would take too long.
  bool takes_too_long(const SuiteCase& one) {
    if (ended_.contains(one.curve)) return true;
    const auto last = last_.find(one.curve);
    if (last == last_.end()) return false;
    const double step = estimated_seconds(last->second, one);
    if (step * kMinStepsPerRow <= limits_.row) return false;
    skipped_.push_back(name_of(one) + text(": a step would take about %.*f s", step < 10 ? 1 : 0, step));
    ended_.insert(one.curve);
    return true;
  }

  /// Returns false, and reports the reason, if the case cannot run.
  bool measure_case(SuiteCase& one) {
    std::string why;
    try {
      make_input(one);
      why = measure(input_, {1, one.max_steps, limits_.timed_steps}, stop_, one.row);
    } catch (const SceneCancelled&) {
      return false;
    } catch (const std::bad_alloc&) {
      why = "out of memory";
    }
    if (!why.empty()) {
      skipped_.push_back(name_of(one) + ": " + why);
      return false;
    }
    if (one.row.config.backend == Backend::cpu) one.row.device = cpu_name_;
    last_[one.curve] = one;
    return true;
  }

  void make_input(const SuiteCase& one) {
    const InputRequest request = {.name = one.input,
                                  .bodies = one.row.bodies,
                                  .seed = options_.seed,
                                  .dimension = one.row.config.dimension,
                                  .precision = one.row.config.precision,
                                  .softening = one.softening,
                                  .samples = one.samples};
    if (input_.request == request) return;
    input_ = make_bench_input(request, [&](double) { return !stop_.raised(); });
  }

  int finish(const SuiteCases& measured) {
    if (measured.empty()) {
      print_message(stop_.raised() ? "interrupted before the first row; nothing was written."
                                   : "nothing was measured.");
      return stop_.raised() ? stop_.exit_code() : kUnavailable;
    }
    const std::string title(suite_.title), here = machine(measured);
    SuiteReport report = suite_.report(measured);
    std::cout << title << "\n" << here << "\n" << report.table.aligned() << std::flush;
    write(path(".csv"), report.table.csv());
    write(path(".svg"), svg({title, here, std::move(report.panels)}));
    if (stop_.raised()) {
      print_message("interrupted; the table contains the rows measured so far.");
      return stop_.exit_code();
    }
    if (std::cout) return kOk;
    print_message("cannot write to standard output.");
    return kIoError;
  }

  static void write(const std::string& path, const std::string& content) {
    write_file(path, {reinterpret_cast<const std::uint8_t*>(content.data()), content.size()});
  }

  const BenchOptions& options_;
  const SuiteInfo& suite_;
  const TimeLimits limits_;
  const std::string cpu_name_ = cpu_name();
  StopSignals stop_;
  BenchInput input_;
  std::map<std::string, SuiteCase> last_;  ///< last case of each curve
  std::set<std::string> ended_;
  std::vector<std::string> skipped_;
};

}  // namespace

int run_suite(const BenchOptions& options) {
  const auto found = std::find_if(suites().begin(), suites().end(),
                                  [&](const SuiteInfo& suite) { return suite.name == options.suite; });
  return SuiteRun(options, *found).run();
}

}  // namespace pericenter::app
