#pragma once

#include <string>

#include "app/ui/ui_state.h"

namespace pericenter::app {

/// For a test that drives the real window: where the panel's controls are, one a line as "x0 y0 x1 y1 label" in pixels
/// of the window, in the file that PERICENTER_ITEM_FILE names. Without that variable nothing happens.
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
