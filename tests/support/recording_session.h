#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/session/session.h"

namespace pericenter::test {

inline bool same_motion(const Bodies& first, const Bodies& second) {
  return std::ranges::equal(first, second, [](const Body& a, const Body& b) {
    return a.position == b.position && a.velocity == b.velocity && a.mass == b.mass && a.tag == b.tag;
  });
}

/// A Session that records its history, without a thread.
class RecordingSession : public Session {
 public:
  /// With memory for this many keyframes. Energies are evaluated only where a test does.
  RecordingSession(const std::string& scene, std::size_t bodies, const Config& config = {},
                   std::size_t keyframes = 1000, std::function<bool(const SessionState&)> report = {})
      : Session({.report = std::move(report), .diagnostics_period = 1e9, .records_history = true}) {
    const std::size_t numbers = 2 * static_cast<std::size_t>(config.dimension);
    const std::size_t number = config.precision == Precision::float32 ? 4 : 8;
    apply(request::SetHistoryBudget{keyframes * bodies * numbers * number});
    load(request::LoadScene{scene, {.bodies = bodies}, config});
  }

  void run_to(std::uint64_t step) {
    while (simulation()->steps() < step) advance(nullptr, false);
  }

  /// The vertices that a frame shows now.
  std::vector<Vertex> vertices() {
    std::vector<Vertex> buffer(simulation()->size());
    last = write_vertices(host_target(buffer));
    return buffer;
  }
  PublishedFrame last;  ///< of vertices()
};

}  // namespace pericenter::test
