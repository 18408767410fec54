#include "app/lessons/lesson_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "app/lessons/lesson_file.h"
#include "tests/app/lessons/lesson_text.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

using test::kLessonHeader;
using test::lesson_with;
using test::TemporaryFolder;
using test::write_text;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(BuiltInLessons, CanBeReadWithAllTheirTranslations) {
  for (const BuiltInLesson& file : built_in_lessons()) {
    SCOPED_TRACE(file.file);
    const std::string language = language_of(std::string(file.file));
    try {
      const auto lesson = find_lesson(lesson_name(std::string(file.file)), "", language);
      EXPECT_EQ(lesson->language, language);
      EXPECT_EQ(lesson->path, "");
    } catch (const LessonError& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

/// All texts of a lesson, for pupils and with technical terms.
std::vector<std::string> texts_of(const Lesson& lesson) {
  std::vector<std::string> texts = {lesson.audience, lesson.notes};
  const auto add = [&](const LessonText& text) {
    texts.push_back(text.pupils);
    texts.push_back(text.technical);
  };
  add(lesson.title);
  add(lesson.goal);
  std::ranges::for_each(lesson.misconceptions, add);
  for (const Slide& slide : lesson.slides) {
    add(slide.caption);
    add(slide.question);
    add(slide.explanation);
    std::ranges::for_each(slide.choices, add);
    texts.push_back(slide.notes);
  }
  return texts;
}

TEST(BuiltInLessons, HaveAllTheirTextsInGerman) {
  const std::vector<LessonEntry> english = lesson_library("", ""), german = lesson_library("", "de");
  ASSERT_EQ(english.size(), german.size());
  for (std::size_t k = 0; k < english.size(); ++k) {
    SCOPED_TRACE(english[k].name);
    ASSERT_TRUE(german[k].lesson) << german[k].problem;
    EXPECT_EQ(german[k].lesson->language, "de") << "there is no " << english[k].name << ".de.toml";
    const std::vector<std::string> from = texts_of(*english[k].lesson), to = texts_of(*german[k].lesson);
    ASSERT_EQ(from.size(), to.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      EXPECT_EQ(from[i].empty(), to[i].empty()) << from[i];
      EXPECT_TRUE(from[i].empty() || from[i] != to[i]) << from[i];
    }
  }
}

/// The folder of a user.
class LessonFolder : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { write_text(folder_ / name, text); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<LessonEntry> entries(std::string_view language = "") const {
    return lesson_library(folder_.path().string(), language);
  }
  LessonEntry entry(const std::string& name, std::string_view language = "") const {
    for (const LessonEntry& candidate : entries(language))
      if (candidate.name == name) return candidate;
    return {};
  }
  std::string error(const std::string& name) const {
    try {
      find_lesson(name, folder_.path().string(), "");
    } catch (const LessonError& problem) {
      return problem.what();
    }
    return "no error";
  }
  TemporaryFolder folder_;
};

TEST_F(LessonFolder, FollowsTheBuiltInLessonsByName) {
  write("zebra.toml", lesson_with(""));
  write("apple.toml", lesson_with(""));
  write("notes.txt", "no lesson");
  std::vector<std::string> names;
  for (const LessonEntry& each : entries()) names.push_back(each.name);
  ASSERT_GT(names.size(), 2u);
  EXPECT_EQ(names.front(), "ten-minutes") << "a whole plan, then the lessons in the order of teaching";
  EXPECT_THAT(std::vector(names.end() - 2, names.end()), ElementsAre("apple", "zebra"));
  EXPECT_EQ(entry("apple").path, path("apple.toml"));
}

TEST_F(LessonFolder, ReplacesABuiltInLessonInItsPlace) {
  write("two-discs.toml", lesson_with(""));
  EXPECT_EQ(entries()[1].path, path("two-discs.toml"));
  EXPECT_EQ(entry("two-discs").lesson->slides.size(), 1u);
}

TEST_F(LessonFolder, ABrokenFileDoesNotAffectTheOthers) {
  write("bad.toml", lesson_with("capton = \"x\"\n"));
  write("good.toml", lesson_with(""));
  EXPECT_FALSE(entry("bad").lesson);
  EXPECT_THAT(entry("bad").problem, HasSubstr(path("bad.toml") + ":8: capton: unknown key"));
  for (const LessonEntry& each : entries()) EXPECT_EQ(each.lesson == nullptr, each.name == "bad");
}

TEST_F(LessonFolder, AFileThatIsTooLargeOrAFolderIsABrokenLesson) {
  write("large.toml", std::string(kMaxLessonBytes + 1, '#'));
  std::filesystem::create_directory(folder_ / "folder.toml");
  EXPECT_THAT(entry("large").problem, AllOf(HasSubstr("large.toml"), HasSubstr("256 KiB")));
  EXPECT_THAT(entry("folder").problem, HasSubstr("cannot be read"));
}

TEST_F(LessonFolder, MayBeMissing) {
  EXPECT_EQ(lesson_library(path("missing"), "").size(), lesson_library("", "").size());
}

TEST_F(LessonFolder, IncludesInsertTheSlidesOfAnotherLesson) {
  write("inner.toml", lesson_with("[[slides]]\nset = \"theta=1.2\"\n"));
  write("outer.toml",
        kLessonHeader +
            "[[slides]]\ninclude = \"inner\"\n[[slides]]\ncaption = \"x\"\n[[slides]]\ninclude = \"two-discs\"\n");
  const auto lesson = entry("outer").lesson;
  ASSERT_TRUE(lesson) << entry("outer").problem;
  ASSERT_EQ(lesson->slides.size(), 3 + find_lesson("two-discs", "", "")->slides.size());
  EXPECT_EQ(lesson->slides[1].origin, path("inner.toml"));
  EXPECT_EQ(lesson->slides[1].line, 8);
  EXPECT_EQ(lesson->slides[2].origin, "");
  EXPECT_EQ(lesson->slides[2].options.theta, 1.2) << "it continues the included run";
  EXPECT_EQ(lesson->slides[3].origin, "two-discs.toml");
}

TEST_F(LessonFolder, AnIncludeThatCannotBeUsedIsNamed) {
  const auto including = [](const std::string& name) {
    return kLessonHeader + "[[slides]]\ninclude = \"" + name + "\"\n";
  };
  write("a.toml", including("b"));
  write("b.toml", including("a"));
  write("c.toml", including("two-disks"));
  write("d.toml", including("e"));
  write("e.toml", lesson_with("probe = 1\n"));
  EXPECT_THAT(entry("a").problem, AllOf(HasSubstr("a.toml:7: include: "), HasSubstr("a includes b includes a")));
  EXPECT_THAT(entry("c").problem, AllOf(HasSubstr("c.toml:7: include: "), HasSubstr("did you mean two-discs?")));
  EXPECT_THAT(entry("d").problem, AllOf(HasSubstr("d.toml:7: include: "), HasSubstr("e.toml:8: probe: ")));
}

TEST_F(LessonFolder, IncludesAreLimitedByTheNumberOfSlides) {
  write("l0.toml", lesson_with(""));
  for (int level = 1; level <= 9; ++level) {
    const std::string include = "[[slides]]\ninclude = \"l" + std::to_string(level - 1) + "\"\n";
    write("l" + std::to_string(level) + ".toml", kLessonHeader + include + include);
  }
  EXPECT_EQ(entry("l7").lesson->slides.size(), 128u);
  EXPECT_THAT(entry("l8").problem, HasSubstr("more than 200 slides"));
  EXPECT_THAT(entry("l9").problem, HasSubstr("more than 200 slides"));
}

TEST_F(LessonFolder, ALongChainOfIncludesIsRefused) {
  write("l0.toml", lesson_with(""));
  for (int level = 1; level <= 18; ++level)
    write("l" + std::to_string(level) + ".toml",
          kLessonHeader + "[[slides]]\ninclude = \"l" + std::to_string(level - 1) + "\"\n");
  EXPECT_TRUE(entry("l16").lesson);
  for (const char* name : {"l17", "l18"})
    EXPECT_THAT(entry(name).problem, AllOf(HasSubstr("at most 16 deep"), HasSubstr(std::string(name) + " includes")));
}

TEST_F(LessonFolder, LessonsAreFoundByNameOrFile) {
  write("mine.toml", lesson_with(""));
  EXPECT_EQ(find_lesson("mine", folder_.path().string(), "")->path, path("mine.toml"));
  EXPECT_EQ(find_lesson(path("mine.toml"), "", "")->name, "mine");
  EXPECT_EQ(find_lesson("two-discs", "", "")->path, "");
  EXPECT_THAT(error("two-disks"), AllOf(HasSubstr("there is no lesson 'two-disks'"),
                                        HasSubstr("did you mean two-discs?"), HasSubstr("tails-need-spin")));
  EXPECT_THAT(error(path("missing.toml")), AllOf(HasSubstr(path("missing.toml")), HasSubstr("cannot be read")));
}

/// The texts of lesson_with() in German, and those of its slides.
std::string german_with(const std::string& slides) {
  return "title = \"Zwei Scheiben\"\naudience = \"ab 14\"\ngoal = \"Du kannst Schweife erklären.\"\n" + slides;
}

constexpr const char* kTwoSlides =
    "caption = \"Start\"\ncaption_technical = \"t = 0\"\n[[slides]]\nquestion = \"Where?\"\n"
    "choices = [\"left\", \"right\"]\nanswer = 2\nexplanation = \"Because.\"\n";
const std::string kFirstSlide = "[[slides]]\ncaption = \"Anfang\"\ncaption_technical = \"t = 0\"\n";
const std::string kSecondSlide = "[[slides]]\nquestion = \"Wo?\"\nchoices = [\"links\", \"rechts\"]\n";

TEST_F(LessonFolder, ATranslationReplacesTexts) {
  write("mine.toml", lesson_with(kTwoSlides));
  write("mine.de.toml", german_with(kFirstSlide + kSecondSlide + "explanation = \"Darum.\"\n"));
  EXPECT_EQ(entry("mine").lesson->title.pupils, "Two discs");
  EXPECT_EQ(entry("mine", "fr").lesson->title.pupils, "Two discs");
  const auto german = entry("mine", "de").lesson;
  ASSERT_TRUE(german) << entry("mine", "de").problem;
  EXPECT_EQ(german->language, "de");
  EXPECT_EQ(german->title.pupils, "Zwei Scheiben");
  EXPECT_EQ(german->slides[0].caption.pupils, "Anfang");
  EXPECT_EQ(german->slides[1].choices[1].pupils, "rechts");
  EXPECT_EQ(german->slides[1].answer, 1u);
  EXPECT_EQ(german->slides[1].explanation.pupils, "Darum.");
  EXPECT_EQ(find_lesson(path("mine.toml"), "", "de")->title.pupils, "Zwei Scheiben");
}

TEST_F(LessonFolder, ATranslationOfABuiltInLessonNeedsNoCopyOfIt) {
  const auto built_in = std::ranges::find(built_in_lessons(), "quadtree.de.toml", &BuiltInLesson::file);
  std::string text(built_in->text);
  text.replace(text.find("Quadrate in Quadraten"), 21, "Vier Quadrate");
  write("quadtree.xx.toml", text);
  EXPECT_EQ(entry("quadtree", "xx").lesson->title.pupils, "Vier Quadrate");
}

TEST_F(LessonFolder, ATranslationWithAMistakeIsNamed) {
  write("mine.toml", lesson_with(kTwoSlides));
  const auto problem = [&](const std::string& slides) {
    write("mine.de.toml", german_with(slides));
    return entry("mine", "de").problem;
  };
  EXPECT_THAT(problem("[[slides]]\n"), AllOf(HasSubstr("mine.de.toml:4: slides: has 1 slide;"), HasSubstr(": 2.")));
  EXPECT_THAT(problem("[[slides]]\nscene = \"x\"\n[[slides]]\n"), HasSubstr("mine.de.toml:5: scene: unknown key"));
  EXPECT_THAT(problem(kFirstSlide + "[[slides]]\nquestion = \"Wo?\"\nchoices = [\"links\"]\n"),
              AllOf(HasSubstr("mine.de.toml:9: choices: has 1 text;"), HasSubstr(": 2.")));
  EXPECT_THAT(problem(kFirstSlide + "explanation = \"Darum.\"\n" + kSecondSlide),
              HasSubstr("mine.de.toml:7: explanation: the lesson has no such text here"));
}

TEST_F(LessonFolder, ATranslationWithAMissingTextIsRefused) {
  write("mine.toml", lesson_with(kTwoSlides));
  const auto problem = [&](const std::string& text) {
    write("mine.de.toml", text);
    return entry("mine", "de").problem;
  };
  EXPECT_THAT(problem(german_with(kFirstSlide + kSecondSlide)),
              HasSubstr("mine.de.toml:7: explanation: is missing; translate \"Because.\""));
  EXPECT_THAT(problem(german_with(kFirstSlide + "[[slides]]\nquestion = \"Wo?\"\n")),
              HasSubstr("mine.de.toml:7: choices: is missing; translate \"left\""));
  EXPECT_THAT(problem(german_with("[[slides]]\ncaption = \"Anfang\"\n" + kSecondSlide)),
              HasSubstr("mine.de.toml:4: caption_technical: is missing; translate \"t = 0\""));
  EXPECT_THAT(problem("audience = \"ab 14\"\n" + kFirstSlide + kSecondSlide),
              HasSubstr("mine.de.toml:1: title: is missing; translate \"Two discs\""));
}

TEST_F(LessonFolder, IncludedSlidesHaveTheirOwnTranslation) {
  write("inner.toml", lesson_with("caption = \"Start\"\n"));
  write("inner.de.toml", german_with("[[slides]]\ncaption = \"Anfang\"\n"));
  write("outer.toml", kLessonHeader + "[[slides]]\ninclude = \"inner\"\n[[slides]]\ncaption = \"End\"\n");
  write("outer.de.toml", german_with("[[slides]]\ncaption = \"Ende\"\n"));
  const auto lesson = entry("outer", "de").lesson;
  ASSERT_TRUE(lesson) << entry("outer", "de").problem;
  EXPECT_EQ(lesson->slides[0].caption.pupils, "Anfang");
  EXPECT_EQ(lesson->slides[1].caption.pupils, "Ende");
}

/// Sets LC_ALL, LC_MESSAGES and LANG; restores them.
class Locale {
 public:
  explicit Locale(const std::array<const char*, 3>& values) {
    for (std::size_t k = 0; k < kNames.size(); ++k) {
      const char* old = std::getenv(kNames[k]);
      if (old) old_[k] = old;
      set(k, values[k]);
    }
  }
  ~Locale() {
    for (std::size_t k = 0; k < kNames.size(); ++k) set(k, old_[k] ? old_[k]->c_str() : nullptr);
  }
  Locale(const Locale&) = delete;
  Locale& operator=(const Locale&) = delete;

 private:
  static void set(std::size_t k, const char* value) { value ? ::setenv(kNames[k], value, 1) : ::unsetenv(kNames[k]); }
  static constexpr std::array<const char*, 3> kNames = {"LC_ALL", "LC_MESSAGES", "LANG"};
  std::array<std::optional<std::string>, 3> old_;
};

std::string language_in(const std::array<const char*, 3>& values) {
  const Locale locale(values);
  return system_language();
}

TEST(Language, ComesFromTheEnvironment) {
  EXPECT_EQ(language_in({nullptr, nullptr, "de_DE.UTF-8"}), "de");
  EXPECT_EQ(language_in({nullptr, "de", "en_GB.UTF-8"}), "de");
  EXPECT_EQ(language_in({"C", "de_DE", "de_DE"}), "");
  EXPECT_EQ(language_in({"", "", "fr_CA@euro"}), "fr");
  EXPECT_EQ(language_in({nullptr, nullptr, "en_GB.UTF-8"}), "");
  EXPECT_EQ(language_in({nullptr, nullptr, "POSIX"}), "");
  EXPECT_EQ(language_in({nullptr, nullptr, nullptr}), "");
}

TEST(Language, OfTheOptionComesFirst) {
  const Locale locale({"de_DE", nullptr, nullptr});
  EXPECT_EQ(lesson_language(""), "de");
  EXPECT_EQ(lesson_language("en"), "");
  EXPECT_EQ(lesson_language("fr"), "fr");
}

}  // namespace
}  // namespace pericenter::app
