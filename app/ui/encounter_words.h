#pragma once

#include <string>

#include "sim/analysis/encounter_forecast.h"

namespace pericenter::app {

/// "ellipse", "parabola" or "hyperbola".
const char* conic_words(double eccentricity);

/// How a disc with this inclination, in degrees, spins against the orbit: "prograde", "retrograde" or "across".
const char* sense_words(double inclination);

/// A length as "16 kpc", or "4.5" when the scene has no physical units.
std::string distance_words(double length, const Units& units);

/// "nearest at 16 kpc, after 270 Myr".
std::string pericenter_words(const EncounterForecast& found, const Units& units);

}  // namespace pericenter::app
