#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/lesson_library.h"

namespace pericenter::app {

/// The lesson that is presented. The window's LessonController changes it; overlay and panels show it.
struct LessonState {
  /// title: the title card, before the first slide. question: waits for the prediction. running: until the end of the
  /// slide. ended: paused at its end, the explanation is shown.
  enum class Phase { loading, title, question, running, ended };

  std::shared_ptr<const Lesson> lesson;  ///< null: none
  std::size_t slide = 0;
  Phase phase = Phase::loading;
  std::optional<std::size_t> predicted;  ///< choice of the class
  Wording wording = Wording::pupils;
  bool shows_note = false, blank = false;
  std::string warning;  ///< fewer bodies than the lesson asks for; empty: none

  bool on() const { return lesson != nullptr; }
  const Slide& current() const { return lesson->slides[slide]; }
  /// Play and Step are disabled, and numbers that give the answer away are hidden.
  bool waits_for_prediction() const { return on() && phase == Phase::question; }
};

/// The list of lessons (F6).
struct LessonList {
  bool open = false;
  std::vector<LessonEntry> entries;  ///< read when it opens
  std::size_t selected = 0;
  std::optional<std::size_t> chosen = {};  ///< lesson to start; the window's LessonController takes it
  std::string file = {};                   ///< the same for a file that was opened or dropped; empty: none
  std::string add_to = "my-lesson";        ///< name of the lesson that "Add slide" extends
};

/// How the program is shown to a class.
struct Presentation {
  float projector_size = 1;  ///< scale of clock, captions and legend: 1 is 48, 32 and 24 pixels at 1080 lines
  bool full_screen = false;  ///< state in the last frame
  bool shows_keys = false;   ///< shows the keys pressed
  struct KeyCap {
    std::string text;
    double until = 0;  ///< UiFrame::now
  };
  std::deque<KeyCap> keys;
  std::optional<double> blank_since;     ///< UiFrame::now; nullopt: not blank
  std::shared_ptr<const Lesson> taught;  ///< lesson whose keys have been shown
  double keys_until = 0;                 ///< UiFrame::now at which these keys disappear
  float card_height = 0;        ///< pixels at the lower edge of the image that a card covers, in the last frame
  bool station = false;         ///< --station: no controls, returns to the start when idle
  bool reduced_motion = false;  ///< no automatic motion of the camera
};

/// A short sentence over the image.
struct Narration {
  bool on = true;
  std::string sentence;
  double until = 0;  ///< UiFrame::now at which it disappears
};

}  // namespace pericenter::app
