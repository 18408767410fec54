#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "sim/files/body_fields.h"
#include "sim/files/body_selector.h"
#include "sim/files/byte_reader.h"
#include "sim/files/formats.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

constexpr std::size_t kTipsyHeaderSize = 28;
constexpr std::size_t kPadding = 4;

/// A particle type: mass, position, velocity, then further values.
struct Kind {
  const char* name;
  std::size_t further;                   ///< numbers after the velocity
  std::optional<std::size_t> softening;  ///< its index among them
  Component component;
  std::uint8_t type;  ///< GADGET's particle type
};
constexpr std::array<Kind, 3> kKinds = {{{"Gas particle", 5, std::nullopt, Component::disc, 0},
                                         {"Dark particle", 2, 0, Component::halo, 1},
                                         {"Star", 4, 2, Component::disc, 4}}};

/// What differs between the writers. Masses and further values are always 4-byte floats.
struct Layout {
  const char* name;
  std::size_t position, velocity;  ///< bytes per number
  std::size_t acceleration;        ///< numbers between velocity and further values: acceleration and potential
  std::optional<std::int32_t> version;

  std::size_t further_offset() const { return 4 + 3 * (position + velocity) + 4 * acceleration; }
  std::size_t stride(const Kind& kind) const { return further_offset() + 4 * kind.further; }
};
/// Doubles: dDoublePos and dDoubleVel of ChaNGa (TipsyFile.h, dark_particle_t<TPos, TVel>), bDoublePos and bDoubleVel
/// of pynbody 2.8 (snapshot/tipsy.py). Versions in the padding: Bonsai (tipsydefs.h) and NEMO (nbody/io/tipsydefs.h)
/// have a 64-bit id in the place of softening and potential of dark particles and stars.
constexpr std::array<Layout, 6> kLayouts = {{{" with ids", 4, 4, 0, 2},
                                             {" with accelerations and ids", 4, 4, 4, 6},
                                             {"", 4, 4, 0, {}},
                                             {" with double positions", 8, 4, 0, {}},
                                             {" with double velocities", 4, 8, 0, {}},
                                             {" with double positions and velocities", 8, 8, 0, {}}}};

struct TipsyHeader {
  std::endian order = std::endian::big;
  double time = 0;
  std::array<std::uint64_t, 3> count = {};
  std::int32_t version = 0;  ///< the padding, if there is any

  std::uint64_t body_bytes(const Layout& layout) const {
    std::uint64_t bytes = 0;
    for (std::size_t k = 0; k < kKinds.size(); ++k) bytes += count[k] * layout.stride(kKinds[k]);
    return bytes;
  }
  bool has_size(const Layout& layout, std::uint64_t size) const {
    const std::uint64_t bytes = kTipsyHeaderSize + body_bytes(layout);
    if (layout.version) return count[0] == 0 && layout.version == version && size == bytes + kPadding;
    return size == bytes || size == bytes + kPadding;
  }
};

/// A value of each kind: its index among the further numbers, or none.
struct Further {
  const char *name, *unit;
  std::optional<std::size_t> index[3];
};
/// tipsydefs.h of TIPSY and PKDGRAV3. The format defines no other units.
constexpr std::array<Further, 6> kFurther = {{{"density", kUnitsOfFile, {0, {}, {}}},
                                              {"temperature", "K", {1, {}, {}}},
                                              {"smoothing length", kUnitsOfFile, {2, {}, {}}},
                                              {"metallicity", "", {3, {}, 0}},
                                              {"formation time", kUnitsOfFile, {{}, {}, 1}},
                                              {"potential", kUnitsOfFile, {4, 1, 3}}}};

/// Place of a value in a particle; nullopt if this layout has none: ids replace the last two numbers.
std::optional<std::size_t> offset_of(const Further& value, std::size_t kind, const Layout& layout) {
  const std::optional<std::size_t> index = value.index[kind];
  if (!index || (layout.version && *index + 2 >= kKinds[kind].further)) return std::nullopt;
  return layout.further_offset() + 4 * *index;
}

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
  }
  if (in.holds(kTipsyHeaderSize, kPadding)) header.version = in.at<std::int32_t>(kTipsyHeaderSize);
  const bool agrees = sum > 0 && sum == in.at<std::int32_t>(8) && (dimensions == 2 || dimensions == 3);
  return agrees && std::isfinite(header.time) ? std::optional(header) : std::nullopt;
}

std::optional<TipsyHeader> tipsy_header(Bytes bytes) {
  for (const std::endian order : {std::endian::big, std::endian::little}) {
    if (const auto header = tipsy_header(bytes, order)) return header;
  }
  return std::nullopt;
}

// The softening of all particles of a type if it is equal: Bonsai stores other values in these places.
class CommonSoftening {
 public:
  CommonSoftening(const ByteReader& in, const Kind& kind, const Layout& layout)
      : in_(in), offset_(layout.further_offset() + 4 * kind.softening.value_or(0)) {
    if (kind.softening && !layout.version && in.size() > 0) first_ = in.at<float>(offset_);
    is_common_ = std::isfinite(first_) && first_ > 0;
  }
  /// Called by several threads.
  void add(std::size_t body) {
    if (is_common_ && in_.at<float>(body + offset_) != first_) is_common_ = false;
  }
  double value() const { return is_common_ ? static_cast<double>(first_) : 0; }

 private:
  const ByteReader& in_;
  std::size_t offset_;
  float first_ = 0;
  std::atomic<bool> is_common_ = false;
};

Body tipsy_body(const ByteReader& in, std::size_t at, const Kind& kind, const Layout& layout) {
  Body body{{}, {}, static_cast<double>(in.at<float>(at)), make_tag(0, kind.component)};
  at += 4;
  for (const auto& [values, width] : {std::pair(&body.position, layout.position), {&body.velocity, layout.velocity}}) {
    for (int k = 0; k < 3; ++k, at += width)
      (*values)[k] = width == 8 ? in.at<double>(at) : static_cast<double>(in.at<float>(at));
  }
  return body;
}

/// Mean deviation of the exponents of coordinates and velocities, over at most 1000 bodies. Two floats read as one
/// double have exponents that vary 8 times more: three bits of the first one's mantissa belong to its exponent.
double spread_of_exponents(Bytes bytes, const TipsyHeader& header, const Layout& layout) {
  std::vector<double> exponents;
  std::size_t offset = bytes.size() - header.body_bytes(layout);
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    const std::size_t stride = layout.stride(kKinds[k]), every = header.count[k] / 333 + 1;
    const ByteReader in(bytes.subspan(offset, header.count[k] * stride), header.order);
    for (std::size_t i = 0; i < header.count[k]; i += every) {
      const Body body = tipsy_body(in, i * stride, kKinds[k], layout);
      for (const Vec3* vector : {&body.position, &body.velocity}) {
        for (int axis = 0; axis < 3; ++axis) {
          const double value = std::abs((*vector)[axis]);
          if (value != 0) exponents.push_back(std::isfinite(value) ? std::log2(value) : 1024);
        }
      }
    }
    offset += in.size();
  }
  const double n = static_cast<double>(std::max<std::size_t>(exponents.size(), 1));
  const double mean = std::reduce(exponents.begin(), exponents.end()) / n;
  return std::transform_reduce(exponents.begin(), exponents.end(), 0.0, std::plus(),
                               [&](double exponent) { return std::abs(exponent - mean); }) /
         n;
}

/// Null if no layout has this file size. Double positions and double velocities have the same one.
const Layout* layout_of(Bytes bytes, const TipsyHeader& header) {
  const Layout* best = nullptr;
  for (const Layout& layout : kLayouts) {
    if (!header.has_size(layout, bytes.size())) continue;
    const bool same = best && layout.stride(kKinds[0]) == best->stride(kKinds[0]);
    if (!best || (same && spread_of_exponents(bytes, header, layout) < spread_of_exponents(bytes, header, *best)))
      best = &layout;
  }
  return best;
}

InputError wrong_size(const TipsyHeader& header, std::size_t size) {
  std::string needed;
  for (const Layout& layout : kLayouts) {
    if (layout.version || layout.velocity > layout.position) continue;
    const std::uint64_t bytes = kTipsyHeaderSize + header.body_bytes(layout);
    needed += (needed.empty() ? "" : "; ") + std::to_string(bytes) + " or " + std::to_string(bytes + kPadding) +
              " bytes" + layout.name;
  }
  return InputError("The header declares " + std::to_string(header.count[0]) + " gas particles, " +
                    std::to_string(header.count[1]) + " dark particles and " + std::to_string(header.count[2]) +
                    " stars, which take " + needed + "; but the file has " + std::to_string(size) + ". Copy it again.");
}

/// TIPSY (Katz and Quinn; also used by Bonsai): gas, dark matter and stars in one file, "standard" (big endian) or
/// native (little endian), with or without padding after the header.
bool is_tipsy(const FileHead& head) {
  return tipsy_header(head.first).has_value();
}

/// Lists the values of the kinds that are read, and returns the wanted one, or null.
const Further* find_further(const TipsyHeader& header, const Layout& layout, const ReadOptions& options,
                            Snapshot& snapshot) {
  const Further* wanted = nullptr;
  for (const Further& value : kFurther) {
    for (std::size_t k = 0; k < kKinds.size(); ++k) {
      if (header.count[k] == 0 || !options.selection.has(kKinds[k].type) || !offset_of(value, k, layout)) continue;
      add_field({value.name, value.unit}, snapshot.fields);
      if (value.name == options.field) wanted = &value;
    }
  }
  return wanted;
}

/// The bodies in the units of the file, with G = 1. Throws InputError, SceneCancelled.
Snapshot read_tipsy(Bytes bytes, const ReadOptions& options) {
  const std::optional<TipsyHeader> header = tipsy_header(bytes);
  if (!header) throw InputError("This is not a TIPSY file: the header does not match.");
  const Layout* layout = layout_of(bytes, *header);
  if (!layout) throw wrong_size(*header, bytes.size());
  Snapshot snapshot;
  snapshot.format = std::string("TIPSY, ") + order_name(header->order) + layout->name;
  snapshot.time = header->time;
  if (!layout->version && header->time > 0 && header->time < 1)
    snapshot.notes.push_back("If this is a cosmological run of ChaNGa, Gasoline or PKDGRAV, its time " +
                             shown(header->time) +
                             " is the scale factor, and its lengths are comoving: they are not converted, because the "
                             "units are only in the .param file.");
  std::size_t offset = bytes.size() - header->body_bytes(*layout);
  const std::uint64_t count = header->count[0] + header->count[1] + header->count[2];
  SceneProgress progress(options.progress, count);
  BodySelector selector(options, snapshot.box);
  if (!selector.selects()) snapshot.bodies.reserve(count);
  const Further* const wanted = find_further(*header, *layout, options, snapshot);
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    const Kind& kind = kKinds[k];
    const std::size_t stride = layout->stride(kind);
    const ByteReader in(bytes.subspan(offset, header->count[k] * stride), header->order);
    CommonSoftening common(in, kind, *layout);
    const std::optional<std::size_t> value = wanted ? offset_of(*wanted, k, *layout) : std::nullopt;
    const auto fill = [&](std::size_t i, std::size_t to) {
      common.add(i * stride);
      snapshot.bodies[to] = tipsy_body(in, i * stride, kind, *layout);
      snapshot.types[to] = kind.type;
      if (layout->version) snapshot.ids[to] = in.at<std::uint64_t>((i + 1) * stride - 8);
      if (wanted) snapshot.values[to] = value ? in.at<float>(i * stride + *value) : kNoValue;
    };
    const auto name = [&](std::size_t i) { return std::string(kind.name) + " " + std::to_string(i + 1); };
    offset += in.size();
    if (!options.selection.has(kind.type)) {
      selector.pass(kind.type, header->count[k]);
      continue;
    }
    selector.read(header->count[k], {layout->version.has_value(), true, wanted != nullptr}, progress, snapshot, fill,
                  name);
    // Pericenter uses one softening for all bodies: the smallest.
    const double softening = common.value();
    if (softening > 0 && (snapshot.softening == 0 || softening < snapshot.softening)) snapshot.softening = softening;
  }
  selector.finish(snapshot);
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
