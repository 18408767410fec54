#!/usr/bin/env bash
# Reads files of Pericenter with pynbody, yt, swiftsimio and h5py, in a virtual environment with the versions of
# clients.txt. Usage: clients.sh PERICENTER [ENVIRONMENT]. Exit code 77 if the environment cannot be made.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?Usage: clients.sh PERICENTER [ENVIRONMENT]}")
environment=${2:-${XDG_CACHE_HOME:-$HOME/.cache}/pericenter-clients}

skip() {
  echo "clients.sh: skipped, $1." >&2
  exit 77
}

[ -x "$environment/bin/python" ] || python3 -m venv "$environment" || skip "python3 -m venv failed"
"$environment/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/clients.txt" ||
  skip "the packages of clients.txt cannot be installed"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export MPLBACKEND=Agg
"$environment/bin/python" -W ignore "$here/clients.py" "$program"
