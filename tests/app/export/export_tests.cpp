#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "app/export/export.h"
#include "sim/files/body_ids.h"
#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/hdf5/reader.h"
#include "sim/files/hdf5/writer.h"
#include "sim/files/load.h"
#include "tests/support/bad_input.h"
#include "tests/support/program.h"

// `pericenter export`, from inside and from outside.

namespace pericenter::test {
namespace {

using app::ClusterCode;

Scene scene_of(const char* name, std::size_t bodies) {
  return find_scene(name)->make({.bodies = bodies, .seed = 5});
}

class BadExports : public testing::TestWithParam<BadInput> {};

TEST_P(BadExports, PrintOneErrorAndWriteNothing) {
  expect_refusal({"export", "--no-progress"}, GetParam());
}

const std::vector<BadInput> kBadInputs = {
    {{"out"}, 64, {"--for swift", "gadget4"}},
    {{"--for", "swift"}, 64, {"output folder"}},
    {{"--for", "gadget", "out"}, 64, {"'gadget'", "swift", "did you mean gadget4?"}},
    {{"--for", "swift", "out", "more"}, 64, {"more"}},
    {{"--for", "swift", "out", "--scene", "colision"}, 64, {"did you mean collision?"}},
    {{"--for", "swift", "out", "--softening", "-1"}, 64, {"softening", "-1"}},
    {{"--for", "swift", "out", "--softening", "0"}, 64, {"--softening is 0", "above 0"}},
    {{"--for", "swift", "out", "--load", "a.hdf5", "--seed", "3"}, 64, {"--load", "--seed"}},
    {{"--for", "swift", "out", "--scene", "solar-system"}, 65, {"no softening", "SWIFT", "--softening"}},
    {{"--for", "swift", "out", "--load", "a.hdf5"}, 66, {"a.hdf5", "no such file"}},
    {{"--for", "swift", "/dev/null"}, 73, {"/dev/null", "is a file"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, BadExports, testing::ValuesIn(kBadInputs));

/// A folder with the snapshot `name` of a run with these settings.
void save_run(const TemporaryFolder& folder, const std::string& name, const Words& settings) {
  Words words = {"--headless", "--no-progress", "--backend", "cpu", "-n", "100", "-s", "1", "--save", name};
  words.insert(words.end(), settings.begin(), settings.end());
  ASSERT_EQ(run_program({words, folder.path()}).exit_code, 0);
}

TEST(Exports, ATimeStepOf0IsRefusedWithACommandThatCanBePasted) {
  const TemporaryFolder folder;
  save_run(folder, "at rest.hdf5", {"--dt", "0"});
  for (const char* code : {"swift", "gadget4"}) {
    const Outcome outcome = run_program({{"export", "--for", code, "out", "--load", "at rest.hdf5"}, folder.path()});
    EXPECT_EQ(outcome.exit_code, 65);
    EXPECT_THAT(outcome.err, testing::HasSubstr("The time step of the bodies is 0"));
    EXPECT_THAT(outcome.err, testing::HasSubstr("--load 'at rest.hdf5' --dt TIME"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  }
}

TEST(Exports, DoNotReplaceTheirInput) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "out");
  save_run(folder, "out/ics.hdf5", {});
  const std::string before = text_of(folder / "out/ics.hdf5");
  const Outcome outcome =
      run_program({{"export", "--for", "swift", "out", "--load", "out/ics.hdf5", "--no-progress"}, folder.path()});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, testing::HasSubstr("name the same file"));
  EXPECT_EQ(text_of(folder / "out/ics.hdf5"), before);
}

TEST(Exports, AnyNameIsOneValueOfYaml) {
  const app::ClusterRun run =
      app::make_cluster_run("a\": [b]\\\ntime_end: 1", scene_of("plummer", 10), ClusterCode::swift);
  const std::string text = app::export_texts(run, ClusterCode::swift).front().text;
  EXPECT_THAT(text, testing::HasSubstr("\n  run_name: \"a\\\": [b]\\\\"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("\ntime_end: 1")));
}

TEST(Exports, RoundTripEqualsTheScene) {
  const TemporaryFolder folder;
  const Scene scene = scene_of("collision", 500);
  const double length = scene.units.length_kpc, velocity = scene.units.velocity_kms;
  for (const auto& [code, name] :
       std::map<ClusterCode, std::string>{{ClusterCode::swift, "swift"}, {ClusterCode::gadget4, "gadget4"}}) {
    const Outcome outcome =
        run_program({{"export", "--for", name, name, "-n", "500", "--seed", "5", "--no-progress"}, folder.path()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Snapshot snapshot = read_hdf5(folder / name / "ics.hdf5", {});
    EXPECT_EQ(snapshot.units, kGalacticUnits);
    EXPECT_NEAR(snapshot.softening, scene.params.softening * length, 1e-12);
    ASSERT_EQ(snapshot.bodies.size(), 500u);
    const double half_box = app::make_cluster_run("", scene, code).box_size / 2;
    for (std::size_t k = 0; k < snapshot.bodies.size(); ++k) {
      const Body& body = snapshot.bodies[k];
      const Body& made = scene.bodies.at(index_of_id(snapshot.ids[k]));
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(body.position[axis] - half_box, made.position[axis] * length, 1e-12 * (half_box + 100));
        EXPECT_NEAR(body.velocity[axis], made.velocity[axis] * velocity, 1e-12 * velocity);
      }
      EXPECT_NEAR(body.mass, made.mass * 5.0, 0.01 * body.mass) << "a disc of 5e10 suns has mass 1";
      EXPECT_EQ(body.tag, made.tag & 0xFFFF);
    }
  }
}

// The header of SWIFT's input has a scale factor of 1, as its isolated snapshots do.
TEST(Exports, AreReadAtTheirTime) {
  const TemporaryFolder folder;
  for (const ClusterCode code : {ClusterCode::swift, ClusterCode::gadget4}) {
    const std::string path = folder / std::to_string(static_cast<int>(code));
    app::export_scene("collision", scene_of("collision", 100), code, path, {});
    const Snapshot read = read_snapshot(path + "/ics.hdf5", {});
    EXPECT_EQ(read.time, 0);
    EXPECT_EQ(read.age_s, 0);
    for (const std::string& note : read.notes)
      EXPECT_THAT(note, testing::Not(testing::HasSubstr("osmological"))) << note;
  }
}

// Dust, and what else the image makes of discs, is in units of their scale length.
TEST(Exports, AreReadInUnitsOfTheirDiscs) {
  const TemporaryFolder folder;
  for (const char* name : {"collision", "galaxy", "m51"}) {
    const Scene scene = scene_of(name, 2000);
    const std::string path = folder / name;
    app::export_scene(name, scene, ClusterCode::gadget4, path, {});
    const Scene read = file_source(path + "/ics.hdf5", {}).load({}).scene;
    EXPECT_NEAR(read.units.length_kpc / scene.units.length_kpc, 1, 0.2) << name;
    EXPECT_NEAR(read.params.softening / scene.params.softening, 1, 0.2) << name;
  }
}

// Whatever the units, what moves the bodies is G m / (r v^2).
TEST(Exports, HaveTheSameDynamics) {
  for (const char* name : {"collision", "two-body", "plummer"}) {
    for (const double gravity : {1.0, 2.5}) {
      Scene scene = scene_of(name, 2);
      scene.params.gravity = gravity;
      const app::ClusterRun run = app::make_cluster_run(name, scene, ClusterCode::gadget4);
      const auto pull = [](const Body& body, double g, double softening) {
        return g * body.mass / (softening * dot(body.velocity, body.velocity));
      };
      const double expected = pull(scene.bodies[0], gravity, length(scene.bodies[0].position));
      const Body& body = run.snapshot.bodies[0];
      EXPECT_NEAR(pull(body, run.gravity, length(body.position)) / expected, 1, 1e-12) << name;
      const double steps = run.longest_step * length(body.velocity) / length(body.position);
      const Body& made = scene.bodies[0];
      EXPECT_NEAR(steps, std::abs(scene.params.dt) * length(made.velocity) / length(made.position), 1e-12) << name;
      EXPECT_EQ(run.assumed_units, std::string(name) != "collision");
    }
  }
}

TEST(Exports, EndAfterTheHighlight) {
  const Scene scene = scene_of("collision", 100);
  const app::ClusterRun run = app::make_cluster_run("collision", scene, ClusterCode::swift);
  const double unit = scene.units.length_kpc / scene.units.velocity_kms;
  EXPECT_GT(run.time_end, 2 * scene.highlight_time * unit);
  EXPECT_EQ(run.time_end / run.time_between, 128);
  EXPECT_GE(run.time_between, 2 * run.time_step);
  for (const Body& body : run.snapshot.bodies) {
    for (int k = 0; k < 3; ++k) {
      const double reach = std::abs(body.velocity[k]) * run.time_end;
      EXPECT_GT(body.position[k] - reach, 0);
      EXPECT_LT(body.position[k] + reach, run.box_size);
    }
  }
  EXPECT_EQ(app::make_cluster_run("", scene, ClusterCode::gadget4).box_size, 0);
}

// Both codes take steps of the whole time over a power of two, rounded down.
TEST(Exports, TimeStepsSuitBothCodes) {
  for (const char* name : {"collision", "antennae", "plummer"}) {
    const app::ClusterRun run = app::make_cluster_run(name, scene_of(name, 100), ClusterCode::swift);
    const double halvings = std::log2(run.time_end / run.time_step);
    EXPECT_EQ(halvings, std::round(halvings)) << name;
    EXPECT_NEAR(std::log2(run.time_step / run.longest_step), 0, 0.5 + 1e-9) << name;
    EXPECT_EQ(std::fmod(run.time_between, run.time_step), 0) << name;
  }
}

/// A run of this many time steps.
app::ClusterRun run_of(double steps, bool backwards = false) {
  Scene scene = scene_of("plummer", 10);
  scene.highlight_time = 8;
  scene.params.dt = 2.5 * scene.highlight_time / steps * (backwards ? -1 : 1);
  return app::make_cluster_run("plummer", std::move(scene), ClusterCode::swift);
}

// With fewer than 256 steps, 128 snapshots would be less than two steps apart.
TEST(Exports, OfShortRunsHaveASnapshotEveryTwoSteps) {
  struct Case {
    double steps, taken, snapshots;
  };
  for (const Case& each : {Case{0.3, 2, 1},
                           {1, 2, 1},
                           {2, 2, 1},
                           {3, 4, 2},
                           {100, 128, 64},
                           {170, 128, 64},
                           {200, 256, 128},
                           {3000, 4096, 128}}) {
    for (const bool backwards : {false, true}) {
      const app::ClusterRun run = run_of(each.steps, backwards);
      EXPECT_EQ(run.time_end / run.time_step, each.taken) << each.steps;
      EXPECT_EQ(run.time_end / run.time_between, each.snapshots) << each.steps;
      EXPECT_NEAR(run.time_end / run.longest_step, each.steps, 1e-9);
    }
  }
}

/// A parameter of GADGET-4 for this number of bodies.
double memory_for(std::size_t bodies) {
  app::ClusterRun run;
  run.snapshot.bodies.resize(bodies);
  const std::string text = app::export_texts(run, ClusterCode::gadget4).front().text;
  return std::stod(text.substr(text.find("MaxMemSize") + 10));
}

// 200 MB, with which the code starts, and 1 kB for each of the bodies that one of four processes holds.
TEST(Exports, MemoryOfGadget4GrowsWithTheBodies) {
  EXPECT_EQ(memory_for(0), 200);
  EXPECT_EQ(memory_for(400'000), 200 + 400'000 * 1e3 / 4 / 1e6);
  EXPECT_EQ(memory_for(1'000'000), 200 + 1'000'000 * 1e3 / 4 / 1e6);
}

/// The words of each line that is no comment.
std::map<std::string, std::string> parameters_of(const std::string& text) {
  std::map<std::string, std::string> parameters;
  std::istringstream lines(text);
  for (std::string line, name, value; std::getline(lines, line);) {
    std::istringstream words(line);
    if (line.empty() || line[0] == '%' || line[0] == '#' || !(words >> name)) continue;
    value.clear();
    words >> value;
    EXPECT_TRUE(parameters.emplace(name, value).second) << name << " is there twice";
  }
  return parameters;
}

TEST(Exports, Gadget4ParametersAreComplete) {
  const app::ClusterRun run = app::make_cluster_run("collision", scene_of("collision", 10), ClusterCode::gadget4);
  const std::vector<app::TextFile> files = app::export_texts(run, ClusterCode::gadget4);
  ASSERT_EQ(files.size(), 3u);
  const auto parameters = parameters_of(files[0].text);
  // All of those of the code's example G2-galaxy, for six types in one class of softening.
  EXPECT_EQ(parameters.size(), 40u + 8 + 3);
  for (const char* name : {"InitCondFile", "OutputDir", "ICFormat", "SnapFormat", "MaxMemSize", "ComovingIntegrationOn",
                           "Hubble", "MaxFilesWithConcurrentIO", "ErrTolThetaMax", "SofteningClassOfPartType5"}) {
    EXPECT_TRUE(parameters.contains(name)) << name;
  }
  EXPECT_EQ(parameters.at("InitCondFile"), "./ics");
  EXPECT_EQ(parameters.at("ICFormat"), "3");
  EXPECT_EQ(std::stod(parameters.at("SofteningMaxPhysClass0")), run.snapshot.softening);
  EXPECT_EQ(std::stod(parameters.at("GravityConstantInternal")), run.gravity);
  EXPECT_NEAR(run.gravity, 43009, 1);
  EXPECT_EQ(parameters.at("MaxMemSize"), "200");
  const double ratio = std::stod(parameters.at("MaxSizeTimestep")) / run.time_step;
  EXPECT_GT(ratio, 1);
  EXPECT_LT(ratio, 1.001);
  EXPECT_EQ(std::stod(parameters.at("TimeMax")), run.time_end);
  const auto options = parameters_of(files[1].text);
  EXPECT_TRUE(options.contains("SELFGRAVITY") && options.contains("EVALPOTENTIAL") && options.contains("IDS_64BIT") &&
              !options.contains("PERIODIC"));
}

TEST(Exports, SwiftParametersAreComplete) {
  const app::ClusterRun run = app::make_cluster_run("collision", scene_of("collision", 10), ClusterCode::swift);
  const std::vector<app::TextFile> files = app::export_texts(run, ClusterCode::swift);
  ASSERT_EQ(files.size(), 2u);
  const std::string& text = files[0].text;
  std::map<std::string, double> numbers;
  std::istringstream lines(text);
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
    if (line[0] != ' ')
      section = line.substr(0, colon);
    else
      numbers[section + line.substr(1, colon)] = std::atof(line.c_str() + colon + 1);
  }
  EXPECT_EQ(numbers.at("InternalUnitSystem UnitLength_in_cgs:"), kGalacticUnits.length_cm);
  EXPECT_EQ(numbers.at("TimeIntegration time_end:"), run.time_end);
  EXPECT_EQ(numbers.at("Gravity max_physical_DM_softening:"), run.snapshot.softening);
  EXPECT_EQ(numbers.at("PhysicalConstants G:"), run.gravity);
  EXPECT_EQ(numbers.at("Scheduler max_top_level_cells:"), 16);
  EXPECT_GT(numbers.at("TimeIntegration dt_max:"), run.time_step);
  EXPECT_LT(numbers.at("TimeIntegration dt_max:"), 1.001 * run.time_step);
  EXPECT_EQ(numbers.at("Snapshots delta_time:"), run.time_between);
  EXPECT_THAT(text, testing::HasSubstr("file_name: ics.hdf5\n  periodic:  0\n"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("\t"))) << "YAML has none";
}

TEST(Exports, ReadmesSayHowToRunAndPlay) {
  const auto readme = [](ClusterCode code) {
    const app::ClusterRun run = app::make_cluster_run("collision", scene_of("collision", 100), code);
    return app::export_texts(run, code).back().text;
  };
  for (const char* words : {"autoconf", "--play output/snapshot_0000.hdf5", "--without-metis", "MAC: geometric"})
    EXPECT_THAT(readme(ClusterCode::swift), testing::HasSubstr(words));
  for (const char* words : {"SYSTYPE=Generic-gcc make", "PYTHON=python3", "CPATH=/usr/include/hdf5/serial", "lower it",
                            "--play output/snapshot_000.hdf5", "your number of cores"})
    EXPECT_THAT(readme(ClusterCode::gadget4), testing::HasSubstr(words));
}

TEST(Exports, ReplaceOnlyExportsForTheSameCode) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& code) {
    return run_program({{"export", "--for", code, "out", "-n", "100", "--no-progress"}, folder.path()});
  };
  EXPECT_EQ(run("swift").exit_code, 0);
  EXPECT_EQ(run("swift").exit_code, 0);
  const std::string readme = text_of(folder / "out/README.txt");
  EXPECT_THAT(readme, testing::HasSubstr("swift_mpi --self-gravity"));
  EXPECT_THAT(readme, testing::Not(testing::HasSubstr("%")));
  const Outcome other = run("gadget4");
  EXPECT_EQ(other.exit_code, 73);
  EXPECT_THAT(other.err, testing::HasSubstr("not empty"));
  EXPECT_EQ(text_of(folder / "out/README.txt"), readme);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/param.txt"));
}

TEST(Exports, StartFromASnapshot) {
  const TemporaryFolder folder;
  const Scene scene = scene_of("collision", 100);
  Snapshot saved;
  saved.bodies = scene.bodies;
  saved.time = 10;
  saved.run.emplace();
  saved.run->scene = "collision";
  saved.run->params = scene.params;
  saved.run->units = scene.units;
  saved.run->highlight_time = scene.highlight_time;
  write_hdf5(folder / "saved.hdf5", saved, {});
  const Outcome outcome =
      run_program({{"export", "--for", "gadget4", "out", "--load", "saved.hdf5", "--no-progress"}, folder.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Snapshot back = read_hdf5(folder / "out/ics.hdf5", {});
  EXPECT_EQ(back.bodies.size(), 100u);
  EXPECT_FALSE(back.run);
  const double unit = scene.units.length_kpc / scene.units.velocity_kms;
  EXPECT_NEAR(std::stod(parameters_of(text_of(folder / "out/param.txt")).at("TimeMax")),
              2.5 * (scene.highlight_time - 10) * unit, 1e-9);
  // What came from elsewhere can be handed on, too.
  EXPECT_EQ(run_program({{"export", "--for", "swift", "two", "--load", "out/ics.hdf5"}, folder.path()}).exit_code, 0);
  EXPECT_EQ(read_hdf5(folder / "two/ics.hdf5", {}).bodies.size(), 100u);
  EXPECT_EQ(run_program({{"export", "--for", "swift", "no", "--load", "none.hdf5"}, folder.path()}).exit_code, 66);
}

}  // namespace
}  // namespace pericenter::test
