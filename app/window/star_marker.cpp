#include "app/window/star_marker.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "app/ui/ui_style.h"
#include "app/window/window.h"
#include "render/star_readback.h"
#include "sim/analysis/structure.h"
#include "sim/analysis/tail_marks.h"

namespace pericenter::app {
namespace {

constexpr float kBrushStep = 1.15f;  // growth per notch of the wheel

void draw_brush(const ImGuiIO& io, float radius, Theme theme) {
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  const bool dark = theme == Theme::dark;
  draw.AddCircle(io.MousePos, radius, dark ? IM_COL32(0, 0, 0, 160) : IM_COL32(255, 255, 255, 200), 0, 4);
  draw.AddCircle(io.MousePos, radius, dark ? IM_COL32(235, 240, 250, 255) : IM_COL32(25, 28, 36, 255), 0, 1.5f);
}

constexpr std::size_t kPart = std::size_t{1} << 22;  // stars on the host at a time: 64 MiB of vertices
constexpr std::size_t kMaxMeasured = 500'000;        // bodies that determine the positions of the galaxies

Vec3 position_of(const render::SampledStar& star) {
  return {star.position.x, star.position.y, star.position.z};
}

template <class Visit>
void visit_stars(const render::Stars& stars, const Visit& visit) {
  for (std::size_t first = 0; first < stars.count; first += kPart) {
    const std::vector<render::SampledStar> part = render::read_stars(stars, first, kPart);
    for (std::size_t k = 0; k < part.size(); ++k) visit(first + k, part[k]);
  }
}

std::vector<std::uint32_t> young_stars(const render::Stars& stars) {
  std::vector<std::uint32_t> found;
  visit_stars(stars, [&](std::size_t i, const render::SampledStar& star) {
    if (is_young(star.tag)) found.push_back(static_cast<std::uint32_t>(i));
  });
  return found;
}

}  // namespace

bool StarMarker::Bodies::same_as(const Bodies& other) const {
  const SceneRequest &a = request, &b = other.request;
  return scene == other.scene && file == other.file && a.bodies == b.bodies && a.seed == b.seed &&
         a.dimension == b.dimension && a.softening == b.softening && a.encounter == b.encounter &&
         permutations == other.permutations && count == other.count;
}

void StarMarker::update(const ShownStars& shown, const SessionState& state, UiState& ui) {
  shown_ = shown;
  bool changed = follow_bodies(state);
  changed = follow_highlight(state, ui) || changed;
  if (ui.stars.marks.wanted && shown_.stars.count > 0) {
    const Highlight wanted = *std::exchange(ui.stars.marks.wanted, std::nullopt);
    mark(wanted, state.units);
    changed = by_hand_ = true;
    if (wanted.what == Highlight::What::tails && view_.renderer().marks().count() == 0)
      set_notice("No star is in a tail now. Tails need two discs, and time.", false, window_time(), ui);
  }
  changed = paint(ui) || changed;
  if (changed) view_.invalidate();
  ui.stars.marks.count = view_.renderer().marks().count();
}

/// Clears the marks when the bodies are others. Returns whether it did.
bool StarMarker::follow_bodies(const SessionState& state) {
  if (shown_.scene_serial != state.scene_serial) return false;  // the stars belong to another state
  Bodies now{state.scene, state.file, state.scene_request, shown_.permutations, state.bodies};
  const bool same = bodies_ && bodies_->same_as(now);
  bodies_ = std::move(now);
  if (same) return false;
  highlight_ = {};
  by_hand_ = false;
  view_.renderer().marks().clear();
  return true;
}

/// Marks the stars of another highlight, once the stars of the slide are there. Its end clears only its own marks.
bool StarMarker::follow_highlight(const SessionState& state, const UiState& ui) {
  const bool loading = ui.lesson.on() && ui.lesson.phase == LessonState::Phase::loading;
  const bool current = shown_.scene_serial == state.scene_serial && shown_.time == state.time && !state.busy;
  if (ui.stars.highlight == highlight_ || loading || !current) return false;
  highlight_ = ui.stars.highlight;
  if (highlight_.what == Highlight::What::nothing && by_hand_) return false;
  mark(highlight_, state.units);
  by_hand_ = false;
  return true;
}

void StarMarker::mark(const Highlight& highlight, const Units& units) {
  render::StarMarks& marks = view_.renderer().marks();
  const double unit = units.length_kpc > 0 ? units.length_kpc : 1;
  marks.clear();
  switch (highlight.what) {
    case Highlight::What::nothing:
      return;
    case Highlight::What::tails:
      return marks.set(stars_in_tails(shown_.stars), shown_.stars.count);
    case Highlight::What::young:
      return marks.set(young_stars(shown_.stars), shown_.stars.count);
    case Highlight::What::galaxy:
      return marks.add(shown_.stars, {.galaxy = highlight.galaxy});
    case Highlight::What::birth_radius:
      return marks.add(shown_.stars, {.low = highlight.first_kpc / unit, .high = highlight.last_kpc / unit});
  }
}

/// Marks what the brush covers. Returns whether it did.
bool StarMarker::paint(UiState& ui) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool brushes = io.KeyCtrl && !io.WantCaptureMouse && !io.WantTextInput && !ui.presentation.station;
  if (brushes && io.MouseWheel != 0)
    ui.stars.marks.brush = std::clamp(ui.stars.marks.brush * std::pow(kBrushStep, io.MouseWheel), kMinBrush, kMaxBrush);
  if (!io.MouseDown[0]) painted_.reset();
  const bool begins = brushes && io.MouseClicked[0];
  if (brushes || painted_) draw_brush(io, ui.stars.marks.brush * ui.layout.used_scale(), ui.view.theme);
  if (!begins && !painted_) return false;
  const glm::vec2 to = view_.cursor(io), from = begins ? to : *painted_;
  painted_ = to;
  if (!begins && from == to) return false;
  const float radius = ui.stars.marks.brush * ui.layout.used_scale() * io.DisplayFramebufferScale.x;
  view_.renderer().marks().add(view_.frame(shown_.stars, ui), {from, to, radius}, view_.size());
  by_hand_ = true;
  return true;
}

std::vector<std::uint32_t> stars_in_tails(const render::Stars& stars) {
  Bodies bodies;
  const std::size_t stride = (stars.count + kMaxMeasured - 1) / kMaxMeasured;
  visit_stars(stars, [&](std::size_t i, const render::SampledStar& star) {
    if (i % stride == 0) bodies.push_back({position_of(star), {}, 1, star.tag});
  });
  if (bodies.empty()) return {};
  const std::optional<TailCriterion> criterion = StructureMeter(bodies).tail_criterion(bodies);
  if (!criterion) return {};
  std::vector<std::uint32_t> found;
  visit_stars(stars, [&](std::size_t i, const render::SampledStar& star) {
    if (is_marked_as_tail(*criterion, position_of(star), star.tag)) found.push_back(static_cast<std::uint32_t>(i));
  });
  return found;
}

}  // namespace pericenter::app
