#include <string>
#include <string_view>

#include "app/base/format.h"
#include "app/overlay/labels.h"
#include "app/panels/panels.h"

namespace pericenter::app {
namespace {

std::string name_of(const Follow& follow) {
  switch (follow.what) {
    case Follow::What::nothing:
      return "nothing";
    case Follow::What::center_of_mass:
      return "centre of mass";
    case Follow::What::galaxy:
      return text("galaxy %d", follow.galaxy + 1);
    case Follow::What::path:
      return "path of the scene";
    case Follow::What::body:
      return "star " + with_thousands(follow.body);
  }
  return {};
}

void follow_choice(std::string_view id, const Follow& follow, const char* tip, UiState& ui) {
  if (!widgets::choice(ui, {id, name_of(follow), tip}, follow == ui.view.follow)) return;
  ui.view.follow = follow;
  ui.camera.fly = ui.camera.playing_path = false;
}

void follow_row(UiState& ui) {
  if (!widgets::begin_combo(ui,
                            {"follow", "Follow",
                             "Keep this target in the centre of the image while you rotate and zoom. Panning or flying "
                             "ends it."},
                            name_of(ui.view.follow).c_str()))
    return;
  follow_choice("none", {}, "The camera stays in place.", ui);
  follow_choice("center-of-mass", {.what = Follow::What::center_of_mass},
                "Centre of mass of all bodies, including dark halos.", ui);
  const int galaxies = ui.stars.sample ? galaxy_count(*ui.stars.sample) : 0;
  for (int k = 0; k < galaxies; ++k)
    follow_choice(text("galaxy-%d", k + 1), {.what = Follow::What::galaxy, .galaxy = k},
                  "Median position of the stars of this galaxy, which ignores distant tails.", ui);
  if (ui.stars.probed)
    follow_choice(text("star-%u", *ui.stars.probed), {.what = Follow::What::body, .body = *ui.stars.probed},
                  "The probed star.", ui);
  else
    widgets::choice(ui, {"star", "a star", ""}, false, "Click a star in the image first.");
  if (!ui.camera.scene_path.empty())
    follow_choice("path", {.what = Follow::What::path},
                  "The camera path of this scene: approach, passage, tails, merger. It depends on the time of the run, "
                  "not on the clock. Dragging, zooming and flying end it. Costs nothing.",
                  ui);
  else
    widgets::choice(ui, {"path", "path of the scene", ""}, false, "Available only for encounters and galaxies in 3D.");
  widgets::end_combo(ui);
}

/// Buttons of the saved views; used ones have the accent colour.
void view_row(UiState& ui) {
  widgets::row(ui, {"views", "Views",
                    "Saved views; kept between sessions. Click to go to a view (Shift+1 to 8); Ctrl+click or "
                    "right-click to save the current view (Ctrl+1 to 8)."});
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x * 0.6f;
  const float width = (ImGui::GetContentRegionAvail().x - gap * (kSavedCameras - 1)) / kSavedCameras;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (int k = 0; k < static_cast<int>(kSavedCameras); ++k) {
    const bool is_used = ui.camera.saved[k].has_value();
    const std::string id = text("view-%d", k + 1), label = text("%d", k + 1);
    const widgets::Control control = {id, label,
                                      is_used ? "Go to this view. Ctrl+click or right-click to replace it."
                                              : "Empty. Click to save the current view."};
    if (k > 0) ImGui::SameLine(0, gap);
    const bool pressed =
        is_used ? widgets::main_button(ui, control, {width, 0}) : widgets::button(ui, control, {width, 0});
    if ((pressed && (ImGui::GetIO().KeyCtrl || !is_used)) || ImGui::IsItemClicked(1))
      ui.commands.push_back({Action::save_camera, k});
    else if (pressed)
      ui.commands.push_back({Action::go_to_camera, k});
  }
  ImGui::PopStyleVar();
}

void path_buttons(UiState& ui) {
  CameraState& camera = ui.camera;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  widgets::row(ui, {"path", "Path", "A smooth camera path through several views, for presentations and videos."});
  const float play = 3.8f * ImGui::GetFontSize(), add = ImGui::GetContentRegionAvail().x - gap - play;
  widgets::button(ui, {"add-to-path", "Add view", "Append the current view to the path (K)."}, {add, 0},
                  {Action::add_camera_key});
  ImGui::SameLine(0, gap);
  if (widgets::button(ui,
                      {"play-path", camera.playing_path ? "Stop" : "Play",
                       "Move the camera along the path of at least two views. Dragging the image stops it. The "
                       "simulation may be paused."},
                      {play, 0}, camera.path.size() >= 2))
    play_path(!camera.playing_path, camera);
}

void path_rows(UiState& ui) {
  CameraState& camera = ui.camera;
  const float em = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  std::size_t removed = camera.path.size();
  for (std::size_t k = 0; k < camera.path.size(); ++k) {
    widgets::indent();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text("%.1f s", camera.path[k].time).c_str());
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - 6.4f * em - gap);
    if (widgets::button(ui, {text("go-to-key-%zu", k + 1), "Go to", "Go to this view of the path."}, {4.4f * em, 0}))
      camera.go_to = camera.path[k].pose;
    ImGui::SameLine(0, gap);
    if (widgets::button(ui, {text("remove-key-%zu", k + 1), "✕", "Remove this view from the path."}, {2 * em, 0}))
      removed = k;
  }
  remove_camera_key(removed, camera);
  double seconds = path_seconds(camera.path);
  if (camera.path.size() > 1 && widgets::slider(ui, {"path-duration", "Duration", "Duration of the path, in seconds."},
                                                seconds, {1, 120, "%.1f s", true}))
    set_path_seconds(seconds, camera);
}

void overlay_boxes(const UiFrame& frame, UiState& ui) {
  Guides& guides = ui.view.guides;
  widgets::heading("Overlays");
  const float half = ImGui::GetContentRegionAvail().x * 0.5f;
  widgets::checkbox(ui, {"grid", "Grid", "Draw a grid in the plane z = 0 (G)."}, guides.grid);
  ImGui::SameLine(half);
  widgets::checkbox(ui, {"axes", "Axes", "Show the directions of x, y and z (G)."}, guides.axes);
  widgets::checkbox(ui, {"scale-bar", "Scale bar", "Show the scale at the distance of the centre of the image."},
                    guides.scale_bar);
  ImGui::SameLine(half);
  widgets::checkbox(ui, {"legend", "Legend", "Show the meaning of the colours."}, guides.legend);
  bool labels = shows_labels(guides, frame.simulation);
  if (widgets::checkbox(ui,
                        {"labels", "Labels",
                         "Show the names of galaxies, nuclei and planets (U). In the solar system they are shown from "
                         "the start. Positions come from a sample of the stars, so that labels cost next to "
                         "nothing."},
                        labels))
    guides.labels = labels;
  bool light = ui.view.theme == Theme::light;
  if (widgets::checkbox(ui, {"light-theme", "Light theme", "Dark stars on a light background, for bright rooms (L)."},
                        light))
    ui.view.theme = light ? Theme::light : Theme::dark;
}

void presentation_rows(UiState& ui) {
  widgets::heading("Presentation");
  widgets::slider(ui,
                  {"projector-size", "Projector size",
                   "Size of clock, captions and legend in lessons and in full screen without the side bar: 1 is 48, 32 "
                   "and 24 pixels at 1080 lines, for a screen that fills the wall. Larger text covers more of the "
                   "image."},
                  ui.presentation.projector_size, {kMinProjectorSize, kMaxProjectorSize, "%.2g"});
  widgets::indented_checkbox(ui,
                             {"show-pressed-keys", "Show the keys pressed",
                              "Show each key in the lower right corner for two seconds, so that the class can follow."},
                             ui.presentation.shows_keys);
}

}  // namespace

void draw_camera_panel(const UiFrame& frame, UiState& ui) {
  const float half = ImGui::GetContentRegionAvail().x * 0.5f;
  widgets::checkbox(ui,
                    {"fly", "Fly",
                     "Fly with W A S D (forward, left, back, right), Q and E (down, up), Shift for speed; drag to look "
                     "around (V). Otherwise a drag rotates the view about its centre."},
                    ui.camera.fly);
  ImGui::SameLine(half);
  widgets::checkbox(
      ui,
      {"inertia", "Inertia",
       "The camera glides to a stop after you release the mouse. Otherwise it stops immediately, which renders fewer "
       "frames on slow machines."},
      ui.camera.inertia);
  widgets::checkbox(ui,
                    {"reduced-motion", "Reduced motion",
                     "The camera moves only with your input: no glides, no inertia, and a camera path only when you "
                     "press Play. Kept between sessions (--reduced-motion)."},
                    ui.presentation.reduced_motion);
  ImGui::SameLine(half);
  widgets::checkbox(
      ui,
      {"drift", "Drift",
       "The camera slowly orbits the vertical axis, one turn in three minutes, so that depth is visible. "
       "It pauses while you drag. Off with reduced motion, while flying, on a path and in 2D. Every frame "
       "is drawn again, also while the simulation is paused."},
      ui.view.drift);
  follow_row(ui);
  view_row(ui);
  path_buttons(ui);
  path_rows(ui);
  overlay_boxes(frame, ui);
  presentation_rows(ui);
}

}  // namespace pericenter::app
