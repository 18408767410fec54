#include "sim/files/ramses_part.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "sim/core/printable.h"
#include "sim/files/body_check.h"
#include "sim/files/body_fields.h"
#include "sim/files/byte_reader.h"

namespace pericenter {
namespace {

constexpr std::size_t kHeaderRecords = 8;

/// Records of Fortran: length, contents, length; 4 bytes each length.
class FortranRecords {
 public:
  FortranRecords(Bytes bytes, std::endian order) : in_(bytes, order) {}

  bool ended() const { return at_ == in_.size(); }
  std::uint32_t next_size() const { return in_.holds(at_, 4) ? in_.at<std::uint32_t>(at_) : 0; }

  ByteReader next(const std::string& name) {
    const std::string place = "Record " + name + " at byte " + std::to_string(at_);
    const std::uint32_t size = next_size();
    if (!in_.holds(at_, std::size_t{size} + 8))
      throw InputError(place + " is truncated: the file ends at byte " + std::to_string(in_.size()) +
                       ". Copy it again.");
    const ByteReader record(in_.bytes().subspan(at_ + 4, size), in_.order());
    if (in_.at<std::uint32_t>(at_ + 4 + size) != size)
      throw InputError(place + " does not end where its length says. The file is damaged; copy it again.");
    at_ += std::size_t{size} + 8;
    return record;
  }

 private:
  ByteReader in_;
  std::size_t at_ = 0;
};

std::optional<std::endian> part_order(Bytes bytes) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const ByteReader in(bytes, order);
    if (!in.holds(0, 40)) return std::nullopt;
    const auto word = [&](std::size_t k) { return in.at<std::int32_t>(4 * k); };
    const bool records = word(0) == 4 && word(2) == 4 && word(3) == 4 && word(5) == 4 && word(6) == 4 && word(8) == 4;
    if (records && word(9) >= 16 && word(1) > 0 && word(4) >= 1 && word(4) <= 3 && word(7) >= 0) return order;
  }
  return std::nullopt;
}

/// Numbers of one of the types of io/dump_utils.f90.
struct FurtherColumn {
  ByteReader in;
  char type;

  double operator[](std::size_t i) const {
    switch (type) {
      case 'b':
        return static_cast<std::int8_t>(in.bytes()[i]);
      case 'i':
        return in.at<std::int32_t>(4 * i);
      case 'q':
        return static_cast<double>(in.at<std::int64_t>(8 * i));
      case 'f':
        return static_cast<double>(in.at<float>(4 * i));
      default:
        return in.at<double>(8 * i);
    }
  }
};

/// The records of a file by name.
class PartColumns {
 public:
  /// pm/output_part.f90 (RAMSES, commit 055416a): positions, velocities, mass, identity, level; since 2018 family and
  /// tag; then birth time and metallicity of runs with stars or sinks.
  PartColumns(FortranRecords& records, std::size_t count, std::size_t dimensions, std::span<const RamsesField> fields)
      : count_(count) {
    static const std::vector<RamsesField> kUsual = {{"position_x"}, {"position_y"}, {"position_z"},
                                                    {"velocity_x"}, {"velocity_y"}, {"velocity_z"},
                                                    {"mass"},       {"identity"},   {"levelp"}};
    const bool assumed = fields.empty();
    for (const auto& [name, type] : assumed ? std::span<const RamsesField>(kUsual) : fields) {
      const bool beyond = name.size() > 2 && name[name.size() - 2] == '_' && name.back() >= 'x' &&
                          static_cast<std::size_t>(name.back() - 'x') >= dimensions;
      if (beyond) continue;
      columns_.emplace(name, records.next(name));
      types_.emplace(name, type);
    }
    if (!assumed || records.ended()) return;
    if (records.next_size() == count) {
      columns_.emplace("family", records.next("family"));
      columns_.emplace("tag", records.next("tag"));
    }
    if (records.ended() || records.next_size() < 4 * count) return;
    columns_.emplace("birth_time", records.next("birth_time"));
    if (!records.ended()) add_metallicity(records);
  }

  bool has(const std::string& name) const { return columns_.contains(name); }
  /// Records of one number per particle that Body does not have.
  std::vector<std::string> further() const {
    std::vector<std::string> names;
    for (const auto& [name, record] : columns_) {
      const bool is_of_body =
          name.starts_with("position_") || name.starts_with("velocity_") || name == "mass" || name == "identity";
      const bool is_name = !name.empty() && printable(name) == name;
      if (is_name && !is_of_body && type_of(name) != 0) names.push_back(name);
    }
    return names;
  }
  /// One of these.
  FurtherColumn further(const std::string& name) const { return {columns_.at(name), type_of(name)}; }
  /// Null if the file has no such record. Throws InputError if it has another number of values.
  const ByteReader* find(const std::string& name, std::size_t least, std::size_t most) const {
    const auto found = columns_.find(name);
    if (found == columns_.end()) return nullptr;
    const std::size_t size = found->second.size();
    if (size != least * count_ && size != most * count_)
      throw InputError("Record " + name + " has " + std::to_string(size) + " bytes, which is wrong for " +
                       std::to_string(count_) + " particles. The file is damaged or of another version of RAMSES.");
    return &found->second;
  }

 private:
  /// 0 if the record is not one number per particle. Reals declared as d may be floats (NPRE).
  char type_of(const std::string& name) const {
    const auto declared = types_.find(name);
    const char type = declared == types_.end() ? char{0} : declared->second;
    const bool is_whole = type == 'i' || type == 'q' || (type == 0 && name == "levelp");
    const std::size_t size = columns_.at(name).size();
    if (size == count_) return 'b';
    if (size == 4 * count_) return is_whole ? 'i' : 'f';
    return size != 8 * count_ ? char{0} : is_whole ? 'q' : 'd';
  }
  /// The last record; a file without a descriptor may have others.
  void add_metallicity(FortranRecords records) {
    try {
      const ByteReader last = records.next("metallicity");
      if (records.ended()) columns_.emplace("metallicity", last);
    } catch (const InputError&) {  // particles need it not
    }
  }

  std::map<std::string, ByteReader> columns_;
  std::map<std::string, char> types_;
  std::size_t count_;
};

/// A record of floats or doubles (NPRE = 4 or 8); 0 if there is none.
class RealColumn {
 public:
  RealColumn(const PartColumns& columns, const std::string& name, std::size_t count)
      : in_(columns.find(name, 4, 8)), wide_(in_ && in_->size() == 8 * count) {}
  double operator[](std::size_t i) const {
    if (!in_) return 0;
    return wide_ ? in_->at<double>(8 * i) : static_cast<double>(in_->at<float>(4 * i));
  }

 private:
  const ByteReader* in_;
  bool wide_;
};

struct ParticleFamily {
  Component component;
  std::uint8_t type;  ///< GADGET's particle type
};

/// pm_commons.f90: 1 dark matter, 2 stars, 3 clouds (parts of sinks), 4 debris; tracers have 0 and negative numbers.
std::optional<ParticleFamily> particle_family(int family) {
  if (family <= 0) return std::nullopt;
  if (family == 1) return ParticleFamily{Component::halo, 1};
  return family == 2 ? ParticleFamily{Component::disc, 4} : ParticleFamily{Component::other, 5};
}

/// Lists the fields, and returns the wanted one.
std::optional<FurtherColumn> shown_column(const PartColumns& columns, const std::string& wanted,
                                          std::vector<FieldInfo>& fields) {
  std::optional<FurtherColumn> shown;
  for (const std::string& name : columns.further()) {
    const bool is_pure = name == "metallicity" || name == "family" || name == "tag" || name == "levelp";
    add_field({name, is_pure ? "" : kUnitsOfFile}, fields);
    if (name == wanted) shown = columns.further(name);
  }
  return shown;
}

}  // namespace

bool is_ramses_part(Bytes bytes) {
  return part_order(bytes).has_value();
}

void RamsesBodies::add(Bytes bytes, std::span<const RamsesField> fields) {
  const std::optional<std::endian> order = part_order(bytes);
  if (!order) throw InputError("this is not a particle file of RAMSES: the header does not match.");
  FortranRecords records(bytes, *order);
  std::array<std::int32_t, 3> header = {};
  for (std::size_t k = 0; k < kHeaderRecords; ++k) {
    const ByteReader record = records.next("number " + std::to_string(k + 1) + " of the header");
    if (k < header.size()) header[k] = record.at<std::int32_t>(0);
  }
  cpus_ = static_cast<std::uint32_t>(header[0]);
  const auto dimensions = static_cast<std::size_t>(header[1]), count = static_cast<std::size_t>(header[2]);
  if (count == 0) return;
  const PartColumns columns(records, count, dimensions, fields);
  const auto real = [&](const std::string& name) { return RealColumn(columns, name, count); };
  const std::array position{real("position_x"), real("position_y"), real("position_z")};
  const std::array velocity{real("velocity_x"), real("velocity_y"), real("velocity_z")};
  const RealColumn mass = real("mass"), birth = real("birth_time");
  if (!columns.has("position_x") || !columns.has("mass"))
    throw InputError("there are no positions or masses: the descriptor of the fields does not name them.");
  const ByteReader* const family = columns.find("family", 1, 1);
  const ByteReader* const id = columns.find("identity", 4, 8);
  ids_missing_ = ids_missing_ || !id;
  const std::optional<FurtherColumn> shown = shown_column(columns, wanted_, snapshot_.fields);
  const auto is_unborn = [&](std::size_t i, const ParticleFamily& kind) {
    return wanted_ == "birth_time" && kind.type != 4 && birth[i] == 0;
  };
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t number = !id                       ? 0
                                : id->size() == 8 * count ? id->at<std::int64_t>(8 * i)
                                                          : id->at<std::int32_t>(4 * i);
    // Before families, stars had a time of birth, and parts of sinks negative ids.
    const int old_family = birth[i] != 0 ? 2 : number < 0 ? 3 : 1;
    const auto kind = particle_family(family ? static_cast<std::int8_t>(family->bytes()[i]) : old_family);
    tracers_ += !kind;
    if (!kind) continue;
    snapshot_.bodies.push_back({{position[0][i], position[1][i], position[2][i]},
                                {velocity[0][i], velocity[1][i], velocity[2][i]},
                                mass[i],
                                make_tag(0, kind->component)});
    snapshot_.types.push_back(kind->type);
    if (shown) values.push_back(is_unborn(i, *kind) ? kNoValue : static_cast<float>((*shown)[i]));
    snapshot_.ids.push_back(number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number));
  }
  append_values(values, values.size(), snapshot_);
}

Snapshot RamsesBodies::finish(const ReadOptions& options) {
  snapshot_.format = "RAMSES particles, " + std::to_string(cpus_) + (cpus_ == 1 ? " CPU" : " CPUs");
  if (tracers_ > 0)
    snapshot_.notes.push_back(std::to_string(tracers_) + " tracers of the gas, which exert no gravity, were left out.");
  if (ids_missing_) snapshot_.ids.clear();
  check_bodies(snapshot_, options, [](std::size_t index) { return "Particle " + std::to_string(index + 1); });
  return std::move(snapshot_);
}

}  // namespace pericenter
