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

void add_notice(Notice notice, Desk& desk) {
  if (desk.support_log) desk.support_log->write(notice.is_error ? "error" : "notice", notice.text);
  truncate_lines(notice.text);
  std::vector<Notice>& older = desk.notices.older;
  if (desk.notices.shown.is_error || desk.notices.shown.until == kUntilDismissed)
    older.push_back(std::move(desk.notices.shown));
  std::erase_if(older, [&](const Notice& one) { return one.text == notice.text; });
  if (older.size() > kMaxOlderNotices) older.erase(older.begin());
  desk.notices.shown = std::move(notice);
}

void set_notice(std::string text, bool is_error, double now, Desk& desk, NoticeSource source) {
  add_notice({std::move(text), is_error, now + kNoticeSeconds, {}, source}, desk);
}

void set_persistent_notice(std::string text, std::string file, Desk& desk) {
  add_notice({std::move(text), false, kUntilDismissed, std::move(file)}, desk);
}

void report_error(const std::string& text, double now, Desk& desk, NoticeSource source) {
  add_notice({text, true, now, {}, source}, desk);
  print_message(text);
}

void dismiss_notice(Desk& desk) {
  desk.notices.shown = {};
  if (desk.notices.older.empty()) return;
  desk.notices.shown = std::move(desk.notices.older.back());
  desk.notices.older.pop_back();
}

void remove_notices(NoticeSource source, Desk& desk) {
  std::erase_if(desk.notices.older, [&](const Notice& one) { return one.source == source; });
  if (desk.notices.shown.source == source && !desk.notices.shown.text.empty()) dismiss_notice(desk);
}

}  // namespace pericenter::app
