#include "app/window/application.h"

#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <iostream>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/base/format.h"
#include "app/base/signals.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/lesson_library.h"
#include "app/overlay/annotations.h"
#include "app/overlay/presenter_overlay.h"
#include "app/panels/panels.h"
#include "app/settings/auto_body_count.h"
#include "app/settings/command_line.h"
#include "app/settings/command_line_error.h"
#include "app/settings/scene_string.h"
#include "app/ui/gui_guard.h"
#include "app/ui/key_names.h"
#include "app/ui/narrator.h"
#include "app/ui/ui_state.h"
#include "app/window/camera_controller.h"
#include "app/window/capture.h"
#include "app/window/cluster_controller.h"
#include "app/window/commands.h"
#include "app/window/comparison_controller.h"
#include "app/window/control_rects.h"
#include "app/window/display_connection.h"
#include "app/window/file_controller.h"
#include "app/window/frame_timing.h"
#include "app/window/imgui_context.h"
#include "app/window/lesson_command_filter.h"
#include "app/window/lesson_controller.h"
#include "app/window/presenter_window.h"
#include "app/window/scene_controller.h"
#include "app/window/settings_dir.h"
#include "app/window/shutdown.h"
#include "app/window/star_buffer.h"
#include "app/window/star_marker.h"
#include "app/window/support_log.h"
#include "app/window/thumbnail_texture.h"
#include "app/window/viewport.h"
#include "app/window/window.h"
#include "render/gl_info.h"
#include "sim/core/device_errors.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {
namespace {

constexpr double kIdlePollSeconds = 0.1;  // interval between checks of the simulation while idle
constexpr double kProgressSeconds = 0.1;  // interval between frames that differ only by progress
constexpr double kProgressPollSeconds = 0.01;
constexpr double kFirstStarsSeconds = 0.2, kStarsPollSeconds = 0.001;
constexpr int kMaxTrailsInSoftware = 300;
constexpr double kHangSeconds = 0.9;
constexpr int kMaxFailedFrames = 3;
constexpr double kEndSeconds = 0.5;  // time limit for the second simulation of a comparison
constexpr std::size_t kMaxBoxes = 500'000, kMaxBoxesInSoftware = 50'000;

/// The window with its main loop.
class Application {
 public:
  Application(const Options& options, Log& log);
  ~Application() { simulation_.recall(); }  // ends it before the buffers that it may write to
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  int run();

 private:
  void run_loop();
  void start_device(const SessionState& state);
  bool waits_for_device(const SessionState& state) const;
  bool cuda_is_ready() const;
  void report_cuda();
  bool take_activity();
  void wait_for_progress();
  void show_problem(const std::string& problem, NoticeSource source);
  void show_startup_notices();
  Config config() const;
  LessonController::Machine lesson_machine();
  void start();
  void await_stars();
  void update(const SessionState& state);
  void follow_scene(const SessionState& state);
  bool fetch_stars(const SessionState& state);
  void report(const SessionState& state);
  void set_style(const Extent& size);
  void draw(const SessionState& state);
  void draw_in_frame(const UiFrame& frame);
  void survive_assertion(const std::string& assertion);
  void annotate(const SessionState& state);
  void apply(const UiFrame& frame);
  void record_frame(const SessionState& state);
  void set_exact_pace();
  void finish_screenshot(const SessionState& state);
  PixelRect view_area() const;
  UiFrame frame_of(const SessionState& state) const;
  bool hangs() const { return hang_.stalled_seconds() > 0; }
  void leave_hanging_run(const SessionState& state);
  void open_presenter();
  void update_presenter();
  bool idle() const { return rest_.idle(window_time()); }

  Options options_;
  Log& log_;
  StopSignals stop_;  // constructed before all threads
  UiState ui_;
  // Constructed before the window, which opens while the bodies are created.
  SimulationThread simulation_;
  SceneController scenes_{options_, simulation_, view_, ui_};
  std::future<CudaStatus> starting_cuda_;
  Window window_;
  render::GlInfo gl_ = render::gl_info();
  GuiContext gui_;
  std::unique_ptr<PresenterWindow> presenter_;  ///< null: none
  render::Texture pictures_;                    ///< texture of ui_.pictures; none before a list shows one
  Viewport view_;
  Capture capture_{view_.renderer()};
  CameraController cameras_{cameras_path(), view_};
  FileController files_{recent_files_path()};
  ClusterController cluster_;
  ControlRects control_rects_;
  CudaStatus cuda_ = options_.awaits_cuda ? CudaStatus{{}, "it is starting"} : cuda_status();
  InteropPlan interop_;
  StarBuffer stars_;
  /// A run whose work does not end, until it does.
  struct LeftRun {
    StarBuffer stars;
    std::unique_ptr<SimulationThread> thread;  // declared after the stars: it ends before the buffers that it may use
  };
  std::list<LeftRun> left_;
  HalfLabelSides label_sides_;
  SupportLog support_;
  StarMarker marker_{view_};
  Comparison comparison_{{simulation_, stars_, view_, interop_.interop, ui_}};
  LessonController lessons_{{scenes_, comparison_, simulation_, view_, ui_}, lesson_machine()};
  FrameLimiter limiter_;
  StallDetector stall_, hang_{kHangSeconds};  ///< work that the user is told of, and that nothing may wait for
  Narrator narrator_{std::cout, options_.describe};
  Describer describer_{std::cout};
  RunningCopy copy_{options_.screenshot.empty() ? settings_dir() : ""};
  Shutdown shutdown_{simulation_, capture_, files_, ui_, options_.screenshot.empty() ? &copy_ : nullptr};
  X11ConnectionGuard display_{[this] { shutdown_.end_without_display(hangs()); }};

  WindowRest rest_;
  double last_input_ = 0;
  bool finished_ = false, gpu_lost_ = false, exact_pace_ = false;
  int failed_frames_ = 0;       ///< consecutive ones that could not be drawn
  int video_frames_ = 0;        ///< frames of a video that are still to show these stars
  bool only_progress_ = false;  ///< changes in the next frame, unless there is input
};

float first_scale(const Options& options, const Window& window) {
  return options.ui_scale > 0 ? std::clamp(options.ui_scale, kMinScale, kMaxScale) : window.suggested_scale();
}

Application::Application(const Options& options, Log& log)
    : options_(options),
      log_(log),
      window_({options.width, options.height},
              {[this](const Command& command) { ui_.commands.push_back(command); },
               [] { return ImGui::GetCurrentContext() && ImGui::GetIO().WantTextInput; },
               [this] { return ui_.widgets.keyboard.on || ui_.widgets.list_open; },
               [this](const std::vector<std::string>& paths) {
                 if (!options_.station) open_files(paths, ui_.files, ui_);
               },
               [this](const std::string& key) { show_key(key, window_time(), ui_); },
               [this](int key) { gui_.press(key); }}),
      gui_(window_.handle()),
      view_(options.shader_dir),
      interop_(plan_interop(options.bridge, cuda_)),
      stars_(view_, interop_.interop),
      support_(log, window_) {
  ui_.support_log = &log;
  render::install_gl_debug(false);
  ui_.layout.scale = ui_.layout.first_scale = first_scale(options, window_);
  ui_.widgets.log = control_rects_.log();
  ui_.view.tree.limit = gl_.software ? kMaxBoxesInSoftware : kMaxBoxes;
  ui_.scene.seed = options.seed;
  if (!options.screenshot.empty()) {
    ui_.output.annotated = options.annotations.value_or(false);
    view_.hold(static_cast<float>(options.width) / static_cast<float>(options.height));
  }
  ui_.presentation.reduced_motion = options.reduced_motion || gui_.reduced_motion();
  cameras_.load(options.camera_path, ui_);
  if (gl_.software) ui_.view.trails.bodies = kMaxTrailsInSoftware;
  set_view(options.view, ui_);
  ui_.captions.narration.on = options.narrator;
  if (!options.given.theme) ui_.view.theme = gui_.theme();
  ui_.layout.side_bar = gui_.side_bar();
  ui_.presentation.projector_size = options.projector_size;
  simulation_.request(pace_request(options, {}));  // that of each scene until the first one has its units
  show_startup_notices();
  if (!options_.awaits_cuda) report_cuda();
}

void Application::show_problem(const std::string& problem, NoticeSource source) {
  if (problem.empty()) return;
  print_message(problem);
  add_notice({problem, false, kUntilDismissed, {}, source}, ui_);
}

void Application::show_startup_notices() {
  if (!view_.shader_problem().empty())
    show_problem("Shader error. The built-in shaders are used; fix the file and press F5.\n" + view_.shader_problem(),
                 NoticeSource::shaders);
  if (!options_.screenshot.empty()) return;
  files_.offer_recovery(take_recovery(recovery_places()), ui_);
}

int Application::run() {
  start();
  try {
    run_loop();
  } catch (const std::exception&) {
    shutdown_.save_bodies();
    throw;
  }
  if (wayland_connection_lost()) shutdown_.end_without_display(hangs());
  window_.hide();  // files may take a while to finish
  const bool comparison_ended = comparison_.end_threads(kEndSeconds);
  return shutdown_.end(
      {.exit_code = stop_.raised() ? stop_.exit_code() : static_cast<int>(kOk),
       .interrupted = stop_.raised(),
       .stalled = hangs(),
       .background_threads = !comparison_ended || !left_.empty() || scenes_.measuring() || starting_cuda_.valid()});
}

void Application::run_loop() {
  while (!window_.closing() && !finished_ && !stop_.raised()) {
    if (idle())
      window_.wait(kIdlePollSeconds);
    else if (only_progress_)
      wait_for_progress();
    else
      window_.poll();
    take_activity();
    const SessionState state = simulation_.state();  // the only copy per frame
    update(state);
    update_presenter();
    if (!idle()) draw(state);
    start_device(state);
    set_exact_pace();
    finish_screenshot(state);
  }
}

void Application::open_presenter() {
  presenter_ = std::make_unique<PresenterWindow>(window_, ui_.layout.used_scale());
  if (presenter_->closing())
    report_error("The window for the presenter view cannot be opened. ? shows the notes in this window.", window_time(),
                 ui_);
  else if (!presenter_->move_to_free_monitor())
    set_notice("There is one monitor only: the presenter view is a window on it.", false, window_time(), ui_);
}

/// While the notes are in a window of their own, the projector does not show them.
void Application::update_presenter() {
  bool& wanted = ui_.presentation.presenter_view;
  if (wanted && !presenter_) open_presenter();
  if (presenter_ && presenter_->closing()) wanted = false;
  if (!wanted) return presenter_.reset();
  ui_.lesson.shows_note = false;
  presenter_->update(ui_.lesson, ui_.layout.used_scale(), ui_.view.theme);
}

/// Whether the stars are shown, unless their colour needs the forces, and only the device is missing.
bool Application::waits_for_device(const SessionState& state) const {
  return state.awaits_device && state.next_bodies == 0 && state.scene_serial == stars_.scene_serial();
}

/// Starts a scene that was requested early once the stars are shown: on the CPU, whose cores the first frame needs
/// alone, or on CUDA when it has started on another thread.
void Application::start_device(const SessionState& state) {
  const bool waits = waits_for_device(state);
  if (!options_.awaits_cuda) {
    if (waits) scenes_.set_device(std::nullopt);
    return;
  }
  if (!starting_cuda_.valid()) {
    if (waits) starting_cuda_ = std::async(std::launch::async, cuda_status);
    return;
  }
  if (!cuda_is_ready()) return;
  cuda_ = starting_cuda_.get();
  interop_ = plan_interop(options_.bridge, cuda_);
  stars_.set_interop(interop_.interop);
  const auto device = cuda_.available() ? std::optional(interop_.device) : std::nullopt;
  set_awaited_device(options_, device);
  report_cuda();
  scenes_.set_device(device);
}

bool Application::cuda_is_ready() const {
  return starting_cuda_.valid() && starting_cuda_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

void Application::report_cuda() {
  support_.add_cuda(interop_.interop.problem);
  show_problem(cpu_instead_of_cuda(options_, cuda_), NoticeSource::ui);
}

bool Application::take_activity() {
  const bool active = window_.take_activity();
  if (active) rest_.note_change(last_input_ = window_time());
  return active;
}

/// Waits for the next frame of the progress, for input, or for other stars.
void Application::wait_for_progress() {
  const double end = window_time() + kProgressSeconds;
  do {
    window_.wait(kProgressPollSeconds);
    const SessionState state = simulation_.state();
    if (!state.busy || state.scene_serial != stars_.scene_serial() || cuda_is_ready()) return;
  } while (window_time() < end && !take_activity() && !window_.closing() && !stop_.raised());
}

/// Loads the lesson or the scene of the command line.
void Application::start() {
  stars_.set_between(options_.screenshot.empty());
  if (options_.station) {
    ui_.presentation.station = true;
    ui_.layout.show_panel = false;
    if (options_.monitor == 0) window_.toggle_full_screen();
  }
  if (options_.monitor != 0 && !window_.fill_monitor(options_.monitor))
    throw CommandLineError(text("--monitor %d: there is no such monitor; there are: ", options_.monitor) +
                           window_.monitors() + ".");
  ui_.presentation.presenter_view = options_.presenter;
  if (options_.lesson.empty()) {
    scenes_.start(config(), gl_.software);
    return await_stars();
  }
  const SessionState state = simulation_.state();
  lessons_.open(find_lesson(options_.lesson, lessons_folder(), lesson_language(options_.language)), frame_of(state));
}

/// Waits a moment for bodies that are created early, so that the first frame shows them.
void Application::await_stars() {
  if (!options_.early_scene) return;
  const double end = window_time() + kFirstStarsSeconds;
  SessionState state = simulation_.state();
  update(state);                     // lends a buffer
  set_style(window_.framebuffer());  // draws the fonts meanwhile
  while (stars_.scene_serial() == 0 && !waits_for_device(state) && window_time() < end && !stop_.raised()) {
    window_.wait(kStarsPollSeconds);
    state = simulation_.state();
    update(state);
  }
}

LessonController::Machine Application::lesson_machine() {
  return {.config = [this] { return config(); },
          .fits =
              [software = gl_.software, file = options_.step_times](const std::string& scene, const Config& wanted) {
                return fitting_bodies(scene, remembered_step(scene, wanted, file), software);
              },
          .load_first = [this] { scenes_.start(config(), gl_.software); },
          .folder = lessons_folder(),
          .left_lessons = options_.station ? std::string() : left_lessons_path(),
          .language = lesson_language(options_.language)};
}

/// The config of the command line, on the GPU that renders if it is usable with CUDA.
Config Application::config() const {
  Config config = options_.config;
  config.device = interop_.device;
  return config;
}

/// Takes over what the simulation has done since the last frame. Each part uses what the parts before it have found:
/// scene, lesson, stars, and then those that only report or look whether another frame is due.
void Application::update(const SessionState& state) {
  // First, because frame_of() shows it.
  stall_.update(std::max(state.step_seconds, state.silent_seconds), state.mean_step_seconds(), window_time());
  hang_.update(state.silent_seconds, state.mean_step_seconds(), window_time());
  leave_hanging_run(state);
  follow_scene(state);
  // The lesson sets up its slide before the stars that show it are fetched.
  if (lessons_.update(frame_of(state), last_input_)) rest_.note_change(window_time());
  for (const StageTimings& step : simulation_.take_timings()) ui_.cost.history.push_back(step);
  while (ui_.cost.history.size() > kHistory) ui_.cost.history.pop_front();
  const bool other_stars = fetch_stars(state);
  report(state);
  const bool works = scenes_.measuring() || files_.busy() || capture_.busy() || ui_.encounter.forecast.running();
  const bool moves =
      cluster_.has_news(ui_) || other_stars || presenter_changes(ui_, window_time()) || view_.drifts(ui_);
  if (state.running || state.busy || works || moves) rest_.note_change(window_time());
  // Software rendering would take the cores from the creation of a scene.
  only_progress_ = gl_.software && state.busy && !works && !moves;
}

/// Another scene does not wait for work that does not end. A GPU may only be slow, so it gets more time; then the scene
/// runs on the CPU.
void Application::leave_hanging_run(const SessionState& state) {
  left_.remove_if([](const LeftRun& left) { return left.thread->end(0); });
  const bool on_gpu = state.config.backend == Backend::cuda;
  const bool leaves = on_gpu ? stall_.stalled_seconds() > 0 : hangs();
  if (!leaves || simulation_.scene_waits_seconds() < kHangSeconds) return;
  comparison_.stop();
  if (on_gpu) {
    record_device_lost("it does not answer");
    cuda_ = cuda_status();
    interop_ = plan_interop(Bridge::staged, cuda_);  // never required
    gpu_lost_ = true;
  }
  LeftRun& left = left_.emplace_back(StarBuffer(view_, interop_.interop), simulation_.leave_work(on_gpu));
  stars_.swap(left.stars);
  show_problem("The last run did not answer, so it was given up. It cannot be undone any more.", NoticeSource::ui);
}

/// Notices a new scene, the first one, and the loss of the GPU.
void Application::follow_scene(const SessionState& state) {
  const bool first = !scenes_.has_started();
  if (scenes_.update(state)) {
    files_.scene_started(state, ui_);
    cluster_.scene_started(state, ui_);
    if (first && !options_.compare.empty()) comparison_.start(comparison_setup(state, options_), frame_of(state));
  }
  if (!state.device_lost.empty() && !gpu_lost_) {
    gpu_lost_ = true;
    cuda_ = {{}, device_lost_reason(state.device_lost)};
  }
}

/// Fetches the stars. A comparison starts or ends before that, and compares A with the new sample of B after it. True
/// if the image changes.
bool Application::fetch_stars(const SessionState& state) {
  comparison_.begin_update(state);
  // A simulation whose frame is not taken waits, so that the video misses none.
  const bool taken = !capture_.waits() && video_frames_ == 0;
  const StarChanges changes = taken ? stars_.update(simulation_, state, ui_) : StarChanges{};
  if (changes.new_time && !comparison_.active()) video_frames_ = changes.video_frames;
  const bool sampled = stars_.sample(state, ui_);
  const bool compared = comparison_.update(state, {.sampled = sampled, .may_step = taken});
  if (comparison_.completed_step()) video_frames_ = comparison_.video_frames();
  if (!ui_.output.recording) video_frames_ = 0;
  if (video_frames_ > 0 && !capture_.waits()) {
    stars_.show_video_frame();
    record_frame(state);
    --video_frames_;
  }
  return changes.any || sampled || compared;
}

/// Tells the log, the notices, the image and the terminal what has happened.
void Application::report(const SessionState& state) {
  copy_.update(simulation_.checkpoint(), window_time());
  if (const std::string problem = copy_.take_problem(); !problem.empty())
    log_.write("notice", "No copy of the run would survive a crash: " + problem);
  support_.update(state, stars_.bridge(), [&] { return scene_string(state, ui_.view, view_.camera()); });
  if (const std::string problem = log_.take_problem(); !problem.empty()) set_persistent_notice(problem, {}, ui_);
  narrator_.update(frame_of(state), ui_);
  if (options_.describe) describer_.update(state, window_time());
}

UiFrame Application::frame_of(const SessionState& state) const {
  return {.simulation = state,
          .reference = comparison_.reference(),
          .now = window_time(),
          .frames_per_second = limiter_.frames_per_second(),
          .device = gl_.renderer,
          .bridge = stars_.bridge().name(),
          .bridge_reason = stars_.bridge().reason(),
          .every = stars_.bridge().every(),
          .cuda_missing = cuda_.missing,
          .gpus = static_cast<int>(cuda_.devices.size()),
          .system_report = support_.system_report(),
          .stalled_seconds = stall_.stalled_seconds(),
          .speed_reached = comparison_.active() ? comparison_.speed_reached() : state.speed_reached,
          .render_timings = view_.timings(),
          .star_decimation = view_.star_decimation()};
}

void Application::draw(const SessionState& state) {
  const Extent size = window_.framebuffer();
  if (size.width < 1 || size.height < 1) return window_.wait(kIdlePollSeconds);
  ui_.presentation.full_screen = window_.full_screen();
  set_style(size);
  UiFrame frame = frame_of(state);
  const std::string scene = scenes_.scene_serial() == 0 ? std::string() : scene_string(state, ui_.view, view_.camera());
  frame.scene_string = scene;
  gui_.begin_frame();
  const std::string failed = draw_guarded([&] { draw_in_frame(frame); });
  if (failed.empty())
    failed_frames_ = 0;
  else
    survive_assertion(failed);
  apply(frame);
  if (failed.empty()) window_.swap();
  if (ui_.pictures.wanted && ui_.pictures.texture == 0) {
    pictures_ = load_thumbnails();
    ui_.pictures.texture = pictures_.name();
  }
  if (stars_.scene_serial() != 0) support_.record_first_stars();
  rest_.note_frame();
  limiter_.wait(window_.refresh_rate());
}

/// An assertion of Dear ImGui has failed, so this frame is not shown. If that goes on, what may be the cause is closed.
void Application::survive_assertion(const std::string& assertion) {
  if (failed_frames_ == 0) show_problem("The user interface could not be drawn: " + assertion, NoticeSource::ui);
  if (++failed_frames_ != kMaxFailedFrames) return;
  ui_.layout.show_panel = ui_.layout.show_keys = ui_.drawer.open = ui_.lessons.open = ui_.files.browser.open = false;
  show_problem(
      "The user interface could not be drawn, so panels and lists were closed. The simulation continues, and Ctrl+S "
      "saves it. Please report the message before this one.",
      NoticeSource::ui);
}

/// Between the begin of a frame and its end.
void Application::draw_in_frame(const UiFrame& frame) {
  const SessionState& state = frame.simulation;
  if (const std::string problem = gui_.take_problem(); !problem.empty()) report_error(problem, window_time(), ui_);
  pericenter::app::update(frame, ui_);
  if (view_.double_clicked(ImGui::GetIO())) ui_.commands.push_back({Action::fit});
  view_.control().update(state, ui_.view.follow);
  const bool waits = ui_.camera.playing_path && capture_.waits();
  if (!waits && view_.move_camera(ImGui::GetIO(), stars_.time(), ui_)) rest_.note_change(window_time());
  ui_.tree.descent.advance(window_time(), ui_.presentation.reduced_motion, ui_.output.video_seconds());
  if (ui_.tree.descent.running()) rest_.note_change(window_time());
  annotate(state);
  if (!ui_.presentation.station) stars_.select_clicked(ImGui::GetIO(), ui_);
  marker_.update(stars_.shown(), state, ui_);
  draw_ui(frame, gui_.fonts(), ui_);
  control_rects_.update();
  view_.set_playing(state.running);
  stars_.draw(ui_, view_area());
  if (view_.settles()) rest_.note_change(window_time());
  if (!state.running && (ui_.camera.playing_path || ui_.tree.descent.running())) record_frame(state);
  if (!options_.reduced_motion) gui_.store_reduced_motion(ui_.presentation.reduced_motion);
  gui_.render(ui_.layout.side_bar);
}

void Application::set_style(const Extent& size) {
  ui_.layout.max_scale = largest_scale(static_cast<float>(size.width) / ImGui::GetIO().DisplayFramebufferScale.x);
  gui_.set_style(ui_.layout.used_scale(), ui_.view.theme,
                 projector_sizes(static_cast<float>(size.height) / ImGui::GetIO().DisplayFramebufferScale.y,
                                 ui_.presentation.projector_size, ui_.layout.used_scale()));
}

/// The part of the window that panel, drawer, timeline and status line leave to the view.
PixelRect Application::view_area() const {
  const Extent size = window_.framebuffer();
  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  const float below = ui_.layout.status_height + ui_.layout.timeline_height + ui_.drawer.height;
  const int left = static_cast<int>(ui_.layout.panel_width * ratio), bottom = static_cast<int>(below * ratio);
  const int right = static_cast<int>(ui_.drawer.width * ratio);
  return {left, bottom, size.width - left - right, size.height - bottom};
}

void Application::annotate(const SessionState& state) {
  const bool presents = is_presenting(ui_);
  const AnnotatedFrame annotated{
      .state = state,
      .view = ui_.view,
      .overlay = overlay_data(ui_),
      .camera = view_.camera(),
      .time = stars_.time(),
      .every = stars_.bridge().every(),
      .clock = presents || !ui_.layout.show_panel,
      .fps = presents || ui_.layout.show_panel ? 0 : limiter_.frames_per_second(),
      .shown = class_view(ui_, window_time()),
      .hidden = ui_.layout.notice_height + ui_.notices.alert.height + ui_.layout.overlay_height,
      .covered = ui_.presentation.card_height,
      .reserves_mark = presents,
      .label_sides = &label_sides_};
  const ImageRect image = image_rect(ui_);
  const ImVec2 legend = draw_annotations(*ImGui::GetBackgroundDrawList(), gui_.fonts(), ui_.layout.used_scale(),
                                         annotated, image.low, image.high);
  ui_.layout.legend_size = {legend.x, legend.y};
}

/// The only place that passes commands and requests of panels and keys to the window and the simulation.
void Application::apply(const UiFrame& frame) {
  const CommandTargets targets{ui_,     &cameras_, &capture_, &cluster_, &comparison_,
                               &files_, &lessons_, &scenes_,  &view_,    &window_};
  for (const Command& command : std::exchange(ui_.commands, {})) apply_routed(command, frame, targets);
  if (hangs() && files_.awaits_bodies()) files_.save_instead(simulation_.checkpoint(), frame.now, ui_);
  std::optional<Snapshot> snapshot = simulation_.take_snapshot();
  cluster_.update(snapshot, frame, ui_);
  files_.update(std::move(snapshot), frame, ui_);
  if (const auto wanted = std::exchange(ui_.comparison.wanted, std::nullopt)) comparison_.start(*wanted, frame);
  ui_.requests.send([&](Request request) {
    comparison_.forward(request, frame.simulation);
    return simulation_.request(std::move(request));
  });
  if (!ImGui::IsAnyMouseDown()) cameras_.store_changes(ui_);  // skips the values of a slider being dragged
  if (stars_.scene_serial() == 0) return;                     // nothing to capture yet
  const PixelRect area = view_area();
  capture_.update(stars_.shot(frame.simulation, ui_), {window_.framebuffer(), {area.width, area.height}}, ui_);
}

void Application::record_frame(const SessionState& state) {
  if (!ui_.output.recording || capture_.waits()) return;
  capture_.add(stars_.shot(state, ui_), ui_);
  rest_.note_change(window_time());
}

/// While a video is recorded, its frames advance by the same time, or by steps_per_frame steps.
void Application::set_exact_pace() {
  const bool exact = ui_.output.recording && !comparison_.active();  // a comparison keeps its own pace
  if (std::exchange(exact_pace_, exact) != exact)
    simulation_.request(request::SetExactPace{exact, ui_.output.recorded_rate});
}

/// --screenshot: saves the image after the requested steps, then ends the program.
void Application::finish_screenshot(const SessionState& state) {
  if (options_.screenshot.empty()) return;
  if (state.message_is_error) throw std::runtime_error(state.message);
  const bool shown = scenes_.has_started() && stars_.scene_serial() == scenes_.scene_serial();
  if (!shown || stars_.sampling() || stars_.steps() < scenes_.first_steps() + options_.steps) return;
  const bool compares = ui_.comparison.phase != ComparisonState::Phase::off;
  if (compares && !(comparison_.reference() && comparison_.completed_step())) return;
  capture_.write(options_.screenshot, stars_.shot(state, ui_), {options_.width, options_.height});
  finished_ = true;
}

}  // namespace

int run_window(const Options& options, Log& log) {
  try {
    if (!options.lesson.empty()) find_lesson(options.lesson, lessons_folder(), lesson_language(options.language));
    Options with_files = options;
    with_files.step_times = step_times_path();
    return Application(with_files, log).run();
  } catch (const LessonError& problem) {
    throw CommandLineError(std::string("--lesson: ") + problem.what(), kDataError);
  } catch (const NoOpenGl& problem) {
    return fail(kUnavailable, problem.what());
  } catch (const NoInterop& problem) {
    return fail(kUnavailable, std::string("--bridge interop: ") + problem.what() + ".");
  }
}

}  // namespace pericenter::app
