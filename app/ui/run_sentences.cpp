#include "app/ui/run_sentences.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "app/base/format.h"
#include "app/ui/scene_guide.h"
#include "sim/core/display_units.h"
#include "sim/core/printable.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

constexpr double kSameShare = 0.02;      ///< share of the time since the start
constexpr std::size_t kMinBodies = 100;  ///< the nuclei of fewer jump from body to body
constexpr double kLeastKpc = 0.1;        ///< shorter distances are within the error of the positions of the nuclei
constexpr double kMoving = 0.002;        ///< change of the separation that is called a motion

/// Two digits of a length, "16 kpc"; empty if the scene has no physical units.
std::string distance_text(double length, const Units& units) {
  if (!(units.length_kpc > 0)) return {};
  const double kpc = length * units.length_kpc;
  const LengthUnit unit = length_unit(kpc);
  const double number = kpc / unit.kpc;
  return (number < 10 ? text("%.2g", number) : whole_number_text(number)) + " " + unit.name;
}

/// ", 16 kpc apart"; nothing for nuclei that meet and without physical units.
std::string apart(const EncounterEvent& event, const Units& units) {
  if (event.separation * units.length_kpc < kLeastKpc) return {};
  const std::string distance = distance_text(event.separation, units);
  return distance.empty() ? "" : ", " + distance + " apart";
}

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

/// "the two galaxies are 45 kiloparsecs apart and approaching"; empty if there are no two.
std::string separation_sentence(const SessionState& state) {
  const auto& samples = state.record->structure;
  const auto after = std::ranges::upper_bound(samples, state.timeline.shown, {}, &StructureSample::position);
  if (after == samples.begin()) return {};
  const StructureSample& now = *std::prev(after);
  if (!std::isfinite(now.separation) || !(state.units.length_kpc > 0)) return {};
  const std::string where = "the two galaxies are " + spoken(distance_text(now.separation, state.units)) + " apart";
  if (std::prev(after) == samples.begin()) return where;
  const double change = now.separation - std::prev(after, 2)->separation;
  if (std::abs(change) < kMoving * now.separation) return where;
  return where + (change < 0 ? " and approaching" : " and moving apart");
}

}  // namespace

EncounterNames encounter_names(const Units& units) {
  if (units.length_kpc > 0) return {.one = "Galaxy", .all = "The galaxies"};
  return {.one = "Star cluster", .all = "The star clusters"};
}

std::string event_sentence(const EncounterEvent& event, std::span<const EncounterEvent> events, const Units& units,
                           Wording wording) {
  const bool is_first = std::ranges::none_of(
      events, [&](const EncounterEvent& other) { return other.kind == event.kind && other.position < event.position; });
  const bool technical = wording == Wording::technical;
  const std::string they(encounter_names(units).all);
  switch (event.kind) {
    case EncounterEventKind::pericenter:
      return they + (is_first ? " pass each other: closest approach" : " pass each other again: closest approach") +
             (technical ? " (pericentre)" : "") + apart(event, units) + ".";
    case EncounterEventKind::tails:
      return technical ? "Stars are drawn out into tails (tidal tails)." : "Stars are drawn out into tails.";
    case EncounterEventKind::apocenter:
      return they + " have reached their greatest distance" + (technical ? " (apocentre)" : "") + apart(event, units) +
             (apart(event, units).empty() ? " and fall back." : ", and fall back.");
    case EncounterEventKind::merger:
      break;
  }
  return technical ? "The two nuclei have merged (merger)." : "The two nuclei have merged.";
}

std::string dated_line(const EncounterEvent& event, const std::string& sentence, const Units& units) {
  return time_text(event.time, units) + ": " + sentence + "\n";
}

std::vector<Caption> captions_of(std::span<const EncounterEvent> events, const Units& units,
                                 const std::string& prefix) {
  std::vector<Caption> captions;
  for (const EncounterEvent& event : events)
    captions.push_back({event.time, prefix + event_sentence(event, events, units, Wording::pupils)});
  return captions;
}

std::vector<Caption> scene_captions(const SessionState& state) {
  const SceneInfo* scene = designed_scene(state);
  if (!scene || !scene->encounter) return {};
  // Just after the first frame, so that a frame passes it.
  std::vector<Caption> captions = {{state.start_time + 0.5 * state.params.dt, std::string(scene->caption)}};
  if (state.highlight_time > 0 && !scene->highlight_caption.empty())
    captions.push_back({state.highlight_time, std::string(scene->highlight_caption)});
  return captions;
}

std::string scene_sentence(const SessionState& state) {
  const SceneInfo* scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  const std::string name = scene ? std::string(scene->title) : printable(state.scene);
  return "Scene: " + name + ", " + with_thousands(state.bodies) + " bodies." +
         (scene ? ' ' + std::string(scene->summary) : "");
}

std::string moment_sentence(const SessionState& state) {
  const std::string when = spoken_time(state), where = separation_sentence(state);
  if (!where.empty()) return "At " + when + " " + where + ".";
  return "The simulation is at " + when + ".";
}

double shown_time(const SessionState& state) {
  return state.timeline.rewound ? state.timeline.time_at(state.timeline.shown) : state.time;
}

std::string spoken_time(const SessionState& state) {
  const double time = shown_time(state);
  if (!(state.units.time_myr > 0)) return "time " + decimal_text(time, 2);
  return spoken(time_text(time, state.units));
}

bool has_enough_bodies_for_events(const SessionState& state) {
  return state.bodies >= kMinBodies;
}

bool is_same_event(const EncounterEvent& a, const EncounterEvent& b, double start_time) {
  return a.kind == b.kind && std::abs(a.time - b.time) <= kSameShare * std::abs(a.time - start_time);
}

bool ReportedEvents::has(const EncounterEvent& event, double start_time) const {
  return std::ranges::any_of(reported_,
                             [&](const EncounterEvent& other) { return is_same_event(event, other, start_time); });
}

std::vector<EncounterEvent> ReportedEvents::add(std::span<const EncounterEvent> events, double start_time) {
  std::vector<EncounterEvent> found;
  for (const EncounterEvent& event : events) {
    if (has(event, start_time)) continue;
    reported_.push_back(event);
    found.push_back(event);
  }
  return found;
}

}  // namespace pericenter::app
