#include "app/window/file_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "app/base/atomic_file.h"
#include "sim/core/fault_injection.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

Snapshot three_bodies() {
  Snapshot snapshot;
  snapshot.bodies.resize(3);
  return snapshot;
}

/// Writes the number of bodies.
SnapshotWriter quick() {
  return {[](const std::string& path, const Snapshot& snapshot, const Progress&) {
            write_text(path, std::to_string(snapshot.bodies.size()));
          },
          [](const Snapshot&) { return 100u; }};
}

/// Is half done until it is cancelled.
SnapshotWriter endless() {
  return {[](const std::string& path, const Snapshot&, const Progress& progress) {
            write_text(path, "half");
            while (progress(0.5)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            throw SceneCancelled{};
          },
          [](const Snapshot&) { return 100u; }};
}

TEST(SaveSnapshot, WritesUnderAnotherNameFirst) {
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

TEST(SaveSnapshot, ThatFailsLeavesTheOldFileAndNothingElse) {
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

TEST(SaveSnapshot, AsksForRoomBeforeItWrites) {
  const TemporaryFolder folder;
  SnapshotWriter writer = quick();
  writer.size = [](const Snapshot&) { return std::uint64_t{1} << 60; };
  writer.write = [](const std::string&, const Snapshot&, const Progress&) { ADD_FAILURE() << "written"; };
  try {
    save_snapshot(folder / "a", {}, {}, writer);
    ADD_FAILURE() << "no error";
  } catch (const FileError& error) {
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr("free some room")) << error.what();
  }
  EXPECT_TRUE(folder.names().empty());
}

/// The desk with the panel's state and a folder for pictures.
class Desk : public ::testing::Test {
 protected:
  Desk() {
    ::setenv("XDG_PICTURES_DIR", folder.path().c_str(), 1);
    state.scene = "galaxy";
  }
  UiFrame frame() const { return {.simulation = state, .now = 1}; }
  bool apply(FileController& desk, Action action) { return desk.apply({action}, frame(), ui); }
  bool asks_for_a_snapshot() {
    return !ui.requests.empty() && std::holds_alternative<request::TakeSnapshot>(ui.requests.back());
  }
  /// Asks, and hands the snapshot over.
  void save(FileController& desk) {
    ASSERT_TRUE(apply(desk, Action::save_snapshot));
    ASSERT_TRUE(asks_for_a_snapshot()) << ui.notice.text;
    ui.requests.clear();
    desk.update(three_bodies(), frame(), ui);
  }
  void wait_for(FileController& desk) {
    for (int k = 0; k < 2000 && desk.busy(); ++k) {
      desk.update({}, frame(), ui);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_FALSE(desk.busy());
  }

  TemporaryFolder folder, home;
  SessionState state;
  UiState ui;
};

TEST_F(Desk, SavesUnderANewNameAndRemembersIt) {
  FileController desk(home / "recent.txt", quick());
  for (const char* name : {"pericenter-galaxy-0001.hdf5", "pericenter-galaxy-0002.hdf5"}) {
    save(desk);
    wait_for(desk);
    EXPECT_EQ(text_of(folder / name), "3");
    EXPECT_EQ(ui.files.saved, (folder / name).string());
    EXPECT_THAT(ui.notice.text, testing::HasSubstr("Snapshot saved: " + (folder / name).string()));
    EXPECT_EQ(ui.files.recent.front(), (folder / name).string());
  }
  EXPECT_FALSE(ui.files.saving);
}

TEST_F(Desk, SavesWhereItIsToldAndThenStaysThere) {
  FileController desk("", quick());
  ui.files.save_as = (home / "mine").string();
  save(desk);
  wait_for(desk);
  EXPECT_EQ(text_of(home / "mine.hdf5"), "3");
  save(desk);
  wait_for(desk);
  EXPECT_EQ(home.names(), (Names{"mine.hdf5", "pericenter-galaxy-0001.hdf5"}));
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Desk, ReplacesAFileOnlyWhenAskedTwice) {
  FileController desk("", quick());
  write_text(home / "a.hdf5", "old");
  ui.files.save_as = (home / "a.hdf5").string();
  apply(desk, Action::save_snapshot);
  EXPECT_FALSE(asks_for_a_snapshot());
  EXPECT_THAT(ui.notice.text, testing::HasSubstr("once more"));
  save(desk);
  wait_for(desk);
  EXPECT_EQ(text_of(home / "a.hdf5"), "3");
}

TEST_F(Desk, SavesOneSnapshotAtATimeUntilEsc) {
  FileController desk("", endless());
  save(desk);
  EXPECT_TRUE(ui.files.saving);
  EXPECT_TRUE(apply(desk, Action::save_snapshot));
  EXPECT_FALSE(asks_for_a_snapshot());
  EXPECT_THAT(ui.notice.text, testing::HasSubstr("Still saving"));
  ui.show_keys = true;
  EXPECT_FALSE(apply(desk, Action::close_dialogs));  // the sheet is on top
  ui.show_keys = false;
  EXPECT_TRUE(apply(desk, Action::close_dialogs));
  wait_for(desk);
  EXPECT_FALSE(ui.notice.is_error);
  EXPECT_THAT(ui.notice.text, testing::HasSubstr("given up"));
  EXPECT_TRUE(folder.names().empty());
  EXPECT_FALSE(apply(desk, Action::close_dialogs));
}

TEST_F(Desk, TellsAtOnceWhereNothingCanBeMade) {
  FileController desk("", quick());
  ui.files.save_as = (home / "none/a.hdf5").string();
  apply(desk, Action::save_snapshot);
  EXPECT_FALSE(asks_for_a_snapshot());
  EXPECT_TRUE(ui.notice.is_error);
  EXPECT_THAT(ui.notice.text, testing::HasSubstr("does not exist"));
  state.scene.clear();
  ui.files.save_as.clear();
  apply(desk, Action::save_snapshot);
  EXPECT_FALSE(asks_for_a_snapshot());
}

TEST_F(Desk, AFullDiskIsToldAndTheNextSnapshotIsSaved) {
  FileController desk("", quick());
  plan_fault("disk_full:1");
  save(desk);
  wait_for(desk);
  EXPECT_TRUE(ui.notice.is_error);
  EXPECT_THAT(ui.notice.text, testing::HasSubstr("the disk is full"));
  EXPECT_TRUE(folder.names().empty());
  save(desk);
  wait_for(desk);
  plan_fault("");
  EXPECT_EQ(folder.names(), Names{"pericenter-galaxy-0001.hdf5"});
}

TEST_F(Desk, ADamagedListOfRecentFilesIsToldOnceAndBegunAnew) {
  const std::string place = home / "recent.txt";
  for (const std::string& bytes :
       {std::string("\0\xff rubbish", 9), std::string("no path\n"), std::string(1 << 17, '/')}) {
    write_text(place, bytes);
    FileController desk(place, quick());
    desk.update({}, frame(), ui);
    EXPECT_THAT(ui.notice.text, testing::HasSubstr(" recent.txt.bad"));
    EXPECT_TRUE(ui.files.recent.empty());
    EXPECT_EQ(text_of(place + ".bad"), bytes);
    ui.notice = {};
    desk.update({}, frame(), ui);
    EXPECT_EQ(ui.notice.text, "");
    save(desk);
    wait_for(desk);
    EXPECT_EQ(RecentFiles(place).paths().size(), 1u);
  }
}

TEST_F(Desk, WaitsNoMoreForASimulationThatFailed) {
  FileController desk("", quick());
  apply(desk, Action::save_snapshot);
  EXPECT_TRUE(desk.busy());
  state.message = "The simulation stopped: out of memory.";
  state.message_is_error = true;
  desk.update({}, frame(), ui);
  EXPECT_FALSE(desk.busy());
  desk.update(three_bodies(), frame(), ui);
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Desk, FinishesAtTheEndWhatWasAskedFor) {
  FileController desk("", quick());
  SimulationThread simulation;
  simulation.request(request::LoadScene{"two-body", {.bodies = 2}});
  apply(desk, Action::save_snapshot);
  simulation.request(request::TakeSnapshot{});
  desk.finish(simulation);
  EXPECT_FALSE(desk.busy());
  EXPECT_EQ(text_of(folder / "pericenter-galaxy-0001.hdf5"), "2");
}

TEST_F(Desk, RemembersWhatWasLoadedAndWhatWasSaidOfIt) {
  FileController desk("");
  state.file = "/data/a.csv";
  state.message = "Two bodies were left out.";
  desk.see(state, ui);
  EXPECT_EQ(ui.files.recent, Names{"/data/a.csv"});
  EXPECT_EQ(ui.files.note, "Two bodies were left out.");
  state.file.clear();
  desk.see(state, ui);
  EXPECT_EQ(ui.files.note, "");
  EXPECT_EQ(ui.files.recent.size(), 1u);
}

/// What was asked for last.
std::string asked_path(const UiState& ui) {
  const auto* load = ui.requests.empty() ? nullptr : std::get_if<request::LoadSource>(&ui.requests.back());
  return load ? load->source->path : "nothing";
}

TEST_F(Desk, ASeriesIsPlayedUnlessItsFilesAreSavedRuns) {
  for (const char* name :
       {"snap_000.csv", "snap_001.csv", "alone.csv", "pericenter-a-0001.hdf5", "pericenter-a-0002.hdf5"})
    write_text(folder / name, "");
  const auto open = [&](const char* name) { open_files({(folder / name).string()}, ui); };
  open("snap_001.csv");
  EXPECT_EQ(ui.files.series.size(), 2u);
  EXPECT_EQ(ui.files.opened, (folder / "snap_001.csv").string());
  EXPECT_NE(asked_path(ui), "nothing");
  open("alone.csv");
  EXPECT_EQ(ui.files.series.size(), 1u);
  EXPECT_EQ(asked_path(ui), (folder / "alone.csv").string());
  open("pericenter-a-0002.hdf5");
  EXPECT_EQ(asked_path(ui), (folder / "pericenter-a-0002.hdf5").string());
  EXPECT_EQ(ui.files.series.size(), 2u);  // which the panel offers to play
  open_alone((folder / "snap_001.csv").string(), ui);
  EXPECT_EQ(asked_path(ui), (folder / "snap_001.csv").string());
}

}  // namespace
}  // namespace pericenter::app
