# start.sh FOLDER COMMAND: starts run.sh in the folder, in a session of its own; or submits job.slurm if there is one.
echo pericenter
cd -- "$1" || exit 1
shift
if [ -e job.slurm ]; then
  job=$(sbatch --parsable job.slurm 2>&1) && echo "job ${job%%;*}" || echo "refused $(echo "$job" | tail -n 1)"
  exit 0
fi
setsid sh ./run.sh "$@" >/dev/null 2>&1 </dev/null &
echo "process $!"
