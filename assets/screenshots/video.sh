#!/bin/sh
# Makes collision.webp of the README from a recorded run: numbered frames, then ffmpeg.
# Usage: assets/screenshots/video.sh [PROGRAM [BODIES]]
# Frames need no ffmpeg, so that they can be recorded on another machine.
set -eu
folder=$(dirname "$0")
frames=${FRAMES:-$(mktemp -d)}
"${1:-build/default/bin/pericenter}" --scene collision -n "${2:-10000000}" --dt 0.125 -s 432 \
  --pace 37.5 --fps 12 --size 640x360 --record "$frames/collision.png"
ffmpeg -loglevel error -y -framerate 12 -pattern_type glob -i "$frames/collision-frames/*.png" \
  -c:v libwebp_anim -loop 0 -quality 60 -compression_level 4 "$folder/collision.webp"
ls -l "$folder/collision.webp"
