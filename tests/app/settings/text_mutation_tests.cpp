// A short version of tests/fuzz without Clang: deterministic random mutations.
#include <gtest/gtest.h>

#include "tests/fuzz/mutations.h"
#include "tests/fuzz/try_text.h"

#include "tests/support/paths.h"

namespace pericenter::test {

// Part of the test name in CTest.
void PrintTo(const TextTrial& trial, std::ostream* out) {
  *out << trial.name;
}

namespace {

constexpr std::uint64_t kMutations = 2000;

std::string_view text_of(const Data& data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

class TextMutations : public testing::TestWithParam<TextTrial> {};

TEST_P(TextMutations, AreReadOrRejected) {
  const TextTrial& trial = GetParam();
  const std::vector<Data> seeds = seeds_of(test::kTextsFolder + ("/" + std::string(trial.name)));
  ASSERT_FALSE(seeds.empty());
  for (std::size_t k = 0; k < seeds.size(); ++k) EXPECT_TRUE(trial.accepts(text_of(seeds[k]))) << "seed " << k;
  std::uint64_t taken = 0;
  for (std::uint64_t n = 0; n < kMutations; ++n) {
    SCOPED_TRACE("mutation " + std::to_string(n));
    EXPECT_NO_THROW(taken += trial.accepts(text_of(mutation(seeds, n))));
  }
  // Ensures that some mutations pass the parser.
  EXPECT_GT(taken, 20u);
  EXPECT_LT(taken, kMutations);
}

INSTANTIATE_TEST_SUITE_P(All, TextMutations, testing::ValuesIn(kTextTrials),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace pericenter::test
