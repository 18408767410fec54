#include "app/lessons/lesson_words.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "app/overlay/labels.h"
#include "app/overlay/legend.h"
#include "app/overlay/presenter_overlay.h"
#include "app/overlay/readouts.h"
#include "app/plots/lab_plots.h"
#include "app/ui/comparison_setup.h"
#include "app/ui/narrator.h"
#include "sim/scenes/registry.h"
#include "tests/support/lesson_example.h"
#include "tests/support/panel_fixture.h"

// That a lesson in German has no English words beside its texts.
namespace pericenter::app {
namespace {

using Phase = LessonState::Phase;

class LessonWords : public Panels {
 protected:
  LessonWords() {
    window_width = 1920;
    window_height = 1080;
    set_scale(1, projector_sizes(1080, 1));
    ui.layout.show_panel = false;
    ui.lesson = example_lesson();
    state.timeline = {.last = 400, .shown = 400};
  }

  void speak(const std::string& language) {
    auto lesson = std::make_shared<Lesson>(*ui.lesson.lesson);
    lesson->language = language;
    ui.lesson.lesson = lesson;
  }

  static void expect_german(const std::string& english) {
    const bool is_number = std::ranges::none_of(english, [](unsigned char letter) { return std::isalpha(letter); });
    EXPECT_TRUE(is_number || find_translation(english, "de")) << "app/base/german.inc has no row for: " << english;
  }

  /// What the items of the interface say, by ID, without the texts of the lesson.
  std::map<std::string, std::string> words() {
    static const std::set<std::string> kOfTheLesson = {
        "question",    "choice-1",     "choice-2",     "choice-3",     "choice-4",
        "explanation", "lesson-title", "lesson-goal",  "teacher-note", "misconceptions",
        "lesson-note", "close-notice", "detail-title", "detail-goal",  "detail-misconceptions"};
    frame();
    frame();
    std::map<std::string, std::string> found;
    for (const ItemLog::Item& item : log.items)
      if (!item.label.empty() && !kOfTheLesson.contains(item.id)) found[item.id] = item.label;
    return found;
  }
  void expect_all_german(const std::string& when) {
    speak("");
    const auto english = words();
    speak("de");
    const auto german = words();
    EXPECT_FALSE(german.empty()) << when;
    for (const auto& [id, label] : english) EXPECT_NE(german.at(id), label) << id << when;
  }
};

TEST_F(LessonWords, CardsAreInItsLanguage) {
  ui.lesson.phase = Phase::title;
  EXPECT_EQ(class_view(ui, now).language, "");
  ui.lesson.warning = "This lesson asks for 60,000 bodies, more than this machine can show. It uses 12,000.";
  expect_all_german(" on the title card");
  EXPECT_EQ(class_view(ui, now).language, "de") << "the legend behind the card";
  ui.lesson.phase = Phase::question;
  ui.lesson.shows_note = true;
  expect_all_german(" on a question with the teacher's note");
  EXPECT_EQ(words().at("question-hint"), "Tasten 1 bis 4: eure Vorhersage  ·  → ohne Vorhersage starten");
  ui.lesson.shows_note = false;
  ui.lesson.phase = Phase::ended;
  ui.lesson.predicted = 2;
  expect_all_german(" on an answer");
  EXPECT_EQ(find("choice-2")->label, "the right side: richtig");
  EXPECT_EQ(find("choice-3")->label, "both sides: vorhergesagt");
  ui.lesson.skipped = true;
  expect_all_german(" on an answer whose run was skipped");
  EXPECT_TRUE(words().at("question-hint").starts_with("Übersprungen: noch nicht im Bild"))
      << words().at("question-hint");
}

TEST_F(LessonWords, TheListIsInTheLanguageOfItsLessons) {
  ui.lessons.open = true;
  ui.lessons.entries = lesson_library("", "de");
  ui.lesson = {};
  frame();
  const auto found = words();
  EXPECT_EQ(found.at("lessons-title"), "Lektionen");
  EXPECT_EQ(found.at("start-lesson"), "Starten (Enter)");
  EXPECT_EQ(found.at("detail-heading"), "Häufige Fehlvorstellungen");
  EXPECT_NE(found.at("detail-facts").find("Folien"), std::string::npos);
}

TEST_F(LessonWords, TheNarratorSpeaksIt) {
  std::ostringstream lines;
  Narrator narrator(lines);
  speak("de");
  ui.captions.narration.on = true;
  const auto at = [&](double step, std::vector<EncounterEvent> events) {
    state.time = 0.03 * step;
    state.timeline.shown = state.timeline.last = step;
    state.running = true;
    state.record = std::make_shared<const LabRecord>(LabRecord{{}, {}, {}, std::move(events)});
    narrator.update({.simulation = state, .now = now}, ui);
  };
  at(0, {});
  at(640, {{EncounterEventKind::pericenter, 640, 19.2, 4.6}});
  EXPECT_EQ(ui.captions.narration.sentence,
            "Die Galaxien ziehen aneinander vorbei: größte Annäherung, 16 kpc Abstand.");
}

TEST_F(LessonWords, EverySentenceOfTheNarratorHasItsGerman) {
  for (const auto kind : {EncounterEventKind::pericenter, EncounterEventKind::tails, EncounterEventKind::apocenter,
                          EncounterEventKind::merger})
    for (const Wording wording : {Wording::pupils, Wording::technical})
      for (const Units& units : {Units{3.5, 13.8, 248}, Units{}})
        for (const double separation : {0.0, 4.6}) {
          const EncounterEvent events[] = {{kind, 640, 19.2, separation}, {kind, 880, 26, separation}};
          for (const EncounterEvent& event : events) expect_german(event_sentence(event, events, units, wording));
        }
}

TEST_F(LessonWords, EveryLegendHasItsGerman) {
  for (int mode = 0; mode < render::kColorModes; ++mode)
    for (const Component component : {Component::disc, Component::halo, Component::other}) {
      ui.view.image.color = static_cast<render::ColorMode>(mode);
      ui.view.image.show_halo = true;
      render::StarSample sample;
      sample.stars.push_back({.position = {}, .tag = make_tag(1, component), .scalar = 1});
      const Legend legend = legend_of(ui.view, &sample, state, 1234), sky = legend_of(ui.view, &sample, state);
      expect_german(legend.title);
      if (!legend.message.empty()) expect_german(legend.message);
      expect_german(legend.marked->name);
      if (!sky.note.empty()) expect_german(sky.note);
      for (const Legend::Swatch& swatch : legend.swatches)
        if (swatch.name.size() > 1) expect_german(swatch.name);  // spectral classes are letters
    }
}

TEST_F(LessonWords, EveryReadoutHasItsGerman) {
  for (const auto level : {HealthLevel::good, HealthLevel::fair, HealthLevel::poor, HealthLevel::unknown})
    for (const double error : {1e-9, 0.02}) {
      state.health.level = level;
      state.health.energy_error.now = state.health.force_error.now = error;
      for (std::size_t k = 0; k < kEnumNames<Readout>.size(); ++k)
        expect_german(readout_text(static_cast<Readout>(k), state, Theme::dark).words);
    }
}

TEST_F(LessonWords, EveryPlotHasItsGerman) {
  LabRecord record;
  LabSample sample{.position = 1};
  sample.start_distance = 1;
  record.samples = {sample};
  record.structure.resize(1);
  state.record = std::make_shared<const LabRecord>(record);
  for (const SessionState* other :
       {static_cast<const SessionState*>(nullptr), static_cast<const SessionState*>(&state)})
    for (const LabPlot& plot : lab_plots({.run = state, .reference = other})) {
      for (const std::string& words : {plot.plot.title, title_of(plot.plot.x), title_of(plot.plot.y), plot.empty})
        if (words.find("2K/|W|") == words.npos) expect_german(words);
      for (const PlotZone& zone : plot.plot.zones) expect_german(zone.name);
      for (const Curve& curve : plot.plot.curves) {
        const bool is_formula = curve.name.find_first_of("|√") != curve.name.npos || curve.name == "99 %";
        if (!is_formula) expect_german(curve.name);
      }
    }
}

TEST_F(LessonWords, EveryLabelHasItsGerman) {
  for (const SceneInfo& scene : scenes())
    for (const std::string_view name : scene.group_names)
      if (!name.empty() && name.find("NGC") == name.npos && name != "M51") expect_german(std::string(name));
  for (const char* name : {"Galaxy", "Galaxy 1", "nucleus", "nuclei", "prograde", "retrograde", "polar"})
    expect_german(name);
  for (const std::string& line : label_lines({}, true)) expect_german(line);
}

TEST_F(LessonWords, TheLineAboveTheClockIsInItsLanguage) {
  speak("de");
  ui.lesson.phase = Phase::running;
  ui.lesson.hurries = true;
  EXPECT_EQ(class_view(ui, now).title, "Tails need spin · 1 / 3 · zum Ende des Laufs … · → überspringt");
  ui.lesson.phase = Phase::loading;
  ui.lesson.hurries = false;
  EXPECT_EQ(class_view(ui, now).title, "Tails need spin · 1 / 3 · lädt …");
  EXPECT_EQ(class_view(ui, now).language, "de");
}

TEST_F(LessonWords, MessagesAreInItsLanguage) {
  speak("de");
  ui.lesson.phase = Phase::running;
  set_notice("Press Esc again to leave the lesson.", false, now, ui);
  frame();
  for (const char* notice :
       {"Press Esc again to leave the lesson.", "This was the last slide. → leaves the lesson.",
        "Esc leaves the lesson first.",
        "Predict first: press the number of a choice, or → to continue without recording a choice.",
        "Hidden until the class has made its prediction."})
    expect_german(notice);
}

}  // namespace
}  // namespace pericenter::app
