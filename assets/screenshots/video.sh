#!/bin/sh
# Makes collision.webp of the README from a recorded run: numbered frames, then ffmpeg.
# Usage: assets/screenshots/video.sh [PROGRAM [BODIES]]
# Frames need no ffmpeg, so that they can be recorded on another machine.
set -eu
folder=$(dirname "$0")
frames=${FRAMES:-$(mktemp -d)}
"${1:-build/default/bin/pericenter}" --scene collision -n "${2:-10000000}" --dt 0.03 -s 1800 \
  --steps-per-frame 3 --fps 30 --size 1920x1080 --record "$frames/collision.png"
ffmpeg -loglevel error -y -framerate 30 -i "$frames/collision-frames/%06d.png" -vf fps=12,scale=640:-2:flags=lanczos \
  -c:v libwebp_anim -quality 60 -compression_level 4 -loop 0 "$folder/collision.webp"
ls -l "$folder/collision.webp"
