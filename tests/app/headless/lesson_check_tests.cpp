#include "app/headless/lesson_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "app/bars/question_card.h"
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

TEST(CheckLessons, MeasuresThePicture) {
  const TemporaryFolder folder;
  std::string seen = lesson_text("stars in view > 90 %"), lost = seen;
  lost.replace(lost.find("n=500"), 5, "n=500 camera=0,500,0,0,0,10");
  write_text(folder / "seen.toml", seen);
  write_text(folder / "lost.toml", lost);
  write_text(folder / "bad.toml", lesson_text("size of stars > 90 %"));
  EXPECT_EQ(check(folder, {"seen.toml"}).exit_code, 0);
  const test::Outcome outcome = check(folder, {"lost.toml", "bad.toml"});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.out, HasSubstr("FAILED: 90 % too small"));
  EXPECT_THAT(outcome.err, HasSubstr("bad.toml:10: claims: 'size of stars' needs the unit pixels, not '%'"));
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

/// The same for this scene string.
std::string lesson_of(const std::string& scene, const std::string& claim, const std::string& more = "") {
  std::string text = lesson_text(claim);
  text.replace(text.find("scene=plummer n=500"), 19, scene);
  return text + more;
}

std::string file_scene(const std::filesystem::path& path) {
  std::string text = "file=" + path.string();
  for (std::size_t at = 0; (at = text.find(' ', at)) != text.npos;) text.replace(at, 1, "%20");
  return text;
}

TEST(CheckLessons, MeasuresTheBodiesOfAFile) {
  const TemporaryFolder folder;
  write_text(folder / "three.csv", "m,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,5,0,0,0,0.5,0\n1,0,9,0,0.3,0,0\n");
  for (const std::string& scene : {file_scene(folder / "three.csv"), std::string("file=three.csv")}) {
    write_text(folder / "of-a-file.toml", lesson_of(scene, "bodies: 3 ± 0 %"));
    const test::Outcome outcome = check(folder, {"of-a-file.toml"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("1 claim, 0 failed"));
  }
}

TEST(CheckLessons, ABrokenFileIsAnErrorOfItsSlide) {
  const TemporaryFolder folder;
  write_text(folder / "broken.csv", "m,x,y,z\n1,2\n");
  write_text(folder / "bad.toml", lesson_of(file_scene(folder / "broken.csv"), "bodies > 0"));
  const test::Outcome outcome = check(folder, {"bad.toml"});
  EXPECT_EQ(outcome.exit_code, 65) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("bad.toml:6: scene: "));
  EXPECT_THAT(outcome.err, HasSubstr("broken.csv"));
}

TEST(CheckLessons, AClaimAboutBFailsIfBDoesNotReachTheTimeOfA) {
  const TemporaryFolder folder;
  for (const char* settings : {"dt=0", "dt=-0.01"}) {
    write_text(folder / "late.toml", lesson_of("scene=plummer n=300 dt=0.01", "energy error of B < 50 %",
                                               "compare = \"" + std::string(settings) + "\"\n"));
    const test::Outcome outcome = check(folder, {"late.toml"});
    EXPECT_EQ(outcome.exit_code, 65) << settings << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("B is at t = ")) << settings << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("has not reached the time of A")) << settings;
  }
  write_text(folder / "slower.toml",
             lesson_of("scene=plummer n=300 dt=0.01", "energy error of B < 50 %", "compare = \"dt=0.003\"\n"));
  EXPECT_EQ(check(folder, {"slower.toml"}).exit_code, 0);
}

TEST(CheckLessons, TextOfALessonDoesNotControlTheTerminal) {
  const TemporaryFolder folder;
  write_text(folder / "escape.toml", lesson_text("bodies > 4\\u001b[31m"));
  write_text(folder / "quoted.toml", "title = \"a\\u001b[31m\"\nminutes = \"\\u001b[31m\"\n");
  const test::Outcome outcome = check(folder, {"escape.toml", "quoted.toml"});
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b"))) << outcome.out << outcome.err;
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
  SlidePainter painter(question_card_rect);
  const auto checked = check_lesson(lesson, {.config = {}, .quick = true, .max_steps = 3}, stop, painter);
  ASSERT_EQ(checked.size(), 1u);
  EXPECT_TRUE(checked[0].holds);
  EXPECT_EQ(checked[0].measured, 100);
}

}  // namespace
}  // namespace pericenter::app
