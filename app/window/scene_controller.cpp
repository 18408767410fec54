#include "app/window/scene_controller.h"

#include <imgui.h>

#include <chrono>
#include <iostream>
#include <string>
#include <utility>

#include "app/base/format.h"
#include "app/cli/auto_body_count.h"
#include "app/cli/command_line.h"
#include "app/cli/scene_string.h"
#include "app/window/file_controller.h"
#include "app/window/window.h"

namespace pericenter::app {
namespace {

/// As much of a frame as those who ask the simulation for something need.
UiFrame frame_of(const SessionState& state) {
  return {.simulation = state, .now = window_time()};
}

}  // namespace

void SceneController::start(const Config& config, bool software_rendering) {
  if (!options_.load.empty()) open_alone(options_.load, ui_);
  if (!options_.play.empty()) play_series(options_.play, ui_);
  if (options_.bodies) {
    ui_.scene.bodies = *options_.bodies;
    return load_first();
  }
  measured_ = std::async(std::launch::async, fitting_bodies, options_.scene, config, software_rendering);
}

/// Asks for the first scene when it is known how many bodies suit.
void SceneController::take_measured() {
  if (!measured_.valid() || measured_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  ui_.scene.bodies = measured_.get();
  if (!options_.reads_a_file()) load_first();
}

void SceneController::load_first() {
  simulation_.request(request::LoadScene{options_.scene, scene_request(options_, ui_.scene.bodies)});
}

bool SceneController::watch(const SessionState& state) {
  take_measured();
  const bool begins = state.scene_serial != serial_;
  if (begins) begin(state);
  see_message(state);
  if (view_.flat() != (state.config.dimension == 2)) view_.fit(view_of(state));
  pause_at_highlight(state);
  return begins;
}

void SceneController::begin(const SessionState& state) {
  const bool first = serial_ == 0;
  serial_ = state.scene_serial;
  last_time_ = state.time;
  ui_.history.clear();
  ui_.view.follow = {};
  ui_.sample.reset();
  view_.fit(view_of(state));
  if (pasted_ && is_loaded(*pasted_, state)) return begin_pasted(state);
  if (first) begin_first(state);
}

void SceneController::begin_first(const SessionState& state) {
  first_steps_ = state.steps;
  Config config = config_with_options(state.config, options_);
  config.device = state.config.device;
  if (config != state.config) simulation_.request(request::SetConfig{config});
  if (options_.automatic_solver && options_.given.solver) simulation_.request(request::ChooseSolver{});
  look_at(options_);
  take_params(with_options(state.params, options_), state);
  if (!options_.screenshot.empty()) {
    for (std::uint64_t k = 0; k < options_.steps; ++k) simulation_.request(request::SingleStep{});
  } else if (!options_.paused) {
    simulation_.request(request::Play{true});
  }
}

void SceneController::begin_pasted(const SessionState& state) {
  const Options pasted = *std::exchange(pasted_, std::nullopt);
  ui_.scene.bodies = pasted.bodies.value_or(ui_.scene.bodies);
  ui_.scene.seed = pasted.seed;
  set_view(pasted.view, ui_);
  look_at(pasted);
  set_steps_per_frame(pasted.steps_per_frame, frame_of(state), ui_);
  if (!pasted.load.empty()) simulation_.request(request::SetConfig{pasted.config});
  take_params(with_options(state.suggested, pasted), state);
}

/// An error ends the wait for what was pasted, and the program where its file was asked for.
void SceneController::see_message(const SessionState& state) {
  const bool is_news = state.message_serial != last_message_ && state.message_is_error;
  if (is_news && serial_ == 0 && options_.reads_a_file()) throw CommandLineError(state.message, kDataError);
  if (is_news) {
    std::cerr << "pericenter: " << state.message << '\n';
    pasted_.reset();
  }
  last_message_ = state.message_serial;
}

void SceneController::pause_at_highlight(const SessionState& state) {
  const double highlight = state.highlight_time, before = std::exchange(last_time_, state.time);
  const bool passed = before < highlight && state.time >= highlight;
  if (ui_.view.pause_at_highlight && highlight > 0 && passed) set_running(false, frame_of(state), ui_);
}

/// From where a look sees a scene that has just been fitted.
void SceneController::look_at(const Options& options) {
  if (options.camera) view_.camera().set_pose(*options.camera);
  ui_.view.follow = options.view.follow;
}

void SceneController::take_params(const Params& params, const SessionState& state) {
  if (params != state.params) simulation_.request(request::SetParams{params});
}

bool SceneController::apply(const Command& command, const UiFrame& frame) {
  switch (command.action) {
    case Action::copy_scene:
      copy(frame.simulation);
      return true;
    case Action::paste_scene:
      paste(frame);
      return true;
    default:
      return false;
  }
}

void SceneController::copy(const SessionState& state) {
  if (serial_ == 0) return;
  const std::string words = scene_string(state, ui_.view, view_.camera());
  ImGui::SetClipboardText(words.c_str());
  set_notice(text("Scene copied: %zu characters.", words.size()), false, window_time(), ui_);
}

/// What is shown stays until the pasted scene has come.
void SceneController::paste(const UiFrame& frame) {
  const char* words = ImGui::GetClipboardText();
  try {
    pasted_ = pasted_scene(words ? words : "", {frame.simulation, ui_.scene.bodies, frame.cuda_missing});
    simulation_.request(load_request(*pasted_));
    set_notice("Scene pasted.", false, window_time(), ui_);
  } catch (const CommandLineError& error) {
    set_notice(std::string("Nothing was pasted: ") + error.what(), true, window_time(), ui_);
  }
}

}  // namespace pericenter::app
