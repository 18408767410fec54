#include "app/window/lesson_command_filter.h"

#include <string>

namespace pericenter::app {
namespace {

constexpr std::string_view kPredictFirst =
    "Predict first: press the number of a choice, or → to continue without recording a choice.";
constexpr std::string_view kLeaveFirst = "Esc leaves the lesson first.";

bool is_something_open(const UiState& ui) {
  return ui.widgets.list_open || ui.layout.show_keys || ui.files.browser.open || ui.files.saving || ui.lessons.open ||
         ui.widgets.keyboard.on || ui.stars.shown || ui.stars.ruler.on;
}

// The columns of the table of actions: what becomes of an action in a lesson, and whether a station has it.

RoutedCommand allowed(const Command& command, const UiState&) {
  return {command};
}

RoutedCommand refused(const Command&, const UiState&) {
  return {std::nullopt, kLeaveFirst};
}

/// The start button of a clicker is F5.
RoutedCommand nothing(const Command&, const UiState&) {
  return {};
}

template <Action other>
RoutedCommand becomes(const Command&, const UiState&) {
  return {Command{other}};
}

RoutedCommand once_running(const Command& command, const UiState& ui) {
  if (ui.lesson.phase == LessonState::Phase::running || ui.lesson.phase == LessonState::Phase::ended) return {command};
  return {std::nullopt, ui.lesson.waits_for_prediction() ? kPredictFirst : std::string_view()};
}

RoutedCommand digit(const Command& command, const UiState& ui) {
  const bool waits = ui.lesson.waits_for_prediction();
  const int choices = waits ? static_cast<int>(ui.lesson.current().choices.size()) : 0;
  if (command.number < choices) return {Command{Action::choose, command.number}};
  return {std::nullopt, waits ? std::string_view() : kLeaveFirst};
}

RoutedCommand escape(const Command&, const UiState& ui) {
  if (ui.lesson.blank) return {Command{Action::toggle_blank}};
  if (is_something_open(ui)) return {Command{Action::close_dialogs}};
  return {Command{ui.lesson.shows_note ? Action::toggle_note : Action::leave_lesson}};
}

enum class OnStation { ignored, allowed };

struct Rule {
  RoutedCommand (*in_lesson)(const Command& command, const UiState& ui);
  OnStation on_station;
};

/// By Action.
constexpr Rule kRules[] = {
#define ROW(action, keys, held, meaning, lesson, station) {lesson, OnStation::station},
#include "app/ui/action_table.inc"
};

const Rule& rule(const Command& command) {
  return kRules[static_cast<std::size_t>(command.action)];
}

}  // namespace

RoutedCommand lesson_command(const Command& command, const UiState& ui) {
  const RoutedCommand routed = ui.lesson.on() ? rule(command).in_lesson(command, ui) : RoutedCommand{command};
  const bool is_ignored =
      ui.presentation.station && routed.command && rule(*routed.command).on_station == OnStation::ignored;
  return is_ignored ? RoutedCommand{} : routed;
}

void apply_routed(const Command& command, const UiFrame& frame, const CommandTargets& targets) {
  const RoutedCommand routed = lesson_command(command, targets.ui);
  if (routed.command) apply_command(*routed.command, frame, targets);
  if (!routed.notice.empty())
    set_notice(std::string(routed.notice), false, frame.now, targets.ui, NoticeSource::lesson);
}

}  // namespace pericenter::app
