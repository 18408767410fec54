#include "app/annotations.h"

namespace pericenter::app {

void draw_annotations(ImDrawList& /*draw*/, const Fonts& /*fonts*/, float /*scale*/, const Annotated& /*what*/,
                      ImVec2 /*low*/, ImVec2 /*high*/) {}

}  // namespace pericenter::app
