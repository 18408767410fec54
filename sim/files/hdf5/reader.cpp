#include "sim/files/hdf5/reader.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <functional>
#include <numeric>
#include <vector>

#include "sim/files/formats.h"
#include "sim/files/hdf5/body_reader.h"
#include "sim/files/hdf5/file.h"
#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/hdf5/run_attributes.h"
#include "sim/files/hdf5/sandboxed_read.h"
#include "sim/files/hdf5/snapshot_assembler.h"
#include "sim/files/hdf5/snapshot_files.h"
#include "sim/files/mapped_file.h"
#include "sim/files/snapshot_parts.h"

namespace pericenter {
namespace {

/// Reads everything in a child process, because damaged files can cause buffer overruns (such as CVE-2025-2310) or
/// endless loops in the library. `conventions`: null for those of the file.
void add_bodies(std::uint64_t size, const std::function<Hdf5File()>& open, const Hdf5Conventions* conventions,
                const ReadOptions& options, Hdf5SnapshotAssembler& assembly) {
  const auto read = [&](const SendBytes& send) {
    const Hdf5File part = open();
    read_hdf5_header(part);
    // This process reads the attributes again.
    const Hdf5Conventions own = hdf5_conventions(part.file.get());
    std::vector<std::string> notes;
    if (const Hdf5Handle run = open_hdf5_group(part.file.get(), kRunGroup)) read_run(run.get(), notes);
    read_bodies(part, conventions != nullptr ? *conventions : own, options,
                [&](const Hdf5Batch& batch) { send_batch(batch, send); });
  };
  sandboxed_read(size, read, [&](Bytes bytes) {
    if (bytes.empty()) {
      assembly.report_progress();
    } else {
      assembly.add(received_batch(bytes));
    }
  });
}

std::uint64_t size_of(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

/// Adds the other files, which must exist and belong to the same snapshot.
void add_others(const Hdf5Session& session, const SnapshotParts& parts, const Hdf5Conventions& conventions,
                const ReadOptions& options, Hdf5SnapshotAssembler& assembly) {
  const Hdf5Header first = read_hdf5_header(open_hdf5_file(session, parts.path(parts.given())));
  for (std::uint64_t k = 0; k < parts.count(); ++k) {
    if (k == parts.given()) continue;
    const std::filesystem::path other = parts.path(k);
    const FileStamp stamp(other);
    try {
      add_bodies(
          size_of(other), [&] { return open_hdf5_file(session, other); }, &conventions, options, assembly);
      const Hdf5Header header = read_hdf5_header(open_hdf5_file(session, other));
      if (header.files != first.files || header.total != first.total)
        throw InputError("its /Header declares another number of files or bodies, so it belongs to another snapshot.");
      if (FileStamp(other) != stamp) throw file_changed_error();
    } catch (const InputError& error) {
      throw InputError("file " + other.filename().string() + " of the same snapshot: " + error.what() +
                           (error.missing ? parts.advice() : ""),
                       error.missing);
    }
  }
}

Snapshot read_path(const Hdf5Session& session, const std::string& path, const ReadOptions& options) {
  Hdf5SnapshotAssembler assembly(options);
  const FileStamp stamp(path);
  add_bodies(
      size_of(path), [&] { return open_hdf5_file(session, path); }, nullptr, options, assembly);
  if (FileStamp(path) != stamp) throw file_changed_error();
  const Hdf5File part = open_hdf5_file(session, path);
  const Hdf5Header header = read_hdf5_header(part);
  const Hdf5Conventions conventions = hdf5_conventions(part.file.get());
  const SnapshotParts parts(path, header.files);
  const bool alone = parts.stands_alone(!header.here.empty() && header.here == header.total);
  if (alone) assembly.check_counts(header.here, "NumPart_ThisFile");
  if (!alone) add_others(session, parts, conventions, options, assembly);
  if (header.files == 1 || !alone) {
    assembly.check_counts(header.total, "NumPart_Total");
  } else {
    assembly.note(parts.note(assembly.found(), std::accumulate(header.total.begin(), header.total.end(), 0ull)));
  }
  return assembly.finish(part, conventions);
}

Hdf5File open_image(const Hdf5Session& session, Bytes bytes) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  H5Pset_fapl_core(access.get(), 1 << 20, 0);
  // The library copies the bytes, although its parameter is not const.
  H5Pset_file_image(access.get(), const_cast<std::uint8_t*>(bytes.data()), bytes.size());
  Hdf5File part;
  part.size = bytes.size();
  if (!bytes.empty()) part.file = {H5Fopen("image", H5F_ACC_RDONLY, access.get()), H5Fclose};
  if (!part.file) throw InputError("it cannot be opened as HDF5: " + session.reason() + ".");
  return part;
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
  return {
      .name = "hdf5",
      .title = "GADGET, AREPO, GIZMO, SWIFT or Pericenter HDF5",
      .summary = "Snapshots of GADGET-2, -3, -4, AREPO, GIZMO, SWIFT, EAGLE and Pericenter in one or several files.",
      .matches = is_hdf5,
      .read_path = read_hdf5};
}

Snapshot read_hdf5(const std::string& path, const ReadOptions& options) {
  return read_path(Hdf5Session(), path, options);
}

Snapshot read_hdf5_bytes(Bytes bytes, const ReadOptions& options) {
  const Hdf5Session session;
  Hdf5SnapshotAssembler assembly(options);
  const auto open = [&] { return open_image(session, bytes); };
  add_bodies(bytes.size(), open, nullptr, options, assembly);
  const Hdf5File part = open();
  assembly.check_counts(read_hdf5_header(part).here, "NumPart_ThisFile");
  return assembly.finish(part, hdf5_conventions(part.file.get()));
}

double hdf5_time(const std::string& path) {
  const Hdf5Session session;
  double time = 0;
  const auto read = [&](const SendBytes& send) {
    const double found = hdf5_conventions(open_hdf5_file(session, path).file.get()).time;
    send({Bytes(reinterpret_cast<const std::uint8_t*>(&found), sizeof found)});
  };
  sandboxed_read(size_of(path), read, [&](Bytes bytes) {
    if (bytes.size() == sizeof time) std::memcpy(&time, bytes.data(), sizeof time);
  });
  return time;
}

}  // namespace pericenter
