#include "app/cluster/engine_run.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/cluster/engine.h"
#include "app/cluster/scripts.h"
#include "app/export/export.h"
#include "app/settings/command_line_error.h"
#include "sim/core/display_units.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSettledSeconds = 10;  ///< age of a newest snapshot that no longer grows

constexpr std::size_t kMaxTemplate = 64 << 10;
constexpr double kKnownShare = 0.01;  ///< share of a run after which its end can be expected

/// In a unit that shows a hundredth of the run.
std::string time_words(const RunRecord& record, double time) {
  const double hundredth = record.time_end / 100;
  return time_text(time / hundredth, {.length_kpc = 1, .time_myr = hundredth * kMyr, .velocity_kms = 1});
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<std::string> launcher_of(const EngineStart& start) {
  if (!start.launcher.empty()) return words_of(start.launcher);
  // --unbuffered: engines do not keep their lines back.
  if (start.slurm) return {"srun", "--unbuffered"};
  return {"mpirun", "-np", std::to_string(start.ranks)};
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size())
    text.replace(at, what.size(), with);
}

/// Letters, digits, '-', '_' and '.', which are safe in a file name and a comment of SLURM.
std::string plain_name(const std::string& name) {
  std::string plain;
  for (const unsigned char c : name) {
    const bool keeps =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    plain += keeps ? static_cast<char>(c) : '-';
  }
  return plain.empty() || plain[0] == '.' ? "run" + plain : plain;
}

const std::string& id_of(const RunRecord& record) {
  return record.slurm.empty() ? record.process : record.slurm;
}

const char* kind_of(const RunRecord& record) {
  return record.slurm.empty() ? "process" : "slurm";
}

template <class Number>
std::optional<Number> whole_number_in(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// Size, time of the last change and name.
struct ListedFile {
  std::uintmax_t bytes = 0;
  std::int64_t changed = 0;
  std::string name;
};

std::optional<ListedFile> listed_file(const std::string& text) {
  ListedFile file;
  std::istringstream words(text);
  words >> file.bytes >> file.changed >> std::ws;
  if (!words || !std::getline(words, file.name)) return std::nullopt;
  return file;
}

void add_snapshots(const HostFacts& facts, const Engine& engine, EngineRunState& state) {
  const std::int64_t clock = whole_number_in<std::int64_t>(facts.text("clock")).value_or(0);
  for (const std::string& text : facts.texts("snapshot")) {
    const std::optional<ListedFile> file = listed_file(text);
    if (!file || !is_snapshot_name(engine, file->name)) continue;
    const bool settled = state.is_over() || clock - file->changed >= kSettledSeconds;
    state.snapshots.push_back({file->name, file->bytes, settled && file->bytes > 0});
  }
  if (facts.has("unfinished") && !state.snapshots.empty()) state.snapshots.back().is_complete = false;
}

/// What ended a run that has not reached its end, in a sentence.
std::string why_failed(const RunRecord& record, const HostFacts& facts, double time) {
  const std::string reached = time > 0 ? " at " + time_words(record, time) : " at its start";
  const std::string engine(engine_of(record.code).title);
  if (facts.has("full"))
    return engine + " failed" + reached + ": the disk of " + record.folder_on_host() +
           " is full. Delete what is not needed, and submit the run again.";
  const std::string last = facts.text("gone");
  if (!facts.has("exit") || (!last.empty() && last != "FAILED" && last != "COMPLETED")) {
    if (!last.empty()) return "SLURM ended the job" + reached + " (" + last + ").";
    return engine + " stopped" + reached + " without a word: it was killed, or the machine was restarted.";
  }
  const std::string code = facts.text("exit");
  if (code == "0") return engine + " stopped" + reached + ", before the end of the run.";
  return engine + " failed" + reached + " with exit code " + code + ".";
}

void set_phase(const RunRecord& record, const HostFacts& facts, EngineRunState& state) {
  if (facts.has("alive")) {
    const std::string text = facts.text("alive"), job = text.substr(0, text.find(' '));
    const bool waits = job == "PENDING" || job == "CONFIGURING" || job == "SUSPENDED" || job == "REQUEUED";
    state.phase = waits ? RunPhase::queued : RunPhase::running;
    if (waits) state.why = text;
    return;
  }
  // The last step may be a little short of the end.
  const bool reached_end = state.share > 0.999;
  if (facts.text("exit") == "0" && reached_end) {
    state.phase = RunPhase::ended;
  } else if (facts.has("cancelled") || facts.text("gone").starts_with("CANCELLED")) {
    state.phase = RunPhase::cancelled;
  } else {
    state.phase = RunPhase::failed;
    state.why = why_failed(record, facts, state.time);
  }
}

void set_time(const RunRecord& record, const HostFacts& facts, EngineRunState& state) {
  const std::optional<double> time = time_of_step(record.code, facts.text("step"));
  state.time = time.value_or(0);
  state.share = std::clamp(state.time / record.time_end, 0.0, 1.0);
  const auto began = whole_number_in<std::int64_t>(facts.text("began")),
             clock = whole_number_in<std::int64_t>(facts.text("clock"));
  if (began && clock && state.share > kKnownShare)
    state.seconds_left = static_cast<double>(*clock - *began) * (1 - state.share) / state.share;
}

/// Held while one process of this machine copies the results of a run.
class FetchLock {
 public:
  explicit FetchLock(const std::string& folder)
      : file_(::open((folder + "/" + kRunRecord).c_str(), O_RDONLY | O_CLOEXEC)) {
    holds_ = file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) == 0;
  }
  ~FetchLock() {
    if (file_ >= 0) ::close(file_);
  }
  FetchLock(const FetchLock&) = delete;
  FetchLock& operator=(const FetchLock&) = delete;
  explicit operator bool() const { return holds_; }

 private:
  int file_;
  bool holds_ = false;
};

bool is_here(const RunRecord& record, const EngineRunState::File& file) {
  std::error_code error;
  return fs::file_size(fs::path(record.folder) / file.name, error) == file.bytes && !error;
}

}  // namespace

std::string usual_remote_folder(const std::string& folder) {
  return "pericenter-runs/" + plain_name(fs::path(folder).lexically_normal().filename().string());
}

std::string read_slurm_template(const std::string& path) {
  if (path == "default") return std::string(scripts::k_slurm);
  const std::optional<std::string> text = first_bytes(path, kMaxTemplate);
  if (!text)
    throw CommandLineError(
        "Cannot read '" + path + "', the template of the job. Name another one, or 'default' for the built-in one.",
        kNoInput);
  slurm_script(*text, "", {}, "");
  return *text;
}

std::string slurm_script(const std::string& text, const std::string& name, const EngineStart& start,
                         const std::string& command) {
  if (text.find("\n{{command}}") == text.npos)
    throw CommandLineError("The template of the job has no line {{command}}, which starts the engine. Add it.");
  std::string script = text;
  replace_all(script, "{{name}}", plain_name(name));
  replace_all(script, "{{ranks}}", std::to_string(start.ranks));
  replace_all(script, "{{threads}}", std::to_string(start.threads));
  const std::size_t at = script.find("\n{{command}}") + 1;
  return script.replace(at, std::string_view("{{command}}").size(), command);
}

namespace {

/// Throws HostError, which says what is missing on the host and how to get it, and FileError if the folder there has
/// other contents than an export that was not started. Returns the path of the program there.
std::string check_engine(const EngineStart& start, const std::string& folder_on_host, const Host& host) {
  const Engine& engine = engine_of(start.code);
  std::string wanted = start.program.empty() ? std::string(engine.program) : start.program;
  // From the root, because the run has a folder of its own.
  if (host.is_local() && wanted.find('/') != wanted.npos) wanted = fs::absolute(wanted).lexically_normal().string();
  const std::string launcher = start.slurm ? "sbatch" : launcher_of(start).front();
  std::vector<std::string> arguments = {folder_on_host, launcher, wanted};
  for (const EngineMark& mark : engine.marks) arguments.emplace_back(mark.text);
  const HostFacts facts = host.run(scripts::k_check, arguments);
  if (facts.has("used"))
    throw FileError(kCannotCreate, "The folder " + folder_on_host + " on " + host.title() +
                                       " is not empty: it may hold another run. Choose another one.");
  if (facts.has("no_launcher"))
    throw HostError(start.slurm
                        ? "There is no sbatch on " + host.title() + ": SLURM is not installed there. Leave out --slurm."
                        : "There is no " + launcher + " on " + host.title() +
                              ". Install MPI there: on Debian and Ubuntu, apt-get install openmpi-bin.");
  if (facts.has("no_program"))
    throw HostError("There is no program " + wanted + " on " + host.title() +
                    ". Name it with --program PATH, or build " + std::string(engine.title) +
                    ", on Debian and Ubuntu:\n" + std::string(engine.builds) + "\n");
  for (const EngineMark& mark : engine.marks)
    if (facts.text("lacks") == mark.text)
      throw HostError("The program " + facts.text("program") + " cannot run this: it " + std::string(mark.missing) +
                      ". Build " + std::string(engine.title) + ", on Debian and Ubuntu:\n" +
                      std::string(engine.builds) + "\n");
  return facts.text("program");
}

/// Starts the export in record.folder; completes the record, and writes it. Throws HostError, FileError.
void start_engine(const EngineStart& start, RunRecord& record, const Host& host) {
  record.code = start.code;
  record.host = host.name();
  record.ranks = start.ranks;
  record.threads = start.threads;
  std::vector<std::string> command = launcher_of(start);
  command.push_back(record.program);
  for (const std::string& argument : engine_arguments(start.code, start.threads)) command.push_back(argument);
  std::vector<std::string> files = {kExportedBodies, "run.sh"};
  for (const char* name : {"swift.yml", "param.txt", "Config.sh", "README.txt"})
    if (fs::exists(fs::path(record.folder) / name)) files.push_back(name);
  write_file((fs::path(record.folder) / "run.sh").string(), scripts::k_run);
  if (start.slurm) {
    std::string words = "sh ./run.sh";
    for (const std::string& word : command) words += " " + shell_word(word);
    write_file((fs::path(record.folder) / "job.slurm").string(), slurm_script(*start.slurm, record.name, start, words));
    files.push_back("job.slurm");
  }
  if (!host.is_local()) {
    record.remote = host.run(scripts::k_folder, {start.remote_folder}).text("folder");
    if (record.remote.empty())
      throw HostError("Cannot make the folder " + start.remote_folder + " on " + host.title() + ".");
    host.send(record.folder, record.remote, files);
  }
  command.insert(command.begin(), {record.folder_on_host(), start.slurm ? "slurm" : "process"});
  const HostFacts facts = host.run(scripts::k_start, command);
  if (facts.has("refused"))
    throw HostError("SLURM on " + host.title() + " refused the job: " + printable(facts.text("refused")) +
                    ". Change the template (--slurm FILE), which is job.slurm in " + record.folder + ".");
  record.slurm = facts.text("job");
  record.process = facts.text("process");
  if (id_of(record).empty()) throw HostError("The run did not start on " + host.title() + ".");
  write_run_record(record);
}

}  // namespace

void check_has_no_run(const std::string& folder) {
  if (!find_run_record(folder)) return;
  throw FileError(kCannotCreate, "The folder " + folder +
                                     " holds a run. See how far it is with pericenter submit --state " +
                                     shell_word(folder) + ", and choose another folder for a new one.");
}

RunRecord start_run(const EngineStart& start, const std::string& folder, const Host& host,
                    const std::function<ClusterRun()>& write) {
  check_has_no_run(folder);
  RunRecord record;
  const std::string here = fs::absolute(folder).string();
  record.program = check_engine(start, host.is_local() ? here : start.remote_folder, host);
  const ClusterRun run = write();
  record.folder = fs::canonical(folder).string();
  record.name = run.name;
  record.bodies = run.snapshot.bodies.size();
  record.time_end = run.time_end;
  record.time_step = run.time_step;
  start_engine(start, record, host);
  return record;
}

EngineRunState state_of(const RunRecord& record, const Host& host) {
  const Engine& engine = engine_of(record.code);
  const HostFacts facts = host.run(scripts::k_state, {record.folder_on_host(), kind_of(record), id_of(record),
                                                      std::string(engine.snapshots), std::string(engine.step_line)});
  if (facts.has("no_answer"))
    throw HostError("SLURM on " + host.title() + " does not answer: " + printable(facts.text("no_answer")) + ".");
  EngineRunState state;
  set_time(record, facts, state);
  if (facts.has("no_folder")) {
    state.phase = RunPhase::failed;
    state.why = "The folder " + record.folder_on_host() + " on " + host.title() + " is gone.";
  } else {
    set_phase(record, facts, state);
  }
  for (const std::string& line : facts.texts("log")) state.log.push_back(printable(line));
  add_snapshots(facts, engine, state);
  state.here = static_cast<std::size_t>(
      std::ranges::count_if(state.snapshots, [&](const EngineRunState::File& file) { return is_here(record, file); }));
  return state;
}

bool fetch_results(const RunRecord& record, EngineRunState& state, const Host& host) {
  if (record.remote.empty()) return true;
  const FetchLock lock(record.folder);
  if (!lock) return false;
  const Engine& engine = engine_of(record.code);
  std::vector<std::string> files;
  for (const EngineRunState::File& file : state.snapshots)
    if (file.is_complete && !is_here(record, file)) files.push_back(file.name);
  const std::size_t snapshots = files.size();
  if (state.time > 0) files.insert(files.end(), {std::string(engine.energies), std::string(engine.steps)});
  host.fetch(record.remote, record.folder, files);
  state.here += snapshots;
  return true;
}

void cancel_engine(const RunRecord& record, const Host& host) {
  const HostFacts facts = host.run(scripts::k_cancel, {record.folder_on_host(), kind_of(record), id_of(record)});
  if (facts.has("refused"))
    throw HostError("SLURM on " + host.title() + " did not cancel the job: " + printable(facts.text("refused")) + ".");
}

std::string state_text(const RunRecord& record, const EngineRunState& state) {
  constexpr const char* kPhases[] = {"queued", "running", "ended", "failed", "cancelled"};
  std::string words = kPhases[static_cast<int>(state.phase)];
  if (state.phase == RunPhase::queued) return words + (state.why.empty() ? "" : " (" + state.why + ")");
  words += ", " + time_words(record, state.time) + " of " + time_words(record, record.time_end) +
           text(" (%.0f %%)", 100 * state.share);
  if (state.phase == RunPhase::running && state.seconds_left) {
    const double seconds = *state.seconds_left;
    words += ", about " +
             (seconds < 90     ? text("%.0f s", seconds)
              : seconds < 5400 ? text("%.0f min", seconds / 60)
                               : text("%.1f h", seconds / 3600)) +
             " left";
  }
  words += ", " + counted(state.snapshots.size(), "snapshot");
  if (!record.remote.empty()) words += " (" + std::to_string(state.here) + " here)";
  return words;
}

std::string first_snapshot(const RunRecord& record) {
  const std::string zeros = record.code == ClusterCode::swift ? "0000" : "000";
  return record.folder + "/" + std::string(engine_of(record.code).snapshots) + zeros + ".hdf5";
}

}  // namespace pericenter::app
