#!/usr/bin/env bash
# Runs gpu_tests under compute-sanitizer: tests/gpu/sanitize.sh [build/ci/bin/gpu_tests [TOOL...]]
# Tools: memcheck racecheck initcheck synccheck leakcheck bridge; default: all. Exit code 1 if a tool reports
# an error, 77 if there is no GPU or no compute-sanitizer.
set -euo pipefail

program="${1:-$(dirname "${BASH_SOURCE[0]}")/../../build/ci/bin/gpu_tests}"
tools=("${@:2}")
if ((${#tools[@]} == 0)); then tools=(memcheck racecheck initcheck synccheck leakcheck bridge); fi
export PERICENTER_TEST_SHORT=1 # a tenth of the bodies and iterations: the tools make kernels a hundred times slower

# Tests that are fast and do not measure time or memory.
most='*AwkwardSizes*:*Edges.*:*CudaWalks*:*Hybrid*:*PotentialIsTheSumOverPairs*:*CudaBits.AreReproducible*'
most+=':*CudaVertices*:*CudaOctree*:OctreeForces.CountsItsWork:*CudaCopies*:*CudaDraw*'
# A smaller set for racecheck, the slowest tool.
few='*AwkwardSizes*2D_double*:*AwkwardSizes*3D_float*:*PotentialIs*octree_3D_float*:*CudaOctree*3D_float*'
few+=':*BodyAt1e30*octree_3D_float*'

sanitizer="$(command -v compute-sanitizer || true)"
if [[ -z $sanitizer && -x /usr/local/cuda/bin/compute-sanitizer ]]; then sanitizer=/usr/local/cuda/bin/compute-sanitizer; fi
if [[ -z $sanitizer ]]; then
  echo "sanitize.sh: compute-sanitizer not found. It is part of the CUDA toolkit." >&2
  exit 77
fi
if [[ ! -x $program ]]; then
  echo "sanitize.sh: $program does not exist. Build it: cmake --preset ci && cmake --build --preset ci" >&2
  exit 64
fi
"$program" --gtest_filter=None | tail -n 1 || exit # prints the reason if it tests nothing

# check FILTER ARGUMENT...: prints the last lines, which have the result. NVTX would count as a profiler, with which
# steps are not CUDA graphs.
check() {
  local filter="$1"
  shift
  echo "== compute-sanitizer $*"
  "$sanitizer" --nvtx no --error-exitcode 1 "$@" "$program" --gtest_filter="$filter" | tail -n 30
}

complaints=0
for tool in "${tools[@]}"; do
  case $tool in
    memcheck | initcheck | synccheck) check "$most" --tool "$tool" ;;
    racecheck) check "$few" --tool racecheck ;;
    leakcheck) check '*AwkwardSizes*' --tool memcheck --leak-check full ;;
    bridge) check 'Bridge.I*:Bridge.Stays*:Bridge.Follows*:Bridge.Uses*' --tool memcheck ;;
    *)
      echo "sanitize.sh: unknown tool $tool." >&2
      exit 64
      ;;
  esac || complaints=1
done
if ((complaints)); then echo "sanitize.sh: compute-sanitizer reported errors, see above." >&2; fi
exit "$complaints"
