#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sim/core/random.h"

namespace pericenter::test {

using Data = std::vector<std::uint8_t>;
inline constexpr std::size_t kLargest = 1 << 16;

/// The files of a folder, in the order of their names.
inline std::vector<Data> seeds_of(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& file : std::filesystem::directory_iterator(folder)) paths.push_back(file.path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<Data> seeds;
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

inline std::size_t below(Random& random, std::size_t limit) {
  return limit == 0 ? 0 : random.next() % limit;
}

/// Numbers that provoke errors in counts and allocations.
inline std::uint64_t nasty_number(Random& random) {
  constexpr std::array<std::uint64_t, 12> kNumbers = {
      0, 1, 2, 8, 255, 256, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FF0000000000000, 0x7FC00000, ~std::uint64_t{0}};
  return random.next() % 2 == 0 ? kNumbers[below(random, kNumbers.size())] : random.next();
}

inline void change_once(Data& data, const Data& other, Random& random) {
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
    case 4: {  // insert a part of a seed
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

/// The n-th reproducible change of the seeds.
inline Data mutation(const std::vector<Data>& seeds, std::uint64_t n) {
  Random random(20261122, n);
  Data data = seeds[below(random, seeds.size())];
  const Data& other = seeds[below(random, seeds.size())];
  for (std::size_t change = 0; change < 1 + below(random, 6); ++change) change_once(data, other, random);
  return data;
}

}  // namespace pericenter::test
