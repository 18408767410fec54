#include "app/settings/file_uses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "app/settings/command_line_error.h"
#include "tests/support/program.h"

// No output of any command replaces an input or another output.

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

class Uses : public testing::Test {
 protected:
  Uses() { write_text(folder / "a", "input"); }
  bool are_refused(const std::string& first, bool writes_first, const std::string& second, bool writes_second) const {
    FileUses uses;
    writes_first ? uses.write("one", folder / first) : uses.read("one", folder / first);
    try {
      writes_second ? uses.write("two", folder / second) : uses.read("two", folder / second);
    } catch (const CommandLineError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("one and two name the same file"));
      return true;
    }
    return false;
  }
  TemporaryFolder folder;
};

TEST_F(Uses, AFileIsReadTwiceButNotWrittenTwice) {
  EXPECT_FALSE(are_refused("a", false, "a", false));
  EXPECT_TRUE(are_refused("a", false, "a", true));
  EXPECT_TRUE(are_refused("a", true, "a", false));
  EXPECT_TRUE(are_refused("new", true, "new", true));
  EXPECT_FALSE(are_refused("new", true, "other", true));
}

TEST_F(Uses, LinksAndDotsAreTheSameFile) {
  fs::create_directory(folder / "box");
  fs::create_symlink(folder / "a", folder / "symbolic");
  fs::create_hard_link(folder / "a", folder / "hard");
  fs::create_symlink(folder / "missing", folder / "dangling");
  for (const char* name : {"./a", "box/../a", "symbolic", "hard"})
    EXPECT_TRUE(are_refused("a", false, name, true)) << name;
  EXPECT_TRUE(are_refused("missing", true, "dangling", true));
}

TEST_F(Uses, DevicesMayBeShared) {
  FileUses uses;
  uses.write("one", "/dev/null");
  uses.write("two", "/dev/null");
  uses.read("three", "");
  uses.write("four", "");
}

/// A command line that would replace the file `input` of the folder.
struct Case {
  std::string name;
  test::Words words;
};
class Overwrites : public testing::TestWithParam<Case> {};

TEST_P(Overwrites, AreRefusedAndTheFileStays) {
  const TemporaryFolder folder;
  const std::string bodies = "m,x,y,z\n1,0,0,0\n1,1,0,0\n1,0,1,0\n";
  write_text(folder / "bodies.csv", bodies);
  write_text(folder / "scene.pericenter", "pericenter/1 scene=plummer n=100");
  write_text(folder / "lesson.toml",
             "title = \"T\"\nminutes = 1\naudience = \"all\"\ngoal = \"None\"\n\n[[slides]]\n"
             "scene = \"pericenter/1 scene=plummer n=100\"\ncaption = \"A cluster.\"\n");
  write_text(folder / "path.csv", "time,x,y,z,yaw,pitch,distance\n0,0,0,0,0,0,5\n1,0,0,0,1,0,5\n");
  fs::create_hard_link(folder / "bodies.csv", folder / "link.csv");
  std::string scene = (folder / "bodies.csv").string();
  for (std::size_t at = 0; (at = scene.find(' ', at)) != scene.npos;) scene.replace(at, 1, "%20");
  const std::string lesson = text_of(folder / "lesson.toml");
  write_text(folder / "of-a-file.toml", lesson.substr(0, lesson.find("[[")) +
                                            "[[slides]]\ncaption = \"A\"\nscene = \"pericenter/1 file=" + scene +
                                            "\"\n");
  const auto names = folder.names();
  std::map<std::string, std::string> before;
  for (const std::string& name : names) before[name] = text_of(folder / name);
  const test::Outcome outcome = test::run_program({GetParam().words, folder.path()});
  EXPECT_EQ(outcome.exit_code, 64) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("same file"));
  EXPECT_EQ(folder.names(), names);
  for (const std::string& name : names) EXPECT_EQ(text_of(folder / name), before[name]) << name;
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Overwrites,
    testing::Values(Case{"LoadLog", {"--headless", "--load", "bodies.csv", "--log", "bodies.csv"}},
                    Case{"LoadCsv", {"--headless", "--load", "bodies.csv", "--csv", "./bodies.csv"}},
                    Case{"LoadHardLink", {"--headless", "--load", "bodies.csv", "--csv", "link.csv"}},
                    Case{"LoadScreenshot", {"--headless", "--load", "bodies.csv", "--screenshot", "bodies.csv"}},
                    Case{"PlayCsv", {"--headless", "--play", "bodies.csv", "--csv", "bodies.csv"}},
                    Case{"FileCsv", {"--headless", "bodies.csv", "--csv", "bodies.csv"}},
                    Case{"SceneSave", {"--headless", "scene.pericenter", "--save", "scene.pericenter"}},
                    Case{"SceneCsv", {"--headless", "scene.pericenter", "--csv", "scene.pericenter"}},
                    Case{"SceneScreenshot", {"--headless", "scene.pericenter", "--screenshot", "scene.pericenter"}},
                    Case{"SceneLog", {"--headless", "scene.pericenter", "--log", "scene.pericenter"}},
                    Case{"LessonLog", {"--lesson", "./lesson.toml", "--log", "lesson.toml"}},
                    Case{"CsvLog", {"--headless", "-n", "10", "--csv", "new", "--log", "new"}},
                    Case{"Worksheet", {"worksheet", "lesson.toml", "lesson.toml"}},
                    Case{"WorksheetOfASlidesFile", {"worksheet", "of-a-file.toml", "bodies.csv"}},
                    Case{"Bench", {"bench", "--input", "./bodies.csv", "--csv", "bodies.csv"}}),
    [](const auto& made) { return made.param.name; });

}  // namespace
}  // namespace pericenter::app
