#pragma once

#include <imgui.h>

#include <cstddef>
#include <string>
#include <vector>

#include "app/overlay/labels.h"
#include "app/ui/ui_state.h"
#include "app/ui/ui_style.h"
#include "render/camera.h"

namespace pericenter::app {

/// Data for annotations; null: not shown.
struct OverlayData {
  const render::StarSample* sample = nullptr;
  const Probe* probe = nullptr;
  const SelectedStars* stars = nullptr;
  const EncounterDesign* encounter = nullptr;
  const ComparisonState* comparison = nullptr;
  std::size_t marked = 0;  ///< stars
  const TreeLevels* tree = nullptr;
  float revealed = 0;  ///< TreeDescent::revealed()
};
OverlayData overlay_data(const UiState& ui);

/// How a frame is shown to a class.
struct ClassView {
  bool large = false;                  ///< clock, legend and scale bar have the projector's size, Fonts::sizes
  std::vector<Readout> readouts = {};  ///< numbers below the clock; none while results are hidden
  bool hides_results = false;          ///< see app/ui/hidden_results.h
  std::string title = {};              ///< lesson title and slide number; empty if no lesson is open
  std::string caption = {};            ///< caption of the slide, if any
  std::string narration = {};          ///< sentence of the narrator, if any
  std::string language = {};           ///< language of the lesson, see translated()
};
/// What the window shows; `now` is UiFrame::now.
ClassView class_view(const UiState& ui, double now);
/// Adds what its slide shows.
void add_slide(const LessonState& lesson, ClassView& view);

/// A frame with everything that its annotations describe.
struct AnnotatedFrame {
  const SessionState& state;
  const ViewSettings& view;
  OverlayData overlay;
  const render::Camera& camera;
  double time = 0;        ///< time of the frame, in simulation units
  std::size_t every = 1;  ///< stride of the bodies shown
  bool clock = true;      ///< draw time and number of bodies; false if the panel shows them
  float fps = 0;          ///< frame rate below the clock; 0: not drawn
  ClassView shown = {};
  float hidden = 0;                       ///< pixels of the view below the image, which bars cover
  float covered = 0;                      ///< pixels at the lower edge of the image that a card covers
  bool reserves_mark = false;             ///< keeps the upper right corner free for the mark of a pause
  HalfLabelSides* label_sides = nullptr;  ///< so that labels do not jump between frames; null: a single image
};

/// Draws the annotations of a frame: grid, axes, scale bar, clock, legend, the results of the probe, and the words for
/// a class. The image is the rectangle from `low` to `high`, in pixels; `scale` scales the text, except where a frame
/// is shown to a class. Returns width and height of the upper right corner that the legend covers; 0 without one.
ImVec2 draw_annotations(ImDrawList& draw, const Fonts& fonts, float scale, const AnnotatedFrame& frame, ImVec2 low,
                        ImVec2 high);

/// Height of the lines in the upper left corner of an image of this width that is shown to a class: title of the
/// lesson, clock, number of bodies, readouts. Without the lines of the probe.
float height_of_corner(const Fonts& fonts, const ClassView& shown, float width);

/// Draws only the divider of a comparison, for images without annotations.
void draw_divider_only(ImDrawList& draw, const Fonts& fonts, float scale, const AnnotatedFrame& frame, ImVec2 low,
                       ImVec2 high);

/// The largest 1, 2 or 5 times a power of ten that is not above `max`, which must be positive.
double round_length(double max);

/// A round length at the target of the camera.
struct ScaleBar {
  double length = 0;  ///< simulation units
  double pixels = 0;
  std::string label;  ///< "5 kpc", or "0.5" without physical units
};
/// The longest scale bar of at most `max_pixels` in an image of this size.
ScaleBar scale_bar(const render::Camera& camera, const Units& units, ImVec2 size, float max_pixels);

}  // namespace pericenter::app
