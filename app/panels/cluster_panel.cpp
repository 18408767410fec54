#include <algorithm>
#include <array>
#include <string>

#include "app/base/format.h"
#include "app/cluster/engine.h"
#include "app/panels/panels.h"

namespace pericenter::app {
namespace {

constexpr std::array<EnumName, 2> kEngines = {{
    {"swift", "SWIFT", "Tasks and threads on each machine, MPI between machines. Needs the program swift_mpi."},
    {"gadget4", "GADGET-4",
     "One process per core, with MPI. Needs the program Gadget4, built for an export of this program."},
}};
constexpr float kEnginePlotEms = 5.5f;
constexpr int kMaxRanks = 1024, kMaxThreads = 128;

void text_row(const widgets::Control& control, std::string& text, const char* hint, Desk& desk) {
  widgets::row(desk, control);
  ImGui::SetNextItemWidth(-FLT_MIN);
  widgets::text_field(desk, control, text, hint);
}

void form_rows(ClusterState& cluster, Desk& desk) {
  ClusterState::Form& form = cluster.form;
  widgets::enum_combo(desk, {"cluster-engine", "Engine", "The program that computes the run."}, form.code, kEngines);
  widgets::slider(desk,
                  {"cluster-ranks", "Processes",
                   "Number of processes of MPI: one per core with GADGET-4, one per machine or "
                   "processor with SWIFT."},
                  form.ranks, {1, kMaxRanks, "%d", true});
  if (form.code == ClusterCode::swift)
    widgets::slider(desk, {"cluster-threads", "Threads", "Threads of each process of SWIFT."}, form.threads,
                    {1, kMaxThreads, "%d", true});
  text_row({"cluster-host", "Host",
            "Where the run happens: HOST or USER@HOST, reached with ssh, which must log in without "
            "a question. Empty: this machine."},
           form.host, "this machine", desk);
  text_row({"cluster-program", "Program",
            "Path of the engine's program on that machine. Empty: swift_mpi or Gadget4, as found there."},
           form.program, engine_of(form.code).program.data(), desk);
  widgets::indented_checkbox(
      desk, {"cluster-slurm", "Job of SLURM", "Submit a job to the queue instead of starting the run at once."},
      form.uses_slurm);
  if (form.uses_slurm)
    text_row({"cluster-template", "Template",
              "Text file of the job, with partition, account and modules of the cluster: a copy "
              "of assets/cluster/slurm.tmpl. Empty: that file as it is."},
             form.slurm_template, "built-in", desk);
  text_row({"cluster-folder", "Folder",
            "Folder of the run on this machine: initial conditions, parameters, snapshots. It must "
            "be empty or new. Empty: a new one in ~/pericenter-runs."},
           form.folder, "a new one", desk);
}

void start_rows(ClusterState& cluster, Desk& desk) {
  form_rows(cluster, desk);
  if (cluster.starting) {
    ImGui::ProgressBar(static_cast<float>(*cluster.starting), {-FLT_MIN, 0});
    widgets::describe(desk, {"submit-progress", "",
                             "Share of the bodies that are exported; then they are copied and the engine starts."});
    widgets::button(desk, {"cancel-submit", "Cancel", "Stop before the engine starts."}, {-FLT_MIN, 0},
                    {Action::cancel_submit});
  } else {
    widgets::main_button(
        desk,
        {"submit-run", "Submit from here",
         "Export the bodies that are shown, at this moment, and start the engine with them. The run continues "
         "when this program is closed."},
        {-FLT_MIN, 0}, {Action::submit_run});
  }
  if (!cluster.problem.empty())
    widgets::paragraph(desk, {"cluster-problem", cluster.problem, "Why no run was started or opened."},
                       palette(desk.view.theme).error);
  widgets::heading("A run that was submitted before");
  const float button = widgets::button_width("Open"), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(-button - gap);
  widgets::text_field(desk, {"run-folder", "", "Folder of the run, with the file pericenter-run.toml."}, cluster.opened,
                      "folder of the run");
  ImGui::SameLine(0, gap);
  widgets::button(desk, {"open-run", "Open", "Look after this run."}, {button, 0}, {Action::open_run},
                  !cluster.opened.empty());
}

void log_rows(const EngineRunState& run, Desk& desk) {
  widgets::heading("Last lines of the engine");
  std::string lines;
  for (const std::string& line : run.log) lines += (lines.empty() ? "" : "\n") + line;
  widgets::paragraph(desk, {"engine-log", lines, "The end of the file engine.log in the folder of the run."});
}

void run_rows(const RunReport& report, ClusterState& cluster, Desk& desk) {
  const RunRecord& record = report.record;
  const EngineRunState& run = report.state;
  const Palette& colors = palette(desk.view.theme);
  const std::string where = record.host.empty() ? "" : " on " + record.host;
  const std::string tip = "Folder of the run: " + record.folder;
  widgets::paragraph(
      desk,
      {"run-title",
       std::string(engine_of(record.code).title) + where + ", " + std::to_string(record.ranks) +
           (record.ranks == 1 ? " process" : " processes") + ", " + with_thousands(record.bodies) + " bodies",
       tip},
      colors.text);
  if (report.is_known) {
    widgets::paragraph(
        desk,
        {"run-state", state_text(record, run), "What the machine of the run says; asked again every few seconds."},
        run.phase == RunPhase::failed ? colors.error : colors.text);
    ImGui::ProgressBar(static_cast<float>(run.share), {-FLT_MIN, 0});
    widgets::describe(desk, {"run-progress", "", "Share of the simulated time that is computed."});
  } else if (report.problem.empty()) {
    widgets::paragraph(desk, {"run-state", "Asking for the state …", "What the machine of the run says."});
  }
  if (!run.why.empty() && run.phase == RunPhase::failed)
    widgets::paragraph(desk, {"run-why", run.why, "Why the run failed."}, colors.error);
  if (!report.problem.empty())
    widgets::paragraph(desk,
                       {"run-problem", report.problem + " It is tried again.",
                        "Why the last look failed. The run itself may continue."},
                       colors.caution);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, half = (ImGui::GetContentRegionAvail().x - gap) / 2;
  const bool has_snapshots = run.here > 0;
  widgets::main_button(desk,
                       {"watch-run", "Watch", "Show the snapshots on the timeline, and each new one as it appears."},
                       {half, 0}, {Action::watch_run}, has_snapshots);
  ImGui::SameLine(0, gap);
  widgets::button(desk,
                  {"compare-run", "Compare with our run",
                   "A is the run of the engine, B a run of this program from the same bodies; both show the same time. "
                   "Softening and "
                   "time steps differ, so orbits of single bodies part after the first passage."},
                  {half, 0}, {Action::compare_run}, has_snapshots);
  if (!run.is_over() && report.is_known) {
    const char* label = report.cancels            ? "Ending the run …"
                        : cluster.confirms_cancel ? "Really end it?"
                                                  : "End the run";
    widgets::button(desk, {"cancel-run", label, "End the engine's run; its snapshots stay. Press twice."}, {half, 0},
                    {Action::cancel_run}, !report.cancels);
    ImGui::SameLine(0, gap);
  }
  widgets::button(
      desk, {"close-run", "Another run", "Stop looking after this run, which continues, and submit or open another."},
      {half, 0}, {Action::close_run});
  const PlotStyle style = plot_style(desk.view.theme);
  for (const Plot& plot : report.plots) {
    if (!has_data(plot)) continue;
    widgets::heading(plot.title.c_str());
    draw_plot(plot, {.x = fitted_x(plot)}, style,
              {ImGui::GetContentRegionAvail().x, kEnginePlotEms * ImGui::GetFontSize()});
  }
  if (run.phase == RunPhase::failed && !run.log.empty()) log_rows(run, desk);
}

}  // namespace

void draw_cluster_panel(const UiFrame&, ClusterState& cluster, Desk& desk) {
  if (const std::shared_ptr<const RunReport> run = cluster.run)
    run_rows(*run, cluster, desk);
  else
    start_rows(cluster, desk);
}

}  // namespace pericenter::app
