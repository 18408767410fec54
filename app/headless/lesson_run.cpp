#include "app/headless/lesson_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>

#include "app/base/format.h"
#include "app/base/memory_budget.h"
#include "app/lessons/lesson_file.h"
#include "app/settings/command_line_error.h"
#include "app/settings/scene_string.h"
#include "app/ui/comparison_setup.h"
#include "render/camera.h"
#include "sim/core/device.h"
#include "sim/files/snapshot.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kUsualBodies = 20'000;  ///< bodies of a scene string without a number
constexpr std::size_t kQuickBodies = 6000;

Config on_machine(Config config, const Config& machine) {
  config.backend = machine.backend;
  config.device = machine.device;
  config.threads = machine.threads;
  return without_unsupported_values(config);
}

/// The steps of a ramp; 0 without one.
double ramp_seconds(const Slide& slide) {
  return slide.ramp ? slide.ramp->seconds : 0;
}

/// The number of steps to a time, for the progress, and as a limit; 0: unknown.
double expected_steps(const Slide& slide, const SessionState& now) {
  const double dt = std::abs(now.params.dt), unit = now.units.time_myr > 0 ? now.units.time_myr : 1;
  if (const auto* time = std::get_if<UntilTime>(&slide.until)) return (time->myr / unit - now.time) / dt;
  if (const auto* seconds = std::get_if<UntilSeconds>(&slide.until)) return seconds->seconds * kLessonStepsPerSecond;
  if (std::holds_alternative<UntilStart>(slide.until)) return std::abs(now.time - now.start_time) / dt;
  return ramp_seconds(slide) * kLessonStepsPerSecond;
}

/// Whether a claim of these slides is about such a quantity.
bool has_claim(std::span<const Slide> slides, bool (*is_such)(const ClaimQuantity& quantity)) {
  const auto is_about = [&](const Claim& claim) { return is_such(*claim.quantity); };
  return std::ranges::any_of(slides, [&](const Slide& slide) { return std::ranges::any_of(slide.claims, is_about); });
}

void set_ramped(const Ramp& ramp, double seconds, LessonSimulation& simulation) {
  const Params& now = simulation.session().state().params;
  if (const Params params = ramped(now, ramp, seconds); params != now) simulation.apply(request::SetParams{params});
}

}  // namespace

std::string place_of(const Lesson& lesson, const Slide& slide, const std::string& key) {
  const std::string own = lesson.path.empty() ? lesson.name + ".toml" : lesson.path;
  return (slide.origin.empty() ? own : slide.origin) + ":" + std::to_string(slide.line) + ": " + key + ": ";
}

std::span<const Slide> slides_of_scene(const Lesson& lesson, const Slide& slide) {
  const Slide* const all_end = lesson.slides.data() + lesson.slides.size();
  const Slide *first = &slide, *last = &slide + 1;
  while (first != lesson.slides.data() && first->continues()) --first;
  while (last != all_end && last->continues()) ++last;
  return {first, last};
}

LessonRun::LessonRun(const Lesson& lesson, const LessonMachine& machine, StopSignals& stop)
    : lesson_(lesson), machine_(machine), stop_(stop) {}

template <class Work>
void LessonRun::guarded(const char* key, const Work& work) {
  const auto fail = [&](const std::string& what) { throw LessonError(place_of(lesson_, *slide_, key) + what); };
  try {
    work();
  } catch (const std::bad_alloc&) {
    fail("out of memory; use fewer bodies.");
  } catch (const DeviceMemoryError& error) {
    fail(error.what() + std::string("; use fewer bodies or --backend cpu."));
  } catch (const CommandLineError& error) {
    fail(error.what());
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
}

void LessonRun::begin(const Slide& slide) {
  const bool keeps_b = slide_ && slide.continues() && slide.compare == slide_->compare;
  slide_ = &slide;
  note_.clear();
  if (!keeps_b) b_.reset();
  if (!slide.continues()) {
    guarded("scene", [&] { load(slide); });
  } else if (!a_) {
    throw LessonError(place_of(lesson_, slide, "scene") + "the first slide of a lesson needs a scene.");
  } else if (!slide.set.empty()) {
    guarded("set", [&] { change(slide.set); });
  }
  if (!slide.compare.empty() && !b_) guarded("compare", [&] { compare(slide); });
  if (slide.action != SlideAction::none) guarded("action", [&] { act(slide.action); });
  start_ = {shown().session().state().time};
  a_->begin_slide(slide);
  if (b_) b_->begin_slide(slide);
}

void LessonRun::load(const Slide& slide) {
  Options options = slide.options;
  options.config = on_machine(options.config, machine_.config);
  a_.reset();
  const std::span<const Slide> slides = slides_of_scene(lesson_, slide);
  const auto needs_energy = [](const ClaimQuantity& quantity) { return quantity.records == Records::energy; };
  const auto needs_nuclei = [](const ClaimQuantity& quantity) { return quantity.records == Records::nuclei; };
  const LessonSimulation::Recording recording{machine_.records_energy || has_claim(slides, needs_energy),
                                              has_claim(slides, needs_nuclei)};
  a_ = std::make_unique<LessonSimulation>(options, bodies_for(slide, options), recording, stop_);
}

/// The bodies that the lesson asks for, if two simulations of them fit into memory where they are compared.
std::size_t LessonRun::bodies_for(const Slide& slide, const Options& options) {
  const SceneInfo& scene = *find_scene(options.scene);
  const std::span<const Slide> slides = slides_of_scene(lesson_, slide);
  std::size_t bodies = scene.allowed(options.bodies.value_or(kUsualBodies));
  const auto depends_on_number = [](const ClaimQuantity& quantity) { return quantity.depends == Depends::on_number; };
  if (machine_.quick && !has_claim(slides, depends_on_number)) bodies = scene.allowed(std::min(bodies, kQuickBodies));
  const bool compares = std::ranges::any_of(slides, [](const Slide& one) { return !one.compare.empty(); });
  const std::size_t most = max_bodies(for_many_bodies(options.config, options.automatic_solver)) / (compares ? 2 : 1);
  if (bodies <= most) return bodies;
  note_ = place_of(lesson_, slide, "scene") + with_thousands(bodies) +
          " bodies need more memory than this machine has; using " + with_thousands(most) + ".";
  return scene.allowed(most);
}

/// Changes settings, during a comparison those of B, as in the window.
void LessonRun::change(const std::string& settings) {
  const SessionState& now = shown().session().state();
  const SlideSettings wanted = changed_settings(now, settings);
  if (wanted.config != now.config) shown().apply(request::SetConfig{wanted.config});
  if (wanted.params != now.params) shown().apply(request::SetParams{wanted.params});
}

/// B continues from the bodies of A. Another encounter restarts the scene, in A as well.
void LessonRun::compare(const Slide& slide) {
  a_->apply(request::TakeCopy{});
  const std::shared_ptr<const RunCopy> copy = a_->session().take_copy();
  const SessionState& now = copy->state;
  Options asked = options_of(now, a_->options().view, {});
  asked.compare = slide.compare;
  const ComparedSettings other = comparison_setup(now, asked).b;
  const Config config = on_machine(other.config, machine_.config);
  b_ = std::make_unique<LessonSimulation>(*a_, request::ContinueCopy{copy, config, other.params});
  if (!other.encounter) return;
  request::LoadScene scene{now.scene, now.scene_request, config};
  scene.scene.encounter = other.encounter;
  b_->apply(scene);
  if (now.steps > now.steps_at_load) a_->apply(request::Reset{});
}

void LessonRun::act(SlideAction action) {
  for (LessonSimulation* simulation : {a_.get(), b_.get()}) {
    if (!simulation) continue;
    if (action == SlideAction::undo) {
      simulation->apply(request::Undo{});
    } else {
      simulation->apply(request::RunBackwards{});
      simulation->apply(request::Play{false});
    }
  }
}

void LessonRun::step(const Slide& slide, double seconds) {
  if (slide.ramp) set_ramped(*slide.ramp, seconds, *a_);
  a_->step();
  if (!b_) return;
  if (slide.ramp) set_ramped(*slide.ramp, seconds, *b_);
  const double time = a_->simulation().time(), dt = b_->session().state().params.dt;
  const auto behind = [&] { return (time - b_->simulation().time()) * (dt < 0 ? -1 : 1) > 0.5 * std::abs(dt); };
  for (std::uint64_t k = 0; k < machine_.max_steps && behind(); ++k) b_->step();
}

/// Whether the quick form takes one step instead of those of some seconds: all claims that follow are about the bodies
/// and settings at their moment.
bool LessonRun::is_shortened(const Slide& slide) const {
  const std::span<const Slide> slides = slides_of_scene(lesson_, slide);
  const bool by_clock = std::holds_alternative<UntilSeconds>(slide.until) ||
                        (std::holds_alternative<std::monostate>(slide.until) && slide.ramp);
  const auto depends_on_run = [](const ClaimQuantity& quantity) { return quantity.depends == Depends::on_run; };
  return machine_.quick && by_clock && !has_claim({&slide, slides.data() + slides.size()}, depends_on_run);
}

void LessonRun::finish(const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  const Slide& slide = *slide_;
  if (is_shortened(slide)) return guarded("until", [&] { step(slide, ramp_seconds(slide)); });
  const bool ends = !std::holds_alternative<std::monostate>(slide.until);
  const double expected = expected_steps(slide, a_->session().state());
  const double limit = std::min(static_cast<double>(machine_.max_steps), ends ? 1e300 : expected);
  const auto total = static_cast<std::uint64_t>(std::clamp(std::ceil(expected), 0.0, limit));
  for (std::uint64_t steps = 0; !stop_.raised(); ++steps) {
    const double seconds = static_cast<double>(steps) / kLessonStepsPerSecond;
    if (ends && has_ended(slide.until, shown().session().state(), start_, seconds)) return;
    if (static_cast<double>(steps) >= limit) {
      if (!ends) return;
      throw LessonError(place_of(lesson_, slide, "until") + "the end of this slide is not reached in " +
                        with_thousands(machine_.max_steps) + " steps; use an end that the run reaches.");
    }
    guarded("until", [&] { step(slide, seconds); });
    if (progress) progress(steps + 1, total);
  }
}

}  // namespace pericenter::app
