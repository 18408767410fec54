#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/core/config.h"
#include "sim/core/vertex_target.h"
#include "sim/files/load.h"
#include "sim/run/star_report.h"
#include "sim/scenes/registry.h"

namespace pericenter {

struct RunCopy;

/// Requests to a Session. SimulationThread applies them between two steps, in the order of arrival. A request that
/// replaces the bodies or the solver ends a long step on the CPU; a new scene or configuration also ends the creation
/// of the previous one.
namespace request {
struct Play {
  bool running = true;
};
/// Takes `count` steps, also while paused.
struct Step {
  std::uint64_t count = 1;
};
/// Creates a scene of the scene table; it starts paused or playing as before.
struct LoadScene {
  std::string name;
  SceneRequest scene;
  std::optional<Config> config = {};  ///< nullopt: the current one, with its automatic choices
  bool chooses_integrator = false;    ///< `config` gets the one that suits the bodies
};
/// The next scenes run on this CUDA device, or on the CPU (nullopt), once it is known. Their bodies are shown before.
struct AwaitDevice {
  std::shared_future<std::optional<int>> device;
};
/// Loads bodies from a file or a series of files; a reset loads them again.
struct LoadSource {
  std::shared_ptr<const SceneSource> source;
};
/// Restarts the current scene with the same seed and number of bodies.
struct Reset {};
/// Shows this position of the timeline (Timeline); at its end a simulation continues to compute.
struct Seek {
  double position = 0;
};
/// Speed of a replay of recorded moments, 0.1 to 10 times the pace of the run.
struct SetReplaySpeed {
  double speed = 1;
};
/// Continues to compute from the recorded moment that is shown. The rest of the run stays on the timeline as a ghost.
struct ContinueFromHere {};
/// Takes back the last change of parameters, reset or change of scene.
struct Undo {};
/// Keeps the run with its history under this key, for RestoreRun. If another scene or run follows at once, Undo does
/// not return to it. Parked runs use at most half of the memory of the history: the oldest ones are dropped,
/// that with the key 0 last (SessionState::parked).
struct ParkRun {
  std::uint64_t key = 0;
};
/// Continues a parked run, which is then no longer parked, in place of the current one. With a position it shows that
/// moment of the timeline instead of the newest step. Ignored if the run was dropped.
struct RestoreRun {
  std::uint64_t key = 0;
  std::optional<double> position = {};
};
/// Drops all parked runs.
struct ForgetRuns {};
/// Host memory for recorded moments, in bytes; 0: none are recorded.
struct SetHistoryBudget {
  std::size_t bytes = 0;
};
/// Reverses the time step and runs until the start of the scene, then pauses.
struct RunBackwards {};
/// Whether force errors are sampled, once per second at most, while the simulation runs.
struct SampleForces {
  bool sample = true;
};
/// Whether the rotation curve is measured, which needs all accelerations.
struct MeasureRotation {
  bool measure = false;
};
/// Continues as a simulation from the bodies that a playback shows; so does SetConfig. Ignored by a simulation.
struct Simulate {};
/// Whether a playback takes new snapshots of its series as they appear. It then shows the newest one, and each newer
/// one unless an earlier time was sought.
struct Follow {
  bool follow = true;
};
/// Copies everything that an exact restart needs.
struct TakeSnapshot {};
/// Copies the run, so that another Session can continue it. Ignored during playback and while a recorded moment is
/// shown.
struct TakeCopy {};
/// Continues a copy of another run, paused. If both have equal settings and a reproducible solver, the bodies stay
/// equal bit by bit.
struct ContinueCopy {
  std::shared_ptr<const RunCopy> run;
  Config config;
  Params params;
};
struct SetParams {
  Params params;
};
/// Continues from the same bodies with another configuration; on failure the old one stays.
struct SetConfig {
  Config config;
};
/// Chooses the solver for the bodies of each scene, or keeps the current one; so the integrator, unless `integrator` is
/// nullopt, and whether few bodies may leave CUDA for it.
struct ChooseSolver {
  bool automatically = true;
  std::optional<bool> integrator = {}, backend = {};
};
/// Steps are counted in frames, however fast the machine.
struct SetStepsPerFrame {
  int steps = 1;
};
/// Steps are due as wall time passes, at this scene time per second. 0: at the speed of each scene, default_speed(),
/// which the next scene gets in any case. Other values that are no speed are ignored.
struct SetSpeed {
  double speed = 0;
};
/// Exact: each frame shows steps_per_frame more steps than the one before, or with SetSpeed the steps of frames of a
/// video (PublishedFrame::video), and the simulation waits until it is fetched. Otherwise slow steps are shown one by
/// one, and fast steps may be skipped.
struct SetExactPace {
  bool exact = false;
  int video_frames_per_second = 60;
};
/// Single: the buffer that is lent is the one that is drawn, so it is lent only while it is being filled.
struct SetSingleBuffer {
  bool single = false;
};
inline constexpr int kAllLevels = 64;  ///< no tree is deeper
struct ShowTree {
  bool show = false;
  int first_level = 0;
  int last_level = 3;  ///< inclusive; kAllLevels: also those that the tree gets later
  std::size_t limit = 200'000;
};
struct ShowScalar {
  Scalar scalar = Scalar::speed;
  /// Name of RunState::fields for Scalar::field, which is read from the file; the first one if the file has none of
  /// this name.
  std::string field = {};
};
/// Compares the forces on all bodies with direct sums in double precision; Scalar::force_error shows the result.
struct MeasureForceErrors {};
/// Measures time and error of the forces of these solvers for several opening angles; SessionState::sweep shows the
/// result.
struct MeasureSweep {
  std::vector<std::string> solvers;
};
/// Sends the tree walk of this body after every step and change; nullopt stops that.
struct ShowProbe {
  std::optional<std::uint32_t> body;
};
/// SessionState::stars follows these bodies, and with `nuclei` the nuclei of the first two galaxies.
struct TrackStars {
  TrackedStars wanted;
};
/// Returns to the rollback target of this scene, paused, with these parameters or those of the checkpoint. A second
/// rollback without a newer checkpoint returns to the one before.
struct Rollback {
  std::optional<Params> params = {};
};
/// Fills the lent buffer again, because its last contents were lost.
struct Publish {};
}  // namespace request
using Request =
    std::variant<request::Play, request::Step, request::LoadScene, request::AwaitDevice, request::LoadSource,
                 request::Reset, request::Seek, request::SetReplaySpeed, request::ContinueFromHere, request::Undo,
                 request::ParkRun, request::RestoreRun, request::ForgetRuns, request::SetHistoryBudget,
                 request::RunBackwards, request::SampleForces, request::MeasureRotation, request::Simulate,
                 request::Follow, request::TakeSnapshot, request::TakeCopy, request::ContinueCopy, request::SetParams,
                 request::SetConfig, request::ChooseSolver, request::SetStepsPerFrame, request::SetSpeed,
                 request::SetExactPace, request::SetSingleBuffer, request::ShowTree, request::ShowScalar,
                 request::MeasureForceErrors, request::MeasureSweep, request::ShowProbe, request::TrackStars,
                 request::Rollback, request::Publish>;

}  // namespace pericenter
