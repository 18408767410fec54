#include "app/headless/headless_render.h"

#include "app/base/atomic_file.h"
#include "app/output/png_metadata.h"
#include "app/overlay/tree_boxes.h"
#include "app/view/camera_control.h"
#include "app/view/camera_file.h"
#include "app/view/color_range.h"

namespace pericenter::app {

RunPictures::RunPictures(Offscreen& offscreen, const HeadlessRun& run, double radius, bool annotated)
    : offscreen_(offscreen),
      annotator_(annotated ? &offscreen.annotator() : nullptr),
      run_(run),
      view_(run.options.view),
      vertices_(run.simulation->size()) {
  if (!run.options.camera_path.empty()) path_ = read_camera_path(run.options.camera_path);
  fit({radius, run.simulation->config().dimension == 2, run.scene.angles}, camera_);
  if (run.options.camera) camera_.set_pose(*run.options.camera);
  if (render::is_scalar(view_.image.color)) run.simulation->show(scalar_of(view_.image.color));
}

Shot RunPictures::shot(double seconds) {
  vertices_.resize(run_.simulation->size());  // that of a recording changes
  run_.simulation->publish(host_target(vertices_));
  state_ = state_of(run_);
  sample_ = sample_of(vertices_);
  if (!view_.fixed_range)
    fit_range(*sample_, scale_of(state_.scalar, state_.units, state_.config.dimension), view_.image);
  if (!path_.empty()) camera_.set_pose(path_pose(path_, seconds));
  const render::Frame frame = frame_of(view_, offscreen_.upload(vertices_), camera_, state_.config.dimension == 2);
  if (view_.tree.show) show_tree();
  if (view_.trails.show) offscreen_.renderer().record_trails(frame.stars, state_.time, view_.trails);
  return {.frame = frame,
          .state = state_,
          .view = view_,
          .overlay = {.sample = &*sample_},
          .time = state_.time,
          .annotated = annotator_ != nullptr};
}

void RunPictures::write(const std::string& path) {
  const Options& options = run_.options;
  const Shot now = shot();
  const render::Image image = still(offscreen_.renderer(), annotator_, now, options.width, options.height);
  write_file(path, render::encode_png(image, picture_texts(state_, view_, camera_)));
}

void RunPictures::show_tree() {
  run_.simulation->accelerations(run_.params);  // a tree that was never built is built now
  std::vector<TreeBox> cells;
  run_.simulation->tree_boxes(view_.tree.first_level, view_.tree.last_level, view_.tree.limit, cells);
  offscreen_.renderer().set_boxes(render_boxes(cells));
}

}  // namespace pericenter::app
