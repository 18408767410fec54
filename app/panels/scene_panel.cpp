#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "app/base/format.h"
#include "app/base/memory_budget.h"
#include "app/panels/panels.h"
#include "app/settings/listings.h"
#include "app/ui/ui_style.h"

namespace pericenter::app {
namespace {

constexpr double kMaxOnCpu = 4e6, kMaxOnCuda = 5e8;  // bodies at the right end of the slider
constexpr std::uint64_t kManyBodies = 10'000'000;    // the required memory is shown from this number on

/// Row of scenes(); -1 while the bodies come from a file.
int current_row(const SessionState& state) {
  const auto table = scenes();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const SceneInfo& info) { return info.name == state.scene; });
  return found == table.end() || !state.file.empty() ? -1 : static_cast<int>(found - table.begin());
}

bool contains(std::string_view text, std::string_view pattern) {
  const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  return std::search(text.begin(), text.end(), pattern.begin(), pattern.end(), same) != text.end();
}

bool matches(const SceneInfo& info, const std::string& search) {
  return contains(info.title, search) || contains(info.name, search) || contains(info.summary, search);
}

// In units of the font size: widths of the shortcuts and of the list of scenes, height of a picture in it.
constexpr float kShortcutEms = 3, kListEms = 36, kPictureEms = 2.6f;

/// In the rectangle of the last item: picture, title, what to look at, and at the right end the key that loads the
/// scene.
void draw_scene_entry(int row, Desk& desk) {
  constexpr int kKeys = 9;
  if (!ImGui::IsItemVisible()) return;
  const SceneInfo& info = scenes()[row];
  const float em = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemSpacing.x, picture = kPictureEms * em;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float left = low.x + thumbnail_width(picture) + 1.5f * gap, top = low.y + (high.y - low.y - 2.2f * em) / 2;
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text), dim = ImGui::GetColorU32(palette(desk.view.theme).dim);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_thumbnail(draw, info.name, {low.x + gap / 2, (low.y + high.y - picture) / 2}, picture, desk.pictures);
  draw.AddText({left, top}, ink, info.title.data());
  draw.AddText({left, top + 1.2f * em}, dim, widgets::fitted(std::string(info.caption), high.x - left - gap).c_str());
  if (row >= kKeys) return;
  const std::string key = text("%d", row + 1);
  draw.AddText({high.x - widgets::text_width(key) - gap, top}, dim, key.c_str());
}

void scenes_of_group(std::size_t group, int row, SceneDraft& scene, Desk& desk) {
  const auto table = scenes();
  bool has_heading = false;
  for (int k = 0; k < static_cast<int>(table.size()); ++k) {
    if (static_cast<std::size_t>(table[k].group) != group || !matches(table[k], scene.search)) continue;
    if (!std::exchange(has_heading, true)) widgets::heading(kSceneGroups[group].data());
    const widgets::Control control{table[k].name, table[k].title, table[k].summary};
    const bool chosen = widgets::tall_choice(desk, control, k == row, (kPictureEms + 0.4f) * ImGui::GetFontSize());
    draw_scene_entry(k, desk);
    if (chosen) desk.commands.push_back({Action::load_scene, k});
  }
}

/// First row of the list that matches the search; -1: none.
int first_match(const std::string& search) {
  const auto table = scenes();
  int first = -1;
  for (int k = 0; k < static_cast<int>(table.size()); ++k)
    if (matches(table[k], search) && (first < 0 || table[k].group < table[first].group)) first = k;
  return first;
}

void scene_combo(const SessionState& state, int row, SceneDraft& scene, Desk& desk) {
  constexpr float kMaxHeight = 0.7f;  // share of the window
  const std::string file = state.file.empty() ? "..." : state.scene;
  const std::string preview = row < 0 ? file : std::string(scenes()[row].title);
  const std::string_view tip = row < 0 ? "Choose a scene to simulate." : scenes()[row].summary;
  float widest = 0;
  for (const SceneInfo& info : scenes()) widest = std::max(widest, ImGui::CalcTextSize(info.title.data()).x);
  const float em = ImGui::GetFontSize(), picture = thumbnail_width(kPictureEms * em);
  const float needed = widest + picture + kShortcutEms * em + ImGui::GetStyle().ScrollbarSize;
  const float list = std::max(needed, std::min(kListEms * em, 0.5f * ImGui::GetIO().DisplaySize.x));
  ImGui::SetNextWindowSizeConstraints({list, 0}, {FLT_MAX, kMaxHeight * ImGui::GetIO().DisplaySize.y});
  if (!widgets::begin_wide_combo(desk, {"scene", "Scene", tip}, preview.c_str(), row < 0 ? 0 : widest)) return;
  if (ImGui::IsWindowAppearing()) {
    scene.search.clear();
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool entered = widgets::text_field(
      desk, {"search", "", "Show only scenes with this text in the name or description. Enter loads the first one."},
      scene.search, "search ...", ImGuiInputTextFlags_EnterReturnsTrue);
  if (const int first = first_match(scene.search); entered && first >= 0) {
    desk.commands.push_back({Action::load_scene, first});
    ImGui::CloseCurrentPopup();
  }
  for (std::size_t group = 0; group < kSceneGroups.size(); ++group) scenes_of_group(group, row, scene, desk);
  widgets::end_combo(desk);
}

/// Required and available memory for many bodies, before they are loaded.
void memory_row(const PlannedRun& run, SceneDraft& scene, Desk& desk) {
  if (scene.bodies < kManyBodies) return;
  const auto bytes = [](double count) { return bytes_text(static_cast<std::uint64_t>(count)); };
  widgets::readout(
      desk,
      {"memory", "Memory",
       "Peak host memory for this many bodies, and the memory that is free. GPU memory is checked when the "
       "scene loads; if there is not enough, the current scene is kept."},
      bytes(memory_for(scene.bodies, run)) + " of " + bytes(available_memory()) + " free");
}

/// Returns whether an exact number was typed and Enter pressed.
bool bodies_row(const PlannedRun& run, std::uint64_t min_bodies, SceneDraft& scene, Desk& desk) {
  constexpr const char* kTip =
      "Number of bodies of the next scene. A step takes a time proportional to N log N with a tree and N² with direct "
      "summation. More bodies resolve finer tails and reduce the heating of the discs by two-body relaxation. The "
      "solver and the memory limit the number.";
  constexpr float kNumberEms = 4.5f;  // width of the number beside the handle of a slider
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, field = 6.2f * ImGui::GetFontSize();
  widgets::row(desk, {"bodies", "Bodies", kTip});
  ImGui::SetNextItemWidth(-field - gap);
  double bodies = static_cast<double>(scene.bodies);
  const double low = static_cast<double>(min_bodies),
               high = run.config.backend == Backend::cuda ? kMaxOnCuda : kMaxOnCpu;
  // Not editable: Ctrl+click would parse the text with its prefix. The field on the right takes exact numbers.
  const bool has_room = ImGui::GetContentRegionAvail().x - field - gap > kNumberEms * ImGui::GetFontSize();
  const std::string shown = has_room ? short_number(bodies) : "";
  if (widgets::bare_slider(desk, {"bodies", "", kTip}, bodies, {low, high, shown.c_str(), true, false}))
    scene.bodies = std::min<std::uint64_t>(static_cast<std::uint64_t>(std::clamp(bodies, low, high)),
                                           std::max<std::uint64_t>(min_bodies, max_bodies(run)));
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(field);
  if (ImGui::InputScalar("###body-count", ImGuiDataType_U64, &scene.bodies))
    scene.bodies = std::clamp<std::uint64_t>(scene.bodies, 1, max_bodies(run));
  const bool entered = widgets::entered();
  widgets::describe(desk, {"body-count", "", kTip});
  return entered;
}

/// Returns whether a seed was typed and Enter pressed.
bool seed_row(int row, SceneDraft& scene, Desk& desk) {
  constexpr const char* kTip =
      "Random seed. The same seed creates the same bodies on every machine; another seed creates another sample of the "
      "same galaxies. What all samples show is physics; what only one shows is chance.";
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, next = 3.6f * ImGui::GetFontSize();
  widgets::row(desk, {"seed", "Seed", kTip});
  ImGui::SetNextItemWidth(-next - gap);
  ImGui::InputScalar("###seed", ImGuiDataType_U64, &scene.seed);
  const bool entered = widgets::entered();
  widgets::describe(desk, {"seed", "", kTip});
  ImGui::SameLine(0, gap);
  if (widgets::button(desk, {"next-seed", "Next", "Load the scene with the next seed: the same galaxies, other stars."},
                      {next, 0})) {
    ++scene.seed;
    desk.commands.push_back({Action::apply_scene, row});
  }
  return entered;
}

/// `entered`: Enter in one of the fields does the same.
void apply_button(const SceneRequest& now, int row, bool entered, SceneDraft& scene, Desk& desk) {
  const bool changed = (!scenes()[row].fixed_bodies && scene.bodies != now.bodies) || scene.seed != now.seed;
  widgets::indent();
  const bool clicked = widgets::button(
      desk,
      {"apply-scene", "Apply",
       "Load the scene with this number of bodies and this seed (Enter). It restarts from the beginning."},
      {ImGui::GetContentRegionAvail().x, 0}, changed);
  if (clicked || (entered && changed)) desk.commands.push_back({Action::apply_scene, row});
}

void scene_rows(const UiFrame& frame, bool simple, SceneDraft& scene, Desk& desk) {
  const SessionState& state = frame.simulation;
  const int row = current_row(state);
  scene_combo(state, row, scene, desk);
  if (row < 0 && !state.scene.empty()) return;
  const SceneInfo* info = row < 0 ? nullptr : &scenes()[row];  // null: the first scene was rejected
  if (simple && info) widgets::paragraph(desk, {"scene-caption", info->caption, info->summary});
  const bool is_fixed = info && info->fixed_bodies != 0;
  SceneDraft fixed;
  fixed.bodies = is_fixed ? info->fixed_bodies : 0;
  SceneDraft& planned = is_fixed ? fixed : scene;
  ImGui::BeginDisabled(is_fixed);
  const PlannedRun run{for_many_bodies(state.config, state.automatic_solver), info && info->procedural};
  bool entered = bodies_row(run, info ? info->min_bodies : 1, planned, desk);
  ImGui::EndDisabled();
  memory_row(run, planned, desk);
  if (!info) return;
  if (!simple) entered = seed_row(row, scene, desk) || entered;
  apply_button(state.scene_request, row, entered, scene, desk);
}

}  // namespace

void draw_scene_choice(const UiFrame& frame, SceneDraft& scene, Desk& desk) {
  scene_rows(frame, true, scene, desk);
}

void draw_scene_panel(const UiFrame& frame, SceneDraft& scene, Desk& desk) {
  scene_rows(frame, false, scene, desk);
}

}  // namespace pericenter::app
