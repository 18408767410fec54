#include <algorithm>
#include <cmath>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace pericenter::app {
namespace {

constexpr float kTickSpace = 0.4f;  // em; nearer ticks would be a grey block
constexpr float kCatch = 0.3f;      // em; a drag that passes a snapshot this near stops on it

/// Where the line of time is drawn, and which moments it spans.
struct Line {
  const TimeRange& range;
  float left = 0, right = 0, middle = 0;  ///< pixels

  float at(double time) const {
    const double share = (time - range.first) / (range.last - range.first);
    return left + (right - left) * static_cast<float>(std::clamp(share, 0.0, 1.0));
  }
  double time_at(float x) const {
    const double share = std::clamp(static_cast<double>((x - left) / (right - left)), 0.0, 1.0);
    return range.first + (range.last - range.first) * share;
  }
  bool has_ticks() const {
    const float ticks = static_cast<float>(range.snapshots.size());
    return (right - left) > kTickSpace * ImGui::GetFontSize() * ticks;
  }
};

/// The moment under the cursor, or that of a snapshot beside it.
double pointed_moment(const Line& line, float x) {
  const double time = line.time_at(x);
  if (!line.has_ticks()) return time;
  const auto distance = [&](double moment) { return std::abs(line.at(moment) - x); };
  const auto nearest = std::ranges::min_element(line.range.snapshots, {}, distance);
  const bool caught = nearest != line.range.snapshots.end() && distance(*nearest) < kCatch * ImGui::GetFontSize() / 2;
  return caught ? *nearest : time;
}

void draw_line(const Line& line, double now, bool grabbed, const Palette& colors) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize(), thick = 0.3f * em, y = line.middle, x = line.at(now);
  draw->AddRectFilled({line.left, y - thick / 2}, {line.right, y + thick / 2}, ImGui::GetColorU32(colors.well),
                      thick / 2);
  draw->AddRectFilled({line.left, y - thick / 2}, {x, y + thick / 2}, ImGui::GetColorU32(colors.accent), thick / 2);
  if (line.has_ticks()) {
    for (const double moment : line.range.snapshots) {
      const float tick = line.at(moment);
      const ImVec4& color = moment <= now ? colors.accent : colors.dim;
      draw->AddLine({tick, y + thick * 0.9f}, {tick, y + thick * 1.8f}, ImGui::GetColorU32(color), 0.09f * em);
    }
  }
  draw->AddCircleFilled({x, y}, (grabbed ? 0.5f : 0.42f) * em, ImGui::GetColorU32(colors.accent));
  draw->AddCircleFilled({x, y}, 0.18f * em, ImGui::GetColorU32(colors.on_accent));
}

/// "snapshot 3 of 11" on one, "between 3 and 4 of 11" elsewhere; where there is little room, in fewer words.
std::string place_text(const TimeRange& range, double now, float room) {
  const std::vector<double>& all = range.snapshots;
  const auto later = std::ranges::upper_bound(all, now);
  const long before = later - all.begin(), count = static_cast<long>(all.size());
  const bool on_one = before > 0 && *(later - 1) == now;
  const std::string number = on_one ? text("%ld", before) : text("%ld–%ld", before, before + 1);
  const std::string in_words = on_one ? "snapshot " + number : text("between %ld and %ld", before, before + 1);
  const std::string of_all = text(" of %ld", count);
  for (const std::string& words : {in_words + of_all, number + of_all})
    if (ImGui::CalcTextSize(words.c_str()).x <= room) return words;
  return number;
}

/// First moment, place and last moment in one line.
void draw_words(const Line& line, const SessionState& state, double now, const Palette& colors) {
  const std::string first = time_text(line.range.first, state.units), last = time_text(line.range.last, state.units);
  const float top = ImGui::GetCursorScreenPos().y, width = ImGui::GetContentRegionAvail().x;
  const float left = ImGui::GetCursorScreenPos().x, last_width = ImGui::CalcTextSize(last.c_str()).x;
  const float beside = std::max(ImGui::CalcTextSize(first.c_str()).x, last_width) + ImGui::GetFontSize();
  const std::string place = place_text(line.range, now, width - 2 * beside);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 dim = ImGui::GetColorU32(colors.dim);
  draw->AddText({left, top}, dim, first.c_str());
  draw->AddText({left + width - last_width, top}, dim, last.c_str());
  draw->AddText({left + (width - ImGui::CalcTextSize(place.c_str()).x) / 2, top}, ImGui::GetColorU32(colors.text),
                place.c_str());
  ImGui::Dummy({width, ImGui::GetFontSize() * 1.15f});
}

}  // namespace

void draw_timeline(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  if (!state.recorded) return;
  const float em = ImGui::GetFontSize();
  const ImVec2 low = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, 1.3f * em};
  const Line line{*state.recorded, low.x + em / 2, low.x + size.x - em / 2, low.y + size.y / 2};
  ImGui::InvisibleButton("##timeline", size);
  const bool grabbed = ImGui::IsItemActive();
  if (grabbed) {
    const double moment = pointed_moment(line, ImGui::GetIO().MousePos.x);
    if (moment != ui.moment.value()) set_moment(moment, frame, ui);
  }
  draw_line(line, ui.moment.value(), grabbed, palette(ui.view.theme));
  widgets::note(
      ui, "Timeline",
      "The moment of the recording: drag it anywhere. A mark is a snapshot, exact as it was saved; between two "
      "marks each body follows the smooth curve through its places and velocities in both, which is good while "
      "they are no further apart than a fraction of its orbit. A leap reads two files.");
  draw_words(line, state, ui.moment.value(), palette(ui.view.theme));
}

void draw_recording_rows(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  if (!state.recorded) return;
  constexpr const char* kWhy =
      "A recording is played: its motion is read from snapshots, so there is nothing to solve.";
  widgets::paragraph(
      ui, "Recording", kWhy, palette(ui.view.theme).dim,
      "Between two snapshots no forces are computed: accelerations, energies and the tree are not known. "
      "Only time step and direction have an effect.");
  if (widgets::button(ui, "Simulate from here", {ImGui::GetContentRegionAvail().x, 0},
                      "Compute the motion from these bodies on, with the solver below and a softening and a time step "
                      "that suit them. Reset goes back to the recording."))
    ui.requests.push_back(request::Simulate{});
  if (!state.note.empty())
    widgets::paragraph(ui, "Left out", state.note, palette(ui.view.theme).text,
                       "What of the recording is not shown, and why.");
}

}  // namespace pericenter::app
