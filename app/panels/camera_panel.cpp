#include <array>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace pericenter::app {
namespace {

constexpr const char* kFollowTip =
    "Keeps this in the middle of the picture while you turn and zoom. Moving the picture or flying ends it. Only the "
    "picture is moved: speed and accuracy of the simulation stay the same.";

std::string name_of(const Follow& follow) {
  switch (follow.what) {
    case Follow::What::nothing:
      return "nothing";
    case Follow::What::center_of_mass:
      return "centre of mass";
    case Follow::What::galaxy:
      return text("galaxy %d", follow.galaxy + 1);
    case Follow::What::body:
      return "star " + with_thousands(follow.body);
  }
  return {};
}

void follow_choice(const Follow& follow, const char* tip, UiState& ui, const char* not_now = "") {
  if (!widgets::choice(ui, name_of(follow).c_str(), follow == ui.view.follow, tip, not_now)) return;
  ui.view.follow = follow;
  ui.camera.fly = ui.camera.playing_path = false;
}

void follow_row(UiState& ui) {
  if (!widgets::begin_combo(ui, "Follow", name_of(ui.view.follow).c_str(), kFollowTip)) return;
  follow_choice({}, "The camera stays where it is.", ui);
  follow_choice({.what = Follow::What::center_of_mass}, "The centre of mass of all bodies, dark halos included.", ui);
  const int galaxies = ui.sample ? galaxy_count(*ui.sample) : 0;
  for (int k = 0; k < galaxies; ++k)
    follow_choice({.what = Follow::What::galaxy, .galaxy = k},
                  "Where half of its stars are on either side: tails that are thrown far out do not pull at it.", ui);
  if (ui.probed)
    follow_choice({.what = Follow::What::body, .body = *ui.probed}, "The star that is probed, wherever it goes.", ui);
  else if (widgets::choice(ui, "a star", false, "", "Click a star in the picture first."))
    return widgets::end_combo();
  widgets::end_combo();
}

/// Eight small buttons in a row; those that hold a view are in the accent colour.
void view_row(UiState& ui) {
  constexpr const char* kTip =
      "Views that are kept, also for the next session. Click one to go there (Shift 1 to 8); Ctrl click or right click "
      "keeps the present view in it (Ctrl 1 to 8). No cost.";
  widgets::row(ui, "Views", kTip);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x * 0.6f;
  const float width = (ImGui::GetContentRegionAvail().x - gap * (kSavedCameras - 1)) / kSavedCameras;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (int k = 0; k < static_cast<int>(kSavedCameras); ++k) {
    const bool filled = ui.camera.saved[k].has_value();
    const std::string label = text("%d###View %d", k + 1, k + 1);
    const char* tip = filled ? "Go to this view. Ctrl click or right click puts the present one in its place."
                             : "Empty: Ctrl click or right click keeps the present view here.";
    if (k > 0) ImGui::SameLine(0, gap);
    const bool pressed = filled ? widgets::main_button(ui, label.c_str(), {width, 0}, tip)
                                : widgets::button(ui, label.c_str(), {width, 0}, tip);
    const bool keep = (pressed && (ImGui::GetIO().KeyCtrl || !filled)) || ImGui::IsItemClicked(1);
    if (keep)
      ui.commands.push_back({Action::save_camera, k});
    else if (pressed)
      ui.commands.push_back({Action::go_to_camera, k});
  }
  ImGui::PopStyleVar();
}

void path_buttons(UiState& ui) {
  CameraState& camera = ui.camera;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  widgets::row(ui, "Path", "Views that the camera passes one after another in one smooth curve; also for films.");
  const float half = (ImGui::GetContentRegionAvail().x - gap) / 2;
  if (widgets::button(ui, "Add view", {half, 0},
                      "Put the present view at the end of the path, some seconds after the last (K). No cost."))
    ui.commands.push_back({Action::add_camera_key});
  ImGui::SameLine(0, gap);
  ImGui::BeginDisabled(camera.path.size() < 2);
  if (widgets::button(ui, camera.playing_path ? "Stop###Play path" : "Play###Play path", {half, 0},
                      "Move the camera along the path, which takes two views or more. Touching the picture ends it. "
                      "Time need not run."))
    play_path(!camera.playing_path, camera);
  ImGui::EndDisabled();
}

void key_rows(UiState& ui) {
  CameraState& camera = ui.camera;
  const float em = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  std::size_t removed = camera.path.size();
  for (std::size_t k = 0; k < camera.path.size(); ++k) {
    widgets::indent();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text("%.1f s", camera.path[k].time).c_str());
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - 6.4f * em - gap);
    if (widgets::button(ui, text("Go to###Go to key %zu", k + 1).c_str(), {4.4f * em, 0},
                        "Go to this view of the path."))
      camera.go_to = camera.path[k].pose;
    ImGui::SameLine(0, gap);
    if (widgets::button(ui, text("✕###Remove key %zu", k + 1).c_str(), {2 * em, 0}, "Take this view out of the path."))
      removed = k;
  }
  remove_camera_key(removed, camera);
  double seconds = path_seconds(camera.path);
  if (camera.path.size() > 1 &&
      widgets::slider(ui, "Duration", seconds, {1, 120, "%.1f s", true},
                      "How long the camera takes from the first view to the last. Longer is calmer; no cost."))
    set_path_seconds(seconds, camera);
}

void guide_boxes(UiState& ui) {
  Guides& guides = ui.view.guides;
  widgets::heading("On the picture");
  const float half = ImGui::GetContentRegionAvail().x * 0.5f;
  widgets::checkbox(ui, "Grid", guides.grid, "Squares of a round length in the plane z = 0 (G). No cost.");
  ImGui::SameLine(half);
  widgets::checkbox(ui, "Axes", guides.axes, "Where x, y and z point, in the lower right corner (G). No cost.");
  widgets::checkbox(ui, "Scale bar", guides.scale_bar,
                    "A round length as it appears at the distance of the picture's middle. No cost.");
  ImGui::SameLine(half);
  widgets::checkbox(ui, "Legend", guides.legend, "What the colours of the stars mean. No cost.");
  bool light = ui.view.theme == Theme::light;
  if (widgets::checkbox(ui, "Light, for a bright room", light,
                        "Paper and ink instead of night and light, in the panel and in the picture (L). No cost."))
    ui.view.theme = light ? Theme::light : Theme::dark;
}

}  // namespace

void draw_camera_section(const UiFrame& /*frame*/, UiState& ui) {
  if (!widgets::section(ui, "Camera", false, "From where the picture is seen. Nothing here changes the simulation."))
    return;
  const float half = ImGui::GetContentRegionAvail().x * 0.5f;
  widgets::checkbox(ui, "Fly", ui.camera.fly,
                    "W A S D move ahead, left, back and right, Q and E down and up, Shift is faster, and a drag looks "
                    "around (V). Else a drag turns the picture about its middle. No cost.");
  ImGui::SameLine(half);
  widgets::checkbox(ui, "Swing", ui.camera.inertia,
                    "What is let go swings out softly. Without, the camera stops at once, which draws fewer pictures: "
                    "better on slow machines.");
  follow_row(ui);
  view_row(ui);
  path_buttons(ui);
  key_rows(ui);
  guide_boxes(ui);
}

}  // namespace pericenter::app
