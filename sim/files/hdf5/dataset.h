#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/files/hdf5/chunk_filters.h"
#include "sim/files/hdf5/file.h"
#include "sim/files/hdf5/snapshot_files.h"

namespace pericenter {

/// A dataset of the bodies of one type, with one row per body. Functions throw an InputError that names the dataset.
class Hdf5Dataset {
 public:
  Hdf5Dataset() = default;
  /// Opens the dataset and checks its declared size before memory is allocated. Invalid if the dataset does not exist.
  Hdf5Dataset(const Hdf5File& part, const Hdf5Handle& group, std::string name, std::uint64_t columns);

  /// Whether the dataset exists and is not empty; one that is stored in other files counts as not empty.
  static bool has_values(const Hdf5Handle& group, const std::string& name);
  /// Columns of a dataset of numbers in this file; 0 for anything else.
  static std::uint64_t columns_in(const Hdf5Handle& dataset);

  explicit operator bool() const { return static_cast<bool>(data_); }
  Hdf5Id id() const { return data_.get(); }
  std::uint64_t rows() const { return rows_; }

  /// Throws if values were never written or are stored in too few bytes; the library would return zeros for them, or
  /// what is behind them in memory.
  void require_written() const;
  void require_rows(std::uint64_t count) const;

  /// Reads rows, converted to doubles or unsigned integers; 2^64 is added to negative integers.
  void read(std::uint64_t first, std::uint64_t count, std::vector<double>& out) const;
  void read(std::uint64_t first, std::uint64_t count, std::vector<std::uint64_t>& out) const;
  /// Returns how many were negative.
  std::uint64_t read_ids(std::uint64_t first, std::uint64_t count, std::vector<std::uint64_t>& out) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  bool has_sign() const;
  void check_type() const;
  void measure(const Hdf5File& part);
  void measure_chunks(const Hdf5Handle& creation, std::uint64_t max_bytes);
  void require_chunk(std::uint64_t row, std::uint64_t column) const;
  void read_as(Hdf5Id type, std::uint64_t first, std::uint64_t count, void* out) const;

  std::string name_;
  std::uint64_t columns_ = 1;
  Hdf5Handle data_;
  int rank_ = 0;
  std::uint64_t rows_ = 0;
  std::size_t chunk_bytes_ = 0;
  std::uint64_t chunk_rows_ = 0, chunk_columns_ = 0;
  Hdf5ChunkFilters filters_;
};

}  // namespace pericenter
