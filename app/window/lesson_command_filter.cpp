#include "app/window/lesson_command_filter.h"

#include <string>

namespace pericenter::app {
namespace {

constexpr std::string_view kPredictFirst = "Predict first: press 1 to 4, or → to continue without recording a choice.";
constexpr std::string_view kLeaveFirst = "Esc leaves the lesson first.";

bool is_something_open(const UiState& ui) {
  return ui.widgets.list_open || ui.layout.show_keys || ui.files.browser.open || ui.files.saving || ui.lessons.open ||
         ui.widgets.keyboard.on;
}

/// What --station allows at any time.
bool is_harmless(Action action) {
  switch (action) {
    case Action::next:
    case Action::previous:
    case Action::choose:
    case Action::toggle_play:
    case Action::toggle_wording:
    case Action::repeat_slide:
    case Action::fit:
    case Action::quit:
      return true;
    default:
      return false;
  }
}

RoutedCommand digit(int number, const UiState& ui) {
  const bool waits = ui.lesson.waits_for_prediction();
  const int choices = waits ? static_cast<int>(ui.lesson.current().choices.size()) : 0;
  if (number < choices) return {Command{Action::choose, number}};
  return {std::nullopt, waits ? std::string_view() : kLeaveFirst};
}

RoutedCommand escape(const UiState& ui) {
  if (ui.lesson.blank) return {Command{Action::toggle_blank}};
  if (is_something_open(ui)) return {Command{Action::close_dialogs}};
  return {Command{ui.lesson.shows_note ? Action::toggle_note : Action::leave_lesson}};
}

RoutedCommand in_lesson(const Command& command, const UiState& ui) {
  const bool may_run = ui.lesson.phase == LessonState::Phase::running || ui.lesson.phase == LessonState::Phase::ended;
  switch (command.action) {
    case Action::load_scene:
      return digit(command.number, ui);
    case Action::toggle_keys:
      return {Command{Action::toggle_note}};
    case Action::toggle_halo:
      return {Command{Action::toggle_wording}};
    case Action::reset:
      return {Command{Action::repeat_slide}};
    case Action::close_dialogs:
      return escape(ui);
    case Action::toggle_play:
    case Action::single_step:
    case Action::step_back:
    case Action::undo:
    case Action::run_backwards:
    case Action::continue_from_here:
      if (may_run) return {command};
      return {std::nullopt, ui.lesson.waits_for_prediction() ? kPredictFirst : std::string_view()};
    case Action::apply_scene:
    case Action::paste_scene:
    case Action::open_file:
    case Action::toggle_comparison:
    case Action::swap_comparison:
    case Action::cancel:
      return {std::nullopt, kLeaveFirst};
    default:
      return {command};
  }
}

}  // namespace

RoutedCommand lesson_command(const Command& command, const UiState& ui) {
  const RoutedCommand routed = ui.lesson.on() ? in_lesson(command, ui) : RoutedCommand{command};
  if (!ui.presentation.station || !routed.command || is_harmless(routed.command->action)) return routed;
  return {std::nullopt};
}

void apply_routed(const Command& command, const UiFrame& frame, const CommandTargets& targets) {
  const RoutedCommand routed = lesson_command(command, targets.ui);
  if (routed.command) apply_command(*routed.command, frame, targets);
  if (!routed.notice.empty()) set_notice(std::string(routed.notice), false, frame.now, targets.ui);
}

}  // namespace pericenter::app
