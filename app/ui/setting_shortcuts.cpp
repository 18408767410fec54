#include "app/ui/setting_shortcuts.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/base/enum_names.h"
#include "app/base/format.h"
#include "app/ui/send_requests.h"
#include "app/ui/ui_state.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr double kThetaStep = 0.1, kMaxTheta = 1.5;  // limit of the slider
constexpr const char* kRecorded = "A playback computes no forces.";

void tell(std::string words, const UiFrame& frame, Desk& desk) {
  set_notice(std::move(words), false, frame.now, desk);
}

}  // namespace

void step_theta(int direction, const UiFrame& frame, Desk& desk) {
  const Config& config = desk.edited.config.value();
  const SolverInfo* solver = find_solver(config.solver);
  if (frame.simulation.playback) return tell(kRecorded, frame, desk);
  if (!solver || !solver->has_tree())
    return tell("A direct sum has no opening angle θ. O: next algorithm.", frame, desk);
  Params params = desk.edited.params.value();
  if (opens_by_error(config)) {
    params.accuracy = std::clamp(params.accuracy * std::exp2(direction), kMinAccuracy, kMaxAccuracy);
    tell(text("Force error %.3g %%", 100 * params.accuracy), frame, desk);
  } else {
    const double steps = std::round(params.theta / kThetaStep) + direction;
    params.theta = std::clamp(steps * kThetaStep, 0.0, kMaxTheta);
    tell(text("Opening angle θ = %.1f", params.theta), frame, desk);
  }
  set_params(params, frame, desk);
}

void choose_next_solver(const UiFrame& frame, Desk& desk) {
  if (frame.simulation.playback) return tell(kRecorded, frame, desk);
  Config config = desk.edited.config.value();
  const auto table = solvers();
  const auto now = std::ranges::find(table, std::string_view(config.solver), &SolverInfo::name);
  std::size_t next = now == table.end() ? 0 : static_cast<std::size_t>(now - table.begin());
  do next = (next + 1) % table.size();
  while (!table[next].runs_on(config.backend));
  config.solver = table[next].name;
  desk.requests.push_back(request::ChooseSolver{false});
  set_config(without_unsupported_values(config), frame, desk);
  tell("Algorithm: " + std::string(table[next].title), frame, desk);
}

void choose_next_color(const UiFrame& frame, Desk& desk) {
  const int modes = frame.simulation.fields.empty() ? static_cast<int>(render::ColorMode::field) : render::kColorModes;
  const int next = (static_cast<int>(desk.view.image.color) + 1) % modes;
  set_color(static_cast<render::ColorMode>(next), desk);
  tell(std::string("Colour by ") + kColorNames[static_cast<std::size_t>(next)].title, frame, desk);
}

}  // namespace pericenter::app
