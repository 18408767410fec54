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

namespace pericenter::app {
namespace {

constexpr std::size_t kAlwaysFit = 2000;  ///< bodies, on any machine

std::size_t asked_bodies(const Slide& slide) {
  return slide.options.bodies.value_or(kLessonBodies);
}

/// The bodies that each slide may have: as many as run well and fit into memory.
std::vector<std::size_t> limits_of(const Lesson& lesson, const Config& machine,
                                   const decltype(LessonController::Machine::fits)& fits) {
  std::map<std::pair<std::string, std::string>, std::size_t> known;  // results by scene and solver
  std::vector<std::size_t> limits;
  for (const Slide& slide : lesson.slides) {
    limits.push_back(std::numeric_limits<std::size_t>::max());
    if (slide.options.reads_a_file() || asked_bodies(slide) <= kAlwaysFit) continue;
    const Config config = on_machine(slide.options.config, machine);
    limits.back() = max_bodies({config}) / (slide.compare.empty() ? 1 : 2);
    if (slide.exact_bodies) continue;
    const auto [found, is_new] = known.try_emplace({slide.options.scene, config.solver});
    if (is_new) found->second = LessonController::kSlower * fits(slide.options.scene, config);
    limits.back() = std::min(limits.back(), found->second);
  }
  return limits;
}

}  // namespace

// ---- start and end

void LessonController::read_list() {
  if (reading_.valid()) return;
  window_.ui.lessons.reading = true;
  reading_ = std::async(std::launch::async, lesson_library, machine_.folder, machine_.language);
}

/// Whether the list has changed. A folder of hundreds of lessons takes seconds.
bool LessonController::take_list() {
  if (!reading_.valid() || reading_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
  std::vector<LessonEntry>& entries = window_.ui.lessons.entries = reading_.get();
  window_.ui.lessons.reading = false;
  for (LessonEntry& entry : entries) {
    const std::size_t slide = left_.slide(entry.name);
    if (entry.lesson && slide < entry.lesson->slides.size()) entry.left_at = slide;
    if (entry.name == latest_) window_.ui.lessons.selected = static_cast<std::size_t>(&entry - entries.data());
  }
  return true;
}

/// Opens the lesson that was chosen in the list, or whose file was opened.
void LessonController::take_chosen(const UiFrame& frame) {
  UiState& ui = window_.ui;
  const auto chosen = std::exchange(ui.lessons.chosen, std::nullopt);
  const bool continues = std::exchange(ui.lessons.continues, false);
  if (chosen && *chosen < ui.lessons.entries.size() && ui.lessons.entries[*chosen].lesson) {
    ui.lessons.open = false;
    const LessonEntry& entry = ui.lessons.entries[*chosen];
    return open(entry.lesson, frame, continues ? entry.left_at : 0);
  }
  const std::string file = std::exchange(ui.files.lesson, {});
  if (file.empty()) return;
  try {
    open(find_lesson(file, machine_.folder, machine_.language), frame);
  } catch (const std::exception& error) {
    report_error(error.what(), frame.now, ui);
  }
}

void LessonController::open(std::shared_ptr<const Lesson> lesson, const UiFrame& frame, std::size_t slide) {
  UiState& ui = window_.ui;
  stage_.use(frame);
  if (!saved_) save(frame);
  close();
  ui.layout.show_panel = ui.drawer.open = ui.camera.fly = ui.camera.playing_path = false;
  ui.layout.show_keys = ui.files.browser.open = false;
  latest_ = lesson->name;
  player_.open(std::move(lesson), !ui.presentation.station && slide == 0);
  is_last_noted_ = false;
  measured_ = std::async(std::launch::async, [lesson = ui.lesson.lesson, machine = machine_.config(),
                                              fits = machine_.fits] { return limits_of(*lesson, machine, fits); });
  stage_.wait(
      [this](const SessionState&) { return measured_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  player_.then([this, slide] {
    std::vector<std::size_t> limits = measured_.get();
    window_.ui.lesson.warning = warning(limits);
    stage_.limit(std::move(limits));
    player_.continue_at(slide);
  });
}

/// Where the lesson continues if it is left now, or the program ends. The title card is not a slide yet.
void LessonController::note_slide() {
  const LessonState& lesson = window_.ui.lesson;
  const bool is_shown = lesson.on() && lesson.phase != LessonState::Phase::title && !player_.waiting();
  if (is_shown && !is_last_noted_) left_.set(lesson.lesson->name, lesson.leads_to.value_or(lesson.slide));
}

/// About the slide that is farthest above what this machine can do; empty if there is none.
std::string LessonController::warning(const std::vector<std::size_t>& limits) const {
  const std::vector<Slide>& slides = window_.ui.lesson.lesson->slides;
  std::size_t asked = 0, most = 0;
  for (std::size_t k = 0; k < slides.size(); ++k) {
    const std::size_t wanted = asked_bodies(slides[k]);
    const bool is_worse = asked == 0 || wanted * most > asked * limits[k];
    if (wanted > limits[k] && is_worse) asked = wanted, most = limits[k];
  }
  if (asked == 0) return {};
  return "This lesson asks for " + with_thousands(asked) + " bodies, more than this machine can show. It uses " +
         with_thousands(most) + ".";
}

void LessonController::save(const UiFrame& frame) {
  const UiState& ui = window_.ui;
  saved_ = {.run = std::nullopt,
            .look = {ui.view, window_.view.camera().pose(), frame.simulation.pace()},
            .camera = ui.camera,
            .scene = ui.scene,
            .show_panel = ui.layout.show_panel,
            .drawer = ui.drawer.open};
  stage_.open();
  if (frame.simulation.scene_serial != 0) saved_->run = options_of(frame.simulation, ui.view, window_.view.camera());
}

/// Ends the lesson that is shown; its run stays, paused.
void LessonController::close() {
  window_.comparison.stop();
  stage_.leave_slide();
  stage_.stop_waiting();
  player_.close();
  asked_at_ = -kAskSeconds;
  remove_notices(NoticeSource::lesson, window_.ui);
  window_.ui.stars.highlight = {};
  window_.ui.drawer.focused.clear();
}

void LessonController::leave(const UiFrame& frame) {
  UiState& ui = window_.ui;
  if (!saved_) return;
  stage_.use(frame);
  close();
  ui.layout.show_panel = saved_->show_panel;
  ui.drawer.open = saved_->drawer;
  if (stage_.run() == 0) return restore();
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
  stage_.wait([this, is_parked, before = frame.simulation.scene_serial](const SessionState& state) {
    return state.scene_serial != before && !state.busy && !is_parked(state) && !window_.scenes.loading();
  });
  player_.then([this] { restore(); });
}

void LessonController::leave_when_asked_twice(const UiFrame& frame) {
  const bool has_begun = window_.ui.lesson.on() && window_.ui.lesson.phase != LessonState::Phase::title;
  if (!has_begun || frame.now < asked_at_ + kAskSeconds) return leave(frame);
  asked_at_ = frame.now;
  set_notice("Press Esc again to leave the lesson.", false, frame.now, window_.ui, NoticeSource::lesson);
}

/// The settings of before the lesson; the camera is that of its run.
void LessonController::restore() {
  UiState& ui = window_.ui;
  const Saved saved = *std::exchange(saved_, std::nullopt);
  const Theme theme = ui.view.theme;
  set_view(saved.look.view, ui);
  ui.view.theme = theme;
  ui.camera = saved.camera;
  set_pace(saved.look.pace, stage_.frame(), ui);
  if (!saved.run) return;  // the first scene has chosen its number of bodies
  ui.scene = saved.scene;
  window_.view.camera().set_pose(saved.look.pose);
}

// ---- while it is shown

bool LessonController::update(const UiFrame& frame, double last_input) {
  stage_.use(frame);
  const bool has_list = take_list();
  take_chosen(frame);
  stage_.update();
  player_.update();
  note_slide();
  if (window_.ui.presentation.station) return_when_idle(frame, last_input);
  return has_list || reading_.valid() || player_.waiting() || window_.ui.lesson.phase == LessonState::Phase::running;
}

void LessonController::return_when_idle(const UiFrame& frame, double last_input) {
  UiState& ui = window_.ui;
  if (frame.now < std::max(last_input, returned_at_) + kIdleSeconds || player_.waiting()) return;
  returned_at_ = frame.now;
  if (ui.lesson.on()) {
    if (ui.lesson.slide != 0 || ui.lesson.phase != LessonState::Phase::question) player_.enter_again(0);
    return;
  }
  ui.requests.push_back(request::Reset{});
  set_running(true, frame, ui);
}

bool LessonController::bounces(const UiFrame& frame) {
  return frame.now - std::exchange(turned_at_, frame.now) < kBounceSeconds;
}

void LessonController::next(const UiFrame& frame) {
  if (bounces(frame)) return;
  UiState& ui = window_.ui;
  stage_.use(frame);
  if (player_.next()) return;
  if (ui.lesson.slide + 1 < ui.lesson.lesson->slides.size()) return player_.enter(ui.lesson.slide + 1);
  if (ui.presentation.station) return player_.enter_again(0);
  if (is_last_noted_) return leave(frame);
  is_last_noted_ = true;
  left_.set(ui.lesson.lesson->name, 0);
  player_.end();
  set_notice("This was the last slide. → leaves the lesson.", false, frame.now, ui, NoticeSource::lesson);
}

void LessonController::previous(const UiFrame& frame) {
  if (bounces(frame)) return;
  LessonState& lesson = window_.ui.lesson;
  stage_.use(frame);
  lesson.blank = is_last_noted_ = false;
  if (player_.waiting() || player_.shows_title()) return;
  if (lesson.slide == 0) return player_.enter_again(0);
  player_.show_again(lesson.slide - 1);
}

void LessonController::repeat(const UiFrame& frame) {
  stage_.use(frame);
  is_last_noted_ = false;
  player_.enter_again(window_.ui.lesson.slide);
}

void LessonController::choose(std::size_t choice, const UiFrame& frame) {
  LessonState& lesson = window_.ui.lesson;
  if (!lesson.waits_for_prediction() || player_.waiting() || choice >= lesson.current().choices.size()) return;
  stage_.use(frame);
  lesson.blank = false;
  lesson.predicted = choice;
  player_.run();
}

}  // namespace pericenter::app
