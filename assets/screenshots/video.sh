#!/bin/sh
# Makes collision.webp of the README from a recorded run: numbered frames, which are then joined by Pillow (python3-pil),
# each as a whole image: as differences, frames leave squares in the faint light.
# Usage: assets/screenshots/video.sh [PROGRAM [BODIES]]
# With FRAMES=FOLDER the frames stay there.
set -eu
folder=$(dirname "$0")
frames=${FRAMES:-$(mktemp -d)}
"${1:-build/default/bin/pericenter}" --headless --scene collision -n "${2:-1000000}" --dt 0.125 -s 432 \
  --pace 37.5 --fps 12 --size 640x360 --record "$frames/collision.png"
python3 - "$frames/collision-frames" "$folder/collision.webp" << 'END'
import pathlib
import sys

from PIL import Image

images = [Image.open(path).convert("RGB") for path in sorted(pathlib.Path(sys.argv[1]).glob("*.png"))]
images[0].save(sys.argv[2], save_all=True, append_images=images[1:], duration=83, loop=0, quality=36, method=6, kmin=0,
               kmax=1)
END
ls -l "$folder/collision.webp"
