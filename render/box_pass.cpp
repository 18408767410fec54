#include "render/box_pass.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "render/gl_info.h"

namespace pericenter::render {

namespace {

/// Pixels of line that one level of cells may put on a picture of 1280 x 720 at full opacity: thousands of large cells
/// would hide the small ones.
constexpr float kInk = 6e4f, kFlatInk = 1.2e5f;
constexpr float kInkPixels = 1280 * 720;
constexpr float kFaintest = 0.03f;
/// Width in pixels below which a cell's edges run together, in space with those behind them.
constexpr float kLegible = 18, kFlatLegible = 7;
constexpr float kSmallest = 3;          ///< pixels; below that a cell is left out
constexpr float kSolid = 0.25f;         ///< of that in space, where many faces lie behind each other
constexpr float kFaceShare = 0.12f;     ///< opacity of one face where `fill` is 1
constexpr float kLayers = 6;            ///< levels beyond which faces are fainter, since they lie over each other
constexpr float kWall = 40;             ///< pixels; see BoxLook
constexpr float kVisible = 0.5f / 255;  ///< opacity of what changes a pixel
// What a GPU or two cores draw in less than a picture's time: boxes, and pixels of their edges.
constexpr std::size_t kMostSeen = 40'000, kMostSeenInSoftware = 12'000;
constexpr float kMostInk = 1e7f, kMostInkInSoftware = 2.5e6f;

std::size_t level_of(const Box& box) {
  return static_cast<std::size_t>(std::clamp<std::int32_t>(box.level, 0, kBoxLevels - 1));
}

float widest(const Box& box) {
  return 2 * std::max({box.half_width[0], box.half_width[1], box.half_width[2]});
}

/// Pixels of its edges, of which those of a large box lie outside.
float line_pixels(float pixels, const OverlayView& view, bool flat) {
  return (flat ? 4.0f : 12.0f) * std::min(pixels, static_cast<float>(std::max(view.size.x, view.size.y)));
}

// Opacities that are drawn in bins of one part in 256: the high bits of positive floats have the order of the numbers.
constexpr int kBinBits = 15;
constexpr std::uint32_t kFirstBin = std::bit_cast<std::uint32_t>(kVisible) >> kBinBits;

constexpr std::size_t bin_of(float opacity) {
  return (std::bit_cast<std::uint32_t>(opacity) >> kBinBits) - kFirstBin;
}

constexpr float opacity_of(std::size_t bin) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bin + kFirstBin) << kBinBits);
}

/// What of the world is in a picture.
class Frustum {
 public:
  explicit Frustum(const OverlayView& view) : scale_(view.scale()) {
    const glm::mat4 rows = glm::transpose(view.clip_from_world);
    depth_ = rows[3];
    planes_ = {rows[3] + rows[0], rows[3] - rows[0], rows[3] + rows[1], rows[3] - rows[1], rows[3] + rows[2]};
    for (glm::vec4& plane : planes_) plane /= glm::length(glm::vec3(plane));
  }

  /// What there is to see of a box. The small ones are most, so they are left out first.
  SeenBox seen(const Box& box) const {
    const glm::vec4 center(box.center[0], box.center[1], box.center[2], 1);
    const float depth = glm::dot(depth_, center), width = widest(box);
    const float pixels = depth > width / 2 ? width * scale_ / depth : kNear;
    if (pixels < kSmallest) return {};
    const glm::vec3 half(box.half_width[0], box.half_width[1], box.half_width[2]);
    for (const glm::vec4& plane : planes_) {
      if (glm::dot(plane, center) < -glm::dot(glm::abs(glm::vec3(plane)), half)) return {};
    }
    return {&box, pixels, depth};
  }

 private:
  static constexpr float kNear = 4096;  ///< of a box around the eye

  std::array<glm::vec4, 5> planes_;
  glm::vec4 depth_;
  float scale_;
};

}  // namespace

BoxPass::BoxPass(const ShaderLibrary& library) : programs_(library), software_(gl_info().software) {}

void BoxPass::set_boxes(std::span<const Box> boxes) {
  chosen_for_.reset();
  if (boxes.empty()) {  // a tree that is not shown keeps no memory (assigning {} would)
    boxes_ = std::vector<Box>();
    found_ = std::vector<SeenBox>();
    edges_ = {};
    faces_ = {};
    return;
  }
  // By counting, in the order in which they came within a level.
  std::array<std::size_t, kBoxLevels + 1> begin{};
  for (const Box& box : boxes) ++begin[kBoxLevels - level_of(box)];
  for (std::size_t k = 1; k <= kBoxLevels; ++k) begin[k] += begin[k - 1];
  boxes_.resize(boxes.size());
  for (const Box& box : boxes) boxes_[begin[kBoxLevels - 1 - level_of(box)]++] = box;
}

/// Finds what can be seen; of too much the strongest.
void BoxPass::choose(const BoxSettings& settings, const OverlayView& view) {
  if (chosen_for_ && chosen_settings_ == settings && *chosen_for_ == view) return;
  chosen_for_ = view;
  chosen_settings_ = settings;
  const Frustum frustum(view);
  found_.clear();
  for (const Box& box : boxes_) {
    if (const SeenBox found = frustum.seen(box); found.box) found_.push_back(found);
  }
  set_looks(settings, view);

  std::vector<Box> edges, faces;
  const float faintest = faintest_drawn(view);
  for (const auto& [box, pixels, depth] : found_) {
    const std::size_t level = level_of(*box);
    if (edges_look_.edge_opacity(level, pixels, depth, view.focus) >= faintest) edges.push_back(*box);
    if (faces_look_.face_opacity(level, pixels, depth, view.focus) >= kVisible) faces.push_back(*box);
  }
  edges_.upload(edges);
  faces_.upload(faces);
}

/// How strong each level is: the more of it there is to draw, the fainter.
void BoxPass::set_looks(const BoxSettings& settings, const OverlayView& view) {
  const bool flat = settings.flat;
  std::array<float, kBoxLevels> ink{};
  for (const SeenBox& of : found_) ink[level_of(*of.box)] += line_pixels(of.pixels, view, flat);
  const auto levels = std::count_if(ink.begin(), ink.end(), [](float drawn) { return drawn > 0; });
  const float face = kFaceShare * (flat ? 1 : kSolid) *
                     std::min(1.0f, kLayers / static_cast<float>(std::max<std::ptrdiff_t>(levels, 1)));
  const float area = static_cast<float>(view.size.x) * static_cast<float>(view.size.y) / kInkPixels;
  edges_look_ = {.legible = flat ? kFlatLegible : kLegible, .line_width = view.hair(), .flat = flat};
  if (!flat) edges_look_.wall = kWall;
  faces_look_ = edges_look_;
  for (std::size_t level = 0; level < kBoxLevels; ++level) {
    const float most = (flat ? kFlatInk : kInk) * area / view.hair();
    const float share = std::clamp(most / std::max(ink[level], 1.0f), kFaintest, 1.0f);
    edges_look_.opacity[level] = share * std::clamp(settings.opacity, 0.0f, 1.0f);
    faces_look_.opacity[level] = share * face * std::clamp(settings.fill, 0.0f, 1.0f);
  }
}

/// Opacity below which edges are left out, so that no more are drawn than there is time for.
float BoxPass::faintest_drawn(const OverlayView& view) const {
  // Edges of about the same opacity are counted together, which is quicker than sorting them.
  struct Edges {
    std::size_t count = 0;
    float pixels = 0;
  };
  std::vector<Edges> edges(bin_of(1) + 1);
  for (const auto& [box, pixels, depth] : found_) {
    const float opacity = edges_look_.edge_opacity(level_of(*box), pixels, depth, view.focus);
    if (opacity < kVisible) continue;
    Edges& alike = edges[bin_of(std::min(opacity, 1.0f))];
    ++alike.count;
    alike.pixels += line_pixels(pixels, view, edges_look_.flat);
  }
  const std::size_t most = software_ ? kMostSeenInSoftware : kMostSeen;
  const float most_ink = software_ ? kMostInkInSoftware : kMostInk;
  Edges drawn;
  for (std::size_t bin = edges.size(); bin-- > 0;) {
    const Edges with{drawn.count + edges[bin].count, drawn.pixels + edges[bin].pixels};
    if (drawn.count > 0 && (with.count > most || with.pixels > most_ink)) return opacity_of(bin + 1);
    drawn = with;
  }
  return kVisible;
}

void BoxPass::draw(const BoxSettings& settings, const OverlayView& view) {
  choose(settings, view);
  set_blending(view.background, true);
  faces_.draw_faces(programs_, view, faces_look_);
  set_blending(view.background, false);
  edges_.draw_edges(programs_, view, edges_look_);
  glDisable(GL_BLEND);
}

}  // namespace pericenter::render
