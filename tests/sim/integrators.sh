#!/usr/bin/env bash
# Compares gauss-radau with IAS15 of REBOUND, in the version of files/writers.txt, and prints a table.
# Usage: integrators.sh PERICENTER [ENVIRONMENT]. Exit code 77 if the environment cannot be made, 1 if an error is larger
# than stated in integrators.py.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?Usage: integrators.sh PERICENTER [ENVIRONMENT]}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
environment=${2:-$folder/environment}

skip() {
  echo "integrators.sh: skipped, $1." >&2
  exit 77
}

[ -x "$environment/bin/python" ] || python3 -m venv "$environment" || skip "python3 -m venv failed"
PIP_CONSTRAINT=$here/files/writers.txt "$environment/bin/pip" install --quiet --disable-pip-version-check \
  rebound h5py numpy || skip "the packages cannot be installed"

cd "$folder"
export HOME=$folder
"$environment/bin/python" "$here/integrators.py" "$program"
