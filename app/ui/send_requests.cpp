#include "app/ui/send_requests.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "app/settings/input_files.h"
#include "app/ui/ui_state.h"
#include "app/view/color_range.h"
#include "sim/files/load.h"
#include "sim/playback/series.h"

namespace pericenter::app {
namespace {

constexpr int kMaxStepsPerFrame = 1000;

void load(SceneSource source, UiState& ui) {
  ui.requests.push_back(request::LoadSource{std::make_shared<const SceneSource>(std::move(source))});
  remove_notices(NoticeSource::simulation, ui);
}

void load_scene_with(int row, const std::optional<Encounter>& encounter, UiState& ui) {
  const auto table = scenes();
  if (row < 0 || row >= static_cast<int>(table.size())) return;
  const SceneInfo& info = table[row];
  SceneRequest scene;
  scene.bodies = info.allowed(ui.scene.bodies);
  scene.seed = ui.scene.seed;
  scene.dimension = ui.edited.config.value().dimension;
  scene.encounter = encounter;
  ui.requests.push_back(request::LoadScene{std::string(info.name), std::move(scene)});
  remove_notices(NoticeSource::simulation, ui);
}

}  // namespace

void set_running(bool running, const UiFrame&, UiState& ui) {
  ui.edited.running.edit(running, ui.requests.push_back(request::Play{running}));
}

void set_steps_per_frame(int steps, const UiFrame&, UiState& ui) {
  const int allowed = std::clamp(steps, 1, kMaxStepsPerFrame);
  ui.edited.steps_per_frame.edit(allowed, ui.requests.push_back(request::SetStepsPerFrame{allowed}));
}

void set_params(const Params& params, const UiFrame&, UiState& ui) {
  if (!problem_with(params).empty()) return;
  ui.edited.params.edit(params, ui.requests.push_back(request::SetParams{params}));
}

void set_config(const Config& config, const UiFrame&, UiState& ui) {
  ui.edited.config.edit(config, ui.requests.push_back(request::SetConfig{config}));
}

void set_position(double position, const UiFrame& frame, UiState& ui) {
  const Timeline& timeline = frame.simulation.timeline;
  const double wanted = timeline.is_playback ? position : std::round(position);
  const double clamped = std::clamp(wanted, timeline.first, std::max(timeline.first, timeline.last));
  ui.timeline.position.edit(clamped, ui.requests.push_back(request::Seek{clamped}));
}

void set_replay_speed(double speed, const UiFrame&, UiState& ui) {
  const double allowed = std::clamp(speed, kMinReplaySpeed, kMaxReplaySpeed);
  ui.timeline.replay_speed.edit(allowed, ui.requests.push_back(request::SetReplaySpeed{allowed}));
}

void set_tree(const request::ShowTree& tree, UiState& ui) {
  ui.view.tree = tree;
  ui.tree.descent.stop();
  ui.requests.push_back(tree);
}

void set_view(const ViewSettings& view, UiState& ui) {
  const ViewSettings before = ui.view;
  set_color(view.image.color, ui);
  ui.view = view;
  if (!view.trails.show) ui.view.trails.bodies = before.trails.bodies;
  request::ShowTree tree = view.tree;
  tree.limit = before.tree.limit;
  set_tree(tree, ui);
}

void set_color(render::ColorMode mode, UiState& ui) {
  ui.view.image.color = mode;
  ui.view.fixed_range = false;
  if (render::is_scalar(mode)) ui.requests.push_back(request::ShowScalar{scalar_of(mode)});
}

void set_probe(std::optional<std::uint32_t> body, UiState& ui) {
  ui.stars.probed = body;
  if (!body) ui.stars.probe.reset();
  ui.requests.push_back(request::ShowProbe{body});
}

void probe_clicked_star(std::optional<std::uint32_t> star, double now, UiState& ui) {
  if (star || ui.stars.probed) return set_probe(star, ui);
  set_notice("No star here. Click a star to probe the forces on it.", false, now, ui);
}

void load_scene(int row, const UiFrame&, UiState& ui) {
  load_scene_with(row, std::nullopt, ui);
}

void apply_scene(int row, const UiFrame& frame, UiState& ui) {
  const SessionState& now = frame.simulation;
  const auto table = scenes();
  const bool current = row >= 0 && row < static_cast<int>(table.size()) && now.file.empty() &&
                       now.scene == table[static_cast<std::size_t>(row)].name;
  load_scene_with(row, current ? now.scene_request.encounter : std::nullopt, ui);
}

void load_neighbour(int by, const UiFrame& frame, UiState& ui) {
  const auto table = scenes();
  const int count = static_cast<int>(table.size());
  const auto now = std::ranges::find(table, frame.simulation.scene, &SceneInfo::name);
  const int row = now == table.end() ? (by > 0 ? -1 : 0) : static_cast<int>(now - table.begin());
  load_scene((row + by + count) % count, frame, ui);
}

void open_alone(const std::string& path, UiState& ui) {
  ui.files.opened = path;
  ui.files.series = series_of(path);
  load(file_source(path, ui.files.skip_bad), ui);
}

void play_series(const std::string& path, UiState& ui) {
  ui.files.opened = path;
  ui.files.series = series_of(path);
  load(series_source(ui.files.series, ui.files.skip_bad), ui);
}

void open_files(const std::vector<std::string>& paths, UiState& ui) {
  if (paths.empty()) return;
  if (paths.front().ends_with(".toml")) {
    ui.lessons.file = paths.front();
    return;
  }
  if (std::string text = scene_string_in(paths.front()); !text.empty()) {
    ui.files.scene_string = std::move(text);
    ui.commands.push_back({Action::paste_scene});
    return;
  }
  if (paths.size() == 1) return opens_as_series(paths[0]) ? play_series(paths[0], ui) : open_alone(paths[0], ui);
  ui.files.opened = paths.front();
  ui.files.series = paths;
  load(series_source(paths, ui.files.skip_bad), ui);
}

}  // namespace pericenter::app
