#!/usr/bin/env bash
# gpu_tests under the tools of compute-sanitizer: tests/gpu/sanitize.sh [build/ci/bin/gpu_tests [TOOL...]]
# Tools: memcheck racecheck initcheck synccheck leakcheck bridge; without any, all of them. Ends with 1 where one complains,
# and with 77 where there is no GPU or no compute-sanitizer.
set -euo pipefail

program="${1:-$(dirname "${BASH_SOURCE[0]}")/../../build/ci/bin/gpu_tests}"
tools=("${@:2}")
if ((${#tools[@]} == 0)); then tools=(memcheck racecheck initcheck synccheck leakcheck bridge); fi
export PERICENTER_TEST_SHORT=1 # a tenth of the bodies and of the turns: the tools slow kernels down a hundred times

# What neither takes long nor measures time or memory.
most='*SizesThatHurt*:*Edges.*:*CudaWalks*:*Hybrid*:*PotentialIsThatOfThePairs*:*CudaBits.AreTheSameInEveryRun*'
most+=':*CudaPublish*:*CudaOctree*:OctreeForces.CountsItsWork:*CudaCopies*:*CudaDraw*'
# racecheck is the slowest.
few='*SizesThatHurt*2D_double*:*SizesThatHurt*3D_float*:*PotentialIs*octree_3D_float*:*CudaOctree*3D_float*'
few+=':*ABodyAt1e30*octree_3D_float*'

sanitizer="$(command -v compute-sanitizer || true)"
if [[ -z $sanitizer && -x /usr/local/cuda/bin/compute-sanitizer ]]; then sanitizer=/usr/local/cuda/bin/compute-sanitizer; fi
if [[ -z $sanitizer ]]; then
  echo "sanitize.sh: compute-sanitizer was not found; it comes with the CUDA toolkit." >&2
  exit 77
fi
if [[ ! -x $program ]]; then
  echo "sanitize.sh: there is no program $program; build it: cmake --preset ci && cmake --build --preset ci" >&2
  exit 64
fi
"$program" --gtest_filter=None | tail -n 1 || exit # says why it tests nothing

# check FILTER ARGUMENT...: the last lines say what was found.
check() {
  local filter="$1"
  shift
  echo "== compute-sanitizer $*"
  "$sanitizer" --error-exitcode 1 "$@" "$program" --gtest_filter="$filter" | tail -n 30
}

complaints=0
for tool in "${tools[@]}"; do
  case $tool in
    memcheck | initcheck | synccheck) check "$most" --tool "$tool" ;;
    racecheck) check "$few" --tool racecheck ;;
    leakcheck) check '*SizesThatHurt*' --tool memcheck --leak-check full ;;
    bridge) check 'Bridge.I*:Bridge.Stays*:Bridge.Follows*:Bridge.OfA*' --tool memcheck ;;
    *)
      echo "sanitize.sh: there is no tool $tool." >&2
      exit 64
      ;;
  esac || complaints=1
done
if ((complaints)); then echo "sanitize.sh: compute-sanitizer complains, see above." >&2; fi
exit "$complaints"
