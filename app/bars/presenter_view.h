#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/lessons/lesson_player.h"
#include "app/ui/ui_style.h"

namespace pericenter::app {

/// What the teacher sees in the presenter view.
struct PresenterContent {
  struct Part {
    std::string heading, words;
    friend bool operator==(const Part&, const Part&) = default;
  };
  std::string headline;            ///< slide, time of day, minutes
  std::string run;                 ///< what the slide waits for, or does
  std::optional<double> progress;  ///< share of the run that is done, in whole per cent
  std::vector<Part> parts;

  friend bool operator==(const PresenterContent&, const PresenterContent&) = default;
};

/// `clock`: time of day. `minutes`: since the lesson began.
PresenterContent presenter_content(const LessonState& lesson, const std::string& clock, int minutes);

/// Fills the window of the current ImGui context; longer content scrolls.
void draw_presenter_view(const PresenterContent& content, const Fonts& fonts, Theme theme);

}  // namespace pericenter::app
