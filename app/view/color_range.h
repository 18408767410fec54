#pragma once

#include <optional>
#include <string>

#include "app/view/view_settings.h"
#include "render/frame.h"
#include "render/star_readback.h"
#include "sim/core/bodies.h"
#include "sim/core/vertex_target.h"
#include "sim/scenes/registry.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// The scalar of a colour mode; shows_values(mode) must be true.
Scalar scalar_of(render::ColorMode mode);
/// What the session has to write into vertices for the colours of `view`; shows_values() must be true of them.
request::ShowScalar shown_by(const ViewSettings& view);

/// How a scalar is displayed.
struct ScalarScale {
  std::string title;         ///< "Speed"
  std::string unit;          ///< "km/s"; empty if dimensionless
  double factor = 1;         ///< scene units, or what vertices store of a field, to `unit`
  double min = 0, max = 1;   ///< limits of the ends of the colour map, in `unit`
  bool logarithmic = false;  ///< vertices store its decimal logarithm
  double offset = 0;         ///< value of the stored 0, in `unit`; unless logarithmic

  /// Converts a stored value to the scalar in `unit`, or its decimal logarithm.
  double shown(double stored) const;
  double stored(double shown) const;
};
/// In 2D, densities are per area. The scale of a field is that of the state.
ScalarScale scale_of(Scalar scalar, const SessionState& state);

/// The ends of a colour map, as stored in vertices.
struct ColorRange {
  float low = 0, high = 1;
};

/// 2nd to 98th percentile of the known values of visible stars; nullopt if there are none.
std::optional<ColorRange> range_of(const render::StarSample& sample, bool with_halo);

/// `found` rounded outwards to round numbers, at least one step apart.
ColorRange rounded(const ColorRange& found, const ScalarScale& scale);

/// Fits the ends of the colour map to the sample. Ends that are still suitable are kept, so that colours stay
/// comparable while a scene runs.
void fit_range(const render::StarSample& sample, const ScalarScale& scale, render::ImageSettings& image);

}  // namespace pericenter::app
