# state.sh FOLDER process|slurm ID SNAPSHOTS STEP: the state of a run. SNAPSHOTS: the beginning of their names. STEP: text of the lines of
# the log that tell the time.
echo pericenter
cd -- "$1" 2>/dev/null || { echo "no_folder"; exit 0; }
echo "clock $(date +%s)"
alive=
if [ "$2" = slurm ]; then
  if job=$(squeue -h -j "$3" -o '%T %r' 2>&1); then
    alive=$job
  else
    case "$job" in *[Ii]nvalid*) ;; *) echo "no_answer $(echo "$job" | tail -n 1)" ;; esac
  fi
  case "${alive%% *}" in
    '')
      last=$(sacct -n -X -P -j "$3" -o State 2>/dev/null | head -n 1)
      # Without a data base, SLURM forgets a job after some minutes.
      [ -n "$last" ] || last=$(scontrol show job -o "$3" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p')
      ;;
    BOOT_FAIL | CANCELLED | COMPLETED | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | REVOKED | TIMEOUT) last=${alive%% *} alive= ;;
  esac
elif [ "$(readlink "/proc/$3/cwd" 2>/dev/null)" = "$(pwd -P)" ]; then
  alive=RUNNING
fi
if [ -f engine.exit ]; then
  echo "exit $(cat engine.exit)"
  [ -z "$last" ] || echo "gone $last"
elif [ -n "$alive" ]; then
  echo "alive $alive"
else
  echo "gone $last"
fi
[ -e engine.cancelled ] && echo "cancelled"
[ -f engine.start ] && echo "began $(cat engine.start)"
newest=
for file in "$4"*.hdf5; do
  [ -f "$file" ] && stat -c 'snapshot %s %Y %n' -- "$file" && newest=$file
done
# SWIFT lists each snapshot there when all its processes have written their bodies.
list=${4%_}.xmf number=${newest#"$4"}
[ -z "$newest" ] || [ ! -f "$list" ] || grep -qa "output=${number%.hdf5}," "$list" || echo "unfinished"
free=$(df -Pk . | awk 'NR == 2 { print $4 }')
[ "${free:-1024}" -ge 1024 ] || echo "full"
[ -f engine.log ] || exit 0
tail -c 200000 engine.log | grep -qa 'No space left on device' && echo "full"
tail -c 200000 engine.log | grep -a -- "$5" | tail -n 1 | cut -c 1-400 | sed 's/^/step /'
tail -n 12 engine.log | cut -c 1-400 | sed 's/^/log /'
exit 0
