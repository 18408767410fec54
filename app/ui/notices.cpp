#include "app/ui/notices.h"

#include <utility>
#include <vector>

#include "app/base/exit_code.h"
#include "app/base/log.h"
#include "app/ui/ui_state.h"

namespace pericenter::app {
namespace {

constexpr double kNoticeSeconds = 8;
constexpr std::size_t kMaxOlderNotices = 8;
constexpr int kMaxLines = 5;

/// The log of a shader compiler may be higher than the window.
void truncate_lines(std::string& text) {
  std::size_t end = text.find('\n');
  for (int line = 1; line < kMaxLines && end != text.npos; ++line) end = text.find('\n', end + 1);
  if (end != text.npos) text.replace(end, text.npos, " …");
}

}  // namespace

void add_notice(Notice notice, UiState& ui) {
  if (ui.support_log) ui.support_log->write(notice.is_error ? "error" : "notice", notice.text);
  truncate_lines(notice.text);
  std::vector<Notice>& older = ui.notices.older;
  if (ui.notices.shown.is_error || ui.notices.shown.until == kUntilDismissed)
    older.push_back(std::move(ui.notices.shown));
  std::erase_if(older, [&](const Notice& one) { return one.text == notice.text; });
  if (older.size() > kMaxOlderNotices) older.erase(older.begin());
  ui.notices.shown = std::move(notice);
}

void set_notice(std::string text, bool is_error, double now, UiState& ui) {
  add_notice({std::move(text), is_error, now + kNoticeSeconds}, ui);
}

void set_persistent_notice(std::string text, std::string file, UiState& ui) {
  add_notice({std::move(text), false, kUntilDismissed, std::move(file)}, ui);
}

void report_error(const std::string& text, double now, UiState& ui, NoticeSource source) {
  add_notice({text, true, now, {}, source}, ui);
  print_message(text);
}

void dismiss_notice(UiState& ui) {
  ui.notices.shown = {};
  if (ui.notices.older.empty()) return;
  ui.notices.shown = std::move(ui.notices.older.back());
  ui.notices.older.pop_back();
}

void remove_notices(NoticeSource source, UiState& ui) {
  std::erase_if(ui.notices.older, [&](const Notice& one) { return one.source == source; });
  if (ui.notices.shown.source == source && !ui.notices.shown.text.empty()) dismiss_notice(ui);
}

}  // namespace pericenter::app
