#include "app/window/control_rects.h"

#include <cstdlib>
#include <sstream>

#include "app/base/atomic_file.h"

namespace pericenter::app {

ControlRects::ControlRects() {
  if (const char* path = std::getenv("PERICENTER_CONTROL_RECTS")) path_ = path;
}

ItemLog* ControlRects::log() {
  return path_.empty() ? nullptr : &log_;
}

void ControlRects::update() {
  if (path_.empty()) return;
  std::ostringstream lines;
  for (const ItemLog::Item& item : log_.items) {
    for (const float edge : {item.x0, item.y0, item.x1, item.y1}) lines << static_cast<int>(edge) << ' ';
    lines << item.id << '\n';
  }
  if (lines.str() == written_) return;
  written_ = lines.str();
  write_file(path_, written_);
}

}  // namespace pericenter::app
