#pragma once

#include <imgui.h>

#include <cfloat>
#include <glm/glm.hpp>
#include <optional>
#include <string>

#include "app/base/translation.h"
#include "render/camera.h"
#include "render/frame.h"
#include "sim/core/units.h"
#include "sim/core/vec.h"

namespace pericenter::app {

/// The image that annotations are drawn on, and their font and colours.
struct OverlayCanvas {
  ImDrawList& draw;
  ImFont* font;
  float em;          ///< font size in pixels
  ImVec2 low, high;  ///< upper left and lower right corner of the image
  ImVec4 foreground, dim, halo;
  render::GalaxyColors galaxies = render::GalaxyColors::safe;
  float hidden = 0;                ///< pixels of the view below `high`, which a bar covers
  std::string_view language = {};  ///< language of the words that are drawn, see translated()

  std::string words(const std::string& english) const { return translated(english, language); }
  float text_width(const std::string& english) const {
    return font->CalcTextSizeA(em, FLT_MAX, 0, words(english).c_str()).x;
  }
  ImVec2 size() const { return {high.x - low.x, high.y - low.y}; }
  /// Size of the whole view, which the camera projects to.
  ImVec2 view() const { return {size().x, size().y + hidden}; }
};

/// Draws text, in the language of the canvas, with a halo in the background colour, which keeps it legible over stars.
void write(const OverlayCanvas& canvas, ImVec2 at, const ImVec4& foreground, const std::string& english);
/// Draws a line with the same halo.
void rule(const OverlayCanvas& canvas, ImVec2 from, ImVec2 to, const ImVec4& foreground);

/// Draws an arrow with a halo.
void draw_arrow(const OverlayCanvas& canvas, ImVec2 from, ImVec2 to, const ImVec4& color);
/// The colour of lines of a galaxy, legible on this background.
ImVec4 galaxy_color(const OverlayCanvas& canvas, int galaxy);

/// Fills a rectangle with the background colour, so that text on it is legible over stars and cells.
void plate(const OverlayCanvas& canvas, ImVec2 low, ImVec2 high);

/// Draws the plane z = 0 as squares of a round length that fade out away from the centre. Returns that length.
double draw_grid(const OverlayCanvas& canvas, const render::Camera& camera, const Units& units);
/// Draws the directions of x, y and z in the lower right corner.
void draw_axes(const OverlayCanvas& canvas, const render::Camera& camera);

inline glm::vec3 to_glm(const Vec3& v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

/// Projects world coordinates to pixels of an image.
class Projection {
 public:
  Projection(const OverlayCanvas& canvas, const render::Camera& camera)
      : canvas_(canvas),
        clip_(camera.projection(canvas.view().x / canvas.view().y) * camera.view()),
        nearest_(1e-2f * camera.distance()) {}

  /// Clips a line at the camera plane; false if all of it is behind the camera.
  bool line(const glm::vec3& from, const glm::vec3& to, ImVec2& a, ImVec2& b) const {
    glm::vec4 first = clip_ * glm::vec4(from, 1), second = clip_ * glm::vec4(to, 1);
    if (first.w < nearest_ && second.w < nearest_) return false;
    if (first.w < nearest_) first = glm::mix(first, second, (nearest_ - first.w) / (second.w - first.w));
    if (second.w < nearest_) second = glm::mix(second, first, (nearest_ - second.w) / (first.w - second.w));
    a = pixel(first);
    b = pixel(second);
    return true;
  }
  /// nullopt if the point is behind the camera.
  std::optional<ImVec2> point(const glm::vec3& at) const {
    const glm::vec4 clip = clip_ * glm::vec4(at, 1);
    if (clip.w < nearest_) return std::nullopt;
    return pixel(clip);
  }

 private:
  ImVec2 pixel(const glm::vec4& clip) const {
    const ImVec2 size = canvas_.view();
    return {canvas_.low.x + size.x * (0.5f + 0.5f * clip.x / clip.w),
            canvas_.low.y + size.y * (0.5f - 0.5f * clip.y / clip.w)};
  }

  const OverlayCanvas& canvas_;
  glm::mat4 clip_;
  float nearest_;
};

}  // namespace pericenter::app
