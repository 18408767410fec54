# cancel.sh FOLDER process|slurm ID: ends a run, after ten seconds by force.
echo pericenter
cd -- "$1" || { echo "no_folder"; exit 0; }
[ ! -e engine.exit ] || exit 0
if [ "$2" = slurm ]; then
  if answer=$(scancel "$3" 2>&1); then : >engine.cancelled; else echo "refused $answer"; fi
  for second in $(seq 10); do
    [ -n "$(squeue -h -j "$3" -o %T 2>/dev/null)" ] || exit 0
    sleep 1
  done
  exit 0
fi
alive() { [ "$(readlink "/proc/$1/cwd" 2>/dev/null)" = "$(pwd -P)" ]; }
alive "$3" || exit 0
: >engine.cancelled
kill -TERM "-$3" 2>/dev/null
for tenth in $(seq 100); do
  alive "$3" || exit 0
  sleep 0.1
done
kill -KILL "-$3"
