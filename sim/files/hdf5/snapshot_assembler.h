#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/hdf5/sandboxed_read.h"
#include "sim/files/hdf5/snapshot_files.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// Softening lengths of bodies.
struct Hdf5Softenings {
  std::uint64_t count = 0;
  double sum = 0, min = std::numeric_limits<double>::infinity(), max = 0;

  void add(double softening);
  void add(const Hdf5Softenings& other);
};

/// Some bodies of one type in one file, as the process that reads them sends them.
struct Hdf5BatchHead {
  std::uint64_t type = 0;
  std::uint64_t rows = 0;       ///< including bodies that are skipped or not selected
  std::uint64_t skipped = 0;    ///< invalid bodies
  std::uint64_t remaining = 0;  ///< rows of this type in this file, from the first of this batch on
  std::uint64_t expected = 0;   ///< declared bodies in all files; 0: unknown
  std::uint64_t left_out = 0;   ///< bodies of a type without coordinates
  std::uint64_t negative = 0;   ///< ids below 0, to which 2^64 was added
  std::uint64_t split = 0;      ///< ids to which the number of a child of a split body was added
  bool at_rest = false;         ///< there are no velocities
  bool no_place = false;        ///< there are no coordinates
  bool massless = false;        ///< there are no masses
  bool places = false;          ///< the ids are places in the file
  Hdf5Softenings softenings;    ///< softenings of the type; only in the first batch
  Census census = {};           ///< counts of the file; only in the last batch, which has no bodies
};

/// The bodies of a batch, in memory of the caller.
struct Hdf5Batch {
  Hdf5BatchHead head;
  std::span<const Body> bodies;
  std::span<const std::uint64_t> ids;         ///< empty if there are none
  std::span<const float> values = {};         ///< values of ReadOptions::field; empty if the type does not have it
  std::span<const char> fields = {};          ///< name, tab, unit and line end of each field of the type
  std::span<const std::uint64_t> order = {};  ///< places in a saved run, from 1; empty: the IDs
};

/// Sends a batch as one message.
void send_batch(const Hdf5Batch& batch, const SendBytes& send);
/// The batch of a message, which must outlive it. Throws InputError if the message is not a batch.
Hdf5Batch received_batch(Bytes message);

/// Collects the bodies of the files of a snapshot.
class Hdf5SnapshotAssembler {
 public:
  explicit Hdf5SnapshotAssembler(const ReadOptions& options)
      : progress_(options.progress), selects_(options.selection.any()) {}

  /// Throws SceneCancelled.
  void add(const Hdf5Batch& batch);
  void report_progress() const;
  /// Adds what the first file defines.
  Snapshot finish(const Hdf5File& first, const Hdf5Conventions& conventions);
  /// Notes where numbers of bodies that a header declares, by type, differ from those that were found.
  void check_counts(const Hdf5Counts& declared, const std::string& attribute);
  void note(std::string text) { notes_.push_back(std::move(text)); }
  /// Bodies so far, with skipped ones.
  std::uint64_t found() const { return seen_; }

 private:
  void add_bodies(const Hdf5Batch& batch);
  void add_fields(const Hdf5Batch& batch);
  void restore_tags();
  void restore_order();
  void restore_run(Hdf5Id group);
  void note_types(const Hdf5Conventions& conventions);
  void note_ids();
  void set_softening(const Hdf5Conventions& conventions);

  const Progress progress_;
  const bool selects_;
  std::uint64_t seen_ = 0, expected_ = 0;
  /// What was found of one type of bodies.
  struct Type {
    std::uint64_t rows = 0, shown = 0, left_out = 0;
    bool at_rest = false, no_place = false, massless = false;
    Hdf5Softenings softenings;
  };
  std::vector<Type> types_;
  bool ids_missing_ = false;
  std::uint64_t placed_ = 0;  ///< bodies whose id is their place
  std::uint64_t negative_ids_ = 0, split_ids_ = 0;
  std::vector<std::uint64_t> order_;
  std::vector<std::string> notes_;
  Snapshot snapshot_;
};

}  // namespace pericenter
