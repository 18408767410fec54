#include <string>
#include <utility>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace pericenter::app {
namespace {

void exposure_rows(UiState& ui) {
  render::ImageSettings& picture = ui.view.image;
  widgets::slider(
      ui, "Exposure", picture.exposure, {-6, 6, "%+.1f"},
      "Light of the picture in stops: +1 is twice as bright. Raise it for faint tails or a bright room. No cost.");
  widgets::indent();
  widgets::checkbox(
      ui, "Automatic exposure", picture.auto_exposure,
      "Choose the exposure from what is seen, as a camera does, with the stops above on top. Switch it off "
      "to compare brightness between moments. Only looks; costs next to nothing.");
  widgets::enum_combo(ui, "Tone curve", picture.tone, kToneNames);
}

void star_rows(UiState& ui) {
  render::ImageSettings& picture = ui.view.image;
  widgets::slider(
      ui, "Glow", picture.bloom, {0, 1, "%.2f"},
      "Share of the light that spreads softly around bright places. Only looks, at the same cost at every setting.");
  widgets::enum_combo(ui, "Stars", picture.style, kStyleNames);
  widgets::slider(ui, "Star size", picture.star_size, {0.25, 4, "%.2f", true},
                  "Size of the soft discs; their light stays the same. Large ones are slower to draw.");
}

void timings_row(const UiFrame& frame, UiState& ui) {
  const render::RenderTimings& ms = frame.picture_ms;
  if (ms.total <= 0) return;
  const int places = ms.total < 5 ? 2 : 1;
  std::string parts;
  const std::string stars = frame.star_decimation > 1 ? text("stars (1 in %u)", frame.star_decimation) : "stars";
  for (const auto& [name, value] : {std::pair{stars.c_str(), ms.stars},
                                    {"glow", ms.bloom},
                                    {"exposure", ms.exposure},
                                    {"tone map", ms.tone_map},
                                    {"lines", ms.overlays}}) {
    if (value >= 0.05f * ms.total) parts += text("%s%s %.*f", parts.empty() ? "" : ", ", name, places, value);
  }
  widgets::paragraph(
      ui, "Picture", text("Picture %.*f ms\n", places, ms.total) + parts, palette(ui.view.theme).dim,
      "Milliseconds that a picture took to draw, without the panel. Stars take the longer the more bodies "
      "there are, the rest the more pixels. Where a GPU has too many of them for 60 pictures a second, it draws one in "
      "a few, each with the light of all of these; pictures that are saved have every star.");
}

}  // namespace

void draw_view_section(const UiFrame& frame, UiState& ui) {
  if (!widgets::section(ui, "Light", false, "How the picture looks. Nothing here changes the simulation.")) return;
  exposure_rows(ui);
  star_rows(ui);
  if (widgets::button(ui, "Show the whole scene", {ImGui::GetContentRegionAvail().x, 0},
                      "Turn and zoom back to the first view (F, or a double click on the picture)."))
    ui.commands.push_back({Action::fit});
  timings_row(frame, ui);
}

}  // namespace pericenter::app
