#include "app/plots/lab_plots.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/format.h"
#include "app/plots/lab_curves.h"

namespace pericenter::app {
namespace {

constexpr double kUnlimited = 1e300;
constexpr double kSmallestSpin = 0.01;  // scale of changes of an angular momentum near 0, see angular_momentum_change()

struct Run {
  const SessionState& state;
  PlottedRun plotted;

  const LabRecord& record() const { return *state.record; }
};

/// Display units of a scene: how large one is in scene units, and its name.
struct DisplayUnit {
  double factor = 1;
  std::string name = {};
};

DisplayUnit length_of(const SessionState& state) {
  if (!(state.units.length_kpc > 0)) return {};
  const LengthUnit unit = length_unit(state.view_radius * state.units.length_kpc);
  return {state.units.length_kpc / unit.kpc, unit.name};
}

DisplayUnit speed_of(const SessionState& state) {
  if (!(state.units.velocity_kms > 0)) return {};
  return {state.units.velocity_kms, "km/s"};
}

std::vector<Run> runs_of(const LabPlotInput& input) {
  const double factor = time_unit(input.run.units).scene_time;
  std::vector<Run> runs;
  if (input.reference) runs.push_back({*input.reference, {"A ", kPlotGrey, factor}});
  if (input.reference) runs.push_back({input.run, {"B ", kPlotBlue, factor}});
  if (!input.reference) runs.push_back({input.run, {{}, {}, factor}});
  return runs;
}

PlotAxis time_axis(const SessionState& state) {
  return {.name = "time", .unit = time_unit(state.units).name};
}

std::vector<PlotZone> error_zones(const HealthLimits& limits) {
  return {{{0, limits.good}, kPlotGreen, "trustworthy"},
          {{limits.good, limits.fair}, kPlotOrange, "doubtful"},
          {{limits.fair, kUnlimited}, kPlotRed, "not trustworthy"}};
}

template <class Sample>
void add_all(const std::vector<Sample> LabRecord::*samples, const std::vector<Quantity<Sample>>& quantities,
             const std::vector<Run>& runs, Plot& plot) {
  for (const Run& run : runs)
    for (const Quantity<Sample>& quantity : quantities) add_curves(run.record().*samples, quantity, run.plotted, plot);
}

double relative(double change, double scale) {
  return scale > 0 ? change / scale : kNotMeasured;
}

LabPlot energy_plot(const SessionState& state, const std::vector<Run>& runs) {
  LabPlot result{.id = "energy", .tip = "Kinetic, potential and total energy of all bodies, in units of the scene."};
  result.plot = {.title = "Energy", .x = time_axis(state), .y = {"energy", ""}};
  add_all<LabSample>(
      &LabRecord::samples,
      {{"kinetic", kPlotOrange, LineStyle::dashed, [](const LabSample& s) { return s.kinetic; }},
       {"potential", kPlotPurple, LineStyle::dash_dotted, [](const LabSample& s) { return s.potential; }},
       {"total", kPlotBlue, LineStyle::solid, [](const LabSample& s) { return s.energy(); }}},
      runs, result.plot);
  return result;
}

LabPlot energy_error_plot(const SessionState& state, const std::vector<Run>& runs) {
  LabPlot result{
      .id = "energy-error",
      .tip =
          "Relative change of the total energy since the start, which would be 0 in an exact calculation. The "
          "coloured zones are the levels of the status line."};
  result.plot = {.title = "Energy error", .x = time_axis(state), .y = {"energy error", "", true}};
  result.plot.zones = error_zones(kEnergyErrorLimits);
  add_all<LabSample>(
      &LabRecord::samples,
      {{"|ΔE/E|", kPlotBlue, LineStyle::solid, [](const LabSample& s) { return std::abs(s.energy_error); }}}, runs,
      result.plot);
  return result;
}

/// Change of the angular momentum since the start, relative to it. Where it is nearly 0, because spins cancel, the
/// scale is a hundredth of sqrt(2 M K) times the size of the scene.
double angular_momentum_change(const SessionState& state, const LabSample& sample) {
  const Vec3 start = state.record->samples.front().angular_momentum;
  const double floor = kSmallestSpin * momentum_scale(state.diagnostics.mass, sample.kinetic) * state.view_radius;
  return relative(length(sample.angular_momentum - start), std::max(length(start), floor));
}

LabPlot momentum_plot(const SessionState& state, const std::vector<Run>& runs) {
  LabPlot result{.id = "momentum",
                 .tip =
                     "Change of the total momentum P and of the total angular momentum L since the start. Both would "
                     "be 0 in an exact calculation. ΔP is relative to √(2MK), ΔL to |L| at the start."};
  result.plot = {.title = "Momenta P and L", .x = time_axis(state), .y = {"change", "", true}};
  for (const Run& run : runs) {
    const auto& samples = run.record().samples;
    const auto momentum = [&](const LabSample& s) {
      return relative(length(s.momentum - samples.front().momentum),
                      momentum_scale(run.state.diagnostics.mass, s.kinetic));
    };
    const auto spin = [&](const LabSample& s) { return angular_momentum_change(run.state, s); };
    add_curves<LabSample>(samples, {"|ΔP|", kPlotOrange, LineStyle::dashed, momentum}, run.plotted, result.plot);
    add_curves<LabSample>(samples, {"|ΔL|", kPlotBlue, LineStyle::solid, spin}, run.plotted, result.plot);
  }
  return result;
}

Curve forecast_curve(const EncounterForecast& forecast, double time_factor, const DisplayUnit& unit) {
  Curve curve{.name = "forecast", .color = kPlotOrange, .line = LineStyle::dashed};
  for (const SeparationPoint& point : separation_curve(forecast)) {
    curve.x.push_back(point.time * time_factor);
    curve.y.push_back(point.separation * unit.factor);
  }
  return curve;
}

LabPlot separation_plot(const LabPlotInput& input, const std::vector<Run>& runs) {
  const DisplayUnit unit = length_of(input.run);
  LabPlot result{.id = "separation",
                 .tip =
                     "Distance of the centres of the two galaxies or star clusters. Dashed: the forecast of the "
                     "encounter designer, a trial run with few bodies that takes about a second."};
  result.plot = {.title = "Separation of the centres",
                 .x = time_axis(input.run),
                 .y = {.name = "separation", .unit = unit.name, .from_zero = true}};
  add_all<StructureSample>(
      &LabRecord::structure,
      {{"measured", kPlotBlue, LineStyle::solid, [&](const StructureSample& s) { return s.separation * unit.factor; }}},
      runs, result.plot);
  if (input.forecast)
    result.plot.curves.push_back(forecast_curve(*input.forecast, runs.back().plotted.time_factor, unit));
  return result;
}

LabPlot lagrange_plot(const SessionState& state, const std::vector<Run>& runs) {
  struct Radius {
    const char* name;
    LineStyle line;
    double LagrangeRadii::*value;
  };
  static constexpr Radius kRadii[] = {{"10 %", LineStyle::dotted, &LagrangeRadii::r10},
                                      {"50 %", LineStyle::solid, &LagrangeRadii::r50},
                                      {"90 %", LineStyle::dashed, &LagrangeRadii::r90}};
  const DisplayUnit unit = length_of(state);
  LabPlot result{.id = "lagrange",
                 .tip =
                     "Lagrange radii: spheres around the densest part of each galaxy that contain 10, 50 and 90 % of "
                     "its mass. They grow where a galaxy is torn apart."};
  result.plot = {.title = "Lagrange radii", .x = time_axis(state), .y = {"radius", unit.name, true}};
  for (std::size_t galaxy = 0; galaxy < kMaxPlottedGalaxies; ++galaxy)
    for (const Radius& radius : kRadii) {
      const auto value = [&](const StructureSample& s) { return s.galaxies[galaxy].*radius.value * unit.factor; };
      add_all<StructureSample>(&LabRecord::structure,
                               {{text("galaxy %zu, %s", galaxy + 1, radius.name), galaxy == 0 ? kPlotBlue : kPlotOrange,
                                 radius.line, value}},
                               runs, result.plot);
    }
  return result;
}

LabPlot virial_plot(const SessionState& state, const std::vector<Run>& runs) {
  LabPlot result{
      .id = "virial",
      .tip =
          "Virial ratio 2K/|Σr·F|, with softened forces: 1 in equilibrium (the line). Below 1 the system tends to "
          "contract, above 1 to expand.",
      .open_by_default = false};
  result.plot = {.title = "Virial ratio", .x = time_axis(state), .y = {"2K/|Σr·F|", ""}};
  result.plot.levels = {1};
  add_all<LabSample>(&LabRecord::samples,
                     {{"2K/|Σr·F|", kPlotBlue, LineStyle::solid, [](const LabSample& s) { return s.virial_ratio(); }}},
                     runs, result.plot);
  return result;
}

LabPlot rotation_plot(const SessionState& state, const std::vector<Run>& runs) {
  const DisplayUnit radius = length_of(state), speed = speed_of(state);
  LabPlot result{.id = "rotation",
                 .tip =
                     "Speed of rotation of the first galaxy's disc over radius, now. Points: mean of the bodies in "
                     "rings. Dashed: √(r dΦ/dr), the speed of a circular orbit. While this plot is visible, all "
                     "accelerations are read once per second.",
                 .over_time = false,
                 .open_by_default = false,
                 .empty = "The rotation curve appears here within a second if the scene has a disc."};
  result.plot = {.title = "Rotation curve",
                 .x = {"radius", radius.name},
                 .y = {.name = "speed", .unit = speed.name, .from_zero = true}};
  const auto scaled = [](std::vector<double> values, double factor) {
    for (double& value : values) value *= factor;
    return values;
  };
  for (const Run& run : runs) {
    const RotationCurve& curve = run.record().rotation;
    const std::vector<double> x = scaled(curve.radius, radius.factor);
    result.plot.curves.push_back({run.plotted.prefix + "measured", run.plotted.color.value_or(kPlotBlue),
                                  LineStyle::solid, true, x, scaled(curve.measured, speed.factor)});
    result.plot.curves.push_back({run.plotted.prefix + "circular orbit", run.plotted.color.value_or(kPlotOrange),
                                  LineStyle::dashed, false, x, scaled(curve.circular, speed.factor)});
  }
  return result;
}

LabPlot force_error_plot(const SessionState& state, const std::vector<Run>& runs) {
  LabPlot result{.id = "force-error",
                 .tip =
                     "Relative error of the forces on a sample of the bodies, compared with exact sums. 99 %: only one "
                     "body in a hundred has a larger error.",
                 .open_by_default = false,
                 .empty = "Force errors appear here while the simulation runs and samples them."};
  result.plot = {.title = "Force error", .x = time_axis(state), .y = {"error", "", true}};
  result.plot.zones = error_zones(kForceErrorLimits);
  add_all<LabSample>(&LabRecord::samples,
                     {{"mean", kPlotBlue, LineStyle::solid, [](const LabSample& s) { return s.force_error; }},
                      {"99 %", kPlotOrange, LineStyle::dashed, [](const LabSample& s) { return s.force_error_99; }}},
                     runs, result.plot);
  return result;
}

LabPlot start_distance_plot(const SessionState& state, const std::vector<Run>& runs) {
  const DisplayUnit unit = length_of(state);
  LabPlot result{.id = "start-distance",
                 .tip =
                     "Root mean square distance of the bodies from their starting positions, while time runs "
                     "backwards. An exact calculation returns to 0."};
  result.plot = {.title = "Distance from the start", .x = time_axis(state), .y = {"distance", unit.name, true}};
  add_all<LabSample>(&LabRecord::samples,
                     {{"rms distance", kPlotBlue, LineStyle::solid,
                       [&](const LabSample& s) { return s.start_distance * unit.factor; }}},
                     runs, result.plot);
  std::erase_if(result.plot.curves, [](const Curve& curve) {
    return std::ranges::none_of(curve.y, [](double value) { return std::isfinite(value); });
  });
  return result;
}

}  // namespace

std::vector<LabPlot> lab_plots(const LabPlotInput& input) {
  const SessionState& state = input.run;
  const std::vector<Run> runs = runs_of(input);
  std::vector<LabPlot> plots;
  plots.push_back(energy_error_plot(state, runs));
  plots.push_back(energy_plot(state, runs));
  plots.push_back(momentum_plot(state, runs));
  const bool two_galaxies = state.scene_request.encounter.has_value() || input.forecast ||
                            std::ranges::any_of(state.record->structure,
                                                [](const StructureSample& s) { return std::isfinite(s.separation); });
  if (two_galaxies) plots.push_back(separation_plot(input, runs));
  plots.push_back(lagrange_plot(state, runs));
  plots.push_back(virial_plot(state, runs));
  plots.push_back(rotation_plot(state, runs));
  plots.push_back(force_error_plot(state, runs));
  LabPlot distance = start_distance_plot(state, runs);
  if (!distance.plot.curves.empty()) plots.push_back(std::move(distance));
  for (LabPlot& plot : plots)
    if (state.playback) plot.empty = "Not measured in a playback: its snapshots have no energies and forces.";
  return plots;
}

double plotted_time(double time, const Units& units) {
  return time * time_unit(units).scene_time;
}

double scene_time(double plotted, const Units& units) {
  return plotted / time_unit(units).scene_time;
}

}  // namespace pericenter::app
