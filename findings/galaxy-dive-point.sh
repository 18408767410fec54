#!/usr/bin/env bash
# galaxy-dive 0.9.3, analysis of galaxy simulations: rotate_coordinates(arr, angle, axis, point) ignores the point: it
# takes the 3 x 3 part of a 4 x 4 matrix, without its displacement, and turns around the origin. Its documentation calls
# the point the one to rotate around, which a rotation leaves where it is.
# Seen on 2026-12-01: a half turn around (10, 0, 0) takes this point to (-10, 0, 0).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps galaxy-dive==0.9.3
environment/bin/python -W ignore - <<'END'
from importlib.metadata import version

import numpy
from galaxy_dive.utils.data_operations import rotate_coordinates

print("galaxy-dive", version("galaxy-dive"))
point, axis = numpy.array([10.0, 0.0, 0.0]), numpy.array([0.0, 0.0, 1.0])
bodies = point + numpy.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 3.0]])
found = rotate_coordinates(bodies, numpy.pi, axis, point)
# A half turn around a line parallel to z reverses x and y relative to the point.
right = point + (bodies - point) * [-1.0, -1.0, 1.0]
for body, one, other in zip(bodies, found, right):
    print(f"{body} turned by 180 degrees around {point}: {one.round(9)}, should be {other}")
assert numpy.allclose(found, bodies * [-1.0, -1.0, 1.0]) and numpy.abs(found - right).max() > 19
END
