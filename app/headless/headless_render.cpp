#include "app/headless/headless_render.h"

#include "app/base/atomic_file.h"
#include "app/output/png_metadata.h"
#include "app/overlay/tree_boxes.h"
#include "app/view/camera_control.h"
#include "app/view/camera_file.h"
#include "app/view/color_range.h"

namespace pericenter::app {

render::Camera camera_of(const Options& options, const SessionState& state, double radius) {
  render::Camera camera;
  fit({radius, state.config.dimension == 2, state.angles}, camera);
  if (options.camera) camera.set_pose(*options.camera);
  return camera;
}

HeadlessRenderer::HeadlessRenderer(Offscreen& offscreen, const ShownRun& run, double radius, bool annotated)
    : offscreen_(offscreen),
      annotator_(annotated ? &offscreen.annotator() : nullptr),
      run_(run),
      view_(run.options.view),
      camera_(camera_of(run.options, run.session.state(), radius)),
      stars_(offscreen.renderer(), run.options.bridge) {
  if (!run.options.camera_path.empty()) path_ = read_camera_path(run.options.camera_path);
  if (render::is_scalar(view_.image.color)) run.session.apply(request::ShowScalar{scalar_of(view_.image.color)});
}

CapturedFrame HeadlessRenderer::shot(double seconds) {
  const render::Stars stars = stars_.update(run_.session);
  state_ = run_.session.state();
  if (!view_.fixed_range)
    fit_range(stars_.sample(), scale_of(state_.scalar, state_.units, state_.config.dimension), view_.image);
  if (!path_.empty()) camera_.set_pose(path_pose(path_, seconds));
  const render::Frame frame = frame_of(view_, stars, camera_, state_.config.dimension == 2);
  if (view_.tree.show) update_tree();
  if (view_.trails.show) offscreen_.renderer().record_trails(frame.stars, state_.time, view_.trails);
  return {.frame = frame,
          .state = state_,
          .view = view_,
          .overlay = {.sample = &stars_.sample()},
          .time = state_.time,
          .annotated = annotator_ != nullptr,
          .projector_size = run_.options.projector_size};
}

render::Image HeadlessRenderer::image(int width, int height, bool large) {
  CapturedFrame now = shot();
  now.shown.large = large;
  return still(offscreen_.renderer(), annotator_, now, width, height);
}

void HeadlessRenderer::write(const std::string& path) {
  const render::Image now = image(run_.options.width, run_.options.height);
  write_file(path, render::encode_png(now, image_metadata(state_, view_, camera_)));
}

void HeadlessRenderer::update_tree() {
  Session& session = run_.session;
  session.apply(view_.tree);
  if (const auto cells = session.new_tree_boxes()) offscreen_.renderer().set_boxes(render_boxes(*cells));
}

}  // namespace pericenter::app
