#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "render/frame.h"
#include "render/image.h"
#include "sim/core/bodies.h"
#include "sim/core/tree_box.h"

namespace pericenter::app {

/// What a class sees at the end of a slide, on a projector of kPictureWidth x kPictureHeight pixels.
struct SlidePicture {
  render::Image image;         ///< stars and tree, no words
  render::Frame frame;         ///< camera, and the halves of a comparison
  std::vector<bool> words;     ///< pixels that words or their card cover
  std::vector<TreeBox> cells;  ///< cells of the tree of A that is shown
  int readouts = 0;            ///< numbers below the clock that are large enough to be read
};
inline constexpr int kPictureWidth = 1280, kPictureHeight = 720;

/// A run in the picture.
struct PicturedRun {
  const SlidePicture& picture;
  const Bodies& bodies;
  std::span<const std::size_t> highlighted = {};  ///< indices of the highlighted stars
  render::Half half = render::Half::right;        ///< where it is, in a comparison
};

// Values of claims about the picture. NaN if there is nothing to measure.

/// Share of the highlighted stars, or of all that are drawn if there are none, that the class sees: they are within
/// the picture, and no words cover them; in %.
double stars_in_view(const PicturedRun& run);
/// Width or height of the smallest part of the picture that has nine tenths of these stars in each direction, whichever
/// is larger; in pixels.
double size_of_stars(const PicturedRun& run);
/// The share of these stars that are farther from the nucleus of their galaxy in the picture than three quarters of the
/// stars of their disc; in %.
double stars_outside(const PicturedRun& run);
/// The share of the stars in tails that the class sees, in %.
double tails_in_view(const PicturedRun& run);
/// Half of the stars in tails that the class sees are brighter than the empty sky by this much; in % of white.
double tail_brightness(const PicturedRun& run);
/// Half of the halo's bodies that are in sight away from discs and bulges are brighter than the darkest hundredth of
/// the picture by this much; in % of white.
double halo_brightness(const PicturedRun& run);
/// Distance of the nuclei of the two galaxies in the picture, in pixels.
double nuclei_apart(const PicturedRun& run);
/// The strongest logarithmic spiral of 2 to 6 arms in the brightness of the first galaxy's disc, or in its colour from
/// red to blue: amplitude in % of the mean (as Considere and Athanassoula 1988 do, A&AS 76, 365).
double arm_contrast(const PicturedRun& run);
/// The number of levels of the tree with a cell that is completely within the picture and at least 6 pixels wide.
double visible_cell_sizes(const PicturedRun& run);
/// SlidePicture::readouts.
double readouts_in_view(const PicturedRun& run);

}  // namespace pericenter::app
