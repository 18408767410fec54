#include "app/cluster/run_comparison.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <utility>

#include "app/base/format.h"
#include "app/cluster/engine.h"
#include "app/export/export.h"
#include "sim/auto_solver.h"
#include "sim/files/body_ids.h"
#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/load.h"
#include "sim/playback/series.h"

namespace pericenter::app {
namespace {

using Side = ComparedMoment::Side;

Snapshot read_galactic(const std::string& path, const Progress& progress) {
  return in_units(kGalacticUnits, read_snapshot(path, ReadOptions{.progress = progress}));
}

/// The bodies in the order of the initial conditions, about `center`. Throws InputError if there are others.
Bodies in_first_order(const Snapshot& snapshot, std::size_t expected, const Vec3& center, const std::string& path) {
  const auto refuse = [&] {
    throw InputError(path + ": these are not the bodies of the initial conditions of the run (" +
                     std::to_string(snapshot.bodies.size()) + " instead of " + std::to_string(expected) + ").");
  };
  if (snapshot.bodies.size() != expected || snapshot.ids.size() != expected) refuse();
  Bodies ordered(expected);
  std::vector<bool> seen(expected);
  for (std::size_t k = 0; k < expected; ++k) {
    const std::uint64_t index = index_of_id(snapshot.ids[k]);
    if (index >= expected || seen[index]) refuse();
    seen[index] = true;
    ordered[index] = snapshot.bodies[k];
    ordered[index].position -= center;
  }
  return ordered;
}

double center_distance(const Bodies& bodies) {
  std::array<Vec3, 2> sums;
  std::array<double, 2> masses{};
  for (const Body& body : bodies) {
    const std::uint32_t galaxy = galaxy_of(body.tag);
    if (galaxy >= sums.size()) continue;
    sums[galaxy] += body.position * body.mass;
    masses[galaxy] += body.mass;
  }
  return length(sums[0] * (1 / masses[0]) - sums[1] * (1 / masses[1]));
}

Plot over_time(std::string title, std::string quantity, std::string unit, bool logarithmic) {
  Plot plot;
  plot.title = std::move(title);
  plot.x = {.name = "time", .unit = "Myr"};
  plot.y = {.name = std::move(quantity), .unit = std::move(unit), .logarithmic = logarithmic};
  return plot;
}

using Value = std::function<double(const ComparedMoment&)>;

void add_curve(Plot& plot, const RunComparison& comparison, std::string name, PlotColor color, LineStyle line,
               const Value& value) {
  Curve curve{.name = std::move(name), .color = color, .line = line};
  for (const ComparedMoment& moment : comparison.moments()) {
    curve.x.push_back(moment.time * kMyr);
    curve.y.push_back(value(moment));
  }
  plot.curves.push_back(std::move(curve));
}

/// A curve for each side.
void add_sides(Plot& plot, const RunComparison& comparison, const std::string& engine,
               const std::function<double(const ComparedMoment&, Side ComparedMoment::*)>& value) {
  add_curve(plot, comparison, "A " + engine, kPlotOrange, LineStyle::solid,
            [&](const ComparedMoment& moment) { return value(moment, &ComparedMoment::engine); });
  add_curve(plot, comparison, "B Pericenter", kPlotBlue, LineStyle::dashed,
            [&](const ComparedMoment& moment) { return value(moment, &ComparedMoment::ours); });
}

}  // namespace

RunComparison::RunComparison(const RunRecord& record, const Progress& progress) : record_(record) {
  const Snapshot start = read_galactic((std::filesystem::path(record.folder) / kExportedBodies).string(), progress);
  center_ = start.box * 0.5;
  const Bodies bodies = in_first_order(start, start.bodies.size(), center_, record.folder);
  params_.softening = start.softening;
  params_.gravity = kGalacticUnits.mass_g / natural_mass(kGalacticUnits.length_cm, kGalacticUnits.velocity_cm_s);
  params_.dt = record.time_step;
  config_ = with_auto_solver({}, bodies);
  ours_ = Simulation::create(config_, bodies);
  meter_.emplace(bodies);
}

RunComparison::~RunComparison() = default;

Side RunComparison::measured(Simulation& simulation) const {
  const Diagnostics diagnostics = simulation.diagnostics(params_);
  const Bodies bodies = simulation.bodies();
  return {meter_->measure(bodies), center_distance(bodies), diagnostics.kinetic, diagnostics.potential};
}

const ComparedMoment& RunComparison::add(const std::string& path, const Progress& progress) {
  const Snapshot snapshot = read_galactic(path, progress);
  const Bodies bodies = in_first_order(snapshot, ours_->size(), center_, path);
  // The engine's steps are the total time over a power of two, so that ours end at the same times; the rest is
  // rounding.
  const double begin = ours_->time(), way = snapshot.time - begin;
  for (double left = way; left > 0.5 * record_.time_step; left = snapshot.time - ours_->time()) {
    if (progress && !progress(way > 0 ? 1 - left / way : 1)) throw SceneCancelled{};
    ours_->step(params_);
  }
  ComparedMoment moment;
  moment.time = snapshot.time;
  const std::unique_ptr<Simulation> theirs = Simulation::create(config_, bodies);
  moment.engine = measured(*theirs);
  moment.ours = measured(*ours_);
  const Bodies own = ours_->bodies();
  std::vector<double> distances(own.size());
  for (std::size_t k = 0; k < own.size(); ++k) distances[k] = length(own[k].position - bodies[k].position);
  const auto quantile = [&](double share) {
    const auto at = distances.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(distances.size() - 1));
    std::ranges::nth_element(distances, at);
    return *at;
  };
  moment.median_distance = quantile(0.5);
  moment.distance_99 = quantile(0.99);
  moments_.push_back(moment);
  return moments_.back();
}

double RunComparison::energy_error(const ComparedMoment& moment, Side ComparedMoment::*side) const {
  const double reference = moments_.front().ours.energy();
  return ((moment.*side).energy() - reference) / std::abs(reference);
}

std::vector<Plot> comparison_plots(const RunComparison& comparison, const RunRecord& record) {
  const std::string engine(engine_of(record.code).title);
  Plot separation = over_time("Separation of the nuclei", "separation", "kpc", false);
  add_sides(separation, comparison, engine, [](const ComparedMoment& moment, Side ComparedMoment::*side) {
    return (moment.*side).structure.separation;
  });
  Plot radii = over_time("Radius of half the mass of the first galaxy", "radius", "kpc", false);
  add_sides(radii, comparison, engine, [](const ComparedMoment& moment, Side ComparedMoment::*side) {
    return (moment.*side).structure.galaxies[0].r50;
  });
  Plot energy = over_time("Relative energy error, with Plummer softening", "ΔE/E", "", false);
  add_sides(energy, comparison, engine, [&](const ComparedMoment& moment, Side ComparedMoment::*side) {
    return comparison.energy_error(moment, side);
  });
  Plot distance = over_time("Distance between the same bodies of A and B", "distance", "kpc", true);
  add_curve(distance, comparison, "median", kPlotBlue, LineStyle::solid,
            [](const ComparedMoment& moment) { return moment.median_distance; });
  add_curve(distance, comparison, "99 %", kPlotRed, LineStyle::dashed,
            [](const ComparedMoment& moment) { return moment.distance_99; });
  return {separation, radii, energy, distance};
}

std::string comparison_csv(const RunComparison& comparison) {
  std::string csv = "time_myr,median_distance_kpc,distance_99_kpc";
  for (const char* side : {"engine", "ours"})
    for (const char* name :
         {"separation_kpc", "centers_kpc", "r10_kpc", "r50_kpc", "r90_kpc", "kinetic", "potential", "energy_error"})
      csv += std::string(",") + side + "_" + name;
  csv += "\r\n";
  for (const ComparedMoment& moment : comparison.moments()) {
    csv += exact(moment.time * kMyr) + "," + exact(moment.median_distance) + "," + exact(moment.distance_99);
    for (const auto side : {&ComparedMoment::engine, &ComparedMoment::ours}) {
      const Side& of = moment.*side;
      const LagrangeRadii& radii = of.structure.galaxies[0];
      for (const double value : {of.structure.separation, of.centers, radii.r10, radii.r50, radii.r90, of.kinetic,
                                 of.potential, comparison.energy_error(moment, side)})
        csv += "," + (std::isfinite(value) ? exact(value) : "");
    }
    csv += "\r\n";
  }
  return csv;
}

std::string comparison_table(const RunComparison& comparison, const std::string& engine) {
  constexpr std::size_t kRows = 9;
  const std::vector<ComparedMoment>& moments = comparison.moments();
  const std::size_t rows = std::min(kRows, moments.size());
  std::string table =
      "A: " + engine + ", B: Pericenter\n" +
      text("%9s %12s %12s %10s %10s %10s %10s %12s\n", "time", "separation A", "B", "r50 A", "B", "dE/E A", "B",
           "distance") +
      text("%9s %12s %12s %10s %10s %10s %10s %12s\n", "Myr", "kpc", "kpc", "kpc", "kpc", "", "", "kpc, median");
  for (std::size_t k = 0; k < rows; ++k) {
    const ComparedMoment& moment = moments[rows > 1 ? k * (moments.size() - 1) / (rows - 1) : 0];
    const auto error = [&](Side ComparedMoment::*side) { return signed_error(comparison.energy_error(moment, side)); };
    table += text("%9.1f %12.4f %12.4f %10.3f %10.3f %10s %10s %12.3g\n", moment.time * kMyr,
                  moment.engine.structure.separation, moment.ours.structure.separation,
                  moment.engine.structure.galaxies[0].r50, moment.ours.structure.galaxies[0].r50,
                  error(&ComparedMoment::engine).c_str(), error(&ComparedMoment::ours).c_str(), moment.median_distance);
  }
  return table;
}

std::string known_differences(ClusterCode code) {
  const std::string engine(engine_of(code).title);
  std::string words =
      engine +
      " softens gravity with a spline of the same depth instead of Plummer's law, and gives each body its "
      "own time step; ours is the longest of them for all. Orbits of single bodies therefore part after "
      "the first passage, while separations, radii and energies of the galaxies should agree.";
  if (code == ClusterCode::swift)
    words +=
        " The velocities in some snapshots of SWIFT are up to one of its longest steps ahead of the positions, among "
        "them those of the first; energies of these are wrong by some thousandths.";
  return words;
}

}  // namespace pericenter::app
