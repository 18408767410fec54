#!/usr/bin/env bash
# Builds Pericenter with its tests and runs them: ./test.sh [--yes] [--coverage | regular expression of test names]
#   --yes       install missing packages without asking
#   --coverage  measure line coverage of sim/ instead (build/coverage/summary.txt)
# Without an expression, all tests run, and part of them again with sanitizers.
source "$(dirname "${BASH_SOURCE[0]}")/run.sh"

test_packages=(libgtest-dev libgmock-dev clang-14 clang-format-14 clang-tidy-14 xvfb xdotool imagemagick ffmpeg python3-matplotlib
  rsync desktop-file-utils appstream shared-mime-info libglib2.0-bin libxml2-utils mandoc zsh fish) # these check the installation
min_coverage=85 # percent of lines
# Tests that take minutes in a coverage build and cover no additional lines.
same_lines='OctreeForces.*:Publish.*:Energy.OfTheOctree*:Steps.*:Evolution.*:Galaxy.IsInVirialEquilibrium'
# failed_tests LOG: the names of the failed tests of GoogleTest, and of those that ended their process.
failed_tests() {
  awk '
    function ended() { if (running != "") print running " (did not return)"; running = "" }
    /^\[ RUN      \] / { ended(); running = $4 }
    /^\[       OK \] |^\[  SKIPPED \] / { running = "" }
    /^\[  FAILED  \] .* ms\)$/ { sub(",$", "", $4); print $4; running = "" }
    /^ *[0-9]+\/[0-9]+ Test +#/ { ended() }
    END { ended() }' "$1"
}

# run_tests PRESET CTEST_ARGUMENT...
run_tests() {
  local preset="$1" log="$logs/test-$1.log"
  shift
  say "Running the tests ($log) ..."
  # One more than there are cores, because the window tests wait most of their time.
  (cd "$root" && ctest --preset "$preset" -j "$(($(nproc) + 1))" --no-tests=error "$@") 2>&1 | tee "$log" | grep -vE '^\[ RUN  |^\[       OK |^\[--' || {
    say "Failed:"
    failed_tests "$log" >&2
    fail "" "run a failed test again with ./test.sh 'NAME'; its output is in $log."
  }
}

# joined PATTERN...: the patterns as one filter of GoogleTest.
joined() {
  local IFS=:
  echo "$*"
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
# Without a GPU the CUDA part is only compiled, so the intermediate code of one architecture is enough.
if ! has_nvidia_gpu; then export CUDAARCHS="${CUDAARCHS:-90-virtual}"; fi
if [[ ${arguments[0]:-} == --coverage ]]; then
  measure_coverage
  exit
fi
install_packages "${packages[@]}" "${test_packages[@]}"
install_optional_packages
build ci all
if ((${#arguments[@]} > 0)); then
  run_tests ci -R "${arguments[0]}"
  exit
fi
run_tests ci -C Shards -LE '^single$'

# Tests of sim/, which need neither a window nor OpenGL. Without those whose code other tests run, and which take minutes with
# sanitizers: the same for other scenes, precisions and dimensions, and long runs.
slow=('*BodyWalks*' '*Suite*' '*EveryConfig*' '*ThreadCounts*' '*Scalars*' '*Restarts*' '*Probes*' '*SolarSystem*' '*Energy*' '*Momentum*'
  '*Determinism*' '*Steps.*' '*SuggestedSettings*' '*OctreeForces*' '*Edges*2D_float*' '*Edges*3D_double*' '*CometBackAmong*'
  '*AheadAreWhereTheStepMoves*' '*IsAsExactWithAllInstructionSets*' '*LongRunIsThinned*' '*RetrogradeDiscsHave*')
build asan sim_tests file_tests
GTEST_FILTER="-$(joined "${slow[@]}")" run_tests asan -C Shards -R '^(sim|file)_tests_'

threads=('SimulationThread.*' 'LongEvaluation.*' '*CancelledStep*' 'Playback*' '*ThreadCounts*/octree_*' '*ThreadCounts*/fmm_*'
  '*MomentsDoNotDependOnTheThreads' 'Recovery.*' 'Checkpoints.*')
build tsan thread_tests
GTEST_FILTER="$(joined "${threads[@]}")" run_tests tsan -C Threads -R '^thread_tests_'
