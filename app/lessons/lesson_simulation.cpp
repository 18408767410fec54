#include "app/lessons/lesson_simulation.h"

#include <limits>
#include <stdexcept>

#include "app/lessons/slide_run.h"
#include "app/settings/scene_string.h"
#include "sim/analysis/tail_stars.h"

namespace pericenter::app {

SessionOptions LessonSimulation::session_options() {
  return {.report = [this](const SessionState&) { return !stop_.raised(); },
          .initial_params = [this](const Params& suggested) { return with_options(suggested, options_); },
          .diagnostics_period = std::numeric_limits<double>::infinity(),
          .allows_rollback = false,
          .measures_each_step = true};
}

LessonSimulation::LessonSimulation(const SceneOptions& options, std::size_t bodies, const Recording& recording,
                                   StopSignals& stop)
    : options_(options), recording_(recording), stop_(stop), session_(session_options()) {
  apply(request::SetConfig{options_.config});
  apply(request::ChooseSolver{options_.automatic_solver, !options_.given.integrator});
  if (options_.reads_a_file())
    apply(load_request(options_));
  else
    session_.load(request::LoadScene{options_.scene, scene_request(options_, bodies)});
  apply(pace_request(options_, session_.state().units));
}

LessonSimulation::LessonSimulation(const LessonSimulation& from, const request::ContinueCopy& copy)
    : options_(from.options_), recording_(from.recording_), stop_(from.stop_), session_(session_options()) {
  apply(copy);
}

void LessonSimulation::apply(const Request& request) {
  const std::uint64_t before = session_.state().message_serial;
  if (std::holds_alternative<request::Reset>(request) || std::holds_alternative<request::LoadScene>(request))
    nuclei_.clear();
  session_.apply(request);
  const SessionState& now = session_.state();
  if (now.message_is_error && now.message_serial != before) throw std::invalid_argument(now.message);
  if (stop_.raised()) throw SceneCancelled{};
}

void LessonSimulation::begin_slide(const Slide& slide) {
  slide_position_ = static_cast<double>(simulation().steps());
  first_tail_stars_.clear();
  highlighted_.clear();
  const bool backwards = slide.action == SlideAction::run_backwards;
  if (!backwards && slide.highlight.what == Highlight::What::nothing) return;
  const Bodies bodies = simulation().bodies();
  if (const auto criterion = StructureMeter(bodies).tail_criterion(bodies); criterion && backwards)
    first_tail_stars_ = stars_in_tails(bodies, *criterion);
  highlighted_ = highlighted_stars(slide.highlight, bodies, session_.state().units);
}

void LessonSimulation::step() {
  constexpr std::uint64_t kEnergyEvery = 10;  // steps
  session_.advance(nullptr, recording_.energy && simulation().steps() % kEnergyEvery == 0);
  if (recording_.nuclei) note_nuclei();
}

void LessonSimulation::note_nuclei() {
  const Bodies bodies = simulation().bodies();
  if (!meter_) meter_ = std::make_unique<StructureMeter>(bodies);
  const StructureMeter::Nuclei nuclei = meter_->nuclei(bodies);
  if (nuclei[0] && nuclei[1]) nuclei_.push_back({simulation().time(), *nuclei[1] - *nuclei[0]});
}

}  // namespace pericenter::app
