#include "sim/run/tree_and_probe.h"

#include "sim/core/cancellation.h"
#include "sim/core/clock.h"

namespace pericenter {
namespace {

constexpr double kBoxesPeriod = 0.2;            ///< seconds; the window needs longer than a frame for a large tree
constexpr double kProbeShare = 0.25;            ///< largest share of a running simulation's time spent on the probe
constexpr std::size_t kMaxProbed = 50'000'000;  ///< bodies; the tree of the probe takes about 300 bytes per body

/// Builds the tree if there is none. Sets `changed` again when the forces are cancelled.
std::vector<Vec3> current_forces(const RunView& run, bool& changed) {
  try {
    return run.simulation.accelerations(run.state.params);
  } catch (const Cancelled&) {
    changed = true;
    throw;
  }
}

}  // namespace

void TreeAndProbe::show_tree(const ShownTree& wanted) {
  shown_ = wanted;
  tree_changed_ = true;
}

void TreeAndProbe::show_probe(std::optional<std::uint32_t> body) {
  probed_ = body;
  probe_changed_ = true;
  probe_seconds_ = 0;  // a newly selected star is shown immediately
}

void TreeAndProbe::on_change(bool tree) {
  tree_changed_ = tree_changed_ || tree;
  probe_changed_ = probe_changed_ || probed_;
}

std::optional<std::vector<TreeBox>> TreeAndProbe::new_boxes(const RunView* run, bool rewound) {
  const Clock::time_point now = Clock::now();
  const bool too_soon = run && run->running && seconds_between(last_boxes_, now) < kBoxesPeriod;
  if (!tree_changed_ || too_soon) return std::nullopt;
  tree_changed_ = false;
  last_boxes_ = now;
  std::vector<TreeBox> cells;
  if (shown_.show && run && !rewound) {
    current_forces(*run, tree_changed_);
    run->simulation.tree_boxes(shown_.first_level, shown_.last_level, shown_.limit, cells);
  }
  return cells;
}

std::optional<std::optional<Probe>> TreeAndProbe::new_probe(const RunView* run, bool rewound, std::string& problem) {
  const Clock::time_point start = Clock::now();
  const double period = probe_seconds_ * (1 - kProbeShare) / kProbeShare;
  const bool too_soon = probed_ && run && run->running && seconds_between(last_probe_, start) < period;
  if (!probe_changed_ || too_soon) return std::nullopt;
  probe_changed_ = false;
  if (!run || !probed_) {
    probed_.reset();
    return std::optional<Probe>();
  }
  if (rewound) {
    problem = "A recorded moment has no tree to walk. Go to the end of the timeline or continue from here.";
    return std::optional<Probe>();
  }
  const Simulation& simulation = run->simulation;
  if (run->state.playback) {
    problem = "A playback has no tree to walk. Continue as a simulation to probe a star.";
  } else if (simulation.size() > kMaxProbed) {
    problem = "A star can be probed among at most " + std::to_string(kMaxProbed / 1'000'000) +
              " million bodies, because the probe needs a tree in host memory.";
  }
  if (!problem.empty() || *probed_ >= simulation.size()) {
    probed_.reset();
    return std::optional<Probe>();
  }
  Probe found = probe(simulation.config(), run->state.params, simulation.bodies(), *probed_);
  found.time = simulation.time();
  found.acceleration = current_forces(*run, probe_changed_)[*probed_];
  last_probe_ = Clock::now();
  probe_seconds_ = seconds_between(start, last_probe_);
  return found;
}

}  // namespace pericenter
