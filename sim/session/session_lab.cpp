// What a Session measures while the simulation runs: force errors, health, and the record that the plots show.
#include "sim/session/session.h"

namespace pericenter {

void Session::apply_to(const request::SampleForces&) {}

}  // namespace pericenter
