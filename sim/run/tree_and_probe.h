#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/analysis/probe.h"
#include "sim/core/tree_box.h"
#include "sim/run/run_watcher.h"

namespace pericenter {

/// Levels of the tree that are shown, from the first to the last, and the largest number of cells.
struct ShownTree {
  bool show = false;
  int first_level = 0, last_level = 3;
  std::size_t limit = 200'000;
};

/// The cells of the tree and the tree walk of one body, as they are shown: again after each change, but rarely enough
/// that a run is not delayed.
class TreeAndProbe : public RunWatcher {
 public:
  void resume(const RunView&) override { on_change(true); }
  void after_step(const RunView&) override { on_change(shown_.show); }

  void show_tree(const ShownTree& wanted);
  /// nullopt: no body is probed.
  void show_probe(std::optional<std::uint32_t> body);
  /// The bodies or the parameters have changed; with `tree` so has the tree.
  void on_change(bool tree);

  // `run` is null before the first scene. `rewound`: a recorded moment is shown, which has no tree.
  /// Cells of the tree; nullopt: unchanged. Throws Cancelled, after which the next call tries again.
  std::optional<std::vector<TreeBox>> new_boxes(const RunView* run, bool rewound);
  /// Tree walk of the body; nullopt: unchanged, nullopt inside: no body is probed. `problem` says why one cannot be.
  std::optional<std::optional<Probe>> new_probe(const RunView* run, bool rewound, std::string& problem);

 private:
  using Clock = std::chrono::steady_clock;

  ShownTree shown_;
  bool tree_changed_ = false;
  Clock::time_point last_boxes_{};
  std::optional<std::uint32_t> probed_;
  bool probe_changed_ = false;
  Clock::time_point last_probe_{};
  double probe_seconds_ = 0;  ///< duration of the last probe
};

}  // namespace pericenter
