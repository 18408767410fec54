#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/left_lessons.h"
#include "app/lessons/lesson_player.h"
#include "app/ui/ui_state.h"
#include "app/window/comparison_controller.h"
#include "app/window/scene_controller.h"
#include "app/window/viewport.h"

namespace pericenter::app {

/// Parts of the window that a lesson changes. They must outlive it.
struct LessonWindow {
  SceneController& scenes;
  Comparison& comparison;
  SimulationThread& simulation;
  Viewport& view;
  UiState& ui;
};

/// The window as the stage of a lesson: it sends requests, and is ready when the state shows that they were carried
/// out.
class WindowStage : public LessonStage {
 public:
  using Condition = std::function<bool(const SessionState& state)>;

  /// `config`: only backend, device and threads are used. `leave` is called if a scene cannot be loaded.
  WindowStage(const LessonWindow& window, std::function<Config()> config, std::function<void()> leave)
      : window_(window), config_(std::move(config)), leave_(std::move(leave)) {}

  /// Before all other calls in a frame. `frame` is referenced until the next one.
  void use(const UiFrame& frame) { frame_ = &frame; }
  const UiFrame& frame() const { return *frame_; }
  void update();  ///< once per frame
  void open() { run_ = last_run_ = 0; }
  std::uint64_t run() const { return run_; }  ///< key of the current run; 0: that of before the lesson
  /// Is ready when `done`, or when the simulation reports an error: then it calls `failed` if it is not empty.
  void wait(Condition done, std::function<void()> failed = {});
  void stop_waiting() { waiting_.reset(); }
  void limit(std::vector<std::size_t> bodies) { limits_ = std::move(bodies); }  ///< one per slide

  bool ready() const override { return !waiting_; }
  const SessionState& state() const override { return frame_->simulation; }
  bool compares() const override { return window_.comparison.active(); }
  double seconds() const override { return seconds_; }
  void report(const char* key, const std::string& problem) override;
  void load(const Slide& slide) override;
  void set(const SlideSettings& settings, bool live) override;
  void compare(const Slide& slide) override;
  void end_comparison() override;
  void play(const Slide& slide) override;
  void pause() override;
  void hurry(bool on) override;
  void leave_slide() override;
  void ramp(const Ramp& ramp) override;
  void begin(const Slide& slide) override;
  Look look() const override;
  void look_again(const Slide& slide, const Look& look) override;
  Moment moment() const override { return {run_, state().timeline.shown}; }
  bool has(const Moment& moment) const override;
  void go_to(const Moment& moment, bool live) override;

 private:
  struct Waiting {
    Condition done;
    std::function<void()> failed;
    std::uint64_t message = 0;  ///< serial of the last message before
    int frames = 0;
  };

  SceneOptions options_to_load(const Slide& slide);
  void set_look(const Slide& slide);
  void begin_run();

  LessonWindow window_;
  std::function<Config()> config_;
  std::function<void()> leave_;
  const UiFrame* frame_ = nullptr;
  std::uint64_t run_ = 0, last_run_ = 0;
  std::optional<Waiting> waiting_;
  std::vector<std::size_t> limits_;
  std::optional<Encounter> encounter_;  ///< encounter of A, if the slide compares encounters
  double seconds_ = 0, last_now_ = 0, ramp_set_at_ = 0;
  Pace pace_;  ///< while nothing hurries
};

/// Presents a lesson: it opens and leaves it, and leads the class through its slides, which LessonPlayer plays. It
/// hides the side bar; when the lesson is left, the run and the settings of before come back. What panels and overlay
/// show is in UiState::lesson. All calls come from the main thread.
class LessonController {
 public:
  static constexpr double kIdleSeconds = 120;  ///< seconds without input until a station returns to its start
  static constexpr double kBounceSeconds = 0.4, kAskSeconds = 8;
  static constexpr double kEndSeconds = 3;   ///< one press of "next" too many does not load the next scene
  static constexpr std::size_t kSlower = 3;  ///< a lesson may have this many times the bodies of fitting_bodies()

  struct Machine {
    std::function<Config()> config;  ///< only backend, device and threads are used
    /// Bodies of a scene with this config that run well. Another thread calls it.
    std::function<std::size_t(const std::string& scene, const Config& config)> fits;
    /// Loads the first scene, if a lesson is left that replaced none.
    std::function<void()> load_first;
    std::string folder;             ///< folder with lessons of the user
    std::string left_lessons = {};  ///< file of LeftLessons
    std::string language = {};      ///< language of lessons
  };
  LessonController(const LessonWindow& window, Machine machine)
      : window_(window),
        machine_(std::move(machine)),
        left_(machine_.left_lessons),
        stage_(window, machine_.config, [this] { leave(stage_.frame()); }) {}

  /// Starts a lesson, in place of the one that is shown. A slide other than the first is that at which it was left.
  void open(std::shared_ptr<const Lesson> lesson, const UiFrame& frame, std::size_t slide = 0);
  /// Starts to read the lessons, for the list that was opened; it has them when update() finds them.
  void read_list();
  const std::string& folder() const { return machine_.folder; }

  /// Once per frame, after the scene controller. `last_input`: UiFrame::now of the last key or movement of the mouse.
  /// True while it waits or a slide runs.
  bool update(const UiFrame& frame, double last_input);

  // Commands while a lesson is shown.
  /// The next thing in class: starts the run of a slide with a question, continues a run to its end, shows the
  /// explanation, or goes to the next slide. After the last one a lesson is left, and a station starts again. A press
  /// that follows another one within kBounceSeconds is one of a clicker that bounces.
  void next(const UiFrame& frame);
  /// Shows the previous slide as it was left.
  void previous(const UiFrame& frame);
  void choose(std::size_t choice, const UiFrame& frame);
  /// Starts the slide again.
  void repeat(const UiFrame& frame);
  void leave(const UiFrame& frame);
  /// Whether next() has left a lesson in the last kEndSeconds.
  bool has_just_ended(const UiFrame& frame) const { return frame.now < turned_at_ + kEndSeconds; }
  /// Leaves at the second call within some seconds: Esc is also a button of clickers.
  void leave_when_asked_twice(const UiFrame& frame);

 private:
  /// State restored when the lesson is closed.
  struct Saved {
    std::optional<SceneOptions> run;  ///< options that load the run again; nullopt: there was no run
    Look look;
    CameraState camera;
    SceneDraft scene;
    bool show_panel = true, drawer = false;
  };

  bool take_list();
  void take_chosen(const UiFrame& frame);
  void save(const UiFrame& frame);
  void restore();
  void close();
  bool bounces(const UiFrame& frame);
  void note_slide();
  std::string warning(const std::vector<std::size_t>& limits) const;
  void return_when_idle(const UiFrame& frame, double last_input);

  LessonWindow window_;
  Machine machine_;
  LeftLessons left_;
  std::string latest_;  ///< name of the last lesson that was opened
  WindowStage stage_;
  LessonPlayer player_{stage_, window_.ui.lesson};
  std::optional<Saved> saved_;  ///< set while a lesson is shown
  std::future<std::vector<std::size_t>> measured_;
  std::future<std::vector<LessonEntry>> reading_;
  bool is_last_noted_ = false;
  double returned_at_ = 0;
  double asked_at_ = -kAskSeconds;   ///< time at which leave_when_asked_twice() was called first
  double turned_at_ = -kEndSeconds;  ///< time of the last next() or previous()
};

}  // namespace pericenter::app
