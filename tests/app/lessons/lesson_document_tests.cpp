// assets/lessons/README.md describes the format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/lessons/claim_quantities.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/slide_run.h"
#include "app/plots/lab_plots.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

using testing::HasSubstr;

const std::string& document() {
  static const std::string text = test::text_of(std::string(test::kLessonsFolder) + "/README.md");
  return text;
}

TEST(LessonDocument, HasAnExampleThatCanBeRead) {
  const std::string begin = "```toml\n";
  const std::size_t first = document().find(begin) + begin.size();
  const Lesson lesson = read_lesson(document().substr(first, document().find("```\n", first) - first), "example.toml");
  EXPECT_EQ(lesson.slides.size(), 2u);
}

TEST(LessonDocument, ListsEveryClaimRampAndPlot) {
  const std::string head = "| Quantity | Unit | Measured |\n|----------|------|----------|\n";
  std::string table;
  for (const ClaimQuantity& row : claim_quantities())
    table.append("| ").append(row.name).append(" | ").append(row.unit).append(" | ").append(row.meaning).append(" |\n");
  EXPECT_THAT(document(), HasSubstr(head + table + "\n")) << "exactly these rows";
  for (const RampSetting& row : kRampSettings) EXPECT_THAT(document(), HasSubstr("`" + std::string(row.name) + "`"));
  const SessionState empty;
  for (const LabPlot& plot : lab_plots({.run = empty}))
    EXPECT_THAT(document(), HasSubstr("`\"" + std::string(plot.id) + "\"`"));
}

/// The keys that the error of an unknown key allows.
std::string allowed(const std::string& toml) {
  try {
    read_lesson(toml, "x.toml");
  } catch (const LessonError& error) {
    const std::string what = error.what(), before = "allowed: ";
    const std::size_t at = what.find(before) + before.size();
    return what.substr(at, what.rfind('.') - at) + ", ";
  }
  return {};
}

TEST(LessonDocument, ListsEveryKey) {
  for (const char* toml :
       {"x = 1", "title = \"a\"\nminutes = 3\naudience = \"a\"\ngoal = \"a\"\n[[slides]]\nx = 1\n"}) {
    std::string keys = allowed(toml);
    for (std::size_t end; (end = keys.find(", ")) != keys.npos; keys.erase(0, end + 2))
      EXPECT_THAT(document(), HasSubstr((keys.substr(0, end) == "slides" ? "`[[" : "`") + keys.substr(0, end)));
  }
}

}  // namespace
}  // namespace pericenter::app
