#include "app/ui/star_selection.h"

#include <algorithm>

#include "app/ui/hidden_results.h"
#include "app/ui/send_requests.h"
#include "app/ui/ui_state.h"

namespace pericenter::app {
namespace {

/// A third click starts again.
void click_with_ruler(std::uint32_t star, double time, Ruler& ruler) {
  if (ruler.ends.size() == 2) ruler.ends.clear();
  if (std::ranges::count(ruler.ends, star) > 0) return;
  ruler.ends.push_back(star);
  ruler.start = time;
}

void show_card(std::uint32_t star, double now, UiState& ui) {
  if (ui.stars.shown == star)
    return set_probe(ui.stars.probed == star ? std::nullopt : std::optional(star), ui.stars, ui);
  ui.stars.shown = star;
  ui.captions.guide.read = true;  // the title of the scene would cover the card
  if (ui.stars.probed) set_probe(star, ui.stars, ui);
  if (!is_presenting(ui))
    set_notice("Click the star again to see what acts on it. Esc closes the card.", false, now, ui);
}

}  // namespace

void click_star(std::optional<std::uint32_t> star, double time, double now, UiState& ui) {
  if (hides_results(ui)) return set_notice(kHiddenResult, false, now, ui);
  SelectedStars& stars = ui.stars;
  if (star) return stars.ruler.on ? click_with_ruler(*star, time, stars.ruler) : show_card(*star, now, ui);
  if (stars.ruler.on) return set_notice("No star here. Click two stars to measure between them.", false, now, ui);
  if (!stars.shown && !stars.probed) return set_notice("No star here. Click a star for its data.", false, now, ui);
  stars.shown.reset();
  if (stars.probed) set_probe(std::nullopt, stars, ui);
}

void toggle_ruler(const UiFrame& frame, UiState& ui) {
  Ruler& ruler = ui.stars.ruler;
  if (!ruler.on && hides_results(ui)) return set_notice(kHiddenResult, false, frame.now, ui);
  ruler = {.on = !ruler.on, .ends = {}, .start = frame.simulation.time};
  if (ruler.on) set_notice("Ruler: click two stars to measure between them. Esc ends it.", false, frame.now, ui);
}

bool close_selection(UiState& ui) {
  SelectedStars& stars = ui.stars;
  if (stars.ruler.on)
    stars.ruler = {};
  else if (stars.shown)
    stars.shown.reset();
  else if (stars.probed)
    set_probe(std::nullopt, stars, ui);
  else
    return false;
  return true;
}

void forget_selected_stars(UiState& ui) {
  ui.stars.shown.reset();
  ui.stars.ruler = {};
}

void track_stars(UiState& ui) {
  const Ruler& ruler = ui.stars.ruler;
  TrackedStars wanted{.bodies = ruler.ends, .nuclei = ui.stars.shown || ruler.on || ui.view.guides.velocities};
  if (ui.stars.shown && std::ranges::count(wanted.bodies, *ui.stars.shown) == 0)
    wanted.bodies.push_back(*ui.stars.shown);
  if (wanted == ui.stars.tracked) return;
  ui.stars.tracked = wanted;
  ui.requests.push_back(request::TrackStars{wanted});
}

}  // namespace pericenter::app
