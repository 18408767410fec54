#!/usr/bin/env bash
# The real window under Xvfb, driven as a user would: open, drag theta, pause, step, save a picture, close.
# Then the machines that cannot open it: no OpenGL 4.5, and none at all.
# usage: window_test.sh PROGRAM
set -euo pipefail

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# Waits up to 20 seconds for a command to succeed.
wait_until() {
  for _ in $(seq 200); do
    if "$@" > /dev/null 2>&1; then return; fi
    sleep 0.1
  done
  fail "waited in vain for: $*"
}

# The picture of a part of the window, WxH+X+Y, as a checksum.
look() { import -window root -crop "$1" rgb:- | md5sum; }

changes() { [[ $(look "$1") != "$2" ]]; }

# Twice the same, half a second apart.
rests() {
  local before
  before=$(look "$1")
  sleep 0.5
  [[ $(look "$1") == "$before" ]]
}

drive() {
  # Where things are at UI scale 1; the sections start with the same fonts on every machine.
  local headline=200x30+10+8 theta=240x24+110+426 theta_y=438
  "$program" --size 1280x720 --ui-scale 1 -n 2000 2> log & pid=$!
  wait_until xdotool search --onlyvisible --name '^Pericenter$'
  wait_until changes "$headline" "$(look "$headline")"
  echo "opened, and time passes"

  local before
  before=$(look "$theta")
  xdotool mousemove 180 $theta_y mousedown 1
  sleep 0.3
  xdotool mousemove 300 $theta_y
  sleep 0.3
  xdotool mouseup 1 mousemove 900 300
  wait_until changes "$theta" "$before"
  echo "theta dragged"

  xdotool key space
  wait_until rests "$headline"
  before=$(look "$headline")
  for _ in 1 2 3 4 5 6 7 8; do xdotool key period; sleep 0.1; done
  wait_until changes "$headline" "$before"
  wait_until rests "$headline"
  echo "paused and stepped"

  xdotool key F12
  wait_until test -s pericenter-collision-0001.png
  [[ $(identify -format '%wx%h' pericenter-collision-0001.png) == 1280x720 ]] || fail "the picture has another size"
  # Right of the panel: sky with stars in it.
  local brightest sky=800x600+420+50
  brightest=$(convert pericenter-collision-0001.png -crop $sky -colorspace gray -format '%[fx:int(255*maxima)]' info:)
  [[ $brightest -gt 60 ]] || fail "the picture is black (brightest pixel $brightest of 255)"
  echo "picture saved, brightest pixel $brightest of 255"

  xdotool key ctrl+q
  local code=0
  wait $pid || code=$?
  [[ $code == 0 ]] || fail "the program ended with $code"
  [[ ! -s log ]] || fail "the program complained: $(cat log)"
  test -s config/pericenter/imgui.ini || fail "the layout was not saved"
  echo "closed with Ctrl+Q"
}

if [[ $1 == --inside ]]; then  # of xvfb-run, which passes no functions on
  program=$2
  drive
  exit
fi

script=$(realpath "$0")
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder XDG_CONFIG_HOME=$folder/config XDG_PICTURES_DIR=$folder LIBGL_ALWAYS_SOFTWARE=1
unset WAYLAND_DISPLAY

xvfb-run -a -s '-screen 0 1280x720x24' "$script" --inside "$program"

code=0
MESA_GL_VERSION_OVERRIDE=3.3 MESA_GLSL_VERSION_OVERRIDE=330 timeout 20 xvfb-run -a -s '-screen 0 1280x720x24' \
  "$program" > old 2>&1 || code=$?
[[ $code == 69 ]] || fail "with OpenGL 3.3 the program ended with $code: $(cat old)"
grep -q '4\.5' old && grep -q '3\.3' old && grep -q LIBGL_ALWAYS_SOFTWARE=1 old || fail "no use to anybody: $(cat old)"
echo "OpenGL 3.3 is refused with a hint"

code=0
timeout 20 xvfb-run -a -s '-screen 0 1280x720x24 -extension GLX' "$program" > none 2>&1 || code=$?
[[ $code == 69 ]] || fail "without GLX the program ended with $code: $(cat none)"
echo "a display without OpenGL is refused"

