// What a Session measures while the simulation runs: the record that the plots show.
#include "sim/session/session.h"

namespace pericenter {

void Session::apply_to(const request::MeasureRotation&) {}

}  // namespace pericenter
