#include "app/ui/ui_state.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <utility>

#include "app/view/color_range.h"

namespace pericenter::app {
namespace {

constexpr int kMaxStepsPerFrame = 1000;
constexpr float kScaleStep = 1.125f;
constexpr std::size_t kMaxOlderNotices = 8;
constexpr int kMaxLines = 5;
constexpr double kForEver = std::numeric_limits<double>::infinity();

void rescale(float scale, UiState& ui) {
  ui.scale = std::clamp(scale, kMinScale, kMaxScale);
}

/// The log of a shader's compiler may be higher than the window.
void keep_first_lines(std::string& text) {
  std::size_t end = text.find('\n');
  for (int line = 1; line < kMaxLines && end != text.npos; ++line) end = text.find('\n', end + 1);
  if (end != text.npos) text.replace(end, text.npos, " …");
}

void add_notice(Notice notice, UiState& ui) {
  keep_first_lines(notice.text);
  std::vector<Notice>& older = ui.older_notices;
  if (ui.notice.is_error || ui.notice.until == kForEver) older.push_back(std::move(ui.notice));
  std::erase_if(older, [&](const Notice& one) { return one.text == notice.text; });
  if (older.size() > kMaxOlderNotices) older.erase(older.begin());
  ui.notice = std::move(notice);
}

template <class Test>
void withdraw(const Test& is_void, UiState& ui) {
  std::erase_if(ui.older_notices, is_void);
  if (is_void(ui.notice)) close_notice(ui);
}

void hear(const SessionState& state, UiState& ui) {
  if (state.message == ui.heard && state.message_serial == ui.heard_serial) return;
  forget_what_simulation_said(ui);
  ui.heard = state.message;
  ui.heard_serial = state.message_serial;
  if (!state.message.empty()) add_notice({state.message, state.message_is_error, kForEver, {}, true}, ui);
}

}  // namespace

void follow(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  ui.running.follow(state.running, state, frame.now);
  ui.steps_per_frame.follow(state.steps_per_frame, state, frame.now);
  ui.params.follow(state.params, state, frame.now);
  ui.config.follow(state.config, state, frame.now);
  ui.moment.follow(state.time, state, frame.now);
  ui.ladder.follow(state);
  follow(state, ui.encounter);
  if (!ui.notice.is_error && frame.now > ui.notice.until) close_notice(ui);
  hear(state, ui);
}

bool apply_command(const Command& command, const UiFrame& frame, UiState& ui) {
  switch (command.action) {
    case Action::toggle_play:
      set_running(!ui.running.value(), frame, ui);
      return true;
    case Action::single_step:
      if (ui.running.value()) set_running(false, frame, ui);
      ui.requests.push_back(request::SingleStep{});
      return true;
    case Action::reset:
      ui.requests.push_back(request::Reset{});
      return true;
    case Action::load_scene:
      load_scene(command.number, frame, ui);
      return true;
    case Action::fewer_steps:
      set_steps_per_frame(ui.steps_per_frame.value() - 1, frame, ui);
      return true;
    case Action::more_steps:
      set_steps_per_frame(ui.steps_per_frame.value() + 1, frame, ui);
      return true;
    case Action::toggle_panel:
      ui.show_panel = !ui.show_panel;
      return true;
    case Action::toggle_keys:
      ui.show_keys = !ui.show_keys;
      return true;
    case Action::close_dialogs:
      // One thing at a time, the topmost first.
      if (std::exchange(ui.files.browser.open, false)) return true;
      if (!ui.show_keys && ui.probed) set_probe(std::nullopt, ui);
      ui.show_keys = false;
      return true;
    case Action::toggle_halo:
      ui.view.image.show_halo = !ui.view.image.show_halo;
      return true;
    case Action::toggle_trails:
      ui.view.trails.show = !ui.view.trails.show;
      return true;
    case Action::toggle_guides:
      ui.view.guides.grid = ui.view.guides.axes = !(ui.view.guides.grid && ui.view.guides.axes);
      return true;
    case Action::toggle_theme:
      ui.view.theme = ui.view.theme == Theme::dark ? Theme::light : Theme::dark;
      return true;
    case Action::toggle_fly:
      ui.camera.fly = !ui.camera.fly;
      return true;
    case Action::toggle_tree: {
      request::ShowTree tree = ui.view.tree;
      tree.show = !tree.show;
      set_tree(tree, ui);
      return true;
    }
    case Action::scale_up:
      rescale(ui.scale * kScaleStep, ui);
      return true;
    case Action::scale_down:
      rescale(ui.scale / kScaleStep, ui);
      return true;
    case Action::scale_reset:
      rescale(ui.first_scale, ui);
      return true;
    case Action::fit:
    case Action::full_screen:
    case Action::screenshot:
    case Action::screenshot_with_panel:
    case Action::toggle_recording:
    case Action::save_camera:
    case Action::go_to_camera:
    case Action::add_camera_key:
    case Action::open_file:
    case Action::save_snapshot:
    case Action::cancel_save:
    case Action::copy_scene:
    case Action::paste_scene:
    case Action::reload_shaders:
    case Action::cancel:
    case Action::quit:
      return false;
  }
  return false;
}

void set_running(bool running, const UiFrame& frame, UiState& ui) {
  ui.running.edit(running, frame.simulation, frame.now);
  ui.requests.push_back(request::Play{running});
}

void set_steps_per_frame(int steps, const UiFrame& frame, UiState& ui) {
  ui.steps_per_frame.edit(std::clamp(steps, 1, kMaxStepsPerFrame), frame.simulation, frame.now);
  ui.requests.push_back(request::SetStepsPerFrame{ui.steps_per_frame.value()});
}

void set_params(const Params& params, const UiFrame& frame, UiState& ui) {
  if (!problem_with(params).empty()) return;
  ui.params.edit(params, frame.simulation, frame.now);
  ui.requests.push_back(request::SetParams{params});
}

void set_config(const Config& config, const UiFrame& frame, UiState& ui) {
  ui.config.edit(config, frame.simulation, frame.now);
  ui.requests.push_back(request::SetConfig{config});
}

void set_moment(double time, const UiFrame& frame, UiState& ui) {
  ui.moment.edit(time, frame.simulation, frame.now);
  ui.requests.push_back(request::Seek{time});
}

void set_tree(const request::ShowTree& tree, UiState& ui) {
  ui.view.tree = tree;
  ui.requests.push_back(tree);
}

void set_view(const ViewSettings& view, UiState& ui) {
  const ViewSettings before = ui.view;
  set_color(view.image.color, ui);
  ui.view = view;
  if (!view.trails.show) ui.view.trails.bodies = before.trails.bodies;
  request::ShowTree tree = view.tree;
  tree.limit = before.tree.limit;
  set_tree(tree, ui);
}

void set_color(render::ColorMode mode, UiState& ui) {
  ui.view.image.color = mode;
  ui.view.fixed_range = false;
  if (render::is_scalar(mode)) ui.requests.push_back(request::ShowScalar{scalar_of(mode)});
}

void set_probe(std::optional<std::uint32_t> body, UiState& ui) {
  ui.probed = body;
  if (!body) ui.probe.reset();
  ui.requests.push_back(request::ShowProbe{body});
}

void load_scene(int row, const UiFrame& frame, UiState& ui) {
  const auto table = scenes();
  if (row < 0 || row >= static_cast<int>(table.size())) return;
  const SceneInfo& info = table[row];
  SceneRequest scene;
  scene.bodies = info.allowed(ui.scene.bodies);
  scene.seed = ui.scene.seed;
  scene.dimension = ui.config.value().dimension;
  // More bodies or another seed do not undo what was designed.
  const SessionState& now = frame.simulation;
  if (now.file.empty() && now.scene == info.name) scene.encounter = now.scene_request.encounter;
  ui.requests.push_back(request::LoadScene{std::string(info.name), std::move(scene)});
  forget_what_simulation_said(ui);
}

void set_notice(std::string text, bool is_error, double now, UiState& ui) {
  constexpr double kSeconds = 8;
  add_notice({std::move(text), is_error, now + kSeconds}, ui);
}

void set_lasting_notice(std::string text, std::string file, UiState& ui) {
  add_notice({std::move(text), false, kForEver, std::move(file)}, ui);
}

void close_notice(UiState& ui) {
  ui.notice = {};
  if (ui.older_notices.empty()) return;
  ui.notice = std::move(ui.older_notices.back());
  ui.older_notices.pop_back();
}

void forget_what_simulation_said(UiState& ui) {
  withdraw([](const Notice& one) { return one.of_simulation; }, ui);
}

void withdraw_notices(std::string_view beginning, UiState& ui) {
  withdraw([&](const Notice& one) { return one.text.starts_with(beginning); }, ui);
}

void tell_error(const std::string& text, double now, UiState& ui) {
  std::cerr << "pericenter: " << text << '\n';
  set_notice(text, true, now, ui);
}

}  // namespace pericenter::app
