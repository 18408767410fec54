#include "app/bars/timeline_track.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/base/format.h"
#include "app/overlay/annotations.h"

namespace pericenter::app {
namespace {

// In units of the font size.
constexpr float kThickness = 0.3f, kHandle = 0.42f, kGrabbedHandle = 0.5f;
constexpr float kMinTickDistance = 0.4f;
constexpr float kSnapDistance = 0.15f;  // a drag snaps to a snapshot or a mark
constexpr float kEndDistance = 0.3f;    // a drag snaps to the end
constexpr float kNearMark = 0.6f;       // the tooltip describes the mark
constexpr float kMarkRadius = 0.27f, kMarkRaise = 0.68f, kGhostDrop = 0.5f, kGhostGap = 0.22f;

constexpr float kMarkStep = 0.62f, kFarthestMark = 1.3f;  // between marks, and of a mark from its moment
constexpr float kScaleText = 0.68f, kScaleDrop = 0.42f, kScaleStep = 5;

constexpr float kDivisionHeight = 0.12f, kDivisionMargin = 0.06f;

constexpr int kGhostRows = 3;
/// So that the handle of a run that has just started moves along the track.
constexpr double kMinSteps = 100;

struct MarkLook {
  const char* glyph;
  const char* name;
};
MarkLook look_of_mark(TimelineMarkKind kind) {
  switch (kind) {
    case TimelineMarkKind::parameters:
      return {"◆", "Settings changed"};
    case TimelineMarkKind::configuration:
      return {"■", "Configuration changed"};
    case TimelineMarkKind::pericenter:
      return {"▼", "Pericentre"};
    case TimelineMarkKind::apocenter:
      return {"▲", "Apocentre"};
    case TimelineMarkKind::merger:
      return {"+", "Merger"};
    case TimelineMarkKind::highlight:
      return {"*", "Key moment"};
    case TimelineMarkKind::branch:
      return {"Y", "Branch"};
    case TimelineMarkKind::tails:
      return {"~", "First tails"};
  }
  return {"", ""};
}

ImU32 mark_color(TimelineMarkKind kind, const Palette& colors) {
  switch (kind) {
    case TimelineMarkKind::parameters:
    case TimelineMarkKind::configuration:
      return ImGui::GetColorU32(colors.text);
    case TimelineMarkKind::pericenter:
    case TimelineMarkKind::apocenter:
    case TimelineMarkKind::merger:
    case TimelineMarkKind::tails:
      return ImGui::GetColorU32(colors.good);
    case TimelineMarkKind::highlight:
      return ImGui::GetColorU32(colors.caution);
    case TimelineMarkKind::branch:
      break;
  }
  return ImGui::GetColorU32(colors.dim);
}

void draw_star(ImDrawList& draw, ImVec2 at, float r, ImU32 color) {
  constexpr int kCorners = 10;
  const auto corner = [&](int k) {
    const float angle = std::numbers::pi_v<float> * (static_cast<float>(k) / 5 - 0.5f);
    const float radius = k % 2 == 0 ? 1.25f * r : 0.5f * r;
    return ImVec2{at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)};
  };
  for (int k = 0; k < kCorners; ++k) draw.AddTriangleFilled(at, corner(k), corner(k + 1), color);
}

/// A disc with two tails.
void draw_tails(ImDrawList& draw, ImVec2 at, float r, ImU32 color) {
  const float x = at.x, y = at.y, half = 0.6f * r;
  draw.AddQuadFilled({x - half, y}, {x, y - half}, {x + half, y}, {x, y + half}, color);
  draw.AddLine({x - half, y}, {x - 1.3f * r, y + r}, color, 0.45f * r);
  draw.AddLine({x + half, y}, {x + 1.3f * r, y - r}, color, 0.45f * r);
}

/// Shapes that differ without their colours; `r` is half of their size.
void draw_mark(ImDrawList& draw, TimelineMarkKind kind, ImVec2 at, float r, ImU32 color) {
  const float x = at.x, y = at.y, thin = 0.38f * r;
  switch (kind) {
    case TimelineMarkKind::parameters:
      return draw.AddQuadFilled({x - r, y}, {x, y - r}, {x + r, y}, {x, y + r}, color);
    case TimelineMarkKind::configuration:
      return draw.AddRectFilled({x - 0.8f * r, y - 0.8f * r}, {x + 0.8f * r, y + 0.8f * r}, color);
    case TimelineMarkKind::pericenter:
      return draw.AddTriangleFilled({x - r, y - 0.8f * r}, {x + r, y - 0.8f * r}, {x, y + r}, color);
    case TimelineMarkKind::apocenter:
      return draw.AddTriangleFilled({x - r, y + 0.8f * r}, {x, y - r}, {x + r, y + 0.8f * r}, color);
    case TimelineMarkKind::merger:
      draw.AddRectFilled({x - r, y - thin}, {x + r, y + thin}, color);
      return draw.AddRectFilled({x - thin, y - r}, {x + thin, y + r}, color);
    case TimelineMarkKind::highlight:
      return draw_star(draw, at, r, color);
    case TimelineMarkKind::branch:
      draw.AddLine({x, y + r}, {x, y}, color, thin * 1.4f);
      draw.AddLine({x, y}, {x - 0.8f * r, y - r}, color, thin * 1.4f);
      return draw.AddLine({x, y}, {x + 0.8f * r, y - r}, color, thin * 1.4f);
    case TimelineMarkKind::tails:
      return draw_tails(draw, at, r, color);
  }
}

}  // namespace

TimelineTrack::TimelineTrack(const SessionState& state, ImVec2 low, ImVec2 high)
    : state_(state), timeline_(state.timeline), em_(ImGui::GetFontSize()) {
  first_ = timeline_.first, last_ = timeline_.last;
  if (!timeline_.is_playback) last_ = std::max(last_, first_ + kMinSteps);
  for (const TimelineGhost& ghost : timeline_.details->ghosts)
    if (ghost.row < kGhostRows) last_ = std::max(last_, ghost.last);
  if (!(last_ > first_)) last_ = first_ + 1;
  left_ = low.x + em_ / 2, right_ = std::max(high.x - em_ / 2, left_ + 1);
  y_ = low.y + 0.46f * (high.y - low.y);
}

float TimelineTrack::x_at(double position) const {
  const double share = (position - first_) / (last_ - first_);
  return left_ + (right_ - left_) * static_cast<float>(std::clamp(share, 0.0, 1.0));
}

double TimelineTrack::unlimited_position_at(float x) const {
  const double share = std::clamp(static_cast<double>((x - left_) / (right_ - left_)), 0.0, 1.0);
  return first_ + (last_ - first_) * share;
}

bool TimelineTrack::has_ticks() const {
  const std::size_t ticks = state_.playback ? state_.playback->snapshots.size() : 0;
  return ticks > 0 && (right_ - left_) > kMinTickDistance * em_ * static_cast<float>(ticks);
}

const TimelineMark* TimelineTrack::mark_near(float x, float distance) const {
  const auto& marks = timeline_.details->marks;
  const auto away = [&](const TimelineMark& mark) { return std::abs(x_at(mark.position) - x); };
  const auto nearest = std::ranges::min_element(marks, {}, away);
  return nearest != marks.end() && away(*nearest) < distance * em_ ? &*nearest : nullptr;
}

double TimelineTrack::position_at(float x) const {
  const double position = std::clamp(unlimited_position_at(x), timeline_.first, timeline_.last);
  if (!timeline_.is_playback && x > x_at(timeline_.last) - kEndDistance * em_) return timeline_.last;
  const TimelineMark* mark = mark_near(x, kSnapDistance);
  if (mark && mark->position >= timeline_.first && mark->position <= timeline_.last) return mark->position;
  if (!has_ticks()) return position;
  const auto distance = [&](double snapshot) { return std::abs(x_at(snapshot) - x); };
  const double nearest = *std::ranges::min_element(state_.playback->snapshots, {}, distance);
  return distance(nearest) < kSnapDistance * em_ ? nearest : position;
}

float TimelineTrack::ghost_y(int row) const {
  return y_ + (kGhostDrop + kGhostGap * static_cast<float>(row)) * em_;
}

const TimelineGhost* TimelineTrack::ghost_at(ImVec2 cursor) const {
  for (const TimelineGhost& ghost : timeline_.details->ghosts) {
    if (ghost.row < 0 || ghost.row >= kGhostRows) continue;
    const bool beside = cursor.x >= x_at(ghost.first) && cursor.x <= x_at(ghost.last);
    if (beside && std::abs(cursor.y - ghost_y(ghost.row)) <= kGhostGap * em_ / 2) return &ghost;
  }
  return nullptr;
}

std::string TimelineTrack::text_at(ImVec2 cursor) const {
  const auto time = [&](double position) { return time_text(timeline_.time_at(position), state_.units); };
  std::string shown = time(position_at(cursor.x));
  for (const PlacedMark& placed : placed_marks()) {
    if (std::abs(placed.at - cursor.x) >= kNearMark * em_) continue;
    const TimelineMark& mark = *placed.mark;
    const MarkLook look = look_of_mark(mark.kind);
    const std::string when = time(mark.position), what = mark.text.empty() ? look.name : mark.text;
    shown += std::string("\n") + look.glyph + ' ' + what;
    if (what.find(when) == what.npos) shown += ", at " + when;
  }
  if (const TimelineDivision* division = division_at(cursor.x))
    shown += text("\nSteps divided into up to %d parts, from ", division->parts) + time(division->first) + " to " +
             time(division->last);
  if (const TimelineGhost* ghost = ghost_at(cursor))
    shown += "\nAn earlier course of the run, from " + time(ghost->first) +
             ". It was left when the run was continued from there.";
  return shown;
}

void TimelineTrack::draw_snapshots(double shown, const Palette& colors) const {
  if (!has_ticks()) return;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float thick = kThickness * em_;
  for (const double time : state_.playback->snapshots) {
    const ImVec4& color = time <= shown ? colors.accent : colors.dim;
    draw->AddLine({x_at(time), y_ + thick * 0.9f}, {x_at(time), y_ + thick * 1.8f}, ImGui::GetColorU32(color),
                  0.09f * em_);
  }
}

/// Of the marks that have no room near their moments, the first is drawn.
std::vector<TimelineTrack::PlacedMark> TimelineTrack::placed_marks() const {
  std::vector<PlacedMark> placed;
  for (const TimelineMark& mark : timeline_.details->marks) {
    const float x = x_at(mark.position);
    const float at = placed.empty() ? x : std::max(x, placed.back().at + kMarkStep * em_);
    const bool repeats = !placed.empty() && placed.back().mark->kind == mark.kind && x - placed.back().x < 2;
    if (mark.position < first_ || mark.position > last_ || repeats || at - x > kFarthestMark * em_) continue;
    placed.push_back({&mark, x, at});
  }
  return placed;
}

void TimelineTrack::draw_marks(const Palette& colors) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (const PlacedMark& placed : placed_marks()) {
    const ImU32 color = mark_color(placed.mark->kind, colors);
    const float y = y_ - kMarkRaise * em_;
    if (placed.at > placed.x + 1) draw.AddLine({placed.at, y}, {placed.x, y_}, color, 0.06f * em_);
    draw_mark(draw, placed.mark->kind, {placed.at, y}, kMarkRadius * em_, color);
  }
}

std::vector<TimelineTrack::ScaleMark> TimelineTrack::scale() const {
  const TimeUnit unit = time_unit(state_.units);
  const auto shown = [&](double position) { return timeline_.time_at(position) * unit.scene_time; };
  const double begin = std::min(shown(timeline_.first), shown(timeline_.last));
  const double end = std::max(shown(timeline_.first), shown(timeline_.last));
  const float pixels = x_at(timeline_.last) - x_at(timeline_.first);
  std::vector<ScaleMark> marks;
  if (!(end > begin) || !(pixels > kScaleStep * em_)) return marks;
  const double step = round_length(2.5 * (end - begin) * kScaleStep * em_ / pixels);
  for (double count = std::ceil(begin / step - 1e-9); count * step <= end; ++count)
    marks.push_back({x_at(timeline_.position_at(count * step / unit.scene_time)), text("%.6g", count * step + 0.0)});
  if (!marks.empty() && *unit.name) marks.back().text += std::string(" ") + unit.name;
  return marks;
}

void TimelineTrack::draw_scale(const Palette& colors) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float size = kScaleText * em_, top = y_ + kScaleDrop * em_;
  float end = left_ - em_;  // of the last number
  for (const ScaleMark& mark : scale()) {
    const float width = ImGui::GetFont()->CalcTextSizeA(size, FLT_MAX, 0, mark.text.c_str()).x;
    const float x = std::clamp(mark.x - width / 2, left_, std::max(left_, right_ - width));
    if (x < end + size) continue;
    draw.AddLine({mark.x, y_ + kThickness * em_ / 2}, {mark.x, top}, ImGui::GetColorU32(colors.dim), 0.07f * em_);
    draw.AddRectFilled({x, top}, {x + width, top + size}, ImGui::GetColorU32(colors.panel));
    draw.AddText(ImGui::GetFont(), size, {x, top}, ImGui::GetColorU32(colors.dim), mark.text.c_str());
    end = x + width;
  }
}

void TimelineTrack::draw_ghosts(const Palette& colors) const {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 color = ImGui::GetColorU32(mixed(colors.panel, colors.dim, 0.75f));
  const float thin = 0.1f * em_;
  for (const TimelineGhost& ghost : timeline_.details->ghosts) {
    if (ghost.row < 0 || ghost.row >= kGhostRows) continue;
    const float start = x_at(ghost.first), y = ghost_y(ghost.row), end = std::max(x_at(ghost.last), start + thin);
    draw->AddLine({start, y_}, {start, y}, color, thin);
    draw->AddLine({start, y}, {end, y}, color, thin);
  }
}

/// The shortest are wide enough to be seen and hit.
const TimelineDivision* TimelineTrack::division_at(float x) const {
  const auto covers = [&](const TimelineDivision& division) {
    return x >= x_at(division.first) - kDivisionMargin * em_ && x <= x_at(division.last) + kDivisionMargin * em_;
  };
  const auto& all = timeline_.details->divisions;
  const auto found = std::ranges::find_if(all, covers);
  return found == all.end() ? nullptr : &*found;
}

/// A band below the track where steps were divided.
void TimelineTrack::draw_divisions(const Palette& colors) const {
  const ImU32 color = ImGui::GetColorU32(colors.caution);
  const float top = y_ + kThickness * em_ / 2, margin = kDivisionMargin * em_;
  for (const TimelineDivision& division : timeline_.details->divisions) {
    if (division.last < first_ || division.first > last_) continue;
    ImGui::GetWindowDrawList()->AddRectFilled({x_at(division.first) - margin, top},
                                              {x_at(division.last) + margin, top + kDivisionHeight * em_}, color);
  }
}

void TimelineTrack::draw(double shown, bool grabbed, const Palette& colors) const {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float thick = kThickness * em_, x = x_at(shown), end = x_at(timeline_.last);
  const auto stretch = [&](float from, float to, const ImVec4& color) {
    draw->AddRectFilled({from, y_ - thick / 2}, {to, y_ + thick / 2}, ImGui::GetColorU32(color), thick / 2);
  };
  draw_ghosts(colors);
  draw_scale(colors);
  stretch(left_, right_, mixed(colors.well, colors.text, 0.08f));
  if (!timeline_.is_playback) stretch(left_, end, mixed(colors.well, colors.accent, 0.45f));
  stretch(left_, x, colors.accent);
  draw_divisions(colors);
  draw_snapshots(shown, colors);
  draw_marks(colors);
  draw->AddCircleFilled({x, y_}, (grabbed ? kGrabbedHandle : kHandle) * em_, ImGui::GetColorU32(colors.accent));
  draw->AddCircleFilled({x, y_}, 0.18f * em_, ImGui::GetColorU32(colors.on_accent));
}

}  // namespace pericenter::app
