#include "app/window/file_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/ui/send_requests.h"
#include "app/window/commands.h"
#include "sim/core/fault_injection.h"
#include "tests/support/program.h"
#include "tests/support/running_simulation.h"

namespace pericenter::app {
namespace {

Snapshot three_bodies() {
  Snapshot snapshot;
  snapshot.bodies.resize(3);
  return snapshot;
}

/// Writes only the number of bodies.
SnapshotWriter quick() {
  return {[](const std::string& path, const Snapshot& snapshot, const Progress&) {
            write_text(path, std::to_string(snapshot.bodies.size()));
          },
          [](const Snapshot&) { return 100u; }};
}

/// Stays half done until it is cancelled.
SnapshotWriter endless() {
  return {[](const std::string& path, const Snapshot&, const Progress& progress) {
            write_text(path, "half");
            while (progress(0.5)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            throw SceneCancelled{};
          },
          [](const Snapshot&) { return 100u; }};
}

TEST(SaveSnapshot, WritesATemporaryFileFirst) {
  const TemporaryFolder folder;
  write_text(folder / "a", "old");
  SnapshotWriter writer = quick();
  writer.write = [&](const std::string& path, const Snapshot&, const Progress&) {
    EXPECT_EQ(text_of(folder / "a"), "old");
    write_text(path, "new");
  };
  save_snapshot(folder / "a", {}, {}, writer);
  EXPECT_EQ(text_of(folder / "a"), "new");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(SaveSnapshot, LeavesTheOldFileOnFailure) {
  const TemporaryFolder folder;
  write_text(folder / "a", "old");
  SnapshotWriter writer = quick();
  writer.write = [](const std::string& path, const Snapshot&, const Progress&) {
    write_text(path, "half");
    throw std::runtime_error("the disk is full.");
  };
  try {
    save_snapshot(folder / "a", {}, {}, writer);
    ADD_FAILURE() << "no error";
  } catch (const FileError& error) {
    EXPECT_EQ(error.code, kIoError);
    EXPECT_EQ(std::string(error.what()), "Cannot write " + (folder / "a").string() + ": the disk is full.");
  }
  EXPECT_EQ(text_of(folder / "a"), "old");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(SaveSnapshot, ChecksTheFreeSpaceFirst) {
  const TemporaryFolder folder;
  SnapshotWriter writer = quick();
  writer.size = [](const Snapshot&) { return std::uint64_t{1} << 60; };
  writer.write = [](const std::string&, const Snapshot&, const Progress&) { ADD_FAILURE() << "written"; };
  try {
    save_snapshot(folder / "a", {}, {}, writer);
    ADD_FAILURE() << "no error";
  } catch (const FileError& error) {
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr("Free some disk space")) << error.what();
  }
  EXPECT_TRUE(folder.names().empty());
}

class Files : public ::testing::Test {
 protected:
  Files() {
    ::setenv("XDG_PICTURES_DIR", folder.path().c_str(), 1);
    state.scene = "galaxy";
  }
  UiFrame frame() const { return {.simulation = state, .now = 1}; }
  bool apply(FileController& files, Action action) {
    return apply_command({action}, frame(), {.ui = ui, .files = &files});
  }
  bool requests_snapshot() {
    return !ui.requests.empty() && std::holds_alternative<request::TakeSnapshot>(ui.requests.back());
  }
  /// Requests a snapshot and passes it on.
  void save(FileController& files) {
    ASSERT_TRUE(apply(files, Action::save_snapshot));
    ASSERT_TRUE(requests_snapshot()) << ui.notices.shown.text;
    ui.requests.clear();
    files.update(three_bodies(), frame(), ui);
  }
  void wait_for(FileController& files) {
    ASSERT_TRUE(test::eventually([&] {
      files.update({}, frame(), ui);
      return !files.busy();
    }));
  }

  TemporaryFolder folder, home;
  SessionState state;
  UiState ui;
};

TEST_F(Files, SavesUnderANewNameInRecentFiles) {
  FileController files(home / "recent.txt", quick());
  for (const char* name : {"pericenter-galaxy-0001.hdf5", "pericenter-galaxy-0002.hdf5"}) {
    save(files);
    wait_for(files);
    EXPECT_EQ(text_of(folder / name), "3");
    EXPECT_EQ(ui.files.saved, (folder / name).string());
    EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("Snapshot saved: " + (folder / name).string()));
    EXPECT_EQ(ui.files.recent.front(), (folder / name).string());
  }
  EXPECT_FALSE(ui.files.saving);
}

TEST_F(Files, SavesTheCheckpointOfASimulationThatDoesNotAnswer) {
  FileController files("", quick());
  apply(files, Action::save_snapshot);
  ASSERT_TRUE(files.awaits_bodies());
  auto checkpoint = std::make_shared<Snapshot>(three_bodies());
  checkpoint->run.emplace().steps = 1234;
  files.save_instead(checkpoint, 1, ui);
  EXPECT_FALSE(files.awaits_bodies());
  wait_for(files);
  EXPECT_EQ(text_of(folder / "pericenter-galaxy-0001.hdf5"), "3");
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("bodies of step 1,234, its last checkpoint"));
  save(files);
  wait_for(files);
  EXPECT_THAT(ui.notices.shown.text, testing::Not(testing::HasSubstr("checkpoint"))) << "it answers again";
}

TEST_F(Files, SaysThatThereIsNoCheckpoint) {
  FileController files("", quick());
  apply(files, Action::save_snapshot);
  files.save_instead(nullptr, 1, ui);
  EXPECT_FALSE(files.busy());
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("no checkpoint"));
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Files, SavesToTheTypedPathAndItsFolder) {
  FileController files("", quick());
  ui.files.save_as = (home / "mine").string();
  save(files);
  wait_for(files);
  EXPECT_EQ(text_of(home / "mine.hdf5"), "3");
  save(files);
  wait_for(files);
  EXPECT_EQ(home.names(), (Names{"mine.hdf5", "pericenter-galaxy-0001.hdf5"}));
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Files, ReplacesAFileOnTheSecondRequest) {
  FileController files("", quick());
  write_text(home / "a.hdf5", "old");
  ui.files.save_as = (home / "a.hdf5").string();
  apply(files, Action::save_snapshot);
  EXPECT_FALSE(requests_snapshot());
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("Save again to replace"));
  save(files);
  wait_for(files);
  EXPECT_EQ(text_of(home / "a.hdf5"), "3");
}

TEST_F(Files, SavesOneSnapshotAtATimeUntilEsc) {
  FileController files("", endless());
  save(files);
  EXPECT_TRUE(ui.files.saving);
  EXPECT_TRUE(apply(files, Action::save_snapshot));
  EXPECT_FALSE(requests_snapshot());
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("Still saving"));
  ui.layout.show_keys = true;
  EXPECT_TRUE(apply(files, Action::close_dialogs));
  EXPECT_FALSE(ui.layout.show_keys);  // the key sheet is on top
  for (int k = 0; k < 20; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    files.update({}, frame(), ui);
    ASSERT_TRUE(files.busy());
  }
  ui.stars.probed = 1;
  EXPECT_TRUE(apply(files, Action::close_dialogs));
  EXPECT_TRUE(ui.stars.probed);
  wait_for(files);
  EXPECT_FALSE(ui.notices.shown.is_error);
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("cancelled"));
  EXPECT_TRUE(folder.names().empty());
  EXPECT_TRUE(apply(files, Action::close_dialogs));
  EXPECT_FALSE(ui.stars.probed);  // nothing is being saved any more
}

TEST_F(Files, ReportsAnUnwritableFolderFirst) {
  FileController files("", quick());
  ui.files.save_as = (home / "none/a.hdf5").string();
  apply(files, Action::save_snapshot);
  EXPECT_FALSE(requests_snapshot());
  EXPECT_TRUE(ui.notices.shown.is_error);
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("does not exist"));
  state.scene.clear();
  ui.files.save_as.clear();
  apply(files, Action::save_snapshot);
  EXPECT_FALSE(requests_snapshot());
}

TEST_F(Files, AFullDiskIsReportedAndTheNextSnapshotSaved) {
  FileController files("", quick());
  plan_fault("disk_full:1");
  save(files);
  wait_for(files);
  EXPECT_TRUE(ui.notices.shown.is_error);
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("the disk is full"));
  EXPECT_TRUE(folder.names().empty());
  save(files);
  wait_for(files);
  plan_fault("");
  EXPECT_EQ(folder.names(), Names{"pericenter-galaxy-0001.hdf5"});
}

TEST_F(Files, ADamagedListOfRecentFilesIsReportedOnceAndReplaced) {
  const std::string place = home / "recent.txt";
  for (const std::string& bytes :
       {std::string("\0\xff garbage", 9), std::string("no path\n"), std::string(1 << 17, '/')}) {
    write_text(place, bytes);
    FileController files(place, quick());
    files.update({}, frame(), ui);
    EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr(" recent.txt.bad"));
    EXPECT_TRUE(ui.files.recent.empty());
    EXPECT_EQ(text_of(place + ".bad"), bytes);
    ui.notices.shown = {};
    files.update({}, frame(), ui);
    EXPECT_EQ(ui.notices.shown.text, "");
    save(files);
    wait_for(files);
    EXPECT_EQ(RecentFiles(place).paths().size(), 1u);
  }
}

TEST_F(Files, StopsWaitingAfterAnError) {
  FileController files("", quick());
  apply(files, Action::save_snapshot);
  EXPECT_TRUE(files.busy());
  state.message = "The simulation stopped: out of memory.";
  state.message_is_error = true;
  ++state.message_serial;
  files.update({}, frame(), ui);
  EXPECT_FALSE(files.busy());
  files.update(three_bodies(), frame(), ui);
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Files, FinishesARequestedSnapshotAtTheEnd) {
  FileController files("", quick());
  SimulationThread simulation;
  simulation.request(request::LoadScene{"two-body", {.bodies = 2}});
  apply(files, Action::save_snapshot);
  simulation.request(request::TakeSnapshot{});
  files.finish(simulation);
  EXPECT_FALSE(files.busy());
  EXPECT_EQ(text_of(folder / "pericenter-galaxy-0001.hdf5"), "2");
}

TEST_F(Files, StoresTheLoadedFileAndItsMessage) {
  FileController files("");
  state.file = "/data/a.csv";
  state.message = "Two bodies were left out.";
  files.scene_started(state, ui);
  EXPECT_EQ(ui.files.recent, Names{"/data/a.csv"});
  EXPECT_EQ(ui.files.note, "Two bodies were left out.");
  state.file.clear();
  files.scene_started(state, ui);
  EXPECT_EQ(ui.files.note, "");
  EXPECT_EQ(ui.files.recent.size(), 1u);
}

/// Path of the last load request.
std::string requested_path(const UiState& ui) {
  const auto* load = ui.requests.empty() ? nullptr : std::get_if<request::LoadSource>(&ui.requests.back());
  return load ? load->source->path : "nothing";
}

TEST_F(Files, ASeriesIsPlayedUnlessItsFilesAreSavedRuns) {
  for (const char* name :
       {"snap_000.csv", "snap_001.csv", "alone.csv", "pericenter-a-0001.hdf5", "pericenter-a-0002.hdf5"})
    write_text(folder / name, "");
  const auto open = [&](const char* name) { open_files({(folder / name).string()}, ui.files, ui); };
  open("snap_001.csv");
  EXPECT_EQ(ui.files.series.size(), 2u);
  EXPECT_EQ(ui.files.opened, (folder / "snap_001.csv").string());
  EXPECT_NE(requested_path(ui), "nothing");
  open("alone.csv");
  EXPECT_EQ(ui.files.series.size(), 1u);
  EXPECT_EQ(requested_path(ui), (folder / "alone.csv").string());
  open("pericenter-a-0002.hdf5");
  EXPECT_EQ(requested_path(ui), (folder / "pericenter-a-0002.hdf5").string());
  EXPECT_EQ(ui.files.series.size(), 2u);  // the panel offers to play it
  open_alone((folder / "snap_001.csv").string(), ui.files, ui);
  EXPECT_EQ(requested_path(ui), (folder / "snap_001.csv").string());
}

TEST_F(Files, AFolderIsOpenedByItsSnapshotAndOtherwiseTheErrorIsShown) {
  fs::create_directory(folder / "inner");
  open_files({(folder / "inner").string()}, ui.files, ui);
  const auto* refused = std::get_if<request::LoadSource>(&ui.requests.back());
  ASSERT_TRUE(refused);
  EXPECT_THROW(refused->source->load({}), InputError);
  write_text(folder / "inner" / "alone.csv", "m,x,y\n1,2,3\n");
  open_files({(folder / "inner").string()}, ui.files, ui);
  EXPECT_EQ(requested_path(ui), (folder / "inner" / "alone.csv").string());
}

TEST_F(Files, AFileWithASceneStringIsPasted) {
  const std::string text = "pericenter/1 scene=mice n=500\n";
  write_text(folder / "mine.pericenter", text);
  open_files({(folder / "mine.pericenter").string()}, ui.files, ui);
  EXPECT_EQ(ui.files.scene_string, text);
  EXPECT_EQ(ui.commands, std::vector<Command>{Command{Action::paste_scene}});
  EXPECT_EQ(requested_path(ui), "nothing");
}

}  // namespace
}  // namespace pericenter::app
