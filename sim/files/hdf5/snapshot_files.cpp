#include "sim/files/hdf5/snapshot_files.h"

#include <hdf5.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>

#include "sim/files/hdf5/other_hdf5.h"
#include "sim/files/snapshot.h"

namespace pericenter {
namespace {

constexpr std::uint64_t kMaxPieces = 1 << 16;  ///< files of a snapshot

void check_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError("there is no such file.", true);
  if (!std::filesystem::is_regular_file(status)) throw InputError("it is not a regular file.", true);
}

/// Whether a process of this machine holds the library's lock of a file that it writes. The lock itself is not asked
/// for: SWIFT opens a snapshot once for each of its processes, and ends the run when another program holds it then.
bool is_locked_for_writing(const std::string& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0) return false;
  std::ifstream locks("/proc/locks");  // "1: FLOCK ADVISORY WRITE 4321 fe:01:655361 0 EOF"
  const std::string inode = ":" + std::to_string(file.st_ino) + " ";  // devices of overlays have other numbers there
  for (std::string line; std::getline(locks, line);)
    if (line.find(" FLOCK ") != line.npos && line.find(" WRITE ") != line.npos && line.find(inode) != line.npos)
      return true;
  return false;
}

/// The library marks files of recent layouts that are being written.
InputError unopened(const std::string& reason) {
  if (reason.find("consistency flags") != reason.npos)
    return InputError(
        "it is marked as open for writing: a program is still writing it, or was interrupted. Wait until it " +
        std::string("is complete; if that program has ended, remove the mark with h5clear -s FILE."));
  return InputError("it cannot be opened as HDF5: " + reason + ".");
}

}  // namespace

Hdf5File open_hdf5_file(const Hdf5Session& session, const std::filesystem::path& path) {
  check_file(path);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  H5Pset_file_locking(access.get(), false, true);
  if (is_locked_for_writing(path))
    throw InputError(
        "another program has it open for writing, so it is locked: a simulation may still be writing it. Wait until it "
        "is complete, or close it there.");
  Hdf5File part;
  part.file = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose};
  if (!part.file) throw unopened(session.reason());
  std::error_code error;
  part.size = std::filesystem::file_size(path, error);
  return part;
}

Hdf5Header read_hdf5_header(const Hdf5File& part) {
  const Hdf5Handle group = open_hdf5_group(part.file.get(), "Header");
  if (!group) throw InputError(about_other_hdf5(part.file.get()));
  Hdf5Header header;
  header.here = hdf5_counts(group.get(), "NumPart_ThisFile");
  header.total = hdf5_counts(group.get(), "NumPart_Total");
  header.masses = hdf5_numbers(group.get(), "MassTable");
  const Hdf5Counts high = hdf5_counts(group.get(), "NumPart_Total_HighWord");
  for (std::size_t t = 0; t < std::min(high.size(), header.total.size()); ++t) {
    if (header.total[t] >> 32 == 0) header.total[t] |= high[t] << 32;
  }
  const Hdf5Counts files = hdf5_counts(group.get(), "NumFilesPerSnapshot");
  if (!files.empty()) header.files = std::max<std::uint64_t>(1, files[0]);
  if (header.files > kMaxPieces) {
    throw InputError("attribute 'NumFilesPerSnapshot' of /Header declares " + std::to_string(header.files) +
                     " files; at most " + std::to_string(kMaxPieces) + " are supported.");
  }
  for (const std::uint64_t count : header.here) {
    if (count > kMaxHdf5Bytes)
      throw InputError("attribute 'NumPart_ThisFile' of /Header is invalid: the file is damaged.");
  }
  return header;
}

}  // namespace pericenter
