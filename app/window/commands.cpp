#include "app/window/commands.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/lessons/add_slide.h"
#include "app/overlay/labels.h"
#include "app/ui/send_requests.h"
#include "app/ui/setting_shortcuts.h"
#include "app/window/camera_controller.h"
#include "app/window/capture.h"
#include "app/window/comparison_controller.h"
#include "app/window/file_controller.h"
#include "app/window/lesson_controller.h"
#include "app/window/scene_controller.h"
#include "app/window/viewport.h"
#include "app/window/window.h"

namespace pericenter::app {
namespace {

constexpr float kScaleStep = 1.125f;

void set_scale(float scale, UiState& ui) {
  ui.layout.scale = std::clamp(scale, kMinScale, kMaxScale);
}

void toggle_tree(UiState& ui) {
  request::ShowTree tree = ui.view.tree;
  tree.show = !tree.show;
  set_tree(tree, ui);
}

/// Shows another recorded moment. The next key press counts from there, even if the simulation is still busy.
void go_to_moment(double position, const UiFrame& frame, UiState& ui) {
  const Timeline& timeline = frame.simulation.timeline;
  if (!timeline.off_because.empty() && !timeline.is_playback)
    return set_notice(timeline.off_because, false, frame.now, ui);
  set_position(position, frame, ui);
}

/// At the end of the timeline a simulation computes a step; before it the next recorded step is shown.
void single_step(const UiFrame& frame, UiState& ui) {
  const Timeline& timeline = frame.simulation.timeline;
  const bool is_running = ui.edited.running.value();
  if (is_running) set_running(false, frame, ui);
  const double shown = ui.timeline.position.value();
  const bool in_the_past = timeline.rewound || (!is_running && shown < timeline.last);
  if (in_the_past && !timeline.is_playback) return go_to_moment(std::floor(shown) + 1, frame, ui);
  ui.requests.push_back(request::Step{});
}

void step_back(const UiFrame& frame, UiState& ui) {
  if (ui.edited.running.value()) set_running(false, frame, ui);
  const double shown = ui.timeline.position.value();
  const bool is_playback = frame.simulation.timeline.is_playback;
  go_to_moment(is_playback ? shown - ui.edited.params.value().dt : std::ceil(shown) - 1, frame, ui);
}

bool is_event(TimelineMarkKind kind) {
  return kind == TimelineMarkKind::highlight || kind == TimelineMarkKind::pericenter ||
         kind == TimelineMarkKind::apocenter || kind == TimelineMarkKind::merger;
}

/// Shows the last event before the moment that is shown, or the start, and pauses. From the start, the scene before.
void go_to_earlier_event(const UiFrame& frame, UiState& ui) {
  const Timeline& timeline = frame.simulation.timeline;
  const double before = ui.timeline.position.value() - (timeline.is_playback ? 0 : 0.5);
  if (before < timeline.first) return load_neighbour(-1, frame, ui);
  double earlier = timeline.first;
  for (const TimelineMark& mark : timeline.details->marks)
    if (is_event(mark.kind) && mark.position < before) earlier = std::max(earlier, mark.position);
  if (ui.edited.running.value()) set_running(false, frame, ui);
  go_to_moment(earlier, frame, ui);
}

void undo(const UiFrame& frame, UiState& ui) {
  if (frame.simulation.timeline.undo.empty()) return set_notice("Nothing to undo.", false, frame.now, ui);
  ui.requests.push_back(request::Undo{});
}

/// Computes on from a recorded moment; no effect at the end of the timeline.
void continue_from_here(const UiFrame& frame, UiState& ui) {
  if (!frame.simulation.timeline.rewound) return;
  ui.requests.push_back(request::ContinueFromHere{});
  set_running(true, frame, ui);
}

/// Esc closes one thing at a time, the topmost first.
void close_topmost(const CommandTargets& targets) {
  UiState& ui = targets.ui;
  if (ui.widgets.list_open) {
    ui.widgets.close_list = true;
    return;
  }
  if (ui.widgets.keyboard.on) {
    ui.widgets.keyboard.leaves = !ui.widgets.keyboard.edited_before;  // otherwise Esc only ends the edit
    return;
  }
  if (std::exchange(ui.files.browser.open, false) || std::exchange(ui.layout.show_keys, false)) return;
  if (ui.captions.guide.offers) {
    ui.captions.guide.dismissed = true;
    return;
  }
  if (targets.files && targets.files->busy()) return targets.files->cancel_save();
  if (ui.stars.probed) return set_probe(std::nullopt, ui);
  if (ui.stars.marks.count > 0) ui.stars.marks.wanted = Highlight{};
}

void reload_shaders(Viewport& view, const UiFrame& frame, UiState& ui) {
  const std::string problem = view.reload_shaders();
  remove_notices(NoticeSource::shaders, ui);
  if (problem.empty()) return set_notice("Shaders reloaded.", false, frame.now, ui);
  report_error("Shader error. The previous shaders stay in use; fix the file and press F5.\n" + problem, frame.now, ui,
               NoticeSource::shaders);
}

/// Appends the present state to a lesson of the user.
void add_present_slide(const std::string& folder, const UiFrame& frame, UiState& ui) {
  const SessionState& run = frame.simulation;
  try {
    const PresentState state{std::string(frame.scene_string), run.time * run.units.time_myr};
    const std::string path = add_slide(ui.lessons.add_to, state, folder);
    set_notice("Slide added to " + path + ". Write its caption in a text editor.", false, frame.now, ui);
  } catch (const std::runtime_error& error) {  // LessonError, FileError
    report_error("Add slide: " + std::string(error.what()), frame.now, ui);
  }
}

void apply_to_lessons(const Command& command, const UiFrame& frame, LessonController& lessons) {
  if (command.action == Action::choose) lessons.choose(static_cast<std::size_t>(command.number), frame);
  if (command.action == Action::repeat_slide) lessons.repeat(frame);
  if (command.action == Action::leave_lesson) lessons.leave(frame);
}

/// Calls `act` unless the target is null.
template <class Target, class Act>
bool with(Target* target, const Act& act) {
  if (target) act(*target);
  return target != nullptr;
}

}  // namespace

bool apply_command(const Command& command, const UiFrame& frame, const CommandTargets& targets) {
  UiState& ui = targets.ui;
  switch (command.action) {  // no default: the compiler reports an action without a case
    case Action::toggle_play:
      set_running(!ui.edited.running.value(), frame, ui);
      return true;
    case Action::single_step:
      single_step(frame, ui);
      return true;
    case Action::step_back:
      step_back(frame, ui);
      return true;
    case Action::reset:
      ui.requests.push_back(request::Reset{});
      return true;
    case Action::undo:
      undo(frame, ui);
      return true;
    case Action::continue_from_here:
      continue_from_here(frame, ui);
      return true;
    case Action::run_backwards:
      ui.requests.push_back(request::RunBackwards{});
      return true;
    case Action::next:
      if (ui.lesson.on()) return with(targets.lessons, [&](LessonController& lessons) { lessons.next(frame); });
      load_neighbour(1, frame, ui);
      return true;
    case Action::previous:
      if (ui.lesson.on()) return with(targets.lessons, [&](LessonController& lessons) { lessons.previous(frame); });
      go_to_earlier_event(frame, ui);
      return true;
    case Action::add_slide:
      return with(targets.lessons, [&](auto& lessons) { add_present_slide(lessons.folder(), frame, ui); });
    case Action::choose:
    case Action::repeat_slide:
    case Action::leave_lesson:
      return with(targets.lessons, [&](LessonController& lessons) { apply_to_lessons(command, frame, lessons); });
    case Action::toggle_lessons:
      ui.lessons.open = !ui.lessons.open;
      if (ui.lessons.open && targets.lessons) targets.lessons->read_list();
      return true;
    case Action::toggle_note:
      ui.lesson.shows_note = !ui.lesson.shows_note;
      return true;
    case Action::toggle_wording:
      ui.lesson.wording = ui.lesson.wording == Wording::pupils ? Wording::technical : Wording::pupils;
      return true;
    case Action::theta_down:
      step_theta(-1, frame, ui);
      return true;
    case Action::theta_up:
      step_theta(1, frame, ui);
      return true;
    case Action::next_solver:
      choose_next_solver(frame, ui);
      return true;
    case Action::next_color:
      choose_next_color(frame, ui);
      return true;
    case Action::toggle_blank:
      ui.lesson.blank = !ui.lesson.blank;
      return true;
    case Action::toggle_narrator:
      ui.captions.narration.on = !ui.captions.narration.on;
      set_notice(ui.captions.narration.on ? "The narrator is on." : "The narrator is off.", false, frame.now, ui);
      return true;
    case Action::toggle_drawer:
      ui.drawer.open = !ui.drawer.open;
      return true;
    case Action::toggle_comparison:
      return with(targets.comparison, [&](Comparison& comparison) { comparison.toggle(frame); });
    case Action::swap_comparison:
      return with(targets.comparison, [&](Comparison& comparison) { comparison.swap(frame); });
    case Action::load_scene:
      load_scene(command.number, frame, ui);
      return true;
    case Action::apply_scene:
      apply_scene(command.number, frame, ui);
      return true;
    case Action::fewer_steps:
      set_steps_per_frame(ui.edited.steps_per_frame.value() - 1, frame, ui);
      return true;
    case Action::more_steps:
      set_steps_per_frame(ui.edited.steps_per_frame.value() + 1, frame, ui);
      return true;
    case Action::copy_scene:
      return with(targets.scenes, [&](SceneController& scenes) { scenes.copy(frame.simulation); });
    case Action::paste_scene:
      return with(targets.scenes, [&](SceneController& scenes) { scenes.paste(frame); });
    case Action::cancel:
      return with(targets.scenes, [](SceneController& scenes) { scenes.cancel(); });

    case Action::toggle_panel:
      ui.layout.show_panel = !ui.layout.show_panel;
      return true;
    case Action::toggle_keys:
      ui.layout.show_keys = !ui.layout.show_keys;
      return true;
    case Action::toggle_tree:
      toggle_tree(ui);
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
    case Action::toggle_labels:
      ui.view.guides.labels = !shows_labels(ui.view.guides, frame.simulation);
      return true;
    case Action::toggle_theme:
      ui.view.theme = ui.view.theme == Theme::dark ? Theme::light : Theme::dark;
      return true;
    case Action::scale_up:
      set_scale(ui.layout.used_scale() * kScaleStep, ui);
      return true;
    case Action::scale_down:
      set_scale(ui.layout.used_scale() / kScaleStep, ui);
      return true;
    case Action::scale_reset:
      set_scale(ui.layout.first_scale, ui);
      return true;
    case Action::close_dialogs:
      close_topmost(targets);
      return true;

    case Action::toggle_fly:
      ui.camera.fly = !ui.camera.fly;
      return true;
    case Action::save_camera:
      return with(targets.cameras, [&](CameraController& cameras) { cameras.save(command.number, ui); });
    case Action::go_to_camera:
      return with(targets.cameras, [&](CameraController& cameras) { cameras.go_to(command.number, ui); });
    case Action::add_camera_key:
      return with(targets.cameras, [&](CameraController& cameras) { cameras.add_key(ui); });
    case Action::fit:
      return with(targets.view, [&](Viewport& view) { view.glide_to_fit(view_of(frame.simulation)); });
    case Action::reload_shaders:
      return with(targets.view, [&](Viewport& view) { reload_shaders(view, frame, ui); });
    case Action::full_screen:
      return with(targets.window, [](Window& window) { window.toggle_full_screen(); });
    case Action::quit:
      return with(targets.window, [](Window& window) { window.close(); });

    case Action::screenshot:
      return with(targets.capture, [&](Capture& capture) { capture.request_image(ui); });
    case Action::screenshot_with_panel:
      return with(targets.capture, [](Capture& capture) { capture.request_window_image(); });
    case Action::toggle_recording:
      return with(targets.capture, [](Capture& capture) { capture.toggle_recording(); });
    case Action::open_file:
      return with(targets.files, [&](FileController& files) { files.browse(ui); });
    case Action::save_snapshot:
      return with(targets.files, [&](FileController& files) { files.request_save(frame, ui); });
    case Action::cancel_save:
      return with(targets.files, [](FileController& files) { files.cancel_save(); });
  }
  return false;
}

}  // namespace pericenter::app
