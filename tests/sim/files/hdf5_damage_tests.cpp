// Damaged and hostile HDF5 files: chunks that are not what they declare, and links to other files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sim/files/hdf5/file.h"
#include "sim/files/hdf5/reader.h"
#include "sim/files/hdf5/sandboxed_read.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;

constexpr hsize_t kCount = 300'000, kChunk = 1000;
constexpr hsize_t kMiddleRow = 200'000;  ///< neither among the first nor among the last bodies

/// A file with bodies of type 1 in compressed chunks.
class BodyFile {
 public:
  explicit BodyFile(const std::string& path) {
    const Hdf5Session session;  // the program prepares the library before its first use
    file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    header_ = group(file_, "Header");
    std::array<unsigned, 6> counts = {0, kCount};
    const hsize_t six = 6;
    const hid_t space = H5Screate_simple(1, &six, nullptr);
    for (const char* name : {"NumPart_ThisFile", "NumPart_Total"}) {
      const hid_t attribute = H5Acreate2(header_, name, H5T_NATIVE_UINT, space, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(attribute, H5T_NATIVE_UINT, counts.data());
      H5Aclose(attribute);
    }
    H5Sclose(space);
  }
  ~BodyFile() { close(); }
  BodyFile(const BodyFile&) = delete;
  BodyFile& operator=(const BodyFile&) = delete;

  void close() {
    if (file_ < 0) return;
    H5Gclose(header_);
    H5Fclose(std::exchange(file_, -1));
  }

  hid_t file() const { return file_; }

  static hid_t group(hid_t parent, const char* name) {
    return H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  }

  /// Adds all datasets to a group.
  static void add_bodies(hid_t group) {
    std::vector<float> numbers(3 * kCount);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    for (const char* name : {"Coordinates", "Velocities", "Masses"}) {
      const int rank = name[0] == 'M' ? 1 : 2;
      const std::array<hsize_t, 2> extent = {kCount, 3}, chunk = {kChunk, 3};
      const hid_t space = H5Screate_simple(rank, extent.data(), nullptr), layout = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_chunk(layout, rank, chunk.data());
      H5Pset_deflate(layout, 1);
      const hid_t data = H5Dcreate2(group, name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, layout, H5P_DEFAULT);
      H5Dwrite(data, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
      H5Dclose(data);
      H5Pclose(layout);
      H5Sclose(space);
    }
  }

  /// Replaces the stored bytes of the chunk of coordinates in the middle.
  void replace_chunk(unsigned filter_mask, const std::vector<std::uint8_t>& stored) const {
    const hid_t data = H5Dopen2(file_, "PartType1/Coordinates", H5P_DEFAULT);
    const std::array<hsize_t, 2> offset = {kMiddleRow, 0};
    EXPECT_GE(H5Dwrite_chunk(data, H5P_DEFAULT, filter_mask, offset.data(), stored.size(), stored.data()), 0);
    H5Dclose(data);
  }

 private:
  hid_t file_ = -1, header_ = -1;
};

/// A valid zlib stream (RFC 1950 and 1951) of many zeros: one literal, then copies of 258 bytes in 13 bits each.
std::vector<std::uint8_t> compressed_zeros(std::uint64_t copies) {
  std::vector<std::uint8_t> stream = {0x78, 0x01};
  unsigned used = 0;
  const auto put = [&](unsigned code, unsigned bits) {
    while (bits-- > 0) {
      if (used % 8 == 0) stream.push_back(0);
      stream.back() |= static_cast<std::uint8_t>((code >> bits & 1) << used % 8);
      ++used;
    }
  };
  put(0b110, 3);       // the last block, with the fixed code
  put(0b00110000, 8);  // 0
  for (std::uint64_t k = 0; k < copies; ++k) put(0b11000101'00000, 13);
  put(0, 7);  // the end
  const std::uint64_t size = 1 + 258 * copies, sum = (size % 65521) << 16 | 1;
  for (const int shift : {24, 16, 8, 0}) stream.push_back(static_cast<std::uint8_t>(sum >> shift));
  return stream;
}

std::string read_error(const std::string& path) {
  try {
    read_hdf5(path, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

long peak_megabytes() {
  rusage self = {}, children = {};
  getrusage(RUSAGE_SELF, &self);
  getrusage(RUSAGE_CHILDREN, &children);
  return std::max(self.ru_maxrss, children.ru_maxrss) / 1024;
}

TEST(DamagedHdf5, IntactChunksAreRead) {
  const TemporaryFile path("whole.hdf5");
  BodyFile file(path.path());
  const hid_t group = BodyFile::group(file.file(), "PartType1");
  BodyFile::add_bodies(group);
  H5Gclose(group);
  file.close();
  const Snapshot snapshot = read_hdf5(path.path(), {});
  ASSERT_EQ(snapshot.bodies.size(), kCount);
  for (const std::size_t i : {std::size_t(0), std::size_t(kMiddleRow), std::size_t(kCount - 1)}) {
    EXPECT_EQ(snapshot.bodies[i].position[2], static_cast<float>(3 * i + 2));
    EXPECT_EQ(snapshot.bodies[i].mass, static_cast<float>(i));
  }
}

TEST(DamagedHdf5, ShortChunksInTheMiddleAreRefused) {
  const std::vector<std::uint8_t> sixteen(16, 1);
  const std::vector<std::uint8_t> four = {0x78, 0x01, 0x01, 4,    0,    0xFB, 0xFF, 'a',
                                          'b',  'c',  'd',  0x03, 0xD8, 0x01, 0x8B};
  for (const auto& [mask, stored] : {std::pair(1u, sixteen), std::pair(0u, four), std::pair(0u, sixteen)}) {
    const TemporaryFile path("short.hdf5");
    BodyFile file(path.path());
    const hid_t group = BodyFile::group(file.file(), "PartType1");
    BodyFile::add_bodies(group);
    H5Gclose(group);
    file.replace_chunk(mask, stored);
    file.close();
    const std::string error = read_error(path.path());
    EXPECT_THAT(error, HasSubstr("damaged")) << mask << ' ' << stored.size();
  }
}

TEST(DamagedHdf5, MemoryIsBoundedByTheFile) {
  const TemporaryFile path("bomb.hdf5");
  BodyFile file(path.path());
  const hid_t group = BodyFile::group(file.file(), "PartType1");
  BodyFile::add_bodies(group);
  H5Gclose(group);
  file.replace_chunk(0, compressed_zeros(4'000'000));
  file.close();
  const long before = peak_megabytes();
  EXPECT_NE(read_error(path.path()), "");
  EXPECT_LT(peak_megabytes(), before + 600);
}

TEST(SandboxedRead, PassesMessagesUntilTheChildCrashes) {
  std::size_t received = 0;
  const std::vector<std::uint8_t> message(3 << 20, 7);
  const auto read = [&](const SendBytes& send) {
    for (int k = 0; k < 5; ++k) send({Bytes(message).first(1 << 20), Bytes(message).subspan(1 << 20)});
    raise(SIGSEGV);
  };
  const auto receive = [&](Bytes bytes) {
    EXPECT_TRUE(bytes.empty() || std::ranges::equal(bytes, message));
    received += bytes.size();
  };
  try {
    sandboxed_read(0, read, receive);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("crashes"));
  }
  EXPECT_EQ(received, 5 * message.size());
}

TEST(SandboxedRead, EndsTheChildIfTheReceiverThrows) {
  const auto endless = [](const SendBytes& send) {
    for (;;) send({Bytes(reinterpret_cast<const std::uint8_t*>("x"), 1)});
  };
  EXPECT_THROW(sandboxed_read(0, endless, [](Bytes) { throw SceneCancelled(); }), SceneCancelled);
  // A child that sends nothing can be cancelled too.
  const auto silent = [](const SendBytes&) { pause(); };
  const auto cancel = [](Bytes bytes) {
    EXPECT_TRUE(bytes.empty());
    throw SceneCancelled();
  };
  EXPECT_THROW(sandboxed_read(0, silent, cancel), SceneCancelled);
}

TEST(SandboxedRead, BoundsTheMemoryOfTheChild) {
  const auto greedy = [](const SendBytes&) { std::vector<char>(1 << 30, 'x'); };
  EXPECT_THROW(sandboxed_read(1 << 20, greedy, [](Bytes) {}), InputError);
}

TEST(HostileHdf5, LinksToOtherFilesAreNotFollowed) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"link_to_type.hdf5", "not a group of this file"}, {"link_to_data.hdf5", "Coordinates cannot be opened"}};
  for (const bool is_pipe : {false, true}) {
    for (const auto& [name, reason] : cases) {
      const auto start = std::chrono::steady_clock::now();
      const TemporaryFile file(name, fixture_bytes(std::string("hdf5/") + name));
      const std::string other = file.path("other.hdf5");
      if (is_pipe) {
        ASSERT_EQ(mkfifo(other.c_str(), 0600), 0);
      } else {
        std::filesystem::copy_file(fixture_path("hdf5/short.hdf5"), other);
      }
      EXPECT_THAT(read_error(file.path()), HasSubstr(reason)) << is_pipe;
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    }
  }
}

// The extent of such a dataset depends on the other file.
TEST(HostileHdf5, VirtualDatasetsOpenNoOtherFile) {
  const TemporaryFile path("virtual.hdf5");
  ASSERT_EQ(mkfifo(path.path("pipe").c_str(), 0600), 0);
  {
    const BodyFile file(path.path());
    const hid_t group = BodyFile::group(file.file(), "PartType1");
    const std::array<hsize_t, 2> now = {1, 3}, most = {H5S_UNLIMITED, 3}, start = {0, 0}, one = {1, 1};
    const std::array<hsize_t, 2> count = {H5S_UNLIMITED, 3};
    const hid_t space = H5Screate_simple(2, now.data(), most.data()), layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), one.data(), count.data(), one.data());
    EXPECT_GE(H5Pset_virtual(layout, space, path.path("pipe").c_str(), "/a", space), 0);
    const hid_t data = H5Dcreate2(group, "Coordinates", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    EXPECT_GE(data, 0);
    for (const hid_t each : {space, layout, data}) H5Idec_ref(each);
    H5Gclose(group);
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(read_error(path.path()), HasSubstr("only an index"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace pericenter::test
