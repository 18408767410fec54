#include "app/window/star_buffer.h"

#include <glad/gl.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/send_requests.h"
#include "app/view/color_range.h"
#include "app/window/window.h"

namespace pericenter::app {
namespace {

constexpr double kMostDrawing = 0.5;  ///< share of the time for images of moments between steps; the rest is for steps

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

StarChanges StarBuffer::update(SimulationThread& simulation, const SessionState& state, UiState& ui) {
  StarChanges changes;
  const std::optional<std::vector<TreeBox>> cells = simulation.take_tree_boxes();
  changes.any = view_.set_boxes(cells, half_);
  if (cells && half_ == render::Half::right) ui.tree.levels = levels_of(*cells, ui.view.tree.limit);
  if (auto probe = simulation.take_probe(); probe && half_ == render::Half::right) {
    update_probe(std::move(*probe), ui);
    changes.any = true;
  }
  // The notice of the last exchange: only now `state` has the loss of a GPU, which has its own message.
  if (const std::string notice = bridge_.take_notice(); !notice.empty() && state.device_lost.empty()) {
    print_message(notice);
    set_persistent_notice(notice, {}, ui);
  }
  const double now = seconds_now(), before = time();
  if (kMostDrawing * (now - moved_at_) >= view_.timings().total / 1000) moved_at_ = now;
  const auto published = bridge_.exchange(simulation, state,
                                          {.allows_steps = allows_steps_,
                                           .between = shows_between(ui),
                                           .bends = !render::shows_values(ui.view.image.color),
                                           .now = moved_at_});
  if (state.scene_serial == 0 && serial_ != 0 && !published) {  // the first scene was cancelled while it was shown
    bridge_.clear();
    serial_ = 0;
    view_.invalidate();
    changes.any = true;
  }
  const bool moves = published || time() != before;
  if (published) {
    changes.new_time = published->steps != steps_ || published->scene_serial != serial_;
    changes.video_frames = published->video ? published->video->frames : 1;
    take(*published, ui);
  }
  const bool learns = learn_scene(state);
  if (!moves && !learns) return changes;
  changes.any = true;
  if (ui.view.trails.show) view_.renderer().record_trails(stars(), time(), ui.view.trails, half_);
  unsampled_ = true;
  view_.invalidate();
  return changes;
}

/// The state may know of a scene later than its stars arrive. Returns whether it tells something new.
bool StarBuffer::learn_scene(const SessionState& state) {
  if (state.scene_serial != serial_ || serial_ == known_) return false;
  known_ = serial_;
  units_ = state.units;
  masses_ = point_masses(state);
  return true;
}

/// Cells of the tree and the interactions of a star belong to a step, as frames of a comparison do.
bool StarBuffer::shows_between(const UiState& ui) const {
  return between_ && allows_steps_ && !ui.view.tree.show && !ui.stars.probed;
}

/// `probe` is nullopt if the body does not exist any more.
void StarBuffer::update_probe(std::optional<Probe> probe, UiState& ui) {
  if (!probe) {
    ui.stars.probed.reset();
    ui.stars.probe.reset();
  } else if (ui.stars.probed == probe->body) {
    view_.set_probe(*probe);
    ui.stars.probe = std::move(probe);
  }
}

void StarBuffer::take(const PublishedFrame& published, UiState& ui) {
  render::Renderer& renderer = view_.renderer();
  const bool same_scene = serial_ == published.scene_serial;
  if (!same_scene) units_ = {}, masses_ = {}, known_ = 0;
  if (!ui.view.trails.show || !same_scene || continuity_ != published.continuity) renderer.clear_trails(half_);
  const bool other_bodies = continuity_.permutations != published.continuity.permutations;
  if (half_ == render::Half::right && (!same_scene || other_bodies)) forget_selected_stars(ui);
  if (same_scene && other_bodies && ui.view.follow.what == Follow::What::body) ui.view.follow = {};
  steps_ = published.steps;
  serial_ = published.scene_serial;
  continuity_ = published.continuity;
}

void StarBuffer::swap(StarBuffer& other) {
  std::swap(bridge_, other.bridge_);
  std::swap(serial_, other.serial_);
  std::swap(steps_, other.steps_);
  std::swap(continuity_, other.continuity_);
  std::swap(units_, other.units_);
  std::swap(masses_, other.masses_);
  std::swap(known_, other.known_);
  unsampled_ = other.unsampled_ = true;
  view_.invalidate();
}

std::optional<render::StarSample> StarBuffer::sample() {
  render::StarReadback& sampler = view_.renderer().sampler(half_);
  if (std::exchange(unsampled_, false)) sampler.request(stars(), std::nullopt, time());
  return sampler.take();
}

bool StarBuffer::sample(const SessionState& state, UiState& ui) {
  render::StarReadback& sampler = view_.renderer().sampler(half_);
  const Follow& follow = ui.view.follow;
  const std::optional<std::uint32_t> body = follow.what == Follow::What::body ? follow.body : ui.stars.probed;
  const bool first = !ui.stars.sample;
  if (first && serial_ != state.scene_serial) {  // those of the scene before do not tell where the camera belongs
    sampler.take();
    return false;
  }
  if (std::exchange(unsampled_, false) || body != sampled_body_) {
    sampled_body_ = body;
    sampler.request(stars(), vertex_of(body), time());
    sampling_ = true;
    if (first) glFinish();  // the first frame has the camera of its stars
  }
  std::optional<render::StarSample> sample = sampler.take();
  if (!sample) return false;
  sampling_ = false;
  if (bridge_.every() > 1 && !sample->first.empty()) sample->first.resize(1);  // the others are not the first bodies
  ui.stars.sample = std::move(sample);
  view_.control().update(*ui.stars.sample, ui.stars.sample->time, follow);
  if (ui.view.fixed_range || !render::is_scalar(ui.view.image.color)) return true;
  const ScalarScale scale = scale_of(scalar_of(ui.view.image.color), state);
  fit_range(*ui.stars.sample, scale, ui.view.image);
  return true;
}

/// The vertex of a body; nullopt if it has none, or there is no body.
std::optional<std::uint32_t> StarBuffer::vertex_of(std::optional<std::uint32_t> body) const {
  const auto every = static_cast<std::uint32_t>(bridge_.every());
  if (!body || *body % every != 0) return std::nullopt;
  return *body / every;
}

/// The body that a star shows.
std::optional<std::uint32_t> StarBuffer::body_of(std::optional<std::uint32_t> vertex) const {
  if (!vertex) return std::nullopt;
  return static_cast<std::uint32_t>(*vertex * bridge_.every());
}

/// Those of the first bodies that have a vertex.
render::PointMasses StarBuffer::shown_masses() const {
  return {vertices_of(masses_.count, bridge_.every()), masses_.sun};
}

void StarBuffer::select_clicked(const ImGuiIO& io, UiState& ui) {
  const auto star = view_.clicked_star(io, stars(), ui);
  if (star && stars().count > 0) click_star(body_of(*star), time(), window_time(), ui);
}

CapturedFrame StarBuffer::shot(const SessionState& state, const UiState& ui) const {
  render::Frame frame = view_.frame(stars(), ui);
  frame.camera.set_rise(0);  // images and videos have no cards
  return {.frame = frame,
          .state = state,
          .view = ui.view,
          .overlay = overlay_data(ui),
          .time = time(),
          .every = bridge_.every(),
          .annotated = ui.output.annotated,
          .shown = class_view(ui, window_time()),
          .projector_size = ui.presentation.projector_size};
}

}  // namespace pericenter::app
