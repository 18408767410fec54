#!/usr/bin/env bash
# Random input to the real window for MINUTES: clicks, drags, typing and scrolling. Every ten seconds the initial scene is
# restored and the memory is read. Before that, everything is used once, which takes four minutes more (twice as long beside
# other jobs), so that later growth is not a first allocation (compiled shaders, fonts, file libraries). Fails if the program ends, if it reports OpenGL errors, if the heap of its own
# code (memory_owners.cpp) grows by more than 2 MiB after the first minute, or if the heap of all libraries or the resident
# memory grows by more than that after a quarter of the time (a software renderer compiles shaders for some minutes). Each
# value is the minimum of six readings, so temporary allocations do not count. The resident memory includes memory that
# glibc keeps after free() and code of libraries that ran once; the other two values tell which code owns it. The same seed
# gives the same input; its timing depends on the machine.
# usage: soak_test.sh PROGRAM MINUTES [SEED [program arguments ...]]
# On a GPU: DISPLAY=... soak_test.sh build/ci/bin/pericenter 10 1 --backend cuda -n 1000000; this also reads the GPU memory.
# Without a display it starts Xvfb.
set -euo pipefail

program=$(realpath "$1") counter=$(realpath "$(dirname "$1")/memory_owners.so") minutes=$2 seed=${3:-1}
shift $(($# < 3 ? $# : 3))
if [[ ! -f $counter ]]; then
  echo "soak_test.sh: there is no $counter, which counts the memory; it is built with the tests." >&2
  exit 64
fi
width=1280 height=960
max_growth=2048       # KiB of host memory
max_device_growth=32  # MiB of GPU memory, including caches of the driver
folder=$(mktemp -d)
pid='' server=''

fail() {
  echo "FAILED: $*" >&2
  if [[ -s log ]]; then tail -20 log >&2; fi
  exit 1
}

clean_up() {
  if [[ -n $pid ]]; then kill "$pid" 2> /dev/null || true; fi
  if [[ -n $server ]]; then kill "$server" 2> /dev/null || true; fi
  cd /
  rm -rf "$folder"
}
trap clean_up EXIT

# Waits up to a minute for a command to succeed.
wait_until() {
  local end=$((SECONDS + 60))
  while ((SECONDS < end)); do
    if "$@" > /dev/null 2>&1; then return; fi
    sleep 0.1
  done
  fail "timeout: $*"
}

now_using() { echo "$SECONDS s: $*"; }

check_alive() { kill -0 "$pid" 2> /dev/null || fail "the program ended after $SECONDS s"; }

# Excluded controls: more bodies need more memory, an 8K image takes minutes without a GPU, the file dialog leaves the
# folder, and a copied scene would replace the initial one. With a million bodies, a step takes minutes with a direct sum
# on the CPU, and on a GPU with the pairwise sum or a single thread.
allowed() {
  case $1 in
    backend | algorithm/direct-pairs | option-gpu-threads) [[ $arguments != *cuda* ]] ;;
    detail | bodies | body-count | image-size | video-size | open-file | save-as | copy-scene) return 1 ;;
    *) return 0 ;;
  esac
}

ids() { cut -d ' ' -f 5- controls | sort -u; }

# Sets x0 y0 x1 y1 to the rectangle of a control; false if there is none.
find_control() {
  local found
  while read -r x0 y0 x1 y1 found; do
    if [[ $found == "$1" ]]; then return 0; fi
  done < controls
  return 1
}

# Whether no video is being recorded: neither an ffmpeg process nor new numbered images.
is_not_recording() { ! pgrep -P "$pid" > /dev/null && [[ -z $(find . -path '*-frames/*' -newermt '-2 seconds' -print -quit) ]]; }
has_saved() { compgen -G "pericenter-*.$1"; }
remove_saved() { rm -rf pericenter-* 2> /dev/null || true; }  # a recording may write more
lacks_control() { ! find_control "$1"; }

# Scrolls a control into view and clicks it; false if there is none.
press() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    find_control "$1" || return 1
    if ((y0 > 100 && y1 < height - 90)); then break; fi
    move 150 $((height / 2)) click --repeat 3 $((y0 > 100 ? 5 : 4)) sleep 0.25
  done
  move $(((x0 + x1) / 2)) $(((y0 + y1) / 2)) sleep 0.1 mousedown 1 sleep 0.1 mouseup 1 sleep 0.2
}

# Clicks the controls that appeared since the last click, and those that appear in turn.
press_new() {  # IDS BEFORE, DEPTH
  local before=$1 depth=$2 id now new
  now=$(ids)
  mapfile -t new < <(comm -13 <(echo "$before") <(echo "$now"))
  for id in "${new[@]}"; do
    allowed "$id" || continue
    if [[ $depth == 2 ]] && ! find_control "$id"; then press "$list" || return 0; fi
    press "$id" || continue
    if [[ $list == algorithm ]]; then sleep 1.5; fi
    check_alive
    if [[ $depth == 1 ]]; then
      list=$id
      press_new "$now" 2
      xdotool key Escape
    fi
  done
}

# Opens a panel and clicks its controls.
use_panel() {
  local before
  before=$(ids)
  press "$1" || return 0
  sleep 0.3
  if [[ -z $(comm -13 <(echo "$before") <(ids)) ]]; then  # it was open
    before=$(ids)
    press "$1" && sleep 0.3
  fi
  press_new "$before" 1
  press "$1" || true
}

# Every algorithm with all values of its options, then in double precision, in 2D, and in both: CUDA keeps memory for the
# stack of the largest kernel that ran.
use_algorithms() {
  local choice algorithm before
  find_control algorithm || press solver-panel
  before=$(ids)
  press algorithm || return 0
  mapfile -t algorithms < <(comm -13 <(echo "$before") <(ids))
  for algorithm in "${algorithms[@]}"; do
    now_using "$algorithm"
    if ! find_control "$algorithm"; then press algorithm || continue; fi
    press "$algorithm" && xdotool key Escape sleep 1
    use_panel ablation-panel
  done
  for choice in precision/double dimension/2 precision/float; do
    now_using "all algorithms with $choice"
    xdotool key Escape sleep 0.3
    press "${choice%%/*}" && press "$choice" && sleep 3
    before=$(ids) list=algorithm
    if press "$list"; then press_new "$before" 2; fi
  done
  xdotool key Escape
}

# Every control once, panel by panel, with all entries of its combo boxes; then the keys.
use_everything() {
  local panel
  for panel in scene encounter files solver timings image color tree camera export; do
    now_using "the panel $panel"
    use_panel "$panel-panel"
  done
  use_algorithms
  xdotool key Escape
  now_using "keys and window sizes"
  move $((width - 60)) 60 click 1 sleep 0.3  # no field has the keyboard
  for key in t p p g l l v v k question question ctrl+equal ctrl+minus ctrl+1 shift+1 1 2 3 4 5 6 7 8 9; do
    xdotool key "$key" sleep 0.7
  done
  for _ in 1 2 3 4 5 6; do at_the_sky; done
  # Drivers keep memory for each window size.
  for _ in {1..20}; do resize && xdotool sleep 0.3; done
  xdotool windowsize "$window" $width $height
  for _ in {1..20}; do xdotool key h sleep 0.3; done
  remove_saved
  xdotool key F12
  wait_until has_saved png
  xdotool key ctrl+s
  wait_until has_saved hdf5
  xdotool key F9 sleep 3 key F9 sleep 2 key F5 sleep 2
}

# Sets x0 y0 x1 y1 to the rectangle of a random allowed control.
any_control() {
  local lines line id
  mapfile -t lines < controls
  ((${#lines[@]} > 0)) || return 1
  for _ in 1 2 3 4 5; do
    line=${lines[RANDOM % ${#lines[@]}]}
    read -r x0 y0 x1 y1 id <<< "$line"
    if allowed "$id" && ((y0 > 0 && y1 < height && x1 > x0)); then
      done_since+=" $id,"
      return 0
    fi
  done
  return 1
}

move() { xdotool mousemove --window "$window" "$@"; }
within() { echo $(($1 + RANDOM % ($2 - $1 + 1))); }

press_control() {
  any_control || return 0
  move "$(within "$x0" "$x1")" $(((y0 + y1) / 2)) sleep 0.05 click 1
}

drag_control() {
  any_control || return 0
  local y=$(((y0 + y1) / 2))
  move "$(within "$x0" "$x1")" $y sleep 0.05 mousedown 1 sleep 0.05 \
    mousemove --window "$window" "$(within "$x0" "$x1")" $y sleep 0.05 mouseup 1
}

type_number() {
  local numbers=(0 -1 1e30 nan inf 0.5 0.01 99999999 '')
  any_control || return 0
  move $(((x0 + x1) / 2)) $(((y0 + y1) / 2)) sleep 0.05 keydown ctrl click 1 keyup ctrl sleep 0.05 \
    type -- "${numbers[RANDOM % ${#numbers[@]}]}"
  xdotool key Return
}

scroll_panel() { move 150 $((height / 2)) click --repeat "$(within 1 6)" "$(within 4 5)" sleep 0.2; }

at_the_sky() {
  local x y
  x=$(within 500 $((width - 20))) y=$(within 60 $((height - 120)))
  move "$x" "$y" mousedown $((1 + RANDOM % 3)) mousemove --window "$window" "$(within 500 $((width - 20)))" "$y" \
    mouseup 1 mouseup 2 mouseup 3 click "$(within 4 5)"
}

press_key() {
  local keys=(space period r f t m p g l v k bracketleft bracketright question Escape F5 F12 h 1 2 3 4 5 6 7 8 9
    shift+1 ctrl+1 ctrl+equal ctrl+minus w a s d)
  local key=${keys[RANDOM % ${#keys[@]}]}
  done_since+=" key $key,"
  xdotool key "$key"
}

resize() { xdotool windowsize "$window" "$(within 400 $width)" "$(within 300 $height)"; }

act() {
  case $((RANDOM % 16)) in
    0 | 1 | 2 | 3 | 4) press_control ;;
    5 | 6) drag_control ;;
    7) type_number ;;
    8 | 9 | 10) scroll_panel ;;
    11 | 12) at_the_sky ;;
    13 | 14) press_key ;;
    *) if ((RANDOM % 10 == 0)); then resize; else press_key; fi ;;
  esac
}

# Restores the initial scene, which was copied at the start.
go_back() {
  xdotool windowsize "$window" $width $height mouseup 1 key Escape sleep 0.2 key Escape sleep 0.2 key Escape
  # A stopped recording needs some time to finish.
  for _ in {1..50}; do
    if is_not_recording; then break; fi
    sleep 0.1
  done
  if ! is_not_recording || grep -q ' recorded$' controls; then xdotool key F9; fi
  wait_until is_not_recording
  move $((width - 60)) 60 click 1 sleep 0.2 key ctrl+0 sleep 1
  find_control reset || xdotool key h sleep 0.5  # the panel was hidden
  if find_control show-orbit; then press encounter-panel || true; fi  # its trial run needs a megabyte while it is open
  xdotool key Escape sleep 0.2 key ctrl+v sleep 1.5
  wait_until lacks_control cancel  # while a scene loads
  xdotool key Escape
  remove_saved
}

memory() { awk '/^VmRSS/ { print $2 }' "/proc/$pid/status"; }  # KiB
lowest() { printf '%s\n' "$@" | tail -6 | sort -n | head -1; }  # of one minute
held() { cut -c $((1 + 11 * $1))-$((10 + 11 * $1)) held | tr -d ' '; }  # KiB: 0 by the program, 1 by all
device_memory() { nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits 2> /dev/null | head -1 || true; }

start() {
  export HOME=$folder XDG_CONFIG_HOME=$folder/config XDG_PICTURES_DIR=$folder PERICENTER_CONTROL_RECTS=controls
  unset WAYLAND_DISPLAY
  if [[ -z ${DISPLAY:-} ]]; then
    Xvfb -displayfd 3 -screen 0 ${width}x${height}x24 -nolisten tcp -noreset 3> display 2> xvfb_log & server=$!
    wait_until test -s display
    DISPLAY=:$(< display)
    export DISPLAY
    if command -v nvidia-smi > /dev/null; then export __GLX_VENDOR_LIBRARY_NAME=nvidia; fi
  fi
  # Memory that free() keeps and kernels that load on first use would count as growth.
  export MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 CUDA_MODULE_LOADING=EAGER
  mkdir -p config/pericenter
  printf '[Pericenter][Look]\nSimple=0\n' > config/pericenter/imgui.ini  # all controls
  LD_PRELOAD=$counter MEMORY_FILE=held "$program" --size ${width}x$height --ui-scale 1 "$@" 2> log > out & pid=$!
  wait_until xdotool search --onlyvisible --name '^Pericenter$'
  window=$(xdotool search --onlyvisible --name '^Pericenter$')
  wait_until test -s controls
  wait_until test -s held
  sleep 3
  xdotool key ctrl+c
}

cd "$folder"
if (($# == 0)); then set -- -n 2000; fi
arguments=$*
start "$@"
RANDOM=$seed
done_since='' list=''
use_everything
go_back
echo "everything used once in $SECONDS s"
all=() own=() resident=() devices=() first_own='' first_all='' first='' quarter='' first_device='' last_device='' last=0
end=$((SECONDS + minutes * 60)) began=$SECONDS
echo "seed $seed; seconds, KiB that the program's own code holds, KiB that all hold, KiB resident, MiB of the GPU"
while ((SECONDS < end)); do
  read_at=$((SECONDS + 10))
  while ((SECONDS < read_at)); do
    act
    check_alive
  done
  go_back
  check_alive
  own+=("$(held 0)") all+=("$(held 1)") now=$(memory) device=$(device_memory)
  resident+=("$now")
  if [[ -n $device ]]; then devices+=("$device"); fi
  echo "$((SECONDS - began)) ${own[-1]} ${all[-1]} $now $device"
  if ((last > 0 && now - last > 512)); then echo "  more by $((now - last)) KiB after$done_since"; fi
  if [[ -n $last_device ]] && ((device - last_device > 16)); then
    echo "  more by $((device - last_device)) MiB of the GPU after$done_since"
  fi
  last=$now last_device=$device done_since=''
  if [[ -z $first_own ]] && ((SECONDS - began >= 60)); then
    first=$(lowest "${resident[@]}") first_own=$(lowest "${own[@]}")
  fi
  if [[ -z $first_all ]] && ((SECONDS - began >= minutes * 15)); then
    first_all=$(lowest "${all[@]}") quarter=$(lowest "${resident[@]}") first_device=$(lowest "${devices[@]}")
  fi
  if grep -qE 'GL_|OpenGL|invalid (enum|value|operation)' log; then fail "OpenGL complains"; fi
done
now=$(lowest "${resident[@]}")
own_growth=$(($(lowest "${own[@]}") - ${first_own:-0})) all_growth=$(($(lowest "${all[@]}") - first_all))
echo "KiB resident after the first minute ${first:-not read}, after a quarter $quarter, in the end $now; the program itself holds $own_growth" \
  "more than after the first minute, $(lowest "${own[@]}") in all; all together hold $all_growth more than after a quarter"
[[ -z $first_own ]] || ((own_growth <= max_growth)) || fail "the program holds $own_growth KiB more"
((all_growth <= max_growth)) || fail "all together hold $all_growth KiB more"
((now - quarter <= max_growth)) || fail "the resident memory grew by $((now - quarter)) KiB"
if [[ -n $first_device ]]; then
  device=$(lowest "${devices[@]}")
  ((device - first_device <= max_device_growth)) || fail "the GPU's memory grew by $((device - first_device)) MiB"
fi
xdotool key ctrl+q
code=0
wait "$pid" || code=$?
pid=
[[ $code == 0 ]] || fail "the program ended with $code"
echo "closed with Ctrl+Q; it said: $(sort log | uniq -c | head -5)"
