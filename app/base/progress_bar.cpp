#include "app/base/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/base/format.h"

namespace pericenter::app {
namespace {

constexpr int kWidth = 28;
constexpr auto kRedraw = std::chrono::milliseconds(100);

std::string duration(double seconds) {
  if (seconds < 100) return text("%.0f s", seconds);
  if (seconds < 6000) return text("%.0f min", seconds / 60);
  return text("%.1f h", seconds / 3600);
}

}  // namespace

ProgressBar::ProgressBar(std::string label, std::string unit, bool shown)
    : label_(std::move(label)), unit_(std::move(unit)), shown_(shown), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (line_open_) std::fputc('\n', stderr);
}

void ProgressBar::show(double done, double total) {
  if (!shown_ || !due(done, total)) return;
  const std::string drawn = line(done, total);
  if (terminal_) {
    std::fprintf(stderr, "\r%s\033[K", drawn.c_str());
    std::fflush(stderr);
    line_open_ = true;
  } else {
    std::fprintf(stderr, "%s\n", drawn.c_str());
  }
}

bool ProgressBar::due(double done, double total) {
  if (terminal_) {
    const auto now = Clock::now();
    if (done < total && now - last_drawn_ < kRedraw) return false;
    last_drawn_ = now;
    return true;
  }
  const int tenths = static_cast<int>(done / total * 10);
  return tenths > std::exchange(tenths_shown_, std::max(tenths, tenths_shown_));
}

std::string ProgressBar::line(double done, double total) const {
  const double share = total > 0 ? done / total : 1;
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  std::string drawn = label_ + " ";
  if (terminal_) {
    const int filled = static_cast<int>(share * kWidth);
    drawn += '[';
    drawn.append(static_cast<std::size_t>(filled), '#').append(static_cast<std::size_t>(kWidth - filled), '.');
    drawn += ']';
  }
  drawn += text(" %3.0f %%", share * 100);
  if (!unit_.empty()) {
    drawn += text("  %.0f of %.0f %s", done, total, unit_.c_str());
    const double rate = elapsed > 0 ? done / elapsed : 0;
    if (rate > 0) drawn += text(rate < 100 ? "  %.3g %s/s" : "  %.0f %s/s", rate, unit_.c_str());
  }
  if (done < total && share > 0) drawn += "  " + duration(elapsed / share * (1 - share)) + " left";
  if (done >= total) drawn += "  in " + duration(elapsed);
  return drawn;
}

}  // namespace pericenter::app
