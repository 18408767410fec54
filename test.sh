#!/usr/bin/env bash
# Builds Pericenter with its tests and runs them: ./test.sh [--yes] [--coverage | regular expression of test names]
#   --yes       install missing packages without asking
#   --coverage  measure line coverage of sim/ instead (build/coverage/summary.txt)
# Without an expression, all tests run, and part of them again with sanitizers.
source "$(dirname "${BASH_SOURCE[0]}")/run.sh"

test_packages=(libgtest-dev libgmock-dev xvfb xdotool imagemagick ffmpeg python3-matplotlib
  desktop-file-utils appstream shared-mime-info libglib2.0-bin libxml2-utils mandoc zsh fish) # these check the installation
min_coverage=85 # percent of lines
# Tests that take minutes in a coverage build and cover no additional lines.
same_lines='OctreeForces.*:Publish.*:Energy.OfTheOctree*:Steps.*:Evolution.*:Galaxy.IsInVirialEquilibrium'
others='_NOT_BUILT$|^(window|display)_test$|^gpu_|^reproduce$|^(install|library)$|^lessons$' # need programs that sanitizer builds do not have

# run_tests PRESET CTEST_ARGUMENT...
run_tests() {
  local preset="$1"
  shift
  say "Running the tests (build/logs/test-$preset.log) ..."
  (cd "$root" && ctest --preset "$preset" -j 2 --no-tests=error "$@") 2>&1 | tee "$logs/test-$preset.log" ||
    fail "" "run a failed test again with ./test.sh 'NAME'; its output is in build/logs/test-$preset.log."
}

# sanitized PRESET CTEST_ARGUMENT...: runs tests of sim/, which need neither a window nor OpenGL.
sanitized() {
  local preset="$1"
  shift
  build "$preset" sim_tests file_tests
  run_tests "$preset" "$@"
}

# covered NAME GCOVR_ARGUMENT...: prints a table of files; fails below min_coverage.
covered() {
  local name="$1"
  shift
  echo "Line coverage of $name:"
  (cd "$root" && gcovr --root . --object-directory build/coverage -j 2 \
    --fail-under-line "$min_coverage" --print-summary "$@" build/coverage)
}

# count_lines PROGRAM...: runs all tests of the programs, one shard per core. Each program is pinned to one core, because
# the line counters are not atomic (atomic ones are ten times slower).
count_lines() {
  local cores core share=0 program shares=()
  read -ra cores < <(python3 -c 'import os; print(*os.sched_getaffinity(0))')
  mkdir -p "$logs"
  say "Running the tests of $* (build/logs/coverage-*.log) ..."
  for core in "${cores[@]}"; do
    (
      for program in "$@"; do
        GTEST_TOTAL_SHARDS=${#cores[@]} GTEST_SHARD_INDEX=$share taskset -c "$core" \
          "$root/build/coverage/bin/$program" --gtest_brief=1 --gtest_filter="-$same_lines" || exit
      done
    ) &>"$logs/coverage-$share.log" &
    shares+=($!)
    share=$((share + 1))
  done
  for share in "${!shares[@]}"; do
    wait "${shares[share]}" || fail "$logs/coverage-$share.log" "fix the failing test."
  done
}

measure_coverage() {
  install_packages "${packages[@]}" "${test_packages[@]}" gcovr
  build coverage sim_tests file_tests scene_tests
  find "$root/build/coverage" -name '*.gcda' -delete
  count_lines file_tests scene_tests sim_tests
  local summary="$root/build/coverage/summary.txt" status=0
  {
    covered "sim (without cuda and files)" --filter sim/ --exclude sim/cuda/ --exclude sim/files/ || status=1
    covered "sim/files" --filter sim/files/ || status=1
  } >"$summary" 2>&1
  cat "$summary"
  if ((status)); then fail "" "test the lines that the table lists: less than $min_coverage % are covered."; fi
}

parse_arguments "$@"
# Without a GPU the CUDA part is only compiled, so one architecture is enough.
if ! has_nvidia_gpu; then export CUDAARCHS="${CUDAARCHS:-90}"; fi
if [[ ${arguments[0]:-} == --coverage ]]; then
  measure_coverage
  exit
fi
install_packages "${packages[@]}" "${test_packages[@]}"
build ci all
run_tests ci ${arguments[@]+-R "${arguments[0]}"}
if ((${#arguments[@]} > 0)); then exit; fi
slow='BodyWalks|Suite|EveryConfig|ThreadCounts|Scalars|Restarts|Probes|SolarSystem|Energy|Momentum|Determinism|Steps[.]|SuggestedSettings'
sanitized asan -E "$others|$slow|OctreeForces|Edges.*(2D_float|3D_double)"
sanitized tsan -R 'SimulationThread|LongEvaluation|CancelledStep|^Playback|ThreadCounts.*/(octree|fmm)_|MomentsDoNotDependOnTheThreads|^(Recovery|Checkpoints)[.]'
