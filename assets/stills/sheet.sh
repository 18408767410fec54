#!/usr/bin/env bash
# Makes the images of the contact sheet, eight scenes with 20,000 to ten million bodies, as PNG files in the folder OUT, then,
# if ImageMagick is there, the sheet of them. Best with a GPU.
# Usage: assets/stills/sheet.sh PROGRAM OUT
set -eu
program=$1 out=$2
mkdir -p "$out"

# Scene, time step, number of steps.
images="
collision    0.125   226
galaxy       0.0625  0
m51          0.125   212
spiral       0.0625  224
grand-design 0.125   208
cartwheel    0.03125 640
mice         0.125   340
minor-merger 0.125   400
"
files=()
while read -r scene dt steps; do
  [ -n "$scene" ] || continue
  for bodies in 20000 100000 1000000 10000000; do
    files+=("$out/$scene-$bodies.png")
    "$program" --headless --no-progress --scene "$scene" -n "$bodies" --dt "$dt" -s "$steps" --size 960x600 \
      --screenshot "${files[-1]}" > "$out/$scene-$bodies.txt"
  done
done <<< "$images"

command -v montage > /dev/null || exit 0
montage -font DejaVu-Sans -label '%t' "${files[@]}" -resize 480x300 -background '#101014' -fill '#c0c0c0' -pointsize 15 -geometry +2+2 -tile 4x \
  -strip -quality 82 "$out/contact-sheet.jpg"
