#include <algorithm>
#include <cmath>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"

namespace pericenter::app {
namespace {

// In units of the font size.
constexpr float kMinTickDistance = 0.4f;
constexpr float kSnapDistance = 0.15f;  // a drag snaps to a snapshot

/// The line of the slider: its position in pixels, and the times that it spans.
struct Line {
  const TimeRange& range;
  float left = 0, right = 0, y = 0;

  float x_at(double time) const {
    const double share = (time - range.first) / (range.last - range.first);
    return left + (right - left) * static_cast<float>(std::clamp(share, 0.0, 1.0));
  }
  double time_at(float x) const {
    const double share = std::clamp(static_cast<double>((x - left) / (right - left)), 0.0, 1.0);
    return range.first + (range.last - range.first) * share;
  }
  bool has_ticks() const {
    const float ticks = static_cast<float>(range.snapshots.size());
    return (right - left) > kMinTickDistance * ImGui::GetFontSize() * ticks;
  }
};

/// The time at the cursor, snapped to a snapshot.
double time_at_cursor(const Line& line, float x) {
  const double time = line.time_at(x);
  if (!line.has_ticks()) return time;
  const auto distance = [&](double snapshot) { return std::abs(line.x_at(snapshot) - x); };
  const auto nearest = std::ranges::min_element(line.range.snapshots, {}, distance);
  const bool snapped =
      nearest != line.range.snapshots.end() && distance(*nearest) < kSnapDistance * ImGui::GetFontSize();
  return snapped ? *nearest : time;
}

void draw_line(const Line& line, double now, bool grabbed, const Palette& colors) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize(), thick = 0.3f * em, y = line.y, x = line.x_at(now);
  draw->AddRectFilled({line.left, y - thick / 2}, {line.right, y + thick / 2}, ImGui::GetColorU32(colors.well),
                      thick / 2);
  draw->AddRectFilled({line.left, y - thick / 2}, {x, y + thick / 2}, ImGui::GetColorU32(colors.accent), thick / 2);
  if (line.has_ticks()) {
    for (const double time : line.range.snapshots) {
      const float tick = line.x_at(time);
      const ImVec4& color = time <= now ? colors.accent : colors.dim;
      draw->AddLine({tick, y + thick * 0.9f}, {tick, y + thick * 1.8f}, ImGui::GetColorU32(color), 0.09f * em);
    }
  }
  draw->AddCircleFilled({x, y}, (grabbed ? 0.5f : 0.42f) * em, ImGui::GetColorU32(colors.accent));
  draw->AddCircleFilled({x, y}, 0.18f * em, ImGui::GetColorU32(colors.on_accent));
}

/// "snapshot 3 of 11" or "between 3 and 4 of 11"; shorter if there are less than `room` pixels.
std::string position_text(const TimeRange& range, double now, float room) {
  const std::vector<double>& all = range.snapshots;
  const auto later = std::ranges::upper_bound(all, now);
  const long before = later - all.begin(), count = static_cast<long>(all.size());
  const bool is_exact = before > 0 && *(later - 1) == now;
  const std::string number = is_exact ? text("%ld", before) : text("%ld–%ld", before, before + 1);
  const std::string name = is_exact ? "snapshot " + number : text("between %ld and %ld", before, before + 1);
  const std::string of_all = text(" of %ld", count);
  for (const std::string& position : {name + of_all, number + of_all})
    if (ImGui::CalcTextSize(position.c_str()).x <= room) return position;
  return number;
}

/// First time, current position and last time on one line.
void draw_labels(const Line& line, const SessionState& state, double now, const Palette& colors) {
  const std::string first = time_text(line.range.first, state.units), last = time_text(line.range.last, state.units);
  const float top = ImGui::GetCursorScreenPos().y, width = ImGui::GetContentRegionAvail().x;
  const float left = ImGui::GetCursorScreenPos().x, last_width = ImGui::CalcTextSize(last.c_str()).x;
  const float margin = std::max(ImGui::CalcTextSize(first.c_str()).x, last_width) + ImGui::GetFontSize();
  const std::string position = position_text(line.range, now, width - 2 * margin);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 dim = ImGui::GetColorU32(colors.dim);
  draw->AddText({left, top}, dim, first.c_str());
  draw->AddText({left + width - last_width, top}, dim, last.c_str());
  draw->AddText({left + (width - ImGui::CalcTextSize(position.c_str()).x) / 2, top}, ImGui::GetColorU32(colors.text),
                position.c_str());
  ImGui::Dummy({width, ImGui::GetFontSize() * 1.15f});
}

}  // namespace

void draw_timeline(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  if (!state.playback) return;
  const float em = ImGui::GetFontSize();
  const ImVec2 low = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, 1.3f * em};
  const Line line{*state.playback, low.x + em / 2, low.x + size.x - em / 2, low.y + size.y / 2};
  ImGui::InvisibleButton("##timeline", size);
  const bool grabbed = ImGui::IsItemActive();
  if (grabbed) {
    const double time = time_at_cursor(line, ImGui::GetIO().MousePos.x);
    if (time != ui.position.value()) set_position(time, frame, ui);
  }
  draw_line(line, ui.position.value(), grabbed, palette(ui.view.theme));
  widgets::describe(ui, {"timeline", "",
                         "Time of the playback: drag to seek. Each tick is a snapshot, shown exactly as saved. Between "
                         "two snapshots, positions and velocities are interpolated with a smooth curve, which is "
                         "accurate if the interval is a small fraction of an orbit. A seek reads two files."});
  draw_labels(line, state, ui.position.value(), palette(ui.view.theme));
}

void draw_playback_panel(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  widgets::paragraph(ui,
                     {"playback-info", "Positions are read from snapshots; no forces are computed.",
                      "Accelerations, energies and the tree are not available. Only the time step and the direction "
                      "have an effect."},
                     palette(ui.view.theme).dim);
  if (widgets::button(ui,
                      {"simulate-from-here", "Simulate from here",
                       "Start a simulation from these bodies, with the solver below and a suitable softening and time "
                       "step. Reset returns to the playback."},
                      {ImGui::GetContentRegionAvail().x, 0}))
    ui.requests.push_back(request::Simulate{});
  if (!state.note.empty())
    widgets::paragraph(ui, {"playback-note", state.note, "Part of the snapshots that is not shown, and why."},
                       palette(ui.view.theme).text);
}

}  // namespace pericenter::app
