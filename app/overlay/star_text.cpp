#include "app/overlay/star_text.h"

#include <cmath>

#include "app/base/format.h"
#include "app/overlay/labels.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

constexpr const char* kComponents[] = {"disc", "bulge", "dark halo", ""};

std::string home_text(const SessionState& state, std::uint32_t tag) {
  const std::string galaxy = galaxy_name(state, galaxy_of(tag));
  const std::string component = kComponents[static_cast<std::size_t>(component_of(tag))];
  return galaxy.empty() || component.empty() ? galaxy : galaxy + ", " + component;
}

std::string mass_text(double mass, const SessionState& state) {
  if (mass == 0) return "none (test particle)";
  const Units& units = state.units;
  if (!(units.length_kpc > 0 && units.velocity_kms > 0)) return number_text(mass);
  const double velocity = 1e5 * units.velocity_kms;  // cm/s
  const double unit = state.suggested.gravity * units.length_kpc * kKpcCm * velocity * velocity / kGravityCgs;
  return number_text(mass * unit / kSunGram) + " solar masses";
}

/// A duration in scene units as "34 Myr".
std::string duration_text(double time, const Units& units) {
  return units.time_myr > 0 ? time_text(time, units) : decimal_text(time, 2);
}

/// The nucleus that a body belongs to.
bool is_home(const SessionState& state, const Nucleus& nucleus, std::uint32_t tag) {
  return is_solar(state) || nucleus.galaxy == galaxy_of(tag);
}

/// What the card calls a nucleus.
std::string nucleus_name(const SessionState& state, const Nucleus& nucleus, std::uint32_t tag) {
  if (is_solar(state)) return "the Sun";
  if (is_home(state, nucleus, tag)) return "its nucleus";
  const std::string name = galaxy_name(state, nucleus.galaxy);
  return name.empty() ? "group " + std::to_string(nucleus.galaxy + 1) : name;
}

void add_speeds(std::vector<StarRow>& rows, const SessionState& state, const Body& body) {
  const auto add = [&](const std::string& to, const Vec3& velocity) {
    const double speed = length(body.velocity - velocity);
    rows.push_back({"speed relative to " + to,
                    state.stars->has_velocities ? speed_text(speed, state.units) : std::string(kNoVelocities)});
  };
  for (const Nucleus& nucleus : state.stars->nuclei)
    if (is_home(state, nucleus, body.tag) && nucleus.position != body.position)
      add(nucleus_name(state, nucleus, body.tag), nucleus.velocity);
  const Diagnostics& whole = state.diagnostics;
  if (whole.mass > 0) add("the centre of mass", whole.momentum * (1 / whole.mass));
}

/// Its own nucleus first.
void add_distances(std::vector<StarRow>& rows, const SessionState& state, const Body& body) {
  for (const bool home : {true, false})
    for (const Nucleus& nucleus : state.stars->nuclei) {
      const double distance = length(body.position - nucleus.position);
      if (is_home(state, nucleus, body.tag) == home && distance > 0)
        rows.push_back(
            {"distance from " + nucleus_name(state, nucleus, body.tag), short_length_text(distance, state.units)});
    }
}

}  // namespace

std::string star_title(const SessionState& state, std::uint32_t star) {
  const std::string planet = planet_name(state, star);
  return planet.empty() ? (is_solar(state) ? "Body " : "Star ") + with_thousands(star) : planet;
}

std::vector<StarRow> star_rows(const SessionState& state, std::uint32_t star) {
  const Body* const body = state.stars ? state.stars->star(star) : nullptr;
  if (!body) return {};
  std::vector<StarRow> rows;
  const std::string home = home_text(state, body->tag);
  if (!home.empty()) rows.push_back({"home", home});
  const bool is_small = is_solar(state) && planet_name(state, star).empty();
  if (const std::string group = group_name(state, galaxy_of(body->tag)); is_small && !group.empty())
    rows.push_back({"class", group});
  rows.push_back({"mass", mass_text(body->mass, state)});
  add_speeds(rows, state, *body);
  add_distances(rows, state, *body);
  const SceneInfo* const scene = find_scene(state.scene);
  const bool has_scale = !home.empty() && !(scene && scene->group == SceneGroup::restricted);
  if (const double born = birth_radius_of(body->tag); has_scale && born > 0)
    rows.push_back({"born at", text("%.1f", born) + " disc scale lengths"});
  return rows;
}

std::string speed_text(double speed, const Units& units) {
  return units.velocity_kms > 0 ? number_text(speed * units.velocity_kms) + " km/s" : number_text(speed);
}

std::optional<std::array<Moving, 2>> ruler_ends(const StarReport& report, const Ruler& ruler) {
  if (ruler.ends.empty()) {
    if (report.nuclei.size() < 2) return {};
    const Nucleus &first = report.nuclei[0], &second = report.nuclei[1];
    return {{Moving{first.position, first.velocity}, Moving{second.position, second.velocity}}};
  }
  if (ruler.ends.size() < 2) return {};
  const Body *const first = report.star(ruler.ends[0]), *const second = report.star(ruler.ends[1]);
  if (!first || !second) return {};
  return {{Moving{first->position, first->velocity}, Moving{second->position, second->velocity}}};
}

std::vector<std::string> ruler_lines(const SessionState& state, const Ruler& ruler) {
  const auto ends = state.stars ? ruler_ends(*state.stars, ruler) : std::nullopt;
  if (!ends) return {};
  const auto& [first, second] = *ends;
  const Vec3 apart = second.position - first.position, velocity = second.velocity - first.velocity;
  std::string speed = "relative speed ";
  if (state.stars->has_velocities) {
    speed += speed_text(length(velocity), state.units);
    if (const double change = dot(apart, velocity); change != 0) speed += change < 0 ? ", approaching" : ", receding";
  } else {
    speed += kNoVelocities;
  }
  const std::string since = ruler.ends.empty() ? " since the ruler was laid" : " since the second click";
  return {short_length_text(length(apart), state.units), speed,
          duration_text(state.time - ruler.start, state.units) + since};
}

}  // namespace pericenter::app
