#!/usr/bin/env bash
# Builds Pericenter and starts it: ./run.sh [--yes] [--cuda] [arguments of the program, see ./run.sh --help]
#   --yes   install missing packages without asking
#   --cuda  build the CUDA part even if this machine has no NVIDIA GPU
# test.sh uses the functions of this file.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
logs="$root/build/logs"
packages=(g++ cmake ninja-build pkg-config python3-glad libglfw3-dev libglm-dev libimgui-dev libstb-dev libegl-dev
  libegl1 libgl1-mesa-dri libtbb-dev libcli11-dev libtomlplusplus-dev libhdf5-dev zlib1g-dev fonts-dejavu-core)
optional_packages=(libcfitsio-dev libexpat1-dev)  # for FITS and VOTable
assume_yes=no
force_cuda=no
configure_options=()

say() { printf '%s\n' "$*" >&2; }

# fail LOG ADVICE...: prints the end of a log and what to do, then exits.
fail() {
  local log="$1"
  shift
  if [[ -s "$log" ]]; then
    say "--- last lines of $log"
    tail -n 20 "$log" >&2
    say "---"
  fi
  say "To fix this: $*"
  exit 69
}

# logged NAME COMMAND...: writes the output to build/logs/NAME.log. A terminal shows the latest line; without a terminal,
# a line is printed every 15 seconds.
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
  say "This system is not Debian or Ubuntu. Install these packages yourself:"
  say "  Debian, Ubuntu: $*"
  say "  Fedora (dnf):   gcc-c++ cmake ninja-build pkgconf-pkg-config glfw-devel glm-devel imgui-devel stb-devel" \
    "mesa-libEGL-devel mesa-dri-drivers tbb-devel cli11-devel tomlplusplus-devel hdf5-devel zlib-devel cfitsio-devel expat-devel dejavu-sans-fonts; for tests gtest-devel" \
    "xorg-x11-server-Xvfb xdotool ImageMagick; for videos ffmpeg-free"
  say "  Arch (pacman):  gcc cmake ninja pkgconf glfw glm imgui stb mesa onetbb cli11 tomlplusplus hdf5 zlib cfitsio expat ttf-dejavu; for tests gtest" \
    "xorg-server-xvfb xdotool imagemagick; for videos ffmpeg"
  say "  and the loader generator glad 2 as /usr/bin/glad (Python package glad2)"
}

ask_to_install() {
  if [[ $assume_yes == yes || ! -t 0 || -n ${CI:-} ]]; then return 0; fi
  local answer
  read -r -p "Install them now with apt-get? [Y/n] " answer
  [[ -z $answer || $answer == [Yy]* ]]
}

# install_packages PACKAGE...: installs those that are missing.
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
    say "Continuing without them."
    return 0
  fi
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      fail "" "as root, run: apt-get install --no-install-recommends ${missing[*]}"
    fi
    as_root=(sudo)
    sudo -v || fail "" "ask an administrator to run: apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "Installing ${#missing[@]} packages (a few minutes on a fresh system) ..."
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  logged apt-update "${apt[@]}" update ||
    fail "$logs/apt-update.log" "check the network connection and run 'apt-get update'."
  logged apt-install "${apt[@]}" install -y --no-install-recommends "${missing[@]}" ||
    fail "$logs/apt-install.log" "use Debian 12, Ubuntu 24.04 or newer (on Ubuntu enable 'universe')," \
      "then run 'apt-get install ${missing[*]}'."
}

# install_optional_packages: the same, but the build continues without those that cannot be installed.
install_optional_packages() {
  (install_packages "${optional_packages[@]}") || say "Continuing without them: FITS or VOTable tables will not be read."
}

# jobs_for_memory: number of parallel compilers; each needs up to 1.5 GB.
jobs_for_memory() {
  local cores by_memory
  cores="$(nproc)"
  by_memory="$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)"
  echo "$((by_memory < 1 ? 1 : by_memory < cores ? by_memory : cores))"
}

has_nvidia_gpu() {
  [[ -e /dev/nvidia0 || -e /dev/dxg ]] || nvidia-smi -L 2>/dev/null | grep -q '^GPU'
}

has_cuda_toolkit() {
  command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc || -x /opt/cuda/bin/nvcc ]]
}

# choose_cuda FOLDER: sets configure_options. Without an NVIDIA GPU the CUDA part is skipped, which halves the build time.
# A build folder that has CUDA keeps it.
choose_cuda() {
  local cache="$1/CMakeCache.txt"
  if [[ $force_cuda == yes ]]; then
    configure_options=(-DPERICENTER_CUDA=ON)
  elif has_nvidia_gpu; then
    configure_options=(-DPERICENTER_CUDA=AUTO)
    if [[ ! -e $cache ]] && ! has_cuda_toolkit; then
      say "An NVIDIA GPU was found, but no CUDA toolkit: the simulation will run on the CPU. To use the GPU, install CUDA 12" \
        "or 13 (https://developer.nvidia.com/cuda-downloads), then run ./run.sh --cuda."
    fi
  elif ! grep -qsE '^PERICENTER_CUDA:[A-Z]+=(ON|AUTO)$' "$cache"; then
    configure_options=(-DPERICENTER_CUDA=OFF)
    if [[ ! -e $cache ]]; then
      say "No NVIDIA GPU found: building without CUDA. To build the CUDA part as well, run ./run.sh --cuda."
    fi
  fi
}

# is_configured FOLDER: its settings are those of configure_options.
is_configured() {
  local option
  [[ -e $1/build.ninja ]] || return
  for option in ${configure_options[@]+"${configure_options[@]}"}; do
    option="${option#-D}"
    grep -qE "^${option%%=*}:[A-Z]+=${option#*=}$" "$1/CMakeCache.txt" || return
  done
}

# build PRESET TARGET...: configures build/PRESET with configure_options if necessary, then builds the targets.
build() {
  local preset="$1" folder="$root/build/$1"
  shift
  # CMake cannot reuse a folder that was configured at another path (a copied or renamed checkout).
  if [[ -e $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  if ! is_configured "$folder"; then
    command -v cmake >/dev/null || fail "" "install cmake and the other packages listed above."
    say "Configuring ($preset) ..."
    (cd "$root" && logged "configure-$preset" cmake --preset "$preset" ${configure_options[@]+"${configure_options[@]}"}) ||
      fail "$logs/configure-$preset.log" "install the packages that were not found and run this again;" \
        "if all are installed, remove $folder and run this again."
  fi
  if [[ -e $folder/bin/pericenter ]]; then say "Building what changed ..."; else say "Building (a few minutes) ..."; fi
  NINJA_STATUS='[%f/%t] ' logged "build-$preset" cmake --build "$folder" -j "$(jobs_for_memory)" --target "$@" ||
    fail "$logs/build-$preset.log" "if a compiler was killed, memory ran out: close other programs and run this again;" \
      "otherwise remove $folder and run this again."
}

# parse_arguments ARGUMENT...: sets assume_yes and force_cuda; `arguments` gets the rest.
parse_arguments() {
  arguments=()
  local argument
  for argument in "$@"; do
    case "$argument" in
      --yes) assume_yes=yes ;;
      --cuda) force_cuda=yes ;;
      *) arguments+=("$argument") ;;
    esac
  done
}

# test.sh only needs the functions.
if [[ ${BASH_SOURCE[0]} != "$0" ]]; then return 0; fi

parse_arguments "$@"
install_packages "${packages[@]}"
install_optional_packages
choose_cuda "$root/build/default"
build default pericenter
exec "$root/build/default/bin/pericenter" ${arguments[@]+"${arguments[@]}"}
