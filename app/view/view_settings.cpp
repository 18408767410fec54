#include "app/view/view_settings.h"

#include "render/sky.h"

namespace pericenter::app {

render::Frame frame_of(const ViewSettings& view, const render::Stars& stars, const render::Camera& camera, bool flat) {
  render::Frame frame{
      .stars = stars, .camera = camera, .settings = view.image, .boxes = view.boxes, .trails = view.trails};
  frame.settings.background = background_of(view.theme);
  frame.boxes.show = view.tree.show;
  frame.boxes.flat = flat;
  return frame;
}

bool shows_sky(const ViewSettings& view, bool flat) {
  return render::shows_sky(frame_of(view, {}, {}, flat));
}

}  // namespace pericenter::app
