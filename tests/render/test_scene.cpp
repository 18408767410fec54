#include "tests/render/test_scene.h"

#include <glad/gl.h>

#include <cmath>
#include <glm/gtc/packing.hpp>
#include <numbers>
#include <numeric>

#include "render/gl_info.h"
#include "sim/core/vertex_target.h"
#include "sim/scenes/registry.h"

namespace pericenter::render {
namespace {

/// Portable, unlike the distributions of <random>.
class Uniform {
 public:
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 1;
};

struct Disc {
  std::uint32_t galaxy;
  double x, y, tilt;
};

Vertex body_of(const Disc& disc, Uniform& uniform) {
  const double kind = uniform();
  const Component component = kind < 0.6 ? Component::disc : kind < 0.75 ? Component::bulge : Component::halo;
  const double size = component == Component::disc ? 1 : component == Component::bulge ? 0.25 : 3;
  const double radius = -size * std::log((1 - uniform()) * (1 - uniform()));
  const double arm = uniform() < 0.5 ? 0 : std::numbers::pi;
  const bool flat = component == Component::disc;
  // A logarithmic spiral with finite width, or a ball.
  const double angle =
      flat ? arm + 2.5 * std::log(radius + 0.1) + 1.2 * (uniform() - 0.5) : 2 * std::numbers::pi * uniform();
  const double sine = flat ? 0.1 * (uniform() - 0.5) : 2 * uniform() - 1;
  const double across = radius * std::sqrt(1 - sine * sine);
  const double x = across * std::cos(angle), y = across * std::sin(angle), z = radius * sine;
  const double c = std::cos(disc.tilt), s = std::sin(disc.tilt);
  return {.x = static_cast<float>(disc.x + x),
          .y = static_cast<float>(disc.y + c * y - s * z),
          .z = static_cast<float>(s * y + c * z),
          .attribute = attribute_of(make_tag(disc.galaxy, component, radius), static_cast<float>(std::sqrt(radius)))};
}

void divide(const Box& cell, int depth, std::vector<Box>& out) {
  out.push_back(cell);
  if (cell.level == depth) return;
  for (int octant = 0; octant < 8; ++octant) {
    if (cell.level > 0 && octant != 0 && octant != 7) continue;
    const float half = cell.half_width[0] / 2;
    Box child{.center = {}, .half_width = {half, half, half}, .level = cell.level + 1};
    for (int axis = 0; axis < 3; ++axis) child.center[axis] = cell.center[axis] + ((octant >> axis & 1) ? half : -half);
    divide(child, depth, out);
  }
}

}  // namespace

VertexBuffer::VertexBuffer(const std::vector<Vertex>& vertices) : count_(vertices.size()) {
  if (count_ == 0) return;
  glCreateBuffers(1, &name_);
  glNamedBufferStorage(name_, static_cast<GLsizeiptr>(count_ * sizeof(Vertex)), vertices.data(), 0);
}

VertexBuffer::~VertexBuffer() {
  glDeleteBuffers(1, &name_);
}

std::uint32_t attribute_of(std::uint32_t tag, float speed) {
  return tag | static_cast<std::uint32_t>(glm::packHalf1x16(speed)) << 16;
}

Scene two_spirals(std::size_t count) {
  Scene scene;
  Uniform uniform;
  const Disc discs[2] = {{.galaxy = 0, .x = -4, .y = -1, .tilt = 0.3}, {.galaxy = 1, .x = 4, .y = 1, .tilt = -1.0}};
  for (std::size_t i = 0; i < count; ++i) scene.vertices.push_back(body_of(discs[i % 2], uniform));
  scene.camera.fit(7);
  scene.settings.high = 2;
  return scene;
}

Scene start_of(std::string_view name, std::size_t bodies, std::uint64_t seed) {
  const pericenter::Scene start = find_scene(name)->make({.bodies = bodies, .seed = seed});
  Scene scene;
  scene.width = 1280;
  scene.height = 720;
  for (const Body& body : start.bodies) {
    scene.vertices.push_back({.x = static_cast<float>(body.position[0]),
                              .y = static_cast<float>(body.position[1]),
                              .z = static_cast<float>(body.position[2]),
                              .attribute = attribute_of(body.tag, 0)});
  }
  scene.camera.fit(static_cast<float>(start.view_radius));
  return scene;
}

std::vector<Box> tree_cells(int depth) {
  std::vector<Box> cells;
  divide({.center = {0, 0, 0}, .half_width = {6, 6, 6}, .level = 0}, depth, cells);
  return cells;
}

Image draw_in_one_pass(Renderer& renderer, const Frame& frame, int width, int height) {
  const OffscreenTarget target(width, height);
  renderer.draw(frame, target.framebuffer(), width, height);
  Image image = read_pixels(target.framebuffer(), width, height);
  check_gl();
  return image;
}

Image draw(Renderer& renderer, const Scene& scene) {
  const VertexBuffer buffer(scene.vertices);
  renderer.set_boxes(scene.cells);
  renderer.set_probe(scene.probe);
  const Frame frame{.stars = buffer.stars(),
                    .camera = scene.camera,
                    .settings = scene.settings,
                    .boxes = scene.boxes,
                    .show_probe = !scene.probe.accepted.empty()};
  return draw_in_one_pass(renderer, frame, scene.width, scene.height);
}

std::vector<std::uint32_t> accumulated(const StarPass& pass) {
  GLint light = 0, bytes = 0;
  glGetTextureLevelParameteriv(pass.light(), 0, GL_TEXTURE_BUFFER_DATA_STORE_BINDING, &light);
  glGetNamedBufferParameteriv(static_cast<GLuint>(light), GL_BUFFER_SIZE, &bytes);
  std::vector<std::uint32_t> numbers(static_cast<std::size_t>(bytes) / sizeof(std::uint32_t));
  glGetNamedBufferSubData(static_cast<GLuint>(light), 0, bytes, numbers.data());
  check_gl();
  return numbers;
}

double mean_of(const Image& image) {
  return std::accumulate(image.rgb.begin(), image.rgb.end(), 0.0) / static_cast<double>(image.rgb.size());
}

}  // namespace pericenter::render
