#!/usr/bin/env bash
# Builds Pericenter and starts it: ./run.sh [--yes] [the program's arguments, see ./run.sh --help]
# --yes installs missing packages without asking. test.sh uses the functions of this file.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
logs="$root/build/logs"
packages=(g++ cmake ninja-build pkg-config python3-glad libglfw3-dev libglm-dev libimgui-dev libstb-dev libegl-dev
  libegl1 libgl1-mesa-dri libtbb-dev libcli11-dev libhdf5-dev fonts-dejavu-core)
assume_yes=no

say() { printf '%s\n' "$*" >&2; }

# fail LOG ADVICE...: the end of a log and the way out.
fail() {
  local log="$1"
  shift
  if [[ -s "$log" ]]; then
    say "--- last lines of $log"
    tail -n 20 "$log" >&2
    say "---"
  fi
  say "What to try: $*"
  exit 69
}

# logged NAME COMMAND...: output goes to build/logs/NAME.log; a terminal shows its last line, others one now and then.
logged() {
  local log="$logs/$1.log" line last_shown=$SECONDS
  shift
  mkdir -p "$logs"
  "$@" 2>&1 </dev/null | tee "$log" | while IFS= read -r line; do
    if [[ -t 2 ]]; then
      printf '\r%.*s\033[K' "$((${COLUMNS:-80} - 1))" "$line" >&2
    elif ((SECONDS - last_shown >= 15)); then
      last_shown=$SECONDS
      say "  $line"
    fi
  done
  local status=("${PIPESTATUS[@]}")
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
  return "${status[0]}"
}

missing_packages() {
  local package state
  declare -A installed=()
  while read -r state package; do
    if [[ $state == installed ]]; then installed["$package"]=yes; fi
  done < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null)
  for package in "$@"; do
    if [[ -z ${installed["$package"]:-} ]]; then echo "$package"; fi
  done
}

list_packages_of_others() {
  say "This is not Debian or Ubuntu, so nothing is installed for you. Pericenter needs these packages:"
  say "  Debian, Ubuntu: $*"
  say "  Fedora (dnf):   gcc-c++ cmake ninja-build pkgconf-pkg-config glfw-devel glm-devel imgui-devel stb-devel" \
    "mesa-libEGL-devel mesa-dri-drivers tbb-devel cli11-devel hdf5-devel dejavu-sans-fonts; for tests gtest-devel" \
    "xorg-x11-server-Xvfb xdotool ImageMagick; for films ffmpeg-free"
  say "  Arch (pacman):  gcc cmake ninja pkgconf glfw glm imgui stb mesa onetbb cli11 hdf5 ttf-dejavu; for tests gtest" \
    "xorg-server-xvfb xdotool imagemagick; for films ffmpeg"
  say "  and glad 2, the generator, as /usr/bin/glad (python package glad2)"
}

ask_to_install() {
  if [[ $assume_yes == yes || ! -t 0 || -n ${CI:-} ]]; then return 0; fi
  local answer
  read -r -p "Install them now with apt-get? [Y/n] " answer
  [[ -z $answer || $answer == [Yy]* ]]
}

# install_packages PACKAGE...: what is missing of them.
install_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    if [[ ! -e $root/build/default/build.ninja ]]; then list_packages_of_others "$@"; fi
    return 0
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} == 0)); then return 0; fi
  say "Missing packages: ${missing[*]}"
  if ! ask_to_install; then
    say "Going on without them."
    return 0
  fi
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      fail "" "as root, run: apt-get install --no-install-recommends ${missing[*]}"
    fi
    as_root=(sudo)
    sudo -v || fail "" "ask someone who may use sudo to run: apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "Installing ${#missing[@]} packages (a few minutes on a fresh system) ..."
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  logged apt-update "${apt[@]}" update ||
    fail "$logs/apt-update.log" "is the network there? Does 'apt-get update' work by itself?"
  logged apt-install "${apt[@]}" install -y --no-install-recommends "${missing[@]}" ||
    fail "$logs/apt-install.log" "Debian 12 or Ubuntu 24.04 is the oldest that has all (on Ubuntu in 'universe')." \
      "Does 'apt-get install ${missing[*]}' work by itself?"
}

# jobs_for_memory: a compiler needs up to 1.5 GB.
jobs_for_memory() {
  local cores by_memory
  cores="$(nproc)"
  by_memory="$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)"
  echo "$((by_memory < 1 ? 1 : by_memory < cores ? by_memory : cores))"
}

# hint_cuda: what an NVIDIA GPU would need; the build goes without.
hint_cuda() {
  if [[ ! -e /dev/nvidia0 && ! -e /dev/dxg ]] || command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]; then
    return 0
  fi
  say "There may be an NVIDIA GPU here, but no CUDA toolkit: the simulation will run on the processor. For the GPU" \
    "install CUDA 12 or 13 (https://developer.nvidia.com/cuda-downloads), remove $root/build and start again."
}

# build PRESET TARGET...: in build/PRESET.
build() {
  local preset="$1" folder="$root/build/$1"
  shift
  # A folder that was configured elsewhere (a copied or renamed checkout) cannot be used again.
  if [[ -e $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  if [[ ! -e $folder/build.ninja ]]; then
    command -v cmake >/dev/null || fail "" "install cmake and the other packages named above."
    hint_cuda
    say "Configuring ($preset) ..."
    (cd "$root" && logged "configure-$preset" cmake --preset "$preset") ||
      fail "$logs/configure-$preset.log" "install what is named there as not found, then start again;" \
        "if all is installed, remove $folder and start again."
  fi
  if [[ -e $folder/bin/pericenter ]]; then say "Building what changed ..."; else say "Building (some minutes) ..."; fi
  NINJA_STATUS='[%f/%t] ' logged "build-$preset" cmake --build "$folder" -j "$(jobs_for_memory)" --target "$@" ||
    fail "$logs/build-$preset.log" "if a compiler was killed, memory was short: close programs and start again;" \
      "else remove $folder and start again."
}

# take_yes ARGUMENT...: sets assume_yes, and arguments to all but --yes.
take_yes() {
  arguments=()
  local argument
  for argument in "$@"; do
    if [[ $argument == --yes ]]; then assume_yes=yes; else arguments+=("$argument"); fi
  done
}

# test.sh stops here.
if [[ ${BASH_SOURCE[0]} != "$0" ]]; then return 0; fi

take_yes "$@"
install_packages "${packages[@]}"
build default pericenter
exec "$root/build/default/bin/pericenter" ${arguments[@]+"${arguments[@]}"}
