#include <sstream>

#include "sim/solvers/parallel_loops.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

template <class... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

const char* name_of(Backend backend) {
  return backend == Backend::cpu ? "the CPU" : "CUDA";
}

/// nullptr if the solver does not have this option on its backend.
const SupportedValues* supported_values(const Config& config, SolverOption which) {
  const SolverInfo* solver = find_solver(config.solver);
  if (!solver) return nullptr;
  for (const SupportedOption& row : solver->options) {
    if (row.which != which) continue;
    const SupportedValues& set = config.backend == Backend::cpu ? row.cpu : row.cuda;
    return set.allowed != 0 ? &set : nullptr;
  }
  return nullptr;
}

/// "; solvers with it on the CPU: direct, fmm", or on the other backend if `backend` has none.
std::string solvers_with(SolverOption which, Backend backend) {
  for (const Backend where : {backend, backend == Backend::cpu ? Backend::cuda : Backend::cpu}) {
    std::string names;
    for (const SolverInfo& row : solvers()) {
      if (!has_option({.solver = std::string(row.name), .backend = where}, which)) continue;
      names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    if (!names.empty()) return sentence("; solvers with it on ", name_of(where), ": ", names);
  }
  return {};
}

/// Why walks on the builder's own links cannot have another value of an option.
std::string links_conflict(const Config& config, SolverOption which, int walk, Order order) {
  const bool walk_decides = which == SolverOption::walk || which == SolverOption::links;
  if (walk_decides && walk != supported_values(config, SolverOption::walk)->default_value) {
    return "the links of the builder lead from node to node in one way only, that of the default walk";
  }
  if (which != SolverOption::order && which != SolverOption::links) return {};
  if (find_solver(config.solver)->keeps_input_order && order != Order::none) {
    return "the builder of this tree leaves the bodies in input order, so walks on its links need the order 'none'";
  }
  if (order != Order::none && order != Order::tree) {
    return "walks on the links of the builder need the order of the tree or 'none'";
  }
  return {};
}

/// Why the threads of a body cannot share a tile.
std::string tile_conflict(std::uint32_t tile, std::uint32_t threads_per_body) {
  const std::uint32_t least = kTileShare * threads_per_body;
  if (tile == 0 || tile >= least) return {};
  return sentence("each thread of a body needs at least ", kTileShare, " sources of a tile, so ", threads_per_body,
                  " threads per body need a tile of ", least, " or more");
}

/// Why the values of two options cannot be combined.
std::string conflict(const Config& config, SolverOption which, int value) {
  const auto in_use = [&](SolverOption other, int otherwise) {
    if (other == which) return value;
    return has_option(config, other) ? value_index(config, other) : otherwise;
  };
  if (!kHasStandardAlgorithms && which == SolverOption::parallel && value == static_cast<int>(Parallel::standard)) {
    return "the C++ library of this build has no parallel algorithms; build the program with GCC and its library "
           "libstdc++";
  }
  const bool groups = in_use(SolverOption::walk, static_cast<int>(Walk::skip)) == static_cast<int>(Walk::group);
  const auto order = static_cast<Order>(in_use(SolverOption::order, static_cast<int>(Order::tree)));
  const bool scattered = order == Order::none || order == Order::shuffled || order == Order::regular;
  if ((which == SolverOption::walk || which == SolverOption::order) && groups && scattered) {
    return "a group consists of bodies that are adjacent in the tree, so the group walk needs tree order";
  }
  if ((which == SolverOption::sorting || which == SolverOption::order) && order == Order::none &&
      in_use(SolverOption::sorting, 0) != static_cast<int>(Sorting::radix)) {
    return "bodies in input order are not sorted";
  }
  if (in_use(SolverOption::links, static_cast<int>(Links::walk)) == static_cast<int>(Links::own)) {
    const std::string problem = links_conflict(config, which, in_use(SolverOption::walk, 0), order);
    if (!problem.empty()) return problem;
  }
  const bool points = in_use(SolverOption::leaf, 0) == static_cast<int>(LeafForce::point);
  if ((which == SolverOption::walk || which == SolverOption::leaf) && points && groups) {
    return "bodies that share a walk need the bodies of their leaves, so leaves that act as points need a walk per "
           "body";
  }
  const bool pageable = in_use(SolverOption::host_memory, 0) == static_cast<int>(HostMemory::pageable);
  const bool two_streams = has_option(config, SolverOption::streams) && in_use(SolverOption::streams, 0) == 0;
  if ((which == SolverOption::host_memory || which == SolverOption::streams) && pageable && two_streams) {
    return "copies from pageable memory block the CPU, so two streams cannot overlap";
  }
  if (which == SolverOption::tile || which == SolverOption::threads_per_body) {
    const auto number = [&](SolverOption option) {
      return solver_option_info(option).values[static_cast<std::size_t>(in_use(option, 0))].number;
    };
    return tile_conflict(number(SolverOption::tile), number(SolverOption::threads_per_body));
  }
  return {};
}

std::string problem_with_solver(const Config& config) {
  const SolverInfo* solver = find_solver(config.solver);
  if (!solver) {
    std::string names;
    for (const SolverInfo& row : solvers()) names += (names.empty() ? "" : ", ") + std::string(row.name);
    return sentence("there is no solver '", config.solver, "'; available: ", names);
  }
  if (solver->runs_on(config.backend)) return {};
  return sentence("solver '", config.solver, "' does not run on ", name_of(config.backend));
}

std::string problem_with_options(const Config& config) {
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    const int value = config.solver_options[which];
    if (value == SolverOptions::kDefault) continue;
    const SolverOptionInfo& info = solver_option_info(which);
    if (!has_option(config, which)) {
      return sentence("solver '", config.solver, "' has no option '", info.name, "' on ", name_of(config.backend),
                      solvers_with(which, config.backend));
    }
    const std::string problem = problem_with_value(config, which, value);
    if (!problem.empty()) {
      return sentence(info.name, " cannot be '", info.values[static_cast<std::size_t>(value)].name, "': ", problem);
    }
  }
  return {};
}

}  // namespace

std::string problem_with(const Config& config) {
  if (const std::string problem = problem_with_solver(config); !problem.empty()) return problem;
  if (config.dimension != 2 && config.dimension != 3) {
    return sentence("dimension is ", config.dimension, "; it must be 2 or 3");
  }
  if (config.threads < 0 || config.threads > kMaxThreads) {
    return sentence("threads is ", config.threads, "; it must be between 0 (all cores) and ", kMaxThreads);
  }
  if (has_internal_steps(config) && config.backend == Backend::cuda)
    return "the integrator gauss-radau does not run on CUDA; use --backend cpu, or leapfrog";
  if (const std::string problem = problem_with_options(config); !problem.empty()) return problem;
  if (config.simd != Simd::best) {
    for (Simd level : supported_simd()) {
      if (level == config.simd) return {};
    }
    return sentence("this machine does not support ", enum_name(config.simd), " instructions");
  }
  return {};
}

bool has_option(const Config& config, SolverOption which) {
  return supported_values(config, which) != nullptr;
}

int value_index(const Config& config, SolverOption which) {
  const int value = config.solver_options[which];
  return value != SolverOptions::kDefault ? value : supported_values(config, which)->default_value;
}

std::uint32_t value_number(const Config& config, SolverOption which) {
  return solver_option_info(which).values[static_cast<std::size_t>(value_index(config, which))].number;
}

CellSize cell_size(const Config& config) {
  return has_option(config, SolverOption::cell_size) ? option_value<CellSize>(config) : CellSize::box;
}

Parallel parallel_loops(const Config& config) {
  return has_option(config, SolverOption::parallel) ? option_value<Parallel>(config) : Parallel::own;
}

bool opens_by_error(const Config& config) {
  return has_option(config, SolverOption::opening) && option_value<Opening>(config) == Opening::error;
}

bool has_leaf_points(const Config& config) {
  return has_option(config, SolverOption::leaf) && option_value<LeafForce>(config) == LeafForce::point;
}

std::string problem_with_value(const Config& config, SolverOption which, int value) {
  if (value < 0) return {};
  if ((supported_values(config, which)->allowed >> value & 1u) == 0) {
    return sentence(find_solver(config.solver)->title, " does not support this value on ", name_of(config.backend));
  }
  return conflict(config, which, value);
}

Config on_cpu(Config config) {
  config.backend = Backend::cpu;
  return without_unsupported_values(config);
}

Config without_unsupported_values(Config config) {
  if (has_internal_steps(config) && config.backend == Backend::cuda) config.integrator = Integrator::leapfrog;
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    const int value = config.solver_options[which];
    if (value == SolverOptions::kDefault) continue;
    if (!has_option(config, which) || !problem_with_value(config, which, value).empty()) {
      config.solver_options.set(which, SolverOptions::kDefault);
    }
  }
  return config;
}

}  // namespace pericenter
