#include "app/bench/suites.h"

#include <array>

#include "app/bench/suites/suite_reports.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::size_t, 9> kGrowing = {100, 300, 1'000, 3'000, 10'000, 30'000, 100'000, 300'000, 1'000'000};
constexpr std::array<std::size_t, 3> kFewGrowing = {100, 300, 1'000};
constexpr std::array<std::size_t, 3> kDecades = {10'000, 100'000, 1'000'000};
constexpr std::array<std::size_t, 1> kThousand = {1'000}, kFewThousand = {2'000};
constexpr std::array<std::size_t, 1> kFortyThousand = {40'000};
constexpr std::array<std::size_t, 1> kHundredThousand = {100'000}, kMillion = {1'000'000};

constexpr std::array kSuites = {
    SuiteInfo{.name = "scaling",
              .title = "Time against the number of bodies",
              .workload =
                  "Time of 100 steps of a uniform disc in 2D, single precision, theta 1: direct sum, tree built "
                  "on the CPU (hybrid) and octree with quadrupoles, on CPU and GPU. Slow cases time fewer steps "
                  "and are scaled up. Start-up is excluded.",
              .source = "Bodin 2026, figure of section 5.2",
              .columns = "ms_100_steps, step_ms",
              .sizes = {kGrowing, kGrowing, kFewGrowing},
              .plan = plan_scaling,
              .report = report_scaling},
    SuiteInfo{
        .name = "threads",
        .title = "Speed-up with the number of threads",
        .workload = "40,000 bodies of a uniform square, double precision, theta 0.5, a tree of 5 levels: 1, 2, 4, ... "
                    "GPU threads, each block with a copy of the tree in shared memory (conflict-free, plain) or "
                    "without (none), then one body per thread; likewise on the CPU cores. Medians of five.",
        .source = "Sevic 2025",
        .columns = "parallel (threads), walk_ms, total_ms, speed_up, efficiency, speed_up_total, efficiency_total",
        .sizes = {kFortyThousand, kFortyThousand, kFewThousand},
        .plan = plan_threads,
        .report = report_threads},
    SuiteInfo{.name = "theta",
              .title = "Time and error against the opening angle",
              .workload = "A uniform cube of a million bodies (100,000 on the CPU), theta 0.8 to 0.1: tree-sorted with "
                          "its own walk and monopoles, octree with quadrupoles, and the tiled direct sum. Errors of "
                          "10,000 sampled bodies.",
              .source = "the post on the self-gravity tree code of GASPHiA, 2026",
              .columns = "theta, step_ms, error_mean, error_max, samples, speed_up_over_direct, pairs_per_body, "
                         "cells_per_body",
              .sizes = {kHundredThousand, kMillion, kFewThousand},
              .plan = plan_theta,
              .report = report_theta},
    SuiteInfo{.name = "ordering",
              .title = "Effect of the order of the bodies",
              .workload = "A uniform cube of a million bodies (100,000 on the CPU), theta 0.5, monopoles: the walks of "
                          "tree-sorted in tree order, along the rows of a grid, in input order, and shuffled.",
              .source = "the post on the self-gravity tree code of GASPHiA, 2026",
              .columns = "order, walk_ms, step_ms, visits_per_body, lane_efficiency, slowdown (of the walk)",
              .sizes = {kHundredThousand, kMillion, kFewThousand},
              .plan = plan_ordering,
              .report = report_ordering},
    SuiteInfo{
        .name = "throughput",
        .title = "Bodies per second of four algorithms",
        .workload =
            "Two galaxies of 10,000 to a million bodies, double precision, theta 0.5, monopoles: all pairs, all "
            "pairs with atomics, concurrent octree and Hilbert BVH, on the GPU, on all cores and on "
            "one core.",
        .source = "Cassell et al. 2024, doi:10.1109/SCW63240.2024.00099",
        .columns = "algorithm, execution, step_ms, bodies_per_s, and the fraction of each part of a step in percent",
        .sizes = {kDecades, kDecades, kThousand},
        .plan = plan_throughput,
        .report = report_throughput},
    SuiteInfo{
        .name = "ablation",
        .title = "Ablation of the hybrid tree",
        .workload = "A uniform disc of 100,000 bodies in 2D, single precision, theta 1: hybrid with the slowest value "
                    "of each option, then one optimisation after another.",
        .source = "Bodin 2026, section 4",
        .columns = "variant, step_ms, change_ms (from the previous variant), speed_up (over the first), and ms of all "
                   "stages",
        .sizes = {kHundredThousand, kHundredThousand, kFewThousand},
        .plan = plan_ablation,
        .report = report_ablation},
};

}  // namespace

std::span<const SuiteInfo> suites() {
  return kSuites;
}

std::string list_of_suites() {
  std::string text;
  for (const SuiteInfo& suite : kSuites) {
    text += std::string(suite.name) + "\n    " + std::string(suite.title) + ". " + std::string(suite.workload) + "\n";
    text += "    Columns: " + std::string(suite.columns) + "\n    Repeats: " + std::string(suite.source) + "\n";
  }
  return text;
}

}  // namespace pericenter::app
