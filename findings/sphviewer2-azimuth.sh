#!/usr/bin/env bash
# py-sphviewer2 2.0.3: azimuth and roll of its Camera are exchanged. The documentation of Camera says that azimuth turns
# around the Z axis and roll around the Y axis; azimuth turns around Y and roll around Z, the line of sight. Seen on
# 2026-11-30: with an azimuth of 90 degrees, bodies at (20, 0, 0), (0, 20, 0), (0, 0, 20) are drawn at (0, 0), (0, 20),
# (20, 0), so that the one on the Y axis stays; with a roll of 90 degrees at (0, 20), (-20, 0), (0, 0). A galaxy seen
# face-on along Z, turned in its plane by its azimuth, is seen edge-on.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check py-sphviewer2==2.0.3 h5py==3.16.0 scipy==1.17.1 \
  numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import numpy, sphviewer2

def drawn(position, **turn):
    """Centre of mass of the image of a body, relative to the centre of the view."""
    x, y, z, size, mass = ([value] for value in (*position, 2, 1))
    image, (left, right, low, high) = sphviewer2.render(x, y, z, size, mass, 100, xc=0, yc=0, zc=0, periodic=False,
                                                        r_max=8, num_threads=1, **turn)
    places = (numpy.arange(256) + 0.5) / 256
    return tuple(round(float(image.sum(axis) @ (start + places * (end - start)) / image.sum()))
                 for axis, start, end in ((0, left, right), (1, low, high)))

bodies, seen = ((20, 0, 0), (0, 20, 0), (0, 0, 20)), {}
for turn in ("azimuth", "elevation", "roll"):
    seen[turn] = [drawn(body, **{turn: 90}) for body in bodies]
    print(f"{turn} 90 degrees: bodies at {bodies} are drawn at {seen[turn]}")
assert seen == {"azimuth": [(0, 0), (0, 20), (20, 0)], "elevation": [(20, 0), (0, 0), (0, -20)],
                "roll": [(0, 20), (-20, 0), (0, 0)]}
END
