#!/usr/bin/env bash
# Builds Pericenter with its tests and runs them: ./test.sh [--yes] [--coverage | regular expression of test names]
# Without such an expression some run again under sanitizers. --yes installs missing packages without asking; --coverage
# tells instead which lines of the simulation and of the readers its tests run (build/coverage/summary.txt).
source "$(dirname "${BASH_SOURCE[0]}")/run.sh"

test_packages=(libgtest-dev libgmock-dev xvfb xdotool imagemagick ffmpeg)
least_coverage=85 # percent of the lines
# Tests that take minutes where lines are counted, and run those of others.
same_lines='OctreeForces.*:Publish.*:Energy.OfTheOctree*:Steps.*:Evolution.*:Galaxy.IsInVirialEquilibrium'
others='_NOT_BUILT$|^(window|display)_test$|^gpu_' # tests of programs that only a whole build has

# run_tests PRESET ARGUMENT...: of ctest.
run_tests() {
  local preset="$1"
  shift
  say "Running the tests (build/logs/test-$preset.log) ..."
  (cd "$root" && ctest --preset "$preset" -j 2 --no-tests=error "$@") 2>&1 | tee "$logs/test-$preset.log" ||
    fail "" "run one again: ./test.sh 'name of the test'; its output is above and in build/logs/test-$preset.log."
}

# sanitized PRESET CTEST'S ARGUMENTS...: some tests of the simulation and of the readers, which need neither a window nor OpenGL.
sanitized() {
  local preset="$1"
  shift
  build "$preset" sim_tests file_tests
  run_tests "$preset" "$@"
}

# covered NAME GCOVR'S ARGUMENTS...: a table of files; fails below least_coverage.
covered() {
  local name="$1"
  shift
  echo "Lines of $name that tests run:"
  (cd "$root" && gcovr --root . --object-directory build/coverage -j 2 \
    --fail-under-line "$least_coverage" --print-summary "$@" build/coverage)
}

# count_lines PROGRAM...: runs all their tests, a share of them on each core. Counters of lines are no atomic ones, which
# would take ten times as long, so no two threads of one program may count at once.
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
    wait "${shares[share]}" || fail "$logs/coverage-$share.log" "mend the test that fails."
  done
}

measure_coverage() {
  install_packages "${packages[@]}" "${test_packages[@]}" gcovr
  build coverage sim_tests file_tests scene_tests
  find "$root/build/coverage" -name '*.gcda' -delete
  count_lines file_tests scene_tests sim_tests
  local summary="$root/build/coverage/summary.txt" status=0
  {
    covered "sim (without CUDA and the readers)" --filter sim/ --exclude sim/cuda/ --exclude sim/files/ || status=1
    covered "the readers" --filter sim/files/ || status=1
  } >"$summary" 2>&1
  cat "$summary"
  if ((status)); then fail "" "write tests of the lines that the table names: less than $least_coverage % are tested."; fi
}

take_yes "$@"
if [[ ${arguments[0]:-} == --coverage ]]; then
  measure_coverage
  exit
fi
install_packages "${packages[@]}" "${test_packages[@]}"
build ci all
run_tests ci ${arguments[@]+-R "${arguments[0]}"}
if ((${#arguments[@]} > 0)); then exit; fi
slow='BodyWalks|Suite|EveryConfig|ThreadCounts|Scalars|Restarts|Probes|SolarSystem|Energy|Momentum|Determinism|Steps[.]'
sanitized asan -E "$others|$slow|OctreeForces|Edges.*(2D_float|3D_double)"
sanitized tsan -R 'SimulationThread|LongEvaluation|CancelledStep|^Playback|ThreadCounts.*/(octree|fmm)_|MomentsDoNotDependOnTheThreads|^(Recovery|Checkpoints)[.]'
