#pragma once

#include <string>

#include "app/ui/ui_state.h"

namespace pericenter::app {

/// Test hook: writes the rectangles of all visible controls to the file that PERICENTER_CONTROL_RECTS names, one line
/// "x0 y0 x1 y1 id" each, in pixels of the window. Has no effect without that variable.
class ControlRects {
 public:
  ControlRects();
  /// What draw_ui records into; null when nobody asks.
  ItemLog* log();
  /// After draw_ui: writes the file if a control has moved. Throws FileError.
  void update();

 private:
  std::string path_, written_;
  ItemLog log_;
};

}  // namespace pericenter::app
