#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "app/settings/options.h"
#include "render/camera.h"
#include "sim/session/requests.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

// A scene string describes a scene, its solver and its display, as text that can be read, mailed and pasted:
//
//   pericenter/1 scene=collision n=20000 seed=7 theta=0.5 color-by=density camera=0,0,0,-1.25,0.52,61
//
// After the version come KEY=VALUE in any order, separated by spaces and line breaks; settings_table.h has the keys. A
// missing key is the default of the scene or the program. Numbers read back as the same bits. Backend, device and
// threads are not included, so that a string from a machine with a GPU works on one without.

/// The string of these options: printable ASCII in one line, without quotation marks.
std::string scene_string(const SceneOptions& options);
/// The string of a running scene.
std::string scene_string(const SessionState& state, const ViewSettings& view, const render::Camera& camera);

/// The settings of a running scene that a scene string has; the others are defaults.
SceneOptions options_of(const SessionState& state, const ViewSettings& view, const render::Camera& camera);

/// Sets the values of the string, in time linear in its length. Throws CommandLineError, which names the key, the value
/// and what is allowed; `options` are unchanged in that case.
void read_scene_string(std::string_view text, SceneOptions& options);

/// Checks values that depend on each other: parameters, the solver with its options on any backend, and the orbit.
/// Throws CommandLineError.
void check_values(const SceneOptions& options);

/// The window that a scene string is pasted into. `bodies`: used if the string has no number of bodies.
/// `cuda_missing`: why CUDA is not available; empty if it is. `most`: more bodies than this are reduced to it.
struct PasteTarget {
  const SessionState& now;
  std::uint64_t bodies = 0;
  std::string_view cuda_missing;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};
/// The options of a pasted string, with the backend and threads of the running scene. Throws CommandLineError, also if
/// this machine does not support it.
SceneOptions pasted_scene(std::string_view text, const PasteTarget& target);

/// The request that loads such a scene, and whether it is loaded.
Request load_request(const SceneOptions& pasted);
/// The request for the pace of these options, once the units of the scene are known.
Request pace_request(const SceneOptions& options, const Units& units);
bool is_loaded(const SceneOptions& pasted, const SessionState& state);

}  // namespace pericenter::app
