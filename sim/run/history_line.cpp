#include "sim/run/history_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

namespace pericenter {
namespace {

template <class List, class Projection>
auto last_before(const List& list, std::uint64_t step, const Projection& step_of) {
  const auto after = std::ranges::upper_bound(list, step, {}, step_of);
  return after == list.begin() ? after : after - 1;
}

std::uint64_t step_of_keyframe(const HistoryKeyframe& keyframe) {
  return keyframe.at.step;
}
std::uint64_t step_of_params(const HistoryParams& params) {
  return params.at.step;
}

std::uint64_t whole_step(double position) {
  return static_cast<std::uint64_t>(std::max(position, 0.0));
}

/// Moves the elements from `first` on to the result.
template <class T>
std::vector<T> split(std::vector<T>& list, typename std::vector<T>::iterator first) {
  std::vector<T> rest(std::make_move_iterator(first), std::make_move_iterator(list.end()));
  list.erase(first, list.end());
  return rest;
}
/// Moves what comes after `position` to the result.
std::vector<TimelineDivision> split_divisions(std::vector<TimelineDivision>& list, double position) {
  std::vector<TimelineDivision> rest =
      split(list, std::ranges::lower_bound(list, position, {}, &TimelineDivision::first));
  if (list.empty() || list.back().last <= position) return rest;
  rest.insert(rest.begin(), {position, list.back().last, list.back().parts});
  list.back().last = position;
  return rest;
}
/// Replaces what does not come before `rest`.
template <class T, class Projection>
void join(std::vector<T>& list, std::vector<T>& rest, const Projection& position) {
  if (rest.empty()) return;
  list.erase(std::ranges::lower_bound(list, position(rest.front()), {}, position), list.end());
  list.insert(list.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
}

struct NamedParameter {
  const char* name;
  double Params::*value;
};
constexpr NamedParameter kNamedParameters[] = {{"dt", &Params::dt},
                                               {"theta", &Params::theta},
                                               {"accuracy", &Params::accuracy},
                                               {"softening", &Params::softening},
                                               {"gravity", &Params::gravity},
                                               {"adaptive-steps", &Params::adaptive_steps}};

std::string short_text(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

void add_change(std::string& text, const std::string& before, const std::string& after) {
  if (before != after) text += (text.empty() ? "" : ", ") + before + " -> " + after;
}
template <class Enum>
void add_change(std::string& text, Enum before, Enum after) {
  add_change(text, std::string(enum_name(before)), std::string(enum_name(after)));
}

}  // namespace

const HistoryKeyframe& HistoryLine::keyframe_before(std::uint64_t step) const {
  return *last_before(keyframes, step, step_of_keyframe);
}

const HistorySegment& HistoryLine::segment_at(std::uint64_t step) const {
  return *last_before(segments, step, [](const HistorySegment& segment) { return segment.first; });
}

const HistoryParams& HistoryLine::params_at(std::uint64_t step) const {
  return *last_before(params, step, step_of_params);
}

MotionPair HistoryLine::around(double position) const {
  const auto left = last_before(keyframes, whole_step(position), step_of_keyframe);
  const auto right = left + 1;
  if (right == keyframes.end()) return {*left->motion, *left->motion, hermite_weights(0, 0)};
  const double span = right->at.time - left->at.time;
  const double share = span == 0 ? 0 : (time_at(position) - left->at.time) / span;
  return {*left->motion, *right->motion, hermite_weights(std::clamp(share, 0.0, 1.0), span)};
}

/// At keyframes the exact time. Between them from the time steps, scaled to the times of the keyframes, which have
/// rounding errors.
double HistoryLine::time_at(double position) const {
  const std::uint64_t step = whole_step(position);
  const auto left = last_before(keyframes, step, step_of_keyframe);
  const bool at_end = left + 1 == keyframes.end();
  const HistoryMoment from = left->at, to = at_end ? last : (left + 1)->at;
  const double offset = position - static_cast<double>(from.step);
  if (offset <= 0) return from.time;
  const auto change = last_before(params, step, step_of_params);
  if (change->at.step <= from.step && (change + 1 == params.end() || (change + 1)->at.step >= to.step)) {
    const double share = to.step == from.step ? 0 : offset / static_cast<double>(to.step - from.step);
    return share >= 1 ? to.time : from.time + (to.time - from.time) * share;
  }
  return change->at.time + change->params.dt * (position - static_cast<double>(change->at.step));
}

std::size_t HistoryLine::bytes() const {
  return std::accumulate(
      keyframes.begin(), keyframes.end(), std::size_t(0),
      [](std::size_t sum, const HistoryKeyframe& keyframe) { return sum + keyframe.motion->layout().bytes(); });
}

HistoryLine HistoryLine::cut(const HistoryMoment& at) {
  HistoryLine rest;
  rest.keyframes = split(keyframes, std::ranges::upper_bound(keyframes, at.step, {}, step_of_keyframe));
  rest.segments = split(segments, std::ranges::upper_bound(segments, at.step, {}, &HistorySegment::first));
  rest.params = split(params, std::ranges::upper_bound(params, at.step, {}, step_of_params));
  rest.marks = split(marks, std::ranges::upper_bound(marks, static_cast<double>(at.step), {}, &TimelineMark::position));
  rest.divisions = split_divisions(divisions, static_cast<double>(at.step));
  // What holds at the cut, because the line may go on differently from there.
  const HistoryKeyframe& keyframe = keyframes.back();
  if (keyframe.at.step == at.step) rest.keyframes.insert(rest.keyframes.begin(), keyframe);
  rest.segments.insert(rest.segments.begin(), segments.back());
  if (!params.empty()) rest.params.insert(rest.params.begin(), {at, params.back().params, params.back().reference});
  rest.last = std::exchange(last, at);
  return rest;
}

void HistoryLine::append(HistoryLine rest) {
  join(keyframes, rest.keyframes, step_of_keyframe);
  join(segments, rest.segments, [](const HistorySegment& segment) { return segment.first; });
  join(params, rest.params, step_of_params);
  join(marks, rest.marks, [](const TimelineMark& mark) { return mark.position; });
  join(divisions, rest.divisions, [](const TimelineDivision& part) { return part.first; });
  last = rest.last;
}

std::string change_text(const Params& before, const Params& after) {
  std::string text;
  for (const auto& [name, value] : kNamedParameters) {
    if (before.*value == after.*value) continue;
    text += (text.empty() ? "" : ", ") + std::string(name) + " " + short_text(before.*value) + " -> " +
            short_text(after.*value);
  }
  return text;
}

Params without_change(Params now, const Params& before, const Params& after) {
  const bool turned = (now.dt < 0) != (after.dt < 0);
  for (const auto& [name, value] : kNamedParameters) {
    if (before.*value != after.*value) now.*value = before.*value;
  }
  if (turned && before.dt != after.dt) now.dt = -now.dt;
  return now;
}

std::string changed_names(const Params& before, const Params& after) {
  std::vector<std::string> names;
  for (const auto& [name, value] : kNamedParameters) {
    if (before.*value != after.*value) names.emplace_back(name);
  }
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  return text;
}

std::string change_text(const Config& before, const Config& after) {
  std::string text;
  add_change(text, before.solver, after.solver);
  add_change(text, before.backend, after.backend);
  add_change(text, before.precision, after.precision);
  add_change(text, std::to_string(before.dimension) + "D", std::to_string(after.dimension) + "D");
  add_change(text, before.multipole, after.multipole);
  add_change(text, before.integrator, after.integrator);
  return text.empty() ? "options of " + after.solver : text;
}

}  // namespace pericenter
