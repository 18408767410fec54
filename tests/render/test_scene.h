#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render/headless_context.h"
#include "render/image.h"
#include "render/offscreen_target.h"
#include "render/renderer.h"
#include "render/star_pass.h"
#include "sim/core/bodies.h"
#include "sim/core/vertex_target.h"

namespace pericenter::render {

/// A GPU buffer with `vertices`.
class VertexBuffer {
 public:
  explicit VertexBuffer(const std::vector<Vertex>& vertices);
  ~VertexBuffer();
  VertexBuffer(const VertexBuffer&) = delete;
  VertexBuffer& operator=(const VertexBuffer&) = delete;

  Stars stars() const { return {.buffer = name_, .count = count_}; }

 private:
  unsigned name_ = 0;
  std::size_t count_ = 0;
};

/// Input of a test image.
struct Scene {
  std::vector<Vertex> vertices;
  Camera camera;
  ImageSettings settings;
  BoxSettings boxes;
  std::vector<Box> cells;
  ProbeDrawing probe;  ///< drawn if it has cells
  int width = 320, height = 180;
};

/// Packs tag and speed as the simulation does.
std::uint32_t attribute_of(std::uint32_t tag, float speed);

/// Two inclined spiral discs with bulges and a halo, `count` bodies; identical on every machine.
Scene two_spirals(std::size_t count);
/// The start of a scene as the program shows it, 1280 x 720 pixels.
Scene start_of(std::string_view name, std::size_t bodies, std::uint64_t seed);

/// A small octree over that scene: the root is divided completely, then two corners of each cell, to level `depth`.
std::vector<Box> tree_cells(int depth);

/// Draws `frame` in one pass; throws on any OpenGL error.
Image draw_in_one_pass(Renderer& renderer, const Frame& frame, int width, int height);

/// Draws `scene`; throws on any OpenGL error.
Image draw(Renderer& renderer, const Scene& scene);

/// The numbers of shaders/accumulation.glsl after a call of draw().
std::vector<std::uint32_t> accumulated(const StarPass& pass);

/// Mean value of all channels and pixels, 0 to 255.
double mean_of(const Image& image);

}  // namespace pericenter::render
