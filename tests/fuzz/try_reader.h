#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/files/formats.h"
#include "sim/files/gzip.h"
#include "sim/files/hdf5/reader.h"
#include "sim/files/load.h"

namespace pericenter::test {

/// Reads bytes as a file of a format and converts them to a scene. An InputError is a valid result, any other exception
/// is a defect. Returns the number of bodies.
/// "gzip" is a compressed table.
inline std::size_t try_reader(std::string_view format, Bytes bytes) {
  if (format == "gzip") {
    try {
      const std::vector<std::uint8_t> unpacked = gunzip(bytes, {});
      return try_reader("csv", unpacked);
    } catch (const InputError&) {
      return 0;
    }
  }
  for (const FileFormat& each : file_formats()) {
    if (each.name != format) continue;
    try {
      each.matches({bytes.first(bytes.size() < 65536 ? bytes.size() : 65536), bytes.size(), "file"});
      ReadOptions options = {.skip_bad = bytes.size() % 2 == 1};
      const auto read = [&] { return each.read ? each.read(bytes, options) : read_hdf5_bytes(bytes, options); };
      Snapshot snapshot = read();
      const std::size_t bodies = snapshot.bodies.size();
      if (const std::size_t fields = snapshot.fields.size(); fields > 0) {
        options.field = snapshot.fields[bytes.size() % fields].name;
        if (read().values.size() != bodies) throw std::logic_error("not one value per body");
      }
      scene_of(std::move(snapshot));
      return bodies;
    } catch (const InputError&) {
      return 0;
    }
  }
  throw std::logic_error("unknown format " + std::string(format));
}

}  // namespace pericenter::test
