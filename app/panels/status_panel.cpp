#include <algorithm>
#include <string>
#include <utility>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/ui/requests.h"

namespace pericenter::app {
namespace {

constexpr ImGuiWindowFlags kPlainFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                         ImGuiWindowFlags_NoFocusOnAppearing;

bool on_gpu(const UiFrame& frame) {
  return frame.simulation.config.backend == Backend::cuda;
}

/// That a step runs on and on; empty when none does.
std::string stall_text(const UiFrame& frame) {
  if (frame.stalled_seconds <= 0) return {};
  const double usual = frame.simulation.usual_step_seconds(), share = frame.simulation.step_share;
  const std::string before = usual < 1 ? text("%.2g ms", 1000 * usual) : text("%.2g s", usual);
  return text("This step has been running for %.0f s", frame.stalled_seconds) +
         (usual > 0 ? "; those before took " + before : "") +
         (share > 0 ? text("; %.0f %% is done", 100 * share) : "") +
         (on_gpu(frame) ? ". Wait for it, or end with Ctrl Q, which saves the last good state."
                        : ". Wait for it, or choose another algorithm or scene, which ends it.");
}

std::string stall_tip(const UiFrame& frame) {
  return std::string(
             "The window goes on meanwhile: the picture can be turned, and what else is set comes after the step. ") +
         (on_gpu(frame)
              ? "If the GPU does not come back, end with Ctrl Q and start again: the last good state is offered then. "
              : "") +
         "Fewer bodies or a larger θ make steps shorter.";
}

/// The newest sentence that the user has not closed; before them all that a step hangs, which no button closes.
Notice current_notice(const UiFrame& frame, const UiState& ui) {
  std::string words = stall_text(frame);
  return words.empty() ? ui.notice : Notice{std::move(words), true};
}

/// Pixels after which the lines of a sentence end; beside it there is room for its buttons.
float notice_width(const UiState& ui) {
  const float buttons = (ui.notice.file.empty() ? 4.0f : 10.0f) + (ui.older_notices.empty() ? 0.0f : 4.0f);
  return ImGui::GetIO().DisplaySize.x - buttons * ImGui::GetFontSize();
}

/// Pixels that the current notice is higher than one line.
float more_lines(const UiFrame& frame, const UiState& ui) {
  const std::string words = current_notice(frame, ui).text;
  const float height = ImGui::CalcTextSize(words.c_str(), nullptr, false, notice_width(ui)).y;
  return std::max(0.0f, height - ImGui::GetFontSize());
}

/// ✕ and how many notices there are, at the right end of the status line, where a second click closes the next one.
void draw_close(UiState& ui) {
  const std::size_t older = ui.older_notices.size();
  const std::string count = older > 0 ? text("1 of %zu", older + 1) : "";
  const ImGuiStyle& style = ImGui::GetStyle();
  const float needed = ImGui::CalcTextSize(count.c_str()).x + style.ItemSpacing.x + ImGui::CalcTextSize("✕").x +
                       2 * style.FramePadding.x + style.WindowPadding.x;
  if (ui.show_panel) ImGui::SameLine(ImGui::GetIO().DisplaySize.x - needed);
  ImGui::TextDisabled("%s", count.c_str());
  ImGui::SameLine();
  const char* tip = older > 0 ? "Close this message and show the one before." : "Close this message.";
  if (widgets::button(ui, "✕", {0, 0}, tip)) dismiss_notice(ui);
}

bool draw_notice(const UiFrame& frame, UiState& ui) {
  const Notice notice = current_notice(frame, ui);
  if (notice.text.empty()) return false;
  ImGui::PushStyleColor(ImGuiCol_Text, notice.is_error ? palette(ui.view.theme).error : palette(ui.view.theme).text);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + notice_width(ui));
  ImGui::TextUnformatted(notice.text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  if (frame.stalled_seconds > 0) {  // it goes with the step
    widgets::note(ui, "Step that hangs", stall_tip(frame));
    return true;
  }
  ImGui::SameLine();
  if (!notice.file.empty()) {
    if (widgets::main_button(ui, "Open them", {0, 0}, "Go on with the bodies in " + notice.file + ".")) {
      dismiss_notice(ui);
      open_files({notice.file}, ui);
    }
    ImGui::SameLine();
  }
  draw_close(ui);
  return true;
}

/// `line` or as much of it as is `width` wide, without cutting a letter in two.
std::string fitted(std::string line, float width) {
  if (ImGui::CalcTextSize(line.c_str()).x <= width) return line;
  constexpr const char* kMore = "…";
  const float room = width - ImGui::CalcTextSize(kMore).x;
  while (!line.empty() && ImGui::CalcTextSize(line.c_str()).x > room) {
    while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0) == 0x80) line.pop_back();
    if (!line.empty()) line.pop_back();
  }
  return line + kMore;
}

std::string way_of_the_stars(std::string_view bridge) {
  if (bridge == "interop")
    return "interop: the last kernel of a step writes the stars where OpenGL draws them from; nothing is copied.";
  if (bridge == "staged")
    return "staged: the stars are copied from the GPU to the computer's memory, and OpenGL fetches them there.";
  return "host: the CPU writes the stars where the graphics driver fetches them.";
}

/// What the program runs on. Its tooltip has the whole of what may not fit into the line.
void draw_devices(const UiFrame& frame, float right, UiState& ui) {
  const std::string device(frame.device), bridge(frame.bridge), reason(frame.bridge_reason);
  std::string line = device + "   ·   vertex buffer: " + bridge;
  std::string tip = "The picture is drawn by " + device + ".\nVertex buffer " + way_of_the_stars(bridge);
  if (!reason.empty()) {
    line += " (" + reason + ")";
    tip += "\nWhy: " + reason + ".";
  }
  ImGui::TextUnformatted(fitted(line, right - ImGui::GetCursorPosX()).c_str());
  widgets::note(ui, "Vertex buffer", tip);
}

}  // namespace

void draw_status_line(const UiFrame& frame, UiState& ui) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const ImGuiStyle& style = ImGui::GetStyle();
  ui.status_height = ImGui::GetFrameHeight() + style.FramePadding.y;
  // Further lines lie upon the picture, which would else change its size for a sentence.
  ui.notice_height = more_lines(frame, ui);
  const float height = ui.status_height + ui.notice_height;
  ImGui::SetNextWindowPos({0, display.y - height});
  ImGui::SetNextWindowSize({display.x, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {style.WindowPadding.x, style.FramePadding.y * 0.5f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, mixed(palette(ui.view.theme).panel, palette(ui.view.theme).text, 0.05f));
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0, 0, 0, 0});
  ImGui::Begin("Status", nullptr, kPlainFlags);
  ImGui::AlignTextToFramePadding();
  if (!draw_notice(frame, ui)) {
    ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.view.theme).dim);
    const char* hint = "?  keys";
    const float hint_left = display.x - ImGui::CalcTextSize(hint).x - style.WindowPadding.x;
    draw_devices(frame, hint_left - ImGui::GetFontSize(), ui);
    ImGui::SameLine(hint_left);
    ImGui::TextUnformatted(hint);
    ImGui::PopStyleColor();
  }
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
}

void draw_hidden_status(const UiFrame& frame, UiState& ui) {
  if (current_notice(frame, ui).text.empty()) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y}, ImGuiCond_Always, {0.5f, 1});
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0, 0, 0, 0});
  ImGui::SetNextWindowBgAlpha(0.97f);
  ImGui::Begin("Readout", nullptr, kPlainFlags | ImGuiWindowFlags_AlwaysAutoResize);
  draw_notice(frame, ui);
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace pericenter::app
