#pragma once

#include <array>
#include <limits>
#include <string_view>

#include "sim/core/config.h"

namespace pericenter {

/// Range of a number, both ends included.
struct Range {
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
};

/// A setting outside of the program. The value is a member of Config or Params.
struct SettingInfo {
  std::string_view key;        ///< option --key, scene string, PNG metadata
  std::string_view attribute;  ///< name of the attribute in snapshots
  std::string_view type = {}, help = {};
  Range range = {};
  bool optional = false;  ///< missing in snapshots of older versions
};

/// Calls visit(info, member) for each setting of Config except the solver options, whose table is
/// solver_option_info().
template <class Visit>
void for_each_config_setting(const Visit& visit) {
  visit(SettingInfo{.key = "solver", .attribute = "Solver"}, &Config::solver);
  visit(SettingInfo{.key = "backend", .attribute = "Backend"}, &Config::backend);
  visit(SettingInfo{.key = "precision",
                    .attribute = "Precision",
                    .type = "float|double",
                    .help = "floating-point precision of the solver (default: float)"},
        &Config::precision);
  visit(SettingInfo{.key = "dimension",
                    .attribute = "Dimension",
                    .type = "2|3",
                    .help = "2: bodies in a plane under the same softened force (default: 3)",
                    .range = {2, 3}},
        &Config::dimension);
  visit(SettingInfo{.key = "multipole",
                    .attribute = "Multipole",
                    .type = "NAME",
                    .help = "expansion of distant cells: monopole or quadrupole (default: quadrupole)"},
        &Config::multipole);
  visit(SettingInfo{.key = "integrator",
                    .attribute = "Integrator",
                    .type = "NAME",
                    .help = "leapfrog, euler (semi-implicit, less accurate), or gauss-radau (order 15, own "
                            "steps; CPU, at most 100 bodies with mass) (default: gauss-radau for few bodies, else "
                            "leapfrog)",
                    .optional = true},
        &Config::integrator);
  visit(SettingInfo{.key = "threads",
                    .attribute = "Threads",
                    .type = "N",
                    .help = "CPU threads; 0: one per core (default: 0)",
                    .range = {0, kMaxThreads}},
        &Config::threads);
  visit(SettingInfo{.key = "simd",
                    .attribute = "Simd",
                    .type = "NAME",
                    .help = "CPU vector instructions: plain, avx2, avx512 or best (default: best)"},
        &Config::simd);
  visit(SettingInfo{.key = "device", .attribute = "Device"}, &Config::device);
}

struct ParamsSetting {
  SettingInfo info;
  double Params::*member;
};
/// All settings of Params; problem_with() checks their ranges.
inline constexpr std::array<ParamsSetting, 6> kParamsSettings = {{
    {{.key = "dt", .attribute = "TimeStep", .type = "TIME", .help = "time step; negative runs time backwards"},
     &Params::dt},
    {{.key = "theta",
      .attribute = "Theta",
      .type = "ANGLE",
      .help = "opening angle of the tree, 0 to 2; smaller is more accurate and slower"},
     &Params::theta},
    {{.key = "accuracy",
      .attribute = "Accuracy",
      .type = "ERROR",
      .help = "target mean relative force error with --opening error, 1e-6 to 0.1 (default: 0.001)",
      .optional = true},
     &Params::accuracy},
    {{.key = "softening",
      .attribute = "Softening",
      .type = "LENGTH",
      .help = "softening length, 0 or more; smaller is sharper and needs a smaller dt"},
     &Params::softening},
    {{.key = "gravity", .attribute = "Gravity"}, &Params::gravity},
    {{.key = "adaptive-steps",
      .attribute = "AdaptiveSteps",
      .type = "TOLERANCE",
      .help = "divide steps of --dt into up to 64 parts, so that the strongest acceleration moves no body with mass by "
              "more than TOLERANCE softening lengths in one, such as 0.025; 0: off "
              "(default: chosen for the scene)",
      .optional = true},
     &Params::adaptive_steps},
}};

}  // namespace pericenter
