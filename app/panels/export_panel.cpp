#include <algorithm>
#include <array>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"

namespace pericenter::app {
namespace {

constexpr std::array<EnumName, 3> kStillSizes = {{
    {"window", "window size", "As many pixels as the image has in the window."},
    {"4k", "3840 × 2160", "4K, for a slide or an A4 poster. The window freezes for a few seconds."},
    {"8k", "7680 × 4320", "8K, for a large poster. The window freezes for several seconds, longer without a GPU."},
}};
constexpr std::array<EnumName, 3> kFormats = {{
    {"mp4", "MP4", "H.264 video, for every player and browser. Requires ffmpeg, which uses one CPU core or more."},
    {"gif", "GIF",
     "For pages without video: 256 colours per frame, at most 50 fps, and large files, so choose a small size. "
     "Requires "
     "ffmpeg."},
    {"png", "PNG frames", "A folder of numbered lossless images, for editing. Slower, and large."},
}};
constexpr std::array<EnumName, 3> kVideoSizes = {{
    {"window", "window size", "As many pixels as the image has in the window when the recording starts."},
    {"hd", "1920 × 1080", "Full HD. Each frame is rendered a second time."},
    {"small", "640 × 360", "For a GIF or a message. Each frame is rendered a second time."},
}};

const ImVec4 kRed{0.93f, 0.23f, 0.22f, 1};

std::string recorded_text(const OutputState& output) {
  return counted(output.recorded_frames, "frame") +
         text(", %.1f s", static_cast<double>(output.recorded_frames) / output.recorded_rate);
}

void image_rows(OutputState& output, Desk& desk) {
  widgets::enum_combo(desk, {"image-size", "Image size", "Size of saved images."}, output.still, kStillSizes);
  widgets::button(desk,
                  {"save-image", "Save image",
                   "Save the image without the user interface (F12) to the Pictures folder. The file contains all "
                   "settings. Shift+F12 saves the whole window."},
                  {-FLT_MIN, 0}, {Action::screenshot});
}

void video_rows(OutputState& output, Desk& desk) {
  ImGui::BeginDisabled(output.recording);
  widgets::enum_combo(desk, {"video-format", "Video", "Format of recorded videos."}, output.format, kFormats);
  widgets::enum_combo(desk, {"video-size", "Video size", "Size of recorded videos."}, output.video, kVideoSizes);
  widgets::slider(desk,
                  {"video-fps", "Frame rate",
                   "Frames per second of the video. The video has one frame per rendered frame, so a higher rate plays "
                   "faster and more smoothly."},
                  output.frames_per_second, {10, 120, "%d fps"});
  ImGui::EndDisabled();
  ImGui::PushStyleColor(ImGuiCol_Text, output.recording ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : kRed);
  const bool pressed = ImGui::Button(output.recording ? "■  Stop###record" : "●  Record###record", {-FLT_MIN, 0});
  ImGui::PopStyleColor();
  widgets::describe(desk, {"record", "",
                           "Start or stop recording a video (F9). The simulation waits for each frame, so the video is "
                           "smooth on slow machines. Nothing is recorded while paused."});
  if (pressed) desk.commands.push_back({Action::toggle_recording});
  if (output.recording)
    widgets::readout(desk, {"recorded", "Recorded", "Frames and duration of the video so far."}, recorded_text(output));
}

/// Breaks lines only at spaces; ImGui also breaks a number after its decimal point.
std::string broken_lines(std::string_view text, float width) {
  std::string lines, line;
  while (!text.empty()) {
    const std::string word(text.substr(0, text.find(' ')));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::string longer = line.empty() ? word : line + " " + word;
    const bool fits = ImGui::CalcTextSize(longer.c_str()).x <= width;
    if (!fits && !line.empty()) lines += line + "\n";
    line = fits ? longer : word;
  }
  return lines + line;
}

void scene_string_rows(const UiFrame& frame, Desk& desk) {
  widgets::heading("Scene as text");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, half = (ImGui::GetContentRegionAvail().x - gap) / 2;
  widgets::button(desk,
                  {"copy-scene", "Copy scene",
                   "Copy the text below (Ctrl+C): scene, solver settings and view. Pasting it restores them, for "
                   "example on another computer."},
                  {half, 0}, {Action::copy_scene});
  ImGui::SameLine(0, gap);
  widgets::button(desk,
                  {"paste-scene", "Paste scene",
                   "Load a scene from a text in the clipboard (Ctrl+V). If the text is invalid, the current scene is "
                   "kept."},
                  {half, 0}, {Action::paste_scene});
  const std::string lines = broken_lines(frame.scene_string, ImGui::GetContentRegionAvail().x);
  widgets::paragraph(desk, {"scene-string", lines,
                            "All settings that differ from the defaults of the scene and the program. Saved images and "
                            "snapshots contain this text."});
}

void add_slide_rows(LessonList& lessons, Desk& desk) {
  widgets::heading("Lesson");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, half = (ImGui::GetContentRegionAvail().x - gap) / 2;
  ImGui::SetNextItemWidth(half);
  widgets::text_field(desk,
                      {"lesson-name", "",
                       "Name of your lesson: letters, digits, - and _. It is the file NAME.lesson.toml, or NAME.toml "
                       "if there is one, in the folder lessons of the settings, and is created if it does not exist."},
                      lessons.add_to, "name of the lesson");
  ImGui::SameLine(0, gap);
  widgets::button(desk,
                  {"add-slide", "Add slide",
                   "Add the text above to this lesson as a slide that runs to the current time. The rest of the "
                   "file is kept. Captions and questions are written in a text editor; F6 lists the "
                   "lessons."},
                  {half, 0}, {Action::add_slide});
}

void system_report_rows(const UiFrame& frame, OutputState& output, Desk& desk) {
  widgets::heading("System report");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, half = (ImGui::GetContentRegionAvail().x - gap) / 2;
  if (widgets::button(desk,
                      {"copy-report", "Copy system report",
                       "Copy versions, processor, GPU, drivers and monitor as text, for a question or an error report. "
                       "The home folder becomes ~; the names of the user and of this computer are left out."},
                      {half, 0})) {
    ImGui::SetClipboardText(std::string(frame.system_report).c_str());
    set_notice("System report copied.", false, frame.now, desk);
  }
  ImGui::SameLine(0, gap);
  bool& shown = output.shows_report;
  const char* tip = "Show or hide the text that \"Copy system report\" copies. --log FILE writes it to a file.";
  if (widgets::button(desk, {"show-report", shown ? "Hide report" : "Show report", tip}, {half, 0})) shown = !shown;
  if (!shown) return;
  std::string lines;
  const float width = ImGui::GetContentRegionAvail().x;
  for (std::string_view rest = frame.system_report; !rest.empty();) {
    const std::size_t length = std::min(rest.find('\n'), rest.size() - 1) + 1;
    lines += broken_lines(rest.substr(0, length), width);
    rest.remove_prefix(length);
  }
  widgets::paragraph(desk, {"system-report", lines, "What \"Copy system report\" copies."});
}

}  // namespace

void draw_export_panel(const UiFrame& frame, OutputState& output, LessonList& lessons, Desk& desk) {
  widgets::checkbox(desk,
                    {"annotate", "Scale bar, clock and legend",
                     "Draw scale bar, clock and legend on saved images and videos, as in the window."},
                    output.annotated);
  image_rows(output, desk);
  ImGui::Spacing();
  video_rows(output, desk);
  if (!output.last_path.empty()) widgets::paragraph(desk, {"last-saved", output.last_path, "The last saved file."});
  scene_string_rows(frame, desk);
  add_slide_rows(lessons, desk);
  system_report_rows(frame, output, desk);
}

void draw_recording_mark(const OutputState& output, float taken, const Desk& desk) {
  if (!output.recording) return;
  const std::string label = recorded_text(output);
  const float em = ImGui::GetFontSize(), width = ImGui::GetIO().DisplaySize.x - desk.layout.panel_width;
  const ImVec2 size = ImGui::CalcTextSize(label.c_str());
  const ImVec2 low{desk.layout.panel_width + 0.5f * (width - size.x) - 1.4f * em, taken + 0.7f * em};
  const ImVec2 high{low.x + size.x + 2.6f * em, low.y + 1.6f * em};
  const float middle = 0.5f * (low.y + high.y);
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  draw.AddRectFilled(low, high, IM_COL32(10, 12, 18, 190), 0.8f * em);
  draw.AddCircleFilled({low.x + 0.95f * em, middle}, 0.36f * em, ImGui::GetColorU32(kRed), 24);
  draw.AddText({low.x + 1.7f * em, middle - 0.5f * size.y}, IM_COL32(240, 242, 246, 255), label.c_str());
  if (ItemLog* log = desk.widgets.log)
    log->items.push_back(
        {text("recorded-%d", static_cast<int>(output.recorded_frames)), label, low.x, low.y, high.x, high.y});
}

}  // namespace pericenter::app
