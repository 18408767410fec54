#pragma once

#include <string>
#include <string_view>

#include "app/cli/options.h"
#include "render/camera.h"
#include "sim/session/requests.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

// A scene string is a scene, how it is computed and how it is seen, as words that can be read, mailed and pasted:
//
//   pericenter/1 scene=collision n=20000 seed=7 theta=0.5 color-by=density camera=0,0,0,-1.25,0.52,61
//
// After the version come KEY=VALUE in any order, between blanks and line breaks, with the names of the command line.
// A key that is missing stands for what the scene or the program has by itself. Numbers read back as the same bits.
// Where it is computed (backend, device, threads) is the machine's business and not in it, so that the string of one
// with a GPU works on one without.

/// The string of what these options say. Printable ASCII in one line, without quotation marks.
std::string scene_string(const Options& options);
/// The string of what is seen.
std::string scene_string(const SessionState& state, const ViewSettings& view, const render::Camera& camera);

/// What a scene string says of what is seen; the rest of the options is as it is by itself.
Options options_of(const SessionState& state, const ViewSettings& view, const render::Camera& camera);

/// Sets what the string says, in time linear in its length. Throws CommandLineError, which names the key, its text and
/// what is allowed; the options then stay as they are.
void read_scene_string(std::string_view text, Options& options);

/// What a pasted string asks of a window that runs `now`: the options, with the backend, the threads and, where it says
/// nothing of them, as many bodies as `bodies`. Throws CommandLineError also for what this machine cannot do;
/// `cuda_missing` is why it has no CUDA, empty where it has.
struct PasteTarget {
  const SessionState& now;
  std::uint64_t bodies = 0;
  std::string_view cuda_missing;
};
Options pasted_scene(std::string_view text, const PasteTarget& target);

/// What asks the simulation for such a scene, and whether it runs it.
Request load_request(const Options& pasted);
bool is_loaded(const Options& pasted, const SessionState& state);

}  // namespace pericenter::app
