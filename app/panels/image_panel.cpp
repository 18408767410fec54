#include <array>
#include <cstddef>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"

namespace pericenter::app {
namespace {

void exposure_rows(Desk& desk) {
  render::ImageSettings& image = desk.view.image;
  widgets::slider(
      desk,
      {"exposure", "Exposure", "Brightness in stops: +1 doubles it. Increase it for faint tails or a bright room."},
      image.exposure, {-6, 6, "%+.1f"});
  widgets::indented_checkbox(
      desk,
      {"auto-exposure", "Automatic exposure",
       "Adapt the exposure to the image, as a camera does; the stops above are added to it. Disable it to "
       "compare the brightness at different times."},
      image.auto_exposure);
  widgets::enum_combo(desk,
                      {"tone-curve", "Tone curve", "Maps the light of the stars to the brightness of the display."},
                      image.tone, kToneNames);
}

void star_rows(Desk& desk) {
  render::ImageSettings& image = desk.view.image;
  widgets::slider(desk,
                  {"bloom", "Bloom",
                   "Fraction of the light that is spread around bright spots. Not in colours that encode numbers."},
                  image.bloom, {0, 1, "%.2f"});
  widgets::slider(desk,
                  {"depth-cue", "Depth cue",
                   "How much fainter far stars are than near ones. Not in colours that encode numbers. Costs nothing."},
                  image.depth_cue, {0, 1, "%.2f"});
  widgets::slider(desk,
                  {"dust", "Dust",
                   "Strength of the absorption by dust in the discs: 0 shows none. Dust and the pink nebulae are "
                   "decorative: no gas is simulated. Applies only to colour mode \"stars\". Its time per "
                   "frame is in the line \"Render time\" below."},
                  image.dust, {0, 2, "%.2f"});
  widgets::enum_combo(desk, {"star-style", "Stars", "How a star is drawn."}, image.style, kStyleNames);
  widgets::slider(
      desk,
      {"star-size", "Star size", "Size of the soft discs, at constant total brightness. Large discs render slowly."},
      image.star_size, {0.25, 4, "%.2f", true});
  widgets::indented_checkbox(
      desk,
      {"sky", "Sky",
       "Faint stars and galaxies far behind the scene. They are decorative: nothing of them is simulated, and their "
       "brightness does not follow the exposure. Not drawn on a light background, in 2D, with the tree, the probe or "
       "marks, or where colours encode results. Takes less than 1 ms per frame."},
      image.sky);
}

void render_time_row(const UiFrame& frame, Desk& desk) {
  const render::RenderTimings& ms = frame.render_timings;
  if (ms.total <= 0) return;
  const int decimals = ms.total < 5 ? 2 : 1;
  std::string passes;
  const std::string stars = frame.star_decimation > 1 ? text("stars (1 in %u)", frame.star_decimation) : "stars";
  auto names = render::kRenderStageNames;
  names[1] = stars.c_str();
  const std::array times = {ms.dust, ms.stars, ms.bloom, ms.exposure, ms.tone_map, ms.overlays};
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (times[k] < 0.05f * ms.total) continue;
    passes += text("%s%s %.*f", passes.empty() ? "" : ", ", names[k], decimals, times[k]);
  }
  widgets::paragraph(
      desk, {"render-time", text("Render time %.*f ms\n", decimals, ms.total) + passes,
             "Render time per frame in milliseconds, without the user interface. The time for stars depends on "
             "the number of bodies, the rest on the number of pixels. If a GPU cannot draw all stars at 60 fps, "
             "it draws one in several, with the total light unchanged; saved images show every star."});
}

}  // namespace

void draw_image_panel(const UiFrame& frame, Desk& desk) {
  exposure_rows(desk);
  star_rows(desk);
  widgets::button(
      desk,
      {"fit-view", "Fit the scene", "Return to the initial view of the whole scene (F, or double-click the image)."},
      {ImGui::GetContentRegionAvail().x, 0}, {Action::fit});
  render_time_row(frame, desk);
}

}  // namespace pericenter::app
