#!/bin/sh
# run.sh COMMAND: runs the engine in this folder, with its messages in engine.log and its exit code, at the end, in engine.exit.
cd -- "$(dirname -- "$0")" || exit 1
trap : TERM # cancel.sh sends it to the engine, too; this waits until the engine has ended
# SWIFT opens a snapshot once for each process, and would end the run if another program had locked it.
[ ! -f swift.yml ] || export HDF5_USE_FILE_LOCKING=FALSE
date +%s >engine.start
"$@" >engine.log 2>&1 </dev/null
echo "$?" >engine.exit.new
mv -f -- engine.exit.new engine.exit
