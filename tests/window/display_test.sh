#!/usr/bin/env bash
# The window with faulty displays: no OpenGL 4.5, a lost display, extreme sizes; and with a step that does not return.
# The numbers are those of the fault table in tests/RELIABILITY.md.
# usage: display_test.sh PROGRAM SHADERS
set -euo pipefail
shaders=$(realpath "$2")
source "$(dirname "$(realpath "$0")")/display.sh"

# Starts the window with these variables, program and options, and waits for it.
open_window() {
  rm -f controls
  PERICENTER_CONTROL_RECTS=controls env "$@" 2> log & pid=$!
  wait_until xdotool search --onlyvisible --name '^Pericenter$'
  window=$(xdotool search --onlyvisible --name '^Pericenter$')
  wait_until grep -q ' scene-caption$' controls  # the scene is loaded
}

# Waits up to $2 tenths of a second for the program to exit with code $1.
ends_with() {
  local code=0 tenths
  for ((tenths = 0; tenths < $2; ++tenths)); do
    kill -0 "$pid" 2> /dev/null || break
    sleep 0.1
  done
  ((tenths < $2)) || fail "it did not end within $2/10 s: $(cat log)"
  wait "$pid" || code=$?
  pid=
  [[ $code == "$1" ]] || fail "it ended with $code instead of $1: $(cat log)"
}

has() { grep -q -- "$1" "${2:-log}" || fail "there is no '$1' in: $(cat "${2:-log}")"; }

refuses() {  # what; the environment and the program
  local code=0
  timeout 20 env "${@:2}" > refusal 2>&1 || code=$?
  [[ $code == 69 ]] || fail "with $1 the program ended with $code: $(cat refusal)"
  has '4\.5' refusal
  has LIBGL_ALWAYS_SOFTWARE=1 refusal
  has 'pericenter --headless' refusal
}

fault_12_and_13_no_opengl() {
  refuses 'OpenGL 3.3' MESA_GL_VERSION_OVERRIDE=3.3 MESA_GLSL_VERSION_OVERRIDE=330 "$program"
  has 'OpenGL 3\.3' refusal
  refuses 'OpenGL 2.1' MESA_GL_VERSION_OVERRIDE=2.1 "$program"
  has 'OpenGL 2\.1' refusal
  refuses 'no driver' LIBGL_DRIVERS_PATH=/nowhere "$program"
  stop_display
  start_display 640x480x8
  refuses '256 colours' "$program"
  stop_display
  start_display 1280x960x24 -extension GLX
  refuses 'no GLX' "$program"
  stop_display
  start_display 1280x960x24
  echo "12, 13: displays without OpenGL 4.5 are refused with a hint"
}

fault_14_wrong_shader() {
  cp -r "$shaders" shaders
  echo 'this is not GLSL' >> shaders/resolve.frag
  open_window "$program" -n 500 --shader-dir shaders
  has 'shaders/resolve.frag:[0-9]*: '
  has 'built-in shaders'
  xdotool key F5
  wait_until grep -q 'previous shaders stay in use' log
  sed -i '$ d' shaders/resolve.frag
  : > log
  xdotool key F5 sleep 0.5 key ctrl+q
  ends_with 0 30
  [[ ! -s log ]] || fail "the fixed shader: $(cat log)"
  echo "14: the built-in shaders replace a faulty one"
}

fault_16_display_lost() {
  open_window "$program" -n 500 --backend cpu
  wait_until eval '! grep -q " cancel$" controls'  # before its first forces, a scene has nothing to save
  kill -KILL "$server"
  wait "$server" 2> /dev/null || true
  ends_with 75 50
  local saved=(config/pericenter/pericenter-recovery-collision-*.hdf5)
  [[ -s ${saved[0]} ]] || fail "no bodies were saved: $(cat log)"
  has "pericenter --load '$folder/${saved[0]}'"
  "$program" --headless --no-progress --load "${saved[0]}" -s 1 2> /dev/null | grep -q '500 bodies' ||
    fail "what was saved cannot be loaded"
  start_display 1280x960x24
  open_window "$program" -n 600 --paused
  find_control open-recovery
  xdotool mousemove --window "$window" $(((x0 + x1) / 2)) $(((y0 + y1) / 2)) sleep 0.3 click 1
  wait_until eval '! grep -q " open-recovery$" controls'
  sleep 0.5
  xdotool key F12
  wait_until eval 'identify -verbose pericenter-*.png | grep -q "bodies: 500"'
  xdotool key ctrl+q
  ends_with 0 30
  open_window "$program" -n 600
  if grep -q ' open-recovery$' controls; then fail "it is offered again"; fi
  xdotool key ctrl+q
  ends_with 0 30
  rm -f config/pericenter/*.hdf5
  echo "16: the display was lost, the bodies were not"
}

fault_10_and_38_step_hangs() {
  open_window PERICENTER_FAULT=step_hangs:30 "$program" -n 500 --backend cpu
  wait_until grep -q ' slow-step$' controls
  xdotool key ctrl+q
  ends_with 0 35  # on a busy machine; the step itself takes ten seconds
  has 'did not finish'
  ls config/pericenter/pericenter-recovery-collision-*.hdf5 > /dev/null 2>&1 || fail "no bodies were saved: $(cat log)"
  rm -f config/pericenter/*.hdf5
  echo "10: a stalled step is reported and does not prevent the exit"

  open_window PERICENTER_FAULT=step_hangs:30 "$program" -n 500 --backend cpu
  wait_until grep -q ' slow-step$' controls
  xdotool key ctrl+s
  wait_until eval 'ls pericenter-collision-*.hdf5 > /dev/null 2>&1'
  rm -f pericenter-collision-*.hdf5
  xdotool key 3
  wait_until eval '! grep -q " slow-step$" controls'
  has 'was given up'
  kill -TERM "$pid"
  ends_with 143 35
  echo "10: its bodies can be saved, and another scene does not wait for it"

  open_window PERICENTER_FAULT=step_hangs:30 "$program" -n 500 --backend cpu
  xdotool key F9
  wait_until grep -q ' recorded-[1-9]' controls
  kill -INT "$pid"
  ends_with 130 35
  ls pericenter-collision-0001.mp4 > /dev/null 2>&1 || [[ -d pericenter-collision-0001-frames ]] || fail "there is no video"
  echo "38: Ctrl+C ends it too, and the video is complete"
}

fault_36_ffmpeg_hangs() {
  mkdir -p hanging
  local answer end
  for answer in 'exec sleep 1000' 'case $* in *-encoders*) echo " V..... libx264 words";; *) exec sleep 1000;; esac'; do
    printf '#!/bin/sh\n%s\n' "$answer" > hanging/ffmpeg
    chmod +x hanging/ffmpeg
    for end in quit signal; do
      open_window PATH="$folder/hanging:$PATH" "$program" -n 500 --backend cpu
      xdotool key F9 sleep 2
      rm -f controls
      xdotool key Tab
      wait_until test -e controls  # the window still draws frames
      if [[ $end == quit ]]; then
        xdotool key ctrl+q
        ends_with 0 90
      else
        kill -TERM "$pid"
        ends_with 143 60
      fi
      has ffmpeg
    done
  done
  echo "36: the window outlives an ffmpeg that hangs"
}

fault_42_assertion() {
  open_window PERICENTER_FAULT=gui_assertion:5 "$program" -n 500 --backend cpu
  wait_until grep -q Assertion log
  xdotool key ctrl+s
  wait_until eval 'ls pericenter-collision-*.hdf5 > /dev/null 2>&1'
  rm -f pericenter-collision-*.hdf5
  xdotool key ctrl+q
  ends_with 0 30
  echo "42: a failed assertion of the user interface does not end the program"
}

killed() {
  open_window "$program" -n 500 --backend cpu
  wait_until eval 'ls config/pericenter/running-*.hdf5 > /dev/null 2>&1'
  kill -KILL "$pid"
  wait "$pid" 2> /dev/null || true
  open_window "$program" -n 600 --paused
  grep -q ' open-recovery$' controls || fail "the bodies of a killed program are not offered"
  xdotool key ctrl+q
  ends_with 0 30
  local left=(config/pericenter/running-*)
  [[ ! -e ${left[0]} ]] || fail "the normal end leaves ${left[*]}"
  "$program" --headless --no-progress --load config/pericenter/pericenter-recovery-2*.hdf5 -s 1 2> /dev/null |
    grep -q '500 bodies' || fail "what was saved cannot be loaded"
  rm -f config/pericenter/*.hdf5
  echo "a killed program loses only seconds"
}

line_of() { grep -n -m 1 -- "$1" run.log | cut -d : -f 1; }

cuda_starts_slowly() {
  open_window PERICENTER_FAULT=slow_cuda "$program" -n 30000 --log run.log
  wait_until grep -q 'interop: ' run.log
  (($(line_of 'the first stars') < $(line_of 'interop: '))) || fail "CUDA starts before the stars: $(cat run.log)"
  wait_until grep -q 'collision, 30,000 bodies' run.log
  xdotool key ctrl+q
  ends_with 0 30
  open_window PERICENTER_FAULT=slow_cuda "$program" --paused
  xdotool key ctrl+q
  ends_with 0 60
  echo "the stars are shown while CUDA starts, and the window can be closed then"
}

cpu_ticks() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }

fault_17_and_18_sizes() {
  open_window "$program" -n 500
  local size
  for size in '1 1' '7680 4320' '640 360' '1 4000' '1280 960'; do
    # shellcheck disable=SC2086  # two numbers
    xdotool windowsize "$window" $size
    sleep 0.3
    kill -0 "$pid" || fail "it ended at $size"
  done
  xdotool windowunmap "$window" sleep 0.3 windowmap "$window" sleep 0.3 key space
  [[ ! -s log ]] || fail "the program complained: $(cat log)"
  echo "17: all sizes are fine"
  wait_until rests 1280x960+0+0 3  # the camera makes room for the caption
  local before=$(cpu_ticks) share
  sleep 2
  share=$(((($(cpu_ticks) - before) * 100 / $(getconf CLK_TCK)) / 2))
  ((share < 5)) || fail "paused it takes $share % of a core"
  xdotool key ctrl+q
  ends_with 0 30
  echo "18: paused it takes $share % of a core"
}

start_display 1280x960x24
fault_12_and_13_no_opengl
fault_14_wrong_shader
fault_16_display_lost
fault_10_and_38_step_hangs
fault_42_assertion
killed
fault_36_ffmpeg_hangs
fault_17_and_18_sizes
cuda_starts_slowly
stop_display
