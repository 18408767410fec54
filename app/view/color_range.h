#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "render/frame.h"
#include "render/star_sampler.h"
#include "sim/core/bodies.h"
#include "sim/core/scalar.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// What the vertices hold for a colour mode: of the scalar ones only.
Scalar scalar_of(render::ColorMode mode);

/// How a scalar is shown to people.
struct ScalarScale {
  std::string title;           ///< "Speed"
  std::string unit;            ///< "km/s"; empty when it has none
  double factor = 1;           ///< times the scalar in scene units is the scalar in `unit`
  double least = 0, most = 1;  ///< that an end of the colour map may be set to, in `unit`
  bool logarithmic = false;    ///< vertices hold its decimal logarithm, in scene units

  /// From what a vertex holds: the scalar in `unit`, or its decimal logarithm.
  double shown(double held) const;
  double held(double shown) const;
};
/// In 2D densities are of areas.
ScalarScale scale_of(Scalar scalar, const Units& units, int dimension);

/// The two ends of a colour map, as vertices hold them.
struct ColorRange {
  float low = 0, high = 1;
};

/// From the 2nd to the 98th percentile of what is known of the stars that are seen; nullopt when nothing is.
std::optional<ColorRange> range_of(const render::StarSample& sample, bool with_halo);

/// `found` rounded outwards to ends that read well, at least a step apart.
ColorRange rounded(const ColorRange& found, const ScalarScale& scale);

/// Sets the ends of the colour map to what is there. Ends that still suit stay, so that colours keep their meaning
/// while a scene runs.
void fit_range(const render::StarSample& sample, const ScalarScale& scale, render::ImageSettings& picture);

/// As StarSampler takes it, of vertices on the host.
render::StarSample sample_of(std::span<const Vertex> vertices);

}  // namespace pericenter::app
