#include "sim/files/csv_time.h"

#include <algorithm>
#include <array>

#include "sim/files/csv_units.h"
#include "sim/files/table_heading.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

constexpr std::array<std::string_view, 8> kNoTimes = {"snapshot", "snapnum", "snap",     "step",
                                                      "frame",    "date",    "datetime", "datetime_str"};

/// Seconds, or 0 if the unit is not stated or unknown. Julian dates are in days.
double time_unit_of(const TextTable& table, std::size_t column) {
  const std::string name = plain_name(table.columns()[column]);
  if (name.ends_with("jd") || name == "jdtdb") return 86400;
  try {
    return csv_unit_of(table, "time", column);
  } catch (const InputError&) {
    return 0;
  }
}

/// In units of the file's length over its velocity.
double in_file_units(double number, double unit, const FileUnits& units) {
  return unit > 0 && units.known() ? number * unit / (units.length_cm / units.velocity_cm_s) : number;
}

}  // namespace

std::optional<std::size_t> time_column_of(const ColumnNames& names, const TextTable& table) {
  const auto found =
      names.any({"time", "t", "times", "sim_time", "time_0", "datetime_jd", "jd", "jdtdb", "mjd", "epoch", "snapshot",
                 "snapnum", "snap", "step", "frame", "date", "datetime", "datetime_str"});
  return found && table.columns()[*found] == "T" ? std::nullopt : found;  // a temperature
}

bool CsvTime::takes(const TextTable& table) {
  constexpr std::size_t kMost = 1'000'000;  // a limit for memory
  blocks_ = table.block() + 1;
  if (table.block() > 0) return false;
  if (column_) {
    const std::string time(table.field(*column_));
    if (taken_ == 0) first_ = time;
    if (times_.size() < kMost) times_.insert(time);
    if (time != first_) return false;
  }
  ++taken_;
  if (table.gaps() < kMost) parts_.resize(table.gaps() + 1);
  if (table.gaps() < kMost) ++parts_.back();
  return true;
}

void CsvTime::finish(const TextTable& table, Snapshot& snapshot) const {
  const std::string rows = taken_ == 1 ? "the one row" : "the " + std::to_string(taken_) + " rows";
  const std::string play =
      " To play all of them, write a table for each, such as out_000.csv, out_001.csv, and open the first with --play.";
  if (column_ && times_.size() > 1)
    snapshot.notes.push_back("The column '" + shown(table.columns()[*column_]) + "' has " +
                             std::to_string(times_.size()) + " values, and " + rows + " of the first one, " +
                             shown(first_) + ", are read." + play);
  if (blocks_ > 1)
    snapshot.notes.push_back("The file has " + std::to_string(blocks_) + " tables one after another, and " + rows +
                             " of the first are read." + play);
  if (parts_.size() > 1 && parts_[0] > 1 && std::ranges::all_of(parts_, [&](auto n) { return n == parts_[0]; }))
    snapshot.notes.push_back(
        "Empty lines divide the table into " + std::to_string(parts_.size()) + " parts of " +
        std::to_string(parts_[0]) +
        " rows, and all are read as bodies of one time. If they are times, write a table for each.");
  if (!column_) {
    for (const std::string& comment : table.comments())
      if (const auto stated = time_in_comment(comment))
        snapshot.time = in_file_units(stated->number, unit_size("time", stated->unit), snapshot.units);
    return;
  }
  const bool is_time = std::ranges::find(kNoTimes, plain_name(table.columns()[*column_])) == kNoTimes.end();
  if (const auto number = parsed_number(first_); is_time && number)
    snapshot.time = in_file_units(*number, time_unit_of(table, *column_), snapshot.units);
}

}  // namespace pericenter
