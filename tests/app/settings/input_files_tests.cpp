#include "app/settings/input_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "app/lessons/lesson_file.h"
#include "app/settings/command_line.h"
#include "app/settings/command_line_error.h"
#include "app/view/camera_file.h"
#include "tests/support/program.h"

// Files without an option: `pericenter FILE`.

namespace pericenter::app {
namespace {

using test::TemporaryFolder;
using test::write_text;

class GivenFiles : public testing::Test {
 protected:
  /// A file in the folder.
  std::string file(const std::string& name, const std::string& text = "") const {
    write_text(folder_ / name, text);
    return (folder_ / name).string();
  }

  static Options parse(const std::vector<std::string>& words) {
    std::vector<const char*> arguments = {"pericenter"};
    for (const std::string& word : words) arguments.push_back(word.c_str());
    return parse_command_line(static_cast<int>(arguments.size()), arguments.data()).options;
  }

  /// The error of such a command line, with its exit code.
  static std::string refusal(const std::vector<std::string>& words) {
    try {
      parse(words);
    } catch (const CommandLineError& error) {
      return std::to_string(error.code) + " " + error.what();
    }
    return "none";
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(GivenFiles, ASnapshotIsLoaded) {
  const std::string snapshot = file("alone.hdf5");
  const Options options = parse({"-n", "500", "--paused"});
  EXPECT_TRUE(options.load.empty());
  EXPECT_EQ(parse({"--paused", snapshot}).load, snapshot);
  EXPECT_EQ(parse({snapshot, "--headless"}).load, snapshot);
}

TEST_F(GivenFiles, ASnapshotOfASeriesPlaysItInAWindow) {
  const std::string first = file("snap_000.csv"), second = file("snap_001.csv");
  EXPECT_EQ(parse({second}).play, second);
  EXPECT_EQ(parse({second, "--headless"}).load, second);
  const std::string saved = file("pericenter-a-0001.hdf5");
  file("pericenter-a-0002.hdf5");
  EXPECT_EQ(parse({saved}).load, saved);
}

TEST_F(GivenFiles, AFolderWithASnapshotOrASeriesIsOpened) {
  const std::string first = file("snap_000.csv", "m,x,y\n1,2,3\n");
  const std::string folder = std::filesystem::path(first).parent_path().string();
  EXPECT_EQ(parse({"--load", folder}).load, first);
  EXPECT_EQ(parse({"--headless", folder}).load, first);
  file("snap_001.csv", "m,x,y\n1,2,3\n");
  EXPECT_EQ(parse({folder}).play, first);
  EXPECT_EQ(parse({"--play", folder}).play, first);
  for (const auto& words : {std::vector<std::string>{"--load", folder}, {folder, "--headless"}})
    EXPECT_THAT(refusal(words), testing::HasSubstr("several snapshots: snap_000.csv, snap_001.csv"));
}

TEST_F(GivenFiles, SeveralSnapshotsAreASeries) {
  const std::string a = file("a.csv"), b = file("b.csv");
  const Options options = parse({a, b});
  EXPECT_EQ(options.play, a);
  EXPECT_THAT(options.files, testing::ElementsAre(a, b));
  EXPECT_EQ(parse({a, b, "--headless"}).files.size(), 2u);
  const Options named = parse({"--play", a, b, "--headless"});
  EXPECT_EQ(named.play, a);
  EXPECT_THAT(named.files, testing::ElementsAre(a, b));
}

TEST_F(GivenFiles, ALessonIsPresented) {
  const std::string lesson = file("mine.lesson.toml");
  EXPECT_EQ(parse({lesson}).lesson, lesson);
  EXPECT_THAT(refusal({lesson, file("a.csv")}), testing::HasSubstr("one file too many"));
}

TEST_F(GivenFiles, OptionsOverrideASceneString) {
  const std::string scene = file("a.pericenter", "pericenter/1 scene=mice n=500\n  theta=0.9 seed=7\n");
  const Options options = parse({"--seed", "8", scene});
  EXPECT_EQ(options.scene, "mice");
  EXPECT_EQ(options.bodies, 500u);
  EXPECT_EQ(options.theta, 0.9);
  EXPECT_EQ(options.seed, 8u);
  EXPECT_TRUE(options.load.empty());
}

TEST_F(GivenFiles, AWrongSceneStringNamesTheFile) {
  const std::string scene = file("a.pericenter", "pericenter/1 scene=mouse");
  EXPECT_THAT(refusal({scene}), testing::AllOf(testing::StartsWith("65 "), testing::HasSubstr("a.pericenter: "),
                                               testing::HasSubstr("mouse")));
}

TEST_F(GivenFiles, AWordThatIsNoFileIsATypingError) {
  EXPECT_EQ(refusal({"mice"}),
            "64 'mice' is neither an option nor a file; for the scene use --scene mice, see --help.");
  EXPECT_EQ(refusal({"fast"}), "64 'fast' is neither an option nor a file; options begin with --, see --help.");
  EXPECT_THAT(refusal({"missing.hdf5"}),
              testing::AllOf(testing::StartsWith("66 "), testing::HasSubstr("missing.hdf5")));
  EXPECT_THAT(refusal({"/proc"}), testing::AllOf(testing::StartsWith("66 "), testing::HasSubstr("folder")));
}

TEST_F(GivenFiles, BodiesComeFromOnePlace) {
  const std::string a = file("a.csv"), b = file("b.csv");
  EXPECT_THAT(refusal({a, "--load", b}), testing::HasSubstr("cannot be combined"));
  EXPECT_THAT(refusal({a, "--scene", "mice"}), testing::HasSubstr("--scene cannot be combined"));
}

// Some editors begin texts with it.
TEST_F(GivenFiles, AByteOrderMarkIsNoPartOfATextFile) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(scene_string_in(file("a.pericenter", mark + "pericenter/1 n=5")), "pericenter/1 n=5");
  EXPECT_EQ(parse({file("a.pericenter", mark + "pericenter/1 n=5")}).bodies, 5u);
  EXPECT_EQ(lesson_text(file("a.toml", mark + "title = 'a'")), "title = 'a'");
  const std::string row = ",0,0,0,0,0,1\n";
  EXPECT_EQ(read_camera_path(file("a.csv", mark + "key,0" + row + "key,1" + row)).size(), 2u);
}

TEST_F(GivenFiles, OnlyATextThatBeginsWithTheVersionIsASceneString) {
  EXPECT_EQ(scene_string_in(file("a", "pericenter/1 n=5")), "pericenter/1 n=5");
  EXPECT_EQ(scene_string_in(file("b", " pericenter/1 n=5")), "");
  EXPECT_EQ(scene_string_in(file("c", "peri")), "");
  EXPECT_EQ(scene_string_in(file("d", "pericenter/1 " + std::string(100'000, ' '))), "");
  EXPECT_EQ(scene_string_in("/proc/self/status"), "");
}

}  // namespace
}  // namespace pericenter::app
