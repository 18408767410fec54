#!/usr/bin/env bash
# Makes the pictures of the list of scenes, 160x90 pixels, from the images of the gallery, without the scale bar in
# their corners; of all images, or of those named. Needs ImageMagick.
# Usage: assets/gallery/thumbnails.sh [NAME.jpg...]
set -eu
cd "$(dirname "$0")"
mkdir -p thumbnails
[ $# -gt 0 ] || set -- *.jpg
for image in "$@"; do
  convert "$image" -gravity center -crop 82%x82%+0+0 +repage -resize 160x90^ -extent 160x90 -strip -quality 82 "thumbnails/$image"
done
