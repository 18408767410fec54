#include "app/bars/presenter_view.h"

#include <imgui.h>

#include <cmath>

#include "app/base/format.h"
#include "app/overlay/presenter_overlay.h"

namespace pericenter::app {
namespace {

using Phase = LessonState::Phase;

std::string run_of(const LessonState& lesson) {
  switch (lesson.phase) {
    case Phase::loading:
      return "The slide is loading.";
    case Phase::title:
      return "The title is shown. PageDown begins.";
    case Phase::question:
      return "The class predicts: press the number of a choice, or PageDown to go on without a prediction.";
    case Phase::running:
      if (lesson.leads_to) return text("Runs that lead to slide %zu are computed.", *lesson.leads_to + 1);
      return lesson.hurries ? "The run continues faster to the end of the slide." : "The run continues.";
    case Phase::ended:
      return "The slide has ended. PageDown continues.";
  }
  return {};
}

std::string question_of(const LessonState& lesson) {
  const Slide& slide = lesson.current();
  std::string words = slide.question.in(lesson.wording);
  for (std::size_t k = 0; k < slide.choices.size(); ++k) {
    words += text("\n%zu  ", k + 1) + slide.choices[k].in(lesson.wording);
    if (k == slide.answer) words += "  (correct)";
    if (lesson.predicted == k) words += "  (predicted)";
  }
  return words;
}

std::string next_of(const LessonState& lesson) {
  if (lesson.slide + 1 >= lesson.lesson->slides.size()) return "This is the last slide.";
  const Slide& next = lesson.lesson->slides[lesson.slide + 1];
  return (next.question.empty() ? next.caption : next.question).in(lesson.wording);
}

std::string beliefs_of(const LessonState& lesson) {
  std::string words;
  for (const LessonText& belief : lesson.lesson->misconceptions)
    words += (words.empty() ? "• " : "\n• ") + belief.in(lesson.wording);
  return words;
}

void wrapped(ImFont* font, const ImVec4& color, const std::string& words) {
  ImGui::PushFont(font);
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

}  // namespace

PresenterContent presenter_content(const LessonState& lesson, const std::string& clock, int minutes) {
  if (!lesson.on())
    return {.headline = clock,
            .run =
                "This window shows the teacher's notes while a lesson is on the projector. F6 in the main window "
                "lists the lessons.",
            .progress = {},
            .parts = {}};
  const Slide& slide = lesson.current();
  PresenterContent content;
  content.headline = text("Slide %zu of %zu  ·  %s  ·  %d of %g min", lesson.slide + 1, lesson.lesson->slides.size(),
                          clock.c_str(), minutes, lesson.lesson->minutes);
  content.run = lesson.blank ? "The projector is black. . shows the picture again." : run_of(lesson);
  if (lesson.phase == Phase::running && lesson.share) content.progress = std::floor(100 * *lesson.share) / 100;
  const auto add = [&](const char* heading, const std::string& words) {
    if (!words.empty()) content.parts.push_back({heading, words});
  };
  add("Caption", slide.caption.in(lesson.wording));
  if (!slide.question.empty()) add("Question", question_of(lesson));
  add(shows_answer(lesson) ? "Explanation (shown)" : "Explanation (not shown yet)",
      slide.explanation.in(lesson.wording));
  add("Notes", slide.notes);
  add("Next slide", next_of(lesson));
  add("What pupils often believe", beliefs_of(lesson));
  add("The whole lesson", lesson.lesson->notes);
  return content;
}

void draw_presenter_view(const PresenterContent& content, const Fonts& fonts, Theme theme) {
  const Palette& colors = palette(theme);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("Presenter view", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings);
  wrapped(fonts.caption, colors.text, content.headline);
  wrapped(fonts.legend, colors.dim, content.run);
  if (content.progress) ImGui::ProgressBar(static_cast<float>(*content.progress));
  for (const PresenterContent::Part& part : content.parts) {
    ImGui::Spacing();
    wrapped(fonts.legend, colors.accent, part.heading);
    wrapped(fonts.legend, colors.text, part.words);
  }
  ImGui::End();
}

}  // namespace pericenter::app
