#pragma once

#include <cstdint>
#include <optional>

#include "sim/analysis/orbit_check.h"
#include "sim/run/run_watcher.h"

namespace pericenter {

/// Checks whether the time step follows the bound orbits about a central body, with each measurement of the
/// diagnostics: on a sample of the bodies, so that it takes a small part of their time, and not at all if there is no
/// such body.
class OrbitWatch : public RunWatcher {
 public:
  static constexpr std::size_t kMostBodies = std::size_t{1} << 14;

  void resume(const RunView&) override { follower_.forget_energies(); }
  void on_diagnostics(const RunView& view) override;

 private:
  OrbitFollower follower_;
  std::optional<Params> last_params_;
  std::uint64_t checks_ = 0;
};

}  // namespace pericenter
