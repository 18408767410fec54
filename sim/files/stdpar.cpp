#include <cmath>
#include <optional>

#include "sim/core/counted_bodies.h"
#include "sim/files/body_selector.h"
#include "sim/files/byte_reader.h"
#include "sim/files/formats.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

constexpr std::size_t kStdparHeaderSize = 16;

struct StdparHeader {
  std::uint64_t bodies = 0;
  std::size_t dimension = 3;
  double gravity = 1;

  std::size_t stride() const { return 4 * (1 + 2 * dimension); }
  std::uint64_t file_size() const { return kStdparHeaderSize + bodies * stride(); }
};

std::optional<StdparHeader> stdpar_header(Bytes bytes) {
  const ByteReader in(bytes, std::endian::little);
  if (!in.holds(0, kStdparHeaderSize)) return std::nullopt;
  const StdparHeader header{in.at<std::uint32_t>(0), in.at<std::uint32_t>(4), static_cast<double>(in.at<float>(12))};
  const float step = in.at<float>(8);
  const bool agrees = header.bodies > 0 && (header.dimension == 2 || header.dimension == 3) && std::isfinite(step) &&
                      step > 0 && std::isfinite(header.gravity) && header.gravity > 0;
  return agrees ? std::optional(header) : std::nullopt;
}

/// Initial conditions of stdpar-nbody (University of Bristol; Saver::load_system in its src/saving.h): number of bodies
/// and dimension, time step and gravitational constant, then mass, position and velocity of each body; 32 bits each,
/// little endian.
bool is_stdpar(const FileHead& head) {
  return stdpar_header(head.first).has_value();
}

/// The bodies in the units of the file, with masses multiplied by its gravitational constant, so that G = 1. Throws
/// InputError, SceneCancelled.
Snapshot read_stdpar(Bytes bytes, const ReadOptions& options) {
  const std::optional<StdparHeader> header = stdpar_header(bytes);
  if (!header) throw InputError("This is not a file of stdpar-nbody: the header does not match.");
  if (header->file_size() != bytes.size())
    throw InputError("The header declares " + counted_bodies(header->bodies) + " in " +
                     std::to_string(header->dimension) + " dimensions, which take " +
                     std::to_string(header->file_size()) + " bytes, but the file has " + std::to_string(bytes.size()) +
                     ". Create or copy it again.");
  Snapshot snapshot;
  snapshot.format = "stdpar-nbody binary, " + std::to_string(header->dimension) + "D";
  if (header->gravity != 1)
    snapshot.notes.push_back("The gravitational constant is " + shown(header->gravity) +
                             "; masses were multiplied by it.");
  const ByteReader in(bytes.subspan(kStdparHeaderSize), std::endian::little);
  SceneProgress progress(options.progress, header->bodies);
  BodySelector selector(options, snapshot.box);
  const auto fill = [&](std::size_t i, std::size_t to) {
    Body& body = snapshot.bodies[to];
    const auto number = [&](std::size_t n) { return static_cast<double>(in.at<float>(i * header->stride() + 4 * n)); };
    body.mass = number(0) * header->gravity;
    body.tag = make_tag(0, Component::other);
    for (std::size_t k = 0; k < header->dimension; ++k) {
      body.position[static_cast<int>(k)] = number(1 + k);
      body.velocity[static_cast<int>(k)] = number(1 + header->dimension + k);
    }
  };
  selector.read(header->bodies, {}, progress, snapshot, fill,
                [](std::size_t index) { return "Body " + std::to_string(index + 1); });
  selector.finish(snapshot);
  return snapshot;
}

}  // namespace

FileFormat stdpar_format() {
  return {.name = "stdpar",
          .title = "stdpar-nbody binary",
          .summary = "Initial conditions of stdpar-nbody (University of Bristol) in two or three dimensions.",
          .matches = is_stdpar,
          .read = read_stdpar};
}

}  // namespace pericenter
