#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "app/base/format.h"
#include "app/base/memory_budget.h"
#include "app/cli/scene_groups.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/ui/ui_style.h"

namespace pericenter::app {
namespace {

constexpr double kSliderOnCpu = 4e6, kSliderOnCuda = 5e8;  // bodies at its right end
constexpr std::uint64_t kMany = 10'000'000;                // from which on it matters how much memory there is

/// -1 while bodies come from a file.
int current_row(const SessionState& state) {
  const auto table = scenes();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const SceneInfo& info) { return info.name == state.scene; });
  return found == table.end() || !state.file.empty() ? -1 : static_cast<int>(found - table.begin());
}

bool contains(std::string_view text, std::string_view wanted) {
  const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), same) != text.end();
}

bool is_wanted(const SceneInfo& info, const std::string& search) {
  return contains(info.title, search) || contains(info.name, search) || contains(info.summary, search);
}

/// The key that loads this row stands at the right end of its line.
void key_of_row(int row, UiState& ui) {
  constexpr int kKeys = 9;
  if (row >= kKeys) return;
  const std::string key = text("%d", row + 1);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float left = high.x - ImGui::CalcTextSize(key.c_str()).x - ImGui::GetStyle().ItemSpacing.x;
  const float top = (low.y + high.y - ImGui::GetFontSize()) / 2;
  ImGui::GetWindowDrawList()->AddText({left, top}, ImGui::GetColorU32(palette(ui.view.theme).dim), key.c_str());
}

void scenes_of_group(std::size_t group, int row, UiState& ui) {
  const auto table = scenes();
  bool headed = false;
  for (int k = 0; k < static_cast<int>(table.size()); ++k) {
    if (static_cast<std::size_t>(table[k].group) != group || !is_wanted(table[k], ui.scene.search)) continue;
    if (!std::exchange(headed, true)) widgets::heading(kSceneGroups[group].data());
    const bool chosen = widgets::choice(ui, std::string(table[k].title).c_str(), k == row, table[k].summary);
    key_of_row(k, ui);
    if (chosen) ui.commands.push_back({Action::load_scene, k});
  }
}

/// The first row that the list shows; -1 when there is none.
int first_wanted(const std::string& search) {
  const auto table = scenes();
  int first = -1;
  for (int k = 0; k < static_cast<int>(table.size()); ++k)
    if (is_wanted(table[k], search) && (first < 0 || table[k].group < table[first].group)) first = k;
  return first;
}

void scene_combo(const SessionState& state, int row, UiState& ui) {
  constexpr float kMaxHeight = 0.7f;  // of the window
  const std::string file = state.file.empty() ? "..." : state.scene;
  const std::string preview = row < 0 ? file : std::string(scenes()[row].title);
  const std::string_view tip = row < 0 ? "What to watch. Choosing one makes its bodies anew." : scenes()[row].summary;
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, kMaxHeight * ImGui::GetIO().DisplaySize.y});
  if (!widgets::begin_combo(ui, "Scene", preview.c_str(), tip)) return;
  if (ImGui::IsWindowAppearing()) {
    ui.scene.search.clear();
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool entered =
      widgets::text_field(ui, "Find a scene", ui.scene.search, "find ...",
                          "Shows only scenes with this in their name or description; Enter takes the first.",
                          ImGuiInputTextFlags_EnterReturnsTrue);
  if (const int first = first_wanted(ui.scene.search); entered && first >= 0) {
    ui.commands.push_back({Action::load_scene, first});
    ImGui::CloseCurrentPopup();
  }
  for (std::size_t group = 0; group < kSceneGroups.size(); ++group) scenes_of_group(group, row, ui);
  widgets::end_combo();
}

/// What so many bodies take, before anybody waits for them.
void memory_row(const Config& config, UiState& ui) {
  if (ui.scene.bodies < kMany) return;
  const auto bytes = [](double count) { return bytes_text(static_cast<std::uint64_t>(count)); };
  const double free = available_memory();
  widgets::readout(ui, "Memory", bytes(memory_for(ui.scene.bodies, config)) + " of " + bytes(free) + " free",
                   "What so many bodies need of the computer's memory at most, while they are made and brought to the "
                   "solver, and what is free now. What a GPU needs of its own is found out before they are put there: "
                   "if it is too much, what runs now goes on.");
}

void bodies_row(const Config& config, std::uint64_t least, UiState& ui) {
  constexpr const char* kTip =
      "Number of bodies of the next scene. A step costs about N log N with a tree and N² with direct summation. More "
      "bodies "
      "show finer tails, and their graininess heats the discs less. There can be as many as the solver can number and "
      "the memory has room for.";
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, field = 6.2f * ImGui::GetFontSize();
  widgets::row(ui, "Bodies", kTip);
  ImGui::SetNextItemWidth(-field - gap);
  double bodies = static_cast<double>(ui.scene.bodies);
  const double low = static_cast<double>(least), high = config.backend == Backend::cuda ? kSliderOnCuda : kSliderOnCpu;
  // Without NoInput a Ctrl-click would parse the blanks between the thousands; the field beside it takes exact numbers.
  const std::string shown = short_number(bodies);
  if (widgets::bare_slider("##bodies", bodies, {low, high, shown.c_str(), true}, ImGuiSliderFlags_NoInput))
    ui.scene.bodies = std::min<std::uint64_t>(static_cast<std::uint64_t>(std::clamp(bodies, low, high)),
                                              std::max<std::uint64_t>(least, max_bodies(config)));
  widgets::note(ui, "Bodies", kTip);
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(field);
  if (ImGui::InputScalar("##exact", ImGuiDataType_U64, &ui.scene.bodies))
    ui.scene.bodies = std::clamp<std::uint64_t>(ui.scene.bodies, 1, max_bodies(config));
  widgets::note(ui, "Exact number", kTip);
}

/// The seed with the buttons that make the scene again.
void seed_row(const UiFrame& frame, int row, UiState& ui) {
  constexpr const char* kTip =
      "The same seed makes the same bodies on every machine. Another seed is another sample of the same galaxies: what "
      "both show "
      "is physics, what only one shows is chance.";
  const SceneInfo& info = scenes()[row];
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, em = ImGui::GetFontSize(), next = 3.6f * em,
              apply = 4.4f * em;
  widgets::row(ui, "Seed", kTip);
  ImGui::SetNextItemWidth(-next - apply - 2 * gap);
  ImGui::InputScalar("##seed", ImGuiDataType_U64, &ui.scene.seed);
  widgets::note(ui, "Seed", kTip);
  ImGui::SameLine(0, gap);
  if (widgets::button(ui, "Next", {next, 0},
                      "Make the scene again from the next seed: the same kind of galaxies, other stars.")) {
    ++ui.scene.seed;
    ui.commands.push_back({Action::load_scene, row});
  }
  ImGui::SameLine(0, gap);
  const SceneRequest& now = frame.simulation.scene_request;
  const bool changed = (!info.fixed_bodies && ui.scene.bodies != now.bodies) || ui.scene.seed != now.seed;
  ImGui::BeginDisabled(!changed);
  if (widgets::button(ui, "Apply", {apply, 0},
                      "Make the scene with this number of bodies and this seed. It starts again from its beginning."))
    ui.commands.push_back({Action::load_scene, row});
  ImGui::EndDisabled();
}

}  // namespace

void draw_scene_section(const UiFrame& frame, UiState& ui) {
  if (!widgets::section(ui, "Scene", true, "What is simulated: which bodies, how many, from which seed.")) return;
  const int row = current_row(frame.simulation);
  scene_combo(frame.simulation, row, ui);
  if (row < 0 && !frame.simulation.scene.empty()) return;
  const SceneInfo* info = row < 0 ? nullptr : &scenes()[row];  // the first may have been refused for too many bodies
  ImGui::BeginDisabled(info && info->fixed_bodies != 0);
  bodies_row(for_many_bodies(frame.simulation.config, frame.simulation.automatic_solver), info ? info->min_bodies : 1,
             ui);
  ImGui::EndDisabled();
  memory_row(frame.simulation.config, ui);
  if (info) seed_row(frame, row, ui);
}

}  // namespace pericenter::app
