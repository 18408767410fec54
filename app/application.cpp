#include "app/application.h"

#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "app/autosize.h"
#include "app/files.h"
#include "app/item_file.h"
#include "app/panels/panels.h"
#include "app/picture_view.h"
#include "app/ui.h"
#include "app/ui_state.h"
#include "app/vertex_bridge.h"
#include "app/window.h"
#include "render/gl_info.h"
#include "render/image.h"
#include "sim/simulation_thread.h"

namespace pericenter::app {
namespace {

constexpr double kRestAfter = 1;      // seconds without input or news after which pictures are no longer drawn
constexpr double kRestSeconds = 0.1;  // between two looks at the simulation while resting
constexpr float kRateSmoothing = 0.05f;
constexpr std::size_t kMostBoxes = 200'000, kMostBoxesInSoftware = 20'000;

/// The window's share of the program: everything that happens between two pictures.
class Application {
 public:
  explicit Application(const Options& options);
  int run();

 private:
  Config config() const;
  void start();
  void load_first_scene();
  void begin_scene(const SimulationState& state);
  void watch(const SimulationState& state);
  void take_news();
  void draw(const SimulationState& state);
  void draw_picture();
  void apply(const UiFrame& frame);
  void apply_to_window(Action action);
  void save_picture(const std::string& path, double now);
  void finish_screenshot(const SimulationState& state);
  void pace();
  UiFrame frame_of(const SimulationState& state) const;

  const Options& options_;
  UiState ui_;
  Window window_;
  render::GlInfo gl_ = render::gl_info();
  Ui imgui_;
  PictureView view_;
  ItemFile items_;
  CudaStatus cuda_ = cuda_status();
  InteropPlan plan_;
  VertexBridge bridge_;
  SimulationThread simulation_;  // after the bridge: it must end before the memory that it may be writing to
  std::future<std::size_t> measured_;

  std::uint64_t scene_serial_ = 0;
  std::uint64_t shown_serial_ = 0, shown_steps_ = 0;  // of the buffer that is drawn
  double last_time_ = 0;                              // of the simulation, a frame ago
  double last_news_ = 0, last_frame_ = 0;
  float frames_per_second_ = 0;
  std::string last_message_;  // of the simulation
  bool picture_wanted_ = false;
  bool finished_ = false;
};

float first_scale(const Options& options, const Window& window) {
  return options.ui_scale > 0 ? std::clamp(options.ui_scale, kMinScale, kMaxScale) : window.suggested_scale();
}

Application::Application(const Options& options)
    : options_(options),
      window_({options.width, options.height},
              {[this](const Command& command) { ui_.commands.push_back(command); },
               [] { return ImGui::GetCurrentContext() && ImGui::GetIO().WantTextInput; }}),
      imgui_(window_.handle(), first_scale(options, window_)),
      view_(options.shader_dir),
      plan_(plan_interop(options.bridge, cuda_)),
      bridge_(plan_.interop) {
  render::install_gl_debug(false);
  ui_.scale = ui_.first_scale = first_scale(options, window_);
  ui_.log = items_.log();
  ui_.tree.limit = gl_.software ? kMostBoxesInSoftware : kMostBoxes;
  ui_.scene.seed = options.seed;
  simulation_.request(request::SetConfig{config()});
  simulation_.request(request::SetStepsPerFrame{options.steps_per_frame});
}

int Application::run() {
  start();
  while (!window_.closing() && !finished_) {
    const bool rest = window_time() - last_news_ > kRestAfter;
    if (rest)
      window_.wait(kRestSeconds);
    else
      window_.poll();
    if (window_.take_activity()) last_news_ = window_time();
    const SimulationState state = simulation_.state();
    watch(state);
    take_news();
    if (window_time() - last_news_ <= kRestAfter) draw(state);
    finish_screenshot(state);
  }
  // The simulation ends with the step that it is in, which may be long; nobody has to look at the window meanwhile.
  window_.hide();
  simulation_.cancel();
  return kOk;
}

/// As the command line asks for it, on the GPU that draws where that one can compute too.
Config Application::config() const {
  Config config = options_.config;
  config.device = plan_.device;
  return config;
}

/// The number of bodies is measured while the empty window is already there.
void Application::start() {
  if (options_.bodies) {
    ui_.scene.bodies = *options_.bodies;
    return load_first_scene();
  }
  measured_ = std::async(std::launch::async, fitting_bodies, options_.scene, config(), gl_.software);
}

void Application::load_first_scene() {
  simulation_.request(request::LoadScene{options_.scene, scene_request(options_, ui_.scene.bodies)});
}

void Application::begin_scene(const SimulationState& state) {
  const bool first = scene_serial_ == 0;
  scene_serial_ = state.scene_serial;
  ui_.history.clear();
  ui_.picture.low = 0;
  ui_.picture.high = state.speed_scale;
  last_time_ = state.time;
  view_.fit(static_cast<float>(state.view_radius), state.config.dimension == 2);
  if (!first) return;
  const Params params = with_options(state.params, options_);
  if (params != state.params) simulation_.request(request::SetParams{params});
  if (!options_.screenshot.empty()) {
    for (std::uint64_t k = 0; k < options_.steps; ++k) simulation_.request(request::SingleStep{});
  } else if (!options_.paused) {
    simulation_.request(request::Play{true});
  }
}

/// What follows from the simulation's state without anybody asking.
void Application::watch(const SimulationState& state) {
  if (measured_.valid() && measured_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    ui_.scene.bodies = measured_.get();
    load_first_scene();
  }
  if (state.scene_serial != scene_serial_) begin_scene(state);
  if (state.message != last_message_ && state.message_is_error) std::cerr << "pericenter: " << state.message << '\n';
  last_message_ = state.message;
  const bool flat = state.config.dimension == 2;
  if (flat != view_.flat()) view_.fit(static_cast<float>(state.view_radius), flat);
  const double highlight = state.highlight_time;
  const bool passed = last_time_ < highlight && state.time >= highlight;
  if (ui_.pause_at_highlight && highlight > 0 && passed) set_running(false, frame_of(state), ui_);
  last_time_ = state.time;
  if (state.running || state.busy || measured_.valid()) last_news_ = window_time();
}

void Application::take_news() {
  for (const StageTimings& step : simulation_.take_timings()) ui_.history.push_back(step);
  while (ui_.history.size() > kHistory) ui_.history.pop_front();
  const bool new_boxes = view_.set_boxes(simulation_.take_tree_boxes());
  const auto published = bridge_.exchange(simulation_);
  if (published) {
    shown_steps_ = published->steps;
    shown_serial_ = published->scene_serial;
    view_.refresh();
  }
  if (new_boxes || published) last_news_ = window_time();
}

UiFrame Application::frame_of(const SimulationState& state) const {
  return {.simulation = state,
          .now = window_time(),
          .frames_per_second = frames_per_second_,
          .device = gl_.renderer,
          .bridge = bridge_.name(),
          .bridge_reason = bridge_.reason(),
          .cuda_missing = cuda_.missing};
}

void Application::draw(const SimulationState& state) {
  const Extent size = window_.framebuffer();
  if (size.width < 1 || size.height < 1) return window_.wait(kRestSeconds);
  imgui_.set_scale(ui_.scale);
  imgui_.begin_frame();
  const UiFrame frame = frame_of(state);
  follow(frame, ui_);
  if (view_.handle_mouse(ImGui::GetIO())) ui_.commands.push_back({Action::fit});
  draw_ui(frame, imgui_.fonts(), ui_);
  items_.update();
  draw_picture();
  imgui_.render();
  apply(frame);
  window_.swap();
  pace();
}

void Application::draw_picture() {
  const Extent size = window_.framebuffer();
  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  const int left = static_cast<int>(ui_.panel_width * ratio), below = static_cast<int>(ui_.status_height * ratio);
  const render::Stars stars{bridge_.buffer(), bridge_.count()};
  view_.draw(stars, ui_, {left, below, size.width - left, size.height - below});
}

/// The one place where what panels and keys asked for reaches the simulation and the window.
void Application::apply(const UiFrame& frame) {
  for (const Command& command : std::exchange(ui_.commands, {}))
    if (!apply_command(command, frame, ui_)) apply_to_window(command.action);
  for (Request& request : std::exchange(ui_.requests, {})) simulation_.request(std::move(request));
  if (std::exchange(picture_wanted_, false)) {
    const std::string scene = frame.simulation.scene.empty() ? options_.scene : frame.simulation.scene;
    save_picture(new_picture_path(scene), frame.now);
  }
}

void Application::apply_to_window(Action action) {
  const SimulationState state = simulation_.state();
  switch (action) {
    case Action::fit:
      view_.fit(static_cast<float>(state.view_radius), state.config.dimension == 2);
      break;
    case Action::full_screen:
      window_.toggle_full_screen();
      break;
    case Action::screenshot:
      picture_wanted_ = true;
      break;
    case Action::cancel:
      simulation_.cancel();
      break;
    case Action::quit:
      window_.close();
      break;
    case Action::reload_shaders: {
      const std::string problem = view_.reload_shaders();
      set_notice(problem.empty() ? "Shaders read again." : problem, !problem.empty(), window_time(), ui_);
      break;
    }
    default:
      break;
  }
}

/// --screenshot: saves the picture after the steps that were asked for, then ends the program.
void Application::finish_screenshot(const SimulationState& state) {
  if (options_.screenshot.empty()) return;
  if (state.message_is_error) throw std::runtime_error(state.message);
  if (scene_serial_ == 0 || shown_serial_ != scene_serial_ || shown_steps_ < options_.steps) return;
  const render::Stars stars{bridge_.buffer(), bridge_.count()};
  const render::Image image = view_.renderer().still(view_.picture(stars, ui_), options_.width, options_.height);
  write_file(options_.screenshot, render::encode_png(image));
  finished_ = true;
}

/// Where swap() does not wait for the monitor (software rendering, a hidden window) the loop must not run away.
void Application::pace() {
  const double shortest = 1 / window_.refresh_rate();
  const double elapsed = window_time() - last_frame_;
  // A little less than a full period, so that a swap that does wait is never made to miss its turn.
  if (elapsed < 0.9 * shortest) std::this_thread::sleep_for(std::chrono::duration<double>(shortest - elapsed));
  const double now = window_time(), seconds = now - std::exchange(last_frame_, now);
  if (seconds > kRestAfter) return;
  const float rate = static_cast<float>(1 / seconds);
  frames_per_second_ =
      frames_per_second_ > 0 ? frames_per_second_ + kRateSmoothing * (rate - frames_per_second_) : rate;
}

void Application::save_picture(const std::string& path, double now) {
  const Extent size = window_.framebuffer();
  try {
    write_file(path, render::encode_png(render::read_pixels(0, size.width, size.height)));
    set_notice("Picture saved: " + path, false, now, ui_);
  } catch (const FileError& error) {
    std::cerr << "pericenter: " << error.what() << '\n';
    set_notice(error.what(), true, now, ui_);
  }
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
