#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/files/hdf5/file.h"
#include "sim/files/hdf5/pieces.h"

namespace pericenter {

/// A dataset with numbers of the bodies of one type, a row each. Its functions throw InputError that names it.
class Hdf5Field {
 public:
  /// Opens it and checks what it claims before anything of that size is allocated. Invalid when it is not there.
  Hdf5Field(const Hdf5Piece& piece, const Hdf5Handle& group, std::string name, std::uint64_t columns);

  explicit operator bool() const { return static_cast<bool>(data_); }
  Hdf5Id id() const { return data_.get(); }
  std::uint64_t rows() const { return rows_; }

  /// Every number must have been written, or the library would make up zeros.
  void require_written() const;
  void require_rows(std::uint64_t count) const;

  /// Reads rows as doubles or as unsigned numbers, whatever their type.
  void read(std::uint64_t first, std::uint64_t count, std::vector<double>& out) const;
  void read(std::uint64_t first, std::uint64_t count, std::vector<std::uint64_t>& out) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void check_type() const;
  void measure(const Hdf5Piece& piece);
  void measure_chunks(const Hdf5Handle& made, std::uint64_t most);
  void read_as(Hdf5Id type, std::uint64_t first, std::uint64_t count, void* out) const;

  std::string name_;
  std::uint64_t columns_;
  Hdf5Handle data_;
  int rank_ = 0;
  std::uint64_t rows_ = 0;
  std::size_t chunk_bytes_ = 0;
  std::uint64_t chunks_ = 0;  ///< that it should have; 0: it is in one piece
};

}  // namespace pericenter
