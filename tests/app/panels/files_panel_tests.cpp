#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "app/panels/file_units.h"
#include "app/ui/send_requests.h"
#include "app/window/file_controller.h"
#include "sim/files/stated.h"
#include "tests/support/panel_fixture.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

class FilesPanel : public Panels {
 protected:
  FilesPanel() {
    for (const char* name : {"apple.csv", "pear.csv", "photo.png"}) write_text(folder / name, "");
    std::filesystem::create_directory(folder / "box");
    write_text(folder / "box/plum.csv", "");
  }

  void browse() {
    open_browser(folder.path().string(), ui.files.browser);
    for (int k = 0; k < 3; ++k) frame();
  }
  bool commanded(Action action) const {
    return std::find(ui.commands.begin(), ui.commands.end(), Command{action}) != ui.commands.end();
  }
  std::string asked_path() const {
    const auto* load = asked<request::LoadSource>();
    return load ? load->source->path : "nothing";
  }

  void expect_tooltips(const std::vector<std::string>& labels) {
    frame();
    for (const std::string& label : labels) {
      const auto item = find(label);
      ASSERT_TRUE(item) << label;
      point_at(*item);
      for (int k = 0; k < 3; ++k) frame(0.5f);
      EXPECT_FALSE(log.tooltip.empty()) << label;
    }
  }

  TemporaryFolder folder;
};

TEST_F(FilesPanel, DialogOpensSelectedFile) {
  browse();
  EXPECT_TRUE(find("file/apple.csv"));
  EXPECT_FALSE(find("file/photo.png"));
  click("file/pear.csv");
  EXPECT_EQ(asked_path(), "nothing");
  click("open-selected");
  EXPECT_EQ(asked_path(), (folder / "pear.csv").string());
  EXPECT_FALSE(ui.files.browser.open);
  frame();
  EXPECT_FALSE(find("file/pear.csv"));
}

TEST_F(FilesPanel, Fault16OffersRecoverySnapshot) {
  FileController controller("");
  const std::string saved = (folder / "apple.csv").string();
  controller.offer_recovery({saved}, ui);
  frame(60);
  EXPECT_TRUE(find("open-recovery")) << "stays until it is opened or closed";
  EXPECT_THAT(ui.notices.shown.text, testing::StartsWith("The previous session did not exit cleanly"));
  EXPECT_EQ(ui.files.recent, std::vector<std::string>{saved});
  click("open-recovery");
  EXPECT_EQ(asked_path(), saved);
  frame();
  EXPECT_FALSE(find("open-recovery"));
}

TEST_F(FilesPanel, UnitsOfTheLoadedFileCanBeStated) {
  click("files-panel");
  state.file = (folder / "pear.csv").string();
  frame();
  EXPECT_FALSE(find("usual-units")) << "a saved run has its own";
  state.file_measures = {.radius = 5, .mass = 1, .virial_ratio = 43007};
  frame();
  EXPECT_TRUE(find("half-radius"));
  EXPECT_TRUE(find("units-far"));
  EXPECT_FALSE(find("apply-units")) << "nothing to apply";
  ui.files.units = "length=kpc";
  frame();
  EXPECT_THAT(find("units-problem")->label, testing::HasSubstr("State two of length"));
  click("apply-units");
  EXPECT_EQ(asked_path(), "nothing");
  ui.files.units = "length=kpc mass=1e10 Msun velocity=km/s";
  frame();
  EXPECT_FALSE(find("units-far")) << "shown before it is applied";
  click("apply-units");
  EXPECT_EQ(asked_path(), state.file);
  EXPECT_EQ(ui.files.read.stated.units, units_from(ui.files.units));
  state.file_options = ui.files.read;
  ui.files.units.clear();
  frame();
  EXPECT_TRUE(find("units-far")) << "as in the file, not as applied";
  open_files({(folder / "apple.csv").string()}, ui.files, ui);
  EXPECT_FALSE(ui.files.read.stated.any()) << "it was about another file";
  EXPECT_EQ(ui.files.units, "");
}

TEST(FileMeasureTexts, HaveTheUnitOfTheirSize) {
  const FileMeasures measures{.radius = 19, .mass = 100};
  const MeasureTexts galaxy =
      measure_texts(measures, stated_units(units_from("length=kpc mass=1e10 Msun velocity=km/s"), {}));
  EXPECT_EQ(galaxy.radius, "19 kpc");
  EXPECT_EQ(galaxy.mass, "10¹² Msun");
  EXPECT_EQ(galaxy.period, "347 Myr");
  EXPECT_EQ(measure_texts(measures, stated_units(units_from("length=pc mass=Msun velocity=km/s"), {})).radius, "19 pc");
  const MeasureTexts planets =
      measure_texts(measures, stated_units(units_from("length=AU mass=Msun velocity=km/s"), {}));
  EXPECT_EQ(planets.radius, "19 AU");
  EXPECT_THAT(planets.period, testing::EndsWith(" yr"));
  EXPECT_EQ(measure_texts(measures, {}).radius, "19");
}

TEST_F(FilesPanel, APeriodicVolumeIsANumber) {
  click("files-panel");
  state.file = (folder / "pear.csv").string();
  state.file_measures = {.radius = 5, .mass = 1, .virial_ratio = 1};
  for (const char* text : {"x", "-1", "1 kpc", "inf", "nan"}) {
    ui.files.periodic = text;
    frame();
    EXPECT_TRUE(find("units-problem")) << text;
  }
  ui.files.periodic = "100";
  frame();
  click("apply-units");
  EXPECT_EQ(ui.files.read.stated.box, 100);
}

TEST_F(FilesPanel, APartOfTheFileIsChosenAndCounted) {
  click("files-panel");
  state.file = (folder / "pear.csv").string();
  state.bodies = 1005;
  state.file_measures = {.radius = 5, .mass = 1, .virial_ratio = 1};
  state.file_measures.census.types[1].bodies = 1000;
  state.file_measures.census.types[4].bodies = 5;
  frame();
  EXPECT_THAT(find("file-kept")->label, testing::HasSubstr("1,005 of 1,005"));
  EXPECT_THAT(find("file-type/halo")->label, testing::HasSubstr("1,000"));
  EXPECT_FALSE(find("file-type/gas")) << "the file has none";
  ui.widgets.search.words = "types";
  for (int k = 0; k < 3; ++k) frame();
  EXPECT_TRUE(find("file-type/star"));
  ui.widgets.search.words.clear();
  frame();
  EXPECT_FALSE(find("apply-units"));
  ui.files.every = "10";
  frame();
  EXPECT_THAT(find("file-kept")->label, testing::HasSubstr("101 of 1,005")) << "shown before it is applied";
  click("file-type/halo");
  frame();
  EXPECT_THAT(find("file-kept")->label, testing::HasSubstr("1 of 1,005"));
  click("file-type/star");
  EXPECT_EQ(ui.files.types, 1u << 4) << "one type stays";
  ui.files.region = "1 2 3";
  frame();
  EXPECT_THAT(find("units-problem")->label, testing::HasSubstr("four numbers"));
  ui.files.region = "1 2 3 4";
  frame();
  EXPECT_THAT(find("file-kept")->label, testing::HasSubstr("at most 1 of 1,005"));
  click("apply-units");
  EXPECT_EQ(asked_path(), state.file);
  const Selection applied{.every = 10, .types = 1u << 4, .region = Region{{1, 2, 3}, 4}};
  EXPECT_EQ(ui.files.read.selection, applied);
  EXPECT_EQ(asked<request::LoadSource>()->source->options.selection, applied);
  open_files({(folder / "apple.csv").string()}, ui.files, ui);
  EXPECT_FALSE(ui.files.read.selection.any()) << "it was about another file";
  EXPECT_EQ(ui.files.every + ui.files.region, "");
}

TEST_F(FilesPanel, TheNumberOfBodiesIsWhole) {
  click("files-panel");
  state.file = (folder / "pear.csv").string();
  state.file_measures = {.radius = 5, .mass = 1, .virial_ratio = 1};
  state.file_measures.census.types[1].bodies = 1000;
  for (const char* text : {"x", "-1", "0", "1.5", "1e3"}) {
    ui.files.every = text;
    frame();
    EXPECT_TRUE(find("units-problem")) << text;
  }
}

TEST_F(FilesPanel, DialogSearchesAndOpensByKeyboard) {
  browse();
  type("p");
  EXPECT_FALSE(find("file/box"));
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked_path(), (folder / "pear.csv").string());
}

TEST_F(FilesPanel, DialogChangesFolderByKeyboard) {
  browse();
  press(ImGuiKey_Enter);
  frame();
  frame();
  EXPECT_EQ(ui.files.browser.folder, (folder / "box").string());
  EXPECT_TRUE(find("file/plum.csv"));
  press(ImGuiKey_Backspace);
  EXPECT_EQ(ui.files.browser.folder, folder.path().string());
}

TEST_F(FilesPanel, DialogOpensTypedPath) {
  browse();
  ui.files.browser.path.clear();
  click("path");
  type("box/plum.csv");
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked_path(), (folder / "box/plum.csv").string());
}

// Regression: the repeat of a held Enter key opened the first file of the folder that it had just opened.
TEST_F(FilesPanel, HeldEnterOpensFolderOnly) {
  browse();
  press_key(ImGuiKey_Enter, true);
  for (int k = 0; k < 20; ++k) {
    frame(0.1f);
    EXPECT_EQ(asked_path(), "nothing");
  }
  EXPECT_TRUE(ui.files.browser.open);
  EXPECT_EQ(ui.files.browser.folder, (folder / "box").string());
}

// Regression: the dialog closed, and the error appeared only in the status line.
TEST_F(FilesPanel, MistypedPathKeepsDialogOpen) {
  browse();
  ui.files.browser.path.clear();
  click("path");
  type("box/plumm.csv");
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked_path(), "nothing");
  EXPECT_TRUE(ui.files.browser.open);
  frame();
  ASSERT_TRUE(find("path-problem"));
  EXPECT_THAT(find("path-problem")->label,
              testing::HasSubstr((folder / "box/plumm.csv").string() + " does not exist. Check the path."));
  click("file/pear.csv");
  click("open-selected");
  EXPECT_EQ(asked_path(), (folder / "pear.csv").string());
  browse();
  EXPECT_FALSE(find("path-problem"));
}

TEST_F(FilesPanel, FilesThatCannotBeOpenedAreExplained) {
  EXPECT_EQ(problem_with_file((folder / "pear.csv").string()), "");
  EXPECT_THAT(problem_with_file("/dev/null"), testing::HasSubstr("is not a file"));
  EXPECT_THAT(problem_with_file((folder / "pear.csv/x").string()), testing::HasSubstr("does not exist"));
  EXPECT_THAT(problem_with_file(std::string(300, 'x')), testing::HasSubstr("Cannot open"));
}

TEST_F(FilesPanel, EnterInTheNameSaves) {
  click("files-panel");
  click("save-as");
  type("mine");
  press_key(ImGuiKey_Enter, true);
  frame();
  EXPECT_TRUE(commanded(Action::save_snapshot));
  EXPECT_EQ(ui.files.save_as, "mine");
}

TEST_F(FilesPanel, DialogDrawsOnlyVisibleRows) {
  const auto vertices_with = [&](int files) {
    for (int k = 0; k < files; ++k) write_text(folder / ("run-" + std::to_string(k) + ".csv"), "");
    browse();
    const int vertices = ImGui::GetDrawData()->TotalVtxCount;
    click("close-dialog");
    return vertices;
  };
  const int few = vertices_with(100);
  EXPECT_LT(vertices_with(2000), few + few / 5);
  browse();
  for (int k = 0; k < 150; ++k) press(ImGuiKey_DownArrow);
  EXPECT_TRUE(find("file/run-147.csv")) << "the selection is visible";
  EXPECT_FALSE(find("file/run-0.csv"));
}

TEST_F(FilesPanel, CancelAndEscCloseDialog) {
  browse();
  click("close-dialog");
  EXPECT_FALSE(ui.files.browser.open);
  browse();
  press(ImGuiKey_Escape);
  EXPECT_FALSE(ui.files.browser.open);
  EXPECT_FALSE(asked<request::LoadSource>());
}

// Regression: pressed in the frame in which the text field took the keyboard, Esc closed the dialog and then also the
// title of the scene.
TEST_F(FilesPanel, EscThatClosesTheDialogDoesNothingElse) {
  browse();
  keyed = {{Action::close_dialogs}};  // the key is sent to the window, too
  press_key(ImGuiKey_Escape, true);
  frame();
  EXPECT_FALSE(ui.files.browser.open);
  EXPECT_TRUE(ui.commands.empty());
  press_key(ImGuiKey_Escape, false);
}

TEST_F(FilesPanel, DialogHasTooltips) {
  browse();
  expect_tooltips({"parent-folder", "home-folder", "path", "file-search", "file/box", "file/apple.csv", "all-files",
                   "skip-invalid-rows", "close-dialog", "open-selected"});
}

TEST_F(FilesPanel, HasTooltips) {
  click("files-panel");
  ui.files.series = {"/data/snap_000.csv", "/data/snap_001.csv"};
  ui.files.opened = state.file = ui.files.series[0];
  ui.files.note = "Two bodies were left out.";
  ui.files.saved = "/data/a.hdf5";
  expect_tooltips(
      {"open-file", "recent", "loaded-file", "load-note", "play-series", "save-as", "save-snapshot", "saved-snapshot"});
  state.playback = TimeRange{0, 1};
  ui.files.saving = 0.5;
  expect_tooltips({"load-single", "stop-saving", "save-progress"});
}

TEST_F(FilesPanel, OpensAndSaves) {
  click("files-panel");
  click("open-file");
  EXPECT_TRUE(commanded(Action::open_file));
  click("save-snapshot");
  EXPECT_TRUE(commanded(Action::save_snapshot));
  ui.files.saving = 0.3;
  frame();
  EXPECT_FALSE(find("save-snapshot"));
  click("stop-saving");
  EXPECT_TRUE(commanded(Action::cancel_save));
}

TEST_F(FilesPanel, OpensRecentFiles) {
  const std::string here = folder / "apple.csv", gone = folder / "gone.csv";
  ui.files.recent = {gone, here};
  click("files-panel");
  choose("recent", gone);
  EXPECT_EQ(asked_path(), "nothing");
  frame(1);
  frame(1);
  EXPECT_THAT(log.tooltip, testing::HasSubstr("no longer exists"));
  click("recent/" + here);
  EXPECT_EQ(asked_path(), here);
}

TEST_F(FilesPanel, OffersSeriesAndSingleFile) {
  click("files-panel");
  EXPECT_FALSE(find("loaded-file"));
  state.scene = "pear";
  state.file = folder / "pear.csv";
  frame();
  EXPECT_TRUE(find("loaded-file"));
  EXPECT_FALSE(find("play-series"));
  ui.files.opened = state.file;
  ui.files.series = {folder / "apple.csv", state.file};
  click("play-series");
  EXPECT_NE(asked_path(), "nothing");
  state.playback = TimeRange{0, 1};
  ui.files.series = {folder / "apple.csv", state.file};
  click("load-single");
  EXPECT_EQ(asked_path(), state.file);
}

class ScenePanel : public FilesPanel {};

TEST_F(ScenePanel, HasNoSceneWhileFileIsLoaded) {
  state.file = "/data/galaxy.csv";  // also the name of a scene
  state.scene = "galaxy";
  frame();
  EXPECT_FALSE(find("apply-scene"));
  state.file.clear();
  frame();
  EXPECT_TRUE(find("apply-scene"));
}

TEST_F(ScenePanel, SearchesScenes) {
  open_list("scene");
  type("plummer sph");
  frame();
  EXPECT_TRUE(find("scene/plummer"));
  EXPECT_FALSE(find("scene/collision"));
  press(ImGuiKey_Enter);
  ASSERT_TRUE(asked<request::LoadScene>());
  EXPECT_EQ(asked<request::LoadScene>()->name, "plummer");
}

}  // namespace
}  // namespace pericenter::app
