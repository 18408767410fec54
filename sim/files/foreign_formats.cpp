#include "sim/files/foreign_formats.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace pericenter {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kAstropy =
    " Save the table as ECSV, for example with Astropy: "
    "Table.read('FILE').write('bodies.ecsv').";
constexpr std::string_view kTable = " Write a table with the columns m,x,y,z,vx,vy,vz instead";
constexpr std::string_view kNumpy = " Write its columns with numpy.savetxt and header='m x y z vx vy vz'.";
constexpr std::string_view kNumpyOrUnpack =
    " Unpack it, or write arrays of NumPy with numpy.savetxt and header='m x y z vx vy vz'.";
constexpr std::string_view kUnpack = " Unpack it and open the file in it.";

constexpr std::string_view kSmallBodies =
    " Query the same bodies as CSV at ssd.jpl.nasa.gov/tools/sbdb_query.html, with the columns full_name, e, q, i, om, "
    "w, tp, epoch and H.";

// A block is a folder with header, attr-v2 and 000000 ...: src/bigfile.c of bigfile.
constexpr std::string_view kBigfile =
    " Write its blocks 1/Position, 1/Velocity, 1/Mass and 1/ID (1: dark matter, 4: stars) as a table with the Python "
    "package bigfile.";
constexpr std::string_view kPetar =
    " Remove its first line and keep the columns 1 to 7 (m x y z vx vy vz), for example with tail -n +2 FILE | awk "
    "'{print $1,$2,$3,$4,$5,$6,$7}' > bodies.txt.";
constexpr std::string_view kToTipsy = " Convert the snapshot to TIPSY, for example with pynbody.";

/// Bytes at a place of the file, or anywhere in its first 64 KiB, and what they mean.
struct Signature {
  static constexpr std::size_t kAnywhere = ~std::size_t{0};
  std::size_t offset;
  std::string_view bytes, name, advice;
};

constexpr Signature kSignatures[] = {
    {0, "\\begin{"sv, "a LaTeX table", kAstropy},  // Astropy, format ascii.latex
    {Signature::kAnywhere, "<table"sv, "an HTML table", kAstropy},
    {Signature::kAnywhere, " double|"sv, "an IPAC table", kAstropy},
    {0, "====="sv, "a reStructuredText table", kAstropy},
    {0, "\x93NUMPY"sv, "a NumPy array (npy)", kNumpy},
    {0, "PK\3\4"sv, "a zip archive, such as npz or xlsx", kNumpyOrUnpack},
    {0, "BZh"sv, "compressed by bzip2", kUnpack},
    {0,
     "\xfd"
     "7zXZ\0"sv,
     "compressed by xz", kUnpack},
    {0, "\x28\xb5\x2f\xfd"sv, "compressed by zstd", kUnpack},
    {257, "ustar"sv, "a tar archive", kUnpack},
    {0, "PAR1"sv, "an Apache Parquet file", kTable},
    {0, "CDF\1"sv, "a netCDF file", kTable},
    {0, "# vtk DataFile"sv, "a VTK file", " Save its points as CSV, for example with ParaView: File, Save Data."},
    {Signature::kAnywhere, "<VTKFile"sv, "a VTK file",
     " Save its points as CSV, for example with ParaView: File, Save Data."},
    {0,
     "\x92\x0b"
     "c\0"sv,
     "a NEMO file",  // NEMO 4, src/kernel/io/filesecret.h
     " Write a table with snapprint FILE m,x,y,z,vx,vy,vz, after a line '# m x y z vx vy vz'."},
    {0, "\x92\x09(\0"sv, "a NEMO file",
     " Write a table with snapprint FILE m,x,y,z,vx,vy,vz, after a line '# m x y z vx vy vz'."},
    {0, "\x00\x10\x34\xa5"sv, "a field of an NChilada snapshot",  // 1062053: FieldHeader.h of ChaNGa's structures
     kToTipsy},
    {4, "\x61\xed\0\0"sv, "a dump of Phantom",  // 060769, 690706: Phantom 2024, utils_dumpfiles.f90
     " Write a table with splash to ascii FILE."},
    {4, "\x12\x8a\x0a\0"sv, "a dump of Phantom", " Write a table with splash to ascii FILE."},
    {0, "#AMUSE CSV"sv, "a table in AMUSE's own form",  // amuse-framework 2024.6, format amuse-txt
     " Write it in the format csv: write_set_to_file(bodies, 'bodies.csv', 'csv')."},
    {0, "set SnapShot"sv, "a NEMO file as text",
     " Write a table with snapprint FILE m,x,y,z,vx,vy,vz, after a line '# m x y z vx vy vz'."},
    {Signature::kAnywhere, "Byte-by-byte Description of file"sv, "a machine-readable table of the AAS or CDS",
     kAstropy},
    {0, "{\"signature\":{\"source\":\"NASA/JPL Horizons"sv, "an answer of the Horizons API as JSON",
     " Ask for format=text and save the answer."},
    {0, "DTYPE: "sv, "a part of a bigfile folder (MP-Gadget)", kBigfile},
    {0, " Num   Name "sv, "JPL's ELEMENTS file", kSmallBodies},  // ssd.jpl.nasa.gov/sb/elem_tables.html
    {0, "Num  Name "sv, "JPL's ELEMENTS file", kSmallBodies},
    {0, "Designation   Epoch"sv, "JPL's ELEMENTS file", kSmallBodies},
    {0, "(Particle"sv, "a snapshot of Starlab", kTable},
};

bool holds(Bytes bytes, const Signature& signature) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (signature.offset == Signature::kAnywhere) return text.find(signature.bytes) != text.npos;
  return text.size() >= signature.offset && text.substr(signature.offset).starts_with(signature.bytes);
}

/// The words of the first lines, separated by blanks or commas.
std::vector<std::vector<std::string_view>> first_lines(Bytes bytes, std::size_t count) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<std::vector<std::string_view>> lines;
  while (lines.size() < count && !text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    auto& words = lines.emplace_back();
    while (!line.empty() && words.size() < 32) {
      line.remove_prefix(std::min(line.find_first_not_of(" \t\r,"), line.size()));
      const std::string_view word = line.substr(0, line.find_first_of(" \t\r,"));
      if (!word.empty()) words.push_back(word);
      line.remove_prefix(word.size());
    }
  }
  return lines;
}

bool is_whole(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

/// "TIPSY ascii": numbers of bodies, of gas and of stars; dimensions; time (tipsy manual, "openascii").
bool is_tipsy_text(Bytes bytes) {
  const auto lines = first_lines(bytes, 3);
  return lines.size() == 3 && lines[0].size() == 3 && std::ranges::all_of(lines[0], is_whole) && lines[1].size() == 1 &&
         (lines[1][0] == "2" || lines[1][0] == "3") && lines[2].size() == 1;
}

/// PeTar's data.N as text: index of the file, number of bodies and time, maybe followed by position and velocity of the
/// centre (FileHeader in src/io.hpp); then mass, position, velocity, a whole number and more of each body
/// (ParticleBase, Ptcl).
bool is_petar(Bytes bytes) {
  constexpr std::size_t kFewest = 14;
  const auto lines = first_lines(bytes, 2);
  return lines.size() == 2 && (lines[0].size() == 3 || lines[0].size() == 9) && is_whole(lines[0][0]) &&
         is_whole(lines[0][1]) && lines[1].size() >= kFewest && !is_whole(lines[1][0]) && is_whole(lines[1][7]);
}

/// XYZ of chemistry: a number, a comment, and rows of a name and three numbers.
bool is_xyz(Bytes bytes) {
  const auto lines = first_lines(bytes, 3);
  return lines.size() == 3 && lines[0].size() == 1 && is_whole(lines[0][0]) && lines[2].size() >= 4 &&
         !is_whole(lines[2][0]) && std::isalpha(static_cast<unsigned char>(lines[2][0][0]));
}

/// The first character after the mark has a byte of 0.
bool is_utf16(Bytes bytes) {
  return bytes.size() >= 4 && ((bytes[0] == 0xFF && bytes[1] == 0xFE && bytes[3] == 0) ||
                               (bytes[0] == 0xFE && bytes[1] == 0xFF && bytes[2] == 0));
}

/// CometEls.txt of the Minor Planet Center (minorplanetcenter.net/iau/info/CometOrbitFormat.html): year, month and day
/// of perihelion in columns 15 to 29, distance from 31, date of the epoch from 82.
bool is_comet_elements(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 110));
  return text.size() == 110 && text.find('\n') == text.npos && is_whole(text.substr(14, 4)) &&
         is_whole(text.substr(81, 8)) && text[18] == ' ' && text[32] == '.' && text[24] == '.' && text[42] == '.';
}

bool is_json(Bytes bytes) {
  std::string text;
  for (const std::uint8_t c : bytes.first(std::min<std::size_t>(bytes.size(), 1024)))
    if (c > ' ' && text.size() < 2) text += static_cast<char>(c);
  return text == "{\"" || text == "{}" || text == "[{" || text == "[[";
}

std::string sentence(std::string_view name, std::string_view advice) {
  const std::string end = advice.ends_with('.') ? "" : ".";
  return std::string("This is ").append(name).append(", which Pericenter does not read.").append(advice).append(end);
}

}  // namespace

std::string foreign_folder(const std::string& folder) {
  struct Row {
    const char *inside, *name;
    std::string_view advice;
  };
  constexpr Row kRows[] = {{"Header/attr-v2", "a bigfile folder (MP-Gadget)", kBigfile},
                           {"Header/header", "a bigfile folder (MP-Gadget)", kBigfile},
                           {"description.xml", "an NChilada snapshot", kToTipsy},  // ChaNGa
                           {"dark/pos", "an NChilada snapshot", kToTipsy},
                           {".zgroup", "a Zarr folder", kTable},  // Zarr 2
                           {"zarr.json", "a Zarr folder", kTable}};
  std::error_code error;
  for (const Row& row : kRows)
    if (std::filesystem::exists(std::filesystem::path(folder) / row.inside, error))
      return sentence(row.name, row.advice);
  return {};
}

std::string foreign_format(const FileHead& head) {
  for (const Signature& signature : kSignatures)
    if (holds(head.first, signature)) return sentence(signature.name, signature.advice);
  if (holds(head.first, {Signature::kAnywhere, "$$SOE", {}, {}}) &&
      !holds(head.first, {Signature::kAnywhere, "Target body name", {}, {}}))
    return sentence("an ephemeris of JPL Horizons without its heading",
                    " Save it with the text above the table, which names body, center and units.");
  if (is_utf16(head.first)) return sentence("text in UTF-16", " Save it as CSV UTF-8.");
  if (is_comet_elements(head.first)) return sentence("a list of comets of the Minor Planet Center", kSmallBodies);
  if (head.name == "attr-v2") return sentence("a part of a bigfile folder (MP-Gadget)", kBigfile);
  if (is_json(head.first)) return sentence("a JSON file", kTable);
  if (is_tipsy_text(head.first)) return sentence("TIPSY ascii", " Convert it with ascii2std of tipsy_tools.");
  if (is_petar(head.first)) return sentence("a snapshot of PeTar", kPetar);
  if (is_xyz(head.first)) return sentence("an XYZ file of molecules", kTable);
  return {};
}

}  // namespace pericenter
