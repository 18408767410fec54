#pragma once

#include <string>

#include "app/lessons/lesson.h"

namespace pericenter::app {

/// The present state of a run.
struct PresentState {
  std::string scene_string;
  double myr = 0;  ///< time of the run; 0 in a scene without physical units
};

/// The state as a slide in TOML: a scene, an empty caption, and the time at which it pauses.
std::string slide_text(const PresentState& state);

/// Appends the slide to the lesson NAME.toml in the folder; creates both if they are missing. The rest of the file
/// stays as it is, with its comments. Returns the path. Throws LessonError if the name is not allowed or the file is no
/// valid lesson, FileError if it cannot be written; the file is unchanged in both cases.
std::string add_slide(const std::string& name, const PresentState& state, const std::string& folder);

}  // namespace pericenter::app
