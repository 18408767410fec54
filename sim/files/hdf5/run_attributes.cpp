#include "sim/files/hdf5/run_attributes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

template <class Choice>
constexpr std::array<std::string_view, 0> kNames{};
template <>
constexpr std::array<std::string_view, 2> kNames<Backend> = {"cpu", "cuda"};
template <>
constexpr std::array<std::string_view, 2> kNames<Precision> = {"float", "double"};
template <>
constexpr std::array<std::string_view, 2> kNames<Multipole> = {"monopole", "quadrupole"};
template <>
constexpr std::array<std::string_view, 4> kNames<Simd> = {"plain", "avx2", "avx512", "best"};

class RunWriter {
 public:
  RunWriter(const Hdf5Session& session, Hdf5Id group) : session_(session), group_(group) {}

  bool has(const std::string&, bool there) const { return there; }
  void field(const std::string& name, const std::string& text) const { put_hdf5(session_, group_, name, text); }
  void field(const std::string& name, double number) const { put_hdf5(session_, group_, name, number); }
  template <class Number>
  requires std::is_integral_v<Number>
  void field(const std::string& name, Number number) const {
    put_hdf5(session_, group_, name, static_cast<std::uint64_t>(number));
  }
  template <class Choice>
  requires std::is_enum_v<Choice>
  void field(const std::string& name, Choice choice) const {
    field(name, std::string(kNames<Choice>[static_cast<std::size_t>(choice)]));
  }

 private:
  const Hdf5Session& session_;
  Hdf5Id group_;
};

class RunReader {
 public:
  explicit RunReader(Hdf5Id group) : group_(group) {}

  /// Whether the fields that `name` stands for were written.
  bool has(const std::string& name, bool) const { return !hdf5_numbers(group_, name).empty(); }
  void field(const std::string& name, std::string& text) const { text = hdf5_text(group_, name); }
  void field(const std::string& name, double& number) const {
    const std::vector<double> numbers = hdf5_numbers(group_, name);
    if (numbers.size() != 1 || !std::isfinite(numbers[0])) fail(name, "is missing or no finite number");
    number = numbers[0];
  }
  template <class Number>
  requires std::is_integral_v<Number>
  void field(const std::string& name, Number& number) const {
    const std::vector<std::uint64_t> numbers = hdf5_counts(group_, name);
    if (numbers.size() != 1 || !std::in_range<Number>(numbers[0])) fail(name, "is missing or no number that fits");
    number = static_cast<Number>(numbers[0]);
  }
  template <class Choice>
  requires std::is_enum_v<Choice>
  void field(const std::string& name, Choice& choice) const {
    const std::string text = hdf5_text(group_, name);
    const auto found = std::ranges::find(kNames<Choice>, text);
    if (found == kNames<Choice>.end()) fail(name, "is missing or says '" + text + "', which is none of its values");
    choice = static_cast<Choice>(found - kNames<Choice>.begin());
  }

 private:
  [[noreturn]] static void fail(const std::string& name, const std::string& what) {
    throw InputError(std::string("attribute '") + name + "' of group /" + kRunGroup + " " + what +
                     "; the file is damaged or was written by a later version.");
  }

  Hdf5Id group_;
};

void visit(const auto& archive, const std::string& prefix, auto& params) {
  archive.field(prefix + "TimeStep", params.dt);
  archive.field(prefix + "Theta", params.theta);
  // Files of older versions have none.
  if (archive.has(prefix + "Accuracy", true)) archive.field(prefix + "Accuracy", params.accuracy);
  archive.field(prefix + "Softening", params.softening);
  archive.field(prefix + "Gravity", params.gravity);
}

void visit(const auto& archive, auto& encounter) {
  archive.field("EncounterPericenter", encounter.orbit.pericenter);
  archive.field("EncounterEccentricity", encounter.orbit.eccentricity);
  archive.field("EncounterSeparation", encounter.orbit.separation);
  archive.field("EncounterFirstInclination", encounter.first.inclination);
  archive.field("EncounterFirstPericenterArgument", encounter.first.pericenter_argument);
  archive.field("EncounterSecondInclination", encounter.second.inclination);
  archive.field("EncounterSecondPericenterArgument", encounter.second.pericenter_argument);
  archive.field("EncounterSpeedFactor", encounter.speed_factor);
  archive.field("EncounterMassRatio", encounter.mass_ratio);
}

/// All fields but the switches, in one place for both directions.
template <class Run>
void visit_run(const auto& archive, Run& run) {
  archive.field("Scene", run.scene);
  archive.field("SceneBodies", run.request.bodies);
  archive.field("SceneSeed", run.request.seed);
  archive.field("SceneDimension", run.request.dimension);
  archive.field("SceneSoftening", run.request.softening);
  if (archive.has("EncounterPericenter", run.request.encounter.has_value())) {
    if constexpr (!std::is_const_v<Run>) run.request.encounter.emplace();
    visit(archive, *run.request.encounter);
  }
  archive.field("Solver", run.config.solver);
  archive.field("Backend", run.config.backend);
  archive.field("Precision", run.config.precision);
  archive.field("Dimension", run.config.dimension);
  archive.field("Multipole", run.config.multipole);
  archive.field("Threads", run.config.threads);
  archive.field("Simd", run.config.simd);
  archive.field("Device", run.config.device);
  visit(archive, "", run.params);
  visit(archive, "Suggested", run.suggested);
  archive.field("Steps", run.steps);
  archive.field("LengthUnit_kpc", run.units.length_kpc);
  archive.field("TimeUnit_Myr", run.units.time_myr);
  archive.field("VelocityUnit_km_s", run.units.velocity_kms);
  archive.field("ViewRadius", run.view_radius);
  if (archive.has("ViewYaw", run.angles.has_value())) {
    if constexpr (!std::is_const_v<Run>) run.angles.emplace();
    archive.field("ViewYaw", run.angles->yaw);
    archive.field("ViewPitch", run.angles->pitch);
  }
  archive.field("HighlightTime", run.highlight_time);
  archive.field("SceneString", run.scene_string);
}

std::string switch_name(SolverOption which) {
  return "Switch_" + std::string(solver_option_info(which).name);
}

void read_solver_options(Hdf5Id group, Config& config) {
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    const std::string made = hdf5_text(group, switch_name(which));
    const auto& choices = solver_option_info(which).values;
    const auto found = std::ranges::find(choices, made, &SolverOptionValue::name);
    if (found != choices.end()) config.solver_options.set(which, static_cast<int>(found - choices.begin()));
  }
}

/// Leaves a config that can run here.
void settle(Config& config, std::vector<std::string>& notes) {
  const std::vector<Simd> supported = supported_simd();
  if (config.simd != Simd::best && std::ranges::find(supported, config.simd) == supported.end()) {
    notes.push_back(std::string("It ran with ") + simd_name(config.simd) +
                    " instructions, which this machine has not: it goes on with rounding of its own.");
    config.simd = Simd::best;
  }
  const std::string problem = problem_with(config);
  if (problem.empty()) return;
  notes.push_back("It cannot go on with the solver that it ran with: " + problem + ".");
  const Config saved = config;
  config = {};
  config.precision = saved.precision;
  config.dimension = saved.dimension == 2 ? 2 : 3;
}

void check(const SavedRun& run) {
  for (const Params& params : {run.params, run.suggested}) {
    if (const std::string problem = problem_with(params); !problem.empty()) {
      throw InputError(std::string("group /") + kRunGroup + ": " + problem + ".");
    }
  }
  if (!(run.view_radius > 0)) throw InputError(std::string("group /") + kRunGroup + ": ViewRadius must be positive.");
}

}  // namespace

void write_run(const Hdf5Session& session, Hdf5Id group, const SavedRun& run) {
  put_hdf5(session, group, "Version", kRunVersion);
  visit_run(RunWriter(session, group), run);
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    const int made = run.config.solver_options[which];
    if (made == SolverOptions::kDefault) continue;
    put_hdf5(session, group, switch_name(which),
             std::string(solver_option_info(which).values[static_cast<std::size_t>(made)].name));
  }
}

SavedRun read_run(Hdf5Id group, std::vector<std::string>& notes) {
  const std::vector<std::uint64_t> version = hdf5_counts(group, "Version");
  if (version.size() == 1 && version[0] > kRunVersion) {
    throw InputError("it was saved by a later version of Pericenter (format " + std::to_string(version[0]) +
                     ", this one reads " + std::to_string(kRunVersion) + "); update Pericenter.");
  }
  SavedRun run;
  visit_run(RunReader(group), run);
  read_solver_options(group, run.config);
  settle(run.config, notes);
  check(run);
  return run;
}

}  // namespace pericenter
