#!/usr/bin/env bash
# Installs the library, checks the installed headers, and builds and runs example/ with it, before and after a move.
# usage: library_test.sh BUILD_FOLDER CONFIGURATION C++_COMPILER CMAKE
set -euo pipefail

build=$(realpath "$1") configuration=$2 compiler=$3 cmake=$4
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# quietly COMMAND...: prints the output only if the command fails.
quietly() { "$@" &>"$work/log" || { cat "$work/log" >&2; fail "$*"; }; }

# run_example PREFIX FOLDER
run_example() {
  quietly "$cmake" -S "$work/example" -B "$2" -DCMAKE_PREFIX_PATH="$1" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_BUILD_TYPE="$configuration" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Werror"
  quietly "$cmake" --build "$2"
  (cd "$2" && ./example) || fail "the example, with the library in $1"
}

# Every header compiles alone, with nothing but the standard library.
check_headers() {
  local include=$1 header
  mapfile -t headers < <(cd "$include" && find . -name '*.h' -printf '%P\n' | sort)
  ((${#headers[@]} >= 10)) || fail "only ${#headers[@]} headers are installed"
  for header in "${headers[@]}"; do
    while read -r name; do
      [[ -f $include/$name ]] || fail "$header includes $name, which is not installed"
    done < <(sed -n 's/^ *# *include "\(.*\)".*/\1/p' "$include/$header")
    if grep -nE '^ *# *include <[^>]*[./]' "$include/$header"; then
      fail "$header includes a header that is not of the C++ standard library"
    fi
  done
  printf '%s\n' "${headers[@]}" | xargs -P 2 -I{} "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic \
    -Werror -I "$include" -include "$include/{}" -x c++ /dev/null || fail "a header does not compile alone"
}

# The package is for the same minor version only.
check_versions() {
  mkdir "$work/versions"
  cat >"$work/versions/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(versions LANGUAGES CXX)
foreach(VERSION 0.0 0.99 1.0)
  find_package(Pericenter ${VERSION} QUIET)
  if(Pericenter_FOUND)
    message(FATAL_ERROR "version ${Pericenter_VERSION} was accepted for ${VERSION}")
  endif()
endforeach()
END
  quietly "$cmake" -S "$work/versions" -B "$work/versions/build" -DCMAKE_PREFIX_PATH="$1" \
    -DCMAKE_CXX_COMPILER="$compiler"
}

cp -r "$here/example" "$work/example"
quietly "$cmake" --install "$build" --prefix "$work/first" --component development
check_headers "$work/first/include/pericenter"
run_example "$work/first" "$work/build-first"
mv "$work/first" "$work/moved"
run_example "$work/moved" "$work/build-moved"
check_versions "$work/moved"
if grep -rlF -e "$build" -e "$here" "$work/moved" --include='*.cmake'; then
  fail "a file of the package names a folder of the build"
fi

# The documents show the program that was just run.
if ! diff <(awk '/^```cpp$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$here/../../sim/README.md") \
  "$here/example/example.cpp"; then
  fail "sim/README.md shows another example"
fi
