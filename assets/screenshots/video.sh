#!/bin/sh
# Makes collision.webp of the README from a recorded run: numbered frames, then ffmpeg.
# Usage: assets/screenshots/video.sh [PROGRAM [BODIES]]
# Frames need no ffmpeg, so that they can be recorded on another machine.
set -eu
folder=$(dirname "$0")
frames=${FRAMES:-$(mktemp -d)}
"${1:-build/default/bin/pericenter}" --scene collision -n "${2:-80000}" --dt 0.06 --theta 1 -s 1085 \
  --steps-per-frame 7 --fps 15 --size 960x540 --record "$frames/collision.png"
ffmpeg -loglevel error -y -framerate 15 -i "$frames/collision-frames/%06d.png" -vf scale=640:-2:flags=lanczos \
  -c:v libwebp_anim -quality 62 -compression_level 6 -loop 0 "$folder/collision.webp"
ls -l "$folder/collision.webp"
