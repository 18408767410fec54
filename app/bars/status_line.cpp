#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/bars/bars.h"
#include "app/base/format.h"
#include "app/bridge/vertex_bridge.h"
#include "app/lessons/lesson_words.h"

namespace pericenter::app {
namespace {

bool on_gpu(const UiFrame& frame) {
  return frame.simulation.config.backend == Backend::cuda;
}

/// A warning about work that takes unusually long; empty: none.
std::string slow_step_message(const UiFrame& frame) {
  if (frame.stalled_seconds <= 0) return {};
  const double usual = frame.simulation.mean_step_seconds(), share = frame.simulation.step_progress;
  const std::string before = usual < 1 ? text("%.2g ms", 1000 * usual) : text("%.2g s", usual);
  const bool is_step = frame.simulation.step_seconds > 0;
  return (is_step ? "This step has been running" : "The simulation has not answered") +
         text(" for %.0f s", frame.stalled_seconds) + (is_step && usual > 0 ? "; earlier steps took " + before : "") +
         (share > 0 ? text("; %.0f %% is done", 100 * share) : "") +
         ". Wait, save the last checkpoint (Ctrl+S), or select another scene" +
         (on_gpu(frame) ? ", which then runs on the CPU." : " or algorithm, which cancels it.");
}

std::string slow_step_tip(const UiFrame& frame) {
  return std::string("The UI stays responsive; changes apply after this step. ") +
         (on_gpu(frame) ? "If the GPU does not respond, quit with Ctrl+Q and start again: the last valid checkpoint is "
                          "offered then. "
                        : "") +
         "Fewer bodies or a larger θ make steps shorter.";
}

/// The warning about a slow step, which cannot be dismissed; otherwise the newest notice.
Notice current_notice(const UiFrame& frame, const UiState& ui) {
  std::string message = slow_step_message(frame);
  Notice notice = message.empty() ? ui.notices.shown : Notice{std::move(message), true};
  notice.text = lesson_words(notice.text, ui.lesson);
  return notice;
}

/// Where a notice ends on the right: the status line is as wide as the window, one over the image as that.
float right_end(const UiState& ui) {
  return ImGui::GetIO().DisplaySize.x - (ui.layout.show_panel ? 0 : ui.drawer.width);
}

/// Pixels for the lines of a notice; the rest of the width is for its buttons and the shape of the health level.
float notice_width(const UiState& ui) {
  const float buttons = (ui.notices.shown.file.empty() ? 6.0f : 10.0f) + (ui.notices.older.empty() ? 0.0f : 4.0f);
  return right_end(ui) - buttons * ImGui::GetFontSize();
}

/// Height of the second and further lines of the current notice, in pixels.
float extra_height(const UiFrame& frame, const UiState& ui) {
  const std::string message = current_notice(frame, ui).text;
  const float height = ImGui::CalcTextSize(message.c_str(), nullptr, false, notice_width(ui)).y;
  return std::max(0.0f, height - ImGui::GetFontSize());
}

/// Beside ✕: which of several notices is shown.
std::string notice_count(const UiState& ui) {
  return ui.notices.older.empty() ? "" : text("1 of %zu", ui.notices.older.size() + 1);
}

/// Where count and ✕ begin: at the right end of the line, so that repeated clicks close all notices.
float close_button_left(const UiState& ui) {
  const ImGuiStyle& style = ImGui::GetStyle();
  return ImGui::GetIO().DisplaySize.x - ImGui::CalcTextSize(notice_count(ui).c_str()).x - style.ItemSpacing.x -
         ImGui::CalcTextSize("✕").x - 2 * style.FramePadding.x - style.WindowPadding.x;
}

void draw_close_button(UiState& ui) {
  if (ui.layout.show_panel) ImGui::SameLine(close_button_left(ui));
  ImGui::TextDisabled("%s", notice_count(ui).c_str());
  ImGui::SameLine();
  const char* tip = !ui.notices.older.empty() ? "Close this message and show the previous one." : "Close this message.";
  if (widgets::button(ui, {"close-notice", "✕", tip}, {0, 0})) dismiss_notice(ui);
}

void draw_notice(const UiFrame& frame, UiState& ui) {
  const Notice notice = current_notice(frame, ui);
  const Palette& colors = palette(ui.view.theme);
  widgets::colored_text(notice.text, notice.is_error ? colors.error : colors.text,
                        ImGui::GetCursorPosX() + notice_width(ui));
  if (frame.stalled_seconds > 0) {
    return widgets::describe(ui, {"slow-step", "", slow_step_tip(frame)});
  }
  ImGui::SameLine();
  if (!notice.file.empty()) {
    if (widgets::main_button(ui, {"open-recovery", "Open", "Load the bodies from " + notice.file + "."}, {0, 0})) {
      dismiss_notice(ui);
      open_files({notice.file}, ui.files, ui);
    }
    ImGui::SameLine();
  }
  draw_close_button(ui);
}

std::string bridge_description(std::string_view bridge) {
  if (bridge == "interop") return "interop: CUDA writes the stars to the OpenGL buffer; nothing is copied.";
  if (bridge == "staged") return "staged: the stars are copied from the GPU to host memory and back to OpenGL.";
  return "host: the CPU writes the stars to memory that the graphics driver reads.";
}

/// What computes, at the right end of the line before `right`; the tooltip has the rest.
void draw_devices(const UiFrame& frame, float right, UiState& ui) {
  const std::string device(frame.device), bridge(frame.bridge), reason(frame.bridge_reason);
  const SessionState& state = frame.simulation;
  std::string tip = on_gpu(frame) ? "Computed on the GPU" : "Computed on the CPU";
  if (on_gpu(frame) && !state.device_name.empty()) tip += ", " + state.device_name;
  tip += ".\nRenderer: " + device + ".\nVertex buffer: " + bridge_description(bridge);
  if (!reason.empty()) tip += "\nReason: " + reason + ".";
  if (frame.every > 1) tip += '\n' + every_sentence(frame.every);
  const std::string label = on_gpu(frame) ? "GPU" : "CPU";
  const float left = right - ImGui::CalcTextSize(label.c_str()).x;
  ImGui::SameLine(left);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label.c_str());
  widgets::describe(ui, {"vertex-buffer", label, tip});
}

/// Accuracy, devices, and the key for help.
void draw_idle_line(const UiFrame& frame, UiState& ui) {
  const float em = ImGui::GetFontSize();
  const char* hint = "?  help";
  const float hint_left =
      ImGui::GetIO().DisplaySize.x - ImGui::CalcTextSize(hint).x - ImGui::GetStyle().WindowPadding.x;
  const float devices_right = hint_left - 1.5f * em, widest_device = ImGui::CalcTextSize("GPU").x;
  draw_health_strip(frame, devices_right - widest_device - 1.5f * em - ImGui::GetCursorPosX(), ui);
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.view.theme).dim);
  draw_devices(frame, devices_right, ui);
  ImGui::SameLine(hint_left);
  ImGui::TextUnformatted(hint);
  ImGui::PopStyleColor();
}

}  // namespace

void draw_status_line(const UiFrame& frame, UiState& ui) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const ImGuiStyle& style = ImGui::GetStyle();
  ui.layout.status_height = ImGui::GetFrameHeight() + style.FramePadding.y;
  // Further lines cover the image, so that its size does not change.
  ui.layout.notice_height = extra_height(frame, ui);
  const float height = ui.layout.status_height + ui.layout.notice_height;
  ImGui::SetNextWindowPos({0, display.y - height});
  ImGui::SetNextWindowSize({display.x, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {style.WindowPadding.x, style.FramePadding.y * 0.5f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, mixed(palette(ui.view.theme).panel, palette(ui.view.theme).text, 0.05f));
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0, 0, 0, 0});
  ImGui::Begin("Status", nullptr, widgets::kBarFlags);
  ImGui::AlignTextToFramePadding();
  if (current_notice(frame, ui).text.empty()) {
    draw_idle_line(frame, ui);
  } else {
    // Before the text, the shape would look like the kind of the notice.
    const float left = ImGui::GetCursorPosX();
    draw_health_shape(frame, close_button_left(ui) - style.ItemSpacing.x, ui);
    ImGui::SetCursorPosX(left);
    ImGui::AlignTextToFramePadding();
    draw_notice(frame, ui);
  }
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
}

void draw_hidden_status(const UiFrame& frame, UiState& ui) {
  if (current_notice(frame, ui).text.empty()) return;
  const float bottom = ImGui::GetIO().DisplaySize.y - ui.layout.overlay_height;
  ImGui::SetNextWindowPos({std::round(right_end(ui) / 2), bottom}, ImGuiCond_Always, {0.5f, 1});
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0, 0, 0, 0});
  ImGui::SetNextWindowBgAlpha(0.97f);
  ImGui::Begin("Readout", nullptr, widgets::kBarFlags | ImGuiWindowFlags_AlwaysAutoResize);
  draw_notice(frame, ui);
  ui.layout.notice_height = ImGui::GetWindowHeight();  // captions and cards are above it
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace pericenter::app
