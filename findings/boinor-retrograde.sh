#!/usr/bin/env bash
# boinor 0.20.0, the heir of poliastro: rv2coe() sets the node of a retrograde orbit in the plane z = 0 to 180 degrees,
# but counts the argument of pericentre from the body: coe2rv() of the elements gives a body on the axis -x, wherever it
# was. Orbit.classical() and Orbit.from_classical() use these functions. Seen on 2026-11-30: a satellite at (7000, 1000,
# 0) km, with (0.5, -7.8, 0) km/s, is at (-7071, 0, 0) km if it is made again from its elements; a prograde one, and a
# retrograde one that leaves the plane by 0.0000001 radians, are where they were.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numba==0.67.0 numpy==2.4.6 scipy==1.17.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps boinor==0.20.0
environment/bin/python -W ignore - <<'END'
import numpy
from boinor.core.elements import coe2rv, rv2coe

mass = 398600.4418  # G M of the Earth in km^3/s^2
cases = {"prograde": ([7000, 1000, 0], [-0.5, 7.8, 0]), "retrograde": ([7000, 1000, 0], [0.5, -7.8, 0]),
         "retrograde, elsewhere": ([-3000, 7000, 0], [7.0, 2.0, 0]),
         "retrograde, slightly inclined": ([7000, 1000, 0], [0.5, -7.8, 1e-6])}
for name, (place, velocity) in cases.items():
    place, velocity = numpy.array(place, dtype=float), numpy.array(velocity, dtype=float)
    elements = rv2coe(mass, place, velocity)
    again = coe2rv(mass, *elements)[0]
    print(f"{name}: from {place} km to {again.round(1)} km; inclination, node, argument of pericentre and anomaly "
          f"{numpy.degrees(elements[2:]).round(2)} degrees")
    if name in ("retrograde", "retrograde, elsewhere"):
        assert numpy.allclose(again, [-numpy.linalg.norm(place), 0, 0], atol=1)
    else:
        assert numpy.allclose(again, place, atol=1)
END
