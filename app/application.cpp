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

#include "app/annotations.h"
#include "app/autosize.h"
#include "app/camera_file.h"
#include "app/color_range.h"
#include "app/command_line.h"
#include "app/file_desk.h"
#include "app/files.h"
#include "app/format.h"
#include "app/item_file.h"
#include "app/panels/panels.h"
#include "app/picture_text.h"
#include "app/picture_view.h"
#include "app/scene_string.h"
#include "app/stop_signals.h"
#include "app/ui.h"
#include "app/ui_state.h"
#include "app/vertex_bridge.h"
#include "app/window.h"
#include "app/window_output.h"
#include "render/gl_info.h"
#include "render/image.h"
#include "sim/simulation_thread.h"

namespace pericenter::app {
namespace {

constexpr double kRestAfter = 1;      // seconds without input or news after which pictures are no longer drawn
constexpr double kRestSeconds = 0.1;  // between two looks at the simulation while resting
constexpr float kRateSmoothing = 0.05f;
constexpr int kTrailsInSoftware = 300;
constexpr std::size_t kMostBoxes = 500'000, kMostBoxesInSoftware = 50'000;

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
  void begin_pasted(const SimulationState& state);
  void look_at(const Look& look);
  void take_params(const Params& params, const SimulationState& state);
  void watch(const SimulationState& state);
  void take_news(const SimulationState& state);
  void sample_stars(const SimulationState& state, bool are_new);
  void draw(const SimulationState& state);
  void draw_picture();
  void annotate(const SimulationState& state);
  void show_probe(std::optional<Probe> probe);
  void probe_clicked_star();
  void apply(const UiFrame& frame);
  void apply_to_window(const Command& command);
  void apply_to_camera(const Command& command);
  void keep_cameras();
  void copy_scene(const SimulationState& state);
  void paste_scene(const SimulationState& state);
  Viewport viewport() const;
  Shot shot(const SimulationState& state) const;
  void save_pictures(const SimulationState& state);
  void toggle_recording();
  void film(const SimulationState& state);
  void finish_screenshot(const SimulationState& state);
  void pace();
  UiFrame frame_of(const SimulationState& state) const;

  const Options& options_;
  StopSignals stop_;  // before all threads
  UiState ui_;
  Window window_;
  render::GlInfo gl_ = render::gl_info();
  Ui imgui_;
  PictureView view_;
  WindowOutput output_{view_.renderer()};
  CameraStore cameras_{cameras_path()};
  FileDesk desk_{recent_files_path()};
  ItemFile items_;
  CudaStatus cuda_ = cuda_status();
  InteropPlan plan_;
  VertexBridge bridge_;
  SimulationThread simulation_;  // after the bridge: it must end before the memory that it may be writing to
  std::future<std::size_t> measured_;

  std::optional<Options> pasted_;  // until its scene has come
  std::uint64_t scene_serial_ = 0;
  std::uint64_t shown_serial_ = 0, shown_steps_ = 0;  // of the buffer that is drawn
  std::uint64_t first_steps_ = 0;                     // of the first scene, when it came
  double shown_time_ = 0;
  Continuity shown_continuity_;
  std::optional<std::uint32_t> sampled_body_;  // that the newest sample has
  double last_time_ = 0;                       // of the simulation, a frame ago
  double last_news_ = 0, last_frame_ = 0;
  float frames_per_second_ = 0;
  std::string last_message_;  // of the simulation
  int picture_in_ = 0;        // frames until a picture is saved; 0: none is
  bool window_wanted_ = false;
  bool sampling_ = false;  // stars were asked for that have not come
  bool finished_ = false;
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
      bridge_(plan_.interop) {
  render::install_gl_debug(false);
  ui_.scale = ui_.first_scale = first_scale(options, window_);
  ui_.log = items_.log();
  ui_.tree.limit = gl_.software ? kMostBoxesInSoftware : kMostBoxes;
  ui_.scene.seed = options.seed;
  ui_.files.skip_bad = options.skip_bad;
  if (!options.screenshot.empty()) ui_.output.annotated = options.annotations.value_or(false);
  ui_.theme = options.theme.value_or(imgui_.theme());
  if (const std::string problem = cameras_.load(ui_.camera); !problem.empty()) set_notice(problem, true, 0, ui_);
  if (!options.camera_path.empty()) {
    ui_.camera.path = read_camera_path(options.camera_path);
    ui_.camera.playing_path = true;
  }
  if (gl_.software) ui_.trails.bodies = kTrailsInSoftware;
  set_look(options.look, ui_);
  simulation_.request(request::SetConfig{config()});
  simulation_.request(request::SetStepsPerFrame{options.steps_per_frame});
}

int Application::run() {
  start();
  while (!window_.closing() && !finished_ && !stop_.raised()) {
    const bool rest = window_time() - last_news_ > kRestAfter;
    if (rest)
      window_.wait(kRestSeconds);
    else
      window_.poll();
    if (window_.take_activity()) last_news_ = window_time();
    const SimulationState state = simulation_.state();
    watch(state);
    take_news(state);
    if (window_time() - last_news_ <= kRestAfter) draw(state);
    finish_screenshot(state);
  }
  // The simulation ends with the step that it is in, which may be long; nobody has to look at the window meanwhile.
  window_.hide();
  simulation_.cancel();
  if (const std::string words = output_.stop(ui_); !words.empty()) std::cout << words << '\n';
  desk_.finish(simulation_);
  return stop_.raised() ? stop_.exit_code() : static_cast<int>(kOk);
}

/// As the command line asks for it, on the GPU that draws where that one can compute too.
Config Application::config() const {
  Config config = options_.config;
  config.device = plan_.device;
  return config;
}

/// The number of bodies is measured while the empty window is already there.
void Application::start() {
  if (!options_.load.empty()) open_alone(options_.load, ui_);
  if (!options_.play.empty()) play_series(options_.play, ui_);
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
  last_time_ = state.time;
  ui_.camera.follow = {};
  ui_.sample.reset();
  view_.fit(view_of(state));
  desk_.see(state, ui_);
  if (pasted_ && is_loaded(*pasted_, state)) return begin_pasted(state);
  if (!first) return;
  first_steps_ = state.steps;
  Config config = config_with_options(state.config, options_);
  config.device = state.config.device;
  if (config != state.config) simulation_.request(request::SetConfig{config});
  look_at(options_.look);
  take_params(with_options(state.params, options_), state);
  if (!options_.screenshot.empty()) {
    for (std::uint64_t k = 0; k < options_.steps; ++k) simulation_.request(request::SingleStep{});
  } else if (!options_.paused) {
    simulation_.request(request::Play{true});
  }
}

void Application::begin_pasted(const SimulationState& state) {
  const Options pasted = *std::exchange(pasted_, std::nullopt);
  ui_.theme = pasted.theme.value_or(ui_.theme);
  ui_.scene.bodies = pasted.bodies.value_or(ui_.scene.bodies);
  ui_.scene.seed = pasted.seed;
  set_look(pasted.look, ui_);
  look_at(pasted.look);
  set_steps_per_frame(pasted.steps_per_frame, frame_of(state), ui_);
  if (!pasted.load.empty()) simulation_.request(request::SetConfig{pasted.config});
  take_params(with_options(state.suggested, pasted), state);
}

/// From where a look sees a scene that has just been fitted.
void Application::look_at(const Look& look) {
  if (look.camera) view_.camera().set_pose(*look.camera);
  ui_.camera.follow = look.follow;
}

void Application::take_params(const Params& params, const SimulationState& state) {
  if (params != state.params) simulation_.request(request::SetParams{params});
}

/// What follows from the simulation's state without anybody asking.
void Application::watch(const SimulationState& state) {
  if (measured_.valid() && measured_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    ui_.scene.bodies = measured_.get();
    if (!options_.reads_a_file()) load_first_scene();
  }
  if (state.scene_serial != scene_serial_) begin_scene(state);
  const bool is_news = state.message != last_message_ && state.message_is_error;
  if (is_news && scene_serial_ == 0 && options_.reads_a_file()) throw CommandLineError(state.message, kDataError);
  if (is_news) {
    std::cerr << "pericenter: " << state.message << '\n';
    pasted_.reset();
  }
  last_message_ = state.message;
  const bool flat = state.config.dimension == 2;
  if (flat != view_.flat()) view_.fit(view_of(state));
  const double highlight = state.highlight_time;
  const bool passed = last_time_ < highlight && state.time >= highlight;
  if (ui_.pause_at_highlight && highlight > 0 && passed) set_running(false, frame_of(state), ui_);
  last_time_ = state.time;
  const bool works = measured_.valid() || desk_.busy() || ui_.encounter.trial.running();
  if (state.running || state.busy || works) last_news_ = window_time();
}

/// A walk that has come, or nullopt when there is no such body any more.
void Application::show_probe(std::optional<Probe> probe) {
  if (!probe) {
    ui_.probed.reset();
    ui_.probe.reset();
  } else if (ui_.probed == probe->body) {
    view_.set_probe(*probe);
    ui_.probe = std::move(probe);
  }
  last_news_ = window_time();
}

void Application::probe_clicked_star() {
  const render::Stars stars{bridge_.buffer(), bridge_.count()};
  const auto star = view_.clicked_star(ImGui::GetIO(), stars, ui_);
  if (star && (*star || ui_.probed)) set_probe(*star, ui_);
}

void Application::take_news(const SimulationState& state) {
  for (const StageTimings& step : simulation_.take_timings()) ui_.history.push_back(step);
  while (ui_.history.size() > kHistory) ui_.history.pop_front();
  const bool new_boxes = view_.set_boxes(simulation_.take_tree_boxes());
  if (auto probe = simulation_.take_probe()) show_probe(std::move(*probe));
  const auto published = bridge_.exchange(simulation_);
  if (published) {
    const render::Stars stars{bridge_.buffer(), bridge_.count()};
    render::Renderer& renderer = view_.renderer();
    const bool same_scene = shown_serial_ == published->scene_serial;
    if (!ui_.trails.show || !same_scene || shown_continuity_ != published->continuity) renderer.forget_trails();
    const bool other_bodies = shown_continuity_.orders != published->continuity.orders;
    if (same_scene && other_bodies && ui_.camera.follow.what == Follow::What::body) ui_.camera.follow = {};
    if (ui_.trails.show) renderer.record_trails(stars, published->time, ui_.trails);
    const bool new_moment = published->steps != shown_steps_ || published->scene_serial != shown_serial_;
    shown_steps_ = published->steps;
    shown_serial_ = published->scene_serial;
    shown_time_ = published->time;
    shown_continuity_ = published->continuity;
    view_.refresh();
    if (new_moment) film(simulation_.state());
  }
  if (new_boxes || published) last_news_ = window_time();
  sample_stars(state, published.has_value());
}

/// Some of the stars: the ends of the colour map and the camera follow them.
void Application::sample_stars(const SimulationState& state, bool are_new) {
  render::StarSampler& sampler = view_.renderer().sampler();
  const Follow& follow = ui_.camera.follow;
  const std::optional<std::uint32_t> body = follow.what == Follow::What::body ? follow.body : ui_.probed;
  if (are_new || body != sampled_body_) {
    sampled_body_ = body;
    sampler.request({bridge_.buffer(), bridge_.count()}, body, shown_time_);
    sampling_ = true;
  }
  std::optional<render::StarSample> sample = sampler.take();
  if (!sample) return;
  sampling_ = false;
  ui_.sample = std::move(sample);
  view_.control().see(*ui_.sample, ui_.sample->time, follow);
  last_news_ = window_time();
  if (ui_.fixed_range || !render::is_scalar(ui_.picture.color)) return;
  const ScalarScale scale = scale_of(scalar_of(ui_.picture.color), state.units, state.config.dimension);
  fit_range(*ui_.sample, scale, ui_.picture);
}

UiFrame Application::frame_of(const SimulationState& state) const {
  return {.simulation = state,
          .now = window_time(),
          .frames_per_second = frames_per_second_,
          .device = gl_.renderer,
          .bridge = bridge_.name(),
          .bridge_reason = bridge_.reason(),
          .cuda_missing = cuda_.missing,
          .picture_ms = view_.timings()};
}

void Application::draw(const SimulationState& state) {
  const Extent size = window_.framebuffer();
  if (size.width < 1 || size.height < 1) return window_.wait(kRestSeconds);
  imgui_.set_style(ui_.scale, ui_.theme);
  imgui_.begin_frame();
  UiFrame frame = frame_of(state);
  const std::string words = scene_serial_ == 0 ? std::string() : scene_string(state, ui_, view_.camera());
  frame.scene_string = words;
  follow(frame, ui_);
  if (view_.handle_mouse(ImGui::GetIO())) ui_.commands.push_back({Action::fit});
  view_.control().see(state, ui_.camera.follow);
  if (view_.move_camera(ImGui::GetIO(), shown_time_, ui_)) last_news_ = window_time();
  annotate(state);
  probe_clicked_star();
  draw_ui(frame, imgui_.fonts(), ui_);
  items_.update();
  draw_picture();
  if (!state.running && ui_.camera.playing_path) film(state);
  imgui_.render();
  apply(frame);
  window_.swap();
  pace();
}

/// Where the picture is in the window.
Viewport Application::viewport() const {
  const Extent size = window_.framebuffer();
  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  const int left = static_cast<int>(ui_.panel_width * ratio), below = static_cast<int>(ui_.status_height * ratio);
  return {left, below, size.width - left, size.height - below};
}

void Application::draw_picture() {
  view_.draw({bridge_.buffer(), bridge_.count()}, ui_, viewport());
}

void Application::annotate(const SimulationState& state) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Annotated what{.state = state,
                       .ui = ui_,
                       .camera = view_.camera(),
                       .time = shown_time_,
                       .clock = !ui_.show_panel,
                       .picture_rate = ui_.show_panel ? 0 : frames_per_second_};
  draw_annotations(*ImGui::GetBackgroundDrawList(), imgui_.fonts(), ui_.scale, what, {ui_.panel_width, 0},
                   {display.x, display.y - ui_.status_height});
}

/// The one place where what panels and keys asked for reaches the simulation and the window.
void Application::apply(const UiFrame& frame) {
  for (const Command& command : std::exchange(ui_.commands, {}))
    if (!desk_.apply(command, frame, ui_) && !apply_command(command, frame, ui_)) apply_to_window(command);
  desk_.update(simulation_.take_snapshot(), frame, ui_);
  for (Request& request : std::exchange(ui_.requests, {})) simulation_.request(std::move(request));
  if (!ImGui::IsAnyMouseDown()) keep_cameras();  // not for every step of a slider
  save_pictures(frame.simulation);
}

void Application::apply_to_window(const Command& command) {
  const SimulationState state = simulation_.state();
  switch (command.action) {
    case Action::fit:
      view_.glide_to_fit(view_of(state));
      break;
    case Action::full_screen:
      window_.toggle_full_screen();
      break;
    case Action::screenshot:
      picture_in_ = 3;  // two frames tell that the window is going to wait
      set_notice("Saving a picture …", false, window_time(), ui_);
      break;
    case Action::screenshot_with_panel:
      window_wanted_ = true;
      break;
    case Action::toggle_recording:
      toggle_recording();
      break;
    case Action::save_camera:
    case Action::go_to_camera:
    case Action::add_camera_key:
      apply_to_camera(command);
      break;
    case Action::copy_scene:
      copy_scene(state);
      break;
    case Action::paste_scene:
      paste_scene(state);
      break;
    case Action::cancel:
      pasted_.reset();
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

Shot Application::shot(const SimulationState& state) const {
  return {view_.picture({bridge_.buffer(), bridge_.count()}, ui_), state, ui_, shown_time_};
}

void Application::save_pictures(const SimulationState& state) {
  if (shown_serial_ == 0) return;  // a picture that was asked for early waits for the first stars
  if (std::exchange(window_wanted_, false)) output_.save_window(shot(state), window_.framebuffer(), ui_);
  if (picture_in_ == 0 || --picture_in_ > 0) return;
  const Viewport area = viewport();
  output_.save_picture(shot(state), {area.width, area.height}, ui_);
}

void Application::toggle_recording() {
  if (ui_.output.recording) {
    output_.stop(ui_);
  } else if (scene_serial_ != 0) {
    const Viewport area = viewport();
    output_.start(shot(simulation_.state()), {area.width, area.height}, ui_);
  }
  simulation_.request(request::KeepPace{ui_.output.recording});
}

/// A frame of the film, if one is being made.
void Application::film(const SimulationState& state) {
  if (!ui_.output.recording) return;
  output_.add(shot(state), ui_);
  if (!ui_.output.recording) simulation_.request(request::KeepPace{false});
  last_news_ = window_time();
}

void Application::apply_to_camera(const Command& command) {
  CameraState& camera = ui_.camera;
  const render::CameraPose here = view_.camera().pose();
  if (command.action == Action::add_camera_key) return add_camera_key(here, camera);
  std::optional<render::CameraPose>& place = camera.saved.at(static_cast<std::size_t>(command.number));
  if (command.action == Action::go_to_camera && place) {
    camera.go_to = place;
    return;
  }
  const int number = command.number + 1;
  if (command.action == Action::save_camera) place = here;
  set_notice(place ? text("This view is number %d now: Shift %d comes back to it.", number, number)
                   : text("There is no view %d yet: Ctrl %d keeps the present one.", number, number),
             false, window_time(), ui_);
}

void Application::copy_scene(const SimulationState& state) {
  if (scene_serial_ == 0) return;
  const std::string words = scene_string(state, ui_, view_.camera());
  ImGui::SetClipboardText(words.c_str());
  set_notice(text("Scene copied: %zu characters.", words.size()), false, window_time(), ui_);
}

/// What is shown stays until the pasted scene has come.
void Application::paste_scene(const SimulationState& state) {
  const char* words = ImGui::GetClipboardText();
  try {
    pasted_ = pasted_scene(words ? words : "", {state, ui_.scene.bodies, cuda_.missing});
    simulation_.request(load_request(*pasted_));
    set_notice("Scene pasted.", false, window_time(), ui_);
  } catch (const CommandLineError& error) {
    set_notice(std::string("Nothing was pasted: ") + error.what(), true, window_time(), ui_);
  }
}

void Application::keep_cameras() {
  try {
    cameras_.keep(ui_.camera);
  } catch (const FileError& error) {
    std::cerr << "pericenter: " << error.what() << '\n';
    set_notice(error.what() + std::string(" The cameras are forgotten at the end."), true, window_time(), ui_);
  }
}

/// --screenshot: saves the picture after the steps that were asked for, then ends the program.
void Application::finish_screenshot(const SimulationState& state) {
  if (options_.screenshot.empty()) return;
  if (state.message_is_error) throw std::runtime_error(state.message);
  if (scene_serial_ == 0 || shown_serial_ != scene_serial_ || sampling_) return;
  if (shown_steps_ < first_steps_ + options_.steps) return;
  const Shot now = shot(state);
  const render::Image image = still(view_.renderer(), &output_.annotator(), now, options_.width, options_.height);
  write_file(options_.screenshot, render::encode_png(image, picture_texts(state, ui_, now.picture.camera)));
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
