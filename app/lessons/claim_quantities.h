#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "app/lessons/lesson_simulation.h"
#include "app/lessons/slide_picture.h"

namespace pericenter::app {

/// What a claim is measured in. `b`: null without a comparison. `picture` is painted when a claim needs it.
struct LessonRuns {
  LessonSimulation& a;
  LessonSimulation* b = nullptr;
  std::function<const SlidePicture&()> picture = {};
};

/// What a value depends on: on how the bodies moved, on where they are now, or also on how many there are.
enum class Depends { on_run, on_moment, on_number };
/// What has to be recorded during the run.
enum class Records { nothing, nuclei, energy };

/// Why a value cannot be measured, without a full stop.
class NotMeasured : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a claim can be about.
struct ClaimQuantity {
  std::string_view name;     ///< "separation at pericentre"
  std::string_view unit;     ///< "kpc", "Myr", "%", "times as long"; empty: a plain number
  std::string_view meaning;  ///< what is measured, and when; assets/lessons/README.md has the same words
  /// The value now, in its unit. NaN if it cannot be measured, such as the time of a merger that has not happened, or a
  /// value of B without a comparison. Throws NotMeasured, SceneCancelled, std::bad_alloc, DeviceMemoryError.
  double (*measure)(const LessonRuns& runs);
  Depends depends = Depends::on_run;
  Records records = Records::nothing;
};
std::span<const ClaimQuantity> claim_quantities();
/// The row of this name. Throws std::invalid_argument with the names.
const ClaimQuantity& quantity_of(std::string_view name);

/// "15.7 kpc"; "not measured" for NaN.
std::string value_with_unit(double value, const ClaimQuantity& quantity);

}  // namespace pericenter::app
