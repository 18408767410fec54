#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson_file.h"
#include "app/lessons/lesson_table.h"

namespace pericenter::app {

/// The slides of a lesson, with those that it includes. Throws LessonError.
std::vector<Slide> read_slides(const LessonTable& lesson, const std::string& file, const FindIncluded& find);

// The texts of a slide that have a form. All throw std::invalid_argument with what is wrong and what is allowed.

/// "pericentre", "apocentre", "first tails", "merger", "start", "390 Myr" or "8 s".
SlideEnd parse_until(std::string_view text);
/// "run backwards" or "undo".
SlideAction parse_action(std::string_view text);
/// "galaxy 1" or "centre of mass".
Follow parse_follow(std::string_view text);
/// "tails", "galaxy 1" or "birth radius 8 to 15 kpc".
Highlight parse_highlight(std::string_view text);
/// ID of a lab plot, or "cost".
std::string parse_plot(std::string_view text);

}  // namespace pericenter::app
