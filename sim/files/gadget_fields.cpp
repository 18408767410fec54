#include "sim/files/gadget_fields.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sim/core/printable.h"
#include "sim/files/body_fields.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

constexpr unsigned kGas = 1u << 0, kStars = 1u << 4, kEveryType = (1u << kGadgetTypes) - 1;
constexpr double kMyr = 1e6 * kYearSecond;

/// A block of GADGET-2 (users' guide, section 6) or of GADGET-3 and codes after it (get_Tab_IO_Label() and
/// get_particles_in_block() of io.c, also of GIZMO).
struct KnownBlock {
  std::string_view label;
  unsigned types;
  std::string_view unit = kUnitsOfFile;
  double cgs = 0;  ///< size of the unit; 0: the numbers are not converted
  /// Powers of the units of the file and of the scale factor in the numbers.
  int length = 0, mass = 0, velocity = 0, expansion = 0;
};
constexpr std::array<KnownBlock, 13> kKnownBlocks = {
    {{"U", kGas, "(km/s)²", 1e10, 0, 0, 2},
     {"RHO", kGas, "M☉/pc³", kSunGram / (kParsecCm * kParsecCm * kParsecCm), -3, 1, 0, -3},
     {"HSML", kGas, "kpc", kKpcCm, 1, 0, 0, 1},
     {"NE", kGas, ""},
     {"NH", kGas, ""},
     {"SFR", kGas, "M☉/yr"},
     {"TEMP", kGas, "K"},
     {"Z", kGas | kStars, ""},
     {"POT", kEveryType, "(km/s)²", 1e10, 0, 0, 2, -1},
     {"TSTP", kEveryType, "Myr", kMyr, 1, 0, -1},
     {"ENDT", kGas},
     {"ACCE", kEveryType},
     {"AGE", kStars}}};

/// The bodies that a block is of.
struct BlockLayout {
  unsigned types = 0;
  std::size_t components = 1;
  bool wide = false;

  friend bool operator==(const BlockLayout&, const BlockLayout&) = default;
};

/// The only one of these layouts that a block of this size has.
std::optional<BlockLayout> layout_of_size(std::uint64_t size, const GadgetHeader& header,
                                          std::span<const BlockLayout> layouts) {
  std::optional<BlockLayout> found;
  for (BlockLayout layout : layouts) {
    std::uint64_t bodies = 0;
    for (std::size_t type = 0; type < kGadgetTypes; ++type) {
      if (header.count[type] == 0) layout.types &= ~(1u << type);
      if ((layout.types >> type & 1u) != 0) bodies += header.count[type];
    }
    if (bodies == 0 || size != bodies * layout.components * (layout.wide ? 8u : 4u)) continue;
    if (found && *found != layout) return std::nullopt;
    found = layout;
  }
  return found;
}

std::vector<BlockLayout> layouts_of(std::initializer_list<unsigned> types,
                                    std::initializer_list<std::size_t> components, std::initializer_list<bool> widths) {
  std::vector<BlockLayout> layouts;
  for (const unsigned each : types)
    for (const std::size_t numbers : components)
      for (const bool wide : widths) layouts.push_back({each, numbers, wide});
  return layouts;
}

/// Whether the first bytes can be floats or doubles: whole numbers up to 2^23 are floats below 1e-37.
bool can_be_reals(const ByteReader& block, bool wide) {
  constexpr std::size_t kExamined = 1000;
  for (std::size_t i = 0; i < std::min(kExamined, block.size() / (wide ? 8u : 4u)); ++i) {
    const double number = gadget_number(block, wide, i);
    if (!std::isfinite(number) || (number != 0 && std::abs(number) < 1e-37)) return false;
  }
  return true;
}

/// The age in Myr of a star that formed at a time, or at a scale factor in cosmological runs.
std::function<double(double)> age_from_birth(const GadgetHeader& header, const FileUnits& units) {
  const double now = header.time, matter = header.omega_matter;
  if (!header.types.comoving)
    return [now, unit = units.length_cm / units.velocity_cm_s / kMyr](double birth) { return (now - birth) * unit; };
  const FileUnits own = gadget_units(header.hubble);  // in which H0 is 0.1
  const double hubble_time = own.length_cm / own.velocity_cm_s / 0.1 / kMyr;
  const auto age = [=](double scale_factor) { return cosmic_age(scale_factor, matter, 1 - matter) * hubble_time; };
  return [=](double birth) { return birth > 0 ? age(now) - age(birth) : static_cast<double>(kNoValue); };
}

class BlockReader {
 public:
  BlockReader(const GadgetHeader& header, const FileUnits& units) : header_(header), units_(units) {}

  /// nullopt if it is not known of which bodies the block is.
  std::optional<GadgetField> field(const std::string& label, const ByteReader& block) const {
    const auto* const known = std::ranges::find(kKnownBlocks, label, &KnownBlock::label);
    const bool is_known = known != kKnownBlocks.end();
    std::optional<BlockLayout> layout;
    const auto find = [&](std::initializer_list<unsigned> types, std::initializer_list<std::size_t> components,
                          std::initializer_list<bool> widths) {
      if (!layout) layout = layout_of_size(block.size(), header_, layouts_of(types, components, widths));
    };
    if (is_known) {
      find({known->types}, {label == "ACCE" ? 3u : 1u}, {false, true});
      if (label == "Z") find({kGas, kStars}, {1}, {false, true});
    } else {
      find({kEveryType, kGas, kStars}, {1, 3}, {wide_});
      if (layout && !can_be_reals(block, layout->wide)) layout.reset();
    }
    if (!layout) return std::nullopt;
    GadgetField field{.info = {printable(label), kUnitsOfFile}, .block = block, .components = layout->components};
    field.wide = layout->wide;
    field.converted = [](double number) { return number; };
    place(*layout, field);
    if (is_known) convert(*known, field);
    return field;
  }
  /// Whether positions, and therefore blocks without a known label, are doubles.
  void take_positions(const ByteReader& block) { wide_ = block.size() == 24 * header_.particles; }
  /// Lengths of blocks, which the file stores modulo 2^32.
  std::vector<std::uint64_t> sizes() const {
    std::vector<std::uint64_t> sizes;
    for (const std::uint64_t bodies : {header_.particles, header_.count[0], header_.count[4],
                                       header_.count[0] + header_.count[4], header_.with_own_mass})
      for (const std::uint64_t bytes : {4u, 8u, 12u, 24u}) sizes.push_back(bodies * bytes);
    return sizes;
  }

 private:
  void place(const BlockLayout& layout, GadgetField& field) const {
    std::size_t next = 0;
    for (std::size_t type = 0; type < kGadgetTypes; ++type) {
      const bool has = (layout.types >> type & 1u) != 0;
      field.first[type] = has ? next : GadgetField::kNoBodies;
      if (has) next += header_.count[type];
    }
  }
  /// AGE is the time of birth. The time step of a cosmological run is that of the logarithm of the scale factor.
  void convert(const KnownBlock& known, GadgetField& field) const {
    const bool comoving = header_.types.comoving;
    if (known.label == "AGE") {
      field.info = {"age of stars", "Myr"};
      field.converted = age_from_birth(header_, units_);
      return;
    }
    if (known.label == "TSTP" && comoving) return;
    field.info.unit = known.unit;
    if (known.cgs == 0) return;
    const double factor = std::pow(units_.length_cm, known.length) * std::pow(units_.mass_g, known.mass) *
                          std::pow(units_.velocity_cm_s, known.velocity) *
                          std::pow(comoving ? header_.time : 1, known.expansion) / known.cgs;
    field.converted = [factor](double number) { return number * factor; };
  }

  const GadgetHeader& header_;
  const FileUnits& units_;
  bool wide_ = false;
};

/// The blocks of gas that follow those of the bodies; with cooling, GADGET-3 and others write NE and NH, too.
void add_standard_blocks(GadgetRecords& records, const GadgetHeader& header, const BlockReader& reader,
                         std::vector<GadgetField>& fields) {
  constexpr std::size_t kWithCooling = 5;
  std::vector<ByteReader> blocks;
  const auto add = [&](std::initializer_list<const char*> labels) {
    std::size_t k = 0;
    for (const char* const label : labels) {
      if (k == blocks.size()) return;
      if (auto field = reader.field(label, blocks[k++])) fields.push_back(std::move(*field));
    }
  };
  try {
    while (header.count[0] > 0 && blocks.size() < kWithCooling && !records.ended())
      blocks.push_back(records.next("", std::array{4 * header.count[0], 8 * header.count[0]}));
  } catch (const InputError&) {  // another block
  }
  if (!header.cools)
    add({"U", "RHO", "HSML"});
  else if (blocks.size() < kWithCooling)
    add({"U", "RHO"});
  else
    add({"U", "RHO", "NE", "NH", "HSML"});
}

}  // namespace

float GadgetField::value(std::size_t type, std::size_t i) const {
  if (!has(type)) return kNoValue;
  const std::size_t at = (first[type] + i) * components;
  const auto number = [&](std::size_t k) { return gadget_number(block, wide, at + k); };
  return static_cast<float>(converted(components == 3 ? std::hypot(number(0), number(1), number(2)) : number(0)));
}

std::vector<GadgetField> gadget_fields(GadgetRecords records, const GadgetHeader& header, const FileUnits& units) {
  constexpr std::array<std::string_view, 6> kNoFields = {"", "HEAD", "VEL", "ID", "MASS", "INFO"};
  std::vector<GadgetField> fields;
  BlockReader reader(header, units);
  if (!records.labelled()) {
    add_standard_blocks(records, header, reader, fields);
    return fields;
  }
  try {
    while (!records.ended()) {
      const std::string label = records.label("");
      const ByteReader block = records.next_or_any(label, reader.sizes());
      if (label == "POS")
        reader.take_positions(block);
      else if (std::ranges::find(kNoFields, label) == kNoFields.end())
        if (auto field = reader.field(label, block)) fields.push_back(std::move(*field));
    }
  } catch (const InputError&) {  // the bodies can be read nevertheless
  }
  return fields;
}

}  // namespace pericenter
