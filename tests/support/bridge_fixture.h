#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/bridge/vertex_bridge.h"
#include "render/headless_context.h"
#include "tests/support/running_simulation.h"

namespace pericenter::app {

/// A simulation and the vertex bridge that draws it, on OpenGL without a window.
class Bridges : public ::testing::Test {
 protected:
  static request::LoadScene plummer(std::size_t bodies) { return {"plummer", {.bodies = bodies}}; }

  /// Exchanges buffers until `bodies` vertices can be drawn.
  std::optional<PublishedFrame> wait_for(std::size_t bodies) {
    std::optional<PublishedFrame> published;
    const bool found = test::eventually([&] {
      published = bridge->exchange(simulation, simulation.state());
      return published && published->count == bodies;
    });
    return found ? published : std::nullopt;
  }

  std::vector<Vertex> drawn_vertices() const {
    std::vector<Vertex> vertices(bridge->count());
    glGetNamedBufferSubData(bridge->buffer(), 0, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)),
                            vertices.data());
    return vertices;
  }

  void use(Interop interop) { bridge = std::make_unique<VertexBridge>(std::move(interop)); }

  render::HeadlessContext context;
  std::unique_ptr<VertexBridge> bridge = std::make_unique<VertexBridge>();
  SimulationThread simulation;
};

}  // namespace pericenter::app
