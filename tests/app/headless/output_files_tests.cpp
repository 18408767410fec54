#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "app/base/atomic_file.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Exit code of the FileError that writing throws; kOk when it throws none.
ExitCode code_of_writing(const std::string& path, const std::string& text) {
  try {
    write_file(path, bytes_of(text));
  } catch (const FileError& error) {
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr(path)) << error.what();
    return error.code;
  }
  return kOk;
}

TEST(WriteFile, WritesAllAndLeavesNothingElse) {
  const TemporaryFolder folder;
  const std::string text(300'000, 'x');
  write_file(folder / "a", bytes_of(text));
  EXPECT_EQ(text_of(folder / "a"), text);
  write_file(folder / "a", bytes_of(""));
  EXPECT_EQ(text_of(folder / "a"), "");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(WriteFile, GoesThroughALinkAndLeavesTheLink) {
  const TemporaryFolder folder;
  write_text(folder / "target", "old");
  std::filesystem::create_symlink("target", folder / "link");
  write_file(folder / "link", bytes_of("new"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(text_of(folder / "target"), "new");
}

TEST(WriteFile, WritesToAPipeWithoutReplacingIt) {
  const TemporaryFolder folder;
  const std::string path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_EQ(code_of_writing(path, "through"), kOk);
  std::array<char, 16> got = {};
  EXPECT_EQ(::read(reader, got.data(), got.size()), 7);
  EXPECT_STREQ(got.data(), "through");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  ::close(reader);
}

TEST(WriteFile, CannotCreateWhereThereIsNoFolder) {
  const TemporaryFolder folder;
  write_text(folder / "file", "");
  EXPECT_EQ(code_of_writing(folder / "none/a", "text"), kCannotCreate);
  EXPECT_EQ(code_of_writing(folder / "file/a", "text"), kCannotCreate);
  EXPECT_EQ(code_of_writing(folder.path(), "text"), kCannotCreate);
  EXPECT_EQ(code_of_writing("", "text"), kCannotCreate);
  EXPECT_EQ(code_of_writing(folder / std::string(300, 'n'), "text"), kCannotCreate);
  EXPECT_EQ(folder.names(), Names{"file"});
}

TEST(WriteFile, CannotCreateWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const TemporaryFolder folder;
  write_text(folder / "kept", "old");
  ::chmod((folder / "kept").c_str(), 0444);
  EXPECT_EQ(code_of_writing(folder / "kept", "text"), kCannotCreate);
  ::chmod(folder.path().c_str(), 0555);
  EXPECT_EQ(code_of_writing(folder / "a", "text"), kCannotCreate);
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_EQ(folder.names(), Names{"kept"});
}

/// A disk of 64 KiB.
class SmallDisk {
 public:
  explicit SmallDisk(const std::filesystem::path& folder) : folder_(folder) {
    mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=64k") == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount(folder_.c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }

 private:
  std::filesystem::path folder_;
  bool mounted_ = false;
};

TEST(WriteFile, FullDiskLeavesTheOldFile) {
  const TemporaryFolder folder;
  const SmallDisk disk(folder.path());
  if (!disk.mounted()) GTEST_SKIP() << "only root may mount a small disk";
  write_text(folder / "a", "old");
  EXPECT_EQ(code_of_writing(folder / "a", std::string(200'000, 'x')), kIoError);
  EXPECT_EQ(folder.names(), Names{"a"});
  EXPECT_EQ(text_of(folder / "a"), "old");
}

TEST(CheckCanCreate, LeavesNoTrace) {
  const TemporaryFolder folder;
  check_can_create(folder / "a");
  EXPECT_TRUE(folder.names().empty());
  EXPECT_THROW(check_can_create(folder / "none/a"), FileError);
}

TEST(NewPicturePath, NeverNamesAFileThatExists) {
  const TemporaryFolder folder;
  ::setenv("XDG_PICTURES_DIR", folder.path().c_str(), 1);
  EXPECT_EQ(new_output_path("galaxy"), folder / "pericenter-galaxy-0001.png");
  write_text(folder / "pericenter-galaxy-0001.png", "");
  std::filesystem::create_symlink("nowhere", folder / "pericenter-galaxy-0002.png");
  EXPECT_EQ(new_output_path("galaxy"), folder / "pericenter-galaxy-0003.png");
  ::setenv("XDG_PICTURES_DIR", (folder / "none").c_str(), 1);
  ::setenv("HOME", folder.path().c_str(), 1);
  EXPECT_EQ(new_output_path("galaxy"), "pericenter-galaxy-0001.png");
  std::filesystem::create_directory(folder / "Pictures");
  EXPECT_EQ(new_output_path("galaxy"), folder / "Pictures" / "pericenter-galaxy-0001.png");
}

TEST(NewPicturePath, NumbersFilmsAndTheirFramesToo) {
  const TemporaryFolder folder;
  ::setenv("XDG_PICTURES_DIR", folder.path().c_str(), 1);
  write_text(folder / "pericenter-galaxy-0001.mp4", "");
  std::filesystem::create_directory(folder / "pericenter-galaxy-0002-frames");
  EXPECT_EQ(new_output_path("galaxy", ".mp4"), folder / "pericenter-galaxy-0003.mp4");
  EXPECT_EQ(new_output_path("galaxy"), folder / "pericenter-galaxy-0001.png");
}

TEST(WriteFile, AllowsTheLongestNames) {
  const TemporaryFolder folder;
  std::string longest;
  while (longest.size() < 250) longest += "é";  // so that a cut may fall inside of a character
  for (const std::string& name : {longest, longest + "1.mp4"}) {
    EXPECT_EQ(code_of_writing(folder / name, "text"), kOk);
    EXPECT_EQ(text_of(folder / name), "text");
    EXPECT_NO_THROW(check_can_create(folder / name));
    UnfinishedFile file(folder / name);
    write_text(file.temporary(), "new");
    file.keep();
    EXPECT_EQ(text_of(folder / name), "new");
    EXPECT_TRUE(std::filesystem::create_directory(frame_folder(folder / name)));
    std::filesystem::remove(frame_folder(folder / name));
  }
  EXPECT_EQ(folder.names().size(), 2u);
}

TEST(NewPicturePath, ShortensALongName) {
  const TemporaryFolder folder;
  for (const char* letter : {"x", "é", "€"}) {
    std::string scene;
    while (scene.size() < 300) scene += letter;
    for (const char* number : {"0001", "0002"}) {
      const std::string path = new_path_in(folder.path(), scene, ".hdf5");
      EXPECT_TRUE(path.ends_with(std::string("-") + number + ".hdf5")) << path;
      EXPECT_EQ(code_of_writing(path, "text"), kOk);
    }
  }
  EXPECT_EQ(new_path_in(folder.path(), "../a", ".png"), folder / "pericenter-.._a-0001.png");
}

/// Runs `work` in a process that ends without cleaning up.
template <class Work>
void in_killed_process(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

TEST(UnfinishedFile, OfAKilledProcessIsRemoved) {
  const TemporaryFolder folder;
  write_text(folder / "mine.tmp1-0", "");
  write_text(folder / "mine.tmp-00000000-99999999-0", "");  // of another machine
  const Names others = folder.names();
  for (const std::string& name : {std::string("a"), std::string(254, 'n')}) {
    for (const bool by_check : {true, false}) {
      in_killed_process([&] { new UnfinishedFile(folder / name); });
      EXPECT_EQ(folder.names().size(), 3u);
      const UnfinishedFile alive(folder / "b");
      if (by_check) check_can_create(folder / "c");
      EXPECT_EQ(folder.names().size(), 3u) << "it was not removed, or that of a live process was";
      EXPECT_TRUE(std::filesystem::exists(alive.temporary()));
    }
  }
  EXPECT_EQ(folder.names(), others);
}

TEST(UnfinishedFile, HasItsNameOnceItIsKept) {
  const TemporaryFolder folder;
  write_text(folder / "a", "old");
  for (const bool keep : {false, true}) {
    UnfinishedFile file(folder / "a");
    write_text(file.temporary(), "new");
    EXPECT_EQ(text_of(folder / "a"), "old");
    if (keep) file.keep();
  }
  EXPECT_EQ(text_of(folder / "a"), "new");
  EXPECT_EQ(folder.names(), Names{"a"});
  EXPECT_THROW(UnfinishedFile(folder / "none/a"), FileError);
  EXPECT_THROW(UnfinishedFile("/dev/null"), FileError);
}

}  // namespace
}  // namespace pericenter::app
