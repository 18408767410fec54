#!/usr/bin/env bash
# Tests the real window on a GPU that computes and renders: opens it, steps, saves images, changes backend and algorithm
# in the panel, and closes it, also while a step hangs; with shared and with copied vertices. Prints the reason and exits
# with 77 if the requirements are missing.
# usage: window_test.sh PROGRAM [BODIES]
set -euo pipefail

exec 9>&2  # for fail and skip, also inside redirected functions
fail() {
  echo "FAILED: $*" >&9
  if [[ -s log ]]; then cat log >&9; fi
  exit 1
}

skip() {
  echo "SKIPPED: $*" >&9
  exit 77
}

# Waits up to a minute for a command to succeed; creating a million bodies takes some seconds.
wait_until() {
  local end=$((SECONDS + 60))
  while ((SECONDS < end)); do
    if "$@" > /dev/null 2>&1; then return; fi
    if [[ -n $pid ]] && ! kill -0 "$pid" 2> /dev/null; then return 1; fi
    sleep 0.1
  done
  fail "timeout while waiting for: $*"
}

has_control() { cut -d ' ' -f 5- controls | grep -qxF -- "$1"; }
lacks_control() { ! has_control "$1"; }

# Sets x and y to the center of the control with this ID.
find_control() {
  local x0 y0 x1 y1 id
  while read -r x0 y0 x1 y1 id; do
    if [[ $id == "$1" ]]; then
      x=$(((x0 + x1) / 2)) y=$(((y0 + y1) / 2))
      return
    fi
  done < controls
  fail "no control '$1'; available: $(cut -d ' ' -f 5- controls | tr '\n' ';')"
}

click() {
  wait_until has_control "$1"
  sleep 0.5  # an opening list is not yet at its final position
  find_control "$1"
  xdotool mousemove --window "$window" "$x" "$y"
  sleep 0.3
  xdotool mousedown 1
  sleep 0.2
  xdotool mouseup 1
  sleep 0.2
}

point_at_sky() { xdotool mousemove --window "$window" $((width * 3 / 4)) $((height / 3)); }

# Opens a combo box and selects an entry. A click while the simulation is rebuilt may open nothing.
choose() {  # COMBO ENTRY
  for _ in 1 2 3 4 5; do
    click "$1"
    for _ in 1 2 3 4 5 6; do
      sleep 0.5
      if has_control "$1/$2"; then break 2; fi
    done
    point_at_sky
  done
  click "$1/$2"
  point_at_sky
  wait_until has_control "$1"
}

# Saves an image with F12, and sets `image` to its checksum and `bytes` to its size.
save_image() {
  # Always the same name, because the next image shows the name of the last one.
  local name=pericenter-collision-0001.png
  rm -f $name
  xdotool key F12
  wait_until test -s $name
  # Width and height are bytes 16 to 23 of a PNG file, big-endian.
  local size="0 0 $((width / 256)) $((width % 256)) 0 0 $((height / 256)) $((height % 256))"
  [[ $(od -An -tu1 -j16 -N8 $name | xargs) == "$size" ]] || fail "the image has the wrong size"
  image=$(md5sum < $name)
  bytes=$(stat -c %s $name)
}

image_changes() {
  local before
  save_image
  before=$image
  sleep 0.3
  save_image
  [[ $image != "$before" ]]
}
image_rests() { ! image_changes; }

start() {  # WAY
  rm -f controls log
  PERICENTER_CONTROL_RECTS=controls "$program" --backend cuda --bridge "$1" --size ${width}x$height --ui-scale 1 \
    -n "$bodies" 2> log & pid=$!
  wait_until xdotool search --onlyvisible --name '^Pericenter$' || give_up
  window=$(xdotool search --onlyvisible --name '^Pericenter$')
  wait_until test -s controls || give_up
  if lacks_control backend; then click detail; fi  # all settings, which the next start remembers
  # This readout is shown while CUDA computes.
  wait_until has_control gpu || give_up
  point_at_sky
  echo "$1: opened, and CUDA computes"
}

# Reports a program that exited early.
give_up() {
  local code=0
  wait "$pid" || code=$?
  pid=
  if [[ $code == 69 ]]; then skip "$(cat log)"; fi
  fail "the program exited with $code"
}

# Without the panel only the stars and the time change in the image.
watch_the_stars() {
  xdotool key h
  wait_until image_changes
  ((bytes > bodies / 10)) || fail "the image of $bodies stars has only $bytes bytes"
  xdotool key space
  wait_until image_rests
  local before=$image
  for _ in 1 2 3; do xdotool key period; sleep 0.2; done
  wait_until image_rests
  [[ $image != "$before" ]] || fail "three steps did not change the image"
  xdotool key space
  wait_until image_changes
  xdotool key h
  echo "$1: runs, pauses and steps; the last image has $bytes bytes"
}

change_over() {
  choose backend cpu
  wait_until lacks_control gpu
  xdotool key h
  wait_until image_changes
  xdotool key h
  choose backend cuda
  wait_until has_control gpu
  choose algorithm direct-tiled
  choose algorithm octree
  xdotool key h
  wait_until image_changes
  xdotool key h
  wait_until has_control gpu
  echo "$1: changed to the CPU and back, and to another algorithm and back"
}

close() {
  local code=0
  point_at_sky
  xdotool key ctrl+q
  wait "$pid" || code=$?
  pid=
  [[ $code == 0 ]] || fail "the program exited with $code"
  if grep '^pericenter:' log; then fail "the program printed errors"; fi  # the narrator writes there, too
  echo "$1: closed with Ctrl+Q"
}

# A step that takes ten seconds: another scene does not wait for it, and runs on the CPU.
leave_a_step_that_hangs() {
  local code=0
  PERICENTER_FAULT=step_hangs:100 start "$1"
  wait_until has_control slow-step
  xdotool key 3
  wait_until lacks_control slow-step
  wait_until lacks_control gpu
  grep -q 'was given up' log || fail "the step was not left"
  kill -TERM "$pid"
  wait "$pid" || code=$?
  pid=
  [[ $code == 143 ]] || fail "the program exited with $code"
  echo "$1: left a step that hangs, and ended by a signal"
}

# Starts a virtual display. It has no GPU outputs, but GLX runs on the GPU.
start_display() {
  export __GLX_VENDOR_LIBRARY_NAME=nvidia
  Xvfb -displayfd 3 -screen 0 ${width}x${height}x24 -nolisten tcp -noreset 3> display 2> xvfb_log & server=$!
  wait_until test -s display
  DISPLAY=:$(< display)
  export DISPLAY
}

clean_up() {
  if [[ -n $pid ]]; then kill "$pid" 2> /dev/null || true; fi
  if [[ -n $server ]]; then kill "$server" 2> /dev/null || true; fi
  rm -rf "$folder"
}

program=$(realpath "$1")
bodies=${2:-1000000}
width=1280 height=960
pid='' server='' window='' image='' bytes=0 x=0 y=0
nvidia-smi -L > /dev/null 2>&1 || skip "nvidia-smi finds no GPU"
[[ -n $(type -P xdotool) ]] || skip "xdotool is not installed"
[[ -n ${DISPLAY:-} || -n $(type -P Xvfb) ]] || skip "there is no display, and no Xvfb to start one"

folder=$(mktemp -d)
trap clean_up EXIT
cd "$folder"
export HOME=$folder XDG_CONFIG_HOME=$folder/config XDG_PICTURES_DIR=$folder
unset WAYLAND_DISPLAY
if [[ -z ${DISPLAY:-} ]]; then start_display; fi
for way in interop staged; do
  start "$way"
  watch_the_stars "$way"
  change_over "$way"
  close "$way"
  leave_a_step_that_hangs "$way"
done
