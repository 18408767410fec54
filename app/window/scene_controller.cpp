#include "app/window/scene_controller.h"

#include <imgui.h>

#include <chrono>
#include <utility>

#include "app/base/format.h"
#include "app/settings/command_line_error.h"
#include "app/settings/scene_string.h"
#include "app/ui/send_requests.h"
#include "app/view/camera_control.h"
#include "app/window/window.h"
#include "sim/playback/series.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

/// The number of bodies for later scenes: the number of a scene that has no other is not meant for them.
std::uint64_t bodies_after(const std::string& scene, std::uint64_t bodies, std::uint64_t before) {
  const SceneInfo* const info = find_scene(scene);
  if (!info || info->fixed_bodies == 0) return bodies;
  return before != 0 ? before : kDefaultBodies;
}

/// The part of a frame that requests need.
UiFrame frame_of(const SessionState& state) {
  return {.simulation = state, .now = window_time()};
}

}  // namespace

SceneController::SceneController(const Options& options, SimulationThread& simulation, Viewport& view, UiState& ui)
    : options_(options), simulation_(simulation), view_(view), ui_(ui) {
  if (options.early_scene) start_early();
}

void SceneController::start_early() {
  started_early_ = true;
  request_settings(options_.config);
  awaiting_.emplace();
  simulation_.request(request::AwaitDevice{awaiting_->promise.get_future().share()});
  if (options_.bodies) {
    load_first(*options_.bodies);
  } else if (options_.awaits_cuda) {
    awaiting_->guessed = most_fitting_bodies(options_.scene);
    load_first(awaiting_->guessed);
  } else {
    measure([this] {
      // The window does not know yet what renders. poll_measurement() corrects the number for a GPU.
      const StepSample sample = remembered_step(options_.scene, options_.config, options_.step_times);
      const std::size_t bodies = fitting_bodies(options_.scene, sample, true);
      request_first(bodies);
      return Measurement{sample, bodies};
    });
  }
}

void SceneController::request_settings(const Config& config) {
  awaits_first_ = true;
  simulation_.request(request::SetConfig{config});  // a lesson may have left another
  simulation_.request(request::ChooseSolver{options_.automatic_solver, !options_.given.integrator, !options_.backend});
}

void SceneController::start(const Config& config, bool software_rendering) {
  software_rendering_ = software_rendering;
  if (std::exchange(started_early_, false)) return;
  request_settings(config);
  show_reading(options_.input(), options_.read, ui_.files);
  if (!options_.load.empty()) open_alone(options_.load, ui_.files, ui_);
  if (options_.follow)
    follow_series(options_.play, ui_.files, ui_);
  else if (!options_.play.empty())
    options_.files.size() > 1 ? open_files(options_.files, ui_.files, ui_) : play_series(options_.play, ui_.files, ui_);
  if (options_.bodies)
    load_first(*options_.bodies);
  else
    measure([this, config] { return Measurement{remembered_step(options_.scene, config, options_.step_times)}; });
}

void SceneController::set_device(std::optional<int> device) {
  if (!awaiting_) return;
  awaiting_->device = device;
  if (awaiting_->guessed == 0) return end_wait();
  measure([this, config = options_.config, bodies = awaiting_->guessed] {
    return Measurement{remembered_step(options_.scene, config, options_.step_times), bodies};
  });
}

void SceneController::end_wait() {
  awaiting_->promise.set_value(awaiting_->device);
  awaiting_.reset();
}

void SceneController::measure(std::function<Measurement()> measurement) {
  measurement_ = std::async(std::launch::async, std::move(measurement));
}

/// Loads the first scene once the number of bodies is known, unless it is requested with that number.
void SceneController::poll_measurement() {
  const bool knows_renderer = !started_early_;
  if (!knows_renderer || !measuring() || measurement_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return;
  const auto [sample, requested] = measurement_.get();
  const std::size_t bodies = fitting_bodies(options_.scene, sample, software_rendering_);
  if (options_.reads_a_file() || bodies == requested)
    ui_.scene.bodies = bodies_after(options_.scene, bodies, ui_.scene.bodies);
  else
    load_first(bodies);
  if (awaiting_ && awaiting_->guessed != 0) end_wait();
}

void SceneController::load_first(std::size_t bodies) {
  ui_.scene.bodies = bodies_after(options_.scene, bodies, ui_.scene.bodies);
  request_first(bodies);
}

void SceneController::request_first(std::size_t bodies) {
  simulation_.request(request::LoadScene{options_.scene, scene_request(options_, bodies)});
}

bool SceneController::update(const SessionState& state) {
  poll_measurement();
  if (state.scene_serial != serial_) show_scene(state);
  const bool started = state.scene_serial != started_serial_ && !state.computing_forces;
  if (started) start_scene(state);
  report_message(state);
  if (view_.flat() != (state.config.dimension == 2)) view_.fit(view_of(state));
  pause_at_highlight(state);
  return started;
}

/// Takes the camera to a scene that appears, maybe before it starts, or back to the one before it.
void SceneController::show_scene(const SessionState& state) {
  const PreviousCamera left = std::exchange(left_, {serial_, view_.camera().pose(), ui_.view.follow});
  serial_ = state.scene_serial;
  last_time_ = state.time;
  ui_.cost.history.clear();
  const bool stays = ui_.lesson.on() || !ui_.layout.side_bar.follows_story;
  if (ui_.view.follow.what != Follow::What::path)
    ui_.view.follow = {.what = stays ? Follow::What::nothing : Follow::What::story};
  ui_.camera.scene_path = scene_path(state);
  const std::string before = std::exchange(scene_, state.file.empty() ? state.scene : std::string());
  const render::ColorMode color = color_of_scene(scene_, before, ui_.view.image.color);
  if (!awaits_first_ && !ui_.lesson.on()) {
    if (color != ui_.view.image.color) set_color(color, ui_);
    ui_.view.trails.show = trails_of_scene(scene_, before, ui_.view.trails.show);
  }
  ui_.stars.sample.reset();
  if (std::exchange(ui_.captions.guide.at_key_moment, false) && !ui_.lesson.on())
    set_running(true, frame_of(state), ui_);
  view_.fit(ui_.view.follow.what == Follow::What::story ? story_view_of(state) : view_of(state));
  if (serial_ == left.scene_serial) {
    view_.camera().set_pose(left.pose);
    ui_.view.follow = left.follow;
  } else if (pasted_ && is_loaded(pasted_->options, state)) {
    set_camera(pasted_->options);
  } else if (awaits_first_) {
    set_camera(options_);
  }
}

void SceneController::start_scene(const SessionState& state) {
  started_serial_ = state.scene_serial;
  const bool is_asked = awaits_first_ && options_.view.pause_at_highlight;
  ui_.view.pause_at_highlight = is_asked || (ui_.layout.side_bar.pauses_at_key_moments && designed_scene(state));
  if (pasted_ && is_loaded(pasted_->options, state)) return start_pasted(state);
  if (std::exchange(awaits_first_, false)) start_first(state);
}

void SceneController::start_first(const SessionState& state) {
  first_steps_ = state.steps;
  Config config = config_with_options(state.config, options_);
  config.device = state.config.device;
  if (config != state.config) simulation_.request(request::SetConfig{config});
  if (options_.automatic_solver && options_.given.solver) simulation_.request(request::ChooseSolver{});
  request_params(with_options(state.params, options_), state);
  if (options_.pace) simulation_.request(pace_request(options_, state.units));
  if (!options_.screenshot.empty() && options_.compare.empty()) {
    simulation_.request(request::Step{options_.steps});
  } else if (!options_.paused) {
    simulation_.request(request::Play{true});
  }
}

void SceneController::start_pasted(const SessionState& state) {
  awaits_first_ = false;
  const auto [pasted, keeps_draft] = *std::exchange(pasted_, std::nullopt);
  if (!keeps_draft && pasted.bodies) ui_.scene.bodies = bodies_after(pasted.scene, *pasted.bodies, ui_.scene.bodies);
  if (!keeps_draft) ui_.scene.seed = pasted.seed;
  set_view(pasted.view, ui_);
  if (pasted.steps_per_frame)
    set_steps_per_frame(*pasted.steps_per_frame, frame_of(state), ui_);
  else
    set_speed(pasted.pace.value_or(0) / time_unit(state.units).scene_time, frame_of(state), ui_);
  if (!pasted.load.empty()) {
    Config config = pasted.config;
    if (!pasted.given.integrator) config.integrator = state.config.integrator;
    if (has_internal_steps(config)) config.backend = Backend::cpu;
    simulation_.request(request::SetConfig{config});
  }
  request_params(with_options(state.suggested, pasted), state);
}

/// An error means that a pasted scene will not be loaded; it ends the program if a file was given on the command line.
void SceneController::report_message(const SessionState& state) {
  const bool is_new_error = state.message_serial != last_message_ && state.message_is_error;
  if (is_new_error && serial_ == 0 && options_.reads_a_file()) throw CommandLineError(state.message, kDataError);
  if (is_new_error) {
    print_message(state.message);
    pasted_.reset();
  }
  last_message_ = state.message_serial;
}

/// Each run pauses once when it first reaches the key moment of its scene. The checkbox "Pause at" shows whether it
/// will.
void SceneController::pause_at_highlight(const SessionState& state) {
  const double highlight = state.highlight_time, before = std::exchange(last_time_, state.time);
  const bool backwards = state.params.dt < 0;
  const bool passed =
      backwards ? before > highlight && state.time <= highlight : before < highlight && state.time >= highlight;
  if (!passed || highlight <= 0 || !std::exchange(ui_.view.pause_at_highlight, false)) return;
  if (!state.running || ui_.lesson.on() || ui_.presentation.station || ui_.output.recording) return;
  set_running(false, frame_of(state), ui_);
  ui_.captions.guide.at_key_moment = true;
}

/// Call it after the camera was fitted to the scene.
void SceneController::set_camera(const SceneOptions& options) {
  if (options.camera) view_.camera().set_pose(*options.camera);
  ui_.view.follow = options.view.follow;
}

void SceneController::request_params(const Params& params, const SessionState& state) {
  if (params != state.params) simulation_.request(request::SetParams{params});
}

void SceneController::cancel() {
  pasted_.reset();
  simulation_.cancel();
}

void SceneController::copy(const SessionState& state) {
  if (serial_ == 0) return;
  const std::string copied = scene_string(state, ui_.view, view_.camera());
  ImGui::SetClipboardText(copied.c_str());
  set_notice(text("Scene string copied (%zu characters).", copied.size()), false, window_time(), ui_);
}

void SceneController::load(const SceneOptions& options, bool keeps_draft) {
  pasted_ = PendingScene{options, keeps_draft};
  ui_.requests.push_back(load_request(options));
  remove_notices(NoticeSource::simulation, ui_);
}

void SceneController::paste(const UiFrame& frame) {
  const char* clipboard = ui_.files.scene_string.empty() ? ImGui::GetClipboardText() : nullptr;
  const std::string pasted = clipboard ? clipboard : std::exchange(ui_.files.scene_string, {});
  remove_notices(NoticeSource::scene_string, ui_);
  try {
    load(pasted_scene(pasted, {frame.simulation, ui_.scene.bodies, frame.cuda_missing}), false);
    set_notice("Scene string pasted.", false, window_time(), ui_);
  } catch (const CommandLineError& error) {
    const std::string text = std::string("Cannot paste the scene string: ") + error.what();
    add_notice({text, true, window_time(), {}, NoticeSource::scene_string}, ui_);
  }
}

}  // namespace pericenter::app
