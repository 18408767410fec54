#include "app/headless/headless_render.h"

#include "app/base/atomic_file.h"
#include "app/output/png_metadata.h"
#include "app/view/camera_control.h"
#include "app/view/camera_file.h"
#include "app/view/color_range.h"
#include "app/window/viewport.h"

namespace pericenter::app {

UiState look_of(const HeadlessRun& run, bool annotated) {
  const Options& options = run.options;
  UiState ui;
  set_look(options.look, ui);
  ui.theme = options.theme.value_or(Theme::dark);
  ui.picture.background = background_of(ui.theme);
  ui.output.annotated = annotated;
  if (!options.camera_path.empty()) ui.camera.path = read_camera_path(options.camera_path);
  return ui;
}

RunPictures::RunPictures(Offscreen& offscreen, const HeadlessRun& run, double radius, bool annotated)
    : offscreen_(offscreen),
      annotator_(annotated ? &offscreen.annotator() : nullptr),
      run_(run),
      ui_(look_of(run, annotated)),
      vertices_(run.simulation->size()) {
  fit({radius, run.simulation->config().dimension == 2, run.scene.angles}, camera_);
  if (run.options.look.camera) camera_.set_pose(*run.options.look.camera);
  if (render::is_scalar(ui_.picture.color)) run.simulation->show(scalar_of(ui_.picture.color));
}

Shot RunPictures::shot(double seconds) {
  vertices_.resize(run_.simulation->size());  // that of a recording changes
  run_.simulation->publish(host_target(vertices_));
  state_ = state_of(run_);
  ui_.sample = sample_of(vertices_);
  if (!ui_.fixed_range)
    fit_range(*ui_.sample, scale_of(state_.scalar, state_.units, state_.config.dimension), ui_.picture);
  if (!ui_.camera.path.empty()) camera_.set_pose(path_pose(ui_.camera.path, seconds));
  render::Frame picture{.stars = offscreen_.upload(vertices_),
                        .camera = camera_,
                        .settings = ui_.picture,
                        .boxes = ui_.boxes,
                        .trails = ui_.trails};
  picture.boxes.flat = state_.config.dimension == 2;
  if (ui_.tree.show) show_tree();
  if (ui_.trails.show) offscreen_.renderer().record_trails(picture.stars, state_.time, ui_.trails);
  return {picture, state_, ui_, state_.time};
}

void RunPictures::write(const std::string& path) {
  const Options& options = run_.options;
  const Shot now = shot();
  const render::Image image = still(offscreen_.renderer(), annotator_, now, options.width, options.height);
  write_file(path, render::encode_png(image, picture_texts(state_, ui_, camera_)));
}

void RunPictures::show_tree() {
  run_.simulation->accelerations(run_.params);  // a tree that was never built is built now
  std::vector<TreeBox> cells;
  run_.simulation->tree_boxes(ui_.tree.first_level, ui_.tree.last_level, ui_.tree.limit, cells);
  offscreen_.renderer().set_boxes(boxes_of(cells));
}

}  // namespace pericenter::app
