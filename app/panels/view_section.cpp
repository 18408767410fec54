#include <algorithm>
#include <array>
#include <string>

#include "app/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace pericenter::app {
namespace {

using render::StarStyle;

constexpr std::array<const char*, 3> kStyleNames = {"automatic", "points of light", "soft discs"};
constexpr std::array<const char*, 3> kStyleTips = {
    "Soft discs for few bodies, points for many.", "One point a body, added up: quick with millions of bodies.",
    "A soft disc a body: pretty with few bodies, slow with many, above all without a GPU."};

void star_rows(UiState& ui) {
  render::PictureSettings& picture = ui.picture;
  widgets::slider(
      ui, "Exposure", picture.exposure, {-6, 6, "%+.1f"},
      "Light of the picture in stops: +1 is twice as bright. Raise it for faint tails or a bright room. No cost.");
  widgets::slider(
      ui, "Glow", picture.glow, {0, 1, "%.2f"},
      "Share of the light that spreads softly around bright places. Only looks; a little slower without a GPU.");
  widgets::enum_combo(ui, "Stars", picture.style, kStyleNames, kStyleTips);
  widgets::slider(ui, "Star size", picture.star_size, {0.25, 4, "%.2f", true},
                  "Size of the soft discs; their light stays the same. Large ones are slower to draw.");
  widgets::indent();
  widgets::checkbox(ui, "Dark halo", picture.show_halo,
                    "Show the bodies of the dark halos, which hold most of the mass and give no light. Forces are the "
                    "same either way.");
}

}  // namespace

void draw_view_section(const UiFrame& /*frame*/, UiState& ui) {
  if (!widgets::section(ui, "View", false, "How the picture looks. Nothing here changes the simulation.")) return;
  star_rows(ui);
  if (widgets::button(ui, "Show the whole scene", {ImGui::GetContentRegionAvail().x, 0},
                      "Turn and zoom back to the first view (F, or a double click on the picture)."))
    ui.commands.push_back({Action::fit});
}

}  // namespace pericenter::app
