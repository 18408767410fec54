#include "app/headless/lesson_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/program.h"

namespace pericenter::app {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A lesson file of one slide with this claim and end.
std::string lesson_text(const std::string& claim, const std::string& until = "0.2 s") {
  return "title = \"Test\"\nminutes = 1\naudience = \"all\"\ngoal = \"None\"\n\n[[slides]]\n"
         "scene = \"pericenter/1 scene=plummer n=500\"\ncaption = \"A cluster.\"\nuntil = \"" +
         until + "\"\nclaims = [\"" + claim + "\"]\n";
}

test::Outcome check(const TemporaryFolder& folder, const test::Words& arguments) {
  test::Words words = {"check-lessons", "--no-progress", "--backend", "cpu"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return test::run_program({words, folder.path()});
}

TEST(CheckLessons, SucceedsIfEveryClaimHolds) {
  const TemporaryFolder folder;
  write_text(folder / "true.toml", lesson_text("pairs: 124750 ± 0 %"));
  const test::Outcome outcome = check(folder, {"true.toml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("124,750"));
  EXPECT_THAT(outcome.out, HasSubstr("1 claim, 0 failed"));
}

TEST(CheckLessons, FailsIfAClaimIsFalseAndSaysByHowMuch) {
  const TemporaryFolder folder;
  write_text(folder / "false.toml", lesson_text("bodies > 700"));
  write_text(folder / "true.toml", lesson_text("bodies > 400"));
  const test::Outcome outcome = check(folder, {"false.toml", "true.toml"});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.out, HasSubstr("FAILED: 200 too small"));
  EXPECT_THAT(outcome.out, HasSubstr("ok"));
}

TEST(CheckLessons, ReportsLessonsThatCannotBeReadAndChecksTheOthers) {
  const TemporaryFolder folder;
  write_text(folder / "bad.toml", "title = 3\n");
  write_text(folder / "true.toml", lesson_text("bodies > 400"));
  const test::Outcome outcome = check(folder, {"bad.toml", "no-such-lesson", "true.toml"});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("bad.toml:1"));
  EXPECT_THAT(outcome.err, HasSubstr("no-such-lesson"));
  EXPECT_THAT(outcome.out, HasSubstr("ok"));
}

TEST(CheckLessons, ASignalEndsItAndKeepsTheTable) {
  const TemporaryFolder folder;
  write_text(folder / "long.toml", lesson_text("bodies > 400", "600 s"));
  test::Start start{{"check-lessons", "--backend", "cpu", "long.toml"}, folder.path()};
  start.signal_when = [](const std::string& err) { return err.find("long") != err.npos; };
  const test::Outcome outcome = test::run_program(start);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
  EXPECT_THAT(outcome.out, HasSubstr("0 claims"));
}

TEST(CheckLessons, TheQuickFormLeavesOutSlidesThatNoClaimDependsOn) {
  Lesson lesson;
  lesson.name = "test";
  Slide claimed{.line = 1, .scene = "pericenter/1 scene=plummer"};
  claimed.options.scene = "plummer";
  claimed.options.bodies = 100;
  claimed.claims = {
      {.text = "bodies > 1", .quantity = &quantity_of("bodies"), .relation = Claim::Relation::above, .value = 1}};
  Slide endless = claimed;
  endless.claims.clear();
  endless.until = UntilEvent{EncounterEventKind::merger};
  lesson.slides = {claimed, endless};
  StopSignals stop;
  const auto checked = check_lesson(lesson, {.config = {}, .quick = true, .max_steps = 3}, stop);
  ASSERT_EQ(checked.size(), 1u);
  EXPECT_TRUE(checked[0].holds);
  EXPECT_EQ(checked[0].measured, 100);
}

}  // namespace
}  // namespace pericenter::app
