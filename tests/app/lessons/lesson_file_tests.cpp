#include "app/lessons/lesson_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "app/settings/comparison_options.h"
#include "sim/scenes/registry.h"
#include "tests/app/lessons/lesson_text.h"

namespace pericenter::app {
namespace {

using test::kLessonHeader;
using test::lesson_with;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kEveryKey = R"(title = "Tails need spin"
title_technical = "Prograde and retrograde"
minutes = 2.5
audience = "age 14 and up"
goal = "You can explain tails."
goal_technical = "Resonance."
misconceptions = ["Speed alone matters.", "The direction does not."]
misconceptions_technical = ["One.", "Two."]
notes = """
For the
teacher:

- first
- second
"""

[[slides]]
scene = "pericenter/1 scene=collision n=12000 theta=0.6"
compare = "scene=retrograde"
caption = "Two galaxies"
caption_technical = "An encounter"
question = "Which side grows tails?"
choices = ["Left.", "Right."]
choices_technical = ["A.", "B."]
answer = 2
explanation = "They keep pace."
notes = "Ask first."
until = "first tails"
ramp = { setting = "theta", from = 0.3, to = 1.2, seconds = 8 }
probe = true
follow = "galaxy 2"
plot = "separation"
highlight = "birth radius 8 to 15 kpc"
readouts = ["energy-error", "step-time"]
exact-bodies = true
claims = ["separation at pericentre: 16 kpc ± 10 %",
          "tail mass fraction > 3 %"]

[[slides]]
set = "theta=1.2,dt=0.01"
until = "8 s"

[[slides]]
action = "undo"

[[slides]]
action = "run backwards"
until = "start"
)";

TEST(LessonFile, HasEveryKey) {
  const Lesson lesson = read_lesson(kEveryKey, "/home/user/tails.toml");
  EXPECT_EQ(lesson.name, "tails");
  EXPECT_EQ(lesson.path, "/home/user/tails.toml");
  EXPECT_EQ(lesson.title.in(Wording::pupils), "Tails need spin");
  EXPECT_EQ(lesson.title.in(Wording::technical), "Prograde and retrograde");
  EXPECT_EQ(lesson.goal.in(Wording::technical), "Resonance.");
  EXPECT_EQ(lesson.minutes, 2.5);
  EXPECT_EQ(lesson.audience, "age 14 and up");
  ASSERT_EQ(lesson.misconceptions.size(), 2u);
  EXPECT_EQ(lesson.misconceptions[1].in(Wording::technical), "Two.");
  EXPECT_EQ(lesson.notes, "For the teacher:\n\n- first\n- second") << "line breaks that only wrap the text in the file";
  ASSERT_EQ(lesson.slides.size(), 4u);
}

TEST(LessonFile, HasEveryKeyOfASlide) {
  const Lesson lesson = read_lesson(kEveryKey, "tails.toml");
  const Slide& slide = lesson.slides[0];
  EXPECT_EQ(slide.line, 17);
  EXPECT_FALSE(slide.continues());
  EXPECT_EQ(slide.options.scene, "collision");
  EXPECT_EQ(slide.options.bodies, 12000u);
  EXPECT_EQ(slide.options.compare, "scene=retrograde");
  EXPECT_EQ(slide.caption.in(Wording::technical), "An encounter");
  EXPECT_EQ(slide.question.in(Wording::technical), "Which side grows tails?");
  ASSERT_EQ(slide.choices.size(), 2u);
  EXPECT_EQ(slide.choices[1].in(Wording::technical), "B.");
  EXPECT_EQ(slide.answer, 1u);
  EXPECT_EQ(slide.explanation.pupils, "They keep pace.");
  EXPECT_EQ(slide.notes, "Ask first.");
  EXPECT_EQ(std::get<UntilEvent>(slide.until).kind, EncounterEventKind::tails);
  ASSERT_TRUE(slide.ramp);
  EXPECT_EQ(slide.ramp->setting, "theta");
  EXPECT_EQ(slide.ramp->to, 1.2);
  EXPECT_EQ(slide.ramp->seconds, 8);
  EXPECT_TRUE(slide.probe);
  EXPECT_EQ(slide.follow.galaxy, 1);
  EXPECT_EQ(slide.plot, "separation");
  EXPECT_EQ(slide.highlight.what, Highlight::What::birth_radius);
  EXPECT_EQ(slide.highlight.last_kpc, 15);
  ASSERT_EQ(slide.claims.size(), 2u);
  EXPECT_EQ(slide.claims[1].line, 37);
  EXPECT_TRUE(slide.exact_bodies);
  EXPECT_EQ(slide.readouts, (std::vector<Readout>{Readout::energy_error, Readout::step_time}));
}

TEST(LessonFile, ClaimsAreTextsOrTables) {
  const Lesson lesson =
      read_lesson(lesson_with("claims = [\n"
                              "  { quantity = \"energy error\", less_than = 0.01 },\n"
                              "  \"energy error < 0.01 %\",\n"
                              "  { quantity = \"separation\", equals = 16, tolerance = 1.5, unit = \"kpc\" },\n"
                              "  { quantity = \"time of merger\", equals = 900.5, tolerance_percent = 10 },\n"
                              "  { quantity = \"bodies\", equals = 12000 },\n"
                              "  { quantity = \"pairs\", more_than = 1e6 }]"),
                  "x.toml");
  const std::vector<Claim>& claims = lesson.slides[0].claims;
  ASSERT_EQ(claims.size(), 6u);
  for (std::size_t k = 0; k < claims.size(); ++k) EXPECT_EQ(claims[k].line, 9 + static_cast<int>(k));
  EXPECT_EQ(claims[0].text, claims[1].text);
  EXPECT_EQ(claims[0].quantity, claims[1].quantity);
  EXPECT_EQ(claims[0].relation, Claim::Relation::below);
  EXPECT_EQ(claims[0].value, 0.01);
  EXPECT_EQ(claims[2].text, "separation: 16 kpc ± 1.5 kpc");
  EXPECT_EQ(claims[2].tolerance, 1.5);
  EXPECT_DOUBLE_EQ(claims[3].tolerance, 90.05);
  EXPECT_EQ(claims[4].tolerance, 0);
  EXPECT_EQ(claims[5].relation, Claim::Relation::above);
  EXPECT_EQ(claims[5].value, 1e6);
}

TEST(LessonFile, ASlideWithoutASceneContinuesTheRunWithItsSettings) {
  const Lesson lesson = read_lesson(kEveryKey, "tails.toml");
  const Slide& changed = lesson.slides[1];
  EXPECT_TRUE(changed.continues());
  EXPECT_EQ(changed.options.scene, "collision");
  EXPECT_EQ(changed.options.theta, 1.2);
  EXPECT_EQ(changed.options.dt, 0.01);
  EXPECT_EQ(changed.options.compare, "");
  EXPECT_EQ(std::get<UntilSeconds>(changed.until).seconds, 8);
  EXPECT_EQ(lesson.slides[2].action, SlideAction::undo);
  EXPECT_EQ(lesson.slides[2].options.theta, 0.6);
  EXPECT_FALSE(lesson.slides[2].options.dt);
  EXPECT_TRUE(std::holds_alternative<UntilStart>(lesson.slides[3].until));
  EXPECT_EQ(lesson.slides[3].action, SlideAction::run_backwards);
}

TEST(LessonFile, TheTwinOfAComparisonHasTheEncounterOfTheOtherScene) {
  const Lesson lesson = read_lesson(kEveryKey, "tails.toml");
  const SceneOptions b = compared_options(lesson.slides[0].options);
  EXPECT_EQ(b.scene, "collision");
  EXPECT_EQ(b.encounter, *find_scene("retrograde")->encounter);
}

/// An error of the slide of lesson_with() if it has these lines, or of one that follows it.
std::string error_of(const std::string& toml);

TEST(LessonFile, ComparisonsDifferOnlyInWhatTheyName) {
  const auto error = [](const std::string& lines) { return error_of(lesson_with(lines)); };
  EXPECT_EQ(error("compare = \"scene=retrograde\""), "no error");
  EXPECT_EQ(error("compare = \"theta=1.2,dt=0.01,solver=direct\""), "no error");
  EXPECT_THAT(error("compare = \"scene=without-halos\""),
              AllOf(StartsWith("x.toml:8: compare: "), HasSubstr("separation (25 against 12), speed (0.74 against 1)"),
                    HasSubstr("also-differs = [\"separation\", \"speed\"]")));
  EXPECT_EQ(error("compare = \"scene=without-halos\"\nalso-differs = [\"separation\", \"speed\"]"), "no error");
  EXPECT_THAT(error("compare = \"scene=without-halos\"\nalso-differs = [\"separation\"]"),
              AllOf(StartsWith("x.toml:9: also-differs: "), HasSubstr("speed (0.74 against 1)")));
  EXPECT_EQ(error("compare = \"scene=without-halos,separation=25,speed=0.74\""), "no error");
}

TEST(LessonFile, ASceneInAComparisonNamesOnlyTheRotationOfTheDiscs) {
  const auto error = [](const std::string& tilt) {
    return error_of(lesson_with("compare = \"scene=retrograde\"") + "\n" +
                    "[[slides]]\nscene = \"pericenter/1 scene=collision " + tilt +
                    "\"\ncompare = \"scene=retrograde\"\n");
  };
  EXPECT_EQ(error("n=5000"), "no error");
  EXPECT_THAT(error("i2=30"), AllOf(HasSubstr("compare: "), HasSubstr("i2 (30 against 109)")));
  EXPECT_THAT(error("w2=60"), AllOf(HasSubstr("compare: "), HasSubstr("w2 (60 against -150)")));
}

TEST(LessonFile, ListedDifferencesExist) {
  const auto error = [](const std::string& lines) { return error_of(lesson_with(lines)); };
  EXPECT_THAT(error("also-differs = [\"dt\"]"), AllOf(StartsWith("x.toml:8: also-differs: "), HasSubstr("'compare'")));
  EXPECT_THAT(error("compare = \"theta=1\"\nalso-differs = [\"spead\"]"),
              AllOf(StartsWith("x.toml:9: also-differs: "), HasSubstr("did you mean speed?"), HasSubstr("separation")));
  EXPECT_THAT(error("compare = \"theta=1\"\nalso-differs = [\"speed\"]"), HasSubstr("do not differ; remove it"));
  EXPECT_THAT(error("differs-only-in = [\"dt\"]"),
              AllOf(StartsWith("x.toml:8: differs-only-in: "), HasSubstr("needs a slide before")));
}

TEST(LessonFile, TwoSlidesInTurnAreComparedFairly) {
  const auto error = [](const std::string& scene, const std::string& keys) {
    return error_of(kLessonHeader +
                    "[[slides]]\nscene = \"pericenter/1 scene=collision n=5000\"\n[[slides]]\nscene = \"" +
                    "pericenter/1 scene=" + scene + "\"\ndiffers-only-in = [" + keys + "]\n");
  };
  EXPECT_EQ(error("collision n=5000 theta=0.3", "\"theta\""), "no error");
  EXPECT_EQ(error("collision n=6000", "\"n\""), "no error");
  EXPECT_THAT(error("collision n=6000 theta=0.3", "\"theta\""), HasSubstr("n (5000 against 6000)"));
  EXPECT_THAT(error("without-halos n=5000", "\"scene\""),
              AllOf(StartsWith("x.toml:10: differs-only-in: "), HasSubstr("separation (25 against 12)"),
                    HasSubstr("speed (0.74 against 1)"), Not(HasSubstr("dt ("))));
  EXPECT_THAT(error("without-halos n=5000 dt=0.05", "\"scene\""), HasSubstr("dt (0.03125 against 0.05)"));
  EXPECT_EQ(error("without-halos n=5000 separation=25 speed=0.74", "\"scene\""), "no error");
  EXPECT_THAT(error("without-halos n=5000 separation=25 speed=0.74 softening=0.2", "\"scene\""),
              HasSubstr("softening (0.1 against 0.2)"));
}

/// Lines of a slide from line 8 on, and the error that they give.
struct BadSlide {
  const char* lines;
  int line;
  const char* key;
  std::vector<const char*> parts;
};

std::string error_of(const std::string& toml) {
  try {
    read_lesson(toml, "x.toml");
  } catch (const LessonError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LessonFile, MistakesInASlideNameFileLineKeyAndWhatIsAllowed) {
  const BadSlide kBad[] = {
      {"captoin = \"x\"", 8, "captoin", {"unknown key", "did you mean caption?", "allowed: scene, set, compare"}},
      {"caption = 3", 8, "caption", {"is a number", "a text in quotation marks"}},
      {"caption = \"a\\u0007b\"", 8, "caption", {"cannot be shown", "a\\x07b"}},
      {"caption_technical = \"x\"", 8, "caption_technical", {"needs 'caption'"}},
      {"question = \"\"", 8, "question", {"is empty"}},
      {"set = \"theta=1\"", 8, "set", {"in 'scene' instead"}},
      {"compare = \"n=5\"", 8, "compare", {"cannot set 'n'", "allowed: ", "scene", "theta"}},
      {"compare = \"theta\"", 8, "compare", {"KEY=VALUE"}},
      {"compare = \"theta=7\"", 8, "compare", {"theta"}},
      {"compare = \"scene=galaxy\"", 8, "compare", {"scene", "retrograde"}},
      {"choices = [\"a\", \"b\"]\nanswer = 1", 8, "choices", {"needs a 'question'"}},
      {"question = \"a\"\nchoices = [\"b\"]\nanswer = 1", 9, "choices", {"has 1 texts", "2 to 4"}},
      {"question = \"a\"\nchoices = [\"1\", \"2\", \"3\", \"4\", \"5\"]\nanswer = 1",
       9,
       "choices",
       {"has 5", "2 to 4"}},
      {"question = \"a\"\nchoices = [\"b\",\n 3]\nanswer = 1", 10, "choices", {"has a number", "list of texts"}},
      {"question = \"a\"\nchoices = [\"b\", \"c\"]", 6, "answer", {"is missing", "answer = 1"}},
      {"question = \"a\"\nchoices = [\"b\", \"c\"]\nanswer = 3", 10, "answer", {"from 1 to 2"}},
      {"question = \"a\"\nchoices = [\"b\", \"c\"]\nanswer = 0", 10, "answer", {"from 1 to 2"}},
      {"question = \"a\"\nchoices = [\"b\", \"c\"]\nanswer = 1.5", 10, "answer", {"whole number"}},
      {"question = \"a\"\nanswer = 1", 9, "answer", {"needs 'choices'"}},
      {"question = \"a\"\nchoices = [\"b\", \"c\"]\nchoices_technical = [\"d\"]\nanswer = 1",
       10,
       "choices_technical",
       {"has 1 texts", "as many as 'choices': 2"}},
      {"until = \"pericenter\"", 8, "until", {"did you mean pericentre?", "first tails", "390 Myr", "8 s"}},
      {"until = \"-3 Myr\"", 8, "until", {"is '-3 Myr'", "390 Myr"}},
      {"until = \"8 seconds\"", 8, "until", {"8 s"}},
      {"ramp = \"theta\"", 8, "ramp", {"is a text", "table in braces"}},
      {"ramp = { setting = \"theta\", from = 0.3, to = 1.2 }", 8, "seconds", {"is missing"}},
      {"ramp = { setting = \"theta\", from = 0.3, to = 5, seconds = 8 }", 8, "to", {"is 5", "between 0 and 2"}},
      {"ramp = { setting = \"size\", from = 0.3, to = 5, seconds = 8 }", 8, "setting", {"theta", "tree-level"}},
      {"ramp = { setting = \"theta\", from = 0, to = 1, seconds = 0 }", 8, "seconds", {"between 0.1 and 600"}},
      {"ramp = { setting = \"theta\", from = nan, to = 1, seconds = 1 }", 8, "from", {"between 0 and 2"}},
      {"ramp = { setting = \"theta\", form = 0, to = 1, seconds = 1 }", 8, "form", {"did you mean from?"}},
      {"action = \"jump\"", 8, "action", {"is 'jump'", "run backwards or undo"}},
      {"probe = \"yes\"", 8, "probe", {"is a text", "true or false"}},
      {"follow = \"galaxy 0\"", 8, "follow", {"galaxy 1", "centre of mass"}},
      {"follow = \"galaxy 17\"", 8, "follow", {"galaxy 1"}},
      {"highlight = \"birth radius 15 to 8 kpc\"", 8, "highlight", {"birth radius 8 to 15 kpc"}},
      {"plot = \"speed\"", 8, "plot", {"is 'speed'", "energy-error", "separation", "cost"}},
      {"readouts = [\"energy\"]", 8, "readouts", {"'energy'", "trust", "energy-error", "step-time"}},
      {"readouts = \"trust\"", 8, "readouts", {"is a text", "a list of texts"}},
      {"claims = [\"bodies: 5\",\n \"mass: 5 kg\"]", 9, "claims", {"cannot measure 'mass'", "tail mass fraction"}},
      {"claims = \"bodies: 5\"", 8, "claims", {"is a text", "a list of texts or tables"}},
      {"claims = [3]", 8, "claims", {"has a number", "a list of texts or tables"}},
      {"claims = [\n{ less_than = 3 }]", 9, "quantity", {"is missing", "quantity = \"energy error\""}},
      {"claims = [\n{ quantity = \"mass\", less_than = 3 }]", 9, "quantity", {"cannot measure 'mass'", "energy error"}},
      {"claims = [\n{ quantity = \"pairs\", les_than = 3 }]", 9, "les_than", {"did you mean less_than?"}},
      {"claims = [\n{ quantity = \"pairs\", less_than = \"3\" }]", 9, "less_than", {"is a text", "a number"}},
      {"claims = [\n{ quantity = \"pairs\", less_than = inf }]", 9, "less_than", {"is inf", "between"}},
      {"claims = [\n{ quantity = \"pairs\" }]", 9, "quantity", {"one of equals, more_than and less_than"}},
      {"claims = [\n{ quantity = \"pairs\", equals = 3, less_than = 3 }]", 9, "quantity", {"one of equals, more_than"}},
      {"claims = [\n{ quantity = \"pairs\", less_than = 3, tolerance = 1 }]", 9, "tolerance", {"only", "'equals'"}},
      {"claims = [\n{ quantity = \"separation\", less_than = 3, unit = \"Myr\" }]", 9, "unit", {"must be 'kpc'"}},
      {"claims = [\n{ quantity = \"separation\", equals = 3 }]", 9, "claims", {"needs a tolerance"}},
      {"claims = [\n{ quantity = \"separation\", equals = 3, tolerance = -1 }]", 9, "claims", {"not be negative"}},
      {"include = \"two-discs\"", 8, "include", {"must be the only key"}},
      {"caption = \"a\"\ncaption = \"b\"", 9, "this is not valid TOML", {}},
  };
  for (const BadSlide& bad : kBad) {
    SCOPED_TRACE(bad.lines);
    const std::string error = error_of(lesson_with(bad.lines));
    EXPECT_THAT(error, StartsWith("x.toml:" + std::to_string(bad.line) + ": " + bad.key + ": "));
    for (const char* part : bad.parts) EXPECT_THAT(error, HasSubstr(part));
  }
}

TEST(LessonFile, ASceneThatDoesNotLoadIsRejected) {
  const auto error = [](const std::string& scene) {
    return error_of(kLessonHeader + "[[slides]]\nscene = \"" + scene + "\"\n");
  };
  EXPECT_THAT(error("collision"), AllOf(StartsWith("x.toml:7: scene: "), HasSubstr("pericenter/1 scene=")));
  EXPECT_THAT(error("pericenter/1 scene=colision"), AllOf(StartsWith("x.toml:7: scene: "), HasSubstr("collision")));
  EXPECT_THAT(error("pericenter/1 scene=solar-system n=2"),
              AllOf(StartsWith("x.toml:7: scene: "), HasSubstr("n is 2; scene solar-system needs at least 9")));
  EXPECT_THAT(error("pericenter/1 scene=figure-eight n=2"), HasSubstr("has 3 bodies"));
  EXPECT_THAT(error("pericenter/1 scene=collision theta=9"),
              AllOf(StartsWith("x.toml:7: scene: "), HasSubstr("theta")));
  EXPECT_THAT(error("pericenter/1 file=/missing/a.hdf5"),
              AllOf(StartsWith("x.toml:7: scene: "), HasSubstr("/missing/a.hdf5")));
}

TEST(LessonFile, MistakesInTheHeaderAreNamed) {
  EXPECT_THAT(error_of(""), StartsWith("x.toml:1: title: is missing"));
  EXPECT_THAT(error_of("title = \"a\"\n"), StartsWith("x.toml:1: minutes: is missing"));
  EXPECT_THAT(
      error_of("minute = 3\n" + kLessonHeader),
      AllOf(StartsWith("x.toml:1: minute: unknown key"), HasSubstr("did you mean minutes?"), HasSubstr("audience")));
  EXPECT_THAT(error_of(kLessonHeader), StartsWith("x.toml:1: slides: is missing"));
  EXPECT_THAT(error_of("slides = []\n" + kLessonHeader), StartsWith("x.toml:1: slides: has no slides"));
  EXPECT_THAT(error_of("slides = [3]\n" + kLessonHeader),
              StartsWith("x.toml:1: slides: must be written as [[slides]]"));
  EXPECT_THAT(error_of("slides = 3\n" + kLessonHeader), StartsWith("x.toml:1: slides: is a number"));
  EXPECT_THAT(error_of(kLessonHeader + "[[slides]]\ncaption = \"a\"\n"),
              AllOf(StartsWith("x.toml:6: scene: is missing"), HasSubstr("no run to continue")));
  EXPECT_THAT(error_of("title = \"a\"\nminutes = 9007199254740993\naudience = \"a\"\ngoal = \"a\"\nslides = []\n"),
              AllOf(StartsWith("x.toml:2: minutes: is 900719925474099"), HasSubstr("between 0.5 and 600")));
  EXPECT_THAT(error_of("title = \"a\nb\"\n"), StartsWith("x.toml:1: this is not valid TOML: "));
  EXPECT_THAT(error_of("title = \"\xff\"\n"), AllOf(StartsWith("x.toml:1: "), HasSubstr("UTF-8")));
}

TEST(LessonFile, HasALimitedNumberOfSlides) {
  std::string toml = lesson_with("");
  for (std::size_t k = 0; k < kMaxSlides; ++k) toml += "[[slides]]\n";
  EXPECT_THAT(error_of(toml), AllOf(StartsWith("x.toml:207: slides: "), HasSubstr("more than 200 slides")));
}

TEST(LessonFile, DeeplyNestedTextIsRejected) {
  EXPECT_THAT(error_of("a = " + std::string(100'000, '[')), StartsWith("x.toml:1: "));
  std::string dotted = "a";
  for (int k = 0; k < 120'000; ++k) dotted += ".a";
  EXPECT_THAT(error_of("# .\nb = '''\n\"'''\n" + dotted + " = 1"),
              AllOf(StartsWith("x.toml:4: "), HasSubstr("more than 20 dots")));
  std::string tables = "k = ";
  for (int k = 0; k < 2000; ++k) tables += "[\n{ a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = ";
  EXPECT_THAT(error_of(tables), StartsWith("x.toml:"));
}

TEST(LessonFile, DotsInTextsAndCommentsAreNotLimited) {
  const std::string dots(200, '.');
  EXPECT_EQ(error_of(lesson_with("caption = \"\\\"" + dots + "\" # " + dots + "\nnotes = \"\"\"\n'" + dots + "\n\"" +
                                 dots + "\"\"\"\"\n")),
            "no error");
}

TEST(LessonFile, NamesAndLanguagesComeFromTheFileName) {
  EXPECT_EQ(lesson_name("/a/two-discs.de.toml"), "two-discs");
  EXPECT_EQ(lesson_name("/a/two-discs.toml"), "two-discs");
  EXPECT_EQ(lesson_name("/a/two-discs.lesson.toml"), "two-discs");
  EXPECT_EQ(lesson_name("/a/two-discs.lesson.de.toml"), "two-discs");
  EXPECT_EQ(language_of("/a/two-discs.de.toml"), "de");
  EXPECT_EQ(language_of("/a/two-discs.toml"), "");
  EXPECT_EQ(language_of("/a/version.v2.toml"), "");
}

}  // namespace
}  // namespace pericenter::app
