#!/usr/bin/env bash
# Runs SWIFT and GADGET-4 through `pericenter submit` and compares them with our own run. Not a part of continuous integration: it takes
# a quarter of an hour on two free cores, and the sources of the engines.
# Usage: engines.sh [OPTIONS] PERICENTER
#   --swift FOLDER, --gadget4 FOLDER                    sources of an engine, which are copied and built
#   --swift-program FILE, --gadget4-program FILE        or a program that was built before (GADGET-4: with the Config.sh of an export)
#   --work FOLDER       where engines are built and run (default: a temporary folder); what was built there is used again
#   --bodies N, --ranks N                               default: 20000 bodies on 2 ranks
# Exit code 77 if a package is missing, 1 if a check fails.
set -euo pipefail

usage() {
  sed -n 's/^# \{0,1\}//; 4,10p' "$0" >&2
  exit 64
}

declare -A source=() program=()
work='' bodies=20000 ranks=2 pericenter=''
while (($# > 0)); do
  case $1 in
    --swift | --gadget4) source[${1#--}]=$(realpath "${2:?}") && shift ;;
    --swift-program | --gadget4-program) name=${1#--} && program[${name%-program}]=$(realpath "${2:?}") && shift ;;
    --work) work=${2:?} && shift ;;
    --bodies) bodies=${2:?} && shift ;;
    --ranks) ranks=${2:?} && shift ;;
    -*) usage ;;
    *) pericenter=$(realpath "$1") ;;
  esac
  shift
done
[ -n "$pericenter" ] || usage
((${#source[@]} + ${#program[@]} > 0)) || usage

# What --compare must find, as in sim/files/README.md: the largest difference of the distance between the mass centres, in kpc, until a time
# in Myr. The rest was measured with both engines and 20,000 bodies, and is twice that.
centers_before=107 centers_bound_before=0.0009
centers_after=352 centers_bound_after=0.07
radius_bound=0.01  # of half the mass, relative
energy_bound=4e-3  # relative error, both sides; 0.0015 without the snapshots of SWIFT with velocities of later
tails_myr=390      # the key moment of the scene

if [ -z "$work" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
work=$(realpath "$work")

# mpirun refuses root, and more ranks than cores, without these.
if ((EUID == 0)); then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
export OMPI_MCA_rmaps_base_oversubscribe=1

failures=0
check() { # check WORDS COMMAND...: counts a failure
  local words=$1
  shift
  if "$@"; then
    echo "  ok      $words"
  else
    echo "  FAILED  $words"
    failures=$((failures + 1))
  fi
}
fail() {
  printf 'engines.sh: %s\n' "$*" >&2
  exit 1
}
# quietly COMMAND...: prints the end of the output only if the command fails.
quietly() { "$@" &>"$work/log" || { tail -n 40 "$work/log" >&2; fail "$*"; }; }
seconds_now() { date +%s.%N; }
seconds_since() { awk -v begin="$1" -v end="$(seconds_now)" 'BEGIN { printf "%.0f", end - begin }'; }
load() { echo "load $(cut -d ' ' -f 1-3 /proc/loadavg) on $(nproc) cores"; }

# --- Building

has_header() { echo "#include <$1>" | mpicc -I/usr/include/hdf5/serial -E - &>/dev/null; }

# packages ENGINE: prints the packages of Debian 12 that are missing to build or run it.
packages() {
  local need what package
  local -A needs=(
    [common]='command:make:make command:mpirun:openmpi-bin command:mpicc:libopenmpi-dev header:hdf5.h:libhdf5-dev
      header:gsl/gsl_version.h:libgsl-dev'
    [swift]='command:gcc:gcc command:git:git command:autoconf:autoconf command:automake:automake command:libtoolize:libtool'
    [gadget4]='command:g++:g++ command:git:git command:python3:python3 header:fftw3.h:libfftw3-dev'
    [runs]='command:mpirun:openmpi-bin'
  )
  local list=${needs[runs]}
  [ -z "${source[$1]:-}" ] || list="${needs[common]} ${needs[$1]}"
  for need in $list; do
    IFS=: read -r kind what package <<<"$need"
    case $kind in
      command) command -v "$what" >/dev/null || echo "$package" ;;
      header) has_header "$what" || echo "$package" ;;
    esac
  done | sort -u | tr '\n' ' '
}

build_swift() {
  (
    cd "$1"
    quietly ./autogen.sh
    quietly ./configure --without-metis --without-parmetis --with-gcc-arch=native
    quietly make -j "$(nproc)" -C argparse
    quietly make -j "$(nproc)" -C src
    quietly make -j "$(nproc)" swift_mpi
  )
  program[swift]=$1/swift_mpi
}

build_gadget4() {
  [[ $work != *[[:space:]]* ]] || fail "make of GADGET-4 needs a folder without spaces: --work FOLDER"
  rm -rf "$work/gadget4-export"
  quietly "$pericenter" export --for gadget4 "$work/gadget4-export" -n 1000
  (
    cd "$1"
    export CPATH=/usr/include/hdf5/serial LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/hdf5/serial SYSTYPE=Generic-gcc
    quietly make -j "$(nproc)" PYTHON=python3 DIR="$work/gadget4-export"
  )
  mkdir -p "$1/built"
  cp "$work/gadget4-export/Gadget4" "$1/built/Gadget4"
  program[gadget4]=$1/built/Gadget4
}

# build ENGINE: from a copy of its sources, unless that was done before.
build() {
  local copy=$work/$1-source
  case $1 in swift) program[$1]=$copy/swift_mpi ;; gadget4) program[$1]=$copy/built/Gadget4 ;; esac
  [ ! -x "${program[$1]}" ] || return 0
  local begin
  begin=$(seconds_now)
  rm -rf "$copy"
  cp -r "${source[$1]}" "$copy"
  "build_$1" "$copy"
  echo "$1: built in $(seconds_since "$begin") s"
}

# --- Running

state() { "$pericenter" submit --state "$1" 2>&1 || true; }

# reached FOLDER: the time in Myr that the run has reached.
reached() { state "$1" | sed -n '1s/.*, \([0-9.]*\) Myr of .*/\1/p'; }
snapshots() { find "$1/output" -name 'snapshot_*.hdf5' | wc -l; }
phase_is() { [[ $(state "$1") == *": $2"* ]]; }

# processes FOLDER: those of the engine that still run there.
processes() {
  local link
  for link in /proc/[0-9]*/cwd; do
    [ "$(readlink "$link" 2>/dev/null)" != "$1" ] || basename "$(dirname "$link")"
  done
}
none_runs() { [ -z "$(processes "$1")" ]; }

# submit ENGINE FOLDER OPTIONS...
submit() {
  local engine=$1 run=$2
  shift 2
  rm -rf "$run"
  quietly "$pericenter" submit --engine "$engine" --program "${program[$engine]}" --ranks "$ranks" --no-progress "$@" "$run"
}

# wait_until FOLDER MYR: returns 1 if the run ends before.
wait_until() {
  local time
  while time=$(reached "$1") && ! awk -v t="${time:-0}" -v end="$2" 'BEGIN { exit !(t >= end) }'; do
    phase_is "$1" running || return 1
    sleep 1
  done
}

# columns FILE NAME...: the columns of a table with these headings, without the headings.
columns() {
  awk -F, -v wanted="${*:2}" '
    { sub(/\r$/, "") }
    NR == 1 { count = split(wanted, names, " "); for (i = 1; i <= NF; ++i) at[$i] = i; next }
    { for (i = 1; i <= count; ++i) printf "%s ", $at[names[i]]; print "" }' "$1"
}

# largest TABLE ENDS RELATIVE COLUMN: the largest difference of a column between the engine and us, until a time in Myr.
largest() {
  columns "$1" time_myr "engine_$4" "ours_$4" | awk -v end="$2" -v relative="$3" '
    $1 <= end { d = $2 - $3; if (relative) d /= $3; if (d < 0) d = -d; if (d > max) max = d } END { printf "%.3g", max }'
}
largest_energy_error() {
  columns "$1" engine_energy_error ours_energy_error | awk '
    { for (i = 1; i <= 2; ++i) { e = $i < 0 ? -$i : $i; if (e > max) max = e } } END { printf "%.3g", max }'
}
is_below() { awk -v value="$1" -v bound="$2" 'BEGIN { exit !(value <= bound) }'; }

compare() {
  local table=$1/comparison/comparison.csv value
  quietly "$pericenter" submit --compare --no-progress "$1"
  sed -n 2,12p "$work/log"
  # Fewer bodies have more noise.
  ((bodies >= 20000)) || return 0
  value=$(largest "$table" "$centers_before" 0 centers_kpc)
  check "mass centres until $centers_before Myr: $value kpc, at most $centers_bound_before" is_below "$value" "$centers_bound_before"
  value=$(largest "$table" "$centers_after" 0 centers_kpc)
  check "mass centres until $centers_after Myr: $value kpc, at most $centers_bound_after" is_below "$value" "$centers_bound_after"
  value=$(largest "$table" "$tails_myr" 1 r50_kpc)
  check "half-mass radius: $value of it, at most $radius_bound" is_below "$value" "$radius_bound"
  value=$(largest_energy_error "$table")
  check "energy errors: $value, at most $energy_bound" is_below "$value" "$energy_bound"
}

# From a snapshot of the engine, a run here and one there.
continues() {
  local engine=$1 run=$2 snapshot further=$work/$1-further
  snapshot=$(find "$run/output" -name 'snapshot_*.hdf5' | sort | tail -n 2 | head -n 1)
  quietly "$pericenter" --headless --no-progress --load "$snapshot" -s 2
  echo "  ok      a snapshot continues here"
  submit "$engine" "$further" --load "$snapshot"
  check "a snapshot continues on the engine" wait_until "$further" 2
  check "and has $bodies bodies" grep -q "^bodies = $bodies$" "$further/pericenter-run.toml"
  quietly "$pericenter" submit --cancel "$further"
}

# One rank is killed: the run has failed, and nothing of it is left.
dies() {
  local engine=$1 run=$work/$1-killed rank
  submit "$engine" "$run" -n 2000
  wait_until "$run" 2 || true
  rank=$(processes "$run" | while read -r id; do [ "$(readlink "/proc/$id/exe")" != "${program[$engine]}" ] || echo "$id"; done | tail -n 1)
  kill -KILL "$rank"
  sleep 5
  check "a killed rank is a failure" phase_is "$run" failed
  check "no process is left" none_runs "$run"
}

run() {
  local engine=$1 run=$work/$1-run begin
  echo "$engine: ${program[$engine]}"
  begin=$(seconds_now)
  submit "$engine" "$run" --scene collision -n "$bodies"
  check "the tails at $tails_myr Myr are reached" wait_until "$run" "$tails_myr"
  echo "  $bodies bodies on $ranks ranks: the tails after $(seconds_since "$begin") s; $(load)"
  check "it runs" phase_is "$run" running
  check "snapshots: $(snapshots "$run")" test "$(snapshots "$run")" -ge 51
  quietly "$pericenter" submit --cancel "$run"
  check "it is cancelled" phase_is "$run" cancelled
  check "no process is left" none_runs "$run"
  compare "$run"
  continues "$engine" "$run"
  dies "$engine"
}

time_own_run() {
  local begin
  begin=$(seconds_now)
  # 452 steps of 0.8625 Myr.
  quietly "$pericenter" --headless --no-progress --scene collision -n "$bodies" -s 452
  echo "pericenter: the tails after $(seconds_since "$begin") s; $(load)"
}

missing=''
engines=()
for engine in swift gadget4; do
  [ -n "${source[$engine]:-}${program[$engine]:-}" ] || continue
  engines+=("$engine")
  missing+=$(packages "$engine")
done
if [ -n "$missing" ]; then
  echo "engines.sh: skipped, packages are missing: sudo apt-get install $missing" >&2
  exit 77
fi
for engine in "${engines[@]}"; do [ -n "${program[$engine]:-}" ] || build "$engine"; done
time_own_run
for engine in "${engines[@]}"; do run "$engine"; done
((failures == 0)) || fail "$failures checks failed"
