#include "render/box_pass.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "render/gl_info.h"

namespace pericenter::render {

namespace {

/// Pixels of line that one level may cover in a 1280 x 720 frame at full opacity; more would hide small cells.
constexpr float kLineBudget = 6e4f, kFlatLineBudget = 1.2e5f;
constexpr float kBudgetPixels = 1280 * 720;
constexpr float kMinShare = 0.03f;
/// Width in pixels below which the edges of a cell merge (in 3D, with those behind it).
constexpr float kLegible = 18, kFlatLegible = 7;
constexpr float kSmallest = 3;          ///< pixels; smaller cells are not drawn
constexpr float kSolid = 0.25f;         ///< factor in 3D, where many faces overlap
constexpr float kFaceShare = 0.12f;     ///< opacity of one face at fill = 1
constexpr float kLayers = 6;            ///< number of levels beyond which faces fade, because they overlap
constexpr float kWall = 40;             ///< pixels; see BoxStyle
constexpr float kVisible = 0.5f / 255;  ///< smallest opacity that changes a pixel
// Boxes, and pixels of their edges, that a GPU or two CPU cores draw within a frame.
constexpr std::size_t kMaxBoxes = 40'000, kMaxBoxesInSoftware = 12'000;
constexpr float kMaxLinePixels = 1e7f, kMaxLinePixelsInSoftware = 2.5e6f;

std::size_t level_of(const Box& box) {
  return static_cast<std::size_t>(std::clamp<std::int32_t>(box.level, 0, kBoxLevels - 1));
}

float widest(const Box& box) {
  return 2 * std::max({box.half_width[0], box.half_width[1], box.half_width[2]});
}

/// Pixels of its edges; most edges of a large box are outside the frame.
float line_pixels(float pixels, const OverlayView& view, bool flat) {
  return (flat ? 4.0f : 12.0f) * std::min(pixels, static_cast<float>(std::max(view.size.x, view.size.y)));
}

// Bins of opacity, 256 per factor of two: the high bits of positive floats sort like the floats.
constexpr int kBinBits = 15;
constexpr std::uint32_t kFirstBin = std::bit_cast<std::uint32_t>(kVisible) >> kBinBits;

constexpr std::size_t bin_of(float opacity) {
  return (std::bit_cast<std::uint32_t>(opacity) >> kBinBits) - kFirstBin;
}

constexpr float opacity_of(std::size_t bin) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bin + kFirstBin) << kBinBits);
}

/// The visible volume of the frame.
class Frustum {
 public:
  explicit Frustum(const OverlayView& view) : scale_(view.scale()) {
    const glm::mat4 rows = glm::transpose(view.clip_from_world);
    depth_ = rows[3];
    planes_ = {rows[3] + rows[0], rows[3] - rows[0], rows[3] + rows[1], rows[3] - rows[1], rows[3] + rows[2]};
    for (glm::vec4& plane : planes_) plane /= glm::length(glm::vec3(plane));
  }

  /// Projects a box. Most boxes are small, so the size test comes first.
  VisibleBox visible(const Box& box) const {
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
  static constexpr float kNear = 4096;  ///< width in pixels of a box around the camera

  std::array<glm::vec4, 5> planes_;
  glm::vec4 depth_;
  float scale_;
};

}  // namespace

BoxPass::BoxPass(const ShaderLibrary& library) : programs_(library), software_(gl_info().software) {}

void BoxPass::set_boxes(std::span<const Box> boxes) {
  chosen_for_.reset();
  if (boxes.empty()) {  // release the memory (assigning {} would keep the capacity)
    boxes_ = std::vector<Box>();
    found_ = std::vector<VisibleBox>();
    edges_ = {};
    faces_ = {};
    return;
  }
  // Stable counting sort by level.
  std::array<std::size_t, kBoxLevels + 1> begin{};
  for (const Box& box : boxes) ++begin[kBoxLevels - level_of(box)];
  for (std::size_t k = 1; k <= kBoxLevels; ++k) begin[k] += begin[k - 1];
  boxes_.resize(boxes.size());
  for (const Box& box : boxes) boxes_[begin[kBoxLevels - 1 - level_of(box)]++] = box;
}

/// Selects the visible boxes, and the strongest of them when there are too many.
void BoxPass::choose(const BoxSettings& settings, const OverlayView& view) {
  if (chosen_for_ && chosen_settings_ == settings && *chosen_for_ == view) return;
  chosen_for_ = view;
  chosen_settings_ = settings;
  const Frustum frustum(view);
  found_.clear();
  for (const Box& box : boxes_) {
    if (const VisibleBox found = frustum.visible(box); found.box) found_.push_back(found);
  }
  set_styles(settings, view);

  std::vector<Box> edges, faces;
  const float faintest = min_opacity(view);
  for (const auto& [box, pixels, depth] : found_) {
    const std::size_t level = level_of(*box);
    if (edges_style_.edge_opacity(level, pixels, depth, view.focus) >= faintest) edges.push_back(*box);
    if (faces_style_.face_opacity(level, pixels, depth, view.focus) >= kVisible) faces.push_back(*box);
  }
  edges_.upload(edges);
  faces_.upload(faces);
}

/// Sets the opacity per level: the more line pixels, the fainter.
void BoxPass::set_styles(const BoxSettings& settings, const OverlayView& view) {
  const bool flat = settings.flat;
  std::array<float, kBoxLevels> ink{};
  for (const VisibleBox& of : found_) ink[level_of(*of.box)] += line_pixels(of.pixels, view, flat);
  const auto levels = std::count_if(ink.begin(), ink.end(), [](float drawn) { return drawn > 0; });
  const float face = kFaceShare * (flat ? 1 : kSolid) *
                     std::min(1.0f, kLayers / static_cast<float>(std::max<std::ptrdiff_t>(levels, 1)));
  const float area = static_cast<float>(view.size.x) * static_cast<float>(view.size.y) / kBudgetPixels;
  edges_style_ = {.legible = flat ? kFlatLegible : kLegible, .line_width = view.thin_line(), .flat = flat};
  if (!flat) edges_style_.wall = kWall;
  faces_style_ = edges_style_;
  for (std::size_t level = 0; level < kBoxLevels; ++level) {
    const float most = (flat ? kFlatLineBudget : kLineBudget) * area / view.thin_line();
    const float shown = std::clamp(settings.revealed - static_cast<float>(level), 0.0f, 1.0f);
    const float share = shown * std::clamp(most / std::max(ink[level], 1.0f), kMinShare, 1.0f);
    edges_style_.opacity[level] = share * std::clamp(settings.opacity, 0.0f, 1.0f);
    faces_style_.opacity[level] = share * face * std::clamp(settings.fill, 0.0f, 1.0f);
  }
}

/// Opacity below which edges are skipped, to limit the drawing time.
float BoxPass::min_opacity(const OverlayView& view) const {
  // Binning edges by opacity is faster than sorting them.
  struct Edges {
    std::size_t count = 0;
    float pixels = 0;
  };
  std::vector<Edges> edges(bin_of(1) + 1);
  for (const auto& [box, pixels, depth] : found_) {
    const float opacity = edges_style_.edge_opacity(level_of(*box), pixels, depth, view.focus);
    if (opacity < kVisible) continue;
    Edges& alike = edges[bin_of(std::min(opacity, 1.0f))];
    ++alike.count;
    alike.pixels += line_pixels(pixels, view, edges_style_.flat);
  }
  const std::size_t most = software_ ? kMaxBoxesInSoftware : kMaxBoxes;
  const float max_ink = software_ ? kMaxLinePixelsInSoftware : kMaxLinePixels;
  Edges drawn;
  for (std::size_t bin = edges.size(); bin-- > 0;) {
    const Edges with{drawn.count + edges[bin].count, drawn.pixels + edges[bin].pixels};
    if (drawn.count > 0 && (with.count > most || with.pixels > max_ink)) return opacity_of(bin + 1);
    drawn = with;
  }
  return kVisible;
}

void BoxPass::draw(const BoxSettings& settings, const OverlayView& view) {
  choose(settings, view);
  set_blending(view.background, true);
  faces_.draw_faces(programs_, view, faces_style_);
  set_blending(view.background, false);
  edges_.draw_edges(programs_, view, edges_style_);
  glDisable(GL_BLEND);
}

}  // namespace pericenter::render
