#pragma once

namespace pericenter::app {

struct Fonts;
struct Guides;
struct ImageRect;
struct LessonState;

/// Where the card with question, choices and answer is drawn, in an image of this rectangle.
ImageRect question_card_rect(const LessonState& lesson, const Fonts& fonts, const ImageRect& image,
                             const Guides& guides);

}  // namespace pericenter::app
