#include "app/window/imgui_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "app/base/atomic_file.h"
#include "app/window/settings_dir.h"
#include "sim/core/fault_injection.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

/// An ImGui context without a window.
class Layout : public ::testing::Test {
 protected:
  Layout() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    store_look(look);
  }
  ~Layout() override {
    ImGui::DestroyContext();
    plan_fault("");
  }

  const TemporaryFolder folder;
  const std::string file = folder / "imgui.ini";
  StoredLook look;
  Theme& theme = look.theme;
};

#if IMGUI_VERSION_NUM < 18700
// Regression: Enter that was released before the next frame, at 20 frames per second, was lost in number fields.
TEST_F(Layout, AShortPressLastsForOneFrame) {
  ShortPresses keys;
  const auto& down = ImGui::GetIO().KeysDown;
  keys.press(257);
  keys.press(-1);
  keys.begin_frame();
  EXPECT_TRUE(down[257]);
  keys.begin_frame();
  EXPECT_FALSE(down[257]);
  ImGui::GetIO().KeysDown[257] = true;  // held down by the user
  keys.press(257);
  keys.begin_frame();
  keys.begin_frame();
  EXPECT_TRUE(down[257]);
}
#endif

TEST_F(Layout, IsStoredForTheNextSession) {
  LayoutStore before(file);
  EXPECT_EQ(before.load(), "");
  theme = Theme::light;
  look.reduced_motion = true;
  before.save();
  theme = Theme::dark;
  look.reduced_motion = false;
  LayoutStore after(file);
  EXPECT_EQ(after.load(), "");
  EXPECT_EQ(theme, Theme::light);
  EXPECT_TRUE(look.reduced_motion);
  std::filesystem::remove(file);
  after.save();
  EXPECT_TRUE(folder.names().empty()) << "nothing has changed";
}

TEST_F(Layout, DamagedFilesAreRenamedAndDefaultsUsed) {
  const std::string valid =
      "[Window][Panel]\nPos=0,0\nSize=460,775\nCollapsed=0\n\n[Pericenter][Look]\nTheme=light\n\n";
  EXPECT_EQ(problem_with_layout(valid), "");
  EXPECT_EQ(problem_with_layout(""), "");
  for (const std::string& wrong :
       {std::string("\xff\x00\x01garbage", 10), std::string(70'000, '\n'), std::string("[Window][Pan"),
        std::string("no layout\n"), std::string("[Table][0x1,2000000000]\nRefScale=13\n")}) {
    write_text(file, valid + wrong);
    LayoutStore store(file);
    const std::string problem = store.load();
    EXPECT_THAT(problem, testing::HasSubstr(" imgui.ini.bad"));
    EXPECT_EQ(theme, Theme::dark);
    EXPECT_EQ(text_of(file + ".bad"), valid + wrong);
    EXPECT_EQ(folder.names(), Names{"imgui.ini.bad"});
    store.save();
    EXPECT_EQ(LayoutStore(file).load(), "");
    std::filesystem::remove(file);
  }
}

TEST_F(Layout, APipeOrAFolderDoesNotBlock) {
  for (const bool pipe : {false, true}) {
    if (pipe)
      ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    else
      std::filesystem::create_directory(file);
    LayoutStore store(file);
    EXPECT_THAT(store.load(), testing::HasSubstr("cannot be read"));
    store.save();
    EXPECT_EQ(folder.names(), (Names{"imgui.ini", "imgui.ini.bad"}));
    for (const std::string& name : folder.names()) std::filesystem::remove(folder / name);
  }
}

TEST_F(Layout, AFullDiskIsReportedOnceAndTheOldFileStays) {
  write_text(file, "[Pericenter][Look]\nTheme=light\n");
  LayoutStore store(file);
  store.load();
  plan_fault("disk_full");
  theme = Theme::dark;
  EXPECT_THROW(store.save(), FileError);
  EXPECT_NO_THROW(store.save());
  EXPECT_EQ(folder.names(), Names{"imgui.ini"});
  EXPECT_EQ(text_of(file), "[Pericenter][Look]\nTheme=light\n");
}

TEST(SettingsDir, IsEmptyIfItCannotBeCreated) {
  const TemporaryFolder folder;
  ::unsetenv("XDG_CONFIG_HOME");
  ::unsetenv("HOME");
  EXPECT_EQ(layout_path(), "");
  EXPECT_EQ(cameras_path(), "");
  EXPECT_EQ(recent_files_path(), "");
  ::setenv("HOME", "/dev/null", 1);
  EXPECT_EQ(layout_path(), "");
  ::setenv("HOME", folder.path().c_str(), 1);
  EXPECT_EQ(layout_path(), folder / ".config/pericenter/imgui.ini");
}

}  // namespace
}  // namespace pericenter::app
