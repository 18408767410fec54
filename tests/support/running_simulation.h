#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/session/simulation_thread.h"

namespace pericenter::test {

/// Waits for `condition`; only a defect uses up the time limit.
inline bool eventually(const std::function<bool()>& condition, std::chrono::seconds limit = std::chrono::seconds(90)) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return condition();
}

/// A SimulationThread with a main loop that fetches every frame immediately.
class RunningSimulation {
 public:
  using Condition = std::function<bool(const SessionState&)>;

  explicit RunningSimulation(std::size_t vertices = 25'000) : buffer(vertices) { thread.lend(host_target(buffer)); }

  /// Lends a buffer of another size; the thread may write to the old one until it is recalled.
  void resize(std::size_t vertices) {
    thread.recall();
    buffer.resize(vertices);
    thread.lend(host_target(buffer));
  }
  /// Fetches the vertices if they are ready, and allows the steps of a frame. True when vertices were fetched.
  bool frame() {
    const auto published = thread.take_back();
    if (published) {
      last = *published;
      thread.lend(host_target(buffer));
    }
    thread.allow_steps();
    return published.has_value();
  }
  SessionState state() const { return thread.state(); }
  std::uint64_t request(Request request) { return thread.request(std::move(request)); }

  /// Shows frames until the state meets the condition.
  bool within(std::chrono::seconds limit, const Condition& condition) {
    return eventually(
        [&] {
          frame();
          return condition(state());
        },
        limit);
  }
  bool wait_until(const Condition& condition) { return within(std::chrono::seconds(90), condition); }
  /// Shows frames until the last one meets the condition.
  bool shows(const std::function<bool(const PublishedFrame&)>& condition) {
    return eventually([&] { return frame() && condition(last); });
  }

  void request_scene(const std::string& scene, std::size_t bodies, std::optional<Config> config = {}) {
    request(request::LoadScene{scene, {.bodies = bodies}, std::move(config)});
  }
  /// Loads a scene and waits for its first frame.
  bool load(const std::string& scene, std::size_t bodies) {
    const std::uint64_t before = state().scene_serial;
    request_scene(scene, bodies);
    return wait_until([&](const SessionState& now) {
      return !now.busy && now.scene == scene && now.scene_serial > before && last.scene_serial == now.scene_serial;
    });
  }
  bool play_to_step(std::uint64_t steps) {
    request(request::Play{true});
    return wait_until([&](const SessionState& now) { return now.steps >= steps; });
  }
  bool takes_more_steps() {
    const std::uint64_t steps = state().steps;
    return wait_until([&](const SessionState& now) { return now.steps > steps + 5; });
  }
  /// Waits until all previous requests are applied or refused.
  bool all_applied() {
    const std::uint64_t serial = request(request::SetStepsPerFrame{state().steps_per_frame});
    return wait_until([&](const SessionState& now) { return now.handled_request >= serial; });
  }
  /// Fetches frames, without allowing steps, until all allowed steps are taken and shown.
  bool takes_allowed_steps() {
    return eventually([&] {
      if (const auto published = thread.take_back()) {
        last = *published;
        thread.lend(host_target(buffer));
      }
      return thread.waits_at().has_value();
    });
  }
  Bodies bodies() {
    request(request::TakeSnapshot{});
    std::optional<Snapshot> taken;
    wait_until([&](const SessionState&) { return (taken = thread.take_snapshot()).has_value(); });
    return taken ? taken->bodies : Bodies();
  }

  std::vector<Vertex> buffer;
  SimulationThread thread;  // after the buffer that it may be writing to
  PublishedFrame last;      ///< the last frame
};

}  // namespace pericenter::test
