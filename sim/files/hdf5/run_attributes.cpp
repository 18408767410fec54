#include "sim/files/hdf5/run_attributes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>

#include "sim/core/printable.h"
#include "sim/core/settings.h"
#include "sim/files/file_origin.h"
#include "sim/scenes/model/encounter_settings.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

/// Writes the fields that visit_run() names.
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
  void field(const std::string& name, Choice choice) const { field(name, std::string(enum_name(choice))); }

 private:
  const Hdf5Session& session_;
  Hdf5Id group_;
};

/// Reads them.
class RunReader {
 public:
  explicit RunReader(Hdf5Id group) : group_(group) {}

  /// Whether the attribute exists.
  bool has(const std::string& name, bool) const { return !hdf5_numbers(group_, name).empty(); }
  void field(const std::string& name, std::string& text) const { text = hdf5_text(group_, name); }
  void field(const std::string& name, double& number) const {
    const std::vector<double> numbers = hdf5_numbers(group_, name);
    if (numbers.size() != 1 || !std::isfinite(numbers[0])) fail(name, "is missing or not a finite number");
    number = numbers[0];
  }
  template <class Number>
  requires std::is_integral_v<Number>
  void field(const std::string& name, Number& number) const {
    const std::vector<std::uint64_t> numbers = hdf5_counts(group_, name);
    if (numbers.size() != 1 || !std::in_range<Number>(numbers[0])) fail(name, "is missing or out of range");
    number = static_cast<Number>(numbers[0]);
  }
  template <class Choice>
  requires std::is_enum_v<Choice>
  void field(const std::string& name, Choice& choice) const {
    const std::string text = hdf5_text(group_, name);
    const auto found = std::ranges::find(kEnumNames<Choice>, text);
    if (found == kEnumNames<Choice>.end()) fail(name, "is missing or has the unknown value '" + text + "'");
    choice = static_cast<Choice>(found - kEnumNames<Choice>.begin());
  }

 private:
  [[noreturn]] static void fail(const std::string& name, const std::string& what) {
    throw InputError(std::string("attribute '") + name + "' of group /" + kRunGroup + " " + what +
                     "; the file is damaged or was saved by a later version of Pericenter.");
  }

  Hdf5Id group_;
};

/// `Archive`: RunWriter or RunReader.
void visit(const auto& archive, const std::string& prefix, auto& params) {
  for (const auto& [info, member] : kParamsSettings) {
    const std::string name = prefix + std::string(info.attribute);
    if (!info.optional || archive.has(name, true)) archive.field(name, params.*member);
  }
}

/// All fields except the solver options, in one place for both directions.
template <class Run>
void visit_run(const auto& archive, Run& run) {
  archive.field("Scene", run.scene);
  if constexpr (!std::is_const_v<Run>) run.scene = printable(run.scene);
  archive.field("SceneBodies", run.request.bodies);
  archive.field("SceneSeed", run.request.seed);
  archive.field("SceneDimension", run.request.dimension);
  archive.field("SceneSoftening", run.request.softening);
  if (archive.has("EncounterPericenter", run.request.encounter.has_value())) {
    Encounter encounter = run.request.encounter.value_or(Encounter());
    for (const EncounterSetting& row : kEncounterSettings) archive.field(std::string(row.attribute), row.at(encounter));
    if constexpr (!std::is_const_v<Run>) run.request.encounter = encounter;
  }
  for_each_config_setting([&](const SettingInfo& info, auto member) {
    const std::string name(info.attribute);
    if (!info.optional || archive.has(name, true)) archive.field(name, run.config.*member);
  });
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
  std::uint64_t planets = run.has_planets;
  if (archive.has("HasPlanets", planets != 0)) archive.field("HasPlanets", planets);
  if constexpr (!std::is_const_v<Run>) run.has_planets = planets != 0;
  archive.field("SceneString", run.scene_string);
}

constexpr const char* kOrigin = "OriginLength";  ///< is there if the bodies are from a file

/// The fields of Diagnostics that a later run needs as its reference.
template <class Start>
void visit_start(const auto& archive, Start& start) {
  archive.field("StartKinetic", start.kinetic);
  archive.field("StartPotential", start.potential);
  for (int k = 0; k < 3; ++k) archive.field(std::string("StartMomentum") + "XYZ"[k], start.momentum[k]);
}

/// The fields of FileOrigin except ids and types, which are datasets.
template <class Origin>
void visit_origin(const auto& archive, Origin& origin) {
  archive.field(kOrigin, origin.frame.length);
  archive.field("OriginMass", origin.frame.mass);
  archive.field("OriginVelocity", origin.frame.velocity);
  archive.field("OriginTime", origin.frame.time);
  for (int k = 0; k < 3; ++k) {
    archive.field(std::string("OriginCentre") + "XYZ"[k], origin.frame.centre[k]);
    archive.field(std::string("OriginDrift") + "XYZ"[k], origin.frame.drift[k]);
  }
  archive.field("OriginUnitLength_cm", origin.units.length_cm);
  archive.field("OriginUnitMass_g", origin.units.mass_g);
  archive.field("OriginUnitVelocity_cm_s", origin.units.velocity_cm_s);
  if (!archive.has("OriginBoxX", origin.box != Vec3{})) return;
  for (int k = 0; k < 3; ++k) archive.field(std::string("OriginBox") + "XYZ"[k], origin.box[k]);
}

void write_optional_fields(const RunWriter& archive, const SavedRun& run) {
  if (run.start && std::isfinite(run.start->energy())) visit_start(archive, *run.start);
  if (run.origin) visit_origin(archive, *run.origin);
}

void read_optional_fields(const RunReader& archive, SavedRun& run) {
  if (archive.has("StartKinetic", true)) visit_start(archive, run.start.emplace());
  if (!archive.has(kOrigin, true)) return;
  FileOrigin origin;
  visit_origin(archive, origin);
  const SceneFrame& frame = origin.frame;
  if (!(frame.length > 0 && frame.mass > 0 && frame.velocity > 0 && std::isfinite(frame.time_unit())))
    throw InputError(std::string("group /") + kRunGroup + ": the units of the source file must be positive.");
  run.origin = std::make_shared<const FileOrigin>(std::move(origin));
}

std::string option_attribute(SolverOption which) {
  return "Switch_" + std::string(solver_option_info(which).name);
}

void read_solver_options(Hdf5Id group, Config& config) {
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    const std::string made = hdf5_text(group, option_attribute(which));
    const auto& choices = solver_option_info(which).values;
    const auto found = std::ranges::find(choices, made, &SolverOptionValue::name);
    if (found != choices.end()) config.solver_options.set(which, static_cast<int>(found - choices.begin()));
  }
}

/// Replaces what this machine does not support.
void make_runnable(Config& config, std::vector<std::string>& notes) {
  const std::vector<Simd> supported = supported_simd();
  if (config.simd != Simd::best && std::ranges::find(supported, config.simd) == supported.end()) {
    notes.push_back(std::string("The run used ") + std::string(enum_name(config.simd)) +
                    " instructions, which this machine does not support; rounding will differ.");
    config.simd = Simd::best;
  }
  const std::string problem = problem_with(config);
  if (problem.empty()) return;
  notes.push_back("The solver of the run is not available: " + problem + ". The default solver is used.");
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
  write_optional_fields(RunWriter(session, group), run);
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    const int made = run.config.solver_options[which];
    if (made == SolverOptions::kDefault) continue;
    put_hdf5(session, group, option_attribute(which),
             std::string(solver_option_info(which).values[static_cast<std::size_t>(made)].name));
  }
}

SavedRun read_run(Hdf5Id group, std::vector<std::string>& notes) {
  const std::vector<std::uint64_t> version = hdf5_counts(group, "Version");
  if (version.size() == 1 && version[0] > kRunVersion) {
    throw InputError("the file was saved by a later version of Pericenter (format " + std::to_string(version[0]) +
                     ", this version reads up to " + std::to_string(kRunVersion) + "); update Pericenter.");
  }
  SavedRun run;
  visit_run(RunReader(group), run);
  read_optional_fields(RunReader(group), run);
  read_solver_options(group, run.config);
  make_runnable(run.config, notes);
  check(run);
  return run;
}

}  // namespace pericenter
