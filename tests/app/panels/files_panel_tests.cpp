#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "app/window/file_controller.h"
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
#if IMGUI_VERSION_NUM < 18700
    for (int key = 0; key < ImGuiKey_COUNT; ++key) ImGui::GetIO().KeyMap[key] = key;
#endif
  }

  void browse() {
    open_browser(folder.path().string(), ui.files.browser);
    for (int k = 0; k < 3; ++k) frame();
  }
  void press(ImGuiKey key) {
    for (const bool down : {true, false}) {
      press_key(key, down);
      const auto requests = ui.requests;
      frame();
      if (!down && ui.requests.empty()) ui.requests = requests;
    }
  }
  void type(const char* words) {
    ImGui::GetIO().AddInputCharactersUTF8(words);
    frame();
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

TEST_F(FilesPanel, TheBrowserOpensWhatIsChosen) {
  browse();
  EXPECT_TRUE(find("apple.csv"));
  EXPECT_FALSE(find("photo.png"));
  click("pear.csv");
  EXPECT_EQ(asked_path(), "nothing");
  click("Open chosen");
  EXPECT_EQ(asked_path(), (folder / "pear.csv").string());
  EXPECT_FALSE(ui.files.browser.open);
  frame();
  EXPECT_FALSE(find("pear.csv"));
}

TEST_F(FilesPanel, Fault16WhatTheLastSessionSavedIsOfferedInTheStatusLine) {
  FileController controller("");
  const std::string saved = (folder / "apple.csv").string();
  controller.offer_recovery(saved, ui);
  frame(60);
  EXPECT_TRUE(find("Open them")) << "it stays until it is opened or closed";
  EXPECT_THAT(ui.notice.text, testing::StartsWith("The previous session did not exit cleanly"));
  EXPECT_EQ(ui.files.recent, std::vector<std::string>{saved});
  click("Open them");
  EXPECT_EQ(asked_path(), saved);
  frame();
  EXPECT_FALSE(find("Open them"));
}

TEST_F(FilesPanel, TypingSearchesArrowsChooseAndEnterOpens) {
  browse();
  type("p");
  EXPECT_FALSE(find("box"));
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked_path(), (folder / "pear.csv").string());
}

TEST_F(FilesPanel, EnterGoesIntoAFolderAndBackspaceOutOfIt) {
  browse();
  press(ImGuiKey_Enter);
  frame();
  frame();
  EXPECT_EQ(ui.files.browser.folder, (folder / "box").string());
  EXPECT_TRUE(find("plum.csv"));
  press(ImGuiKey_Backspace);
  EXPECT_EQ(ui.files.browser.folder, folder.path().string());
}

TEST_F(FilesPanel, ATypedPathIsOpened) {
  browse();
  click("Path");
  ui.files.browser.path.clear();
  frame();
  click("Search");
  click("Path");
  type("box/plum.csv");
  press(ImGuiKey_Enter);
  EXPECT_EQ(asked_path().substr(asked_path().size() - 12), "box/plum.csv");
}

TEST_F(FilesPanel, OnlyRowsThatAreSeenAreDrawn) {
  const auto vertices_with = [&](int files) {
    for (int k = 0; k < files; ++k) write_text(folder / ("run-" + std::to_string(k) + ".csv"), "");
    browse();
    const int vertices = ImGui::GetDrawData()->TotalVtxCount;
    click("Close browser");
    return vertices;
  };
  const int few = vertices_with(100);
  EXPECT_LT(vertices_with(2000), few + few / 5);
  browse();
  for (int k = 0; k < 150; ++k) press(ImGuiKey_DownArrow);
  EXPECT_TRUE(find("run-147.csv")) << "what is chosen is seen";
  EXPECT_FALSE(find("run-0.csv"));
}

TEST_F(FilesPanel, CancelAndEscOpenNothing) {
  browse();
  click("Close browser");
  EXPECT_FALSE(ui.files.browser.open);
  browse();
  press(ImGuiKey_Escape);
  EXPECT_FALSE(ui.files.browser.open);
  EXPECT_FALSE(asked<request::LoadSource>());
}

TEST_F(FilesPanel, EverythingInTheBrowserExplainsItself) {
  browse();
  expect_tooltips({"Up", "Home", "Path", "Search", "box", "apple.csv", "All files", "Skip bad bodies", "Close browser",
                   "Open chosen"});
}

TEST_F(FilesPanel, EverythingInTheSectionExplainsItself) {
  click("Files");
  ui.files.series = {"/data/snap_000.csv", "/data/snap_001.csv"};
  ui.files.opened = state.file = ui.files.series[0];
  ui.files.note = "Two bodies were left out.";
  ui.files.saved = "/data/a.hdf5";
  expect_tooltips({"Open ...", "Recent", "Loaded", "Note", "Play series", "Save as", "Save", "Snapshot"});
  state.recorded = TimeRange{0, 1};
  ui.files.saving = 0.5;
  expect_tooltips({"Only this file", "Stop saving", "Saving"});
}

TEST_F(FilesPanel, ButtonsAskToOpenAndToSave) {
  click("Files");
  click("Open ...");
  EXPECT_TRUE(commanded(Action::open_file));
  click("Save");
  EXPECT_TRUE(commanded(Action::save_snapshot));
  ui.files.saving = 0.3;
  frame();
  EXPECT_FALSE(find("Save"));
  click("Stop saving");
  EXPECT_TRUE(commanded(Action::cancel_save));
}

TEST_F(FilesPanel, RecentFilesAreOpenedUnlessTheyAreGone) {
  const std::string here = folder / "apple.csv", gone = folder / "gone.csv";
  ui.files.recent = {gone, here};
  click("Files");
  open_list("Recent");
  click(gone);
  EXPECT_EQ(asked_path(), "nothing");
  frame(1);
  frame(1);
  EXPECT_THAT(log.tooltip, testing::HasSubstr("There is no"));
  click(here);
  EXPECT_EQ(asked_path(), here);
}

TEST_F(FilesPanel, OffersTheSeriesAndTheOneFile) {
  click("Files");
  EXPECT_FALSE(find("Loaded"));
  state.scene = "pear";
  state.file = folder / "pear.csv";
  frame();
  EXPECT_TRUE(find("Loaded"));
  EXPECT_FALSE(find("Play series"));
  ui.files.opened = state.file;
  ui.files.series = {folder / "apple.csv", state.file};
  click("Play series");
  EXPECT_NE(asked_path(), "nothing");
  state.recorded = TimeRange{0, 1};
  ui.files.series = {folder / "apple.csv", state.file};
  click("Only this file");
  EXPECT_EQ(asked_path(), state.file);
}

TEST_F(FilesPanel, TheListOfScenesHasNoneWhileAFileIsShown) {
  state.file = "/data/galaxy.csv";  // whose name is that of a scene
  state.scene = "galaxy";
  frame();
  EXPECT_FALSE(find("Apply"));
  state.file.clear();
  frame();
  EXPECT_TRUE(find("Apply"));
}

TEST_F(FilesPanel, TheListOfScenesIsSearched) {
  click("Scene");
  click("Scene");
  frame();
  const auto combo =
      std::find_if(log.items.rbegin(), log.items.rend(), [](const auto& item) { return item.label == "Scene"; });
  point_at(*combo);
  frame();
  press_mouse(true);
  frame();
  press_mouse(false);
  frame();
  frame();
  type("plummer sph");
  frame();
  EXPECT_TRUE(find("Plummer sphere"));
  EXPECT_FALSE(find("Galaxy collision"));
  press(ImGuiKey_Enter);
  ASSERT_TRUE(asked<request::LoadScene>());
  EXPECT_EQ(asked<request::LoadScene>()->name, "plummer");
}

}  // namespace
}  // namespace pericenter::app
