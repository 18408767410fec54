#pragma once

#include <string>

#include "app/ui/ui_state.h"

namespace pericenter::app {

/// A hook for tests that drive the real window: writes the rectangles of all controls to the file that
/// PERICENTER_CONTROL_RECTS names, one per line as "x0 y0 x1 y1 id" in window pixels. Does nothing without that
/// variable.
class ControlRects {
 public:
  ControlRects();
  /// The log for draw_ui(); null without the variable.
  ItemLog* log();
  /// After draw_ui(): writes the file if it has changed. Throws FileError.
  void update();

 private:
  std::string path_, written_;
  ItemLog log_;
};

}  // namespace pericenter::app
