#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_player.h"

namespace pericenter::app {

/// The list of lessons (F6).
struct LessonList {
  bool open = false;
  std::vector<LessonEntry> entries;  ///< read when it opens
  bool reading = false;              ///< the entries are being read; meanwhile those of before are shown
  std::size_t selected = 0;
  std::optional<std::size_t> chosen = {};  ///< lesson to start; the window's LessonController takes it
  bool continues = false;                  ///< the chosen one starts where it was left
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
  std::optional<double> empty_since;     ///< the same; nullopt: there is a picture, or nothing is on its way
  std::shared_ptr<const Lesson> taught;  ///< lesson whose keys have been shown
  double keys_until = 0;                 ///< UiFrame::now at which these keys disappear
  float card_height = 0;        ///< pixels at the lower edge of the image that a card covers, in the last frame
  bool presenter_view = false;  ///< a second window with the notes of the lesson
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
