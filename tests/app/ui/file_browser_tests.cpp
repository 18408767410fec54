#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/ui/file_browser.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

Names names_of(const FileBrowser& browser) {
  Names names;
  for (const FolderEntry* entry : shown(browser)) names.push_back(entry->name);
  return names;
}

/// A folder with files of all kinds.
class Browser : public ::testing::Test {
 protected:
  Browser() {
    for (const char* name : {"snap_10.hdf5", "snap_9.hdf5", "plot.png", "snapshot_010", "ics.gad.0", "Stars.CSV",
                             "part_00001.out00002", "outline.outer"})
      write_text(folder / name, "12345");
    for (const char* name : {"zoo", ".hidden"}) std::filesystem::create_directory(folder / name);
    std::filesystem::create_symlink("nowhere", folder / "broken.csv");
    open_browser(folder.path().string(), browser);
  }
  TemporaryFolder folder;
  FileBrowser browser;
};

TEST_F(Browser, ListsFoldersFirstInNaturalOrder) {
  EXPECT_EQ(names_of(browser), (Names{"zoo", "Stars.CSV", "ics.gad.0", "part_00001.out00002", "snap_9.hdf5",
                                      "snap_10.hdf5", "snapshot_010"}));
  EXPECT_EQ(shown(browser)[1]->bytes, 5u);
  EXPECT_GT(shown(browser)[1]->changed, 1'500'000'000);
  browser.all = true;
  EXPECT_EQ(shown(browser).size(), 10u);
}

TEST_F(Browser, SearchIgnoresCase) {
  browser.search = "STAR";
  EXPECT_EQ(names_of(browser), Names{"Stars.CSV"});
  browser.search = "no match";
  EXPECT_TRUE(shown(browser).empty());
}

TEST_F(Browser, GoesUpAndSelectsTheFolder) {
  go_to((folder / "zoo").string(), browser);
  EXPECT_TRUE(browser.entries.empty());
  EXPECT_EQ(browser.problem, "");
  go_up(browser);
  EXPECT_EQ(browser.folder, folder.path().string());
  EXPECT_EQ(shown(browser)[static_cast<std::size_t>(browser.chosen)]->name, "zoo");
  go_to("/", browser);
  go_up(browser);
  EXPECT_EQ(browser.folder, "/");
}

TEST_F(Browser, ReportsAnUnreadableFolderAndReopensTheLastOne) {
  go_to((folder / "gone").string(), browser);
  EXPECT_THAT(browser.problem, testing::HasSubstr("No such"));
  go_to((folder / "zoo").string(), browser);
  browser.open = false;
  open_browser("/", browser);
  EXPECT_TRUE(browser.open);
  EXPECT_EQ(browser.folder, (folder / "zoo").string());
}

TEST(FullPath, ResolvesTypedPaths) {
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(full_path("a.csv", "/data"), "/data/a.csv");
  EXPECT_EQ(full_path("../b/", "/data/x"), "/data/b");
  EXPECT_EQ(full_path("/abs/c", "/data"), "/abs/c");
  EXPECT_EQ(full_path("~/c", "/data"), "/home/me/c");
  EXPECT_EQ(full_path("~", "/data"), "/home/me");
  EXPECT_EQ(full_path("/", "/data"), "/");
}

TEST(RecentFiles, AreTheLastTenAlsoInTheNextSession) {
  const TemporaryFolder folder;
  const std::string place = folder / "recent.txt";
  RecentFiles recent(place);
  for (int k = 0; k < 12; ++k) recent.add("/data/" + std::to_string(k));
  recent.add("/data/5");
  const RecentFiles again(place);
  EXPECT_EQ(again.paths(), recent.paths());
  ASSERT_EQ(again.paths().size(), 10u);
  EXPECT_EQ(again.paths()[0], "/data/5");
  EXPECT_EQ(again.paths()[1], "/data/11");
  EXPECT_EQ(again.paths()[9], "/data/2");
  EXPECT_EQ(folder.names(), Names{"recent.txt"});
}

TEST(RecentFiles, ThrowOnceIfTheyCannotBeStored) {
  const TemporaryFolder folder;
  RecentFiles recent(folder / "none/recent.txt");
  EXPECT_THROW(recent.add("/data/a"), FileError);
  EXPECT_NO_THROW(recent.add("/data/b"));
  EXPECT_EQ(recent.paths(), (Names{"/data/b", "/data/a"}));
}

}  // namespace
}  // namespace pericenter::app
