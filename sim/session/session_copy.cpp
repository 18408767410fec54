// Copies of a run, with which two Sessions continue from the same bodies.
#include <algorithm>
#include <memory>
#include <utility>

#include "sim/scenes/model/procedural_source.h"
#include "sim/session/session.h"

namespace pericenter {

void Session::apply_to(const request::TakeCopy&) {
  if (!simulation_ || state_.playback || rewound_) return;
  auto copy = std::make_shared<RunCopy>();
  copy->bodies = bodies_between_steps();
  settle_energy_error();
  copy->state = state();
  copy->source = source_;
  copy->origin = origin_;
  copy->conservation = conservation_;
  copy->health = health_;
  run_copy_ = std::move(copy);
}

void Session::apply_to(const request::ContinueCopy& wanted) {
  replace("copy the run", [&] {
    const RunCopy& run = *wanted.run;
    const SessionState& from = run.state;
    replace_simulation(wanted.config, run.bodies, {.time = from.time, .steps = from.steps}, wanted.params);
    state_.automatic_solver = false;
    next_serial_ = std::max(from.scene_serial, next_serial_);
    leaves_parked_ = true;  // Undo keeps what it returns to
    state_.playback.reset();
    source_ = run.source;
    origin_ = run.origin;
    begin_scene({.name = from.scene,
                 .request = from.scene_request,
                 .scene = {.params = from.suggested,
                           .units = from.units,
                           .view_radius = from.view_radius,
                           .angles = from.angles,
                           .highlight_time = from.highlight_time},
                 .params = wanted.params,
                 .config = wanted.config,
                 .file = from.file,
                 .steps_at_load = from.steps_at_load});
    conservation_ = run.conservation;
    health_ = run.health;
    continue_accuracy();
    set_message({}, false);
  });
}

}  // namespace pericenter
