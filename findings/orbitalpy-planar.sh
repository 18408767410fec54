#!/usr/bin/env bash
# OrbitalPy 0.7.0, elements_from_state_vector(): for orbits in the plane z = 0 (inclination 0), the argument of the
# pericentre is the angle between eccentricity vector and x axis without its sign: an orbit whose pericentre is at y <
# 0 is mirrored at the x axis, without a warning; for inclined orbits, the sign is tested.
# (KeplerianElements.from_state_vector compares its result with what it got, and raises RuntimeError.) Seen on
# 2026-11-30: with pericentres at 57.296 and 229.183 degrees, the function returns 57.296 and 130.817 degrees, which
# puts a body of the second orbit 1.115 a from it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check OrbitalPy==0.7.0 represent==1.6.0.post0 numpy==1.26.4 \
  scipy==1.13.1 sgp4==2.27 astropy==7.2.3 matplotlib==3.11.2
environment/bin/python -W ignore - <<'END'
import numpy
from orbital.utilities import Position, Velocity, elements_from_state_vector

eccentricity, eccentric = 0.3, 0.5  # a = G M = 1
cosine, sine, axes = numpy.cos(eccentric), numpy.sin(eccentric), (1 - eccentricity**2) ** 0.5
place, velocity = numpy.array([[cosine - eccentricity, axes * sine],
                               numpy.array([-sine, axes * cosine]) / (1 - eccentricity * cosine)])

def turned(vector, angle):
    return [numpy.cos(angle) * vector[0] - numpy.sin(angle) * vector[1],
            numpy.sin(angle) * vector[0] + numpy.cos(angle) * vector[1], 0.0]

for pericentre in 1.0, 4.0:
    body = turned(place, pericentre)
    seen = elements_from_state_vector(Position(*body), Velocity(*turned(velocity, pericentre)), 1.0)
    assert abs(seen.a - 1) < 1e-12 and abs(seen.e - eccentricity) < 1e-12 and seen.i == seen.raan == 0
    angle, radius = seen.arg_pe + seen.f, (1 - seen.e**2) / (1 + seen.e * numpy.cos(seen.f))
    distance = numpy.hypot(radius * numpy.cos(angle) - body[0], radius * numpy.sin(angle) - body[1])
    print(f"pericentre at {numpy.degrees(pericentre):.3f} degrees: arg_pe {numpy.degrees(seen.arg_pe):.3f} degrees, "
          f"which puts the body {distance:.3f} a from its place")
    mirrored = pericentre > numpy.pi
    assert abs(seen.arg_pe - (2 * numpy.pi - pericentre if mirrored else pericentre)) < 1e-9
    assert distance > 0.5 if mirrored else distance < 1e-9
END
