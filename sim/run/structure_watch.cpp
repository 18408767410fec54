#include "sim/run/structure_watch.h"

#include <cmath>
#include <memory>
#include <new>

#include "sim/core/timestep_criterion.h"

namespace pericenter {

void StructureWatch::begin(const RunView& view) {
  if (view.options.records) return measure(view);
  if (view.options.reports_encounters && view.checkpoints.latest()) measure_now(view);
}

void StructureWatch::on_diagnostics(const RunView& view) {
  if (!view.options.records) return;
  const RunState& state = view.state;
  const Diagnostics& diagnostics = state.diagnostics;
  const auto [position, time] = view.now();
  LabSample sample{.position = position,
                   .time = time,
                   .kinetic = diagnostics.kinetic,
                   .potential = diagnostics.potential,
                   .force_virial = diagnostics.force_virial,
                   .energy_error = state.energy_error,
                   .momentum = diagnostics.momentum,
                   .angular_momentum = diagnostics.angular_momentum};
  if (!state.playback && !has_internal_steps(view.config())) {
    const Params& params = state.params;
    if (params.softening > 0) {
      sample.fall_per_step = fall_per_step(params, diagnostics);
    } else if (diagnostics.shortest_orbit > 0) {
      sample.steps_per_orbit = diagnostics.shortest_orbit / std::abs(longest_part(params, diagnostics));
    }
  }
  if (state.force_sample.bodies > 0) {
    sample.force_error = state.force_sample.errors.mean;
    sample.force_error_99 = state.force_sample.errors.percentile_99;
    sample.force_error_max = state.force_sample.errors.max;
  }
  const auto bodies = static_cast<double>(view.simulation.size());
  if (view.bodies_per_second > 0) sample.step_ms = static_cast<float>(1e3 * bodies / view.bodies_per_second);
  view.record.add(sample);
}

void StructureWatch::after_step(const RunView& view) {
  if (view.options.records) measure(view);
}

void StructureWatch::measure(const RunView& view) {
  if (const auto found = view.bodies.take(view.record.courses()))
    view.record.add(found->structure, found->start_distance);
  const std::shared_ptr<const Snapshot> checkpoint = view.checkpoints.latest();
  // Where memory is too small for a checkpoint, it is too small for this copy.
  if (!view.state.playback && !checkpoint) return;
  if (view.options.measures_each_step) return measure_now(view);
  if (!view.bodies.is_due()) return;
  if (view.state.playback || view.config().backend == Backend::cpu) return measure_now(view);
  view.bodies.measure_later(checkpoint,
                            {{static_cast<double>(checkpoint->run->steps), checkpoint->time}, view.config().dimension},
                            view.record.courses());
}

void StructureWatch::measure_now(const RunView& view) {
  try {
    const BodyMeasurements::Found found =
        view.bodies.measure([&] { return view.simulation.bodies(); }, {view.now(), view.config().dimension});
    if (!view.options.records) return view.record.add_newest(found.structure);
    view.record.add(found.structure, found.start_distance);
  } catch (const std::bad_alloc&) {
    return;  // the run itself may need the memory
  }
}

}  // namespace pericenter
