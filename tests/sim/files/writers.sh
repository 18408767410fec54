#!/usr/bin/env bash
# Reads files of other programs with Pericenter: each of writers.txt writes six bodies in every format that it has.
# Usage: writers.sh PERICENTER [ENVIRONMENT]. Exit code 77 if the environment cannot be made, 1 if a case fails.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?Usage: writers.sh PERICENTER [ENVIRONMENT]}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
environment=${2:-$folder/environment}

skip() {
  echo "writers.sh: skipped, $1." >&2
  exit 77
}

[ -x "$environment/bin/python" ] || python3 -m venv "$environment" || skip "python3 -m venv failed"
PIP_CONSTRAINT=$here/writers.txt "$environment/bin/pip" install --quiet --disable-pip-version-check \
  --only-binary mpi4py --requirement "$here/writers.txt" || skip "the packages of writers.txt cannot be installed"

cd "$folder"
export HOME=$folder
"$environment/bin/python" -W ignore "$here/writers.py" "$program"
