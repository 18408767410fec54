#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "sim/files/body_fields.h"
#include "sim/files/formats.h"
#include "sim/files/mapped_file.h"
#include "sim/files/ramses_part.h"
#include "sim/files/text_table.h"
#include "sim/files/trimmed.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxText = 1 << 20;  ///< bytes of a text file
constexpr const char *kBirth = "birth_time", *kAge = "age of stars";

/// The names of an output: output_00012/part_00012.out00003, info_00012.txt, header_00012.txt and
/// part_file_descriptor.txt. With IOGROUPSIZEREP, files of CPUs are in folders group_00001 ... within it.
struct RamsesOutput {
  fs::path folder;
  std::string number;                       ///< "00012"
  std::map<std::uint32_t, fs::path> parts;  ///< files by CPU, from 1
  bool has_gas = false;
};

/// The digits after `head`, if `tail` follows them or, with a null `tail`, anything.
std::string digits_between(std::string_view name, std::string_view head, const char* tail) {
  if (!name.starts_with(head)) return {};
  name.remove_prefix(head.size());
  const std::size_t end = std::min(name.find_first_not_of("0123456789"), name.size());
  return !tail || name.substr(end) == tail ? std::string(name.substr(0, end)) : std::string();
}

std::string output_number(const std::string& name) {
  for (const char* head : {"part_", "info_", "header_", "hydro_", "amr_", "grav_"})
    if (const std::string number = digits_between(name, head, nullptr); !number.empty()) return number;
  return {};
}

template <class Visit>
void for_each_file(const fs::path& folder, const Visit& visit) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    visit(entry->path());
}

void add_files(const fs::path& folder, RamsesOutput& output) {
  for_each_file(folder, [&](const fs::path& path) {
    const std::string name = path.filename().string();
    if (name.starts_with("group_")) return add_files(path, output);
    output.has_gas = output.has_gas || name.starts_with("hydro_" + output.number + ".");
    const std::string cpu = digits_between(name, "part_" + output.number + ".out", "");
    if (!cpu.empty() && cpu.size() < 9) output.parts[static_cast<std::uint32_t>(std::stoul(cpu))] = path;
  });
}

RamsesOutput output_of(const fs::path& path) {
  RamsesOutput output{
      path.has_parent_path() ? path.parent_path() : fs::path("."), output_number(path.filename().string()), {}};
  if (output.folder.filename().string().starts_with("group_")) output.folder /= "..";
  if (output.number.empty())
    for_each_file(output.folder, [&](const fs::path& file) {
      const std::string name = file.filename().string();
      if (name.starts_with("part_") || name.starts_with("info_"))
        output.number = std::max(output.number, output_number(name));
    });
  if (!output.number.empty()) add_files(output.folder, output);
  return output;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxText, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return text;
}

/// The fields in the line after "Particle fields" in header_NNNNN.txt: "pos vel mass iord level tform metal".
std::vector<RamsesField> fields_of_header(const std::string& text) {
  static const std::map<std::string, std::vector<std::string>> kNames = {
      {"pos", {"position_x", "position_y", "position_z"}},
      {"vel", {"velocity_x", "velocity_y", "velocity_z"}},
      {"iord", {"identity"}},
      {"level", {"levelp"}},
      {"phi", {"potential"}},
      {"tform", {"birth_time"}},
      {"metal", {"metallicity"}}};
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line) && line.find("Particle fields") == line.npos) {
  }
  std::getline(lines, line);
  std::istringstream words(line);
  std::vector<RamsesField> fields;
  for (std::string word; words >> word;) {
    const auto known = kNames.find(word);
    for (const std::string& name : known == kNames.end() ? std::vector{word} : known->second) fields.push_back({name});
  }
  return fields;
}

/// The names and types in "1, position_x, d" (dump_utils.f90, since 2018).
std::vector<RamsesField> fields_of_descriptor(const std::string& text) {
  std::vector<RamsesField> fields;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(','), second = line.find(',', first + 1);
    if (line.starts_with('#') || first == line.npos || second == line.npos) continue;
    const std::string_view all = line, blanks = " \t\r", type = trimmed(all.substr(second + 1), blanks);
    fields.push_back({std::string(trimmed(all.substr(first + 1, second - first - 1), blanks)),
                      type.empty() ? char{0} : type.front()});
  }
  return fields;
}

/// "unit_l      =  0.308567758128200E+22" (output_info in amr/output_amr.f90).
class RamsesInfo {
 public:
  explicit RamsesInfo(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t equals = std::min(line.find('='), line.size());
      const std::string_view all = line, blanks = " \t\r";
      if (equals == line.size()) continue;
      if (const auto number = parsed_number(trimmed(all.substr(equals + 1), blanks)))
        values_.emplace(trimmed(all.substr(0, equals), blanks), *number);
    }
  }
  bool empty() const { return values_.empty(); }
  /// A run is isolated if time is not negative, and H0 and aexp are 1 (yt 4.4, frontends/ramses/data_structures.py).
  bool is_cosmological() const {
    return !empty() && !((*this)["time"] >= 0 && (*this)["H0"] == 1 && (*this)["aexp"] == 1);
  }
  double operator[](const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, double> values_;
};

/// The units of a cosmological run contain aexp, so that they give physical lengths and velocities (units.f90).
void add_info(const RamsesInfo& info, Snapshot& snapshot) {
  const double length = info["unit_l"], density = info["unit_d"], time = info["unit_t"];
  const FileUnits units{length, density * length * length * length, length / time};
  const bool valid = std::isfinite(units.mass_g * units.velocity_cm_s) && units.mass_g > 0 && units.velocity_cm_s > 0;
  if (info.empty()) {
    snapshot.notes.emplace_back("The file info_NNNNN.txt of this output is missing, so units and time are unknown.");
  } else if (!valid || (length == 1 && density == 1 && time == 1)) {
    snapshot.notes.emplace_back("unit_l, unit_d and unit_t are 1 or invalid, so the units are unknown.");
  } else {
    snapshot.units = units;
  }
  snapshot.box = Vec3{1, 1, 1} * std::max(0.0, info["boxlen"]);
  snapshot.time = info["time"];
  if (!info.is_cosmological()) return;
  const double age = cosmic_age(info["aexp"], info["omega_m"], info["omega_l"]) * 1e6 * kParsecCm / 1e5 / info["H0"];
  snapshot.time = std::isfinite(age / time) ? age / time : 0;
  snapshot.notes.push_back("Cosmological run at scale factor " + shown(info["aexp"]) +
                           ": converted to physical coordinates. Pericenter does not simulate expansion.");
}

/// In isolated runs, times of birth are those of the run; in cosmological ones they are conformal or proper times, of
/// which the file does not say which (use_proper_time in star_formation.f90).
void add_ages(const RamsesInfo& info, const std::string& wanted, Snapshot& snapshot) {
  const auto birth = std::ranges::find(snapshot.fields, kBirth, &FieldInfo::name);
  if (birth == snapshot.fields.end() || !snapshot.units.known() || info.is_cosmological()) {
    if (wanted == kAge) snapshot.values.clear();
    return;
  }
  birth->unit = "Myr";
  snapshot.fields.push_back({kAge, "Myr"});
  if (wanted != kAge && wanted != kBirth) return;
  const double unit = info["unit_t"] / (1e6 * kYearSecond);
  for (std::size_t i = 0; i < snapshot.values.size(); ++i) {
    const auto time = static_cast<double>(snapshot.values[i]);
    const bool has_age = wanted == kBirth || snapshot.types[i] == 4;
    snapshot.values[i] = has_age ? static_cast<float>((wanted == kAge ? snapshot.time - time : time) * unit) : kNoValue;
  }
}

std::string missing_cpus(const RamsesOutput& output, std::uint32_t cpus) {
  constexpr std::size_t kShown = 8;
  std::string list;
  std::size_t missing = 0;
  for (std::uint32_t cpu = 1; cpu <= cpus; ++cpu) {
    if (output.parts.contains(cpu)) continue;
    if (++missing <= kShown) list += (list.empty() ? "" : ", ") + std::to_string(cpu);
  }
  if (missing == 0) return {};
  return "The files of " + std::to_string(missing) + " of " + std::to_string(cpus) + " CPUs are missing (" + list +
         (missing > kShown ? ", ..." : "") + "), so their bodies are not shown. Copy the whole folder of the output.";
}

Snapshot read_parts(const RamsesOutput& output, const ReadOptions& options) {
  std::vector<RamsesField> fields = fields_of_descriptor(text_of(output.folder / "part_file_descriptor.txt"));
  if (fields.empty()) fields = fields_of_header(text_of(output.folder / ("header_" + output.number + ".txt")));
  RamsesBodies bodies(options.field == kAge ? kBirth : options.field);
  double done = 0;
  for (const auto& [cpu, path] : output.parts) {
    if (options.progress && !options.progress(done++ / static_cast<double>(output.parts.size())))
      throw SceneCancelled{};
    try {
      const MappedFile file(path.string());
      bodies.add(file.bytes(), fields);
      file.require_unchanged();
    } catch (const InputError& error) {
      throw InputError(path.filename().string() + " of this output: " + error.what(), error.missing);
    }
  }
  if (const std::string note = missing_cpus(output, bodies.cpus()); !note.empty()) bodies.note(note);
  return bodies.finish(options);
}

bool is_ramses(const FileHead& head) {
  const std::string_view text(reinterpret_cast<const char*>(head.first.data()), head.first.size());
  if (is_ramses_part(head.first)) return true;
  const bool named = !output_number(std::string(head.name)).empty();
  if (named && head.name.find(".out") != head.name.npos)
    return text.starts_with(std::string_view("\4\0\0", 3)) || text.starts_with(std::string_view("\0\0\0\4", 4));
  if (head.name == "part_file_descriptor.txt") return text.find(", position_x,") != text.npos;
  return named && (text.starts_with("ncpu ") || text.find("Particle fields") != text.npos);
}

/// One file, in its own units.
Snapshot read_ramses(Bytes bytes, const ReadOptions& options) {
  if (!is_ramses_part(bytes))
    throw InputError("This is a text of RAMSES. Open it in the folder of its output, unpacked.");
  RamsesBodies bodies(options.field);
  bodies.add(bytes, {});
  bodies.note("The units of RAMSES are in the file info_NNNNN.txt of the output. Open a file in its folder.");
  return bodies.finish(options);
}

Snapshot read_ramses_output(const std::string& path, const ReadOptions& options) {
  const RamsesOutput output = output_of(path);
  if (output.parts.empty()) {
    const MappedFile file(path);
    if (is_ramses_part(file.bytes())) return read_ramses(file.bytes(), options);
    throw InputError(
        "This folder has no particles of RAMSES (files part_NNNNN.outNNNNN). Copy the whole "
        "folder of the output.",
        true);
  }
  Snapshot snapshot = read_parts(output, options);
  const RamsesInfo info(text_of(output.folder / ("info_" + output.number + ".txt")));
  add_info(info, snapshot);
  add_ages(info, options.field, snapshot);
  if (output.has_gas)
    snapshot.notes.emplace_back("Gas, which RAMSES has in a grid (files hydro_NNNNN.outNNNNN), is not read.");
  return snapshot;
}

}  // namespace

FileFormat ramses_format() {
  return {.name = "ramses",
          .title = "RAMSES particles",
          .summary = "Particles of RAMSES: open any file of an output; all CPUs are read.",
          .matches = is_ramses,
          .read = read_ramses,
          .read_path = read_ramses_output};
}

}  // namespace pericenter
