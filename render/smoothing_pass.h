#pragma once

#include <cstddef>
#include <vector>

#include "render/gl_objects.h"
#include "render/halo_pass.h"
#include "render/light_levels.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Fewer bodies do not sample a galaxy: they are drawn unsmoothed, like planets.
inline constexpr std::size_t kSamples = 1000;

/// Spreads the light of bodies over the distance to their neighbours, so that a disc of few bodies looks like a disc.
///
/// Dense places stay sharp, and the light is conserved; shaders/smoothing.glsl.
class SmoothingPass {
 public:
  explicit SmoothingPass(const ShaderLibrary& library);

  struct Amount {
    float last = 0;                  ///< level of the whole frame at which all light stays; 0: no smoothing
    float body = 1;                  ///< mean light of a body; 1: a white one
    const HaloPass* halo = nullptr;  ///< halo added to level HaloPass::kLevel, or nullptr
  };
  /// `light`: StarPass::light(). The frame uniforms must be bound.
  void smooth(const LightLevels& levels, GLuint light, Amount amount);

  /// Textures of a level of the whole frame, 0 if it is not smoothed. A smoothed level has its light less `arrived`
  /// plus `result`.
  struct Level {
    GLuint arrived = 0;  ///< light that the finer levels passed on
    GLuint result = 0;   ///< the same light, smoothed; alpha: share of the light that the next finer level keeps
  };
  Level at(int level) const;
  /// The level that is added to the sharp image.
  Level finest() const { return at(first_); }
  /// Pixels of the whole frame per pixel of it.
  float pixels() const { return static_cast<float>(1 << first_); }

 private:
  void resize(const LightLevels& levels, std::size_t number);
  void pass_down(const LightLevels& levels, GLuint light, const Amount& amount);
  void collect();

  LazyProgram first_down_, down_, up_;
  VertexArray no_attributes_ = make_vertex_array();
  std::vector<ColorTarget> arrived_, results_;  // levels from first_ on; the coarsest keeps all light that arrives
  int first_ = 1;
  bool active_ = false;
};

/// The level of the widest smoothing, which falls with the number of bodies. It is 0 for fewer than kSamples bodies,
/// and for ten million at 1080 rows: each is a sharp star.
/// `closeness` as in StarView; `height` in pixels.
float smoothing_level(std::size_t bodies, float closeness, float height);

}  // namespace pericenter::render
