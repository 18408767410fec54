#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/view/view_settings.h"
#include "render/frame.h"
#include "sim/session/pace.h"
#include "sim/session/requests.h"

// How panels, keys and dropped files ask for changes. Each function edits the UI state and appends a request, which the
// application passes to the simulation thread at the end of the frame.

namespace pericenter::app {

inline constexpr double kMinReplaySpeed = 0.1, kMaxReplaySpeed = 10;

struct UiFrame;
struct Desk;
struct FilesState;
struct SelectedStars;
struct ShownTree;
struct UiState;

void set_running(bool running, const UiFrame& frame, Desk& desk);
void set_steps_per_frame(int steps, const UiFrame& frame, Desk& desk);
/// Scene time per second, instead of steps per frame; 0: that of the scene.
void set_speed(double speed, const UiFrame& frame, Desk& desk);
void set_pace(const Pace& pace, const UiFrame& frame, Desk& desk);
/// Faster (1) or slower (-1): a step per frame, or the next of the speeds 1, 2, 5, 10 ...
void change_pace(int way, const UiFrame& frame, Desk& desk);
/// The pace that was asked for last.
Pace wanted_pace(const Desk& desk);
/// Parameters that a simulation cannot use are ignored.
void set_params(const Params& params, const UiFrame& frame, Desk& desk);
void set_config(const Config& config, const UiFrame& frame, Desk& desk);
/// Shows this position of the timeline, clamped to it; in a simulation the nearest whole step.
void set_position(double position, const UiFrame& frame, UiState& ui);
/// Speed of replays, limited to 0.1 to 10.
void set_replay_speed(double speed, const UiFrame& frame, UiState& ui);
void set_tree(const request::ShowTree& wanted, ShownTree& tree, Desk& desk);
/// Applies view settings of the command line or of a scene string. The maximum number of tree cells and the number of
/// hidden trails keep their defaults for this machine.
void set_view(const ViewSettings& view, UiState& ui);
void set_color(render::ColorMode mode, Desk& desk);
/// Probes the force on a body; nullopt ends the probe.
void set_probe(std::optional<std::uint32_t> body, SelectedStars& stars, Desk& desk);

/// Loads row `row` of scenes() with the number of bodies and the seed of ui.scene; no effect when there is no such row.
void load_scene(int row, const UiFrame& frame, UiState& ui);
/// As load_scene(), but the current scene keeps an encounter that was designed in the panel.
void apply_scene(int row, const UiFrame& frame, UiState& ui);
/// The next (1) or the previous (-1) scene of the scene table.
void load_neighbour(int by, const UiFrame& frame, UiState& ui);
/// Loads files; a lesson (.toml) is opened, and the scene string of a text file is pasted. Several files, or one file
/// of a numbered series, are played back; files that Ctrl+S numbered are loaded one at a time.
void open_files(const std::vector<std::string>& paths, FilesState& files, Desk& desk);
/// The panel shows how this file is read; it holds for no other one.
void show_reading(const std::string& path, const ReadOptions& options, FilesState& files);
/// Loads this file alone, even if it belongs to a series.
void open_alone(const std::string& path, FilesState& files, Desk& desk);
/// Plays back the series that this file belongs to.
void play_series(const std::string& path, FilesState& files, Desk& desk);
/// The same of a simulation that still runs: new snapshots are shown as they appear.
void follow_series(const std::string& path, FilesState& files, Desk& desk);

}  // namespace pericenter::app
