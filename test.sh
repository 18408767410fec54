#!/usr/bin/env bash
# Builds Pericenter with its tests and runs them: ./test.sh [--yes] [regular expression of test names]
# --yes installs missing packages without asking.
source "$(dirname "${BASH_SOURCE[0]}")/run.sh"

test_packages=(libgtest-dev xvfb xdotool imagemagick ffmpeg)

take_yes "$@"
install_packages "${packages[@]}" "${test_packages[@]}"
build ci all
say "Running the tests (build/logs/test.log) ..."
ctest --test-dir "$root/build/ci" -j 2 --output-on-failure --no-tests=error \
  ${arguments[@]+-R "${arguments[0]}"} 2>&1 | tee "$logs/test.log" ||
  fail "" "run one again: ./test.sh 'name of the test'; its output is above and in build/logs/test.log."
