#include "app/window/application.h"

#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/base/signals.h"
#include "app/cli/command_line_checks.h"
#include "app/cli/scene_string.h"
#include "app/overlay/annotations.h"
#include "app/panels/panels.h"
#include "app/ui/ui_state.h"
#include "app/window/camera_controller.h"
#include "app/window/capture.h"
#include "app/window/control_rects.h"
#include "app/window/crash_recovery.h"
#include "app/window/file_controller.h"
#include "app/window/frame_limiter.h"
#include "app/window/imgui_context.h"
#include "app/window/scene_controller.h"
#include "app/window/shutdown.h"
#include "app/window/stall_detector.h"
#include "app/window/star_buffer.h"
#include "app/window/viewport.h"
#include "app/window/window.h"
#include "app/window/x11_connection_guard.h"
#include "render/gl_info.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {
namespace {

constexpr double kRestAfter = 1;      // seconds without input or news after which pictures are no longer drawn
constexpr double kRestSeconds = 0.1;  // between two looks at the simulation while resting
constexpr int kTrailsInSoftware = 300;
constexpr std::size_t kMaxBoxes = 500'000, kMaxBoxesInSoftware = 50'000;
constexpr const char* kWrongShader = "A shader cannot be used";

/// The window's share of the program: everything that happens between two pictures.
class Application {
 public:
  explicit Application(const Options& options);
  int run();

 private:
  void go_on();
  void offer_help();
  Config config() const;
  void watch(const SessionState& state);
  void take_news(const SessionState& state);
  void draw(const SessionState& state);
  void annotate(const SessionState& state);
  void apply(const UiFrame& frame);
  void apply_to_window(const Command& command);
  Viewport viewport() const;
  Extent picture_size() const;
  void toggle_recording();
  void film(const SessionState& state);
  void finish_screenshot(const SessionState& state);
  UiFrame frame_of(const SessionState& state) const;

  const Options& options_;
  StopSignals stop_;  // before all threads
  UiState ui_;
  Window window_;
  render::GlInfo gl_ = render::gl_info();
  Ui imgui_;
  FrameView view_;
  Capture output_{view_.renderer()};
  CameraController cameras_{cameras_path()};
  FileController desk_{recent_files_path()};
  ControlRects items_;
  CudaStatus cuda_ = cuda_status();
  InteropPlan plan_;
  StarBuffer stars_;
  SimulationThread simulation_;  // after the stars: it must end before the memory that it may be writing to
  SceneController scenes_{options_, simulation_, view_, ui_};
  FramePace pace_;
  StallDetector steps_;
  Shutdown shutdown_{simulation_, output_, desk_, ui_, options_.screenshot.empty()};
  X11ConnectionGuard display_{[this] { shutdown_.end_without_display(steps_.hanging() > 0); }};

  double last_news_ = 0;
  bool finished_ = false;
  bool gpu_lost_ = false;
};

float first_scale(const Options& options, const Window& window) {
  return options.ui_scale > 0 ? std::clamp(options.ui_scale, kMinScale, kMaxScale) : window.suggested_scale();
}

Application::Application(const Options& options)
    : options_(options),
      window_({options.width, options.height},
              {[this](const Command& command) { ui_.commands.push_back(command); },
               [] { return ImGui::GetCurrentContext() && ImGui::GetIO().WantTextInput; },
               [this](const std::vector<std::string>& paths) { open_files(paths, ui_); }}),
      imgui_(window_.handle(), first_scale(options, window_)),
      view_(options.shader_dir),
      plan_(plan_interop(options.bridge, cuda_)),
      stars_(view_, plan_.interop) {
  render::install_gl_debug(false);
  ui_.scale = ui_.first_scale = first_scale(options, window_);
  ui_.log = items_.log();
  ui_.view.tree.limit = gl_.software ? kMaxBoxesInSoftware : kMaxBoxes;
  ui_.scene.seed = options.seed;
  ui_.files.skip_bad = options.skip_bad;
  if (!options.screenshot.empty()) ui_.output.annotated = options.annotations.value_or(false);
  cameras_.begin(options.camera_path, ui_);
  if (gl_.software) ui_.view.trails.bodies = kTrailsInSoftware;
  set_view(options.view, ui_);
  if (!options.given.theme) ui_.view.theme = imgui_.theme();
  simulation_.request(request::SetConfig{config()});
  simulation_.request(request::ChooseSolver{options.automatic_solver});
  simulation_.request(request::SetStepsPerFrame{options.steps_per_frame});
  offer_help();
}

/// What the user should know before the first picture.
void Application::offer_help() {
  std::string shaders = view_.shader_problem();
  if (!shaders.empty())
    shaders = std::string(kWrongShader) + ", so the program's own shaders draw; F5 reads those of the folder again:\n" +
              shaders;
  for (const std::string& problem : {cpu_instead_of_cuda(options_, cuda_), shaders}) {
    if (problem.empty()) continue;
    std::cerr << "pericenter: " << problem << '\n';
    set_lasting_notice(problem, {}, ui_);
  }
  if (!options_.screenshot.empty()) return;
  if (const std::string file = take_recovery(recovery_places()); !file.empty()) desk_.offer(file, ui_);
}

int Application::run() {
  scenes_.start(config(), gl_.software);
  try {
    go_on();
  } catch (const std::exception&) {
    shutdown_.rescue();
    throw;
  }
  window_.hide();  // nobody has to look at it while files are finished
  return shutdown_.end({.exit_code = stop_.raised() ? stop_.exit_code() : static_cast<int>(kOk),
                        .interrupted = stop_.raised(),
                        .hangs = steps_.hanging() > 0,
                        .others_work = scenes_.measuring()});
}

void Application::go_on() {
  while (!window_.closing() && !finished_ && !stop_.raised()) {
    const bool rest = window_time() - last_news_ > kRestAfter;
    if (rest)
      window_.wait(kRestSeconds);
    else
      window_.poll();
    if (window_.take_activity()) last_news_ = window_time();
    const SessionState state = simulation_.state();
    watch(state);
    take_news(state);
    if (window_time() - last_news_ <= kRestAfter) draw(state);
    finish_screenshot(state);
  }
}

/// As the command line asks for it, on the GPU that draws where that one can compute too.
Config Application::config() const {
  Config config = options_.config;
  config.device = plan_.device;
  return config;
}

/// What follows from the simulation's state without anybody asking.
void Application::watch(const SessionState& state) {
  steps_.see(state.step_seconds, state.usual_step_seconds(), window_time());
  if (scenes_.watch(state)) desk_.see(state, ui_);
  if (!state.device_lost.empty() && !gpu_lost_) {
    gpu_lost_ = true;
    cuda_ = {{}, device_lost_reason(state.device_lost)};
  }
  const bool works = scenes_.measuring() || desk_.busy() || ui_.encounter.trial.running();
  if (state.running || state.busy || works) last_news_ = window_time();
}

void Application::take_news(const SessionState& state) {
  for (const StageTimings& step : simulation_.take_timings()) ui_.history.push_back(step);
  while (ui_.history.size() > kHistory) ui_.history.pop_front();
  const StarNews news = stars_.take(simulation_, ui_);
  if (news.moment) film(simulation_.state());
  const bool sampled = stars_.sample(state, ui_);
  if (news.any || sampled) last_news_ = window_time();
}

UiFrame Application::frame_of(const SessionState& state) const {
  return {.simulation = state,
          .now = window_time(),
          .frames_per_second = pace_.frames_per_second(),
          .device = gl_.renderer,
          .bridge = stars_.bridge().name(),
          .bridge_reason = stars_.bridge().reason(),
          .cuda_missing = cuda_.missing,
          .hanging = steps_.hanging(),
          .picture_ms = view_.timings(),
          .star_decimation = view_.star_decimation()};
}

void Application::draw(const SessionState& state) {
  const Extent size = window_.framebuffer();
  if (size.width < 1 || size.height < 1) return window_.wait(kRestSeconds);
  imgui_.set_style(ui_.scale, ui_.view.theme);
  imgui_.begin_frame();
  if (const std::string problem = imgui_.take_problem(); !problem.empty()) tell_error(problem, window_time(), ui_);
  UiFrame frame = frame_of(state);
  const std::string words = scenes_.scene_serial() == 0 ? std::string() : scene_string(state, ui_.view, view_.camera());
  frame.scene_string = words;
  follow(frame, ui_);
  if (view_.handle_mouse(ImGui::GetIO())) ui_.commands.push_back({Action::fit});
  view_.control().see(state, ui_.view.follow);
  if (view_.move_camera(ImGui::GetIO(), stars_.time(), ui_)) last_news_ = window_time();
  annotate(state);
  stars_.probe_clicked(ImGui::GetIO(), ui_);
  draw_ui(frame, imgui_.fonts(), ui_);
  items_.update();
  stars_.draw(ui_, viewport());
  if (!state.running && ui_.camera.playing_path) film(state);
  imgui_.render();
  apply(frame);
  window_.swap();
  pace_.wait(window_.refresh_rate());
}

/// Where the picture is in the window.
Viewport Application::viewport() const {
  const Extent size = window_.framebuffer();
  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  const int left = static_cast<int>(ui_.panel_width * ratio), below = static_cast<int>(ui_.status_height * ratio);
  return {left, below, size.width - left, size.height - below};
}

Extent Application::picture_size() const {
  const Viewport area = viewport();
  return {area.width, area.height};
}

void Application::annotate(const SessionState& state) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Annotated what{.state = state,
                       .view = ui_.view,
                       .overlay = overlay_data(ui_),
                       .camera = view_.camera(),
                       .time = stars_.time(),
                       .clock = !ui_.show_panel,
                       .picture_rate = ui_.show_panel ? 0 : pace_.frames_per_second()};
  draw_annotations(*ImGui::GetBackgroundDrawList(), imgui_.fonts(), ui_.scale, what, {ui_.panel_width, 0},
                   {display.x, display.y - ui_.status_height - ui_.notice_height});
}

/// The one place where what panels and keys asked for reaches the simulation and the window.
void Application::apply(const UiFrame& frame) {
  for (const Command& command : std::exchange(ui_.commands, {})) {
    const bool done = desk_.apply(command, frame, ui_) || scenes_.apply(command, frame) ||
                      output_.apply(command, ui_) || cameras_.apply(command, view_.camera().pose(), ui_) ||
                      apply_command(command, frame, ui_);
    if (!done) apply_to_window(command);
  }
  desk_.update(simulation_.take_snapshot(), frame, ui_);
  for (Request& request : std::exchange(ui_.requests, {})) simulation_.request(std::move(request));
  if (!ImGui::IsAnyMouseDown()) cameras_.keep(ui_);  // not for every step of a slider
  // A picture that was asked for early waits for the first stars.
  if (stars_.scene_serial() != 0)
    output_.save_wanted(stars_.shot(frame.simulation, ui_), {window_.framebuffer(), picture_size()}, ui_);
}

void Application::apply_to_window(const Command& command) {
  switch (command.action) {
    case Action::fit:
      view_.glide_to_fit(view_of(simulation_.state()));
      break;
    case Action::full_screen:
      window_.toggle_full_screen();
      break;
    case Action::toggle_recording:
      toggle_recording();
      break;
    case Action::cancel:
      scenes_.forget_pasted();
      simulation_.cancel();
      break;
    case Action::quit:
      window_.close();
      break;
    case Action::reload_shaders: {
      const std::string problem = view_.reload_shaders();
      withdraw_notices(kWrongShader, ui_);
      if (problem.empty()) {
        set_notice("Shaders read again.", false, window_time(), ui_);
      } else {
        tell_error(std::string(kWrongShader) + ", so those from before draw on; mend it and press F5:\n" + problem,
                   window_time(), ui_);
      }
      break;
    }
    default:
      break;
  }
}

void Application::toggle_recording() {
  if (ui_.output.recording) {
    output_.stop(ui_);
  } else if (scenes_.scene_serial() != 0) {
    output_.start(stars_.shot(simulation_.state(), ui_), picture_size(), ui_);
  }
  simulation_.request(request::KeepPace{ui_.output.recording});
}

/// A frame of the film, if one is being made.
void Application::film(const SessionState& state) {
  if (!ui_.output.recording) return;
  output_.add(stars_.shot(state, ui_), ui_);
  if (!ui_.output.recording) simulation_.request(request::KeepPace{false});
  last_news_ = window_time();
}

/// --screenshot: saves the picture after the steps that were asked for, then ends the program.
void Application::finish_screenshot(const SessionState& state) {
  if (options_.screenshot.empty()) return;
  if (state.message_is_error) throw std::runtime_error(state.message);
  const bool shown = scenes_.scene_serial() != 0 && stars_.scene_serial() == scenes_.scene_serial();
  if (!shown || stars_.sampling() || stars_.steps() < scenes_.first_steps() + options_.steps) return;
  output_.write(options_.screenshot, stars_.shot(state, ui_), {options_.width, options_.height});
  finished_ = true;
}

}  // namespace

int run_window(const Options& options) {
  try {
    return Application(options).run();
  } catch (const NoOpenGl& problem) {
    std::cerr << "pericenter: " << problem.what() << '\n';
  } catch (const NoInterop& problem) {
    std::cerr << "pericenter: --bridge interop: " << problem.what() << ".\n";
  }
  return kUnavailable;
}

}  // namespace pericenter::app
