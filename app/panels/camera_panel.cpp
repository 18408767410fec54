#include <imgui_internal.h>

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
    case Follow::What::story:
      return "the story";
    case Follow::What::body:
      return "star " + with_thousands(follow.body);
  }
  return {};
}

void follow_choice(std::string_view id, const Follow& follow, const char* tip, CameraState& camera, Desk& desk) {
  if (!widgets::choice(desk, {id, name_of(follow), tip}, follow == desk.view.follow)) return;
  desk.view.follow = follow;
  camera.fly = camera.playing_path = false;
  if (follow.what != Follow::What::nothing && follow.what != Follow::What::story) return;
  desk.layout.side_bar.follows_story = follow.what == Follow::What::story;
  ImGui::MarkIniSettingsDirty();
}

void follow_row(SelectedStars& stars, CameraState& camera, Desk& desk) {
  if (!widgets::begin_combo(desk,
                            {"follow", "Follow",
                             "Keep this target in the centre of the image while you rotate and zoom. Panning or flying "
                             "ends it."},
                            name_of(desk.view.follow).c_str()))
    return;
  follow_choice("story", {.what = Follow::What::story},
                "The camera moves slowly, so that the stars fill the image and nearly all of them stay in it. Turning, "
                "moving or zooming it ends that; this or F continues it. With reduced motion it stands still where all "
                "that happens is in the image. Off in lessons.",
                camera, desk);
  follow_choice("none", {}, "The camera stays in place, also in the scenes that follow.", camera, desk);
  follow_choice("center-of-mass", {.what = Follow::What::center_of_mass},
                "Centre of mass of all bodies, including dark halos.", camera, desk);
  const int galaxies = stars.sample ? galaxy_count(*stars.sample) : 0;
  for (int k = 0; k < galaxies; ++k)
    follow_choice(text("galaxy-%d", k + 1), {.what = Follow::What::galaxy, .galaxy = k},
                  "Median position of the stars of this galaxy, which ignores distant tails.", camera, desk);
  if (const auto star = stars.shown ? stars.shown : stars.probed)
    follow_choice(text("star-%u", *star), {.what = Follow::What::body, .body = *star}, "The selected star.", camera,
                  desk);
  else
    widgets::choice(desk, {"star", "a star", ""}, false, "Click a star in the image first.");
  if (!camera.scene_path.empty())
    follow_choice("path", {.what = Follow::What::path},
                  "The camera path of this scene: approach, passage, tails, merger. It depends on the time of the run, "
                  "not on the clock. Dragging, zooming and flying end it. Costs nothing.",
                  camera, desk);
  else
    widgets::choice(desk, {"path", "path of the scene", ""}, false,
                    "Available only for encounters and galaxies in 3D.");
  widgets::end_combo(desk);
}

/// Buttons of the saved views; used ones have the accent colour.
void view_row(CameraState& camera, Desk& desk) {
  widgets::row(desk, {"views", "Views",
                      "Saved views; kept between sessions. Click to go to a view (Shift+1 to 8); Ctrl+click or "
                      "right-click to save the current view (Ctrl+1 to 8)."});
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x * 0.6f;
  const float width = (ImGui::GetContentRegionAvail().x - gap * (kSavedCameras - 1)) / kSavedCameras;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (int k = 0; k < static_cast<int>(kSavedCameras); ++k) {
    const bool is_used = camera.saved[k].has_value();
    const std::string id = text("view-%d", k + 1), label = text("%d", k + 1);
    const widgets::Control control = {id, label,
                                      is_used ? "Go to this view. Ctrl+click or right-click to replace it."
                                              : "Empty. Click to save the current view."};
    if (k > 0) ImGui::SameLine(0, gap);
    const bool pressed =
        is_used ? widgets::main_button(desk, control, {width, 0}) : widgets::button(desk, control, {width, 0});
    if ((pressed && (ImGui::GetIO().KeyCtrl || !is_used)) || ImGui::IsItemClicked(1))
      desk.commands.push_back({Action::save_camera, k});
    else if (pressed)
      desk.commands.push_back({Action::go_to_camera, k});
  }
  ImGui::PopStyleVar();
}

void path_buttons(CameraState& camera, Desk& desk) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  widgets::row(desk, {"path", "Path", "A smooth camera path through several views, for presentations and videos."});
  const float play = 3.8f * ImGui::GetFontSize(), add = ImGui::GetContentRegionAvail().x - gap - play;
  widgets::button(desk, {"add-to-path", "Add view", "Append the current view to the path (K)."}, {add, 0},
                  {Action::add_camera_key});
  ImGui::SameLine(0, gap);
  if (widgets::button(desk,
                      {"play-path", camera.playing_path ? "Stop" : "Play",
                       "Move the camera along the path of at least two views. Dragging the image stops it. The "
                       "simulation may be paused."},
                      {play, 0}, camera.path.size() >= 2))
    play_path(!camera.playing_path, camera);
}

void path_rows(CameraState& camera, Desk& desk) {
  const float em = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  std::size_t removed = camera.path.size();
  for (std::size_t k = 0; k < camera.path.size(); ++k) {
    widgets::indent();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text("%.1f s", camera.path[k].time).c_str());
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - 6.4f * em - gap);
    if (widgets::button(desk, {text("go-to-key-%zu", k + 1), "Go to", "Go to this view of the path."}, {4.4f * em, 0}))
      camera.go_to = camera.path[k].pose;
    ImGui::SameLine(0, gap);
    if (widgets::button(desk, {text("remove-key-%zu", k + 1), "✕", "Remove this view from the path."}, {2 * em, 0}))
      removed = k;
  }
  remove_camera_key(removed, camera);
  double seconds = path_seconds(camera.path);
  if (camera.path.size() > 1 &&
      widgets::slider(desk, {"path-duration", "Duration", "Duration of the path, in seconds."}, seconds,
                      {1, 120, "%.1f s", true}))
    set_path_seconds(seconds, camera);
}

void ruler_box(const SelectedStars& stars, Desk& desk) {
  bool on = stars.ruler.on;
  if (widgets::checkbox(desk,
                        {"ruler", "Ruler",
                         "Measure distance and relative speed between the nuclei of two galaxies, or between two stars "
                         "that you click, with a stopwatch from the second click (Y). A third click starts again, Esc "
                         "ends it. Costs next to nothing."},
                        on))
    desk.commands.push_back({Action::toggle_ruler});
}

void overlay_boxes(const UiFrame& frame, const SelectedStars& stars, Desk& desk) {
  Guides& guides = desk.view.guides;
  widgets::heading("Overlays");
  const float half = ImGui::GetContentRegionAvail().x * 0.5f;
  widgets::checkbox(desk, {"grid", "Grid", "Draw a grid in the plane z = 0 (G)."}, guides.grid);
  ImGui::SameLine(half);
  widgets::checkbox(desk, {"axes", "Axes", "Show the directions of x, y and z (G)."}, guides.axes);
  widgets::checkbox(desk, {"scale-bar", "Scale bar", "Show the scale at the distance of the centre of the image."},
                    guides.scale_bar);
  ImGui::SameLine(half);
  widgets::checkbox(desk, {"legend", "Legend", "Show the meaning of the colours."}, guides.legend);
  bool labels = shows_labels(guides, frame.simulation);
  if (widgets::checkbox(desk,
                        {"labels", "Labels",
                         "Show the names of galaxies, nuclei and planets (U). In the solar system they are shown from "
                         "the start. Positions come from a sample of the stars, so that labels cost next to "
                         "nothing."},
                        labels))
    guides.labels = labels;
  ImGui::SameLine(half);
  widgets::checkbox(
      desk,
      {"velocities", "Velocities",
       "Draw the velocities of the nuclei and of selected stars as arrows (Z). An arrow that points towards "
       "you looks shorter; the length of a round speed is above the scale bar. Costs next to nothing."},
      guides.velocities);
  ruler_box(stars, desk);
}

void presentation_rows(Presentation& presentation, Desk& desk) {
  widgets::heading("Presentation");
  widgets::slider(desk,
                  {"projector-size", "Projector size",
                   "Size of clock, captions and legend in lessons and in full screen without the side bar: 1 is 48, 32 "
                   "and 24 pixels at 1080 lines, for a screen that fills the wall. Larger text covers more of the "
                   "image."},
                  presentation.projector_size, {kMinProjectorSize, kMaxProjectorSize, "%.2g"});
  widgets::indented_checkbox(desk,
                             {"show-pressed-keys", "Show the keys pressed",
                              "Show each key in the lower right corner for two seconds, so that the class can follow."},
                             presentation.shows_keys);
}

}  // namespace

void draw_camera_panel(const UiFrame& frame, SelectedStars& stars, CameraState& camera, Presentation& presentation,
                       Desk& desk) {
  const float half = ImGui::GetContentRegionAvail().x * 0.5f;
  widgets::checkbox(desk,
                    {"fly", "Fly",
                     "Fly with W A S D (forward, left, back, right), Q and E (down, up), Shift for speed; drag to look "
                     "around (V). Otherwise a drag rotates the view about its centre."},
                    camera.fly);
  ImGui::SameLine(half);
  widgets::checkbox(
      desk,
      {"inertia", "Inertia",
       "The camera glides to a stop after you release the mouse. Otherwise it stops immediately, which renders fewer "
       "frames on slow machines."},
      camera.inertia);
  widgets::checkbox(desk,
                    {"reduced-motion", "Reduced motion",
                     "The camera moves only with your input: no glides, no inertia, and a camera path only when you "
                     "press Play. Kept between sessions (--reduced-motion)."},
                    presentation.reduced_motion);
  ImGui::SameLine(half);
  widgets::checkbox(
      desk,
      {"drift", "Drift",
       "The camera slowly orbits the vertical axis, one turn in three minutes, so that depth is visible. "
       "It pauses while you drag. Off with reduced motion, while flying, on a path and in 2D. Every frame "
       "is drawn again, also while the simulation is paused."},
      desk.view.drift);
  follow_row(stars, camera, desk);
  view_row(camera, desk);
  path_buttons(camera, desk);
  path_rows(camera, desk);
  overlay_boxes(frame, stars, desk);
  presentation_rows(presentation, desk);
}

}  // namespace pericenter::app
