// A short version of tests/fuzz for any compiler: reproducible random changes of the seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/fuzz/mutations.h"
#include "tests/fuzz/try_reader.h"

#include "tests/support/paths.h"

namespace pericenter::test {
namespace {

constexpr int kMutations = 2000;

std::vector<std::string> formats_with_seeds() {
  std::vector<std::string> formats;
  for (const auto& folder : std::filesystem::directory_iterator(test::kCorpusFolder))
    formats.push_back(folder.path().filename().string());
  std::sort(formats.begin(), formats.end());
  return formats;
}

class Mutations : public testing::TestWithParam<std::string> {};

TEST_P(Mutations, AreReadOrRefused) {
  const std::vector<Data> seeds = seeds_of(test::kCorpusFolder + ("/" + GetParam()));
  ASSERT_FALSE(seeds.empty());
  std::size_t read = 0;
  for (const Data& seed : seeds) EXPECT_GT(try_reader(GetParam(), seed), 0u);
  for (int i = 0; i < kMutations; ++i) {
    const Data data = mutation(seeds, static_cast<std::uint64_t>(i));
    const std::size_t bodies = try_reader(GetParam(), data);
    EXPECT_LE(bodies, data.size()) << "mutation " << i << " gives too many bodies";
    read += bodies > 0;
  }
  // Ensures that the code after the checks is tested too.
  EXPECT_GT(read, 20u);
  EXPECT_LT(read, static_cast<std::size_t>(kMutations));
}

INSTANTIATE_TEST_SUITE_P(All, Mutations, testing::ValuesIn(formats_with_seeds()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace pericenter::test
