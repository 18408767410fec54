#include "sim/run/rotation_watch.h"

#include <new>
#include <utility>
#include <vector>

#include "sim/analysis/rotation_curve.h"

namespace pericenter {

void RotationWatch::after_step(const RunView& view) {
  if (view.options.records && is_on_ && budget_.is_due()) measure(view);
}

void RotationWatch::turn(bool on, const RunView& view) {
  is_on_ = on;
  if (!on) return view.record.set_rotation({});
  if (view.options.records) measure(view);
}

void RotationWatch::measure(const RunView& view) {
  const StructureMeter* const structure = view.bodies.structure();
  if (!structure || structure->disc().empty() || view.simulation.in_step()) return;
  const auto start = MeasurementBudget::Clock::now();
  try {
    const std::vector<Vec3> accelerations =
        view.state.playback ? std::vector<Vec3>() : view.simulation.accelerations(view.state.params);
    const Bodies bodies = view.simulation.bodies();
    if (structure->size() != bodies.size()) return;
    if (const auto nucleus = structure->nuclei(bodies)[0]) {
      RotationCurve curve = rotation_curve(bodies, accelerations, structure->disc(), *nucleus);
      curve.time = view.simulation.time();
      view.record.set_rotation(std::move(curve));
    }
  } catch (const std::bad_alloc&) {
    view.record.set_rotation({});
  }
  budget_.note(start);
}

}  // namespace pericenter
