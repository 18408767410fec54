#include "sim/files/hdf5/reader.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>

#include "sim/files/formats.h"
#include "sim/files/hdf5/file.h"
#include "sim/files/hdf5/sandboxed_read.h"
#include "sim/files/hdf5/snapshot_assembler.h"
#include "sim/files/hdf5/snapshot_files.h"
#include "sim/files/hdf5/units.h"

namespace pericenter {
namespace {

std::uint64_t sum_of(const Hdf5Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t(0));
}

/// Damaged files can cause buffer overruns (such as CVE-2025-2310) or endless loops in the library. A child process
/// therefore reads the first and the last bodies of each type beforehand.
void try_part(const Hdf5Session& session, const std::filesystem::path& path, const ReadOptions& options) {
  sandboxed_read([&] {
    const Hdf5File part = open_hdf5_file(session, path);
    const Hdf5Header header = read_hdf5_header(part);
    Hdf5SnapshotAssembler(hdf5_conventions(part.file.get()), {.skip_bad = options.skip_bad}, 0, true).add(part, header);
  });
}

/// Adds the other files, which must exist and belong to the same snapshot.
void add_others(const Hdf5Session& session, const std::filesystem::path& path, const Hdf5Header& first,
                Hdf5SnapshotAssembler& assembly) {
  for (std::uint64_t k = 0; k < first.files; ++k) {
    const std::filesystem::path other = hdf5_file_path(path, k);
    if (other.filename() == path.filename()) continue;
    const std::string name = "file " + other.filename().string() + " of the same snapshot: ";
    Hdf5File part;
    try {
      try_part(session, other, assembly.options());
      part = open_hdf5_file(session, other);
    } catch (const InputError& error) {
      const std::string advice = " All " + std::to_string(first.files) + " files must be in one folder.";
      throw InputError(name + error.what() + (error.missing ? advice : ""), error.missing);
    }
    part.name = name;
    const Hdf5Header header = read_hdf5_header(part);
    if (header.files != first.files || header.total != first.total) {
      throw InputError(name +
                       "its /Header declares another number of files or bodies, so it belongs to another snapshot.");
    }
    assembly.add(part, header);
  }
}

void check_total(const Hdf5Header& header, const Hdf5Counts& counts) {
  for (std::size_t t = 0; t < header.total.size(); ++t) {
    const std::uint64_t found = t < counts.size() ? counts[t] : 0;
    if (header.total[t] == found) continue;
    throw InputError("attribute 'NumPart_Total' of /Header declares " + std::to_string(header.total[t]) +
                     " bodies of type " + std::to_string(t) + ", but there are " + std::to_string(found) +
                     "; the snapshot is not complete.");
  }
}

Snapshot read_path(const Hdf5Session& session, const std::string& path, const ReadOptions& options) {
  const Hdf5File part = open_hdf5_file(session, path);
  const Hdf5Header header = read_hdf5_header(part);
  if (header.files > 1 && hdf5_file_path(path, 0).empty()) {
    throw InputError(
        "it is one of " + std::to_string(header.files) +
        " files of a snapshot, but its name is not of the form NAME.0.hdf5. Rename all files to that form.");
  }
  Hdf5SnapshotAssembler assembly(hdf5_conventions(part.file.get()), options,
                                 sum_of(header.total.empty() ? header.here : header.total), false);
  assembly.add(part, header);
  if (header.files > 1) add_others(session, path, header, assembly);
  check_total(header, assembly.counts());
  return assembly.finish(part);
}

Snapshot read_image(const Hdf5Session& session, Bytes bytes, const ReadOptions& options) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  H5Pset_fapl_core(access.get(), 1 << 20, 0);
  // The library copies the bytes, although its parameter is not const.
  H5Pset_file_image(access.get(), const_cast<std::uint8_t*>(bytes.data()), bytes.size());
  Hdf5File part;
  part.size = bytes.size();
  if (!bytes.empty()) part.file = {H5Fopen("image", H5F_ACC_RDONLY, access.get()), H5Fclose};
  if (!part.file) throw InputError("it cannot be opened as HDF5: " + session.reason() + ".");
  const Hdf5Header header = read_hdf5_header(part);
  Hdf5SnapshotAssembler assembly(hdf5_conventions(part.file.get()), options, sum_of(header.here), false);
  assembly.add(part, header);
  if (header.files == 1) check_total(header, assembly.counts());
  return assembly.finish(part);
}

// The HDF5 signature is at offset 0 or, after a user block, at 512, 1024, 2048 ... (HDF5 File Format Specification,
// version 3, section II.A).
bool is_hdf5(const FileHead& head) {
  constexpr std::array<std::uint8_t, 8> kSignature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
  for (std::size_t at = 0; at + kSignature.size() <= head.first.size(); at = at == 0 ? 512 : 2 * at) {
    if (std::ranges::equal(head.first.subspan(at, kSignature.size()), kSignature)) return true;
  }
  return false;
}

}  // namespace

FileFormat hdf5_format() {
  return {.name = "hdf5",
          .title = "GADGET, AREPO, SWIFT or Pericenter HDF5",
          .summary = "Snapshots of GADGET-2, -3, -4, AREPO, SWIFT and Pericenter in one or several files.",
          .matches = is_hdf5,
          .read = nullptr};
}

Snapshot read_hdf5(const std::string& path, const ReadOptions& options) {
  const Hdf5Session session;
  try_part(session, path, options);
  return read_path(session, path, options);
}

Snapshot read_hdf5_bytes(Bytes bytes, const ReadOptions& options) {
  const Hdf5Session session;
  sandboxed_read([&] { read_image(session, bytes, {.skip_bad = options.skip_bad}); });
  return read_image(session, bytes, options);
}

double hdf5_time(const std::string& path) {
  const Hdf5Session session;
  const auto time = [&] { return hdf5_conventions(open_hdf5_file(session, path).file.get()).time; };
  sandboxed_read(time);
  return time();
}

}  // namespace pericenter
