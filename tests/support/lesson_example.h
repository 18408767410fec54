#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "app/lessons/lesson_player.h"

namespace pericenter::app {

/// A sentence of this many bytes, in words.
inline std::string lesson_text(std::size_t length) {
  const std::string words = "stars on the near side stay close to the other galaxy for a long time and are pulled out ";
  std::string text;
  while (text.size() < length) text += words;
  text.resize(length);
  if (text.back() == ' ') text.back() = 's';
  return text;
}

/// A lesson of three slides with questions, at its first slide.
inline LessonState example_lesson() {
  Slide slide;
  slide.caption = {"Two discs fall towards each other.", "A prograde encounter."};
  slide.question = {"Which side grows long tails?"};
  slide.choices = {{"the left side"}, {"the right side"}, {"both sides"}, {"none"}};
  slide.answer = 1;
  slide.explanation = {"On the right, stars keep pace with the passing galaxy."};
  slide.notes = "Ask first: which stars stay near the other galaxy longest?";
  auto lesson = std::make_shared<Lesson>();
  lesson->name = "tails-need-spin";
  lesson->title = {"Tails need spin"};
  lesson->goal = {"You can say why one galaxy grows long tails."};
  lesson->minutes = 3;
  lesson->audience = "age 14 and up";
  lesson->misconceptions = {{"Stars of two galaxies hit each other."}};
  lesson->notes = "Vote by a show of hands.";
  lesson->slides = {slide, slide, slide};
  LessonState state;
  state.lesson = lesson;
  state.phase = LessonState::Phase::question;
  return state;
}

}  // namespace pericenter::app
