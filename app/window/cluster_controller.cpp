#include "app/window/cluster_controller.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/home_folder.h"
#include "app/cluster/engine.h"
#include "app/cluster/run_comparison.h"
#include "app/export/export.h"
#include "app/ui/send_requests.h"
#include "app/window/comparison_controller.h"
#include "sim/core/printable.h"
#include "sim/files/load.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

/// ~/pericenter-runs/SCENE-1, -2 ..., the first that does not exist.
std::string new_run_folder(const std::string& scene) {
  const fs::path runs = fs::path(home_folder()) / "pericenter-runs";
  std::error_code error;
  for (int number = 1;; ++number)
    if (const fs::path path = runs / (scene + "-" + std::to_string(number)); !fs::exists(path, error))
      return path.string();
}

/// The folder of the run to which a file belongs; empty: there is none.
std::string run_folder_of(const std::string& file) {
  for (const fs::path& folder : {fs::path(file).parent_path(), fs::path(file).parent_path().parent_path()})
    if (std::error_code error; fs::exists(folder / kRunRecord, error)) return folder.string();
  return {};
}

/// Throws CommandLineError.
EngineStart start_of(const ClusterState::Form& form, const std::string& folder) {
  EngineStart start;
  start.code = form.code;
  start.host = form.host;
  start.program = form.host.empty() ? expanded_home(form.program) : form.program;
  start.remote_folder = usual_remote_folder(folder);
  start.ranks = form.ranks;
  start.threads = form.code == ClusterCode::swift ? form.threads : 1;
  if (form.uses_slurm)
    start.slurm = read_slurm_template(form.slurm_template.empty() ? "default" : expanded_home(form.slurm_template));
  return start;
}

}  // namespace

void ClusterController::submit(const UiFrame& frame, UiState& ui) {
  ClusterState& shown = ui.cluster;
  shown.problem.clear();
  if (plan_ || outcome_.valid()) return;
  const SessionState& state = frame.simulation;
  try {
    if (state.scene.empty()) throw FileError(kNoInput, "There are no bodies yet.");
    const std::string wanted = expanded_home(shown.form.folder);
    const std::string folder = wanted.empty() ? new_run_folder(state.scene) : fs::absolute(wanted).string();
    check_has_no_run(folder);
    plan_ = Plan{start_of(shown.form, folder), folder};
  } catch (const std::exception& error) {
    shown.problem = error.what();
    return;
  }
  cancelled_ = false;
  share_ = 0;
  message_serial_ = state.message_serial;
  ui.requests.push_back(request::TakeSnapshot{});
}

void ClusterController::cancel_submit() {
  plan_.reset();
  cancelled_ = true;
}

ClusterController::Outcome ClusterController::start(const Plan& plan, Snapshot snapshot) {
  const auto write = [&] {
    LoadedScene loaded = scene_of(std::move(snapshot));
    loaded.scene.highlight_time = std::max(0.0, loaded.scene.highlight_time - loaded.time);
    if (const auto missing = missing_setting(loaded.scene, plan.start.code))
      throw InputError(missing->problem + " Set the " + missing->name + " in the panel \"Solver\".");
    ClusterRun run = export_scene(fs::path(plan.folder).filename().string(), std::move(loaded.scene), plan.start.code,
                                  plan.folder, [this](double share) {
                                    share_ = share;
                                    return !cancelled_;
                                  });
    if (cancelled_) throw HostError("Cancelled; the export is in " + plan.folder + ".");
    return run;
  };
  try {
    return start_run(plan.start, plan.folder, Host(plan.start.host, [this] { return cancelled_.load(); }), write);
  } catch (const SceneCancelled&) {
    return std::string("Cancelled; the export in " + plan.folder + " is incomplete.");
  } catch (const std::exception& error) {
    return std::string(error.what());
  }
}

void ClusterController::look_after(RunRecord record, UiState& ui) {
  ui.cluster.confirms_cancel = false;
  watch_ = std::make_unique<RunWatch>(std::move(record));
}

void ClusterController::open(const std::string& folder, UiState& ui) {
  ui.cluster.problem.clear();
  try {
    const std::string path = expanded_home(folder);
    if (const std::optional<RunRecord> record = find_run_record(path)) return look_after(*record, ui);
    ui.cluster.problem =
        "There is no run in the folder " + printable(path) + ": it has no file " + std::string(kRunRecord) + ".";
  } catch (const std::exception& error) {
    ui.cluster.problem = error.what();
  }
}

void ClusterController::close(UiState& ui) {
  watch_.reset();
  ui.cluster.run.reset();
  ui.cluster.confirms_cancel = false;
}

void ClusterController::cancel_run(UiState& ui) {
  if (!watch_ || !std::exchange(ui.cluster.confirms_cancel, true)) return;
  ui.cluster.confirms_cancel = false;
  watch_->cancel_run();
}

void ClusterController::watch_run(const UiFrame& frame, UiState& ui) {
  if (!watch_) return;
  const std::string first = first_snapshot(watch_->report()->record);
  std::error_code error;
  if (!fs::exists(first, error)) return set_notice("The run has no snapshots here yet.", false, frame.now, ui);
  follow_series(first, ui.files, ui);
}

void ClusterController::compare_run(Comparison& comparison, const UiFrame& frame, UiState& ui) {
  if (!watch_) return;
  const RunRecord& record = watch_->report()->record;
  const std::string first = first_snapshot(record), start = record.folder + "/" + kExportedBodies;
  std::error_code error;
  if (!fs::exists(first, error)) return set_notice("The run has no snapshots here yet.", false, frame.now, ui);
  comparison.start_with_series({.first_snapshot = first,
                                .start = start,
                                .title = std::string(engine_of(record.code).title),
                                .differences = known_differences(record.code)},
                               frame);
}

bool ClusterController::has_news(const UiState& ui) const {
  return plan_ || outcome_.valid() || (watch_ && watch_->report() != ui.cluster.run);
}

void ClusterController::scene_started(const SessionState& state, UiState& ui) {
  if (state.file.empty()) return;
  const std::string folder = run_folder_of(state.file);
  if (folder.empty() || (watch_ && watch_->report()->record.folder == fs::weakly_canonical(folder).string())) return;
  open(folder, ui);
}

void ClusterController::update(std::optional<Snapshot>& snapshot, const UiFrame& frame, UiState& ui) {
  ClusterState& shown = ui.cluster;
  if (plan_ && snapshot) {
    outcome_ = std::async(std::launch::async, [this, plan = *plan_, bodies = std::move(*snapshot)]() mutable {
      return start(plan, std::move(bodies));
    });
    plan_.reset();
    snapshot.reset();
  }
  const SessionState& state = frame.simulation;
  if (plan_ && state.message_is_error && state.message_serial != message_serial_) plan_.reset();
  if (outcome_.valid() && outcome_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    Outcome outcome = outcome_.get();
    if (auto* const record = std::get_if<RunRecord>(&outcome)) {
      set_notice("Started in " + printable(record->folder) + ".", false, frame.now, ui);
      shown.form.folder.clear();
      look_after(std::move(*record), ui);
    } else {
      shown.problem = std::get<std::string>(outcome);
    }
  }
  shown.starting = plan_ || outcome_.valid() ? std::optional(share_.load()) : std::nullopt;
  if (watch_) shown.run = watch_->report();
}

}  // namespace pericenter::app
