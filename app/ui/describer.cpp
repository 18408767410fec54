#include "app/ui/describer.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/base/format.h"
#include "app/ui/event_sentences.h"
#include "sim/core/display_units.h"
#include "sim/core/printable.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

constexpr double kMomentPeriod = 10, kMinPause = 1;  ///< seconds
constexpr double kMoving = 0.002;                    ///< change of the separation that is called a motion

std::string spoken_unit(std::string_view unit) {
  struct Row {
    std::string_view unit, name;
  };
  static constexpr Row kRows[] = {{"Gyr", "billion years"}, {"Myr", "million years"}, {"kyr", "thousand years"},
                                  {"yr", "years"},          {"s", "seconds"},         {"Mpc", "megaparsecs"},
                                  {"kpc", "kiloparsecs"},   {"pc", "parsecs"},        {"AU", "astronomical units"},
                                  {"km", "kilometres"}};
  const auto row = std::ranges::find(kRows, unit, &Row::unit);
  return std::string(row == std::end(kRows) ? unit : row->name);
}

/// "12 kpc" with the unit in full.
std::string spoken(const std::string& shown) {
  const std::size_t space = shown.rfind(' ');
  return space == shown.npos ? shown : shown.substr(0, space + 1) + spoken_unit(shown.substr(space + 1));
}

double shown_time(const SessionState& state) {
  return state.timeline.rewound ? state.timeline.time_at(state.timeline.shown) : state.time;
}

/// "the two galaxies are 45 kiloparsecs apart and approaching"; empty if there are no two.
std::string separation_sentence(const SessionState& state) {
  const auto& samples = state.record->structure;
  const auto after = std::ranges::upper_bound(samples, state.timeline.shown, {}, &StructureSample::position);
  if (after == samples.begin()) return {};
  const StructureSample& now = *std::prev(after);
  if (!std::isfinite(now.separation) || !(state.units.length_kpc > 0)) return {};
  const std::string where = "the two galaxies are " + spoken_length(now.separation, state.units) + " apart";
  if (std::prev(after) == samples.begin()) return where;
  const double change = now.separation - std::prev(after, 2)->separation;
  if (std::abs(change) < kMoving * now.separation) return where;
  return where + (change < 0 ? " and approaching" : " and moving apart");
}

std::string moment_sentence(const SessionState& state) {
  const std::string when = spoken_time(shown_time(state), state.units), where = separation_sentence(state);
  if (!where.empty()) return "At " + when + " " + where + ".";
  return "The simulation is at " + when + ".";
}

}  // namespace

std::string spoken_time(double time, const Units& units) {
  if (!(units.time_myr > 0)) return text("time %.2f", time);
  return spoken(time_text(time, units));
}

std::string spoken_length(double length, const Units& units) {
  return spoken(event_distance_text(length, units));
}

void Describer::describe_scene(const SessionState& state) {
  const SceneInfo* scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  const std::string name = scene ? std::string(scene->title) : printable(state.scene);
  lines_ << "Scene: " << name << ", " << with_thousands(state.bodies) << " bodies.";
  if (scene) lines_ << ' ' << scene->summary;
  lines_ << (state.running ? " Running." : " Paused.") << '\n' << std::flush;
}

/// A sentence about one thing that has changed since the last call that returned it; empty if nothing has.
std::string Describer::change(const SessionState& state) {
  if (state.message_serial != message_) {
    message_ = state.message_serial;
    if (state.message_is_error) return "Error: " + printable(state.message);
  }
  if (state.config != config_) {
    const std::string what = state.config.solver != config_.solver ? "The solver is now " + state.config.solver
                                                                   : std::string("The solver has other options");
    config_ = state.config;
    return what + ".";
  }
  const Params now = state.params, before = std::exchange(params_, now);
  if (now.theta != before.theta) return text("Theta is now %.3g.", now.theta);
  if (now.softening != before.softening) return text("The softening is now %.3g.", now.softening);
  if (now.dt != before.dt)
    return now.dt < 0 && before.dt > 0 ? "Time runs backwards." : text("The time step is now %.3g.", now.dt);
  if (state.timeline.rewound != rewound_) {
    rewound_ = state.timeline.rewound;
    return rewound_ ? "Showing the recorded moment " + spoken_time(shown_time(state), state.units) + "."
                    : "Showing the newest moment.";
  }
  if (state.running != running_) {
    running_ = state.running;
    return running_ ? "Running." : "Paused at " + spoken_time(shown_time(state), state.units) + ".";
  }
  return {};
}

void Describer::update(const SessionState& state, double now) {
  if (state.busy || state.scene.empty()) return;
  if (serial_ != state.scene_serial) {
    describe_scene(state);
    serial_ = state.scene_serial;
    config_ = state.config, params_ = state.params;
    running_ = state.running, rewound_ = state.timeline.rewound;
    message_ = state.message_serial;
    last_line_ = last_moment_ = now;
    described_time_ = shown_time(state);
    return;
  }
  if (now - last_line_ < kMinPause) return;
  std::string line = change(state);
  if (line.empty() && now - last_moment_ >= kMomentPeriod && shown_time(state) != described_time_) {
    line = moment_sentence(state);
    last_moment_ = now;
    described_time_ = shown_time(state);
  }
  if (line.empty()) return;
  last_line_ = now;
  lines_ << line << '\n' << std::flush;
}

}  // namespace pericenter::app
