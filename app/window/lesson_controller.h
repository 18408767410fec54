#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/slide_run.h"
#include "app/settings/options.h"
#include "app/ui/ui_state.h"
#include "app/window/comparison_controller.h"
#include "app/window/scene_controller.h"
#include "app/window/viewport.h"

namespace pericenter::app {

/// Presents a lesson: it loads the scenes of the slides, waits for predictions, runs each slide until its end, and goes
/// back with the recorded history. It hides the side bar; when the lesson is left, the run and the settings of before
/// come back. What panels and overlay show is in UiState::lesson. All calls come from the main thread.
class LessonController {
 public:
  static constexpr double kIdleSeconds = 120;  ///< seconds without input until a station returns to its start
  static constexpr std::size_t kSlower = 3;    ///< a lesson may have this many times the bodies of fitting_bodies()

  /// Parts of the window, which must outlive it.
  struct Window {
    SceneController& scenes;
    Comparison& comparison;
    SimulationThread& simulation;
    Viewport& view;
    UiState& ui;
  };
  struct Machine {
    std::function<Config()> config;  ///< only backend, device and threads are used
    /// Bodies of a scene with this config that run well. Another thread calls it.
    std::function<std::size_t(const std::string& scene, const Config& config)> fits;
    /// Loads the first scene, if a lesson is left that replaced none.
    std::function<void()> load_first;
    std::string folder;         ///< folder with lessons of the user
    std::string language = {};  ///< language of lessons
  };
  LessonController(const Window& window, Machine machine) : window_(window), machine_(std::move(machine)) {}

  /// Starts a lesson, in place of the one that is shown.
  void open(std::shared_ptr<const Lesson> lesson, const UiFrame& frame);
  /// Reads the lessons, for the list that was opened.
  void read_list();
  const std::string& folder() const { return machine_.folder; }

  /// Once per frame, after the scene controller. `last_input`: UiFrame::now of the last key or movement of the mouse.
  /// True while it waits or a slide runs.
  bool update(const UiFrame& frame, double last_input);

  // Commands while a lesson is shown.
  /// The next thing in class: starts the run of a slide with a question, shows its explanation, or goes to the next
  /// slide.
  void next(const UiFrame& frame);
  /// Shows the previous slide as it was left.
  void previous(const UiFrame& frame);
  void choose(std::size_t choice, const UiFrame& frame);
  /// Starts the slide again.
  void repeat(const UiFrame& frame) { enter_again(window_.ui.lesson.slide, frame); }
  void leave(const UiFrame& frame);

 private:
  using Phase = LessonState::Phase;
  using Next = std::function<void(const UiFrame& frame)>;
  using Condition = std::function<bool(const SessionState& state)>;

  /// State restored when the lesson is closed.
  struct Saved {
    std::optional<Options> run;  ///< options that load the run again; nullopt: there was no run
    ViewSettings view;
    render::CameraPose pose;
    CameraState camera;
    SceneDraft scene;
    bool show_panel = true, drawer = false;
    int steps_per_frame = 1;
  };
  /// A slide that was shown.
  struct Visit {
    std::uint64_t run = 0;      ///< key of its run; 0: the slide has not been shown
    double begin = 0, end = 0;  ///< positions on the timeline, at its begin and when it was left
    Params params = {};         ///< parameters before its `set` and its ramp
    ViewSettings view = {};     ///< view when it was left; so is the rest
    render::CameraPose pose = {};
    int steps_per_frame = 1;
    std::optional<std::size_t> predicted = {};
  };
  /// Calls `then` when the simulation has done what was requested, `otherwise` when it reports an error instead.
  struct Waiting {
    Condition done;
    Next then, otherwise;
    std::uint64_t message = 0;  ///< serial of the last message before
    int frames = 0;
  };

  // Start and end of a lesson, in lesson_controller.cpp.
  void take_chosen(const UiFrame& frame);
  void save(const UiFrame& frame);
  void restore(const UiFrame& frame);
  void clear_lesson();
  void measure();
  void take_limits();
  std::string warning() const;
  void return_when_idle(const UiFrame& frame, double last_input);

  // Phases of a slide, in lesson_phases.cpp.
  void ready(const UiFrame& frame);
  void run(const UiFrame& frame);
  void end(const UiFrame& frame);
  void advance(const UiFrame& frame);
  void follow_run(const UiFrame& frame);
  void set_ramp(const UiFrame& frame);
  void wait(const SessionState& state, Condition done, Next then, Next otherwise = {});
  void finish_waiting(const UiFrame& frame);

  // How slides begin, in lesson_slides.cpp.
  void enter(std::size_t slide, const UiFrame& frame);
  void enter_again(std::size_t slide, const UiFrame& frame);
  void show_again(std::size_t slide, const UiFrame& frame);
  void turn_to(std::size_t slide, const UiFrame& frame);
  void note_left(const UiFrame& frame);
  void load(const UiFrame& frame);
  Options options_to_load(const SessionState& state, std::string_view cuda_missing);
  void continue_run(const UiFrame& frame);
  void change_settings(const UiFrame& frame);
  void begin(const UiFrame& frame);
  void compare(const UiFrame& frame);
  void end_comparison(const UiFrame& frame);
  void set_look(const UiFrame& frame);
  void set_look_again(const UiFrame& frame);
  void probe();
  void go_to_run(std::uint64_t run, double position);
  bool is_lost(const Visit& visit, double position, const SessionState& state) const;
  Params params_before_change() const;
  const Slide& slide() const { return window_.ui.lesson.current(); }
  Visit& visit() { return visits_[window_.ui.lesson.slide]; }

  Window window_;
  Machine machine_;
  std::optional<Saved> saved_;  ///< set while a lesson is shown
  std::vector<Visit> visits_;   ///< one per slide
  std::uint64_t run_ = 0;       ///< key of the current run; 0: that of before the lesson
  std::uint64_t last_run_ = 0;
  std::optional<Waiting> waiting_;
  std::future<std::vector<std::size_t>> measured_;
  std::vector<std::size_t> limits_;     ///< bodies, per slide
  std::optional<Encounter> encounter_;  ///< encounter of A, if the slide compares encounters

  bool shows_title_ = false;  ///< true until the first next()
  bool is_last_noted_ = false;
  double seconds_ = 0;  ///< wall-clock seconds that the slide has been running
  double last_now_ = 0, ramp_set_at_ = 0, returned_at_ = 0;
  SlideStart start_;
};

}  // namespace pericenter::app
