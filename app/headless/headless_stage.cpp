#include "app/headless/headless_stage.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include "app/base/format.h"
#include "app/base/memory_budget.h"
#include "app/settings/command_line_error.h"
#include "app/settings/scene_string.h"
#include "app/ui/comparison_setup.h"
#include "sim/core/device.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kQuickBodies = 6000;

/// Steps per second of a window that keeps its pace.
double lesson_rate(const SessionState& now) {
  return now.speed > 0 ? steps_per_second(now.speed, now.params.dt) : kLessonStepsPerSecond;
}

/// The number of steps to a time, for the progress, and as a limit; 0: unknown.
double expected_steps(const Slide& slide, const SessionState& now) {
  const double dt = std::abs(now.params.dt), unit = now.units.time_myr > 0 ? now.units.time_myr : 1;
  if (const auto* time = std::get_if<UntilTime>(&slide.until)) return (time->myr / unit - now.time) / dt;
  if (const auto* seconds = std::get_if<UntilSeconds>(&slide.until)) return seconds->seconds * lesson_rate(now);
  if (std::holds_alternative<UntilStart>(slide.until)) return std::abs(now.time - now.start_time) / dt;
  return slide.ramp ? slide.ramp->seconds * lesson_rate(now) : 0;
}

/// Whether a claim of these slides is about a quantity with this value in a column.
template <class Value>
bool has_claim(std::span<const Slide> slides, Value ClaimQuantity::*column, Value value) {
  const auto is_about = [&](const Claim& claim) { return claim.quantity->*column == value; };
  return std::ranges::any_of(slides, [&](const Slide& slide) { return std::ranges::any_of(slide.claims, is_about); });
}

/// "FILE:LINE: KEY: " of a slide, as errors of lesson files begin.
std::string place_of(const Lesson& lesson, const Slide& slide, const std::string& key) {
  const std::string own = lesson.path.empty() ? lesson.name + ".toml" : lesson.path;
  return (slide.origin.empty() ? own : slide.origin) + ":" + std::to_string(slide.line) + ": " + key + ": ";
}

}  // namespace

std::span<const Slide> slides_of_scene(const Lesson& lesson, const Slide& slide) {
  const Slide* const all_end = lesson.slides.data() + lesson.slides.size();
  const Slide *first = &slide, *last = &slide + 1;
  while (first != lesson.slides.data() && first->continues()) --first;
  while (last != all_end && last->continues()) ++last;
  return {first, last};
}

HeadlessStage::HeadlessStage(const Lesson& lesson, const LessonMachine& machine, StopSignals& stop)
    : lesson_(lesson), machine_(machine), stop_(stop) {
  player_.open(std::shared_ptr<const Lesson>(std::shared_ptr<const Lesson>(), &lesson), false);
}

void HeadlessStage::report(const char* key, const std::string& problem) {
  throw LessonError(place_of(lesson_, slide(), key) + problem);
}

template <class Work>
void HeadlessStage::guarded(const char* key, const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    report(key, "out of memory; use fewer bodies.");
  } catch (const DeviceMemoryError& error) {
    report(key, error.what() + std::string("; use fewer bodies or --backend cpu."));
  } catch (const CommandLineError& error) {
    report(key, error.what());
  } catch (const std::invalid_argument& error) {
    report(key, error.what());
  }
}

void HeadlessStage::enter(const Slide& slide) {
  note_.clear();
  player_.enter(static_cast<std::size_t>(&slide - lesson_.slides.data()));
}

void HeadlessStage::load(const Slide& slide) {
  guarded("scene", [&] {
    b_.reset();
    a_.reset();
    SceneOptions options = slide.options;
    options.config = on_machine(options.config, machine_.config);
    const std::span<const Slide> slides = slides_of_scene(lesson_, slide);
    const LessonSimulation::Recording recording{
        machine_.records_energy || has_claim(slides, &ClaimQuantity::records, Records::energy),
        has_claim(slides, &ClaimQuantity::records, Records::nuclei)};
    a_ = std::make_unique<LessonSimulation>(options, bodies_for(slide, options), recording, stop_);
  });
}

/// The bodies that the lesson asks for, if two simulations of them fit into memory where they are compared.
std::size_t HeadlessStage::bodies_for(const Slide& slide, const SceneOptions& options) {
  if (options.reads_a_file()) return 0;  // those of the file
  const SceneInfo& scene = *find_scene(options.scene);
  const std::span<const Slide> slides = slides_of_scene(lesson_, slide);
  std::size_t bodies = scene.allowed(options.bodies.value_or(kLessonBodies));
  if (machine_.quick && !has_claim(slides, &ClaimQuantity::depends, Depends::on_number))
    bodies = scene.allowed(std::min(bodies, kQuickBodies));
  const bool compares = std::ranges::any_of(slides, [](const Slide& one) { return !one.compare.empty(); });
  const std::size_t most = max_bodies({for_many_bodies(options.config, options.automatic_solver)}) / (compares ? 2 : 1);
  if (bodies <= most) return bodies;
  note_ = place_of(lesson_, slide, "scene") + with_thousands(bodies) +
          " bodies need more memory than this machine has; using " + with_thousands(most) + ".";
  return scene.allowed(most);
}

void HeadlessStage::set(const SlideSettings& settings, bool) {
  guarded("set", [&] {
    if (settings.config != state().config) shown().apply(request::SetConfig{settings.config});
    if (settings.params != state().params) shown().apply(request::SetParams{settings.params});
  });
}

/// B continues from the bodies of A, or starts another encounter.
void HeadlessStage::compare(const Slide& slide) {
  guarded("compare", [&] {
    a_->apply(request::TakeCopy{});
    const std::shared_ptr<const RunCopy> copy = a_->session().take_copy();
    const SessionState& now = copy->state;
    SceneOptions asked = options_of(now, a_->options().view, {});
    asked.compare = slide.compare;
    const ComparedSettings other = comparison_setup(now, asked).b;
    const Config config = on_machine(other.config, machine_.config);
    b_ = std::make_unique<LessonSimulation>(*a_, request::ContinueCopy{copy, config, other.params});
    if (!other.encounter) return;
    request::LoadScene scene{now.scene, now.scene_request, config};
    scene.scene.encounter = other.encounter;
    b_->apply(scene);
  });
}

void HeadlessStage::play(const Slide& slide) {
  steps_ = 0;
  seconds_ = 0;
  ramp_seconds_.reset();
  guarded("action", [&] {
    for (LessonSimulation* simulation : {a_.get(), b_.get()}) {
      if (!simulation) continue;
      simulation->begin_slide(slide);
    }
    if (slide.action != SlideAction::run_backwards) return;
    a_->apply(request::RunBackwards{});
    a_->apply(request::Play{false});
    if (!b_) return;
    Params params = b_->session().state().params;
    params.dt = std::copysign(params.dt, a_->session().state().params.dt);
    b_->apply(request::SetParams{params});  // the start of B may be later than that of A
  });
}

void HeadlessStage::step() {
  for (LessonSimulation* simulation : {a_.get(), b_.get()}) {
    if (!simulation || !ramp_seconds_) continue;
    const Params& now = simulation->session().state().params;
    const Params params = ramped(now, *slide().ramp, *ramp_seconds_);
    if (params != now) simulation->apply(request::SetParams{params});
  }
  ++steps_;
  seconds_ += 1 / lesson_rate(a_->session().state());
  a_->step();
  if (!b_) return;
  const double time = a_->simulation().time(), dt = b_->session().state().params.dt;
  const auto behind = [&] {
    return dt != 0 && (time - b_->simulation().time()) * (dt < 0 ? -1 : 1) > 0.5 * std::abs(dt);
  };
  for (std::uint64_t k = 0; k < machine_.max_steps && behind(); ++k) b_->step();
}

/// Whether the quick form takes one step instead of those of some seconds: all claims that follow are about the bodies
/// and settings at their moment.
bool HeadlessStage::is_shortened() const {
  const std::span<const Slide> slides = slides_of_scene(lesson_, slide());
  const bool by_clock = std::holds_alternative<UntilSeconds>(slide().until) ||
                        (std::holds_alternative<std::monostate>(slide().until) && slide().ramp);
  return machine_.quick && by_clock &&
         !has_claim({&slide(), slides.data() + slides.size()}, &ClaimQuantity::depends, Depends::on_run);
}

void HeadlessStage::finish(const std::function<void(double share)>& progress) {
  if (state_.phase == LessonState::Phase::question) player_.run();
  if (is_shortened()) {
    if (slide().ramp) ramp_seconds_ = slide().ramp->seconds;
    guarded("until", [&] { step(); });
    return player_.end();
  }
  const bool ends = !std::holds_alternative<std::monostate>(slide().until);
  const double expected = expected_steps(slide(), a_->session().state());
  const double limit = std::min(static_cast<double>(machine_.max_steps), ends ? 1e300 : expected);
  while (!stop_.raised()) {
    player_.update();
    if (state_.phase == LessonState::Phase::ended) return;
    if (static_cast<double>(steps_) >= limit) {
      if (!ends) return player_.end();
      report("until", "the end of this slide is not reached in " + with_thousands(machine_.max_steps) +
                          " steps; use an end that the run reaches.");
    }
    guarded("until", [&] { step(); });
    if (progress && expected > 0) progress(std::min(static_cast<double>(steps_) / std::min(expected, limit), 1.0));
  }
}

}  // namespace pericenter::app
