// A series that grows while it is played: files are written one by one, and the test looks in place of the thread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/hdf5/writer.h"
#include "sim/files/load.h"
#include "sim/playback/playback.h"
#include "sim/playback/series.h"
#include "sim/session/session.h"
#include "tests/support/file_fixtures.h"
#include "tests/support/running_simulation.h"

namespace pericenter::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Times = std::vector<double>;
using FileContent = std::vector<std::uint8_t>;

constexpr int kBrokenLooks = 40;

/// Bodies at a time; the first is at x = time, and `run` distinguishes the bodies of a restarted simulation.
Snapshot snapshot_at(double time, double run = 0, std::size_t count = 5) {
  Snapshot snapshot;
  snapshot.units = kGalacticUnits;
  snapshot.time = time;
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<double>(i);
    snapshot.bodies.push_back({{k + (i == 0 ? time : 0), k * k, run}, {0, 1, 0}, 1 + k, 0});
    snapshot.ids.push_back(10 + i);
  }
  return snapshot;
}

/// A folder with a series that a session follows.
class Follow : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }
  static std::string name_of(int number) { return "snap_00" + std::to_string(number) + ".hdf5"; }
  FileContent hdf5(double time, double run = 0, std::size_t count = 5) const {
    write_hdf5(path("made"), snapshot_at(time, run, count), {});
    FileContent bytes = file_bytes(path("made"));
    fs::remove(path("made"));
    return bytes;
  }
  /// Each file is a second younger than the one before.
  void write(const std::string& name, const FileContent& bytes, std::size_t size = std::string::npos) {
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(std::min(size, bytes.size())));
    fs::last_write_time(path(name), start_ + std::chrono::seconds(++written_));
  }
  void write(int number, double time, double run = 0) { write(name_of(number), hdf5(time, run)); }
  void write_series(int count) {
    for (int k = 0; k < count; ++k) write(k, k);
  }

  SeriesReader reader(std::function<std::vector<std::string>()> list) const {
    return {.read = [](const std::string& file,
                       const Progress& progress) { return read_snapshot(file, {.progress = progress}); },
            .time = [](const std::string& file) { return read_snapshot(file, {}).time; },
            .scene =
                [](Snapshot first) {
                  SeriesScene scene;
                  scene.loaded.scene.params = {.dt = 0.001, .theta = 0.5, .softening = 0.01, .gravity = 1};
                  scene.loaded.time = first.time;
                  scene.loaded.scene.bodies = std::move(first.bodies);
                  scene.convert = [](Snapshot other) { return std::move(other.bodies); };
                  return scene;
                },
            .list = std::move(list),
            .look_period = period_};
  }
  void open(const std::string& name, bool follow = true) {
    const auto list = [first = path(name)] { return series_of(first); };
    session_.apply(request::LoadSource{
        std::make_shared<SceneSource>(SceneSource{"snap", path(name), [this, list, follow](const Progress& progress) {
                                                    return load_series(list(), reader(list), progress, follow);
                                                  }})});
    ASSERT_TRUE(session_.state().playback) << session_.state().message;
  }
  /// Looks so often that a complete file is taken.
  void look(int times = 2) {
    for (int k = 0; k < times; ++k) {
      dynamic_cast<Playback&>(*session_.simulation()).watch()->look();
      session_.take_new_snapshots();
    }
  }
  void open_and_look(const std::string& name = "snap_000.hdf5") {
    open(name);
    look();
  }

  Times times() { return session_.state().playback->snapshots; }
  double now() { return session_.state().time; }
  Body body() { return session_.simulation()->body(0); }
  std::string message() { return session_.state().message; }

  TemporaryFolder folder_;
  fs::file_time_type start_ = fs::file_time_type::clock::now() - std::chrono::hours(1);
  int written_ = 0;
  std::chrono::milliseconds period_{0};
  Session session_;
};

TEST_F(Follow, ShowsEachNewSnapshot) {
  write_series(3);
  open_and_look();
  EXPECT_EQ(times(), (Times{0, 1, 2}));
  EXPECT_EQ(now(), 2);
  write(3, 3.5);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 2, 3.5}));
  EXPECT_EQ(now(), 3.5);
  EXPECT_EQ(body().position[0], 3.5);
  EXPECT_EQ(message(), "");
  session_.apply(request::Seek{2.75});
  EXPECT_NEAR(body().position[0], 2.75, 0.5);
}

TEST_F(Follow, OneSnapshotIsEnough) {
  write(0, 0);
  open_and_look();
  EXPECT_EQ(times(), Times{0});
  write(1, 2);
  look();
  EXPECT_EQ(times(), (Times{0, 2}));
  EXPECT_EQ(now(), 2);
  EXPECT_NEAR(session_.state().params.dt, 0.2, 1e-12);
  session_.apply(request::Play{});
  for (int k = 0; k < 30 && session_.state().running; ++k) session_.step();
  EXPECT_EQ(now(), 2);
}

TEST_F(Follow, WaitsUntilAFileIsComplete) {
  write_series(3);
  open_and_look();
  const FileContent all = hdf5(3);
  for (int tenth = 0; tenth < 10; ++tenth) {
    write(name_of(3), all, all.size() * static_cast<std::size_t>(tenth) / 10);
    look(5);
    EXPECT_EQ(times(), (Times{0, 1, 2})) << tenth;
    EXPECT_EQ(message(), "") << tenth;
  }
  write(name_of(3), all);
  look(1);
  EXPECT_EQ(times(), (Times{0, 1, 2})) << "it may still grow";
  look(1);
  EXPECT_EQ(times(), (Times{0, 1, 2, 3}));
  EXPECT_EQ(message(), "");
}

TEST_F(Follow, WaitsUntilAFileIsUnlocked) {
  write_series(2);
  open_and_look();
  write(2, 2);
  const int file = ::open(path(name_of(2)).c_str(), O_RDWR);
  ASSERT_EQ(::flock(file, LOCK_EX), 0);
  look(6);
  EXPECT_EQ(times(), (Times{0, 1}));
  ::close(file);
  look(4);
  EXPECT_EQ(times(), (Times{0, 1, 2}));
  EXPECT_EQ(message(), "");
}

// SWIFT opens a snapshot once for each of its processes, and ends the run if a reader holds a lock then.
TEST_F(Follow, ReadsWithoutALockOfItsOwn) {
  write(0, 0);
  const std::string file_name = path(name_of(0));
  int looks = 0;
  const auto looks_for_a_lock = [&](double) {
    const int file = ::open(file_name.c_str(), O_RDWR);
    EXPECT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
    ::close(file);
    ++looks;
    return true;
  };
  read_snapshot(file_name, ReadOptions{.progress = looks_for_a_lock});
  EXPECT_GT(looks, 0);
}

// As a table that is cut between two rows, or a file without some of its types.
TEST_F(Follow, WaitsLongerForASnapshotWithFewerBodies) {
  write_series(2);
  open_and_look();
  write(name_of(2), hdf5(2, 0, 3));
  look(6);
  EXPECT_EQ(times(), (Times{0, 1}));
  write(2, 2);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 2}));
  write(name_of(3), hdf5(3, 0, 4));
  look(20);
  EXPECT_EQ(times(), (Times{0, 1, 2, 3})) << "bodies may leave a simulation";
}

TEST_F(Follow, NamesAFileThatStaysBroken) {
  write_series(3);
  open_and_look();
  write(name_of(3), hdf5(3), 700);
  look(20);
  EXPECT_EQ(message(), "");
  write(4, 4);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 2, 4})) << "the next one does not wait";
  look(kBrokenLooks);
  EXPECT_THAT(message(), HasSubstr(path(name_of(3)) + ": "));
  EXPECT_THAT(message(), HasSubstr("has not changed for half a minute"));
  EXPECT_FALSE(session_.state().message_is_error);
  const std::uint64_t messages = session_.state().message_serial;
  look(100);
  EXPECT_EQ(session_.state().message_serial, messages);
  write(3, 3);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 2, 3, 4}));
}

TEST_F(Follow, IgnoresAnIncompleteFileWhenItBegins) {
  write_series(2);
  write(name_of(2), hdf5(2), 700);
  open("snap_002.hdf5");
  look();
  EXPECT_EQ(times(), (Times{0, 1}));
  EXPECT_EQ(message(), "");
  write(2, 2);
  look();
  EXPECT_EQ(now(), 2);
  EXPECT_EQ(message(), "");
}

TEST_F(Follow, StaysAtAnEarlierMoment) {
  write_series(3);
  open_and_look();
  session_.apply(request::Seek{0.5});
  write(3, 3);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 2, 3}));
  EXPECT_EQ(now(), 0.5);
  session_.apply(request::Seek{3});
  write(4, 4);
  look();
  EXPECT_EQ(now(), 4);
}

TEST_F(Follow, IsSwitchedOnAndOff) {
  write_series(3);
  open("snap_000.hdf5", false);
  EXPECT_TRUE(session_.state().playback->can_follow);
  EXPECT_FALSE(session_.state().playback->follows);
  EXPECT_EQ(now(), 0);
  session_.apply(request::Follow{true});
  EXPECT_TRUE(session_.state().playback->follows);
  EXPECT_EQ(now(), 2);
  write(3, 3);
  look();
  EXPECT_EQ(now(), 3);
  session_.apply(request::Follow{false});
  EXPECT_FALSE(session_.state().playback->follows);
  write(4, 4);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 2, 3}));
  session_.apply(request::Follow{true});
  look();
  EXPECT_EQ(now(), 4);
}

// ---- restarts

TEST_F(Follow, RepeatedNumbersReplaceLaterTimes) {
  write_series(5);
  open_and_look();
  EXPECT_EQ(now(), 4);
  write(2, 2, 7);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 2}));
  EXPECT_EQ(now(), 2);
  EXPECT_EQ(body().position[2], 7);
  EXPECT_EQ(
      message(),
      "snap_002.hdf5 was written again, so the simulation was restarted. Old snapshots of later times that are no "
      "longer shown: 2.");
  session_.apply(request::Seek{0.5});
  write(3, 2.5, 7);
  write(4, 3.5, 7);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 2, 2.5, 3.5}));
  EXPECT_EQ(now(), 0.5);
  session_.apply(request::Seek{3.5});
  EXPECT_EQ(body().position[2], 7);
}

TEST_F(Follow, LaterNumbersWithEarlierTimesReplaceTheOld) {
  write_series(4);
  open_and_look();
  session_.apply(request::Seek{2.7});
  write(4, 1.5, 7);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 1.5}));
  EXPECT_EQ(now(), 1.5);
  EXPECT_EQ(message(),
            "snap_004.hdf5 has an earlier time than the snapshots before it, so the simulation was restarted. Old "
            "snapshots of later times that are no longer shown: 2.");
  write(4, 1.5, 8);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 1.5}));
  EXPECT_EQ(message(), "snap_004.hdf5 was written again; its new contents are shown.");
}

TEST_F(Follow, AllFilesMayBeDeletedAndWrittenAgain) {
  write_series(4);
  open_and_look();
  for (int k = 0; k < 4; ++k) fs::remove(path(name_of(k)));
  look(3);
  EXPECT_EQ(now(), 3);
  EXPECT_EQ(message(), "");
  write(0, 0, 7);
  look();
  EXPECT_EQ(times(), Times{0});
  EXPECT_EQ(body().position[2], 7);
  write(1, 1, 7);
  look();
  EXPECT_EQ(times(), (Times{0, 1}));
}

TEST_F(Follow, FilesWrittenAgainMayBecomeCompleteInAnyOrder) {
  write_series(4);
  open_and_look();
  const FileContent all = hdf5(1, 7);
  write(name_of(1), all, 700);
  write(2, 2, 7);
  look();
  EXPECT_EQ(times(), (Times{0, 2}));
  std::ofstream(path(name_of(1)), std::ios::binary)
      .write(reinterpret_cast<const char*>(all.data()), static_cast<std::streamsize>(all.size()));
  fs::last_write_time(path(name_of(1)), start_ + std::chrono::seconds(written_ - 1));
  look();
  EXPECT_EQ(times(), (Times{0, 1, 2})) << "the new file of time 2 stays";
  session_.apply(request::Seek{1});
  EXPECT_EQ(body().position[2], 7);
}

TEST_F(Follow, CopiesOfTheSameContentChangeNothing) {
  write_series(4);
  open_and_look();
  look();
  const FileContent same = file_bytes(path(name_of(1)));
  write(name_of(1), same, 900);
  look(1);
  write(name_of(1), same);
  look(4);
  fs::last_write_time(path(name_of(2)), fs::file_time_type::clock::now());
  look(4);
  EXPECT_EQ(times(), (Times{0, 1, 2, 3}));
  EXPECT_EQ(message(), "");
}

TEST_F(Follow, SnapshotsMayArriveInAnyOrder) {
  write_series(2);
  open_and_look();
  write(3, 3);
  look();
  write(2, 2);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 2, 3}));
  EXPECT_EQ(message(), "");
  write(4, 3);
  look();
  EXPECT_EQ(times(), (Times{0, 1, 2, 3}));
  EXPECT_EQ(message(), "snap_004.hdf5 is skipped, because it has the same time as snap_003.hdf5.");
}

TEST_F(Follow, ADeletedSnapshotIsSkippedInSilence) {
  write_series(7);
  open_and_look();
  fs::remove(path(name_of(1)));
  session_.apply(request::Play{});
  session_.apply(request::Seek{1});
  EXPECT_EQ(message(), "");
  EXPECT_TRUE(session_.state().running);
  EXPECT_THAT(session_.simulation()->note(), HasSubstr(name_of(1)));
}

TEST_F(Follow, FindsNumberedFoldersAndAllFilesOfASnapshot) {
  const auto part = [](int number, int file) {
    const std::string text = std::to_string(number);
    return "snapdir_00" + text + "/snap_00" + text + "." + std::to_string(file) + ".hdf5";
  };
  const auto write_part = [&](int number, int file) {
    fs::create_directories(fs::path(path(part(number, file))).parent_path());
    write(part(number, file), hdf5(number));
  };
  for (const int file : {0, 1, 2}) write_part(0, file);
  const auto read = [](const std::string& file, const Progress&) {
    if (files_of_snapshot(file).size() < 3) throw InputError("a file is missing");
    return WholeSnapshot{.time = read_snapshot(file, {}).time};
  };
  const std::string first = path(part(0, 1));
  SeriesWatch watch({{path(part(0, 0)), 0}}, {}, {[&] { return series_of(first); }, read});
  for (const int file : {0, 1, 2}) {
    write_part(1, file);
    watch.look();
    EXPECT_FALSE(watch.take_news()) << file;
  }
  watch.look();
  const std::optional<SeriesNews> news = watch.take_news();
  ASSERT_TRUE(news);
  ASSERT_EQ(news->found.size(), 1u);
  EXPECT_EQ(news->found[0].file.path, path(part(1, 0)));
}

TEST_F(Follow, NeedsTheWholeSeries) {
  write_series(3);
  const auto can_follow = [&](const std::vector<std::string>& files) {
    return series_source(files, {}, true).load({}).playback_range.can_follow;
  };
  EXPECT_TRUE(can_follow({path(name_of(0)), path(name_of(1)), path(name_of(2))}));
  EXPECT_FALSE(can_follow({path(name_of(0)), path(name_of(1))}));
}

TEST_F(Follow, AThreadLooks) {
  write_series(2);
  period_ = std::chrono::milliseconds(1);
  open("snap_000.hdf5");
  write(2, 2);
  EXPECT_TRUE(eventually([&] {
    session_.take_new_snapshots();
    return now() == 2;
  }));
}

}  // namespace
}  // namespace pericenter::test
