#include "app/lessons/slide_run.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/settings/comparison_options.h"
#include "sim/analysis/structure.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// Whether an event of this kind has happened after this time.
bool has_happened(EncounterEventKind kind, const SessionState& now, double start_time) {
  return std::ranges::any_of(now.record->events, [&](const EncounterEvent& event) {
    return event.kind == kind && event.time > start_time && event.time <= now.time;
  });
}

/// Only the disc, or all but the dark halo.
std::vector<std::uint32_t> bodies_of_first_galaxy(const Bodies& bodies, bool disc) {
  std::vector<std::uint32_t> found;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::uint32_t tag = bodies[k].tag;
    const Component part = component_of(tag);
    if (galaxy_of(tag) == 0 && (disc ? part == Component::disc : part != Component::halo))
      found.push_back(static_cast<std::uint32_t>(k));
  }
  return found;
}

}  // namespace

std::optional<Encounter> other_encounter(const Slide& slide) {
  SceneOptions options = slide.options;
  options.compare = slide.compare;
  const SceneOptions other = compared_options(options);
  return other.encounter == slide.options.encounter ? std::nullopt : other.encounter;
}

Config on_machine(Config config, const Config& machine) {
  return without_unsupported_values(on_machine_of(std::move(config), machine));
}

bool has_ended(const SlideEnd& end, const SessionState& now, double start_time, double seconds) {
  const double unit = now.units.time_myr > 0 ? now.units.time_myr : 1;
  if (const auto* time = std::get_if<UntilTime>(&end)) return now.time * unit >= time->myr;
  if (const auto* until = std::get_if<UntilSeconds>(&end)) return seconds >= until->seconds;
  if (const auto* event = std::get_if<UntilEvent>(&end)) return has_happened(event->kind, now, start_time);
  return std::holds_alternative<UntilStart>(end) && now.time <= now.start_time + 0.5 * std::abs(now.params.dt);
}

bool ends_at_a_moment(const SlideEnd& end) {
  return std::holds_alternative<UntilTime>(end) || std::holds_alternative<UntilEvent>(end) ||
         std::holds_alternative<UntilStart>(end);
}

std::optional<double> share_done(const SlideEnd& end, const SessionState& now, double start_time) {
  const double unit = now.units.time_myr > 0 ? now.units.time_myr : 1;
  const auto* time = std::get_if<UntilTime>(&end);
  if (!time && !std::holds_alternative<UntilStart>(end)) return std::nullopt;
  const double target = time ? time->myr / unit : now.start_time;
  if (target == start_time) return 1;
  return std::clamp((now.time - start_time) / (target - start_time), 0.0, 1.0);
}

double ramped(const Ramp& ramp, double seconds) {
  return ramp.seconds > 0 ? std::lerp(ramp.from, ramp.to, std::clamp(seconds / ramp.seconds, 0.0, 1.0)) : ramp.to;
}

Params ramped(Params params, const Ramp& ramp, double seconds) {
  const double value = ramped(ramp, seconds);
  if (ramp.setting == "theta") params.theta = value;
  if (ramp.setting == "softening") params.softening = value;
  if (ramp.setting == "dt") params.dt = std::copysign(value, params.dt);
  return params;
}

SlideSettings changed_settings(const SessionState& now, const std::string& set) {
  SceneOptions asked;
  asked.compare = set;
  asked.config = on_machine_of(asked.config, now.config);
  asked = compared_options(asked);
  return {without_unsupported_values(config_with_options(now.config, asked)), with_options(now.params, asked)};
}

std::optional<std::uint32_t> star_to_probe(const Bodies& bodies) {
  std::vector<std::uint32_t> stars = bodies_of_first_galaxy(bodies, true);
  if (stars.empty()) stars = bodies_of_first_galaxy(bodies, false);
  if (stars.empty()) return std::nullopt;
  Vec3 center{};
  for (const std::uint32_t star : stars) center += bodies[star].position * (1.0 / static_cast<double>(stars.size()));
  const auto distance = [&](std::uint32_t star) { return length(bodies[star].position - center); };
  const auto half = stars.begin() + static_cast<std::ptrdiff_t>(stars.size() / 2);
  std::ranges::nth_element(stars, half, {}, distance);
  return *half;
}

request::ShowTree ramped(const request::ShowTree& now, const Ramp& ramp, double seconds) {
  return {true, 0, static_cast<int>(std::lround(ramped(ramp, seconds))), now.limit};
}

std::vector<std::size_t> highlighted_stars(const Highlight& highlight, const Bodies& bodies, const Units& units) {
  if (highlight.what == Highlight::What::tails) {
    const auto criterion = StructureMeter(bodies).tail_criterion(bodies);
    return criterion ? stars_in_tails(bodies, *criterion) : std::vector<std::size_t>();
  }
  const double unit = units.length_kpc > 0 ? units.length_kpc : 1;
  const auto is_highlighted = [&](std::uint32_t tag) {
    if (component_of(tag) == Component::halo) return false;
    if (highlight.what == Highlight::What::young) return is_young(tag);
    if (highlight.what == Highlight::What::galaxy) return static_cast<int>(galaxy_of(tag)) == highlight.galaxy;
    const double born = birth_radius_of(tag) * unit;
    return born >= highlight.first_kpc && born <= highlight.last_kpc;
  };
  std::vector<std::size_t> stars;
  for (std::size_t i = 0; i < bodies.size() && highlight.what != Highlight::What::nothing; ++i)
    if (is_highlighted(bodies[i].tag)) stars.push_back(i);
  return stars;
}

}  // namespace pericenter::app
