#pragma once

#include <cstddef>
#include <span>

#include "app/plots/plot_canvas.h"
#include "app/ui/send_requests.h"
#include "app/ui/ui_state.h"
#include "app/ui/ui_style.h"
#include "app/widgets/widgets.h"

namespace pericenter::app {

/// Draws the user interface over the image: side bar, status line and dialogs. Call it between ImGui::NewFrame() and
/// ImGui::Render(). It needs no window.
void draw_ui(const UiFrame& frame, const Fonts& fonts, UiState& ui);

/// A collapsible part of the side bar; the rows are in panel_table.inc.
struct Panel {
  widgets::Control heading;
  bool open_by_default;
  bool (*is_available)(const UiFrame& frame);
  enum class Shows { settings, results } shows;
  void (*draw)(const UiFrame& frame, UiState& ui);
};
/// Top to bottom.
std::span<const Panel> panels();

/// The drawer with the plots; sets the size that it takes from the image.
void draw_drawer(const UiFrame& frame, const Fonts& fonts, UiState& ui);

// Parts of panels that the simple side bar shows too.
/// Scene, number of bodies, and the button that applies it.
void draw_scene_choice(const UiFrame& frame, SceneDraft& scene, Desk& desk);
/// Slider of the speed.
void draw_speed_row(const UiFrame& frame, Desk& desk);
/// Algorithm and opening angle.
void draw_algorithm_choice(const UiFrame& frame, Desk& desk);
void draw_color_choice(const UiFrame& frame, Desk& desk);
/// Opening angle θ, or the force error that takes its place.
void draw_opening_row(const UiFrame& frame, Desk& desk);

/// Part of the solver panel: accuracy, softening and time step.
void draw_theta_and_timestep_controls(const UiFrame& frame, Desk& desk);

inline constexpr float kCostCardEms = 11;  ///< height of the curves in the accuracy panel, in font sizes
/// Part of the accuracy panel: cost and error of opening angles, with the current setting as a point that can be
/// dragged.
void draw_cost_card(const UiFrame& frame, const PlotSize& size, CostUi& cost, Desk& desk);
/// Symbol of a solver on that card, centred at `at`.
void draw_solver_symbol(std::size_t number, ImVec2 at, float radius, Theme theme);

/// Moves the divider between the two halves of a comparison; nothing without one.
void draw_divider(ComparisonState& comparison, Drawer& drawer, Desk& desk);
/// A red dot and the length of the video while it is recorded, below the first `taken` pixels of the image.
void draw_recording_mark(const OutputState& output, float taken, const Desk& desk);

}  // namespace pericenter::app
