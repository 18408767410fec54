#pragma once

#include <optional>
#include <string_view>

#include "app/ui/actions.h"
#include "app/ui/ui_state.h"
#include "app/window/commands.h"

namespace pericenter::app {

/// What a command becomes.
struct RoutedCommand {
  std::optional<Command> command;  ///< nullopt: it is ignored
  std::string_view notice = {};    ///< why, a sentence; empty: nothing is said
};

/// Translates the commands of keys and panels while a lesson is shown: digits choose, `?` shows the teacher's note, M
/// switches the wording, R repeats the slide, Esc closes the topmost thing and then leaves. Nothing starts the run
/// before the prediction, and nothing replaces the scene of a slide. With --station only commands that lose nothing are
/// left.
RoutedCommand lesson_command(const Command& command, const UiState& ui);
/// Applies what it becomes, and shows its notice.
void apply_routed(const Command& command, const UiFrame& frame, const CommandTargets& targets);

}  // namespace pericenter::app
