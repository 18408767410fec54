#pragma once

#include <memory>

#include "app/headless/headless_stage.h"
#include "app/lessons/slide_picture.h"

namespace pericenter::app {

struct Fonts;
struct ImageRect;
class Offscreen;

/// Where the card with question and answer is drawn: question_card_rect(), which belongs to the window.
using CardRect = ImageRect (*)(const LessonState& lesson, const Fonts& fonts, const ImageRect& image,
                               const Guides& guides);

/// Paints slides as the window shows them, without a display.
class SlidePainter {
 public:
  explicit SlidePainter(CardRect card_rect);
  ~SlidePainter();

  /// Run A of a slide that has ended. Throws NotMeasured without OpenGL.
  SlidePicture paint(const HeadlessStage& stage);

 private:
  CardRect card_rect_;
  std::unique_ptr<Offscreen> offscreen_;  ///< null before the first picture
};

}  // namespace pericenter::app
