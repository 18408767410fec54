#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/files/body_check.h"
#include "sim/files/formats.h"
#include "sim/files/small_bodies.h"
#include "sim/files/text_table.h"
#include "sim/files/trimmed.h"

// "Export format for minor-planet orbits" of the Minor Planet Center
// (minorplanetcenter.net/iau/info/MPOrbitFormat.html).

namespace pericenter {
namespace {

/// First and last column of a value, counted from 1.
struct Columns {
  std::size_t first, last;
  const char* name;

  std::string_view of(std::string_view line) const {
    return line.size() < first ? std::string_view{} : trimmed(line.substr(first - 1, last - first + 1), " \t\r");
  }
};
constexpr Columns kMagnitude{9, 13, "absolute magnitude"}, kEpoch{21, 25, "epoch"}, kAnomaly{27, 35, "mean anomaly"},
    kArgument{38, 46, "argument of perihelion"}, kNode{49, 57, "longitude of the node"},
    kInclination{60, 68, "inclination"}, kEccentricity{71, 79, "eccentricity"}, kAxis{93, 103, "semimajor axis"},
    kFlags{162, 165, "flags"};

/// 1 to 9, then A for 10, B for 11 ...; 0 if it is none of them.
unsigned packed_digit(char c) {
  if (c >= '1' && c <= '9') return static_cast<unsigned>(c - '0');
  return c >= 'A' && c <= 'V' ? static_cast<unsigned>(c - 'A') + 10 : 0;
}

/// Julian date of a packed date: K25BL is 21 November 2025.
std::optional<double> unpacked_date(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() != 5 || text[0] < 'I' || text[0] > 'L' || !is_digit(text[1]) || !is_digit(text[2])) return {};
  const int year = (text[0] - 'A' + 10) * 100 + (text[1] - '0') * 10 + (text[2] - '0');
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(packed_digit(text[3])),
                                         std::chrono::day(packed_digit(text[4]))};
  if (!date.ok()) return {};
  return kUnixEpoch + static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

/// The format does not say what a line has for an unbound orbit: the semimajor axis may have either sign. Without it,
/// as of a parabola, there is no perihelion distance: nullopt. Throws InputError without the number of the line.
std::optional<SolarOrbit> orbit_of(std::string_view line) {
  const auto needed = [&](const Columns& columns, double low, double high) {
    const std::optional<double> value = parsed_number(columns.of(line));
    if (!value || !(*value >= low && *value <= high))
      throw InputError("the " + std::string(columns.name) + " in columns " + std::to_string(columns.first) + " to " +
                       std::to_string(columns.last) + " is missing or impossible.");
    return *value;
  };
  constexpr double kTurn = 360;
  SolarOrbit result;
  const std::optional<double> epoch = unpacked_date(kEpoch.of(line));
  if (!epoch) throw InputError("the epoch in columns 21 to 25 must be a packed date such as K25BL.");
  result.epoch = *epoch;
  KeplerOrbit& orbit = result.orbit;
  const double e = orbit.eccentricity = needed(kEccentricity, 0, kMaxEccentricity);
  const bool is_open = e >= 1;
  const double axis =
      is_open ? std::abs(parsed_number(kAxis.of(line)).value_or(0)) : needed(kAxis, kMinPericenter, kMaxPericenter);
  orbit.pericenter = axis * std::abs(1 - e);
  if (is_open && !(orbit.pericenter >= kMinPericenter && orbit.pericenter <= kMaxPericenter)) return {};
  orbit.inclination = needed(kInclination, 0, 180) * kDegree;
  orbit.node = needed(kNode, -kTurn, kTurn) * kDegree;
  orbit.pericenter_argument = needed(kArgument, -kTurn, kTurn) * kDegree;
  const double most = is_open ? kMaxDays : kTurn;
  orbit.time = time_of_mean_anomaly(needed(kAnomaly, -most, most) * kDegree, orbit.pericenter, e, kSunMu);
  if (is_open && std::abs(orbit.time) > kMaxDays)
    throw InputError("the perihelion is more than 1e12 days from the epoch.");
  const std::optional<double> magnitude = parsed_number(kMagnitude.of(line));
  result.mass = small_body_mass({.diameter_km = {}, .absolute_magnitude = magnitude, .albedo = {}});
  result.magnitude = magnitude.value_or(result.magnitude);
  unsigned flags = 0;  // the lowest six bits are the type of orbit: 1 Atira, 2 Aten ... 10 distant; 0 others
  const std::string_view hex = kFlags.of(line);
  std::from_chars(hex.data(), hex.data() + hex.size(), flags, 16);
  result.galaxy = std::min(flags & 63u, 14u) + 1;
  return result;
}

/// Lines of a text, without their ends.
class Lines {
 public:
  explicit Lines(Bytes bytes) : rest_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), size_(bytes.size()) {}

  std::optional<std::string_view> next() {
    if (rest_.empty()) return {};
    const std::string_view line = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
    ++number_;
    return trimmed(line, "\r");
  }
  std::size_t number() const { return number_; }
  double share() const { return 1 - static_cast<double>(rest_.size()) / static_cast<double>(size_); }

 private:
  std::string_view rest_;
  std::size_t size_, number_ = 0;
};

bool is_rule(std::string_view line) {
  return line.size() > 80 && line.find_first_not_of('-') == line.npos;
}

/// MPCORB.DAT, whose heading ends with a line of dashes, or a part of it without the heading.
bool is_mpcorb(const FileHead& head) {
  Lines lines(head.first);
  for (auto line = lines.next(); line; line = lines.next()) {
    if (line->starts_with("MINOR PLANET CENTER ORBIT DATABASE")) return true;
    if (trimmed(*line, " \t\r").empty()) continue;
    return line->size() >= kAxis.last && unpacked_date(kEpoch.of(*line)) && parsed_number(kEccentricity.of(*line)) &&
           parsed_number(kAxis.of(*line));
  }
  return false;
}

bool has_heading(Bytes bytes) {
  Lines lines(bytes.first(std::min<std::size_t>(bytes.size(), 1 << 16)));
  for (auto line = lines.next(); line; line = lines.next())
    if (is_rule(*line)) return true;
  return false;
}

/// The bodies, the Sun and the planets at one epoch, in AU, solar masses and AU/day. Throws InputError.
Snapshot read_mpcorb(Bytes bytes, const ReadOptions& options) {
  Lines lines(bytes);
  std::vector<SolarOrbit> orbits;
  std::size_t skipped = 0, left_out = 0;
  bool in_heading = has_heading(bytes);
  for (auto line = lines.next(); line; line = lines.next()) {
    if (lines.number() % 4096 == 0 && options.progress && !options.progress(lines.share())) throw SceneCancelled{};
    if (in_heading || trimmed(*line, " \t").empty()) {
      in_heading = in_heading && !is_rule(*line);
      continue;
    }
    try {
      if (const std::optional<SolarOrbit> orbit = orbit_of(*line))
        orbits.push_back(*orbit);
      else
        ++left_out;
    } catch (const InputError& error) {
      if (!options.skip_bad)
        throw InputError("Line " + std::to_string(lines.number()) + ": " + error.what() + kSkipHint);
      ++skipped;
    }
  }
  if (orbits.empty()) throw InputError("The file contains no orbits: download it again.");
  Snapshot snapshot = with_sun_and_planets(orbits, options.field);
  snapshot.format = "MPCORB of the Minor Planet Center";
  snapshot.skipped = skipped;
  select_small_bodies(options, orbits.size(), snapshot);
  if (left_out > 0)
    snapshot.notes.push_back(std::to_string(left_out) + " unbound orbits without a semimajor axis are left out.");
  return snapshot;
}

}  // namespace

FileFormat mpcorb_format() {
  return {.name = "mpcorb",
          .title = "MPCORB",
          .summary = "Orbits of minor planets from the Minor Planet Center. The Sun and the planets are added.",
          .matches = is_mpcorb,
          .read = read_mpcorb};
}

}  // namespace pericenter
