#!/usr/bin/env bash
# Makes the images for the gallery in sim/scenes/README.md but figure-eight and two-body, 640x400 pixels, in the folder OUT: first
# PNG files, then, if ImageMagick is there, JPEG files of them, so that the first part can run on another machine. With a million
# bodies best with a GPU.
# Usage: assets/gallery/gallery.sh PROGRAM OUT [SCENE...]
set -eu
program=$1 out=$2
shift 2
wanted=" $* "
mkdir -p "$out"

# Scene, bodies, time step, number of steps, further options.
images="
collision           1000000 0.125   226
antennae            1000000 0.0625  912
mice                1000000 0.125   340
m51                 1000000 0.125   212
grand-design        1000000 0.125   208
cartwheel           1000000 0.03125 640
milky-way-andromeda 1000000 0.125   264
minor-merger        100000  0.125   352
retrograde          1000000 0.125   226
without-halos       100000  0.0625  1040
galaxy              1000000 0.0625  0
unstable-disc       1000000 0.03125 384
spiral              1000000 0.0625  224
bar                 1000000 0.03125 1280
winding-arms        1000000 0.0625  0
toomre-antennae     30000   0.0075  1911
toomre-mice         30000   0.0075  1607 --camera-path off
toomre-m51          30000   0.0075  543
toomre-direct       30000   0.0075  440
toomre-retrograde   30000   0.0075  440
toomre-ring         30000   0.00125 1678
random-masses       30000   0.002   250
solar-system        10000   0.02    60
small-bodies        60000   0.01    0    --color-by origin
head-on             50000   0.01    600
plummer             50000   0.01    0
hernquist           200000  0.0625  0
nfw                 200000  0.0625  0
uniform             50000   0.0025  0
lattice             50000   0.004   350
cold-collapse       50000   0.0015  1067
holmberg            74      0.02    500
"
while read -r scene bodies dt steps options; do
  [ -n "$scene" ] || continue
  [ "$wanted" = "  " ] || [[ $wanted = *" $scene "* ]] || continue
  eval "set -- $options"  # options may have quotes
  "$program" --headless --no-progress --scene "$scene" -n "$bodies" --dt "$dt" -s "$steps" "$@" --annotations \
    --size 960x600 --screenshot "$out/$scene.png" > "$out/$scene.txt"
done <<< "$images"

command -v convert > /dev/null || exit 0
for image in "$out"/*.png; do
  convert "$image" -resize 640x400 -strip -quality 85 "${image%.png}.jpg"
done
