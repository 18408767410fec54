#pragma once

#include <string>
#include <string_view>

#include "app/headless/lesson_run.h"
#include "app/lessons/lesson.h"

namespace pericenter::app {

/// Measures the quantity of a claim now, in its unit: see claim_quantities(). NaN if it cannot be measured, such as the
/// time of a merger that has not happened, or a quantity of B without a comparison. Throws Cancelled,
/// std::bad_alloc, DeviceMemoryError.
double measured(std::string_view quantity, LessonRun& run);

/// Whether there is a measurement of this quantity.
bool can_measure(std::string_view quantity);
/// Whether it describes the present bodies and settings, and not how they moved.
bool is_momentary(std::string_view quantity);
/// Whether its value depends on the number of bodies, so that it needs as many as the lesson says.
bool depends_on_bodies(std::string_view quantity);

/// "15.7 kpc": a value in the unit of a quantity; "not measured" for NaN.
std::string value_with_unit(double value, std::string_view quantity);

}  // namespace pericenter::app
