#include <algorithm>
#include <cstddef>

#include "app/base/format.h"
#include "app/base/memory_budget.h"
#include "app/panels/panels.h"
#include "sim/run/history.h"

namespace pericenter::app {
namespace {

constexpr double kMegabyte = 1e6;
constexpr double kMinMegabytes = 16, kMaxMemoryShare = 0.5, kDefaultMegabytes = 2000;

void record_row(const Timeline& timeline, Desk& desk) {
  bool record = timeline.budget > 0;
  widgets::indent();
  if (widgets::checkbox(desk,
                        {"record-history", "Record the run",
                         "Keep moments of the run in memory, so that you can go back and branch. Off: the memory is "
                         "freed, and the moments recorded so far are lost."},
                        record))
    desk.requests.push_back(request::SetHistoryBudget{record ? default_history_budget() : 0});
}

/// The budget changes when the handle is released: a smaller one discards moments.
void budget_row(const Timeline& timeline, TimelineUi& controls, Desk& desk) {
  const double most = std::max(kMaxMemoryShare * available_memory() / kMegabyte, kDefaultMegabytes);
  double megabytes = controls.history_megabytes.value_or(static_cast<double>(timeline.budget) / kMegabyte);
  ImGui::BeginDisabled(timeline.budget == 0);
  if (widgets::slider(desk,
                      {"history-budget", "Memory limit",
                       "Host memory for recorded moments, by default an eighth of the free memory, 2 GB at most. When "
                       "it is full, every second moment is discarded, and those between are interpolated over twice "
                       "the interval. A moment takes 24 or 48 bytes per body."},
                      megabytes, {kMinMegabytes, most, "%.0f MB", true}))
    controls.history_megabytes = megabytes;
  if (ImGui::IsItemDeactivatedAfterEdit() && controls.history_megabytes)
    desk.requests.push_back(
        request::SetHistoryBudget{static_cast<std::size_t>(*controls.history_megabytes * kMegabyte)});
  if (!ImGui::IsItemActive()) controls.history_megabytes.reset();
  ImGui::EndDisabled();
}

}  // namespace

void draw_history_panel(const UiFrame& frame, TimelineUi& controls, Desk& desk) {
  const Timeline& timeline = frame.simulation.timeline;
  if (!timeline.off_because.empty()) {
    widgets::paragraph(
        desk,
        {"history-off", timeline.off_because, "Why the run is not recorded. Without a history you cannot go back."},
        palette(desk.view.theme).caution);
  } else {
    widgets::readout(desk, {"history-memory", "Memory", "Host memory of the recorded moments, and its limit."},
                     bytes_text(timeline.bytes) + " of " + bytes_text(timeline.budget));
    widgets::right_half();
    widgets::readout(
        desk,
        {"history-moments", "Moments",
         "Recorded moments, and the steps between two of them. Moments between are interpolated."},
        with_thousands(timeline.keyframes) + (timeline.spacing > 0 ? ", " + every(timeline.spacing, "step") : ""));
  }
  record_row(timeline, desk);
  budget_row(timeline, controls, desk);
}

}  // namespace pericenter::app
