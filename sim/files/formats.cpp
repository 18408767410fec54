#include "sim/files/formats.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "sim/files/csv_columns.h"
#include "sim/files/foreign_formats.h"
#include "sim/files/gzip.h"

/// One row per format, in the order in which they are tried: formats with an unambiguous signature first. NAME.cpp
/// defines FileFormat NAME_format().
#define PERICENTER_FILE_FORMATS(ROW) \
  ROW(hdf5)                          \
  ROW(gadget)                        \
  ROW(ramses)                        \
  ROW(fits)                          \
  ROW(votable)                       \
  ROW(rebound)                       \
  ROW(tipsy)                         \
  ROW(horizons)                      \
  ROW(mpcorb)                        \
  ROW(jpl)                           \
  ROW(csv)                           \
  ROW(stdpar)

namespace pericenter {
namespace {

/// The first 64 KiB.
std::vector<std::uint8_t> head_of(const std::string& path) {
  std::vector<std::uint8_t> head(64 << 10);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return head;
}

bool names_columns_of_bodies(Bytes text) {
  try {
    csv_columns_of(TextTable(text));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

#define PERICENTER_DECLARE(name) FileFormat name##_format();
PERICENTER_FILE_FORMATS(PERICENTER_DECLARE)
#undef PERICENTER_DECLARE

std::span<const FileFormat> file_formats() {
#define PERICENTER_CALL(name) name##_format(),
  static const std::vector<FileFormat> kFormats = {PERICENTER_FILE_FORMATS(PERICENTER_CALL)};
#undef PERICENTER_CALL
  return kFormats;
}

std::string format_titles() {
  std::string titles;
  for (const FileFormat& format : file_formats()) titles += (titles.empty() ? "" : "; ") + std::string(format.title);
  return titles;
}

bool seems_to_hold_bodies(const std::string& path) {
  constexpr std::string_view kPacked[] = {".csv.gz", ".ecsv.gz", ".txt.gz", ".dat.gz", ".vot.gz", ".fits.gz"};
  const std::string name = std::filesystem::path(path).filename().string();
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  const std::vector<std::uint8_t> first = head_of(path);
  if (first.empty() || name.starts_with('.')) return false;
  if (is_gzip(first)) return std::ranges::any_of(kPacked, [&](std::string_view end) { return name.ends_with(end); });
  const FileHead head{first, size, name};
  if (!foreign_format(head).empty()) return false;
  const auto formats = file_formats();
  const auto found = std::ranges::find_if(formats, [&](const FileFormat& format) { return format.matches(head); });
  return found != formats.end() && (found->name != "csv" || names_columns_of_bodies(first));
}

}  // namespace pericenter
