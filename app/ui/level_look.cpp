#include "app/ui/level_look.h"

#include "app/ui/ui_style.h"

namespace pericenter::app {

LevelLook look_of(HealthLevel level, Theme theme) {
  const Palette& colors = palette(theme);
  switch (level) {
    case HealthLevel::good:
      return {"Trustworthy", "●", colors.good};
    case HealthLevel::fair:
      return {"Doubtful", "▲", colors.caution};
    case HealthLevel::poor:
      return {"Not trustworthy", "■", colors.error};
    case HealthLevel::unknown:
      break;
  }
  return {"Not measured yet", "○", colors.dim};
}

}  // namespace pericenter::app
