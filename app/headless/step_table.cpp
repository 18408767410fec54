#include "app/headless/step_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "app/base/format.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::string_view, 11> kQuantities = {"momentum", "angular_momentum", "com_x",       "com_y",
                                                          "com_z",    "separation",       "kinetic",     "potential",
                                                          "energy",   "energy_error",     "virial_ratio"};

/// A cell; empty if the number is unknown.
std::string cell(double number, int digits) {
  return std::isnan(number) ? "," : text(",%.*g", digits, number);
}

}  // namespace

StepTable::StepTable() : csv_("step,time,time_myr") {
  for (const std::string_view stage : kStageNames) {
    std::string name(stage);
    std::replace(name.begin(), name.end(), ' ', '_');
    csv_ += "," + name + "_ms";
  }
  csv_ += ",total_ms";
  for (const std::string_view name : kQuantities) csv_ += "," + std::string(name);
  csv_ += '\n';
}

void StepTable::add_time(const Simulation& simulation, const Units& units) {
  csv_ += text("%llu,%.9g", static_cast<unsigned long long>(simulation.steps()), simulation.time());
  csv_ += units.time_myr > 0 ? text(",%.9g", simulation.time() * units.time_myr) : ",";
}

void StepTable::add_quantities(const Simulation& simulation, const Diagnostics& start, const Diagnostics& now) {
  const Bodies bodies = simulation.bodies();
  if (!structure_ || structure_->size() != bodies.size()) structure_.emplace(bodies);
  const double separation = structure_->separation(bodies);
  const Vec3& centre = now.center_of_mass;
  csv_ += cell(length(now.momentum), 9) + cell(length(now.angular_momentum), 9) + cell(centre[0], 9) +
          cell(centre[1], 9) + cell(centre[2], 9) + cell(separation, 9) + cell(now.kinetic, 9) +
          cell(now.potential, 9) + cell(now.energy(), 9) + cell(energy_error(start, now), 6) +
          cell(now.virial_ratio(), 6) + '\n';
}

void StepTable::add_start(const Simulation& simulation, const Units& units, const Diagnostics& start,
                          const Diagnostics& now) {
  add_time(simulation, units);
  csv_ += std::string(kStageCount + 1, ',');
  add_quantities(simulation, start, now);
}

void StepTable::add(const Simulation& simulation, const Units& units, const Diagnostics& start,
                    const std::optional<Diagnostics>& now) {
  add_time(simulation, units);
  for (const float ms : simulation.timings().ms) csv_ += text(",%.4f", static_cast<double>(ms));
  csv_ += text(",%.4f", static_cast<double>(simulation.timings().total_ms()));
  if (now) {
    add_quantities(simulation, start, *now);
  } else {
    csv_ += std::string(kQuantities.size(), ',') + '\n';
  }
}

}  // namespace pericenter::app
