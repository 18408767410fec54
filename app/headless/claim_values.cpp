#include "app/headless/claim_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "app/base/format.h"
#include "app/lessons/claim.h"
#include "sim/analysis/force_sample.h"
#include "sim/analysis/structure.h"
#include "sim/analysis/tail_stars.h"
#include "sim/analysis/theta_sweep.h"
#include "sim/core/tree_box.h"

namespace pericenter::app {
namespace {

constexpr double kPercent = 100;
constexpr std::size_t kSampledForces = 1024;
constexpr std::size_t kEvaluations = 5;   ///< evaluations; their median is the time
constexpr double kEnoughMs = 2000;        ///< evaluations that take longer are not repeated
constexpr double kNearPericenter = 1.25;  ///< separations up to this factor belong to the passage

double or_one(double unit) {
  return unit > 0 ? unit : 1;
}

const SessionState& state_of(LessonSimulation& run) {
  return run.session().state();
}

// ---- the encounter

/// The first event of a kind; null if it has not happened.
const EncounterEvent* first_event(EncounterEventKind kind, LessonSimulation& run) {
  const std::vector<EncounterEvent>& events = state_of(run).record->events;
  const auto event = std::ranges::find(events, kind, &EncounterEvent::kind);
  return event == events.end() ? nullptr : &*event;
}

double time_of(EncounterEventKind kind, LessonSimulation& run) {
  const EncounterEvent* const event = first_event(kind, run);
  return event ? event->time * or_one(state_of(run).units.time_myr) : kNotMeasured;
}

double separation_at_pericenter(LessonSimulation& run) {
  const EncounterEvent* const event = first_event(EncounterEventKind::pericenter, run);
  return event ? event->separation * or_one(state_of(run).units.length_kpc) : kNotMeasured;
}

double separation(LessonSimulation& run) {
  const std::vector<StructureSample>& samples = state_of(run).record->structure;
  return samples.empty() ? kNotMeasured : samples.back().separation * or_one(state_of(run).units.length_kpc);
}

/// Offsets around `time` that are not much longer than the shortest of them.
std::span<const NucleiOffset> passage(const std::vector<NucleiOffset>& nuclei, double time) {
  const auto near =
      std::ranges::min_element(nuclei, {}, [&](const NucleiOffset& one) { return std::abs(one.time - time); });
  const double limit = kNearPericenter * length(near->offset);
  auto first = near, last = near + 1;
  while (first != nuclei.begin() && length(std::prev(first)->offset) <= limit) --first;
  while (last != nuclei.end() && length(last->offset) <= limit) ++last;
  return {first, last};
}

/// The derivative at `time` of the cubic polynomials through the offsets, by least squares: sums of powers of the time
/// and of their products with the offsets, solved by elimination. The derivative is the
/// last unknown, so that no other one has to be found.
Vec3 slope_at(std::span<const NucleiOffset> offsets, double time) {
  constexpr std::size_t kTerms = 4;
  constexpr std::array<int, kTerms> kPowers = {0, 2, 3, 1};
  double scale = 0;
  for (const NucleiOffset& one : offsets) scale = std::max(scale, std::abs(one.time - time));
  std::array<std::array<double, kTerms>, kTerms> matrix = {};
  std::array<Vec3, kTerms> right = {};
  for (const NucleiOffset& one : offsets) {
    const double u = (one.time - time) / scale;
    for (std::size_t i = 0; i < kTerms; ++i) {
      right[i] += one.offset * std::pow(u, kPowers[i]);
      for (std::size_t j = 0; j < kTerms; ++j) matrix[i][j] += std::pow(u, kPowers[i] + kPowers[j]);
    }
  }
  for (std::size_t k = 0; k + 1 < kTerms; ++k)  // positive definite: it needs no pivots
    for (std::size_t i = k + 1; i < kTerms; ++i) {
      const double factor = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k; j < kTerms; ++j) matrix[i][j] -= factor * matrix[k][j];
      right[i] -= right[k] * factor;
    }
  return right[kTerms - 1] * (1 / (matrix[kTerms - 1][kTerms - 1] * scale));
}

double speed_at_pericenter(LessonSimulation& run) {
  const EncounterEvent* const event = first_event(EncounterEventKind::pericenter, run);
  if (!event || run.nuclei().empty()) return kNotMeasured;
  const std::span<const NucleiOffset> near = passage(run.nuclei(), event->time);
  if (near.size() < 5) return kNotMeasured;
  return length(slope_at(near, event->time)) * or_one(state_of(run).units.velocity_kms);
}

// ---- tails

double tail_fraction(LessonSimulation& run) {
  const std::vector<StructureSample>& samples = state_of(run).record->structure;
  return samples.empty() ? kNotMeasured : samples.back().tail_fraction * kPercent;
}

/// Mean distance from the centre of their galaxy at which stars were born. `stars`: indices of disc stars.
double mean_birth_radius(const Bodies& bodies, std::span<const std::size_t> stars, LessonSimulation& run) {
  const auto criterion = StructureMeter(bodies).tail_criterion(bodies);
  if (!criterion || stars.empty()) return kNotMeasured;
  double sum = 0;
  for (const std::size_t star : stars) {
    const std::uint32_t tag = bodies[star].tag;
    sum += criterion->discs[galaxy_of(tag) == criterion->discs[1].galaxy ? 1 : 0].unit * birth_radius_of(tag);
  }
  return sum / static_cast<double>(stars.size()) * or_one(state_of(run).units.length_kpc);
}

/// Mean birth radius of the stars that are in tails now, or, after a run backwards, that were before it.
double tail_birth_radius(LessonSimulation& run) {
  const Bodies bodies = run.simulation().bodies();
  std::vector<std::size_t> stars = run.first_tail_stars();
  const auto criterion = StructureMeter(bodies).tail_criterion(bodies);
  if (stars.empty() && criterion) stars = stars_in_tails(bodies, *criterion);
  return mean_birth_radius(bodies, stars, run);
}

double disc_birth_radius(LessonSimulation& run) {
  const Bodies bodies = run.simulation().bodies();
  std::vector<std::size_t> stars;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (component_of(bodies[i].tag) == Component::disc) stars.push_back(i);
  return mean_birth_radius(bodies, stars, run);
}

// ---- accuracy and cost

double force_error(LessonSimulation& run) {
  Simulation& simulation = run.simulation();
  const std::size_t sampled = std::min(simulation.size(), kSampledForces);
  const auto errors =
      errors_of(simulation.sampled_forces(state_of(run).params, random_sample(simulation.size(), sampled, 1)));
  return errors ? errors->mean * kPercent : kNotMeasured;
}

/// The largest since the slide began.
double energy_error(LessonSimulation& run) {
  run.apply(request::TakeCopy{});  // updates the energy
  run.session().take_copy();
  double largest = std::abs(state_of(run).energy_error);
  for (const LabSample& sample : state_of(run).record->samples)
    if (sample.position >= run.slide_position()) largest = std::max(largest, std::abs(sample.energy_error));
  return largest * kPercent;
}

/// Milliseconds that an evaluation of the forces takes.
double force_ms(const Config& config, LessonSimulation& run) {
  Params params = state_of(run).params;
  const auto simulation = Simulation::create(config, run.simulation().bodies());
  std::vector<double> ms;
  for (std::size_t k = 0; k <= kEvaluations; ++k) {
    params.theta = std::nextafter(params.theta, 10);  // so that no forces are taken from the last evaluation
    const double before = static_cast<double>(simulation->timings().total_ms());
    simulation->sampled_forces(params, {});
    const double taken = static_cast<double>(simulation->timings().total_ms()) - before;
    if (k > 0 || taken > kEnoughMs) ms.push_back(taken);  // the first one warms up
    if (taken > kEnoughMs) break;
  }
  const auto middle = ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2);
  std::ranges::nth_element(ms, middle);
  return *middle;
}

double direct_takes(LessonSimulation& run) {
  const Config& now = state_of(run).config;
  return force_ms(swept_config(now, "direct"), run) / force_ms(now, run);
}

/// The simulation with the forces, and so the tree, of its present bodies and settings.
const Simulation& with_forces(LessonSimulation& run) {
  run.simulation().accelerations(state_of(run).params);
  return run.simulation();
}

double interactions(LessonSimulation& run) {
  const Simulation& simulation = with_forces(run);
  return static_cast<double>(simulation.work().interactions()) / static_cast<double>(simulation.size());
}

double tree_levels(LessonSimulation& run) {
  return with_forces(run).tree_levels();
}

double tree_cells(LessonSimulation& run) {
  std::vector<TreeBox> cells;
  with_forces(run).tree_boxes(0, std::numeric_limits<int>::max() - 1, std::numeric_limits<std::size_t>::max(), cells);
  return static_cast<double>(cells.size());
}

double bodies(LessonSimulation& run) {
  return static_cast<double>(run.simulation().size());
}

double pairs(LessonSimulation& run) {
  return bodies(run) * (bodies(run) - 1) / 2;
}

// ---- the table

using OfOne = double (*)(LessonSimulation&);

/// What the value depends on: on how the bodies moved, on where they are now, or also on how many there are.
enum class Depends { on_run, on_moment, on_number };

/// How a quantity is measured: in A, in B, or of both.
struct Measurement {
  std::string_view quantity;
  OfOne one;
  bool of_b = false;
  Depends depends = Depends::on_run;
};

// clang-format off
constexpr Measurement kMeasurements[] = {
    {"separation at pericentre", separation_at_pericenter},
    {"time of pericentre", [](LessonSimulation& run) { return time_of(EncounterEventKind::pericenter, run); }},
    {"speed at pericentre", speed_at_pericenter},
    {"separation", separation},
    {"time of merger", [](LessonSimulation& run) { return time_of(EncounterEventKind::merger, run); }},
    {"time of first tails", [](LessonSimulation& run) { return time_of(EncounterEventKind::tails, run); }},
    {"tail mass fraction", tail_fraction},
    {"tail mass fraction of B", tail_fraction, true},
    {"tail birth radius", tail_birth_radius},
    {"disc birth radius", disc_birth_radius},
    {"energy error", energy_error},
    {"energy error of B", energy_error, true},
    {"force error", force_error, false, Depends::on_moment},
    {"force error of B", force_error, true, Depends::on_moment},
    {"direct takes", direct_takes, false, Depends::on_number},
    {"interactions per body", interactions, false, Depends::on_number},
    {"interactions per body of B", interactions, true, Depends::on_number},
    {"tree levels", tree_levels, false, Depends::on_number},
    {"tree cells", tree_cells, false, Depends::on_number},
    {"pairs", pairs, false, Depends::on_number},
    {"bodies", bodies, false, Depends::on_number},
};
// clang-format on

constexpr std::string_view kTimeRatio = "time ratio";

/// Time of a step of B over that of A.
double time_ratio(LessonRun& run) {
  return force_ms(state_of(*run.b()).config, *run.b()) / force_ms(state_of(run.a()).config, run.a());
}

const Measurement* find_measurement(std::string_view quantity) {
  const auto* const row = std::ranges::find(kMeasurements, quantity, &Measurement::quantity);
  return row == std::end(kMeasurements) ? nullptr : row;
}

}  // namespace

double measured(std::string_view quantity, LessonRun& run) {
  if (quantity == kTimeRatio) return run.b() ? time_ratio(run) : kNotMeasured;
  const Measurement* const row = find_measurement(quantity);
  LessonSimulation* const of = row && row->of_b ? run.b() : &run.a();
  return row && of ? row->one(*of) : kNotMeasured;
}

bool can_measure(std::string_view quantity) {
  return quantity == kTimeRatio || find_measurement(quantity);
}

bool is_momentary(std::string_view quantity) {
  const Measurement* const row = find_measurement(quantity);
  return quantity == kTimeRatio || (row && row->depends != Depends::on_run);
}

bool depends_on_bodies(std::string_view quantity) {
  const Measurement* const row = find_measurement(quantity);
  return quantity == kTimeRatio || (row && row->depends == Depends::on_number);
}

std::string value_with_unit(double value, std::string_view quantity) {
  if (std::isnan(value)) return "not measured";
  const auto rows = claim_quantities();
  const auto row = std::ranges::find(rows, quantity, &ClaimQuantity::name);
  const std::string number =
      value >= 1000 ? with_thousands(static_cast<std::uint64_t>(std::llround(value))) : text("%.3g", value);
  return row == rows.end() || row->unit.empty() ? number : number + " " + std::string(row->unit);
}

}  // namespace pericenter::app
