#include <array>
#include <cmath>
#include <optional>

#include "sim/files/body_check.h"
#include "sim/files/byte_reader.h"
#include "sim/files/formats.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

constexpr std::size_t kTipsyHeaderSize = 28;
constexpr std::size_t kPadding = 4;

/// Layout of a particle type: mass, position, velocity, then further values.
struct Kind {
  const char* name;
  std::size_t numbers;
  std::optional<std::size_t> softening;  ///< its index
  Component component;
  std::uint8_t type;  ///< GADGET's particle type
};
constexpr std::array<Kind, 3> kKinds = {{{"Gas particle", 12, std::nullopt, Component::disc, 0},
                                         {"Dark particle", 9, 7, Component::halo, 1},
                                         {"Star", 11, 9, Component::disc, 4}}};

struct TipsyHeader {
  std::endian order = std::endian::big;
  double time = 0;
  std::array<std::uint64_t, 3> count = {};
  std::uint64_t body_bytes = 0;  ///< total of all particles

  bool fits(std::uint64_t size) const {
    return size == kTipsyHeaderSize + body_bytes || size == kTipsyHeaderSize + kPadding + body_bytes;
  }
};

// The format has no signature, so the header is checked for consistency.
std::optional<TipsyHeader> tipsy_header(Bytes bytes, std::endian order) {
  const ByteReader in(bytes, order);
  if (!in.holds(0, kTipsyHeaderSize)) return std::nullopt;
  TipsyHeader header{.order = order, .time = in.at<double>(0)};
  const auto dimensions = in.at<std::int32_t>(12);
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    const auto count = in.at<std::int32_t>(16 + 4 * k);
    if (count < 0) return std::nullopt;
    sum += count;
    header.count[k] = static_cast<std::uint64_t>(count);
    header.body_bytes += header.count[k] * kKinds[k].numbers * 4;
  }
  const bool agrees = sum > 0 && sum == in.at<std::int32_t>(8) && (dimensions == 2 || dimensions == 3);
  return agrees && std::isfinite(header.time) ? std::optional(header) : std::nullopt;
}

std::optional<TipsyHeader> tipsy_header(Bytes bytes) {
  for (const std::endian order : {std::endian::big, std::endian::little}) {
    if (const auto header = tipsy_header(bytes, order)) return header;
  }
  return std::nullopt;
}

// The softening if it is equal for all particles of a type, else 0: Bonsai stores other values in these places.
double common_softening(const ByteReader& in, const Kind& kind) {
  if (!kind.softening || in.size() == 0) return 0;
  const std::size_t stride = 4 * kind.numbers, offset = 4 * *kind.softening;
  const auto first = in.at<float>(offset);
  if (!std::isfinite(first) || first <= 0) return 0;
  for (std::size_t at = offset; at < in.size(); at += stride) {
    if (in.at<float>(at) != first) return 0;
  }
  return static_cast<double>(first);
}

std::string tipsy_particle_name(const TipsyHeader& header, std::size_t index) {
  std::size_t kind = 0;
  while (kind + 1 < kKinds.size() && index >= header.count[kind]) index -= header.count[kind++];
  return std::string(kKinds[kind].name) + " " + std::to_string(index + 1);
}

/// TIPSY (Katz and Quinn; also used by Bonsai): gas, dark matter and stars in one file, "standard" (big endian) or
/// native (little endian), with or without padding after the header.
bool is_tipsy(const FileHead& head) {
  return tipsy_header(head.first).has_value();
}

/// The bodies in the units of the file, with G = 1. Throws InputError, SceneCancelled.
Snapshot read_tipsy(Bytes bytes, const ReadOptions& options) {
  const std::optional<TipsyHeader> header = tipsy_header(bytes);
  if (!header) throw InputError("This is not a TIPSY file: the header does not match.");
  if (!header->fits(bytes.size())) {
    const std::uint64_t needed = kTipsyHeaderSize + header->body_bytes;
    throw InputError("The header declares " + std::to_string(header->count[0]) + " gas particles, " +
                     std::to_string(header->count[1]) + " dark particles and " + std::to_string(header->count[2]) +
                     " stars, which take " + std::to_string(needed) + " or " + std::to_string(needed + kPadding) +
                     " bytes, but the file has " + std::to_string(bytes.size()) + ". Copy it again.");
  }
  Snapshot snapshot;
  snapshot.format = std::string("TIPSY, ") + order_name(header->order);
  snapshot.time = header->time;
  std::size_t offset = bytes.size() - header->body_bytes, first = 0;
  snapshot.bodies.resize(header->count[0] + header->count[1] + header->count[2]);
  snapshot.types.resize(snapshot.bodies.size());
  SceneProgress progress(options.progress, snapshot.bodies.size());
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    const Kind& kind = kKinds[k];
    const std::size_t stride = 4 * kind.numbers;
    const ByteReader in(bytes.subspan(offset, header->count[k] * stride), header->order);
    progress.for_each(header->count[k], [&](std::size_t i) {
      const auto number = [&](std::size_t n) { return static_cast<double>(in.at<float>(i * stride + 4 * n)); };
      snapshot.bodies[first + i] = {
          {number(1), number(2), number(3)}, {number(4), number(5), number(6)}, number(0), make_tag(0, kind.component)};
      snapshot.types[first + i] = kind.type;
    });
    // Pericenter uses one softening for all bodies: the smallest.
    const double softening = common_softening(in, kind);
    if (softening > 0 && (snapshot.softening == 0 || softening < snapshot.softening)) snapshot.softening = softening;
    offset += in.size();
    first += header->count[k];
  }
  check_bodies(snapshot, options, [&](std::size_t index) { return tipsy_particle_name(*header, index); });
  return snapshot;
}

}  // namespace

FileFormat tipsy_format() {
  return {.name = "tipsy",
          .title = "TIPSY",
          .summary = "Gas, dark matter and stars of PKDGRAV, Gasoline, ChaNGa and Bonsai, in either byte order.",
          .matches = is_tipsy,
          .read = read_tipsy};
}

}  // namespace pericenter
