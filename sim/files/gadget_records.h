#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/files/byte_reader.h"
#include "sim/files/particle_types.h"

namespace pericenter {

// Records and header of GADGET-1 and -2 binary files (users' guide of GADGET-2, section 6).

inline constexpr std::size_t kGadgetTypes = 6;
inline constexpr std::uint32_t kGadgetHeaderSize = 256;
inline constexpr std::uint32_t kGadget4HeaderSize = 192;  ///< GADGET-4's own, without the option GADGET2_HEADER

struct GadgetFraming {
  std::endian order = std::endian::little;
  bool labelled = false;     ///< version 2
  std::uint32_t header = 0;  ///< length of the first record
};

/// nullopt if this is another format.
std::optional<GadgetFraming> gadget_framing(Bytes bytes);

/// Iterates over the records of a file, which consist of length, payload and length. Functions throw InputError.
class GadgetRecords {
 public:
  GadgetRecords(Bytes bytes, const GadgetFraming& framing) : in_(bytes, framing.order), labelled_(framing.labelled) {}

  bool ended() const { return offset_ == in_.size(); }
  bool labelled() const { return labelled_; }

  /// The label of the next record, trimmed; `expected` in version 1, which has no labels.
  std::string label(const std::string& expected);
  /// The next record. `sizes`: valid lengths; empty: any. GADGET stores lengths modulo 2^32.
  ByteReader next(const std::string& block, std::span<const std::uint64_t> sizes);
  /// The next record, of any length, but rather of one of these.
  ByteReader next_or_any(const std::string& block, std::span<const std::uint64_t> sizes);

 private:
  ByteReader next(const std::string& block, std::span<const std::uint64_t> sizes, bool or_any);
  std::uint32_t next_marker(const std::string& place);
  InputError truncated(const std::string& place) const;

  ByteReader in_;
  bool labelled_;
  std::size_t offset_ = 0;
};

struct GadgetHeader {
  std::array<std::uint64_t, kGadgetTypes> count = {}, total = {};
  std::array<double, kGadgetTypes> mass = {};
  std::uint64_t particles = 0, with_own_mass = 0, in_all_files = 0;
  std::uint32_t files = 1;
  double time = 0, redshift = 0, box = 0, omega_matter = 0, hubble = 1;
  bool cools = false;  ///< flag_cooling
  ParticleTypes types;

  bool has_type(std::size_t type) const { return count[type] > 0 || total[type] > 0; }
};

/// Throws InputError.
GadgetHeader gadget_header(const ByteReader& in);

/// A number of a block of floats or doubles.
inline double gadget_number(const ByteReader& in, bool wide, std::size_t index) {
  return wide ? in.at<double>(8 * index) : static_cast<double>(in.at<float>(4 * index));
}

}  // namespace pericenter
