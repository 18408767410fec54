#include "app/view/camera_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>

#include "app/base/atomic_file.h"
#include "sim/core/fault_injection.h"
#include "tests/support/camera_path.h"

namespace pericenter::app {
namespace {

TEST(CameraPath, PassesThroughAllKeysTheShorterWay) {
  const std::vector<CameraKey> path = some_path();
  for (const CameraKey& key : path) {
    const render::CameraPose pose = path_pose(path, key.time);
    EXPECT_LT(glm::length(pose.target - key.pose.target), 1e-5f);
    EXPECT_NEAR(std::remainder(pose.yaw - key.pose.yaw, 2 * std::numbers::pi_v<float>), 0, 1e-5f);
    EXPECT_NEAR(pose.distance, key.pose.distance, 1e-4f * key.pose.distance);
  }
  const float middle = path_pose(path, 1).yaw;  // 3 to -3 is 0.28 across half a turn, not 6 back
  EXPECT_GT(std::abs(std::remainder(middle, 2 * std::numbers::pi_v<float>)), 2.9f);
}

TEST(CameraPath, IsSmoothAndStartsAndEndsAtRest) {
  const std::vector<CameraKey> path = some_path();
  const auto speed = [&](double t) {
    constexpr double kStep = 1e-3;
    const render::CameraPose a = path_pose(path, t), b = path_pose(path, t + kStep);
    return (b.target - a.target) / static_cast<float>(kStep);
  };
  EXPECT_LT(glm::length(speed(0)), 0.02f);
  EXPECT_LT(glm::length(speed(7 - 1e-3)), 0.02f);
  EXPECT_GT(glm::length(speed(1)), 0.3f);
  for (const double t : {2.0, 3.0}) EXPECT_LT(glm::length(speed(t) - speed(t - 2e-3)), 0.05f) << t;
  EXPECT_EQ(path_pose(path, -5), path.front().pose);
  EXPECT_EQ(path_pose(path, 99), path.back().pose);
  EXPECT_EQ(path_pose(std::span(path).first(1), 0.5), path.front().pose);
}

TEST(CameraPath, KeysAreAddedRemovedAndScaled) {
  CameraState state;
  play_path(true, state);
  EXPECT_FALSE(state.playing_path);
  for (int k = 0; k < 3; ++k) add_camera_key({{static_cast<float>(k), 0, 0}, 0, 0, 1}, state);
  EXPECT_EQ(state.path[0].time, 0);
  EXPECT_GT(state.path[2].time, state.path[1].time);
  remove_camera_key(0, state);
  ASSERT_EQ(state.path.size(), 2u);
  EXPECT_EQ(state.path[0].time, 0);
  EXPECT_EQ(state.path[0].pose.target.x, 1);
  set_path_seconds(30, state);
  EXPECT_DOUBLE_EQ(path_seconds(state.path), 30);
  remove_camera_key(5, state);
  EXPECT_EQ(state.path.size(), 2u);
}

Cameras some_cameras() {
  Cameras cameras;
  cameras.saved[0] = render::CameraPose{{0.1f, -2e-7f, 1e9f}, 1.0f / 3, -0.7f, 12.345678f};
  cameras.saved[7] = render::CameraPose{{0, 0, 0}, -3.1f, 1.5f, 1e-3f};
  cameras.path = some_path();
  cameras.path[1].time = 1.0 / 3;
  return cameras;
}

TEST(CameraFile, RoundTripIsBitExact) {
  const Cameras cameras = some_cameras();
  EXPECT_EQ(cameras_of(text_of(cameras), "x"), cameras);
  std::string with_returns;
  for (const char letter : text_of(cameras)) with_returns += letter == '\n' ? "\r\n" : std::string(1, letter);
  EXPECT_EQ(cameras_of(with_returns + "\n\n# a remark\n", "x"), cameras);
  EXPECT_EQ(cameras_of("", "x"), Cameras());
}

TEST(CameraFile, NamesTheInvalidRow) {
  const auto problem = [](const std::string& row) -> std::string {
    try {
      cameras_of("# header\nkey,0,0,0,0,0,0,1\n" + row + "\n", "my.csv");
    } catch (const CameraFileError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(problem("key,1,0,0,0,0,0,1"), "");
  for (const char* row : {"key",
                          "key,1,0,0,0,0,0",
                          "key,1,0,0,0,0,0,1,1",
                          "key,1,0,0,0,0,0,",
                          "key,1,0,0,0,0,0,x",
                          "key,1,0,0,0,0,0,1 ",
                          "key,1,0,0,0,0,0,nan",
                          "key,1,0,inf,0,0,0,1",
                          "key,1,1e60,0,0,0,0,1",
                          "key,1,0,0,0,0,0,0",
                          "key,1,0,0,0,0,0,-1",
                          "key,1,0,0,0,0,2,1",
                          "key,0,0,0,0,0,0,1",
                          "key,-1,0,0,0,0,0,1",
                          "view,0,0,0,0,0,0,1",
                          "view,9,0,0,0,0,0,1",
                          "view,1.5,0,0,0,0,0,1",
                          "look,1,0,0,0,0,0,1",
                          " key,1,0,0,0,0,0,1",
                          "\xff\xfe"})
    EXPECT_EQ(problem(row).rfind("my.csv, line 3: ", 0), 0u) << row << ": " << problem(row);
  EXPECT_NE(problem("view,1,0,0,0,0,0,1\nview,1,0,0,0,0,0,2"), "");
}

class Store : public ::testing::Test {
 protected:
  Store() { std::filesystem::create_directory(folder); }
  ~Store() override { std::filesystem::remove_all(folder); }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("pericenter-cameras-" + std::to_string(::getpid()));
  const std::string file = (folder / "cameras.csv").string();
};

TEST_F(Store, SavesCamerasForTheNextSession) {
  CameraState first, second;
  CameraStore before(file);
  EXPECT_EQ(before.load(first), "");
  before.save(first);
  EXPECT_FALSE(std::filesystem::exists(file));  // nothing to save
  first.saved = some_cameras().saved;
  first.path = some_path();
  before.save(first);
  CameraStore after(file);
  EXPECT_EQ(after.load(second), "");
  EXPECT_EQ(second.saved, first.saved);
  EXPECT_EQ(second.path, first.path);
  EXPECT_EQ(read_camera_path(file), first.path);
}

TEST_F(Store, RenamesAnInvalidFile) {
  const std::string wrong = "view,1,2\n";
  std::ofstream(file) << wrong;
  CameraStore store(file);
  CameraState state;
  const std::string problem = store.load(state);
  EXPECT_THAT(problem, testing::HasSubstr("line 1"));
  EXPECT_THAT(problem, testing::HasSubstr(" cameras.csv.bad"));
  EXPECT_EQ(state.saved, SavedCameras());
  state.saved[0] = render::CameraPose();
  store.save(state);
  EXPECT_EQ(read_cameras(file).saved, state.saved);
  std::ifstream in(file + ".bad");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), wrong);
}

TEST_F(Store, KeepsAnInvalidFileThatCannotBeRenamed) {
  std::ofstream(file) << "nonsense\n";
  std::filesystem::create_directories(file + ".bad/in the way");
  CameraStore store(file);
  CameraState state;
  EXPECT_THAT(store.load(state), testing::HasSubstr("Fix or delete it"));
  state.saved[0] = render::CameraPose();
  store.save(state);
  EXPECT_THROW(read_cameras(file), CameraFileError);
}

TEST_F(Store, DoesNotBlockOnAPipe) {
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  CameraState state;
  EXPECT_THROW(read_camera_path(file), CameraFileError);
  EXPECT_THAT(CameraStore(file).load(state), testing::HasSubstr(" cameras.csv.bad"));
}

TEST_F(Store, FullDiskKeepsTheOldFile) {
  CameraState state;
  state.saved[0] = render::CameraPose();
  CameraStore(file).save(state);
  CameraStore store(file);
  store.load(state);
  state.saved[1] = render::CameraPose();
  plan_fault("disk_full");
  EXPECT_THROW(store.save(state), FileError);
  plan_fault("");
  EXPECT_FALSE(read_cameras(file).saved[1]);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST_F(Store, ReportsAWriteErrorOnce) {
  std::filesystem::create_directory(file);
  CameraStore store(file + "/no/such.csv");
  CameraState state;
  state.saved[0] = render::CameraPose();
  EXPECT_THROW(store.save(state), FileError);
  EXPECT_NO_THROW(store.save(state));
}

TEST_F(Store, APathNeedsTwoKeysAndAFile) {
  EXPECT_THROW(read_camera_path(file), CameraFileError);
  std::ofstream(file) << "key,0,0,0,0,0,0,1\n";
  EXPECT_THROW(read_camera_path(file), CameraFileError);
  EXPECT_THROW(read_cameras(folder.string()), CameraFileError);
}

}  // namespace
}  // namespace pericenter::app
