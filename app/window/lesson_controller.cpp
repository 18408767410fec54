#include "app/window/lesson_controller.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <map>
#include <utility>

#include "app/base/format.h"
#include "app/base/memory_budget.h"
#include "app/lessons/lesson_library.h"
#include "app/settings/scene_string.h"
#include "app/ui/send_requests.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

// A lesson from its start to its end.
namespace pericenter::app {
namespace {

constexpr std::size_t kAlwaysFit = 2000;      ///< bodies, on any machine
constexpr std::size_t kUsualBodies = 20'000;  ///< bodies of a scene string without a number

using Limits = std::vector<std::size_t>;
using Fits = std::function<std::size_t(const std::string& scene, const Config& config)>;

Config on_machine(Config config, const Config& machine) {
  config.backend = machine.backend;
  config.device = machine.device;
  config.threads = machine.threads;
  return without_unsupported_values(config);
}

std::size_t asked_bodies(const Slide& slide) {
  return slide.options.bodies.value_or(kUsualBodies);
}

/// The bodies that each slide may have: as many as run well and fit into memory.
Limits limits_of(const Lesson& lesson, const Config& machine, const Fits& fits) {
  std::map<std::pair<std::string, std::string>, std::size_t> known;  // results by scene and solver
  Limits limits;
  for (const Slide& slide : lesson.slides) {
    limits.push_back(std::numeric_limits<std::size_t>::max());
    if (slide.options.reads_a_file() || asked_bodies(slide) <= kAlwaysFit) continue;
    const Config config = on_machine(slide.options.config, machine);
    const auto [found, is_new] = known.try_emplace({slide.options.scene, config.solver});
    if (is_new) found->second = LessonController::kSlower * fits(slide.options.scene, config);
    const std::size_t simulations = slide.compare.empty() ? 1 : 2;
    limits.back() = std::min(found->second, max_bodies(config) / simulations);
  }
  return limits;
}

}  // namespace

// ---- start and end

void LessonController::read_list() {
  window_.ui.lessons.entries = lesson_library(machine_.folder, machine_.language);
}

/// Opens the lesson that was chosen in the list, or whose file was opened.
void LessonController::take_chosen(const UiFrame& frame) {
  UiState& ui = window_.ui;
  const auto chosen = std::exchange(ui.lessons.chosen, std::nullopt);
  if (chosen && *chosen < ui.lessons.entries.size() && ui.lessons.entries[*chosen].lesson) {
    ui.lessons.open = false;
    return open(ui.lessons.entries[*chosen].lesson, frame);
  }
  const std::string file = std::exchange(ui.lessons.file, {});
  if (file.empty()) return;
  try {
    open(find_lesson(file, machine_.folder, machine_.language), frame);
  } catch (const std::exception& error) {
    report_error(error.what(), frame.now, ui);
  }
}

void LessonController::open(std::shared_ptr<const Lesson> lesson, const UiFrame& frame) {
  UiState& ui = window_.ui;
  if (!saved_) save(frame);
  window_.comparison.stop();
  set_running(false, frame, ui);
  if (ui.stars.probed) set_probe(std::nullopt, ui);
  ui.layout.show_panel = ui.drawer.open = ui.camera.fly = ui.camera.playing_path = false;
  ui.layout.show_keys = ui.files.browser.open = false;
  clear_lesson();
  ui.lesson.lesson = std::move(lesson);
  ui.lesson.phase = Phase::title;
  visits_.assign(ui.lesson.lesson->slides.size(), {});
  shows_title_ = !ui.presentation.station;
  is_last_noted_ = false;
  measure();
  const auto measured = [this](const SessionState&) {
    return measured_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  };
  wait(frame.simulation, measured, [this](const UiFrame& now) {
    take_limits();
    enter(0, now);
  });
}

void LessonController::measure() {
  const auto work = [lesson = window_.ui.lesson.lesson, machine = machine_.config(), fits = machine_.fits] {
    return limits_of(*lesson, machine, fits);
  };
  measured_ = std::async(std::launch::async, work);
}

void LessonController::take_limits() {
  limits_ = measured_.get();
  window_.ui.lesson.warning = warning();
}

/// About the slide that is farthest above what this machine can do; empty if there is none.
std::string LessonController::warning() const {
  const std::vector<Slide>& slides = window_.ui.lesson.lesson->slides;
  std::size_t asked = 0, most = 0;
  for (std::size_t k = 0; k < slides.size(); ++k) {
    const std::size_t wanted = asked_bodies(slides[k]);
    const bool is_worse = asked == 0 || wanted * most > asked * limits_[k];
    if (wanted > limits_[k] && is_worse) asked = wanted, most = limits_[k];
  }
  if (asked == 0) return {};
  return "This lesson asks for " + with_thousands(asked) + " bodies, more than this machine can show. It uses " +
         with_thousands(most) + ".";
}

void LessonController::save(const UiFrame& frame) {
  const UiState& ui = window_.ui;
  saved_ = {.run = std::nullopt,
            .view = ui.view,
            .pose = window_.view.camera().pose(),
            .camera = ui.camera,
            .scene = ui.scene,
            .show_panel = ui.layout.show_panel,
            .drawer = ui.drawer.open,
            .steps_per_frame = frame.simulation.steps_per_frame};
  run_ = last_run_ = 0;
  if (frame.simulation.scene_serial != 0) saved_->run = options_of(frame.simulation, ui.view, window_.view.camera());
}

/// The wording stays as the teacher has chosen it.
void LessonController::clear_lesson() {
  UiState& ui = window_.ui;
  const Wording wording = ui.lesson.wording;
  ui.lesson = {};
  ui.lesson.wording = wording;
  ui.stars.highlight = {};
  ui.drawer.focused.clear();
}

void LessonController::leave(const UiFrame& frame) {
  UiState& ui = window_.ui;
  if (!saved_) return;
  window_.comparison.stop();
  set_running(false, frame, ui);
  if (ui.stars.probed) set_probe(std::nullopt, ui);
  clear_lesson();
  ui.layout.show_panel = saved_->show_panel;
  ui.drawer.open = saved_->drawer;
  waiting_.reset();
  if (run_ == 0) return restore(frame);
  if (window_.scenes.loading()) window_.scenes.cancel();
  const auto is_parked = [](const SessionState& state) {
    return std::ranges::find(state.parked, std::uint64_t{0}) != state.parked.end();
  };
  if (!saved_->run) {
    machine_.load_first();
  } else if (is_parked(frame.simulation)) {
    ui.requests.push_back(request::RestoreRun{0});
  } else {
    window_.scenes.load(*saved_->run, true);
  }
  ui.requests.push_back(request::ForgetRuns{});
  const std::uint64_t before = frame.simulation.scene_serial;
  const auto restored = [this, before, is_parked](const SessionState& state) {
    return state.scene_serial != before && !state.busy && !is_parked(state) && !window_.scenes.loading();
  };
  const Next finish = [this](const UiFrame& now) { restore(now); };
  wait(frame.simulation, restored, finish, finish);
}

/// The settings of before the lesson; the camera is that of its run.
void LessonController::restore(const UiFrame& frame) {
  UiState& ui = window_.ui;
  const Saved saved = *std::exchange(saved_, std::nullopt);
  const Theme theme = ui.view.theme;
  set_view(saved.view, ui);
  ui.view.theme = theme;
  ui.camera = saved.camera;
  set_steps_per_frame(saved.steps_per_frame, frame, ui);
  if (!saved.run) return;  // the first scene has chosen its number of bodies
  ui.scene = saved.scene;
  window_.view.camera().set_pose(saved.pose);
}

}  // namespace pericenter::app
