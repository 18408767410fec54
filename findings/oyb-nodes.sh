#!/usr/bin/env bash
# oyb 0.1.7, orbits of satellites: getAscNode() and getDescNode() subtract the anomaly of the satellite from that of the
# node, although the node does not depend on where the satellite is: with a mean anomaly other than 0, the nodes are not
# in the plane of the equator. Seen on 2026-11-30, i = 60 degrees, mean anomaly 90 degrees: the ascending node of an
# orbit of 7,000 km is 6,062 km south of the equator.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5
environment/bin/pip install --quiet --disable-pip-version-check --no-deps oyb==0.1.7
environment/bin/python -W ignore - <<'END'
from math import pi, radians
import numpy
from oyb import Orbit

for mean in (0, 90, 180):
    orbit = Orbit(a_m=7e6, e=0.0, i_rad=radians(60), O_rad=0.3, w_rad=0.5, M_rad=radians(mean))
    node = orbit.getAscNode()
    right = 7e6 * numpy.array([numpy.cos(0.3), numpy.sin(0.3), 0])
    print(f"mean anomaly {mean}: ascending node at {node / 1000} km, should be {right / 1000}; "
          f"descending node at z = {orbit.getDescNode()[2] / 1000:.0f} km")
    if mean == 0:
        assert abs(node - right).max() < 1
    if mean == 90:
        assert abs(node[2] / 1000 + 6062) < 1
END
