#pragma once

#include "sim/run/run_watcher.h"

namespace pericenter {

/// Records the diagnostics of a run, and the structure of its bodies: nuclei, tails, distance from the start.
class StructureWatch : public RunWatcher {
 public:
  void begin(const RunView& view) override;
  void on_diagnostics(const RunView& view) override;
  void after_step(const RunView& view) override;

  /// Measures the structure when it is time for that. On a GPU the bodies are those of the latest checkpoint, because
  /// another thread has already copied them to the host.
  static void measure(const RunView& view);
  static void measure_now(const RunView& view);
};

}  // namespace pericenter
