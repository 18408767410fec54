#!/usr/bin/env bash
# The real window under Xvfb, driven by mouse and keyboard: open, drag theta, pause, step, save images, close.
# usage: window_test.sh PROGRAM DROP_FILES
set -euo pipefail

here=$(dirname "$(realpath "$0")") drop_files=$(realpath "$2")
source "$here/display.sh"

changes() { [[ $(look "$1") != "$2" ]]; }

# Whether nothing changes for a second, and the checksum differs from $2.
rests_changed() { rests "$1" && changes "$1" "$2"; }

rests_unchanged() { rests "$1" && ! changes "$1" "$2"; }

# How many scenes were loaded.
scenes() { grep -c ' scene  ' run.log; }

drag() {  # from X Y to X Y
  xdotool mousemove --window "$window" "$1" "$2" mousedown 1
  sleep 0.3
  xdotool mousemove --window "$window" "$3" "$4"
  sleep 0.3
  xdotool mouseup 1
}

drive() {
  local width=1280 height=960 x0 y0 x1 y1 before
  PERICENTER_CONTROL_RECTS=controls "$program" --size ${width}x$height --ui-scale 1 -n 2000 --steps-per-frame 1 \
    --log run.log 2> log & pid=$!
  wait_until xdotool search --onlyvisible --name '^Pericenter$'
  window=$(xdotool search --onlyvisible --name '^Pericenter$')
  wait_until test -s controls
  # Stars, right of the panel and above the timeline, the name of the scene, and the line with a warning.
  find_control undo
  local right_of_panel=$((x1 + 40))
  local sky=$((width - right_of_panel - 20))x$((height - 420))+$right_of_panel+50
  wait_until changes "$sky" "$(look "$sky")"
  echo "opened, and time passes"

  find_control theta
  ((x1 > x0 && x1 < right_of_panel && y1 > y0 && y1 < height)) || fail "theta is out of sight: $x0 $y0 $x1 $y1"
  local theta=$((x1 - x0))x$((y1 - y0))+$x0+$y0
  before=$(look "$theta")
  drag $((x0 + (x1 - x0) / 4)) $(((y0 + y1) / 2)) $((x0 + (x1 - x0) * 3 / 4)) $(((y0 + y1) / 2))
  xdotool mousemove --window "$window" $((width * 3 / 4)) $((height / 3))
  wait_until rests_changed "$theta" "$before"  # the slider is highlighted while the pointer is on it
  echo "theta dragged"

  xdotool key space
  wait_until rests "$sky"
  before=$(look "$sky")
  for _ in 1 2 3 4 5 6 7 8; do xdotool key period; sleep 0.1; done
  wait_until rests_changed "$sky" "$before"
  echo "paused and stepped"

  xdotool key shift+F12
  wait_until test -s pericenter-collision-0001.png
  [[ $(identify -format '%wx%h' pericenter-collision-0001.png) == ${width}x$height ]] || fail "the image has the wrong size"
  local brightest
  brightest=$(convert pericenter-collision-0001.png -crop "$sky" -colorspace gray -format '%[fx:int(255*maxima)]' info:)
  [[ $brightest -gt 60 ]] || fail "the image is black (brightest pixel $brightest of 255)"
  echo "window saved, brightest pixel $brightest of 255"

  # The image alone: without the panel, and with the settings as metadata.
  xdotool key F12
  wait_until test -s pericenter-collision-0002.png
  [[ $(identify -format '%w' pericenter-collision-0002.png) -lt $((width - 200)) ]] || fail "the image contains the panel"
  identify -verbose pericenter-collision-0002.png | grep -q 'bodies: 2000' || fail "the image has no settings"
  brightest=$(convert pericenter-collision-0002.png -colorspace gray -format '%[fx:int(255*maxima)]' info:)
  [[ $brightest -gt 60 ]] || fail "the image is black (brightest pixel $brightest of 255)"
  echo "image saved without the panel"

  xdotool key ctrl+s
  wait_until test -s pericenter-collision-0001.hdf5
  "$program" --headless --no-progress --load pericenter-collision-0001.hdf5 -s 1 2> /dev/null | grep -q '2,000 bodies' ||
    fail "the snapshot cannot be loaded"
  wait_until grep -q pericenter-collision-0001.hdf5 config/pericenter/recent_files.txt
  wait_until rests "$sky"  # the brush is drawn while Ctrl is down
  before=$(look "$sky")
  xdotool key ctrl+o
  wait_until changes "$sky" "$before"
  wait_until grep -q ' open-selected$' controls
  xdotool keydown Escape sleep 0.3 keyup Escape
  wait_until rests_unchanged "$sky" "$before"
  echo "snapshot saved, and file dialog opened and closed"

  # Paused, at one step per frame: the video has the initial frame and one frame per step.
  xdotool key F9
  wait_until grep -q ' recorded-1$' controls
  local step
  for step in 2 3 4; do
    xdotool key period
    wait_until grep -q " recorded-$step\$" controls
  done
  xdotool key F9
  wait_until eval 'ls pericenter-collision-0001.mp4 || ls pericenter-collision-0001-frames'
  if command -v ffprobe > /dev/null; then
    local frames
    frames=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 pericenter-collision-0001.mp4)
    [[ $frames == 4 ]] || fail "three steps made a video of $frames frames"
  fi
  echo "video recorded"

  # Scene string: copy, load another scene, paste. The theme is restored too.
  local scenes
  scenes=$(scenes)
  xdotool key l ctrl+c
  sleep 0.5
  xdotool key l 3
  wait_until eval '(($(scenes) > scenes))'
  xdotool key ctrl+v
  wait_until eval '(($(scenes) > scenes + 1))'
  xdotool key F12
  wait_until test -s pericenter-collision-0003.png
  identify -verbose pericenter-collision-0003.png | grep -q 'Scene: pericenter/1 scene=collision n=2000 .*theme=light' ||
    fail "the pasted scene differs from the copied one"
  echo "scene copied and pasted"

  # Dropped files: bodies are loaded; a file without bodies is reported and changes nothing.
  mv pericenter-collision-0001.hdf5 'bodies ü.hdf5'
  "$drop_files" "$window" "$folder/bodies ü.hdf5" || fail "the file was not accepted"
  wait_until grep -q 'bodies ü.hdf5' config/pericenter/recent_files.txt
  wait_until rests "$sky"
  before=$(look "$sky")
  echo 'no bodies' > none.txt
  "$drop_files" "$window" "$folder/none.txt" || fail "the file was not accepted"
  wait_until grep -q 'none.txt: ' log
  wait_until rests_unchanged "$sky" "$before"
  [[ $(wc -l < log) == 1 ]] || fail "unexpected messages: $(cat log)"
  : > log
  echo "files dropped"

  xdotool key ctrl+q
  local code=0
  wait "$pid" || code=$?
  pid=
  [[ $code == 0 ]] || fail "the program ended with $code"
  [[ ! -s log ]] || fail "unexpected messages: $(cat log)"
  test -s config/pericenter/imgui.ini || fail "the layout was not saved"
  echo "closed with Ctrl+Q"
}

# The presenter view: keys pressed in it lead the lesson; closing it leaves the main window as it is.
present() {
  local notes='^Pericenter: presenter view$' view before
  rm -f controls
  PERICENTER_CONTROL_RECTS=controls "$program" --size 640x480 --ui-scale 1 --lesson two-discs --presenter 2> log & pid=$!
  wait_until xdotool search --onlyvisible --name "$notes"
  wait_until xdotool search --onlyvisible --name '^Pericenter$'
  window=$(xdotool search --onlyvisible --name '^Pericenter$')
  view=$(xdotool search --onlyvisible --name "$notes")
  xdotool windowmove "$window" 0 480 windowmove "$view" 640 0 mousemove --window "$view" 100 100
  wait_until grep -q ' lesson-start$' controls
  before=$(look 640x480+0+0)
  xdotool key Next
  wait_until eval '! grep -q " lesson-start$" controls'
  wait_until changes 640x480+0+0 "$before"
  echo "a key in the presenter view leads the lesson"

  xdotool key ctrl+p
  wait_until eval '! xdotool search --onlyvisible --name "$notes"'
  xdotool mousemove --window "$window" 320 240 key ctrl+q
  local code=0
  wait "$pid" || code=$?
  pid=
  [[ $code == 0 ]] || fail "the program ended with $code"
  [[ ! -s log ]] || fail "unexpected messages: $(cat log)"
  echo "presenter view closed, then the window"
}

start_display 1280x960x24
drive
present
stop_display
