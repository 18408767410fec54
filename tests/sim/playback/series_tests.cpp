#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

#include "sim/playback/playback.h"
#include "sim/playback/series.h"
#include "sim/session/session.h"
#include "tests/support/running_simulation.h"

namespace pericenter::test {
namespace {

namespace fs = std::filesystem;

// ---- files of a series

class SeriesOf : public ::testing::Test {
 protected:
  SeriesOf() { fs::create_directories(folder_); }
  ~SeriesOf() override { fs::remove_all(folder_); }

  void make(std::initializer_list<const char*> names) {
    for (const char* name : names) std::ofstream(folder_ / name) << "x";
  }
  std::vector<std::string> names(const char* opened) const {
    std::vector<std::string> found;
    for (const std::string& path : series_of((folder_ / opened).string())) {
      EXPECT_EQ(fs::path(path).parent_path(), folder_);
      found.push_back(fs::path(path).filename().string());
    }
    return found;
  }

  using Names = std::vector<std::string>;
  fs::path folder_ = fs::path(::testing::TempDir()) / (std::string("pericenter_series_") +
                                                       ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(SeriesOf, IsSortedByNumber) {
  make({"snap_2.hdf5", "snap_10.hdf5", "snap_1.hdf5", "snap_x.hdf5", "snap_1.hdf4", "other_3.hdf5", "snap_3.hdf5.bak"});
  EXPECT_EQ(names("snap_10.hdf5"), (Names{"snap_1.hdf5", "snap_2.hdf5", "snap_10.hdf5"}));
}

TEST_F(SeriesOf, HasGapsAndLeadingZeros) {
  make({"snapshot_0010.hdf5", "snapshot_0000.hdf5", "snapshot_0123.hdf5"});
  EXPECT_EQ(names("snapshot_0010.hdf5"), (Names{"snapshot_0000.hdf5", "snapshot_0010.hdf5", "snapshot_0123.hdf5"}));
}

TEST_F(SeriesOf, CountsASnapshotInSeveralFilesOnce) {
  make({"snap_000.0.hdf5", "snap_000.1.hdf5", "snap_001.0.hdf5", "snap_001.1.hdf5", "snap_002.0.hdf5"});
  EXPECT_EQ(names("snap_001.1.hdf5"), (Names{"snap_000.0.hdf5", "snap_001.0.hdf5", "snap_002.0.hdf5"}));
}

TEST_F(SeriesOf, AllowsANumberAfterADot) {
  make({"g15784.00128", "g15784.00256", "g15785.00128"});
  EXPECT_EQ(names("g15784.00256"), (Names{"g15784.00128", "g15784.00256"}));
}

TEST_F(SeriesOf, UsesAnEarlierNumberIfTheLastIsConstant) {
  make({"step1_mass2.csv", "step2_mass2.csv"});
  EXPECT_EQ(names("step1_mass2.csv"), (Names{"step1_mass2.csv", "step2_mass2.csv"}));
}

// EAGLE has the redshift in names, too.
TEST_F(SeriesOf, NumbersMayChangeTogether) {
  make({"snap_027_z000p101.hdf5", "snap_028_z000p000.hdf5", "snap_9_z001p004.hdf5", "snap_026_x000p183.hdf5",
        "group_028_z000p000.hdf5", "part_027_z000p101.0.hdf5", "part_027_z000p101.1.hdf5", "part_028_z000p000.0.hdf5",
        "part_028_z000p000.1.hdf5", "m12_out_010_t1.50", "m12_out_020_t3.25"});
  EXPECT_EQ(names("snap_028_z000p000.hdf5"),
            (Names{"snap_9_z001p004.hdf5", "snap_027_z000p101.hdf5", "snap_028_z000p000.hdf5"}));
  for (const char* part : {"part_028_z000p000.0.hdf5", "part_027_z000p101.1.hdf5"})
    EXPECT_EQ(names(part), (Names{"part_027_z000p101.0.hdf5", "part_028_z000p000.0.hdf5"}));
  EXPECT_EQ(names("m12_out_010_t1.50"), (Names{"m12_out_010_t1.50", "m12_out_020_t3.25"}));
}

TEST_F(SeriesOf, DecimalTimesAreSortedByTheirValue) {
  const auto is_series = [&](const Names& sorted) {
    for (const std::string& name : sorted) std::ofstream(folder_ / name) << "x";
    for (const std::string& name : sorted) EXPECT_EQ(names(name.c_str()), sorted) << name;
  };
  is_series({"snap_t0.10.csv", "snap_t0.90.csv", "snap_t1.00.csv", "snap_t10.50.csv"});
  is_series({"snapshot_0.250.hdf5", "snapshot_0.500.hdf5", "snapshot_1.000.hdf5"});
  is_series({"state_0.0.csv", "state_0.5.csv", "state_1.0.csv"});  // a table has no parts
  is_series({"gas_t0.0.hdf5", "gas_t0.5.hdf5", "gas_t1.0.hdf5"});
  is_series({"out_time=0.5.txt", "out_time=0.75.txt", "out_time=1.5.txt"});
  is_series({"run_a0.25", "run_a0.50", "run_a1.00"});
  is_series({"disc_t0p50.hdf5", "disc_t1p25.hdf5"});
  is_series({"cold_t5.0e-02.csv", "cold_t1.0e-01.csv", "cold_t1.0e+00.csv"});
  is_series({"snapshot0.5.csv.gz", "snapshot1.25.csv.gz"});
}

TEST_F(SeriesOf, NumbersOfPartsAndStepsAreNoDecimals) {
  make({"snap_3.0.hdf5", "snap_3.1.hdf5", "snap_4.0.hdf5", "snap_4.1.hdf5", "run_3.0001.csv", "run_3.0002.csv",
        "run_4.0001.csv", "set_3.1000.csv", "set_3.1001.csv", "set_4.1000.csv"});
  EXPECT_EQ(names("snap_3.1.hdf5"), (Names{"snap_3.0.hdf5", "snap_4.0.hdf5"}));
  EXPECT_EQ(names("run_3.0001.csv"), (Names{"run_3.0001.csv", "run_3.0002.csv"}));
  EXPECT_EQ(names("set_3.1000.csv"), (Names{"set_3.1000.csv", "set_3.1001.csv"}));
  EXPECT_EQ(files_of_snapshot((folder_ / "gas_t0.0.hdf5").string()).size(), 1u);
}

TEST_F(SeriesOf, ASecondNumberMayChangeInSomeFilesOnly) {
  make({"snap_010_t1.csv", "snap_020_t1.csv", "snap_030_t2.csv"});
  for (const char* name : {"snap_010_t1.csv", "snap_030_t2.csv"})
    EXPECT_EQ(names(name), (Names{"snap_010_t1.csv", "snap_020_t1.csv", "snap_030_t2.csv"}));
}

TEST_F(SeriesOf, NumbersThatRepeatAreNoSeries) {
  make({"run1_of_3.csv", "run1_at_4.csv", "run2_of_5.csv", "run2_of_6.csv"});
  EXPECT_EQ(names("run1_of_3.csv"), Names{"run1_of_3.csv"});
}

TEST_F(SeriesOf, FindsNumberedFolders) {
  const auto in_folders = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) {
      fs::create_directories((folder_ / name).parent_path());
      std::ofstream(folder_ / name) << "x";
    }
  };
  const auto series = [&](const char* name) {
    Names found;
    for (const std::string& path : series_of((folder_ / name).string()))
      found.push_back(fs::relative(path, folder_).string());
    return found;
  };
  in_folders({"snapdir_000/snap_000.0.hdf5", "snapdir_000/snap_000.1.hdf5", "snapdir_001/snap_001.0.hdf5",
              "snapdir_001/snap_001.1.hdf5", "snapdir_010/snap_010.0.hdf5", "snapdir_011/other_011.0.hdf5",
              "snapdir_x/snap_x.hdf5"});
  const Names parts = {"snapdir_000/snap_000.0.hdf5", "snapdir_001/snap_001.0.hdf5", "snapdir_010/snap_010.0.hdf5"};
  EXPECT_EQ(series("snapdir_000/snap_000.0.hdf5"), parts);
  EXPECT_EQ(series("snapdir_001/snap_001.1.hdf5"), parts);
  in_folders({"9/snapshot_9.hdf5", "10/snapshot_10.hdf5"});
  EXPECT_EQ(series("10/snapshot_10.hdf5"), (Names{"9/snapshot_9.hdf5", "10/snapshot_10.hdf5"}));
  in_folders({"eagle_027_z000p101/snap_027_z000p101.0.hdf5", "eagle_028_z000p000/snap_028_z000p000.0.hdf5"});
  EXPECT_EQ(series("eagle_028_z000p000/snap_028_z000p000.0.hdf5"),
            (Names{"eagle_027_z000p101/snap_027_z000p101.0.hdf5", "eagle_028_z000p000/snap_028_z000p000.0.hdf5"}));
  in_folders({"run1/galaxy.hdf5", "run2/galaxy.hdf5"});
  EXPECT_EQ(series("run1/galaxy.hdf5"), Names{"run1/galaxy.hdf5"});
}

TEST_F(SeriesOf, AFolderIsOpenedByItsSnapshotOrSeries) {
  const auto write = [&](const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  };
  const auto opened = [&](const std::string& name, bool plays) -> std::string {
    try {
      return fs::relative(file_of_folder((folder_ / name).string(), plays), folder_).string();
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const std::string hdf5 = "\x89HDF\r\n\x1a\n", info = "ncpu        =          2\n", table = "m,x,y\n1,2,3\n";
  write("run/output_00012/info_00012.txt", info);
  write("run/output_00012/part_00012.out00001", "x");
  write("run/output_00013/info_00013.txt", info);
  EXPECT_EQ(opened("run/output_00012", false), "run/output_00012/info_00012.txt");
  EXPECT_EQ(opened("run/output_00013", true), "run/output_00013/info_00013.txt");
  EXPECT_EQ(opened("run", true), "run/output_00012/info_00012.txt");
  EXPECT_THAT(opened("run", false), testing::HasSubstr("name output_00012/info_00012.txt"));
  for (const char* name : {"snap_010.0.hdf5", "snap_010.1.hdf5", "snap_010.hdf5"})
    write(std::string("gadget/snapdir_010/") + name, hdf5);
  write("gadget/snapdir_010/README.txt", "Snapshot 10 of the run.\nIt has two parts.\n");
  for (const bool plays : {false, true})
    EXPECT_EQ(opened("gadget/snapdir_010", plays), "gadget/snapdir_010/snap_010.0.hdf5");
  for (const char* name : {"snap_9.csv", "snap_10.csv"}) write(std::string("series/") + name, table);
  write("series/fof_subhalo_tab_009.hdf5", hdf5);
  write("series/start.csv", table);
  EXPECT_EQ(opened("series", true), "series/snap_9.csv");
  EXPECT_THAT(opened("series", false), testing::HasSubstr("several snapshots: snap_9.csv to start.csv (3). Name one"));
  for (const char* name : {"other_1.csv", "other_2.csv"}) write(std::string("series/") + name, table);
  EXPECT_THAT(opened("series", true), testing::HasSubstr("more than one series of snapshots"));
  write("started/ics.hdf5", hdf5);
  write("started/comparison/notes.txt", "Nothing here.\n");
  write("started/output/snapshot_0000.hdf5", hdf5);
  EXPECT_EQ(opened("started", true), "started/ics.hdf5");
  write("started/output/snapshot_0001.hdf5", hdf5);
  EXPECT_EQ(opened("started", true), "started/output/snapshot_0000.hdf5") << "the run, not its start";
  EXPECT_EQ(opened("started", false), "started/ics.hdf5");
  write("empty/notes.txt", "Nothing here.\n");
  EXPECT_THAT(opened("empty", true), testing::HasSubstr("no snapshot, nor has a folder in it. Looked for files of"));
  write("mp/PART_003/Header/attr-v2", "BoxSize <f8 1");
  for (const char* name : {"mp/PART_003", "mp"}) EXPECT_THAT(opened(name, false), testing::HasSubstr("bigfile"));
  EXPECT_EQ(opened("series/start.csv", false), "series/start.csv");
}

TEST_F(SeriesOf, NamedFilesCountOncePerSnapshot) {
  EXPECT_EQ(without_further_parts({"s/a.0.hdf5", "s/a_1.0.hdf5", "s/a_1.1.hdf5", "s/b_2.1.hdf5", "c.csv"}),
            (Names{"s/a.0.hdf5", "s/a_1.0.hdf5", "s/b_2.1.hdf5", "c.csv"}));
}

TEST_F(SeriesOf, IsASingleFileWithoutOthers) {
  make({"galaxy.hdf5", "snap_001.hdf5", "map_001.hdf5"});
  EXPECT_EQ(names("galaxy.hdf5"), Names{"galaxy.hdf5"});
  EXPECT_EQ(names("snap_001.hdf5"), Names{"snap_001.hdf5"});
  EXPECT_EQ(series_of("/no/such/folder/snap_001.hdf5"), Names{"/no/such/folder/snap_001.hdf5"});
}

// ---- units

TEST(SnapshotUnits, AreConvertedToTheFirstSnapshot) {
  const FileUnits first{100, 10, 50};
  Snapshot later;
  later.units = {200, 5, 100};
  later.time = 5;
  later.softening = 0.1;
  later.bodies = {{{10, 0, 1}, {0, 3, 0}, 6, 9}};
  const Snapshot same = in_units(first, later);
  EXPECT_EQ(same.units, first);
  EXPECT_EQ(same.time, 5);
  EXPECT_EQ(same.softening, 0.2);
  EXPECT_EQ(same.bodies.front().position, (Vec3{20, 0, 2}));
  EXPECT_EQ(same.bodies.front().velocity, (Vec3{0, 6, 0}));
  EXPECT_EQ(same.bodies.front().mass, 3);
  EXPECT_EQ(same.bodies.front().tag, 9u);
  EXPECT_EQ(in_units(later.units, later).bodies.front().position, later.bodies.front().position);
  EXPECT_EQ(in_units({}, Snapshot{}).time, 0);
  EXPECT_THROW(in_units({}, later), InputError);
  EXPECT_THROW(in_units(first, Snapshot{}), InputError);
}

// ---- a series in memory

/// Files of a known motion; counts the reads.
class Files {
 public:
  using Motion = std::function<Bodies(double time)>;

  Files(std::size_t count, double spacing, Motion motion, double first = 0) {
    for (std::size_t k = 0; k < count; ++k) {
      paths.push_back("snap_" + std::to_string(k));
      Snapshot& snapshot = snapshots[paths.back()];
      snapshot.time = first + spacing * static_cast<double>(k);
      snapshot.bodies = motion(snapshot.time);
    }
  }
  Files(const Files&) = delete;

  SeriesReader reader() {
    return {.read =
                [this](const std::string& path, const Progress& progress) {
                  ++reads;
                  while (slow && (!progress || progress(0.5))) std::this_thread::yield();
                  if (slow) throw SceneCancelled{};
                  if (too_large) throw std::bad_alloc();
                  if (broken.contains(path)) throw InputError(path + ": the block of positions is cut off.");
                  return snapshots.at(path);
                },
            .time = [this](const std::string& path) { return snapshots.at(path).time; },
            .scene =
                [this](Snapshot snapshot) {
                  SeriesScene made;
                  LoadedScene& loaded = made.loaded;
                  loaded.scene.params = {.dt = 0.001, .theta = 0.5, .softening = 0.01, .gravity = 1};
                  loaded.time = snapshot.time / time_unit;
                  loaded.scene.bodies = scaled(std::move(snapshot));
                  made.convert = [this](Snapshot other) { return scaled(std::move(other)); };
                  made.time_unit = time_unit;
                  return made;
                }};
  }
  /// The scene's unit of length is time_unit units of the files.
  Bodies scaled(Snapshot snapshot) const {
    for (Body& body : snapshot.bodies) body.position *= 1 / time_unit;
    return std::move(snapshot.bodies);
  }
  LoadedScene load() { return load_series(paths, reader(), {}); }
  request::LoadSource source() {
    return {
        std::make_shared<SceneSource>(SceneSource{"snap", paths.front(), [this](const Progress&) { return load(); }})};
  }

  std::vector<std::string> paths;
  std::map<std::string, Snapshot> snapshots;
  std::map<std::string, bool> broken;
  std::atomic<int> reads = 0;
  std::atomic<bool> slow = false, too_large = false;
  double time_unit = 1;
};

/// Three bodies on circles of different speeds.
Bodies circles(double t) {
  Bodies bodies;
  for (int k = 1; k <= 3; ++k) {
    const double w = 0.5 * k;
    bodies.push_back({{k * std::cos(w * t), k * std::sin(w * t), 0.1 * k},
                      {-k * w * std::sin(w * t), k * w * std::cos(w * t), 0},
                      1.0 * k,
                      make_tag(static_cast<std::uint32_t>(k), Component::disc)});
  }
  return bodies;
}

double largest_error(Simulation& played, double t) {
  played.seek(t, {});
  const Bodies now = played.bodies(), exact = circles(t);
  EXPECT_EQ(now.size(), exact.size());
  double error = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) error = std::max(error, length(now[i].position - exact[i].position));
  return error;
}

TEST(Playback, IsExactAtTheSnapshots) {
  Files files(5, 0.7, circles, 3);
  const LoadedScene loaded = files.load();
  EXPECT_EQ(loaded.playback_range.first, 3);
  EXPECT_NEAR(loaded.playback_range.last, 3 + 4 * 0.7, 1e-12);
  EXPECT_EQ(loaded.playback_range.snapshots.size(), 5u);
  EXPECT_NEAR(loaded.playback_dt, 0.07, 1e-12);
  for (const std::size_t k : {4u, 0u, 2u, 3u, 1u}) {
    loaded.playback->seek(loaded.playback_range.snapshots[k], {});
    const Bodies now = loaded.playback->bodies(), exact = circles(files.snapshots[files.paths[k]].time);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      EXPECT_EQ(now[i].position, exact[i].position) << k;
      EXPECT_EQ(now[i].velocity, exact[i].velocity) << k;
      EXPECT_EQ(now[i].mass, exact[i].mass);
      EXPECT_EQ(now[i].tag, exact[i].tag);
    }
  }
}

// The error of the cubic is at most spacing^4 / 384 times the fourth derivative, here radius * w^4.
TEST(Playback, InterpolatesToFourthOrder) {
  const auto error_at = [](double spacing) {
    Files files(static_cast<std::size_t>(std::lround(2 / spacing)) + 1, spacing, circles);
    const LoadedScene loaded = files.load();
    double error = 0;
    for (double t = 0.03; t < 2; t += 0.1) error = std::max(error, largest_error(*loaded.playback, t));
    return error;
  };
  const double wide = error_at(0.5), narrow = error_at(0.25);
  EXPECT_LT(wide, 3 * std::pow(1.5 * 0.5, 4) / 384 * 1.01);
  EXPECT_GT(wide / narrow, 14);
  EXPECT_LT(wide / narrow, 18);
}

TEST(Playback, IsInSceneUnits) {
  Files files(4, 0.5, circles, 1);
  files.time_unit = 10;
  const LoadedScene loaded = files.load();
  EXPECT_DOUBLE_EQ(loaded.playback_range.first, 0.1);
  EXPECT_DOUBLE_EQ(loaded.playback_range.last, 0.25);
  loaded.playback->seek(0.18, {});
  const Bodies now = loaded.playback->bodies(), exact = circles(1.8);
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_LT(length(now[i].position * 10 - exact[i].position), 1e-2);
}

TEST(Playback, VelocityIsTheDerivative) {
  Files files(3, 0.5, circles);
  const LoadedScene loaded = files.load();
  const auto positions_at = [&](double t) {
    loaded.playback->seek(t, {});
    return loaded.playback->bodies();
  };
  const Bodies before = positions_at(0.3 - 1e-5), after = positions_at(0.3 + 1e-5), now = positions_at(0.3);
  for (std::size_t i = 0; i < now.size(); ++i)
    EXPECT_LT(length((after[i].position - before[i].position) * (1 / 2e-5) - now[i].velocity), 1e-8);
}

TEST(Playback, ReproducesARealRun) {
  constexpr double kDt = 0.01;
  constexpr int kEvery = 10, kSteps = 200;
  const Scene scene = find_scene("two-body")->make({.bodies = 2});
  const auto run = [&] { return Simulation::create({.precision = Precision::float64}, scene.bodies); };
  const Params params{.dt = kDt, .theta = 0.5, .softening = scene.params.softening, .gravity = 1};
  std::vector<Bodies> each{scene.bodies};
  const std::unique_ptr<Simulation> simulation = run();
  for (int k = 0; k < kSteps; ++k) {
    simulation->step(params);
    each.push_back(simulation->bodies());
  }
  Files files(kSteps / kEvery + 1, kEvery * kDt,
              [&](double t) { return each[static_cast<std::size_t>(std::lround(t / kDt))]; });
  const LoadedScene loaded = files.load();
  for (int k = 0; k <= kSteps; ++k) {
    loaded.playback->seek(k * kDt, {});
    const Bodies now = loaded.playback->bodies();
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(length(now[i].position - each[k][i].position), 2e-4) << k;
  }
}

TEST(Playback, MatchesBodiesById) {
  Files files(4, 0.5, circles);
  for (auto& [path, snapshot] : files.snapshots) snapshot.ids = {70, 30, 50};
  Snapshot& other = files.snapshots["snap_1"];
  std::swap(other.bodies[0], other.bodies[2]);
  other.ids = {50, 30, 70};
  const LoadedScene loaded = files.load();
  loaded.playback->seek(0.4, {});
  const Bodies now = loaded.playback->bodies(), exact = circles(0.4);
  const std::size_t order[] = {1, 2, 0};  // of 30, 50, 70
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(length(now[i].position - exact[order[i]].position), 1e-2);
  EXPECT_EQ(loaded.playback->continuity().permutations, 0u);
  EXPECT_EQ(loaded.playback->note(), "");
}

TEST(Playback, ShowsOnlyBodiesOfBothNeighbours) {
  Files files(4, 0.5, circles);
  for (auto& [path, snapshot] : files.snapshots) snapshot.ids = {1, 2, 3};
  for (const char* path : {"snap_2", "snap_3"}) {
    files.snapshots[path].bodies[1] = {{9, 9, 9}, {}, 5, 0};
    files.snapshots[path].ids = {1, 9, 3};
  }
  const LoadedScene loaded = files.load();
  Simulation& played = *loaded.playback;
  played.seek(0.2, {});
  EXPECT_EQ(played.size(), 3u);
  played.seek(0.7, {});
  ASSERT_EQ(played.size(), 2u);
  EXPECT_EQ(played.bodies()[1].mass, 3);
  EXPECT_LT(length(played.bodies()[1].position - circles(0.7)[2].position), 1e-2);
  EXPECT_EQ(played.continuity().permutations, 1u);
  EXPECT_EQ(played.note(), "Bodies that are in only one of the two snapshots and are not shown: 2.");
  played.seek(1.2, {});
  ASSERT_EQ(played.size(), 3u);
  EXPECT_EQ(played.bodies()[2].position, (Vec3{9, 9, 9}));
  EXPECT_EQ(played.continuity().permutations, 2u);
  std::vector<Vertex> vertices(2);
  EXPECT_FALSE(played.accepts(host_target(vertices)));
}

// What follows or marks a body must notice that another one has its place.
TEST(Playback, OtherBodiesInTheSamePlacesAreAnotherOrder) {
  Files files(4, 0.5, circles);
  const std::vector<std::uint64_t> ids[] = {{1, 2, 4}, {1, 2, 3}, {1, 3, 5}, {1, 3, 5}};
  for (std::size_t k = 0; k < 4; ++k) files.snapshots[files.paths[k]].ids = ids[k];
  const LoadedScene loaded = files.load();
  Simulation& played = *loaded.playback;
  EXPECT_EQ(played.labels().ids, (std::vector<std::uint64_t>{1, 2}));
  played.seek(0.7, {});
  EXPECT_EQ(played.labels().ids, (std::vector<std::uint64_t>{1, 3}));
  EXPECT_EQ(played.continuity().permutations, 1u);
}

TEST(Playback, PublishesSpeedsOnly) {
  Files files(3, 0.5, circles);
  const LoadedScene loaded = files.load();
  loaded.playback->seek(0.25, {});
  std::vector<Vertex> vertices(3);
  loaded.playback->write_vertices(host_target(vertices));
  const Bodies now = loaded.playback->bodies();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_FLOAT_EQ(vertices[i].x, static_cast<float>(now[i].position[0]));
    EXPECT_EQ(vertices[i].attribute, make_attribute(now[i].tag, static_cast<float>(length(now[i].velocity))));
  }
  std::vector<Vertex> some(2);
  VertexTarget every_second = host_target(some);
  every_second.every = 2;
  loaded.playback->write_vertices(every_second);
  EXPECT_EQ(some[0].attribute, vertices[0].attribute);
  EXPECT_EQ(some[1].attribute, vertices[2].attribute);
  EXPECT_EQ(some[1].x, vertices[2].x);
  loaded.playback->show(Scalar::acceleration);
  loaded.playback->write_vertices(host_target(vertices));
  EXPECT_EQ(vertices[2].attribute, make_attribute(now[2].tag, kNoScalar));
  const Diagnostics sums = loaded.playback->diagnostics({});
  EXPECT_TRUE(std::isnan(sums.potential) && std::isnan(sums.energy()) && std::isnan(sums.virial_ratio()));
  EXPECT_NEAR(sums.kinetic, 0.5 * (1 * 0.25 + 2 * 4 + 3 * 20.25), 0.2);
}

// ---- memory

/// A playback of one body that counts the snapshots in memory.
class Counted {
 public:
  explicit Counted(std::size_t count) {
    SnapshotSeries series;
    for (std::size_t k = 0; k < count; ++k) {
      series.times.push_back(static_cast<double>(k));
      series.names.push_back("snap_" + std::to_string(k));
    }
    series.read = [this](std::size_t index, const Progress& progress) { return read(index, progress); };
    series.first = frame(0);
    playback.emplace(std::move(series), Progress{});
  }

  std::size_t alive() const {
    const std::scoped_lock lock(mutex_);
    return static_cast<std::size_t>(std::ranges::count_if(frames_, [](const auto& frame) { return !frame.expired(); }));
  }
  double x() const { return playback->bodies().front().position[0]; }

  std::atomic<bool> slow = false;
  std::atomic<std::size_t> most = 0, reads = 0;

 private:
  std::shared_ptr<const Keyframe> frame(std::size_t index) {
    const double t = static_cast<double>(index);
    auto made = make_keyframe({{{t, 0, 0}, {1, 0, 0}, 1, 0}}, {});
    const std::scoped_lock lock(mutex_);
    frames_.push_back(made);
    return made;
  }
  std::shared_ptr<const Keyframe> read(std::size_t index, const Progress& progress) {
    ++reads;
    most = std::max(most.load(), alive() + 1);
    while (slow) {
      if (!progress(0.5)) throw SceneCancelled{};
      std::this_thread::yield();
    }
    return frame(index);
  }

  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<const Keyframe>> frames_;

 public:
  std::optional<Playback> playback;  // last: its destructor waits for the thread that uses the others
};

TEST(Playback, HoldsAtMostThreeSnapshots) {
  Counted counted(40);
  Playback& played = *counted.playback;
  Params params{.dt = 0.3, .theta = 0, .softening = 0, .gravity = 1};
  const auto run = [&](int steps) {
    for (int k = 0; k < steps; ++k) {
      const double before = played.time();
      played.step(params);
      EXPECT_NEAR(played.time(), std::clamp(before + params.dt, 0.0, 39.0), 1e-12);
      EXPECT_NEAR(counted.x(), played.time(), 1e-12);
      EXPECT_LE(counted.alive(), 3u);
    }
  };
  run(60);
  params.dt = -0.7;
  run(10);
  std::mt19937 random(1);
  for (int k = 0; k < 50; ++k) {
    const double t = std::uniform_real_distribution(0.0, 39.0)(random);
    EXPECT_TRUE(played.seek(t, {}));
    EXPECT_NEAR(counted.x(), t, 1e-12);
    EXPECT_LE(counted.alive(), 3u);
    params.dt = -params.dt;
    run(k % 3);
  }
  EXPECT_LE(counted.most, 3u);
}

TEST(Playback, ReadsAheadInTheDirectionOfTime) {
  Counted counted(10);
  Params params{.dt = 0.1, .theta = 0, .softening = 0, .gravity = 1};
  counted.playback->step(params);
  EXPECT_TRUE(eventually([&] { return counted.reads == 2 && counted.alive() == 3; }));  // indices 1 and 2
  for (int k = 0; k < 14; ++k) counted.playback->step(params);
  EXPECT_TRUE(eventually([&] { return counted.reads == 3 && counted.alive() == 3; }));
  EXPECT_NEAR(counted.x(), 1.5, 1e-12);
  params.dt = -0.1;
  counted.playback->step(params);
  EXPECT_TRUE(eventually([&] { return counted.reads == 4 && counted.alive() == 3; }));  // index 0 again
  const std::size_t before = counted.reads;
  for (int k = 0; k < 6; ++k) counted.playback->step(params);
  EXPECT_NEAR(counted.x(), 0.8, 1e-12);
  EXPECT_EQ(counted.reads, before);
}

TEST(Playback, CancelledSeekKeepsTheTime) {
  Counted counted(10);
  counted.playback->seek(0.5, {});
  counted.slow = true;
  int asked = 0;
  EXPECT_THROW(counted.playback->seek(7.5, [&](double) { return ++asked < 3; }), SceneCancelled);
  EXPECT_EQ(counted.playback->time(), 0.5);
  EXPECT_NEAR(counted.x(), 0.5, 1e-12);
  counted.slow = false;
  counted.playback->seek(7.5, {});
  EXPECT_NEAR(counted.x(), 7.5, 1e-12);
}

// ---- unreadable snapshots

TEST(Playback, SkipsAnUnreadableSnapshot) {
  Files files(6, 0.5, circles);
  const LoadedScene loaded = files.load();
  files.broken["snap_2"] = true;
  Simulation& played = *loaded.playback;
  try {
    played.seek(0.8, {});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "snap_2: the block of positions is cut off. The playback skips this snapshot.");
  }
  EXPECT_EQ(played.time(), 0.8);
  EXPECT_LT(largest_error(played, 0.8), 0.3);  // over the gap from 0.5 to 1.5
  EXPECT_GT(largest_error(played, 0.8), 1e-3);
  EXPECT_EQ(played.note(), "Skipped because it cannot be read: snap_2.");
  EXPECT_LT(largest_error(played, 2.2), 0.02);
}

TEST(Playback, EndsAtTheLastReadableSnapshot) {
  Files files(4, 0.5, circles);
  const LoadedScene loaded = files.load();
  for (const char* path : {"snap_2", "snap_3"}) files.broken[path] = true;
  EXPECT_THROW(loaded.playback->seek(1.4, {}), InputError);
  EXPECT_EQ(loaded.playback->time(), 0.5);
  EXPECT_TRUE(loaded.playback->ended(1));
  EXPECT_EQ(loaded.playback->bodies()[0].position, circles(0.5)[0].position);
  loaded.playback->seek(0.2, {});
  EXPECT_EQ(loaded.playback->time(), 0.2);
}

TEST(Playback, SurvivesASnapshotThatDoesNotFit) {
  Files files(5, 0.5, circles);
  const LoadedScene loaded = files.load();
  files.too_large = true;
  EXPECT_THROW(loaded.playback->seek(1.8, {}), InputError);
  EXPECT_EQ(loaded.playback->time(), 0.5);
  EXPECT_EQ(loaded.playback->size(), 3u);
}

TEST(Series, SkipsUnsuitableFiles) {
  Files files(5, 0.5, circles);
  files.snapshots["snap_3"].time = files.snapshots["snap_1"].time;
  files.broken["snap_0"] = true;
  const LoadedScene loaded = files.load();
  EXPECT_EQ(loaded.playback_range.snapshots, (std::vector<double>{0.5, 1, 2}));
  EXPECT_EQ(loaded.note,
            "snap_3 is skipped, because it has the same time as snap_1. "
            "snap_0: the block of positions is cut off. The playback starts after this snapshot. ");
  for (const char* path : {"snap_2", "snap_4"}) files.broken[path] = true;
  EXPECT_THROW(files.load(), InputError);
}

// Tables often state no time.
TEST(Series, CountsFilesThatStateNoTime) {
  Files files(3, 0.5, circles);
  for (auto& [path, snapshot] : files.snapshots) snapshot.time = 0;
  const LoadedScene loaded = files.load();
  EXPECT_EQ(loaded.playback_range.snapshots, (std::vector<double>{0, 1, 2}));
  EXPECT_FALSE(loaded.playback_range.can_follow);
  EXPECT_THAT(loaded.note, testing::HasSubstr("None of the files states a time: their order counts as times 0, 1, 2"));
  files.snapshots["snap_2"].time = 3;
  EXPECT_EQ(files.load().playback_range.snapshots, (std::vector<double>{0, 3}));
}

// GIZMO: a star has the id of the gas cell in which it was formed.
TEST(Series, FollowsBodiesThatShareAnId) {
  Files files(4, 0.2, circles);
  for (auto& [path, snapshot] : files.snapshots) snapshot.ids = {1, 7, 1};
  std::swap(files.snapshots["snap_2"].bodies[0], files.snapshots["snap_2"].bodies[2]);
  files.snapshots["snap_3"].ids = {1, 7, 9};
  const LoadedScene loaded = files.load();
  Simulation& played = *loaded.playback;
  played.seek(0.3, {});
  ASSERT_EQ(played.size(), 3u);
  const Bodies now = played.bodies(), exact = circles(0.3);
  const std::size_t order[] = {0, 2, 1};  // by id, then in the order of the earlier file
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(length(now[i].position - exact[order[i]].position), 1e-2) << i;
  EXPECT_EQ(played.note(), "Bodies that share their id with others, each followed to the nearest of these: 2.");
  played.seek(0.5, {});
  EXPECT_EQ(played.size(), 2u);
  EXPECT_THAT(played.note(), ::testing::StartsWith("Bodies that are in only one of the two"));
}

TEST(Series, SkipsBodiesThatCannotBeMatched) {
  Files fewer(3, 0.5, circles);
  fewer.snapshots["snap_2"].bodies.pop_back();
  const LoadedScene loaded = fewer.load();
  EXPECT_THROW(loaded.playback->seek(0.8, {}), InputError);
  Files mixed(3, 0.5, circles);
  mixed.snapshots["snap_2"].ids = {1, 2, 3};
  const LoadedScene other = mixed.load();
  EXPECT_THROW(other.playback->seek(0.8, {}), InputError);
}

TEST(Series, BodiesOfOneIdKeepTheirTypes) {
  Files files(2, 0.2, [](double t) {
    return Bodies{{{t, 0, 0}, {1, 0, 0}, 1, 0}, {{t + 0.01, 0, 0}, {1, 0, 0}, 2, 0}};
  });
  for (auto& [path, snapshot] : files.snapshots) {
    snapshot.ids = {5, 5};
    snapshot.types = {0, 4};
  }
  Snapshot& later = files.snapshots["snap_1"];
  std::swap(later.bodies[0].position, later.bodies[1].position);
  const LoadedScene loaded = files.load();
  loaded.playback->seek(0.2, {});
  EXPECT_EQ(loaded.playback->bodies()[0].position, later.bodies[0].position);
}

TEST(Series, ManyBodiesOfOneIdAreMatchedInOrder) {
  const auto many = [](double t) {
    Bodies bodies;
    for (int k = 0; k < 100; ++k) bodies.push_back({{k + t, 0, 0}, {1, 0, 0}, 1, 0});
    return bodies;
  };
  Files files(2, 0.5, many);
  for (auto& [path, snapshot] : files.snapshots) snapshot.ids.assign(100, 0);
  const LoadedScene loaded = files.load();
  loaded.playback->seek(0.25, {});
  ASSERT_EQ(loaded.playback->size(), 100u);
  EXPECT_EQ(loaded.playback->bodies()[99].position[0], 99.25);
}

TEST(Series, AnotherOrderOfBodiesWithoutIdsIsNoted) {
  Files files(3, 0.1, circles);
  EXPECT_EQ(files.load().playback->note(), "");
  std::ranges::rotate(files.snapshots["snap_1"].bodies, files.snapshots["snap_1"].bodies.begin() + 1);
  EXPECT_THAT(files.load().playback->note(), ::testing::HasSubstr("no ids"));
  for (auto& [path, snapshot] : files.snapshots) snapshot.ids = {1, 2, 3};
  EXPECT_EQ(files.load().playback->note(), "");
}

// ---- periodic volumes

/// A body that leaves through the wall of a volume that grows by the factor 1 + growth * t, in units of scale.
struct Crossing {
  double side = 10, growth = 0, corner = 0, speed = 4;
  double place(double t) const {
    const double now = side * (1 + growth * t), x = 9 * (1 + growth * t) + speed * t;
    return x - now * std::floor((x - corner * (1 + growth * t)) / now);
  }
  Bodies bodies(double t) const { return {{{place(t), 5, 5}, {speed, 0, 0}, 1, 0}, {{5, 5, 5}, {}, 1, 0}}; }
  PeriodicBox box(double t) const {
    const double now = 1 + growth * t, low = corner * now;
    return {.low = {low, low, low}, .sides = Vec3{1, 1, 1} * (side * now), .origin = {}};
  }
  std::unique_ptr<Playback> playback(double span) const {
    SnapshotSeries series{.times = {0, span}, .names = {"a", "b"}, .read = {}, .first = {}};
    series.first = make_keyframe(bodies(0), {}, box(0));
    series.read = [*this, span](std::size_t, const Progress&) { return make_keyframe(bodies(span), {}, box(span)); };
    return std::make_unique<Playback>(std::move(series), Progress{});
  }
};

TEST(PeriodicPlayback, ABodyThatLeavesEntersOpposite) {
  for (const Crossing& motion : {Crossing{}, Crossing{.speed = -40}, Crossing{.corner = -5}, Crossing{.speed = 70}}) {
    const auto played = motion.playback(0.5);
    for (double t = 0; t <= 0.5; t += 0.0625) {
      played->seek(t, {});
      const Body now = played->bodies()[0];
      EXPECT_NEAR(now.position[0], motion.place(t), 1e-9) << motion.speed << ' ' << t;
      EXPECT_NEAR(now.velocity[0], motion.speed, 1e-9) << motion.speed << ' ' << t;
    }
  }
}

TEST(PeriodicPlayback, TheVolumeMayGrow) {
  const Crossing motion{.growth = 2, .speed = 6};
  const auto played = motion.playback(0.5);
  played->seek(0.5, {});
  EXPECT_NEAR(played->bodies()[0].position[0], motion.place(0.5), 1e-9);
  played->seek(0.499, {});
  EXPECT_NEAR(played->bodies()[0].position[0], motion.place(0.499), 0.1);
}

TEST(PeriodicPlayback, TheWallOfTheEarlierSnapshotCounts) {
  SnapshotSeries series{.times = {0, 1}, .names = {"a", "b"}, .read = {}, .first = {}};
  const PeriodicBox joined{.low = {-5, -5, -5}, .sides = {10, 10, 10}, .origin = {}};
  const PeriodicBox whole{.low = {}, .sides = {10, 10, 10}, .origin = {}};
  series.first = make_keyframe({{{-1, 0, 0}, {-1, 0, 0}, 1, 0}}, {}, joined);
  series.read = [whole](std::size_t, const Progress&) {
    return make_keyframe({{{8, 0, 0}, {-1, 0, 0}, 1, 0}}, {}, whole);
  };
  Playback played(std::move(series), Progress{});
  for (double t = 0; t < 1; t += 0.125) {
    played.seek(t, {});
    EXPECT_NEAR(played.bodies()[0].position[0], -1 - t, 1e-9) << t;
  }
}

// A group whose next snapshot is joined at the opposite wall stays whole between the two.
TEST(PeriodicPlayback, AGroupIsNotCutByTheWall) {
  SnapshotSeries series{.times = {0, 1}, .names = {"a", "b"}, .read = {}, .first = {}};
  const PeriodicBox box{.low = {}, .sides = {10, 10, 10}, .has_group = {true, true, true}, .origin = {}};
  series.first = make_keyframe({{{8, 0, 0}, {2, 0, 0}, 1, 0}, {{9, 0, 0}, {2, 0, 0}, 1, 0}}, {}, box);
  series.read = [box](std::size_t, const Progress&) {
    return make_keyframe({{{0, 0, 0}, {2, 0, 0}, 1, 0}, {{1, 0, 0}, {2, 0, 0}, 1, 0}}, {}, box);
  };
  Playback played(std::move(series), Progress{});
  for (double t = 0; t <= 1; t += 0.125) {
    played.seek(t, {});
    EXPECT_NEAR(played.bodies()[1].position[0] - played.bodies()[0].position[0], 1, 1e-9) << t;
  }
}

TEST(PeriodicPlayback, WithoutVelocitiesTheShorterWayCounts) {
  const PeriodicBox box{.low = {}, .sides = {10, 10, 0}, .origin = {}};
  const Body before{{9, 1, 9}, {}, 1, 0}, after{{1, 9, 1}, {}, 1, 0};
  EXPECT_EQ(image_shift(before, after, box, box, 1), (Vec3{1, -1, 0}));
  EXPECT_EQ(image_shift(before, after, box, PeriodicBox{}, 1), Vec3{});
  // Velocities that change by more than a side in this time predict nothing.
  EXPECT_EQ(image_shift({{9, 0, 0}, {90, 0, 0}, 1, 0}, {{1, 0, 0}, {-70, 0, 0}, 1, 0}, box, box, 1), (Vec3{1, 0, 0}));
}

// ---- in a session

TEST(PlaybackSession, PausesAtTheEndAndRestarts) {
  Files files(3, 0.5, circles);
  Session session;
  session.apply(files.source());
  ASSERT_TRUE(session.state().playback);
  EXPECT_EQ(session.state().params.dt, 0.05);
  EXPECT_EQ(session.state().bodies, 3u);
  session.apply(request::Play{true});
  for (int k = 0; k < 19; ++k) session.step(nullptr);
  EXPECT_TRUE(session.state().running);
  for (int k = 0; k < 2; ++k) session.step(nullptr);
  EXPECT_FALSE(session.state().running);
  EXPECT_EQ(session.state().time, 1);
  session.apply(request::Play{true});
  EXPECT_TRUE(session.state().running);
  EXPECT_EQ(session.state().time, 0);
  Params params = session.state().params;
  params.dt = -params.dt;
  session.apply(request::SetParams{params});
  session.step(nullptr);
  EXPECT_FALSE(session.state().running);
  session.apply(request::Play{true});
  EXPECT_EQ(session.state().time, 1);
  session.apply(request::Reset{});
  EXPECT_EQ(session.state().time, 0);
  EXPECT_EQ(session.state().scene_serial, 1u);
}

TEST(PlaybackSession, ContinuesAsASimulation) {
  Files files(3, 0.5, circles);
  Session session;
  session.apply(request::SetConfig{{.solver = "direct", .precision = Precision::float64}});
  session.apply(files.source());
  EXPECT_EQ(session.state().config.solver, "direct");
  session.apply(request::Seek{0.3});
  EXPECT_EQ(session.state().time, 0.3);
  EXPECT_TRUE(std::isnan(session.state().energy_error));
  session.apply(request::TakeSnapshot{});
  const SavedRun saved = session.take_snapshot()->run.value();
  session.apply(request::Simulate{});
  EXPECT_EQ(saved.params, session.state().params) << "a saved playback restarts as a simulation";
  EXPECT_EQ(saved.config, session.state().config);
  EXPECT_FALSE(session.state().playback);
  EXPECT_EQ(session.state().config.solver, "direct");
  EXPECT_EQ(session.state().time, 0.3);
  EXPECT_EQ(session.state().params.dt, 0.001);
  EXPECT_NE(session.state().message, "");
  EXPECT_FALSE(session.state().message_is_error);
  session.apply(request::Seek{0});
  EXPECT_EQ(session.state().time, 0.3);
  session.apply(request::Step{});
  session.step(nullptr);
  EXPECT_NEAR(session.state().time, 0.301, 1e-12);
  EXPECT_LT(std::abs(session.state().energy_error), 1e-3);
  session.apply(request::Reset{});
  EXPECT_TRUE(session.state().playback);
  EXPECT_EQ(session.state().time, 0);
  EXPECT_EQ(session.state().params.dt, 0.05);
  session.apply(request::SetConfig{{.solver = "octree"}});
  EXPECT_FALSE(session.state().playback);
  EXPECT_EQ(session.state().config.solver, "octree");
}

TEST(PlaybackSession, PausesWithTheErrorOfTheReader) {
  Files files(4, 0.5, circles);
  Session session;
  session.apply(files.source());
  files.broken["snap_2"] = true;
  session.apply(request::Play{true});
  for (int k = 0; k < 20 && session.state().running; ++k) session.step(nullptr);
  EXPECT_FALSE(session.state().running);
  EXPECT_TRUE(session.state().message_is_error);
  EXPECT_THAT(session.state().message, testing::HasSubstr("positions is cut off"));
  EXPECT_NEAR(session.state().time, 0.55, 1e-9);
  session.apply(request::Play{true});
  for (int k = 0; k < 40 && session.state().running; ++k) session.step(nullptr);
  EXPECT_EQ(session.state().time, 1.5);
}

TEST(PlaybackSession, IsLoadedAgainWhenTheGpuIsLost) {
  Files files(4, 0.5, circles);
  Session session;
  session.apply(files.source());
  ASSERT_TRUE(session.state().playback) << session.state().message;
  session.recover(DeviceLost("test"));
  ASSERT_TRUE(session.simulation()) << session.state().message;
  EXPECT_TRUE(session.state().playback);
  EXPECT_EQ(session.state().time, 0);
}

TEST(PlaybackSession, HasNoProbeAndNoForceErrors) {
  Files files(3, 0.5, circles);
  Session session;
  session.apply(files.source());
  session.apply(request::ShowProbe{1});
  const auto probe = session.new_probe();
  ASSERT_TRUE(probe);
  EXPECT_FALSE(*probe);
  EXPECT_THAT(session.state().message, testing::HasSubstr("no tree"));
  session.apply(request::MeasureForceErrors{});
  EXPECT_FALSE(session.state().force_errors);
  EXPECT_THAT(session.state().message, testing::HasSubstr("no forces"));
}

TEST(PlaybackSession, ReportsStarsAndWhetherTheFilesHaveVelocities) {
  for (const bool has_velocities : {true, false}) {
    Files files(3, 0.5, [&](double time) {
      Bodies bodies = circles(time);
      if (!has_velocities)
        for (Body& body : bodies) body.velocity = {};
      return bodies;
    });
    Session session;
    session.apply(files.source());
    session.apply(request::TrackStars{{{1}, true}});
    for (const double time : {0.0, 0.2}) {
      session.apply(request::Seek{time});
      session.update_stars();
      const StarReport& report = *session.state().stars;
      EXPECT_EQ(report.has_velocities, has_velocities) << time;
      EXPECT_EQ(report.time, time);
      ASSERT_EQ(report.stars.size(), 1u);
      EXPECT_EQ(report.stars[0].body.position, session.simulation()->bodies()[1].position);
    }
  }
}

TEST(PlaybackSession, LatestSeekReplacesEarlierOnes) {
  Files files(40, 0.5, circles);
  SimulationThread thread;
  thread.request(files.source());
  ASSERT_TRUE(eventually([&] { return thread.state().playback.has_value(); }));
  files.slow = true;
  const int before = files.reads;
  thread.request(request::Seek{1.2});
  ASSERT_TRUE(eventually([&] { return files.reads > before; }));
  for (int k = 4; k < 39; ++k) thread.request(request::Seek{0.5 * k + 0.2});
  files.slow = false;
  EXPECT_TRUE(eventually([&] { return thread.state().time == 19.2; }));
  EXPECT_LE(files.reads - before, 4);
}

}  // namespace
}  // namespace pericenter::test
