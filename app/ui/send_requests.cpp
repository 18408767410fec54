#include "app/ui/send_requests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/base/format.h"
#include "app/cluster/engine_run.h"
#include "app/settings/input_files.h"
#include "app/ui/ui_state.h"
#include "app/view/color_range.h"
#include "sim/files/load.h"
#include "sim/playback/series.h"
#include "sim/scenes/suggested_softening.h"

namespace pericenter::app {
namespace {

constexpr int kMaxStepsPerFrame = 1000;

/// The next of 1, 2, 5, 10 ... above (1) or below (-1) a number.
double next_round_number(double number, int way) {
  constexpr double kSame = 1e-6;
  const double power = std::pow(10, std::floor(std::log10(number * (1 + kSame))));
  const std::array<double, 6> round = {0.5 * power, power, 2 * power, 5 * power, 10 * power, 20 * power};
  if (way > 0) return *std::ranges::find_if(round, [&](double r) { return r > number * (1 + kSame); });
  return *std::find_if(round.rbegin(), round.rend(), [&](double r) { return r < number * (1 - kSame); });
}

void load(SceneSource source, Desk& desk) {
  desk.requests.push_back(request::LoadSource{std::make_shared<const SceneSource>(std::move(source))});
  remove_notices(NoticeSource::simulation, desk);
}

/// The softening of `before` for `bodies` bodies of the same scene.
double next_softening(const SceneInfo& info, const SceneRequest& before, std::size_t bodies) {
  return has_suggested_softening(info, before) ? suggested_softening(info, bodies) : before.softening;
}

/// `before`: of the run whose encounter and softening are kept.
void load_scene_with(int row, const SceneRequest& before, UiState& ui) {
  const auto table = scenes();
  if (row < 0 || row >= static_cast<int>(table.size())) return;
  const SceneInfo& info = table[row];
  SceneRequest scene;
  scene.bodies = info.allowed(ui.scene.bodies);
  scene.seed = ui.scene.seed;
  scene.dimension = ui.edited.config.value().dimension;
  scene.softening = next_softening(info, before, scene.bodies);
  scene.encounter = before.encounter;
  ui.requests.push_back(request::LoadScene{std::string(info.name), std::move(scene)});
  remove_notices(NoticeSource::simulation, ui);
}

}  // namespace

void set_running(bool running, const UiFrame&, Desk& desk) {
  desk.edited.running.edit(running, desk.requests.push_back(request::Play{running}));
}

void set_steps_per_frame(int steps, const UiFrame&, Desk& desk) {
  const int allowed = std::clamp(steps, 1, kMaxStepsPerFrame);
  const auto request = desk.requests.push_back(request::SetStepsPerFrame{allowed});
  desk.edited.steps_per_frame.edit(allowed, request);
  desk.edited.speed.edit(0, request);
}

void set_speed(double speed, const UiFrame& frame, Desk& desk) {
  const double shown = speed > 0 ? speed : default_speed(frame.simulation);
  desk.edited.speed.edit(shown, desk.requests.push_back(request::SetSpeed{speed}));
}

void set_pace(const Pace& pace, const UiFrame& frame, Desk& desk) {
  pace.speed > 0 ? set_speed(pace.speed, frame, desk) : set_steps_per_frame(pace.steps_per_frame, frame, desk);
}

void change_pace(int way, const UiFrame& frame, Desk& desk) {
  const auto [steps, speed] = wanted_pace(desk);
  if (speed == 0) return set_steps_per_frame(steps + way, frame, desk);
  const Units& units = frame.simulation.units;
  const double wanted = next_round_number(displayed_speed(speed, units), way);
  set_speed(std::clamp(wanted, kMinPace, kMaxPace) / time_unit(units).scene_time, frame, desk);
}

Pace wanted_pace(const Desk& desk) {
  return {desk.edited.steps_per_frame.value(), desk.edited.speed.value()};
}

void set_params(const Params& params, const UiFrame&, Desk& desk) {
  if (!problem_with(params).empty()) return;
  desk.edited.params.edit(params, desk.requests.push_back(request::SetParams{params}));
}

void set_config(const Config& config, const UiFrame&, Desk& desk) {
  desk.edited.config.edit(config, desk.requests.push_back(request::SetConfig{config}));
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

void set_tree(const request::ShowTree& wanted, ShownTree& tree, Desk& desk) {
  desk.view.tree = wanted;
  tree.descent.stop();
  desk.requests.push_back(wanted);
}

void set_view(const ViewSettings& view, UiState& ui) {
  const ViewSettings before = ui.view;
  ui.view.field = view.field;
  set_color(view.image.color, ui);
  ui.view = view;
  if (!view.trails.show) ui.view.trails.bodies = before.trails.bodies;
  request::ShowTree tree = view.tree;
  tree.limit = before.tree.limit;
  set_tree(tree, ui.tree, ui);
}

void set_color(render::ColorMode mode, Desk& desk) {
  desk.view.image.color = mode;
  desk.view.fixed_range = false;
  if (render::shows_values(mode)) desk.requests.push_back(shown_by(desk.view));
}

void set_probe(std::optional<std::uint32_t> body, SelectedStars& stars, Desk& desk) {
  stars.probed = body;
  if (!body) stars.probe.reset();
  desk.requests.push_back(request::ShowProbe{body});
}

void load_scene(int row, const UiFrame&, UiState& ui) {
  load_scene_with(row, {}, ui);
}

void apply_scene(int row, const UiFrame& frame, UiState& ui) {
  const SessionState& now = frame.simulation;
  const auto table = scenes();
  const bool current = row >= 0 && row < static_cast<int>(table.size()) && now.file.empty() &&
                       now.scene == table[static_cast<std::size_t>(row)].name;
  load_scene_with(row, current ? now.scene_request : SceneRequest{}, ui);
}

void load_neighbour(int by, const UiFrame& frame, UiState& ui) {
  const auto table = scenes();
  const int count = static_cast<int>(table.size());
  const auto now = std::ranges::find(table, frame.simulation.scene, &SceneInfo::name);
  const int row = now == table.end() ? (by > 0 ? -1 : 0) : static_cast<int>(now - table.begin());
  load_scene((row + by + count) % count, frame, ui);
}

void show_reading(const std::string& path, const ReadOptions& options, FilesState& files) {
  const auto& [every, types, region, by_id] = options.selection;
  files.opened = path;
  files.read = options;
  files.units = options.stated.units.text;
  files.periodic = options.stated.box ? exact(*options.stated.box) : "";
  files.every = every > 1 ? std::to_string(every) : "";
  files.types = types;
  files.region = region_text(region);
}

/// What was stated about another file does not hold for this one.
void set_opened(const std::string& path, FilesState& files) {
  if (path != files.opened) show_reading(path, {.skip_bad = files.read.skip_bad}, files);
}

void open_alone(const std::string& path, FilesState& files, Desk& desk) {
  set_opened(path, files);
  files.series = series_of(path);
  load(file_source(path, files.read), desk);
}

void play_series(const std::string& path, FilesState& files, Desk& desk) {
  set_opened(path, files);
  files.series = series_of(path);
  load(series_source(files.series, files.read), desk);
}

void follow_series(const std::string& path, FilesState& files, Desk& desk) {
  set_opened(path, files);
  files.series = series_of(path);
  load(series_source(files.series, files.read, true), desk);
}

namespace {

void open_one(const std::string& path, FilesState& files, Desk& desk) {
  try {
    if (const std::optional<RunRecord> run = find_run_record(path)) {
      const std::string first = first_snapshot(*run);
      if (std::error_code error; std::filesystem::exists(first, error)) return follow_series(first, files, desk);
      throw InputError(path + ": the run has no snapshots here yet. The panel \"Cluster\" says how far it is.");
    }
    const std::string file = file_of_folder(path, true);
    opens_as_series(file) ? play_series(file, files, desk) : open_alone(file, files, desk);
  } catch (const InputError& error) {
    const auto fail = [message = std::string(error.what())](const Progress&) -> LoadedScene {
      throw InputError(message);
    };
    load({.name = path, .path = path, .load = fail}, desk);
  }
}

}  // namespace

void open_files(const std::vector<std::string>& paths, FilesState& files, Desk& desk) {
  if (paths.empty()) return;
  if (paths.front().ends_with(".toml")) {
    files.lesson = paths.front();
    return;
  }
  if (std::string text = scene_string_in(paths.front()); !text.empty()) {
    files.scene_string = std::move(text);
    desk.commands.push_back({Action::paste_scene});
    return;
  }
  if (paths.size() == 1) return open_one(paths[0], files, desk);
  set_opened(paths.front(), files);
  files.series = paths;
  load(series_source(paths, files.read), desk);
}

}  // namespace pericenter::app
