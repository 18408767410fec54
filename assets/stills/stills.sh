#!/usr/bin/env bash
# Makes the stills of README.md as PNG files in the folder OUT; the poster too with POSTER=1. For an NVIDIA GPU.
# Usage: assets/stills/stills.sh PROGRAM OUT
set -eu
program=$1 out=$2
mkdir -p "$out"

# Name, scene, time step, number of steps, camera.
images="
edge-on    galaxy        0.0625   32 camera=0,0,0,0.3,0.05,15
face-on    grand-design  0.125   220 camera=0,0,0,0.3,1.4,32
tails      collision     0.125   216 camera=0,0,0,-1.25,0.7,34
merger     collision     0.125   456 camera=0,0,0,-1.25,0.6,40
m51        m51           0.125   208 camera=0,0,0,0.3,1.2,32
cartwheel  cartwheel     0.03125 576 camera=0,0,0,-1.0,0.8,22
shells     minor-merger  0.125   600 camera=0,0,0,-1.2,0.6,30 color-by=stars
light      collision     0.125   216 camera=0,0,0,-1.25,0.7,34 theme=light
"
[ -z "${POSTER:-}" ] || images="poster collision 0.125 216 camera=0,0,0,-1.25,0.7,31"
while read -r name scene dt steps view; do
  [ -n "$name" ] || continue
  size=1920x1080 bodies=4000000
  [ "$name" != poster ] || { size=7680x4320; bodies=50000000; }
  "$program" --headless --no-progress --scene-string "pericenter/1 scene=$scene n=$bodies dt=$dt solver=fmm $view" \
    -s "$steps" --size $size --screenshot "$out/$name.png" > "$out/$name.txt"
done <<< "$images"
