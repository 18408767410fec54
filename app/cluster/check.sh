# check.sh FOLDER LAUNCHER PROGRAM MARK...: what this machine lacks for a run in the folder, and the first text that the program lacks. One fact per
# line, after "pericenter".
echo pericenter
is_fresh_export() { head -n 1 "$1/README.txt" 2>/dev/null | grep -q '^Pericenter export for' && [ ! -e "$1/engine.log" ] && [ ! -e "$1/output" ]; }
case "$1" in /*) folder=$1 ;; *) folder=./$1 ;; esac
[ -z "$(ls -A "$folder" 2>/dev/null)" ] || is_fresh_export "$folder" || echo "used"
command -v -- "$2" >/dev/null 2>&1 || echo "no_launcher"
program=$(command -v -- "$3" 2>/dev/null)
if [ -f "$program" ]; then echo "program $program"; else echo "no_program"; fi
shift 3
# A script may start any program.
[ "$(head -c 4 -- "$program" 2>/dev/null | tail -c 3)" = ELF ] || exit 0
for mark in "$@"; do
  grep -qaF -e "$mark" -- "$program" || { echo "lacks $mark"; break; }
done
