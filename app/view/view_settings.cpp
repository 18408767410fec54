#include "app/view/view_settings.h"

#include "app/ui/ui_state.h"

namespace pericenter::app {

ViewSettings look_of(const UiState& ui, const render::CameraPose& camera, const render::CameraPose& suggested) {
  ViewSettings look{.picture = ui.picture,
                    .fixed_range = ui.fixed_range,
                    .boxes = ui.boxes,
                    .tree = ui.tree,
                    .trails = ui.trails,
                    .guides = ui.guides,
                    .pause_at_highlight = ui.pause_at_highlight,
                    .follow = ui.camera.follow,
                    .camera = {}};
  look.picture.background = render::Background::dark;
  look.boxes.show = look.boxes.flat = false;  // which follow from the rest
  if (!look.trails.show) look.trails.bodies = render::TrailSettings().bodies;
  if (camera != suggested) look.camera = camera;
  return look;
}

void set_look(const ViewSettings& look, UiState& ui) {
  ui.picture = look.picture;
  set_color(look.picture.color, ui);
  ui.fixed_range = look.fixed_range;
  ui.boxes = look.boxes;
  request::ShowTree tree = look.tree;
  tree.limit = ui.tree.limit;
  set_tree(tree, ui);
  const int trails = look.trails.show ? look.trails.bodies : ui.trails.bodies;  // hidden ones: what suits the machine
  ui.trails = look.trails;
  ui.trails.bodies = trails;
  ui.guides = look.guides;
  ui.pause_at_highlight = look.pause_at_highlight;
  ui.camera.follow = look.follow;
}

}  // namespace pericenter::app
