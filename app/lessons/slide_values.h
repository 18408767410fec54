#pragma once

#include <string_view>

#include "app/lessons/lesson.h"

// The texts of a slide that have a form. All throw std::invalid_argument with what is wrong and what is allowed.
namespace pericenter::app {

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
