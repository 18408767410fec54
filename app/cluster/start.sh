# start.sh FOLDER process|slurm COMMAND: starts run.sh in the folder, in a session of its own; or submits job.slurm.
echo pericenter
cd -- "$1" || exit 1
kind=$2
shift 2
if [ "$kind" = slurm ]; then
  job=$(sbatch --parsable job.slurm 2>&1) && echo "job ${job%%;*}" || echo "refused $(echo "$job" | tail -n 1)"
  exit 0
fi
setsid sh ./run.sh "$@" >/dev/null 2>&1 </dev/null &
echo "process $!"
