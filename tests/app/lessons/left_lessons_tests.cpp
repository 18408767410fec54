#include "app/lessons/left_lessons.h"

#include <gtest/gtest.h>

#include "tests/support/program.h"

namespace pericenter::app {
namespace {

TEST(LeftLessons, AreKnownAtTheNextStart) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "left.txt").string();
  LeftLessons(path).set("two-discs", 3);
  LeftLessons(path).set("my lesson", 1);
  EXPECT_EQ(LeftLessons(path).slide("two-discs"), 3u);
  EXPECT_EQ(LeftLessons(path).slide("my lesson"), 1u);
  EXPECT_EQ(LeftLessons(path).slide("the-fall"), 0u);
  LeftLessons(path).set("two-discs", 0);
  EXPECT_EQ(LeftLessons(path).slide("two-discs"), 0u);
  EXPECT_EQ(LeftLessons(path).slide("my lesson"), 1u);
}

TEST(LeftLessons, LinesThatAreNoneAreIgnored) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "left.txt").string();
  test::write_text(path, "\n-4 a\n0 b\n1 c\nx d\n7\n99999999999999999999999 e\n2 f\n");
  const LeftLessons left(path);
  for (const char* lesson : {"a", "b", "c", "d", "e", ""}) EXPECT_EQ(left.slide(lesson), 0u) << lesson;
  EXPECT_EQ(left.slide("f"), 1u);
}

TEST(LeftLessons, WithoutAFileTheyAreKnownUntilTheEnd) {
  for (const char* path : {"", "/proc/left.txt"}) {
    LeftLessons left(path);
    left.set("two-discs", 3);
    EXPECT_EQ(left.slide("two-discs"), 3u) << path;
  }
}

}  // namespace
}  // namespace pericenter::app
