#include "app/lessons/add_slide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "app/base/atomic_file.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/lesson_library.h"
#include "tests/app/lessons/lesson_text.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

using test::kLessonHeader;
using test::lesson_with;
using test::TemporaryFolder;
using test::text_of;
using test::write_text;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class AddSlide : public testing::Test {
 protected:
  std::string add(const std::string& name = "mine") {
    return add_slide(name, {"pericenter/1 scene=plummer n=500", 386.66}, folder());
  }
  std::string error(const std::string& name = "mine") {
    try {
      add(name);
    } catch (const LessonError& problem) {
      return problem.what();
    }
    return "no error";
  }
  std::string folder() const { return (folder_ / "lessons").string(); }
  std::string path() const { return folder() + "/mine.toml"; }
  void write(const std::string& text) {
    std::filesystem::create_directories(folder());
    write_text(path(), text);
  }
  TemporaryFolder folder_;
};

TEST_F(AddSlide, CreatesALessonThatCanBeOpened) {
  EXPECT_EQ(add(), folder() + "/mine.lesson.toml") << "which a double click opens";
  add();
  const auto lesson = find_lesson("mine", folder(), "");
  ASSERT_EQ(lesson->slides.size(), 2u);
  EXPECT_EQ(lesson->slides[1].options.scene, "plummer");
  EXPECT_EQ(std::get<UntilTime>(lesson->slides[1].until).myr, 386.7);
}

TEST_F(AddSlide, KeepsTheRestOfTheFile) {
  const std::string before = "# my comment\n" + lesson_with("caption = \"a\"   # why") + "\n# the end";
  write(before);
  add();
  EXPECT_THAT(text_of(path()), StartsWith(before + "\n\n[[slides]]\nscene = \"pericenter/1 scene=plummer n=500\"\n"));
  EXPECT_EQ(find_lesson("mine", folder(), "")->slides.size(), 2u);
}

TEST_F(AddSlide, DoesNotChangeABrokenLesson) {
  const std::string before = lesson_with("capton = \"a\"\n");
  write(before);
  EXPECT_THAT(error(), HasSubstr("mine.toml:8: capton: unknown key"));
  EXPECT_EQ(text_of(path()), before);
}

TEST_F(AddSlide, DoesNotChangeALessonWhoseTextWouldSwallowTheSlide) {
  const std::string before = kLessonHeader + "slides = [{ scene = \"pericenter/1 scene=plummer\" }]\n";
  write(before);
  EXPECT_THAT(error(), HasSubstr("mine.toml:"));
  EXPECT_EQ(text_of(path()), before);
}

TEST_F(AddSlide, ChecksTheName) {
  for (const char* name : {"", "../x", "a b", "a.de", "ä"})
    EXPECT_THAT(error(name), HasSubstr("cannot be the name of a lesson")) << name;
  EXPECT_THAT(error(std::string(61, 'a')), HasSubstr("1 to 60 letters"));
  EXPECT_THAT(error("two-discs"), HasSubstr("built-in lesson"));
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(AddSlide, SaysWhatIsMissing) {
  EXPECT_THROW(add_slide("mine", {"", 0}, folder()), LessonError);
  EXPECT_THROW(add_slide("mine", {"pericenter/1 scene=plummer", 0}, ""), LessonError);
  write_text(folder_ / "file", "");
  EXPECT_THROW(add_slide("mine", {"pericenter/1 scene=plummer", 0}, (folder_ / "file").string()), FileError);
}

TEST(SlideText, HasATimeOnlyIfTheSceneHasOne) {
  EXPECT_THAT(slide_text({"pericenter/1 scene=plummer", 0}), Not(HasSubstr("until")));
  EXPECT_THAT(slide_text({"pericenter/1 scene=plummer", -30}), Not(HasSubstr("until")));
  EXPECT_THAT(slide_text({"pericenter/1 scene=plummer", 12}), HasSubstr("until = \"12 Myr\"\n"));
}

}  // namespace
}  // namespace pericenter::app
