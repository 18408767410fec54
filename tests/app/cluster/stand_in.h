#pragma once

#include <string>

#include "tests/support/fake_ffmpeg.h"
#include "tests/support/program.h"

namespace pericenter::test {

/// Scripts in PATH in the place of mpirun, an engine, ssh and SLURM. The "engine" is none: it prints steps like those
/// of SWIFT, and writes texts named like its snapshots, as set_plan() says.
class StandIns {
 public:
  StandIns() {
    std::filesystem::create_directory(world_ / "home");
    add("mpirun", R"([ "$1" = -np ] && [ "$2" -gt 0 ] || exit 9; shift 2; exec "$@")");
    add("srun", R"([ "$1" = --unbuffered ] || exit 9; shift; exec "$@")");
    add("swift_mpi", R"(mkdir -p output
while read -r what value; do
  name=output/snapshot_$value.hdf5
  case $what in
    step) echo "       1   $value    1.0000000    0.0000000   1e-3   40   42" ;;
    snapshot) echo "snapshot $value" >"$name"; touch -d "1 minute ago" "$name"; echo "$value" >>statistics.txt; echo "$value" >>timesteps.txt ;;
    half) printf snap >"$name" ;;
    list) echo "</Grid> <!-- End of meta-data for output=$value, time=0.1 -->" >output/snapshot.xmf ;;
    say) echo "$value" ;;
    locking) echo "locking $HDF5_USE_FILE_LOCKING" ;;
    linger) trap 'sleep 0.3; touch "$WORLD/ended"; exit 3' TERM ;;
    wait) while [ -d "$WORLD" ] && [ ! -e "$WORLD/go" ]; do sleep 0.02; done ;;
    exit) echo "the stand-in ends with $value"; exit "$value" ;;
    kill) kill -KILL 0 ;;
  esac
done <"$WORLD/plan")");
    // The other machine is this one, in the folder "home": its shell sees the command as that of a real one would.
    add("ssh",
        R"(if [ -e "$WORLD/unreachable" ]; then echo "ssh: connect to host far port 22: No route to host" >&2; exit 255; fi
while [ "$1" = -o ] || [ "$1" = -l ]; do shift 2; done
echo "$1" >>"$WORLD/hosts"; shift
case "$*" in rsync*) ;; *) echo "Welcome to the cluster" ;; esac
cd "$WORLD/home" && exec sh -c "$*")");
    add("sbatch", R"([ "$1" = --parsable ] || exit 9
if [ -e "$WORLD/full" ]; then echo "sbatch: error: invalid partition" >&2; exit 1; fi
cp "$2" "$WORLD/job"; pwd >"$WORLD/job-folder"; echo PENDING Priority >"$WORLD/job-state"; echo "4711;cluster")");
    add("squeue", R"(if [ -e "$WORLD/job-state" ]; then exec cat "$WORLD/job-state"; fi
echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1)");
    add("sacct", R"(cat "$WORLD/job-last" 2>/dev/null)");
    add("scontrol", R"(cat "$WORLD/job-record" 2>/dev/null)");
    add("scancel", R"(rm -f "$WORLD/job-state"; echo "CANCELLED by 1000" >"$WORLD/job-last")");
  }

  /// Words of the engine, one line each: step TIME, snapshot NUMBER, half NUMBER (begins to write it), list NUMBER
  /// (in snapshot.xmf, as SWIFT does when it is complete), say TEXT, locking (print the setting), wait (until
  /// let_go()), linger (end slowly when asked to), exit CODE, kill.
  void set_plan(const std::string& lines) const { write_text(world_ / "plan", lines); }
  void let_go() const { write_text(world_ / "go", ""); }
  /// A file of the world outside: home, hosts, unreachable, full, job, job-folder, job-state, job-last,
  /// job-record.
  std::filesystem::path operator/(const std::string& name) const { return world_ / name; }

 private:
  void add(const std::string& name, const std::string& script) {
    path_.add(name, "WORLD='" + world_.path().string() + "'\n" + script);
  }

  TemporaryFolder world_;
  ProgramPath path_{false};
};

}  // namespace pericenter::test
