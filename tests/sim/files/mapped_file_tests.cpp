// Files that other programs change while they are read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sim/files/load.h"
#include "sim/files/mapped_file.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;

// A simulation may rewrite its output at any time. Progress is reported before the bodies are read.
TEST(Loading, FilesThatChangeWhileTheyAreReadAreRefused) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"table.csv", "table.csv"}, {"gadget1_little", "a"},         {"tipsy_native", "b"},
      {"stdpar_3d.bin", "c"},     {"hdf5/gadget2.hdf5", "d.hdf5"},
  };
  for (const auto& [fixture, name] : files) {
    const std::vector<std::uint8_t> whole = fixture_bytes(fixture);
    for (const std::size_t size : {std::size_t(0), whole.size() / 2, whole.size() + 100}) {
      const TemporaryFile file(name, whole);
      try {
        read_snapshot(file.path(), {.progress = [&](double) {
                        std::filesystem::resize_file(file.path(), size);
                        return true;
                      }});
        ADD_FAILURE() << fixture << " is read, " << size;
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr(name + ": The file changed while it was read")) << size;
      }
    }
  }
}

TEST(MappedFiles, MissingPagesAreZeros) {
  const std::vector<std::uint8_t> ones(3 << 20, 1);
  const TemporaryFile path("ones", ones);
  const MappedFile file(path.path()), second(path.path());
  file.require_unchanged();
  std::filesystem::resize_file(path.path(), 1 << 20);
  for (const MappedFile* each : {&file, &second}) {
    EXPECT_EQ(std::accumulate(each->bytes().begin(), each->bytes().end(), 0), 1 << 20);
    EXPECT_THROW(each->require_unchanged(), InputError);
  }
}

TEST(MappedFiles, OtherBusErrorsEndTheProgram) {
  EXPECT_DEATH(
      {
        const TemporaryFile path("one", {1});
        { const MappedFile file(path.path()); }
        raise(SIGBUS);
      },
      "");
}

}  // namespace
}  // namespace pericenter::test
