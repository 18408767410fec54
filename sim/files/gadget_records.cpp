#include "sim/files/gadget_records.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

constexpr std::uint32_t kLabelSize = 8;

std::string expectation(std::span<const std::uint64_t> sizes) {
  std::string text;
  for (const std::uint64_t size : sizes) text += (text.empty() ? ", not the " : " or ") + std::to_string(size);
  return text + " that the particle numbers in the header require. The file is damaged or not a GADGET file.";
}

}  // namespace

std::optional<GadgetFraming> gadget_framing(Bytes bytes) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const ByteReader in(bytes, order);
    if (!in.holds(0, 8)) return std::nullopt;
    const auto first = in.at<std::uint32_t>(0);
    const bool labelled = first == kLabelSize && std::memcmp(bytes.data() + 4, "HEAD", 4) == 0;
    if (labelled && !in.holds(0, 20)) return GadgetFraming{order, true, 0};
    const auto header = labelled ? in.at<std::uint32_t>(16) : first;
    if (labelled || header == kGadgetHeaderSize) return GadgetFraming{order, labelled, header};
    if (header == kGadget4HeaderSize && in.holds(header + 4, 4) && in.at<std::uint32_t>(header + 4) == header)
      return GadgetFraming{order, false, header};
  }
  return std::nullopt;
}

std::string GadgetRecords::label(const std::string& expected) {
  if (!labelled_) return expected;
  const ByteReader record = next("label", std::array<std::uint64_t, 1>{kLabelSize});
  std::string label(reinterpret_cast<const char*>(record.bytes().data()), 4);
  label.erase(label.find_last_not_of(std::string_view(" \0", 2)) + 1);
  return label;
}

ByteReader GadgetRecords::next(const std::string& block, std::span<const std::uint64_t> sizes) {
  return next(block, sizes, sizes.empty());
}

ByteReader GadgetRecords::next_or_any(const std::string& block, std::span<const std::uint64_t> sizes) {
  return next(block, sizes, true);
}

ByteReader GadgetRecords::next(const std::string& block, std::span<const std::uint64_t> sizes, bool or_any) {
  const std::size_t begin = offset_;
  const std::string place = "Block " + block + " at byte " + std::to_string(begin);
  const std::uint32_t marker = next_marker(place);
  std::optional<std::uint64_t> size;
  for (const std::uint64_t each : sizes) {
    if (!size && static_cast<std::uint32_t>(each) == marker) size = each;
  }
  if (!size && or_any) size = marker;
  if (!size) throw InputError(place + " has " + std::to_string(marker) + " bytes" + expectation(sizes));
  if (!in_.holds(offset_, *size)) throw truncated(place);
  const ByteReader record(in_.bytes().subspan(offset_, *size), in_.order());
  offset_ += *size;
  if (next_marker(place) != marker)
    throw InputError(place + " does not end where its length says. The file is damaged; copy it again.");
  return record;
}

std::uint32_t GadgetRecords::next_marker(const std::string& place) {
  if (!in_.holds(offset_, 4)) throw truncated(place);
  offset_ += 4;
  return in_.at<std::uint32_t>(offset_ - 4);
}

InputError GadgetRecords::truncated(const std::string& place) const {
  return InputError(place + " is truncated: the file ends at byte " + std::to_string(in_.size()) +
                    ". Copy the file again.");
}

GadgetHeader gadget_header(const ByteReader& in) {
  GadgetHeader header;
  for (std::size_t type = 0; type < kGadgetTypes; ++type) {
    const auto count = in.at<std::int32_t>(4 * type);
    if (count < 0)
      throw InputError("In the header, the number of particles of type " + std::to_string(type) +
                       " is negative. The file is damaged or not a GADGET file.");
    header.count[type] = static_cast<std::uint64_t>(count);
    header.mass[type] = in.at<double>(24 + 8 * type);
    header.particles += header.count[type];
    if (header.mass[type] == 0) header.with_own_mass += header.count[type];
    header.total[type] = in.at<std::uint32_t>(96 + 4 * type) | std::uint64_t(in.at<std::uint32_t>(168 + 4 * type))
                                                                   << 32;
    header.in_all_files += header.total[type];
  }
  header.time = in.at<double>(72);
  header.redshift = in.at<double>(80);
  header.box = in.at<double>(128);
  header.cools = in.at<std::uint32_t>(120) != 0;
  header.files = std::max(1u, in.at<std::uint32_t>(124));
  header.omega_matter = in.at<double>(136);
  header.hubble = in.at<double>(152);
  // At redshift 0, a box size and an h distinguish a cosmological run from a galaxy at time 1, as in HDF5 files.
  const bool expands = header.redshift != 0 || (header.box > 0 && header.hubble != 1);
  header.types.comoving = is_comoving(header.time, header.redshift, header.omega_matter) && expands;
  header.types.dark_only = !header.has_type(0) && !header.has_type(4);
  return header;
}

}  // namespace pericenter
