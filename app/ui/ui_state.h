#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/theme.h"
#include "app/ui/ablation.h"
#include "app/ui/actions.h"
#include "app/ui/encounter_design.h"
#include "app/ui/files_state.h"
#include "app/view/camera_control.h"
#include "app/view/output_settings.h"
#include "app/view/view_settings.h"
#include "render/frame.h"
#include "render/render_timings.h"
#include "render/star_sampler.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

inline constexpr float kMinScale = 0.75f, kMaxScale = 3;
inline constexpr std::size_t kHistory = 512;  ///< steps that the timing plot shows

/// A value that a control edits while the simulation still works with the old one.
///
/// Requests are applied between two steps, so for up to a step the snapshot is behind what the user just set; the
/// control keeps showing the user's value until the simulation had the time to take or to refuse it.
template <class T>
class Draft {
 public:
  const T& value() const { return value_; }

  /// Once a frame, before the controls are drawn.
  void follow(const T& live, const SessionState& state, double now) {
    const bool applied = live == value_ || state.steps >= edited_steps_ + 2 || state.steps < edited_steps_ ||
                         state.scene_serial != edited_serial_ || (state.recorded && !state.busy) ||
                         (state.message_serial != edited_message_ && !state.busy);
    if (now > edited_at_ + kGrace && applied) value_ = live;
  }
  void edit(const T& value, const SessionState& state, double now) {
    value_ = value;
    edited_at_ = now;
    edited_steps_ = state.steps;
    edited_serial_ = state.scene_serial;
    edited_message_ = state.message_serial;
  }

 private:
  static constexpr double kGrace = 0.3;  // seconds: a snapshot may have been taken just before the request arrived
  T value_ = {};
  double edited_at_ = -1;
  std::uint64_t edited_steps_ = 0, edited_serial_ = 0, edited_message_ = 0;
};

/// The number of bodies and the seed that the next scene will be made with.
struct SceneDraft {
  std::uint64_t bodies = 0;
  std::uint64_t seed = 1;
  std::string search;  ///< in the list of scenes
};

/// A sentence for the status line.
struct Notice {
  std::string text;
  bool is_error = false;
  double until = 0;            ///< UiFrame::now at which it goes; an error stays until it is closed
  std::string file = {};       ///< that a button beside it opens; empty: there is none
  bool of_simulation = false;  ///< goes with the simulation's message
};

/// Rectangles of the controls of one frame and the tooltip that was open, for tests.
struct ItemLog {
  struct Item {
    std::string label;
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  };
  std::vector<Item> items;
  std::string tooltip;
};

/// What the panels show and do not change.
struct UiFrame {
  const SessionState& simulation;
  double now = 0;  ///< seconds since the program started
  float frames_per_second = 0;
  std::string_view device = {};         ///< GL_RENDERER
  std::string_view bridge = {};         ///< VertexBridge::name()
  std::string_view bridge_reason = {};  ///< VertexBridge::reason()
  std::string_view cuda_missing = {};   ///< why the CUDA backend cannot be chosen; empty: it can
  std::string_view scene_string = {};   ///< of what is seen
  double hanging = 0;                   ///< StallDetector::hanging(), in seconds

  render::RenderTimings picture_ms = {};  ///< all 0 when not known yet
  unsigned star_decimation = 1;               ///< Renderer::star_decimation()
};

/// What the panels and the keys change. Panels never touch the simulation: they push requests and commands, which the
/// application applies once a frame.
struct UiState {
  ViewSettings view;
  std::optional<render::StarSample> sample;  ///< the newest of the stars
  std::optional<std::uint32_t> probed;       ///< a body
  std::optional<Probe> probe;                ///< its walk, when it has come
  CameraState camera;
  OutputState output;
  FilesState files;
  float scale = 1, first_scale = 1;
  bool show_panel = true, show_keys = false;

  Draft<bool> running;
  Draft<int> steps_per_frame;
  Draft<Params> params;
  Draft<Config> config;
  Draft<double> moment;  ///< of a recording
  SceneDraft scene;
  EncounterDesign encounter;
  std::deque<StageTimings> history;  ///< newest last, at most kHistory
  Ablation ladder;

  Notice notice;                      ///< the newest
  std::vector<Notice> older_notices;  ///< that nobody had closed when another came; newest last
  std::string heard;                  ///< the newest message of the simulation, and its serial
  std::uint64_t heard_serial = 0;

  float panel_ems = 0;    ///< wanted width of the panel in units of the font size; 0 before its first frame
  float panel_width = 0;  ///< pixels that panel and status line took in the last frame
  float status_height = 0;
  float notice_height = 0;  ///< pixels over the status line that a long sentence took, upon the picture

  struct {
    unsigned id = 0;
    int frame = -1;
    float seconds = 0;
  } hover;  ///< how long the cursor has rested on one control

  std::vector<Request> requests;
  std::vector<Command> commands;
  ItemLog* log = nullptr;  ///< null but in tests
};

/// Once a frame, before panels and commands: drafts and ladder follow the snapshot.
void follow(const UiFrame& frame, UiState& ui);

/// Turns a command of a key or a button into requests and changes of `ui`. Returns false for those that need the
/// window: fit, full_screen, screenshot, reload_shaders, cancel, quit, and for those of files.
bool apply_command(const Command& command, const UiFrame& frame, UiState& ui);

// How the panels ask for changes: each edits the draft and pushes the request.
void set_running(bool running, const UiFrame& frame, UiState& ui);
void set_steps_per_frame(int steps, const UiFrame& frame, UiState& ui);
void set_params(const Params& params, const UiFrame& frame, UiState& ui);
void set_config(const Config& config, const UiFrame& frame, UiState& ui);
/// Takes over view settings of a scene string or command line. The limit of tree cells, and the number of hidden
/// trails, stay as they suit the machine.
void set_view(const ViewSettings& view, UiState& ui);
/// Goes to this moment of the recording that is played.
void set_moment(double time, const UiFrame& frame, UiState& ui);
void set_tree(const request::ShowTree& tree, UiState& ui);
void set_color(render::ColorMode mode, UiState& ui);
/// Shows the walk of a body, or of none.
void set_probe(std::optional<std::uint32_t> body, UiState& ui);
/// Asks for row `row` of scenes() with the number of bodies and the seed of ui.scene.
void load_scene(int row, const UiFrame& frame, UiState& ui);
void set_notice(std::string text, bool is_error, double now, UiState& ui);
/// One that stays until it is dismissed; `file`: as Notice::file.
void set_lasting_notice(std::string text, std::string file, UiState& ui);
/// Shows the one before.
void close_notice(UiState& ui);
/// For when something else is asked of the simulation.
void forget_what_simulation_said(UiState& ui);
/// Takes back those whose text begins so.
void withdraw_notices(std::string_view beginning, UiState& ui);
/// An error, in the window and on stderr.
void tell_error(const std::string& text, double now, UiState& ui);

}  // namespace pericenter::app
