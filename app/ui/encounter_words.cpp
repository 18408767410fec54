#include "app/ui/encounter_words.h"

#include "app/base/format.h"

namespace pericenter::app {

const char* conic_words(double eccentricity) {
  if (eccentricity == 0) return "circle";
  return eccentricity < 1 ? "ellipse" : eccentricity == 1 ? "parabola" : "hyperbola";
}

const char* sense_words(double inclination) {
  constexpr double kAcross = 15;  // degrees from the perpendicular
  if (inclination < 90 - kAcross) return "prograde";
  return inclination > 90 + kAcross ? "retrograde" : "across";
}

std::string distance_words(double length, const Units& units) {
  const double shown = units.length_kpc > 0 ? length * units.length_kpc : length;
  return text(shown < 9.95 ? "%.1f" : "%.0f", shown) + (units.length_kpc > 0 ? " kpc" : "");
}

std::string pericenter_words(const EncounterForecast& found, const Units& units) {
  return "nearest at " + distance_words(found.distance, units) + ", " + (units.time_myr > 0 ? "after " : "") +
         round_time_text(found.pericenter_time, units);
}

}  // namespace pericenter::app
