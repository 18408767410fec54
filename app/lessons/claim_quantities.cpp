#include "app/lessons/claim_quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/base/format.h"
#include "app/settings/option_values.h"
#include "sim/analysis/force_sample.h"
#include "sim/analysis/rotation_curve.h"
#include "sim/analysis/structure.h"
#include "sim/analysis/tail_stars.h"
#include "sim/analysis/theta_sweep.h"
#include "sim/core/display_units.h"
#include "sim/core/median.h"
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

template <EncounterEventKind kKind>
double time_of(LessonSimulation& run) {
  const EncounterEvent* const event = first_event(kKind, run);
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

/// Mean speed of rotation of the first disc beyond kOuter kpc.
double outer_rotation(LessonSimulation& run) {
  constexpr double kOuter = 10;
  const Bodies bodies = run.simulation().bodies();
  const StructureMeter meter(bodies);
  const auto nucleus = meter.nuclei(bodies)[0];
  if (!nucleus) return kNotMeasured;
  const RotationCurve curve = rotation_curve(bodies, {}, meter.disc(), *nucleus);
  const Units& units = state_of(run).units;
  double sum = 0, rings = 0;
  for (std::size_t k = 0; k < curve.radius.size(); ++k) {
    if (curve.radius[k] * or_one(units.length_kpc) < kOuter) continue;
    sum += curve.measured[k] * or_one(units.velocity_kms);
    ++rings;
  }
  return rings > 0 ? sum / rings : kNotMeasured;
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
  return median(std::move(ms));
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

/// Time of a step of B over that of A.
double time_ratio(const LessonRuns& runs) {
  return runs.b ? force_ms(state_of(*runs.b).config, *runs.b) / force_ms(state_of(runs.a).config, runs.a)
                : kNotMeasured;
}

// ---- the table

template <auto kMeasure>
double of_a(const LessonRuns& runs) {
  return kMeasure(runs.a);
}

/// B follows A in steps of its own. It cannot with a time step of 0, or one of the other sign.
void check_is_together(const LessonRuns& runs) {
  const double a = runs.a.simulation().time(), b = runs.b->simulation().time();
  const double step_of_a = state_of(runs.a).params.dt, step_of_b = state_of(*runs.b).params.dt;
  const bool follows = step_of_a * step_of_b > 0;
  if (a == b || (follows && std::abs(a - b) <= std::max(std::abs(step_of_a), std::abs(step_of_b)))) return;
  throw NotMeasured("B is at " + time_text(b, state_of(*runs.b).units) + " and has not reached the time of A, " +
                    time_text(a, state_of(runs.a).units) + "; compare other settings");
}

template <auto kMeasure>
double of_b(const LessonRuns& runs) {
  if (!runs.b) return kNotMeasured;
  check_is_together(runs);
  return kMeasure(*runs.b);
}

template <auto kMeasure>
double in_picture(LessonSimulation& run, render::Half half, const LessonRuns& runs) {
  if (!runs.picture) return kNotMeasured;
  return kMeasure(PicturedRun{runs.picture(), run.simulation().bodies(), run.highlighted(), half});
}

template <auto kMeasure>
double of_picture(const LessonRuns& runs) {
  return in_picture<kMeasure>(runs.a, runs.b ? render::Half::left : render::Half::right, runs);
}

template <auto kMeasure>
double of_picture_of_b(const LessonRuns& runs) {
  return runs.b ? in_picture<kMeasure>(*runs.b, render::Half::right, runs) : kNotMeasured;
}

constexpr Depends kRun = Depends::on_run, kMoment = Depends::on_moment, kNumber = Depends::on_number;
constexpr Records kNuclei = Records::nuclei, kEnergy = Records::energy;

// clang-format off
constexpr std::array kQuantities = std::to_array<ClaimQuantity>({
    {"separation at pericentre", "kpc", "distance of the nuclei at the first pericentre",
     of_a<separation_at_pericenter>},
    {"time of pericentre", "Myr", "time of the first pericentre",
     of_a<time_of<EncounterEventKind::pericenter>>},
    {"speed at pericentre", "km/s", "relative speed of the nuclei at the first pericentre",
     of_a<speed_at_pericenter>, kRun, kNuclei},
    {"separation", "kpc", "distance of the nuclei at the end of the slide",
     of_a<separation>},
    {"time of merger", "Myr", "time at which the nuclei merge", of_a<time_of<EncounterEventKind::merger>>},
    {"time of first tails", "Myr", "time of the first tails", of_a<time_of<EncounterEventKind::tails>>},
    {"tail mass fraction", "%", "share of the mass of the discs that is in tails at the end of the slide",
     of_a<tail_fraction>},
    {"tail mass fraction of B", "%", "the same, of B in a comparison", of_b<tail_fraction>},
    {"tail birth radius", "kpc", "mean distance of the tail stars from the centre of their galaxy at the start",
     of_a<tail_birth_radius>},
    {"disc birth radius", "kpc", "mean distance of all disc stars from the centre of their galaxy at the start",
     of_a<disc_birth_radius>},
    {"outer rotation", "km/s", "mean speed of rotation of the first disc beyond 10 kpc, at the end of the slide",
     of_a<outer_rotation>},
    {"force error", "%", "mean error of the forces at the end of the slide", of_a<force_error>, kMoment},
    {"force error of B", "%", "the same, of B in a comparison", of_b<force_error>, kMoment},
    {"energy error", "%", "largest error of the total energy during the slide", of_a<energy_error>, kRun, kEnergy},
    {"energy error of B", "%", "the same, of B in a comparison", of_b<energy_error>, kRun, kEnergy},
    {"direct takes", "times as long", "time of the direct sum over that of the solver, for the present bodies",
     of_a<direct_takes>, kNumber},
    {"interactions per body", "", "interactions that the solver computes for a body in a step, mean",
     of_a<interactions>, kNumber},
    {"interactions per body of B", "", "the same, of B in a comparison", of_b<interactions>, kNumber},
    {"tree levels", "", "depth of the tree", of_a<tree_levels>, kNumber},
    {"tree cells", "", "number of cells of the tree", of_a<tree_cells>, kNumber},
    {"time ratio", "", "time per step of B over that of A in a comparison", time_ratio, kNumber},
    {"pairs", "", "N (N - 1) / 2 for N bodies", of_a<pairs>, kNumber},
    {"bodies", "", "number of bodies", of_a<bodies>, kNumber},
    {"stars in view", "%", "share of the highlighted stars, or of all, that are within the picture and not behind words",
     of_picture<stars_in_view>},
    {"stars in view of B", "%", "the same, of B in its half of a comparison", of_picture_of_b<stars_in_view>},
    {"size of stars", "pixels", "width or height of the part of the picture with 90 % of these stars",
     of_picture<size_of_stars>},
    {"stars outside", "%", "share of these stars that are farther out in the picture than 75 % of their disc",
     of_picture<stars_outside>},
    {"tails in view", "%", "share of the tail stars that are within the picture and not behind words",
     of_picture<tails_in_view>},
    {"tail brightness", "%", "median brightness of the picture at tail stars above that of the sky, in % of white",
     of_picture<tail_brightness>, kNumber},
    {"halo brightness", "%", "median brightness of the picture at halo bodies away from stars above its darkest places",
     of_picture<halo_brightness>, kNumber},
    {"nuclei apart", "pixels", "distance of the nuclei of the two galaxies in the picture", of_picture<nuclei_apart>},
    {"arm contrast", "%", "amplitude of the strongest spiral of 2 to 6 arms in the picture of the first disc",
     of_picture<arm_contrast>, kNumber},
    {"visible cell sizes", "", "levels of the tree with a cell within the picture that is at least 6 pixels wide",
     of_picture<visible_cell_sizes>, kNumber},
    {"readouts in view", "", "numbers below the clock that are large enough to be read",
     of_picture<readouts_in_view>, kMoment},
});
// clang-format on

}  // namespace

std::span<const ClaimQuantity> claim_quantities() {
  return kQuantities;
}

const ClaimQuantity& quantity_of(std::string_view name) {
  const auto row = std::ranges::find(kQuantities, name, &ClaimQuantity::name);
  if (row != kQuantities.end()) return *row;
  std::vector<std::string_view> names;
  for (const ClaimQuantity& quantity : kQuantities) names.push_back(quantity.name);
  throw std::invalid_argument("cannot measure '" + std::string(name) + "'" + did_you_mean(name, names) +
                              "; it must be " + list_of(names) + ".");
}

std::string value_with_unit(double value, const ClaimQuantity& quantity) {
  if (std::isnan(value)) return "not measured";
  const std::string number = std::abs(value) < 1000 ? text("%.3g", value) : whole_number_text(value);
  return quantity.unit.empty() ? number : number + " " + std::string(quantity.unit);
}

}  // namespace pericenter::app
