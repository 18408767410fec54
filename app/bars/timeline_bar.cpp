#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>

#include "app/bars/bars.h"
#include "app/bars/timeline_track.h"
#include "app/base/format.h"
#include "app/ui/hidden_results.h"
#include "app/widgets/keyboard.h"

// The bar with the timeline, below the image.
namespace pericenter::app {
namespace {

// In units of the font size.
constexpr float kBarHeight = 2.4f, kMinTrack = 9, kIconWidth = 1.9f, kSpeedWidth = 5;

enum class BarIcon { play, pause, back, forward };

/// Drawn over the last item.
void draw_icon(BarIcon icon) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float x = (low.x + high.x) / 2, y = (low.y + high.y) / 2, r = 0.32f * ImGui::GetFontSize();
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
  const float side = icon == BarIcon::back ? -1 : 1, thin = 0.45f * r;
  switch (icon) {
    case BarIcon::pause:
      draw->AddRectFilled({x - r, y - r}, {x - 0.25f * r, y + r}, color);
      return draw->AddRectFilled({x + 0.25f * r, y - r}, {x + r, y + r}, color);
    case BarIcon::play:
      return draw->AddTriangleFilled({x - 0.8f * r, y - 1.1f * r}, {x + 1.1f * r, y}, {x - 0.8f * r, y + 1.1f * r},
                                     color);
    case BarIcon::back:
    case BarIcon::forward:
      draw->AddTriangleFilled({x - side * 0.9f * r, y - r}, {x + side * 0.6f * r, y}, {x - side * 0.9f * r, y + r},
                              color);
      return draw->AddRectFilled({x + side * 0.75f * r - thin / 2, y - r}, {x + side * 0.75f * r + thin / 2, y + r},
                                 color);
  }
}

void icon_button(UiState& ui, const widgets::Control& control, BarIcon icon, Action action, bool enabled = true) {
  ImGui::BeginDisabled(!enabled);
  widgets::button(ui, control, {kIconWidth * ImGui::GetFontSize(), ImGui::GetFrameHeight()}, {action});
  draw_icon(icon);
  ImGui::EndDisabled();
}

std::string clock_number(double time, const TimeUnit& unit) {
  return decimal_text(time * unit.scene_time, unit.decimals);
}

/// "340 / 870 Myr", or only "870 Myr".
std::string clock_text(const SessionState& state, double shown, bool with_end) {
  const Timeline& timeline = state.timeline;
  const TimeUnit unit = time_unit(state.units);
  const bool at_end = !timeline.is_playback && !timeline.rewound && shown >= timeline.last;
  std::string words = clock_number(at_end ? state.time : timeline.time_at(shown), unit);
  if (with_end) words += " / " + clock_number(timeline.time_at(timeline.last), unit);
  return *unit.name ? words + " " + unit.name : words;
}

/// "snapshot 3 of 11", or "between 3 and 4 of 11".
std::string snapshot_text(const TimeRange& range, double now) {
  const std::vector<double>& all = range.snapshots;
  const auto later = std::ranges::upper_bound(all, now);
  const long before = later - all.begin(), count = static_cast<long>(all.size());
  const bool is_exact = before > 0 && *(later - 1) == now;
  return (is_exact ? text("snapshot %ld", before) : text("between %ld and %ld", before, before + 1)) +
         text(" of %ld", count);
}

/// What the bar has room for. The track gets the pixels that the other parts leave. It has the same size at the newest
/// step and in the past, so that the handle stays under the mouse.
struct BarParts {
  bool track = true, buttons = true, clock = true, snapshot = false, speed = false, proceed = false, live = false;
  bool in_past = false;  ///< shows what only a recorded moment has: proceed and live
  bool long_label = true;
  std::string clock_text, snapshot_text, off_text;
  float clock_width = 0, snapshot_width = 0;  ///< width of the longest texts, so that the track keeps its size

  const char* proceed_label() const { return long_label ? "Continue from here" : "Continue"; }
};

/// Pixels right of the track.
float right_part(const BarParts& bar) {
  const float em = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemSpacing.x;
  float width = 0;
  if (bar.clock) width += bar.clock_width + gap;
  if (bar.snapshot) width += bar.snapshot_width + gap;
  if (bar.speed) width += kSpeedWidth * em + gap;
  if (bar.proceed) width += widgets::button_width(bar.proceed_label()) + gap;
  if (bar.live) width += widgets::button_width("Live") + gap;
  return width;
}

float left_part(const BarParts& bar) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  return bar.buttons ? 3 * (kIconWidth * ImGui::GetFontSize() + gap) + gap : 0;
}

BarParts bar_for(const UiFrame& frame, float width, const UiState& ui) {
  const SessionState& state = frame.simulation;
  const Timeline& timeline = state.timeline;
  const double shown = ui.timeline.position.value();
  BarParts bar;
  bar.in_past = !timeline.is_playback && timeline.rewound;
  bar.clock_text = clock_text(state, shown, bar.in_past || timeline.is_playback);
  bar.clock_width =
      std::max(widgets::text_width(bar.clock_text), widgets::text_width(clock_text(state, timeline.last, true)));
  if (!timeline.is_playback && !timeline.off_because.empty()) {
    bar.track = false;
    bar.off_text = timeline.off_because;
  }
  if (hides_results(ui)) {
    bar.track = bar.clock = bar.buttons = false;
    bar.off_text = kHiddenResult;
    return bar;
  }
  bar.snapshot = state.playback && !state.playback->snapshots.empty();
  if (bar.snapshot) {
    const TimeRange& range = *state.playback;
    const std::string last = text("%zu", range.snapshots.size());
    bar.snapshot_text = snapshot_text(range, shown);
    bar.snapshot_width = widgets::text_width("between " + last + " and " + last + " of " + last);
  }
  bar.proceed = bar.live = !timeline.is_playback && (bar.track || bar.in_past);
  bar.speed = bar.proceed || timeline.is_playback;
  // The side bar has buttons and a clock of its own.
  std::initializer_list<bool*> dispensable = {&bar.snapshot, &bar.speed, &bar.buttons, &bar.long_label, &bar.clock};
  for (bool* part : dispensable) {
    if (width - left_part(bar) - right_part(bar) >= kMinTrack * ImGui::GetFontSize()) break;
    if (part != &bar.buttons || ui.layout.show_panel) *part = false;
  }
  return bar;
}

void draw_buttons(const Timeline& timeline, UiState& ui) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const bool running = ui.edited.running.value();
  icon_button(ui, {"timeline-play", "", "Run or pause (Space). In the past, the recorded moments are replayed."},
              running ? BarIcon::pause : BarIcon::play, Action::toggle_play);
  ImGui::SameLine(0, gap);
  const bool at_start = ui.timeline.position.value() <= timeline.first;
  icon_button(
      ui,
      {"timeline-back", "", at_start ? "Nothing is recorded before this moment." : "One step back, and pause ( , )."},
      BarIcon::back, Action::step_back, !at_start);
  ImGui::SameLine(0, gap);
  icon_button(ui, {"timeline-forward", "", "One step forward, and pause ( . )."}, BarIcon::forward,
              Action::single_step);
  ImGui::SameLine(0, 2 * gap);
}

std::string memory_text(const Timeline& timeline) {
  if (timeline.keyframes == 0) return {};
  return "\n" + counted(timeline.keyframes, "moment") + " in " + bytes_text(timeline.bytes) + " of " +
         bytes_text(timeline.budget) + ", one " + every(timeline.spacing, "step") +
         ". The panel History sets the limit.";
}

std::string track_tip(const Timeline& timeline) {
  if (timeline.is_playback)
    return "Drag to seek; the wheel goes step by step. Each tick is a snapshot, shown exactly as saved. Between two "
           "snapshots, positions and velocities are interpolated with a smooth curve, which is accurate if the "
           "interval is a small fraction of an orbit. A seek reads two files.";
  return "Drag to go back; the wheel goes step by step." + memory_text(timeline);
}

/// Goes to a position of the timeline. A simulation pauses; going to its end continues there.
void scrub(double position, const UiFrame& frame, UiState& ui) {
  const Timeline& timeline = frame.simulation.timeline;
  const double wanted = timeline.is_playback ? position : std::round(position);
  const bool stays_at_end = !timeline.rewound && !timeline.is_playback && wanted >= timeline.last;
  if (wanted == ui.timeline.position.value() || stays_at_end) return;
  if (!timeline.is_playback && ui.edited.running.value()) set_running(false, frame, ui);
  set_position(wanted, frame, ui);
}

void draw_track(const UiFrame& frame, float width, UiState& ui) {
  const SessionState& state = frame.simulation;
  const float height = ImGui::GetWindowHeight();
  const ImVec2 at{ImGui::GetCursorScreenPos().x, ImGui::GetWindowPos().y};
  ImGui::SetCursorScreenPos(at);
  const TimelineTrack track(state, at, {at.x + width, at.y + height});
  widgets::invisible_button("###timeline", {width, height});
  const ImGuiIO& io = ImGui::GetIO();
  const bool grabbed = is_dragged();
  const int way = arrow_steps(ui);
  const double step = state.timeline.is_playback ? std::abs(ui.edited.params.value().dt) : 1;
  if (grabbed) {
    scrub(track.position_at(io.MousePos.x), frame, ui);
  } else if (way != 0) {
    scrub(ui.timeline.position.value() + step * way, frame, ui);
  } else if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
    scrub(ui.timeline.position.value() + step * std::copysign(std::ceil(std::abs(io.MouseWheel)), io.MouseWheel), frame,
          ui);
  }
  track.draw(ui.timeline.position.value(), grabbed, palette(ui.view.theme));
  widgets::describe_at_cursor(ui, {"timeline", "", track_tip(state.timeline)}, track.text_at(io.MousePos));
}

void draw_dim_text(const widgets::Control& control, UiState& ui) {
  widgets::colored_text(control.label, palette(ui.view.theme).dim);
  widgets::describe(ui, control);
}

void draw_off_text(const std::string& words, float width, UiState& ui) {
  std::string tip = words;
  if (!hides_results(ui)) tip += "\nGoing back, branches and \"Go back to the last good moment\" need a history.";
  draw_dim_text({"timeline-off", widgets::fitted(words, width), tip}, ui);
}

void draw_speed(const UiFrame& frame, UiState& ui) {
  double speed = ui.timeline.replay_speed.value();
  ImGui::SetNextItemWidth(kSpeedWidth * ImGui::GetFontSize());
  if (widgets::bare_slider(ui,
                           {"replay-speed", "",
                            "Speed of the replay, 0.1 to 10 times that of the run. Only recorded moments are replayed, "
                            "so the speed changes "
                            "nothing in the result."},
                           speed, {kMinReplaySpeed, kMaxReplaySpeed, "×%.2g", true}))
    set_replay_speed(speed, frame, ui);
}

void draw_proceed(const char* label, UiState& ui) {
  widgets::main_button(ui,
                       {"continue-from-here", label,
                        "Continue to compute from this moment. If no setting is changed, the result is the same, "
                        "bit for bit. The rest of the current run stays as a thin line below the timeline."},
                       {0, 0}, {Action::continue_from_here});
}

void draw_bar(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  const float gap = ImGui::GetStyle().ItemSpacing.x, width = ImGui::GetContentRegionAvail().x;
  const float start = ImGui::GetCursorPosX();
  const float top = std::floor((ImGui::GetWindowHeight() - ImGui::GetFrameHeight()) / 2);
  const BarParts bar = bar_for(frame, width, ui);
  const auto next = [&] { ImGui::SameLine(0, gap), ImGui::SetCursorPosY(top); };
  ImGui::SetCursorPosY(top);
  if (bar.buttons) draw_buttons(state.timeline, ui);
  const float track = width - left_part(bar) - right_part(bar);
  ImGui::AlignTextToFramePadding();
  if (bar.track)
    draw_track(frame, track, ui);
  else
    draw_off_text(bar.off_text, track, ui);
  float x = start + left_part(bar) + track + gap;
  const auto place = [&](float pixels) {
    next();
    ImGui::SetCursorPosX(x);
    ImGui::AlignTextToFramePadding();
    x += pixels + gap;
  };
  if (bar.clock) {
    place(bar.clock_width);
    ImGui::TextUnformatted(bar.clock_text.c_str());
    widgets::describe(ui,
                      {"timeline-clock", bar.clock_text, "Time that the image shows, and the end of the timeline."});
  }
  if (bar.snapshot) {
    place(bar.snapshot_width);
    draw_dim_text({"timeline-snapshot", bar.snapshot_text, "Position among the snapshots of the playback."}, ui);
  }
  if (!bar.in_past && !state.timeline.is_playback) return;
  if (bar.speed) place(kSpeedWidth * ImGui::GetFontSize()), draw_speed(frame, ui);
  if (bar.proceed) place(widgets::button_width(bar.proceed_label())), draw_proceed(bar.proceed_label(), ui);
  if (!bar.live) return;
  place(widgets::button_width("Live"));
  if (widgets::button(ui, {"timeline-live", "Live", "Return to the newest step, where the simulation waits."}, {0, 0}))
    set_position(state.timeline.last, frame, ui);
}

/// Whether the cursor is near the bottom, for a bar of this height over the image.
bool is_wanted(const UiFrame& frame, float height, const UiState& ui) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ui.presentation.station || hides_results(ui)) return false;
  if (frame.simulation.timeline.rewound || (ui.layout.overlay_height > 0 && ImGui::IsAnyItemActive())) return true;
  const bool near = ImGui::IsMousePosValid() && io.MousePos.y > io.DisplaySize.y - 2 * height &&
                    io.MousePos.y < io.DisplaySize.y + height;
  // A drag that turns the camera does not open the bar.
  return near && (ui.layout.overlay_height > 0 || !ImGui::IsAnyMouseDown());
}

void begin_bar(ImVec2 low, ImVec2 size, float alpha, const UiState& ui) {
  const Palette& colors = palette(ui.view.theme);
  const ImVec4 background = with_alpha(mixed(colors.panel, colors.text, 0.025f), alpha);
  ImGui::SetNextWindowPos(low);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ImGui::GetStyle().WindowPadding.x, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, background);
  ImGui::Begin("Timeline", nullptr, widgets::kBarFlags);
}

void end_bar() {
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace

void draw_timeline_bar(const UiFrame& frame, UiState& ui) {
  ui.layout.timeline_height = ui.layout.overlay_height = 0;
  if (frame.simulation.scene_serial == 0) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ui.layout.timeline_height = std::round(kBarHeight * ImGui::GetFontSize());
  const float bottom = display.y - ui.layout.status_height - ui.layout.notice_height;
  begin_bar({ui.layout.panel_width, bottom - ui.layout.timeline_height},
            {display.x - ui.layout.panel_width, ui.layout.timeline_height}, 1, ui);
  draw_bar(frame, ui);
  end_bar();
}

void draw_timeline_overlay(const UiFrame& frame, UiState& ui) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float height = std::round(kBarHeight * ImGui::GetFontSize());
  const bool wanted = frame.simulation.scene_serial != 0 && is_wanted(frame, height, ui);
  ui.layout.timeline_height = 0;
  ui.layout.overlay_height = wanted ? height : 0;
  if (!wanted) return;
  begin_bar({0, display.y - height}, {display.x, height}, 0.9f, ui);
  draw_bar(frame, ui);
  end_bar();
}

}  // namespace pericenter::app
