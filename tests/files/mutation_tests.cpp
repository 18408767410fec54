// A short form of tests/fuzz that needs no Clang: seeds changed at random, the same each time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include "sim/random.h"
#include "tests/files/fixture.h"
#include "tests/fuzz/try_reader.h"

namespace pericenter::tests {
namespace {

using Data = std::vector<std::uint8_t>;
constexpr int kMutations = 2000;
constexpr std::size_t kLargest = 1 << 16;

std::vector<std::string> formats_with_seeds() {
  std::vector<std::string> formats;
  for (const auto& folder : std::filesystem::directory_iterator(PERICENTER_CORPUS))
    formats.push_back(folder.path().filename().string());
  std::sort(formats.begin(), formats.end());
  return formats;
}

std::vector<Data> seeds_of(const std::string& format) {
  std::vector<std::string> paths;
  for (const auto& file : std::filesystem::directory_iterator(PERICENTER_CORPUS + ("/" + format)))
    paths.push_back(file.path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<Data> seeds;
  for (const std::string& path : paths) seeds.push_back(file_bytes(path));
  return seeds;
}

std::size_t below(Random& random, std::size_t limit) {
  return limit == 0 ? 0 : random.next() % limit;
}

// Numbers that break what counts and what allocates.
std::uint64_t nasty_number(Random& random) {
  constexpr std::array<std::uint64_t, 12> kNumbers = {
      0, 1, 2, 8, 255, 256, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FF0000000000000, 0x7FC00000, ~std::uint64_t{0}};
  return random.next() % 2 == 0 ? kNumbers[below(random, kNumbers.size())] : random.next();
}

void change_once(Data& data, const Data& other, Random& random) {
  const std::size_t at = below(random, data.size());
  const auto position = data.begin() + static_cast<std::ptrdiff_t>(at);
  const std::size_t rest = data.size() - at;
  switch (below(random, 6)) {
    case 0:
      if (rest > 0) data[at] = static_cast<std::uint8_t>(data[at] ^ 1u << below(random, 8));
      break;
    case 1:
      if (rest > 0) data[at] = static_cast<std::uint8_t>(random.next());
      break;
    case 2: {
      const std::uint64_t number = nasty_number(random);
      std::memcpy(data.data() + at, &number, std::min<std::size_t>(rest, below(random, 2) == 0 ? 4 : 8));
      break;
    }
    case 3:
      data.erase(position, position + static_cast<std::ptrdiff_t>(below(random, std::min<std::size_t>(rest, 64))));
      break;
    case 4: {  // some of another seed, or of itself
      const std::size_t from = below(random, other.size());
      const std::size_t length = below(random, other.size() - from);
      if (data.size() + length < kLargest)
        data.insert(position, other.begin() + static_cast<std::ptrdiff_t>(from),
                    other.begin() + static_cast<std::ptrdiff_t>(from + length));
      break;
    }
    default:
      if (below(random, 4) == 0) data.resize(at);
  }
}

class Mutations : public testing::TestWithParam<std::string> {};

TEST_P(Mutations, AreReadOrRefused) {
  const std::vector<Data> seeds = seeds_of(GetParam());
  ASSERT_FALSE(seeds.empty());
  std::size_t read = 0;
  for (const Data& seed : seeds) EXPECT_GT(try_reader(GetParam(), seed), 0u);
  for (int i = 0; i < kMutations; ++i) {
    Random random(20261122, static_cast<std::uint64_t>(i));
    Data data = seeds[below(random, seeds.size())];
    const Data& other = seeds[below(random, seeds.size())];
    for (std::size_t change = 0; change < 1 + below(random, 6); ++change) change_once(data, other, random);
    const std::size_t bodies = try_reader(GetParam(), data);
    EXPECT_LE(bodies, data.size()) << "mutation " << i << " invents bodies";
    read += bodies > 0;
  }
  // Were nothing read any more, nothing behind the checks would be tried.
  EXPECT_GT(read, 20u);
  EXPECT_LT(read, static_cast<std::size_t>(kMutations));
}

INSTANTIATE_TEST_SUITE_P(All, Mutations, testing::ValuesIn(formats_with_seeds()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace pericenter::tests
