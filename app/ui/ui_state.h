#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <glm/glm.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/log.h"
#include "app/base/theme.h"
#include "app/cluster/cluster_state.h"
#include "app/plots/lab_plots.h"
#include "app/plots/plot.h"
#include "app/ui/ablation.h"
#include "app/ui/actions.h"
#include "app/ui/comparison_setup.h"
#include "app/ui/cost_accuracy.h"
#include "app/ui/encounter_design.h"
#include "app/ui/file_browser.h"
#include "app/ui/notices.h"
#include "app/ui/presentation.h"
#include "app/ui/scene_guide.h"
#include "app/ui/setting_search.h"
#include "app/ui/star_selection.h"
#include "app/ui/thumbnails.h"
#include "app/view/camera_control.h"
#include "app/view/output_settings.h"
#include "app/view/tree_levels.h"
#include "app/view/view_settings.h"
#include "render/frame.h"
#include "render/render_timings.h"
#include "render/star_readback.h"
#include "sim/session/simulation_thread.h"

struct ImFont;

namespace pericenter::app {

inline constexpr float kMinScale = 0.75f, kMaxScale = 3;
inline constexpr std::size_t kHistory = 512;  ///< steps in the timing plot

/// Requests of panels and keys to the simulation thread. They wait until the end of the frame; those that were sent are
/// remembered until the simulation has handled them.
class RequestQueue {
 public:
  /// Counts the requests of this queue: 1, 2, …
  using Number = std::uint64_t;

  Number push_back(Request request) {
    waiting_.push_back(std::move(request));
    return sent_ + waiting_.size();
  }

  /// Passes the waiting requests to `send`, which returns the serial of SimulationThread::request().
  template <class Send>
  void send(Send&& send) {
    for (Request& request : std::exchange(waiting_, {})) {
      unhandled_.push_back(send(std::move(request)));
      ++sent_;
    }
  }
  /// `serial`: SessionState::handled_request.
  void acknowledge(std::uint64_t serial) {
    while (!unhandled_.empty() && unhandled_.front() <= serial) unhandled_.pop_front();
  }
  /// The requests that were sent went to a simulation that is no longer shown.
  void acknowledge_all() { unhandled_.clear(); }
  /// Whether the request was applied, refused or superseded. True for 0.
  bool is_handled(Number number) const { return number + unhandled_.size() <= sent_; }

  bool all_handled() const { return unhandled_.empty(); }

  // Access to the requests of this frame.
  auto begin() const { return waiting_.begin(); }
  auto end() const { return waiting_.end(); }
  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }
  const Request& at(std::size_t index) const { return waiting_.at(index); }
  const Request& back() const { return waiting_.back(); }
  void clear() { waiting_.clear(); }

 private:
  std::vector<Request> waiting_;
  std::deque<std::uint64_t> unhandled_;  ///< serials of the sent requests that the simulation has not handled yet
  Number sent_ = 0;                      ///< number of the last request that was sent
};

/// A value that a control edits while the simulation still uses the old one. Requests are applied between two steps, so
/// the session state may be behind the user's value for a step or more. The control shows the user's value until the
/// simulation has handled the last request for it.
template <class T>
class PendingValue {
 public:
  const T& value() const { return value_; }

  /// Once per frame, before the controls are drawn. `live`: the value that the simulation uses.
  void update(const T& live, const RequestQueue& requests) {
    if (requests.is_handled(request_)) value_ = live;
  }
  void edit(const T& value, RequestQueue::Number request) {
    value_ = value;
    request_ = request;
  }

 private:
  T value_ = {};
  RequestQueue::Number request_ = 0;  ///< the last request for this value; 0: none
};

/// Number of bodies and seed of the next scene.
struct SceneDraft {
  std::uint64_t bodies = 0;
  std::uint64_t seed = 1;
  std::string search;  ///< filter of the list of scenes
};

/// What is kept of side bar and drawer between sessions. Sizes are in units of the font size, so that they fit any UI
/// scale.
struct SideBar {
  static constexpr float kMinEms = 20, kDefaultEms = 25, kMaxEms = 200;  // controls need 20
  static constexpr float kMaxShare = 0.5f;                               // largest share of the window

  float ems = kDefaultEms;                        ///< width
  std::map<std::string, bool, std::less<>> open;  ///< sections that the user has opened (true) or closed, by ID
  float drawer_width = 27, drawer_height = 18;    ///< drawer on the right of the image, and below it
  bool simple = true;                             ///< only the most important controls
  bool pauses_at_key_moments = true;              ///< each run pauses once at the key moment of its scene
  bool follows_story = true;                      ///< the camera does so in each new scene
};

/// The drawer with the plots. It is on the right of the image, or below it in a narrow window.
struct Drawer {
  bool open = false;
  float width = 0, height = 0;  ///< pixels that it takes from the image, in the last frame

  std::optional<PlotRange> zoom;  ///< zoomed time axis; nullopt: it ends at the newest sample
  int last_steps = 0;             ///< length of the time axis while it is not zoomed; 0: the whole run
  std::optional<double> cursor;   ///< time at the mouse, in the last frame
  std::optional<double> next_cursor;
  std::map<std::string, bool, std::less<>> logarithmic;  ///< y axes that the user has switched, by ID of the plot
  bool measures_rotation = false;                        ///< the rotation curve was asked for
  /// ID of the only plot that is shown, or "cost" for the card of time and error; empty: all.
  std::string focused = {};

  /// A mouse button held on a plot.
  struct {
    float x = 0;
    bool moved = false;
    PlotRange range;  ///< time axis when it was pressed
  } press;
  /// A click on a zoomed time axis waits: it may be the first of a double click, which only shows the whole run.
  struct Click {
    double time = 0;  ///< time of the run
    double due = 0;   ///< UiFrame::now
  };
  std::optional<Click> click;

  /// The plots, and what they were made from: they are made again only when that changes.
  struct {
    std::shared_ptr<const LabRecord> record, reference;
    std::shared_ptr<const TimelineDetails> details;
    std::uint64_t scene_serial = 0;
    bool forecast = false;
    std::vector<LabPlot> plots;
    PlotRange times;  ///< time axis of all plots
  } made;
};

/// The line above the timeline that says why a result cannot be trusted.
struct HealthAlert {
  std::string dismissed;           ///< words of the reason that the user has dismissed
  std::uint64_t scene_serial = 0;  ///< scene in which it was dismissed
  float height = 0;                ///< pixels of the image that it covers, in the last frame
};

/// Panel, timeline and drawer have the keyboard: Tab enters them, Esc leaves. Meanwhile arrows, Space and Enter are
/// theirs.
struct KeyboardFocus {
  /// A control that Tab reaches.
  struct Stop {
    unsigned id = 0;  ///< ImGuiID
    bool in_panel = false;
  };
  bool on = false;
  bool leaves = false;                        ///< the next frame takes the keyboard from them
  unsigned target = 0;                        ///< control that gets the focus in this frame; 0: it stays
  std::vector<Stop> stops, visited;           ///< stops of the last frame, and of this one
  bool edits = false, edited_before = false;  ///< a control was edited or a list open at the end of the last two frames
  int tab_key = -1;                           ///< key that ImGui had for Tab
};

/// Stars that are highlighted in the image: those of SelectedStars::highlight, which lessons set, or marked by hand.
struct MarkedStars {
  /// Marks these stars in the next frame, and no others; Highlight::What::nothing clears the marks.
  std::optional<Highlight> wanted;
  std::size_t count = 0;  ///< 0: none is marked
  float brush = 28;       ///< radius, in pixels at scale 1
};
inline constexpr float kMinBrush = 4, kMaxBrush = 300;

/// Rectangles of the controls of one frame and the visible tooltip, for tests.
struct ItemLog {
  struct Item {
    std::string id, label;
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    float needed = 0;         ///< width that shows its text in full, if that must be on one line
    std::string window = {};  ///< window that it is in: "Panel", "Status"
  };
  std::vector<Item> items;
  std::string scope;  ///< prefix of the IDs in an open combo box
  std::string tooltip;
  std::string focused;  ///< ID of the control that has the keyboard
};

/// What the panels display in one frame but do not change.
struct UiFrame {
  const SessionState& simulation;
  const SessionState* reference = nullptr;  ///< A of a comparison, while `simulation` is B; null: no comparison
  double now = 0;                           ///< seconds since the program started
  float frames_per_second = 0;
  std::string_view device = {};         ///< GL_RENDERER
  std::string_view bridge = {};         ///< VertexBridge::name()
  std::string_view bridge_reason = {};  ///< VertexBridge::reason()
  std::size_t every = 1;                ///< VertexBridge::every()
  std::string_view cuda_missing = {};   ///< why the CUDA backend is unavailable; empty: it is available
  int gpus = 0;                         ///< that CUDA can use
  std::string_view scene_string = {};   ///< string of the current scene and view
  std::string_view system_report = {};  ///< text that helps support
  double stalled_seconds = 0;           ///< StallDetector::stalled_seconds()
  double speed_reached = 1;             ///< share of SessionState::speed that the machine reaches

  render::RenderTimings render_timings = {};  ///< all 0 until the first measurement
  unsigned star_decimation = 1;               ///< Renderer::star_decimation()
};

/// Sizes and visibility of what surrounds the image. Heights and widths are in pixels, in the last frame.
struct Layout {
  float scale = 1, first_scale = 1;  ///< scale of the user interface: chosen now, and at the start
  float max_scale = kMaxScale;       ///< the largest scale that fits into the window
  float used_scale() const { return std::min(scale, max_scale); }
  bool show_panel = true, show_keys = false;
  SideBar side_bar;
  float panel_width = 0;
  float status_height = 0;
  float timeline_height = 0;  ///< timeline between image and status line
  float overlay_height = 0;   ///< timeline over the image, while the side bar is hidden
  glm::vec2 legend_size{0};   ///< upper right corner of the image that the legend covers
  float notice_height = 0;    ///< part of the image that a notice covers: what is above the status line, or all of it
  ImFont* tooltip_font = nullptr;  ///< font of tooltips for a class; null: that of controls
};

/// Stars that the user has selected.
struct SelectedStars {
  std::optional<render::StarSample> sample;  ///< latest sample of the stars
  std::optional<std::uint32_t> shown;        ///< index of the star whose card is shown
  Ruler ruler;
  TrackedStars tracked;                 ///< last request::TrackStars
  std::optional<std::uint32_t> probed;  ///< index of the probed body
  std::optional<Probe> probe;           ///< result of the probe, once it is available
  Highlight highlight;                  ///< stars that stand out
  MarkedStars marks;
};

/// The tree in the image.
struct ShownTree {
  TreeLevels levels;
  TreeDescent descent;
};

/// Settings of the simulation that a control may have changed a moment ago.
struct EditedSettings {
  PendingValue<bool> running;
  PendingValue<int> steps_per_frame;  ///< counts if `speed` is 0
  PendingValue<double> speed;         ///< scene time per second
  PendingValue<Params> params;
  PendingValue<Config> config;
};

struct TimelineUi {
  PendingValue<double> position;
  PendingValue<double> replay_speed;
  std::optional<double> history_megabytes;  ///< while the slider of the budget is dragged
};

/// Time and error of the steps, measured and compared.
struct CostUi {
  std::deque<StageTimings> history;  ///< newest last, at most kHistory
  Ablation ablation;
  std::optional<std::set<std::string>> swept;  ///< solvers of the next sweep; nullopt: a few suitable ones
  std::optional<CostAxes> held_axes;           ///< axes of the card while its point is dragged
};

struct NoticeUi {
  Notice shown;
  std::vector<Notice> older;        ///< errors and persistent notices that are not dismissed yet, latest last
  std::uint64_t shown_message = 0;  ///< serial of the message of the simulation that is shown; 0: none
  HealthAlert alert;
  bool too_slow = false;  ///< the run is clearly slower than its chosen speed
};

/// Sentences over the image.
struct CaptionUi {
  Narration narration;
  SceneGuide guide;
};

/// State of the controls, whichever panel they are in.
struct WidgetUi {
  KeyboardFocus keyboard;
  bool list_open = false;   ///< a drop-down list was open in the last frame
  bool close_list = false;  ///< closes it in the next one
  /// How long the cursor has been on one control.
  struct {
    unsigned id = 0;
    int frame = -1;
    float seconds = 0;
  } hover;
  /// A number that is being typed into a slider. It counts when typing ends.
  struct {
    unsigned id = 0;
    int frame = -1;  ///< last frame in which the text was edited
    double value = 0;
  } typed;
  SettingSearch search;
  ItemLog* log = nullptr;  ///< null except in tests
};

/// What controls and settings of every feature use.
struct Desk {
  ViewSettings view;
  EditedSettings edited;
  Layout layout;
  ThumbnailAtlas pictures;
  NoticeUi notices;
  WidgetUi widgets;

  RequestQueue requests;
  std::vector<Command> commands;
  Log* support_log = nullptr;  ///< log of --log; null in tests
};

/// What panels and keys change, by feature; a panel receives the parts that it shows, and the desk. They never access
/// the simulation: they append requests and commands, which the application applies once per frame.
struct UiState : Desk {
  SelectedStars stars;
  ShownTree tree;
  CameraState camera;
  OutputState output;
  FilesState files;
  SceneDraft scene;
  EncounterDesign encounter;
  TimelineUi timeline;
  CostUi cost;
  ComparisonState comparison;
  ClusterState cluster;
  LessonState lesson;
  LessonList lessons;
  Presentation presentation;
  CaptionUi captions;
  Drawer drawer;
};

/// Whether the image is shown to a class: in a lesson, or in full screen without the side bar. Clock, captions and
/// legend then have the projector's size.
inline bool is_presenting(const UiState& ui) {
  return ui.lesson.on() || (ui.presentation.full_screen && !ui.layout.show_panel);
}

/// Once per frame, before panels and commands: drafts, timings and messages follow the session state.
void update(const UiFrame& frame, UiState& ui);

}  // namespace pericenter::app
