#pragma once

#include <limits>
#include <string>

namespace pericenter::app {

struct Desk;

/// What a notice is about, so that it can be removed when its cause is gone.
enum class NoticeSource { ui, simulation, shaders, scene_string, snapshots, captures, comparison, lesson };

inline constexpr double kUntilDismissed = std::numeric_limits<double>::infinity();

/// A message in the status line.
struct Notice {
  std::string text;
  bool is_error = false;  ///< an error stays until it is dismissed
  double until = 0;       ///< UiFrame::now at which it disappears
  std::string file = {};  ///< file that a button next to the notice opens; empty: no button
  NoticeSource source = NoticeSource::ui;
};

/// Shows a notice and writes it to the log of --log. An error or a persistent notice that was shown before is shown
/// again when this one is dismissed.
void add_notice(Notice notice, Desk& desk);
/// Shows a notice for eight seconds; an error until it is dismissed.
void set_notice(std::string text, bool is_error, double now, Desk& desk, NoticeSource source = NoticeSource::ui);
/// Shows a notice until it is dismissed; `file` as Notice::file.
void set_persistent_notice(std::string text, std::string file, Desk& desk);
/// Shows an error in the window and prints it to stderr.
void report_error(const std::string& text, double now, Desk& desk, NoticeSource source = NoticeSource::ui);

/// Shows the notice before the current one.
void dismiss_notice(Desk& desk);
void remove_notices(NoticeSource source, Desk& desk);

}  // namespace pericenter::app
