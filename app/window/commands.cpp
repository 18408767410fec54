#include "app/window/commands.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "app/lessons/add_slide.h"
#include "app/overlay/labels.h"
#include "app/ui/send_requests.h"
#include "app/ui/setting_shortcuts.h"
#include "app/window/camera_controller.h"
#include "app/window/capture.h"
#include "app/window/cluster_controller.h"
#include "app/window/comparison_controller.h"
#include "app/window/file_controller.h"
#include "app/window/lesson_controller.h"
#include "app/window/scene_controller.h"
#include "app/window/viewport.h"
#include "app/window/window.h"

namespace pericenter::app {
namespace {

constexpr float kScaleStep = 1.125f;

/// What a handler sees of a command, besides its target.
struct Use {
  int number;
  const UiFrame& frame;
  const CommandTargets& targets;

  const Timeline& timeline() const { return frame.simulation.timeline; }
};

void set_scale(float scale, UiState& ui) {
  ui.layout.scale = std::clamp(scale, kMinScale, kMaxScale);
}

/// Shows another recorded moment. The next key press counts from there, even if the simulation is still busy.
void go_to_moment(double position, const UiFrame& frame, UiState& ui) {
  const Timeline& timeline = frame.simulation.timeline;
  if (!timeline.off_because.empty() && !timeline.is_playback)
    return set_notice(timeline.off_because, false, frame.now, ui);
  set_position(position, frame, ui);
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

/// One function per row of the table of actions. Its first parameter is the target of the command.
struct Handlers {
  static void toggle_play(UiState& ui, const Use& use) { set_running(!ui.edited.running.value(), use.frame, ui); }

  static void step_back(UiState& ui, const Use& use) {
    if (ui.edited.running.value()) set_running(false, use.frame, ui);
    const double shown = ui.timeline.position.value();
    const bool is_playback = use.timeline().is_playback;
    go_to_moment(is_playback ? shown - ui.edited.params.value().dt : std::ceil(shown) - 1, use.frame, ui);
  }

  /// At the end of the timeline a simulation computes a step; before it the next recorded step is shown.
  static void single_step(UiState& ui, const Use& use) {
    const Timeline& timeline = use.timeline();
    const bool is_running = ui.edited.running.value();
    if (is_running) set_running(false, use.frame, ui);
    const double shown = ui.timeline.position.value();
    const bool in_the_past = timeline.rewound || (!is_running && shown < timeline.last);
    if (in_the_past && !timeline.is_playback) return go_to_moment(std::floor(shown) + 1, use.frame, ui);
    ui.requests.push_back(request::Step{});
  }
  /// The key, which is the button for a black screen of a clicker.
  static void step_or_blank(UiState& ui, const Use& use) { single_step(ui, use); }

  static void undo(UiState& ui, const Use& use) {
    if (use.timeline().undo.empty()) return set_notice("Nothing to undo.", false, use.frame.now, ui);
    ui.requests.push_back(request::Undo{});
  }

  static void reset(UiState& ui, const Use&) { ui.requests.push_back(request::Reset{}); }

  static void next(UiState& ui, const Use& use) {
    LessonController* const lessons = use.targets.lessons;
    if (!ui.lesson.on() && !(lessons && lessons->has_just_ended(use.frame))) load_neighbour(1, use.frame, ui);
    if (ui.lesson.on() && lessons) lessons->next(use.frame);
  }

  static void previous(UiState& ui, const Use& use) {
    if (!ui.lesson.on()) return go_to_earlier_event(use.frame, ui);
    if (use.targets.lessons) use.targets.lessons->previous(use.frame);
  }

  static void run_backwards(UiState& ui, const Use&) { ui.requests.push_back(request::RunBackwards{}); }
  static void fewer_steps(UiState& ui, const Use& use) { change_pace(-1, use.frame, ui); }
  static void more_steps(UiState& ui, const Use& use) { change_pace(1, use.frame, ui); }
  static void load_scene(UiState& ui, const Use& use) { app::load_scene(use.number, use.frame, ui); }
  static void apply_scene(UiState& ui, const Use& use) { app::apply_scene(use.number, use.frame, ui); }
  static void copy_scene(SceneController& scenes, const Use& use) { scenes.copy(use.frame.simulation); }
  static void paste_scene(SceneController& scenes, const Use& use) { scenes.paste(use.frame); }
  static void cancel(SceneController& scenes, const Use&) { scenes.cancel(); }

  /// Computes on from a recorded moment; no effect at the end of the timeline.
  static void continue_from_here(UiState& ui, const Use& use) {
    if (!use.timeline().rewound) return;
    ui.requests.push_back(request::ContinueFromHere{});
    set_running(true, use.frame, ui);
  }

  static void theta_down(UiState& ui, const Use& use) { step_theta(-1, use.frame, ui); }
  static void theta_up(UiState& ui, const Use& use) { step_theta(1, use.frame, ui); }
  static void next_solver(UiState& ui, const Use& use) { choose_next_solver(use.frame, ui); }
  static void next_color(UiState& ui, const Use& use) { choose_next_color(use.frame, ui); }
  static void toggle_drawer(UiState& ui, const Use&) { ui.drawer.open = !ui.drawer.open; }
  static void toggle_comparison(Comparison& comparison, const Use& use) { comparison.toggle(use.frame); }
  static void swap_comparison(Comparison& comparison, const Use& use) { comparison.swap(use.frame); }

  static void submit_run(ClusterController& cluster, const Use& use) { cluster.submit(use.frame, use.targets.ui); }
  static void cancel_submit(ClusterController& cluster, const Use&) { cluster.cancel_submit(); }
  static void open_run(ClusterController& cluster, const Use& use) {
    cluster.open(use.targets.ui.cluster.opened, use.targets.ui);
  }
  static void close_run(ClusterController& cluster, const Use& use) { cluster.close(use.targets.ui); }
  static void watch_run(ClusterController& cluster, const Use& use) { cluster.watch_run(use.frame, use.targets.ui); }
  static void compare_run(ClusterController& cluster, const Use& use) {
    if (use.targets.comparison) cluster.compare_run(*use.targets.comparison, use.frame, use.targets.ui);
  }
  static void cancel_run(ClusterController& cluster, const Use& use) { cluster.cancel_run(use.targets.ui); }

  static void toggle_narrator(UiState& ui, const Use& use) {
    ui.captions.narration.on = !ui.captions.narration.on;
    set_notice(ui.captions.narration.on ? "The narrator is on." : "The narrator is off.", false, use.frame.now, ui);
  }

  static void fit(Viewport& view, const Use& use) {
    UiState& ui = use.targets.ui;
    const SessionState& state = use.frame.simulation;
    if (!ui.lesson.on()) ui.view.follow = {.what = Follow::What::story};
    view.glide_to_fit(ui.lesson.on() ? view_of(state) : story_view_of(state), ui);
  }

  static void toggle_tree(UiState& ui, const Use&) {
    request::ShowTree tree = ui.view.tree;
    tree.show = !tree.show;
    set_tree(tree, ui.tree, ui);
  }

  static void toggle_halo(UiState& ui, const Use&) { ui.view.image.show_halo = !ui.view.image.show_halo; }
  static void toggle_trails(UiState& ui, const Use&) { ui.view.trails.show = !ui.view.trails.show; }
  static void toggle_guides(UiState& ui, const Use&) {
    ui.view.guides.grid = ui.view.guides.axes = !(ui.view.guides.grid && ui.view.guides.axes);
  }
  static void toggle_labels(UiState& ui, const Use& use) {
    ui.view.guides.labels = !shows_labels(ui.view.guides, use.frame.simulation);
  }
  static void toggle_velocities(UiState& ui, const Use&) { ui.view.guides.velocities = !ui.view.guides.velocities; }
  static void toggle_ruler(UiState& ui, const Use& use) { app::toggle_ruler(use.frame, ui); }
  static void toggle_panel(UiState& ui, const Use&) { ui.layout.show_panel = !ui.layout.show_panel; }
  static void toggle_theme(UiState& ui, const Use&) {
    ui.view.theme = ui.view.theme == Theme::dark ? Theme::light : Theme::dark;
  }
  static void full_screen(Window& window, const Use&) { window.toggle_full_screen(); }
  static void toggle_presenter(UiState& ui, const Use&) {
    ui.presentation.presenter_view = !ui.presentation.presenter_view;
  }
  static void screenshot(Capture& capture, const Use& use) { capture.request_image(use.targets.ui); }
  static void screenshot_with_panel(Capture& capture, const Use&) { capture.request_window_image(); }
  static void toggle_recording(Capture& capture, const Use&) { capture.toggle_recording(); }

  static void toggle_fly(UiState& ui, const Use&) { ui.camera.fly = !ui.camera.fly; }
  static void save_camera(CameraController& cameras, const Use& use) { cameras.save(use.number, use.targets.ui); }
  static void go_to_camera(CameraController& cameras, const Use& use) { cameras.go_to(use.number, use.targets.ui); }
  static void add_camera_key(CameraController& cameras, const Use& use) { cameras.add_key(use.targets.ui); }

  static void toggle_lessons(UiState& ui, const Use& use) {
    ui.lessons.open = !ui.lessons.open;
    if (ui.lessons.open && use.targets.lessons) use.targets.lessons->read_list();
  }

  static void toggle_blank(UiState& ui, const Use&) { ui.lesson.blank = !ui.lesson.blank; }
  static void toggle_note(UiState& ui, const Use&) { ui.lesson.shows_note = !ui.lesson.shows_note; }
  static void toggle_wording(UiState& ui, const Use&) {
    ui.lesson.wording = ui.lesson.wording == Wording::pupils ? Wording::technical : Wording::pupils;
  }
  static void choose(LessonController& lessons, const Use& use) {
    lessons.choose(static_cast<std::size_t>(use.number), use.frame);
  }
  static void repeat_slide(LessonController& lessons, const Use& use) { lessons.repeat(use.frame); }
  static void leave_lesson(LessonController& lessons, const Use& use) { lessons.leave_when_asked_twice(use.frame); }

  /// Appends the present state to a lesson of the user.
  static void add_slide(LessonController& lessons, const Use& use) {
    const SessionState& run = use.frame.simulation;
    UiState& ui = use.targets.ui;
    try {
      const PresentState state{std::string(use.frame.scene_string), run.time * run.units.time_myr};
      const std::string path = app::add_slide(ui.lessons.add_to, state, lessons.folder());
      set_notice("Slide added to " + path + ". Write its caption in a text editor.", false, use.frame.now, ui);
    } catch (const std::runtime_error& error) {  // LessonError, FileError
      report_error("Add slide: " + std::string(error.what()), use.frame.now, ui);
    }
  }

  static void search_settings(UiState& ui, const Use&) { ui.layout.show_panel = ui.widgets.search.wants_focus = true; }
  static void open_file(FileController& files, const Use& use) { files.browse(use.targets.ui); }
  static void save_snapshot(FileController& files, const Use& use) { files.request_save(use.frame, use.targets.ui); }
  static void cancel_save(FileController& files, const Use&) { files.cancel_save(); }
  static void scale_up(UiState& ui, const Use&) { set_scale(ui.layout.used_scale() * kScaleStep, ui); }
  static void scale_down(UiState& ui, const Use&) { set_scale(ui.layout.used_scale() / kScaleStep, ui); }
  static void scale_reset(UiState& ui, const Use&) { set_scale(ui.layout.first_scale, ui); }

  static void reload_shaders(Viewport& view, const Use& use) {
    UiState& ui = use.targets.ui;
    const std::string problem = view.reload_shaders();
    remove_notices(NoticeSource::shaders, ui);
    if (problem.empty()) return set_notice("Shaders reloaded.", false, use.frame.now, ui);
    report_error("Shader error. The previous shaders stay in use; fix the file and press F5.\n" + problem,
                 use.frame.now, ui, NoticeSource::shaders);
  }

  static void toggle_keys(UiState& ui, const Use&) { ui.layout.show_keys = !ui.layout.show_keys; }

  /// Esc closes one thing at a time, the topmost first.
  static void close_dialogs(UiState& ui, const Use& use) {
    if (ui.widgets.list_open) {
      ui.widgets.close_list = true;
      return;
    }
    if (ui.widgets.keyboard.on) {
      ui.widgets.keyboard.leaves = !ui.widgets.keyboard.edited_before;  // otherwise Esc only ends the edit
      return;
    }
    if (!std::exchange(ui.widgets.search.words, {}).empty()) return;
    if (std::exchange(ui.files.browser.open, false) || std::exchange(ui.layout.show_keys, false)) return;
    if (ui.captions.guide.offers) {
      ui.captions.guide.dismissed = true;
      return;
    }
    if (use.targets.files && use.targets.files->busy()) return use.targets.files->cancel_save();
    if (close_selection(ui)) return;
    if (ui.stars.marks.count > 0) {
      ui.stars.marks.wanted = Highlight{};
      return;
    }
    close_scene_caption(use.frame, ui);
  }

  static void quit(Window& window, const Use&) { window.close(); }
};

/// Calls a handler unless its target is null.
template <class Target>
bool call(void (*handler)(Target&, const Use&), const Use& use) {
  const CommandTargets& to = use.targets;
  const std::tuple all(&to.ui, to.cameras, to.capture, to.cluster, to.comparison, to.files, to.lessons, to.scenes,
                       to.view, to.window);
  Target* const target = std::get<Target*>(all);
  if (target) handler(*target, use);
  return target != nullptr;
}

}  // namespace

bool apply_command(const Command& command, const UiFrame& frame, const CommandTargets& targets) {
  constexpr bool (*kHandlers[])(const Use&) = {
#define ROW(action, ...) [](const Use& use) { return call(Handlers::action, use); },
#include "app/ui/action_table.inc"
  };
  return kHandlers[static_cast<std::size_t>(command.action)]({command.number, frame, targets});
}

}  // namespace pericenter::app
