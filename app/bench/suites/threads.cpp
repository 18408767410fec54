#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "app/bench/suites/suite_reports.h"

namespace pericenter::app {
namespace {

constexpr double kThreadsTheta = 0.5;
constexpr std::uint32_t kDepth = 5;  // the tree fits into shared memory
constexpr std::array<SharedTree, 3> kVariants = {SharedTree::none, SharedTree::plain, SharedTree::conflict_free};
constexpr const char* kOnePerBody = " (one per body)";

SuiteCase threads_case(const SuiteRequest& request, Backend backend, std::size_t bodies) {
  SuiteCase one;
  one.input = "uniform";
  one.row.config = suite_config(request, backend, "hybrid-shared");
  one.row.config.dimension = 2;
  one.row.config.precision = Precision::float64;
  one.row.config.solver_options.set(SolverOption::depth, choice_for(SolverOption::depth, kDepth));
  one.row.theta = kThreadsTheta;
  one.row.bodies = bodies;
  return one;
}

/// Number of threads that share the bodies.
double thread_count(const BenchRow& row) {
  if (row.config.backend == Backend::cpu) return threads_of(row.config);
  const int choice = row.config.solver_options[SolverOption::gpu_threads];
  const std::uint32_t number =
      solver_option_info(SolverOption::gpu_threads).values[static_cast<std::size_t>(choice)].number;
  return number == 0 ? static_cast<double>(row.bodies) : number;
}

std::string variant_name(SharedTree variant) {
  const auto choices = solver_option_info(SolverOption::shared_tree).values;
  return "GPU " + std::string(choices[static_cast<std::size_t>(variant)].name);
}

SuiteCase gpu_case(const SuiteRequest& request, SharedTree variant, std::size_t bodies, int gpu_threads) {
  SuiteCase one = threads_case(request, Backend::cuda, bodies);
  one.curve = variant_name(variant);
  one.row.config.solver_options.set(SolverOption::shared_tree, variant);
  one.row.config.solver_options.set(SolverOption::gpu_threads, gpu_threads);
  one.workers = thread_count(one.row) / static_cast<double>(bodies);
  return one;
}

void plan_gpu(const SuiteRequest& request, std::size_t bodies, SuiteCases& cases) {
  const auto counts = solver_option_info(SolverOption::gpu_threads).values;
  for (const SharedTree variant : kVariants) {
    cases.push_back(gpu_case(request, variant, bodies, 0));
    for (std::size_t k = counts.size() - 1; k > 0; --k) {
      if (counts[k].number < bodies) cases.push_back(gpu_case(request, variant, bodies, static_cast<int>(k)));
    }
  }
  for (const SharedTree variant : kVariants) {
    for (std::size_t n = 1024; n <= 32768 && n < bodies; n *= 2) {
      SuiteCase& one = cases.emplace_back(gpu_case(request, variant, n, 0));
      one.curve += kOnePerBody;
    }
  }
}

void plan_cpu(const SuiteRequest& request, std::size_t bodies, SuiteCases& cases) {
  const int cores = threads_of(request.base);
  for (int threads = 1;; threads = std::min(2 * threads, cores)) {
    SuiteCase& one = cases.emplace_back(threads_case(request, Backend::cpu, bodies));
    one.curve = "CPU";
    one.row.config.threads = threads;
    if (threads == cores) return;
  }
}

bool is_one_per_body(const SuiteCase& one) {
  return one.curve.ends_with(kOnePerBody);
}

/// Speedup over one thread of the same curve; NaN if it was not measured.
double speed_up(const SuiteCases& measured, const SuiteCase& one, double (*ms)(const BenchRow&)) {
  for (const SuiteCase& other : measured) {
    const bool same = other.curve == one.curve && other.row.bodies == one.row.bodies;
    if (same && thread_count(other.row) == 1) return ms(other.row) / ms(one.row);
  }
  return NAN;
}

double step_ms(const BenchRow& row) {
  return row.step_ms;
}
double walk_ms(const BenchRow& row) {
  return row.walk_ms();
}

std::vector<Curve> speed_ups(const SuiteCases& measured) {
  SuiteCases fixed = measured;
  std::erase_if(fixed, is_one_per_body);
  std::vector<Curve> curves = curves_of(fixed, [&](const SuiteCase& one) {
    return Point{thread_count(one.row), speed_up(measured, one, walk_ms)};
  });
  std::vector<Curve> totals = curves_of(fixed, [&](const SuiteCase& one) {
    return Point{thread_count(one.row), speed_up(measured, one, step_ms)};
  });
  for (Curve& curve : totals) {
    curve.name += ", total";
    curve.dash = 1;
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<Panel> threads_panels(const SuiteCases& measured) {
  std::vector<Panel> panels;
  LinePanel fixed{"Speedup over one thread: forces, and whole steps (total)",
                  {"threads", true},
                  {"speedup", true},
                  speed_ups(measured)};
  panels.emplace_back(std::move(fixed));
  SuiteCases growing = measured;
  std::erase_if(growing, [](const SuiteCase& one) { return !is_one_per_body(one); });
  if (growing.empty()) return panels;
  LinePanel time{"One body per thread: time of the forces", {"bodies, threads", true}, {"ms", true}, {}};
  time.curves = curves_of(growing, [](const SuiteCase& one) {
    return Point{static_cast<double>(one.row.bodies), one.row.walk_ms()};
  });
  // The title contains this suffix already.
  for (Curve& curve : time.curves) curve.name.erase(curve.name.find(kOnePerBody));
  panels.emplace_back(std::move(time));
  return panels;
}

}  // namespace

SuiteCases plan_threads(const SuiteRequest& request) {
  SuiteCases cases;
  for (const Backend backend : request.backends) {
    for (const std::size_t bodies : request.bodies(backend)) {
      if (backend == Backend::cpu)
        plan_cpu(request, bodies, cases);
      else
        plan_gpu(request, bodies, cases);
    }
  }
  for (SuiteCase& one : cases) {
    one.label = std::to_string(static_cast<std::uint64_t>(thread_count(one.row))) + " threads";
  }
  return cases;
}

SuiteReport report_threads(const SuiteCases& measured) {
  const std::vector<std::string> columns = {"parallel",   "walk_ms",        "total_ms",        "speed_up",
                                            "efficiency", "speed_up_total", "efficiency_total"};
  Table table = suite_table(measured, columns, [&](const SuiteCase& one) {
    const double threads = thread_count(one.row);
    const double walk = speed_up(measured, one, walk_ms), total = speed_up(measured, one, step_ms);
    return std::vector<Cell>{threads,      one.row.walk_ms(),     one.row.step_ms, known(walk), known(walk / threads),
                             known(total), known(total / threads)};
  });
  return {std::move(table), threads_panels(measured)};
}

}  // namespace pericenter::app
