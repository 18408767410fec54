#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "sim/core/config.h"
#include "sim/core/scalar.h"
#include "sim/files/scene_source.h"
#include "sim/scenes/registry.h"

namespace pericenter {

/// What is asked of the simulation thread. It applies requests between two steps, in the order they came. One that
/// replaces the bodies or what computes them does not wait for the end of a long step on the CPU, and a scene or a
/// config not for the end of the making of the one before.
namespace request {
struct Play {
  bool running = true;
};
struct SingleStep {};
struct LoadScene {
  std::string name;
  SceneRequest scene;
  std::optional<Config> config = {};  ///< nullopt: what ran before
};                                    ///< starts paused or playing as before
/// Bodies from elsewhere; starts as LoadScene does. A reset loads them again.
struct LoadSource {
  std::shared_ptr<const SceneSource> source;
};
struct Reset {};  ///< the current scene again, same seed, same N
/// Goes to this moment of a recording, in scene units; nothing where bodies are computed.
struct Seek {
  double time = 0;
};
/// Computes on from the bodies that a recording shows now; nothing where bodies are computed already. SetConfig does so
/// too.
struct Simulate {};
/// Sends all that is needed to go on exactly from here.
struct TakeSnapshot {};
struct SetParams {
  Params params;
};
struct SetConfig {
  Config config;
};  ///< goes on from the same bodies; on failure the old one stays
/// Whether the solver is the one that suits the bodies of each scene, or stays what SetConfig, a scene string or a
/// saved run has made it.
struct ChooseSolver {
  bool automatically = true;
};
struct SetStepsPerFrame {
  int steps = 1;
};
/// While `exact`, each picture shows just steps_per_frame more steps than the one before, and the simulation waits
/// until it is fetched; else slow steps are shown one by one and fast ones may be left out.
struct KeepPace {
  bool exact = false;
};
/// While `one`, the buffer that is lent is the one that is drawn otherwise: the simulation waits for it whenever the
/// picture should see the bodies, so that it is lent no longer than filling it takes.
struct ShareBuffer {
  bool one = false;
};
struct ShowTree {
  bool show = false;
  int first_level = 0, last_level = 64;
  std::size_t limit = 200'000;
};
struct ShowScalar {
  Scalar scalar = Scalar::speed;
};
/// Compares the forces on all bodies with direct sums in doubles; Scalar::force_error then shows the result.
struct MeasureForceErrors {};
/// Sends the walk of this body after every step and change; nullopt ends that.
struct ShowProbe {
  std::optional<std::uint32_t> body;
};
/// Goes back to the last good state of this scene, paused, and on from there with these parameters, or with those which
/// it had. The same once more, before a newer one was kept, goes to the one before.
struct GoBack {
  std::optional<Params> params = {};
};
struct Publish {};  ///< fills the lent buffer once more: what was published last has been lost
}  // namespace request
using Request = std::variant<request::Play, request::SingleStep, request::LoadScene, request::LoadSource,
                             request::Reset, request::Seek, request::Simulate, request::TakeSnapshot,
                             request::SetParams, request::SetConfig, request::ChooseSolver, request::SetStepsPerFrame,
                             request::KeepPace, request::ShareBuffer, request::ShowTree, request::ShowScalar,
                             request::MeasureForceErrors, request::ShowProbe, request::GoBack, request::Publish>;

}  // namespace pericenter
