#include "app/cluster/run_record.h"

#include <toml++/toml.h>
#include <filesystem>
#include <sstream>
#include <type_traits>

#include "app/base/atomic_file.h"
#include "app/cluster/engine.h"
#include "sim/files/load.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 64 << 10;

/// A row per entry of the file.
template <class Record, class Row>
void for_each_entry(Record& record, const Row& row) {
  row("name", record.name);
  row("host", record.host);
  row("remote-folder", record.remote);
  row("program", record.program);
  row("ranks", record.ranks);
  row("threads", record.threads);
  row("slurm-job", record.slurm);
  row("process", record.process);
  row("bodies", record.bodies);
  row("time-end", record.time_end);
  row("time-step", record.time_step);
}

}  // namespace

std::optional<RunRecord> find_run_record(const std::string& folder) {
  const std::string path = (fs::path(folder) / kRunRecord).string();
  const std::optional<std::string> text = first_bytes(path, kMaxBytes);
  if (!text) return std::nullopt;
  RunRecord record;
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(folder, error);
  record.folder = error ? folder : whole.string();
  const auto refuse = [&](const std::string& why) {
    throw InputError(path + ": " + why +
                     ". This file of the run is damaged; write it again from a copy, or submit the run again.");
  };
  try {
    const toml::table table = toml::parse(*text, path);
    const std::string engine = table["engine"].value_or(std::string());
    if (engine == engine_of(ClusterCode::gadget4).name)
      record.code = ClusterCode::gadget4;
    else if (engine != engine_of(ClusterCode::swift).name)
      refuse("the engine is neither swift nor gadget4");
    for_each_entry(record, [&](const char* key, auto& value) {
      using Value = std::remove_reference_t<decltype(value)>;
      const auto found = table[key].value<Value>();
      if (!found) return refuse(std::string("'") + key + "' is missing or of another kind");
      value = *found;
    });
  } catch (const toml::parse_error& wrong) {
    refuse(std::string(wrong.description()));
  }
  if (!(record.time_end > 0) || record.ranks < 1 || record.threads < 1) refuse("its numbers are not those of a run");
  return record;
}

void write_run_record(const RunRecord& record) {
  toml::table table;
  table.insert("engine", std::string(engine_of(record.code).name));
  for_each_entry(record, [&](const char* key, const auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_integral_v<Value>)
      table.insert(key, static_cast<std::int64_t>(value));
    else
      table.insert(key, value);
  });
  std::ostringstream text;
  text << "# A run of an engine, written by Pericenter: pericenter submit --state FOLDER.\n" << table << '\n';
  write_file((fs::path(record.folder) / kRunRecord).string(), text.str());
}

}  // namespace pericenter::app
