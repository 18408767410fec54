#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/files/hdf5/file.h"

namespace pericenter {

/// A chunk as it is stored: the row and column of its first value, its size in bytes, and a bit for each filter that it
/// skips.
struct StoredChunk {
  std::array<std::uint64_t, 2> start;
  std::uint64_t bytes = 0;
  unsigned skipped = 0;
};

/// The filters of a dataset. The library (1.10) does not check how much a compressed chunk contains: if it is too
/// little, it returns what is behind the chunk in memory.
class Hdf5ChunkFilters {
 public:
  Hdf5ChunkFilters() = default;
  explicit Hdf5ChunkFilters(Hdf5Id creation);

  /// Bytes of the chunk's values, or `limit` if there are more; nullopt: unknown, because a filter other than shuffle,
  /// Fletcher-32 and deflate is used, or the chunk cannot be read.
  std::optional<std::uint64_t> size(Hdf5Id dataset, const StoredChunk& chunk, std::uint64_t limit) const;

  /// Name and number of the first filter that this machine does not have; empty if it has all.
  std::string missing() const;

 private:
  std::vector<int> filters_;
};

}  // namespace pericenter
