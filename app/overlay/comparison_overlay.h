#pragma once

#include <array>

#include "app/overlay/guides.h"
#include "app/overlay/labels.h"
#include "app/ui/comparison_setup.h"
#include "app/ui/ui_style.h"

namespace pericenter::app {

/// Colour of A, grey, or of B, blue, on an image and in panels of this theme; contrast at least 4.5.
ImVec4 comparison_color(bool is_a, Theme theme);

/// The x of the divider, in pixels.
float divider_of(const OverlayCanvas& canvas, const ComparisonState& comparison);

/// Draws the divider over an image of two compared simulations. Returns its x.
float draw_dividing_line(const OverlayCanvas& canvas, const ComparisonState& comparison);

/// Pixels from the upper edge of the image to the lower edge of the labels of A and B; 0 without a comparison.
float end_of_labels(const ComparisonState& comparison, float em);

/// Draws the divider over an image of two compared simulations, and the settings in which they differ at the top of
/// both sides. Returns the labels of A and B.
std::array<LabelBox, 2> draw_comparison(const OverlayCanvas& canvas, ImFont* headline,
                                        const ComparisonState& comparison, Theme theme);

}  // namespace pericenter::app
