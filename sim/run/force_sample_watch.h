#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/analysis/force_sample.h"
#include "sim/run/run_watcher.h"

namespace pericenter {

/// Measures the errors of the forces on a sample of the bodies, while the run steps and when it is paused.
class ForceSampleWatch : public RunWatcher {
 public:
  void resume(const RunView& view) override;
  void after_step(const RunView& view) override;

  /// Measures the paused bodies if they have changed since the last measurement, unless that takes long. Whether it has
  /// changed the sample.
  bool sample_paused(const RunView& view);

 private:
  bool sample(const RunView& view, std::size_t count);

  SampleSchedule schedule_;
  std::uint64_t samples_ = 0;         ///< number of samples taken in this scene
  double paused_sample_seconds_ = 0;  ///< duration of the longest sample of this simulation while paused
};

}  // namespace pericenter
