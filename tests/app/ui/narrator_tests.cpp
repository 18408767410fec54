#include "app/ui/narrator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

namespace pericenter::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr Units kGalaxyUnits = {3.5, 13.8, 248};
constexpr EncounterEvent kPericenter = {EncounterEventKind::pericenter, 640, 19.35, 4.6};
constexpr EncounterEvent kTails = {EncounterEventKind::tails, 880, 26.5, 11};
constexpr EncounterEvent kApocenter = {EncounterEventKind::apocenter, 1200, 36, 14.8};
constexpr EncounterEvent kMerger = {EncounterEventKind::merger, 2400, 72, 0.4};

/// A run and the user interface that shows it.
class NarratorTest : public testing::Test {
 protected:
  NarratorTest() {
    for (SessionState* state : {&state_, &reference_}) {
      state->scene = "collision";
      state->units = kGalaxyUnits;
      state->params.dt = 0.03;
      state->scene_serial = 1;
      state->running = true;
      state->bodies = 20'000;
    }
    go_to(0);
  }

  /// The newest step, with the events so far.
  static void set(SessionState& state, double step, std::vector<EncounterEvent> events) {
    state.time = 0.03 * step;
    state.timeline.shown = state.timeline.last = step;
    state.timeline.rewound = false;
    state.record = std::make_shared<const LabRecord>(LabRecord{{}, {}, {}, std::move(events)});
  }
  void go_to(double step, std::vector<EncounterEvent> events = {}) {
    set(state_, step, std::move(events));
    frame();
  }
  void frame() {
    now_ += 0.1;
    narrator_.update({.simulation = state_, .reference = compares_ ? &reference_ : nullptr, .now = now_}, ui_);
  }
  std::string take_lines() {
    std::string lines = lines_.str();
    lines_.str("");
    return lines;
  }

  SessionState state_, reference_;
  bool compares_ = false;
  std::ostringstream lines_;
  Narrator narrator_{lines_};
  UiState ui_;
  double now_ = 0;
};

TEST_F(NarratorTest, TellsEachEventOnce) {
  go_to(680, {kPericenter});
  EXPECT_EQ(take_lines(), "267 Myr: The galaxies pass each other: closest approach, 16 kpc apart.\n");
  EXPECT_EQ(ui_.captions.narration.sentence, "The galaxies pass each other: closest approach, 16 kpc apart.");
  go_to(690, {kPericenter});
  EXPECT_THAT(take_lines(), IsEmpty());
  go_to(900, {kPericenter, kTails});
  EXPECT_EQ(take_lines(), "366 Myr: Stars are drawn out into tails.\n");
  go_to(1300, {kPericenter, kTails, kApocenter});
  EXPECT_EQ(take_lines(), "497 Myr: The galaxies have reached their greatest distance, 52 kpc apart, and fall back.\n");
  go_to(2500, {kPericenter, kTails, kApocenter, kMerger});
  EXPECT_EQ(take_lines(), "994 Myr: The two nuclei have merged.\n");
}

TEST_F(NarratorTest, SentenceDisappears) {
  go_to(680, {kPericenter});
  now_ += 20;
  frame();
  EXPECT_THAT(ui_.captions.narration.sentence, IsEmpty());
}

TEST_F(NarratorTest, SentenceBelongsToItsRunAndItsMoment) {
  const auto told = [&] { return !ui_.captions.narration.sentence.empty(); };
  go_to(680, {kPericenter});
  ASSERT_TRUE(told());
  state_.scene_serial = 2;
  go_to(681);
  EXPECT_FALSE(told()) << "another scene";
  go_to(690, {kPericenter});
  ASSERT_TRUE(told());
  go_to(300, {kPericenter});
  EXPECT_FALSE(told()) << "an earlier moment";
}

TEST_F(NarratorTest, SentenceOfAComparisonEndsWithIt) {
  compares_ = true;
  frame();
  set(reference_, 680, {kPericenter});
  go_to(700);
  ASSERT_THAT(ui_.captions.narration.sentence, HasSubstr("A: "));
  compares_ = false;
  frame();
  EXPECT_THAT(ui_.captions.narration.sentence, IsEmpty());
}

TEST_F(NarratorTest, ARunThatCannotBeTrustedHasNoEvents) {
  state_.health.level = HealthLevel::poor;
  go_to(680, {kPericenter});
  EXPECT_THAT(take_lines(), IsEmpty());
  EXPECT_THAT(ui_.captions.narration.sentence, IsEmpty());
}

TEST_F(NarratorTest, CaptionOfTheSceneIsNotDoubled) {
  go_to(680, {kPericenter});
  ui_.captions.guide.at_key_moment = true;
  frame();
  EXPECT_THAT(ui_.captions.narration.sentence, IsEmpty());
}

TEST_F(NarratorTest, LateSentenceHasItsTime) {
  go_to(800, {kPericenter});
  EXPECT_THAT(ui_.captions.narration.sentence, testing::StartsWith("267 Myr: The galaxies pass each other"));
}

TEST_F(NarratorTest, LaterPassageIsNotTheFirst) {
  EncounterEvent again = kPericenter;
  again.position = 1900, again.time = 57;
  go_to(680, {kPericenter});
  go_to(1950, {kPericenter, again});
  EXPECT_THAT(take_lines(), HasSubstr("pass each other again"));
}

TEST_F(NarratorTest, TechnicalWordingHasTheTerms) {
  ui_.lesson.wording = Wording::technical;
  go_to(680, {kPericenter});
  EXPECT_THAT(take_lines(), HasSubstr("closest approach (pericentre), 16 kpc apart"));
}

// Regression: 74 lamps of 1941 "passed each other again" long before they did.
TEST_F(NarratorTest, FewBodiesHaveNoEvents) {
  state_.bodies = 74;
  go_to(680, {kPericenter});
  EXPECT_THAT(take_lines(), IsEmpty());
}

TEST_F(NarratorTest, NarratorThatIsOffSaysNothing) {
  ui_.captions.narration.on = false;
  go_to(680, {kPericenter});
  EXPECT_THAT(take_lines(), IsEmpty());
  EXPECT_THAT(ui_.captions.narration.sentence, IsEmpty());
  ui_.captions.narration.on = true;
  go_to(690, {kPericenter});
  EXPECT_THAT(take_lines(), IsEmpty()) << "it is too late";
}

TEST_F(NarratorTest, RestoredRunIsNotToldAgain) {
  go_to(680, {kPericenter});
  take_lines();
  state_.scene_serial = 2;
  go_to(0);
  state_.scene_serial = 3;  // the reset was undone
  go_to(900, {kPericenter, kTails});
  EXPECT_THAT(take_lines(), IsEmpty());
  EXPECT_THAT(ui_.captions.narration.sentence, IsEmpty());
}

TEST_F(NarratorTest, RunThatContinuesFromAnEarlierMomentRepeatsNothing) {
  go_to(680, {kPericenter});
  take_lines();
  go_to(600);
  EncounterEvent nearly = kPericenter;
  nearly.time += 0.1, nearly.position += 3;
  go_to(690, {nearly});
  EXPECT_THAT(take_lines(), IsEmpty());
  EncounterEvent other = kPericenter;
  other.time += 3;
  go_to(790, {other});
  EXPECT_THAT(take_lines(), HasSubstr("pass each other")) << "with other settings";
}

TEST_F(NarratorTest, WayBackRepeatsNothing) {
  go_to(680, {kPericenter});
  take_lines();
  EncounterEvent back = kPericenter;
  back.position = 1600;
  go_to(1650, {kPericenter, back});
  EXPECT_THAT(take_lines(), IsEmpty());
}

TEST_F(NarratorTest, ReplayShowsTheSentenceButPrintsNothing) {
  go_to(680, {kPericenter});
  take_lines();
  now_ += 20;
  state_.timeline.rewound = true;
  for (const double shown : {600.0, 639.0}) {
    state_.timeline.shown = shown;
    frame();
  }
  EXPECT_THAT(ui_.captions.narration.sentence, IsEmpty());
  state_.timeline.shown = 641;
  frame();
  EXPECT_THAT(ui_.captions.narration.sentence, HasSubstr("pass each other"));
  EXPECT_THAT(take_lines(), IsEmpty());
}

TEST_F(NarratorTest, JumpPassesNoEvent) {
  go_to(680, {kPericenter});
  now_ += 20;
  state_.timeline.rewound = true;
  for (const double shown : {100.0, 670.0}) {
    state_.timeline.shown = shown;
    frame();
  }
  EXPECT_THAT(ui_.captions.narration.sentence, IsEmpty());
}

TEST_F(NarratorTest, EqualRunsOfAComparisonAreToldOnce) {
  compares_ = true;
  frame();
  set(reference_, 680, {kPericenter});
  go_to(679);
  EXPECT_THAT(take_lines(), IsEmpty()) << "B may have it too";
  go_to(680, {kPericenter});
  EXPECT_EQ(take_lines(), "267 Myr: The galaxies pass each other: closest approach, 16 kpc apart.\n");
}

TEST_F(NarratorTest, DifferentRunsOfAComparisonAreNamed) {
  compares_ = true;
  set(reference_, 0, {});
  frame();
  EncounterEvent nearer = kPericenter;
  nearer.separation = 2.9;
  set(reference_, 680, {kPericenter});
  go_to(680, {nearer});
  const std::string lines = take_lines();
  EXPECT_THAT(lines, HasSubstr("267 Myr: A: The galaxies pass each other: closest approach, 16 kpc apart.\n"));
  EXPECT_THAT(lines, HasSubstr("267 Myr: B: The galaxies pass each other: closest approach, 10 kpc apart.\n"));
}

TEST_F(NarratorTest, EventOfOneRunAloneIsNamed) {
  compares_ = true;
  set(reference_, 0, {});
  frame();
  set(reference_, 900, {kTails});
  go_to(900);
  EXPECT_THAT(take_lines(), IsEmpty());
  set(reference_, 930, {kTails});
  go_to(930);
  EXPECT_EQ(take_lines(), "366 Myr: A: Stars are drawn out into tails.\n");
}

TEST(EventSentences, NucleiThatMeetHaveNoDistance) {
  const EncounterEvent event{.kind = EncounterEventKind::pericenter, .position = 1, .time = 1, .separation = 0.01};
  EXPECT_EQ(event_sentence(event, {}, kGalaxyUnits, Wording::pupils),
            "The galaxies pass each other: closest approach.");
}

/// Whether an event 100 after the start of a run is another one when it is found again at `time` after it.
bool is_told_again(double time, double start, EncounterEventKind kind = EncounterEventKind::pericenter) {
  const double direction = time < 0 ? -1 : 1;
  ReportedEvents reported;
  const std::vector<EncounterEvent> first = {{EncounterEventKind::pericenter, 10, start + direction * 100, 3}};
  const std::vector<EncounterEvent> second = {{kind, 10, start + time, 3}};
  EXPECT_EQ(reported.add(first, start).size(), 1u);
  return !reported.add(second, start).empty();
}

// More samples move an event; the limit is 2 % of the time since the start.
TEST(ReportedEvents, AreTheSameWhereTheirTimeIsMeasuredMoreExactly) {
  for (const double start : {0.0, 5000.0, -5000.0})
    for (const double direction : {1.0, -1.0}) {
      for (const double time : {98.1, 100.0, 101.9}) EXPECT_FALSE(is_told_again(direction * time, start)) << time;
      for (const double time : {97.9, 102.1, 200.0}) EXPECT_TRUE(is_told_again(direction * time, start)) << time;
      EXPECT_TRUE(is_told_again(direction * 100, start, EncounterEventKind::apocenter));
    }
}

}  // namespace
}  // namespace pericenter::app
