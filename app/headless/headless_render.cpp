#include "app/headless/headless_render.h"

#include <glad/gl.h>

#include <algorithm>
#include <span>
#include <stdexcept>

#include "app/base/atomic_file.h"
#include "app/output/png_metadata.h"
#include "app/ui/narrator.h"
#include "app/ui/run_sentences.h"
#include "app/view/camera_control.h"
#include "app/view/camera_file.h"
#include "app/view/color_range.h"
#include "app/view/tree_levels.h"
#include "sim/core/device.h"

namespace pericenter::app {

bool follows_story(const Options& options) {
  return options.view.follow.what == Follow::What::story && !options.camera && options.camera_path.empty();
}

render::Camera camera_of(const Options& options, const SessionState& state, double radius) {
  render::Camera camera;
  SceneView view = follows_story(options) ? story_view_of(state) : view_of(state);
  view.radius = radius;
  fit(view, camera);
  if (options.camera) camera.set_pose(*options.camera);
  return camera;
}

HeadlessRenderer::HeadlessRenderer(Offscreen& offscreen, const ShownRun& run, double radius, bool annotated)
    : offscreen_(offscreen),
      annotator_(annotated ? &offscreen.annotator() : nullptr),
      run_(run),
      view_(run.options.view),
      camera_(camera_of(run.options, run.session.state(), radius)),
      frames_(follows_story(run.options) && !run.options.reduced_motion),
      stars_(offscreen.renderer(), run.options.bridge, !render::shows_values(view_.image.color)) {
  if (!run.options.camera_path.empty()) path_ = read_camera_path(run.options.camera_path);
  if (path_.empty() && view_.follow.what == Follow::What::path) scene_path_ = scene_path(run.session.state());
  if (!render::shows_values(view_.image.color)) return;
  run.session.apply(shown_by(view_));
  const SessionState& state = run.session.state();
  if (state.scalar != Scalar::field) return;
  if (state.message_is_error) throw InputError(state.message);
  if (!state.field)
    throw InputError(
        "These bodies have no such field. --color-by field and type need a file of bodies that has one: "
        "--load or --play.");
}

void HeadlessRenderer::begin_video() {
  const Options& options = run_.options;
  const bool given = options.on_scene_path.has_value();
  if (given ? *options.on_scene_path : frames_) scene_path_ = scene_path(run_.session.state());
  if (given) frames_ = false;
  narrates_ = options.narrator && has_enough_bodies_for_events(run_.session.state());
  captions_ = scene_captions(run_.session.state());
  captioned_ = run_.session.state().time;
}

void HeadlessRenderer::move_camera(double seconds) {
  if (!path_.empty()) return camera_.set_pose(path_pose(path_, seconds));
  if (frames_) return frame_story(seconds);
  if (!scene_path_.empty()) return camera_.set_pose(path_pose(scene_path_, time_));
  if (!view_.drift || run_.options.reduced_motion || state_.config.dimension == 2) return;
  camera_.set_pose(drifted(start_, seconds));
}

/// On the path of a scene, or with a drift, only the direction is theirs.
void HeadlessRenderer::frame_story(double seconds) {
  const Options& options = run_.options;
  const bool drifts = view_.drift && state_.config.dimension == 3;
  const SceneView view = story_view_of(state_);
  render::CameraPose along = start_;
  if (view.story && !view.look.flat) {
    const ViewAngles angles = view.story->at(time_);
    along.yaw = glm::radians(static_cast<float>(angles.yaw));
    along.pitch = glm::radians(static_cast<float>(angles.pitch));
  }
  if (drifts) along = drifted(along, seconds);
  render::CameraPose pose = camera_.pose();
  if (!scene_path_.empty()) along = path_pose(scene_path_, time_);
  pose.yaw = along.yaw;
  pose.pitch = along.pitch;
  camera_.set_pose(pose);
  if (!framed_at_) framing_.start(camera_);
  const float passed = static_cast<float>(seconds - std::exchange(framed_at_, seconds).value_or(seconds));
  const float aspect = static_cast<float>(options.width) / static_cast<float>(options.height);
  const bool keeps_scale = view.keeps_scale;
  if (const auto wanted = framed(stars_.sample(), camera_, {.aspect = aspect, .keeps_scale = keeps_scale}))
    framing_.advance(*wanted, passed, camera_);
}

/// A sentence is shown from the frame in which its event is found, a little after the event. What the scene says about
/// its key moment is not cut short by an event.
std::string HeadlessRenderer::narration(double seconds) {
  if (!narrates_) return {};
  for (const Caption& caption : captions_) {
    if (!(captioned_ < caption.time && caption.time <= time_)) continue;
    show(caption.sentence, seconds);
    if (caption.time == state_.highlight_time) kept_ = silent_;
  }
  captioned_ = time_;
  const std::span<const EncounterEvent> events = run_.session.run().encounter_events();
  if (events.size() > narrated_ && seconds >= kept_) show(captions_of(events, state_.units).back().sentence, seconds);
  narrated_ = events.size();
  return seconds < silent_ ? sentence_ : std::string();
}

void HeadlessRenderer::show(const std::string& sentence, double seconds) {
  sentence_ = sentence;
  silent_ = seconds + narration_seconds(sentence);
}

CapturedFrame HeadlessRenderer::shot(double seconds, double way) {
  render::Stars stars = stars_.update(run_.session, way);
  state_ = run_.session.state();
  time_ = state_.time + way * state_.params.dt;
  stars.age = scene_age(time_, state_.units);
  stars.masses = point_masses(state_);
  if (!view_.fixed_range) fit_range(stars_.sample(), scale_of(state_.scalar, state_), view_.image);
  move_camera(seconds);
  const render::Frame frame = frame_of(view_, stars, camera_, look_of(state_));
  if (view_.tree.show) update_tree();
  if (view_.trails.show) offscreen_.renderer().record_trails(frame.stars, time_, view_.trails);
  return {.frame = frame,
          .state = state_,
          .view = view_,
          .overlay = {.sample = &stars_.sample(), .tree = &tree_levels_, .revealed = frame.boxes.revealed},
          .time = time_,
          .annotated = annotator_ != nullptr,
          .shown = {.narration = narration(seconds)},
          .projector_size = run_.options.projector_size};
}

render::Image HeadlessRenderer::image(int width, int height, const ClassView& shown) {
  CapturedFrame now = shot();
  now.shown = shown;
  return still(offscreen_.renderer(), annotator_, now, width, height);
}

void HeadlessRenderer::write(const std::string& path) {
  if (path.ends_with(".pfm")) {
    const render::Frame frame = shot().frame;
    return write_file(path,
                      render::encode_pfm(offscreen_.renderer().light(frame, run_.options.width, run_.options.height)));
  }
  const render::Image now = image(run_.options.width, run_.options.height);
  write_file(path, render::encode_png(now, image_metadata(state_, view_, camera_)));
}

void HeadlessRenderer::update_tree() {
  Session& session = run_.session;
  session.apply(view_.tree);
  const auto cells = session.new_tree_boxes();
  if (!cells) return;
  offscreen_.renderer().set_boxes(render_boxes(*cells));
  tree_levels_ = levels_of(*cells, view_.tree.limit);
}

HeadlessStars::HeadlessStars(render::Renderer& renderer, Bridge wanted, bool bends)
    : renderer_(renderer), wanted_(wanted), bends_(bends) {}

render::Stars HeadlessStars::update(Session& session, double way) {
  glFinish();  // the GPU may still draw the previous vertices
  render::Stars stars{.buffer = fill(now_, session, false), .count = session.simulation()->size()};
  if (way > 0) {
    stars.before = stars.buffer;
    stars.buffer = fill(next_, session, true);
    stars.way = static_cast<float>(way);
    stars.bends = bends_;
  }
  renderer_.sampler().request(stars, std::nullopt, session.simulation()->time() + way * session.state().params.dt);
  glFinish();
  sample_ = renderer_.sampler().take().value_or(render::StarSample());
  return stars;
}

/// The name of the buffer, with the current vertices or those at the end of the next step.
unsigned HeadlessStars::fill(Slot& slot, Session& session, bool ahead) {
  VertexTarget target = map(slot, session.state(), session.simulation()->size());  // a playback changes it
  target.bends = bends_;
  try {
    if (!ahead || session.publish_ahead(target).count == 0) session.write_vertices(target);
    slot.buffer->unmap();
  } catch (...) {
    slot.buffer.reset();
    throw;
  }
  return slot.buffer->name();
}

VertexTarget HeadlessStars::map(Slot& slot, const SessionState& state, std::size_t count) {
  auto& [buffer, shared] = slot;
  // OpenGL does not allow an empty buffer.
  const std::size_t needed = std::max<std::size_t>(1, count);
  if (!interop_ && state.config.backend == Backend::cuda) interop_ = plan_interop(wanted_, cuda_status()).interop;
  const bool share = interop_ && interop_->can_share(state) && needed <= interop_->max_vertices;
  if (!buffer || buffer->capacity() < needed || shared != share) buffer.reset();
  if (share) {
    try {
      if (!buffer) buffer = interop_->make(needed, state.config.device);
      shared = true;
      return buffer->map();
    } catch (const std::runtime_error& error) {
      interop_->problem = error.what();
      print_message(fallback_notice(interop_->problem));
      buffer.reset();
    }
  }
  if (!buffer) buffer = make_host_buffer(needed);
  shared = false;
  return buffer->map();
}

}  // namespace pericenter::app
