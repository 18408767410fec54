#include "app/bench/scene_change.h"

#include <chrono>
#include <thread>
#include <vector>

#include "app/base/exit_code.h"
#include "app/bridge/vertex_bridge.h"
#include "render/headless_context.h"
#include "sim/core/clock.h"
#include "sim/core/device.h"
#include "sim/core/median.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPause{1};  // pause between two frames, which are not drawn
constexpr std::uint64_t kStepsBetween = 3;      // steps that give the previous scene a history

/// What a window does with a simulation, except for drawing.
class Screen {
 public:
  explicit Screen(Backend backend) : plan_(plan_interop(Bridge::automatic, cuda_status())), bridge_(plan_.interop) {
    Config config;
    config.backend = backend;
    config.device = plan_.device;
    simulation_.request(request::SetConfig{config});
    simulation_.request(request::ChooseSolver{true});
    simulation_.request(request::Play{true});
  }
  ~Screen() { simulation_.recall(); }

  /// nullopt if interrupted or refused.
  std::optional<SceneChange> change_to(const request::LoadScene& wanted, StopSignals& stop) {
    const std::uint64_t before = simulation_.state().scene_serial, messages = simulation_.state().message_serial;
    const Clock::time_point start = Clock::now();
    simulation_.request(wanted);
    std::optional<SceneChange> change;
    for (std::uint64_t steps = 0; steps < kStepsBetween; std::this_thread::sleep_for(kPause)) {
      const SessionState state = simulation_.state();
      const std::optional<PublishedFrame> frame = bridge_.exchange(simulation_, state);
      if (state.message_is_error && state.message_serial != messages) {
        print_message("skipped: " + state.message);
        return {};
      }
      if (stop.raised()) return {};
      if (!frame || frame->scene_serial <= before) continue;
      const double seconds = seconds_between(start, Clock::now());
      if (!change) change = SceneChange{.shown = seconds};
      if (steps == 0 && frame->steps > 0) change->stepped = seconds;
      steps = frame->steps;
    }
    return change;
  }

 private:
  render::HeadlessContext context_;
  InteropPlan plan_;
  VertexBridge bridge_;
  SimulationThread simulation_;  // declared after the buffers that it may write to
};

}  // namespace

std::optional<SceneChange> measure_scene_change(const SceneInfo& scene, const SceneRequest& request, Backend backend,
                                                std::size_t repeats, StopSignals& stop) {
  Screen screen(backend);
  request::LoadScene wanted{std::string(scene.name), request};
  if (!screen.change_to(wanted, stop)) return {};  // there is no scene to leave yet
  std::vector<double> shown, stepped;
  for (std::size_t k = 0; k < repeats; ++k) {
    ++wanted.scene.seed;
    const std::optional<SceneChange> change = screen.change_to(wanted, stop);
    if (!change) return {};
    shown.push_back(change->shown);
    stepped.push_back(change->stepped);
  }
  return SceneChange{median(shown), median(stepped)};
}

}  // namespace pericenter::app
