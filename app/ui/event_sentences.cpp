#include "app/ui/event_sentences.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "app/base/format.h"
#include "sim/core/display_units.h"

namespace pericenter::app {
namespace {

constexpr double kSameShare = 0.02;  ///< share of the time since the start
constexpr std::size_t kMinBodies = 30;

constexpr double kLeastKpc = 0.1;  ///< shorter distances are within the error of the positions of the nuclei

/// ", 16 kpc apart"; nothing for nuclei that meet and without physical units.
std::string apart(const EncounterEvent& event, const Units& units) {
  if (event.separation * units.length_kpc < kLeastKpc) return {};
  const std::string distance = event_distance_text(event.separation, units);
  return distance.empty() ? "" : ", " + distance + " apart";
}

}  // namespace

std::string event_distance_text(double length, const Units& units) {
  if (!(units.length_kpc > 0)) return {};
  const double kpc = length * units.length_kpc;
  const LengthUnit unit = length_unit(kpc);
  const double number = kpc / unit.kpc;
  return (number < 10 ? text("%.2g ", number) : text("%.0f ", number)) + unit.name;
}

std::string event_sentence(const EncounterEvent& event, bool is_first, const Units& units, Wording wording) {
  const bool technical = wording == Wording::technical;
  // Scenes without physical units have star clusters.
  const std::string they = units.length_kpc > 0 ? "The galaxies" : "The star clusters";
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

std::vector<ReportedEvents::New> ReportedEvents::add(std::span<const EncounterEvent> events, double start_time) {
  std::vector<New> found;
  for (const EncounterEvent& event : events) {
    if (has(event, start_time)) continue;
    const bool is_first = std::ranges::none_of(events, [&](const EncounterEvent& other) {
      return other.kind == event.kind && other.position < event.position;
    });
    reported_.push_back(event);
    found.push_back({event, is_first});
  }
  return found;
}

}  // namespace pericenter::app
