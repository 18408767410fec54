#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/run/run_watcher.h"
#include "sim/run/star_report.h"

namespace pericenter {

/// Where selected stars and nuclei are, and how fast: RunState::stars. It reads these stars alone, and for the nuclei a
/// sample of the bodies, rarely enough that a run is not delayed.
class StarWatch : public RunWatcher {
 public:
  /// The moment that is shown, which may be a recorded one.
  struct Shown {
    double time = 0;
    std::function<Body(std::size_t)> body;
    std::function<Bodies(const BodySample&)> sample;
  };

  void begin(const RunView&) override;
  void resume(const RunView&) override { on_change(); }
  void after_step(const RunView&) override { on_change(); }

  void track(const TrackedStars& wanted);
  /// Another moment is shown.
  void on_change() { changed_ = true; }
  /// Updates RunState::stars if that is due.
  void update(const RunView& run, const Shown& shown);

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<Nucleus> nuclei(const RunView& run, const Shown& shown);

  TrackedStars wanted_;
  bool changed_ = false;
  std::optional<StructureMeter> meter_;  ///< that of a sample; nullopt before the first one
  Clock::time_point last_{};
  double seconds_ = 0;  ///< that the last update took
};

}  // namespace pericenter
