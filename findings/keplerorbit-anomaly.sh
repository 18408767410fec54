#!/usr/bin/env bash
# KeplerOrbit 0.21, cart2kep(): on the way from pericentre to apocentre, the mean anomaly is wrong: the true anomaly
# takes the place of the eccentric one in Kepler's equation. On the way back it is right. kep2cart() of the elements
# gives a body elsewhere on the orbit; the elements a, e and the angles of the orbit are right. Seen on 2026-11-30, e
# = 0.5: at an eccentric anomaly of 60 degrees, the mean anomaly is 61.35 degrees instead of 35.19, at 300 degrees
# 324.81 as it should.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check KeplerOrbit==0.21 numpy==2.4.6 scipy==1.17.1
environment/bin/python - <<'END'
import numpy
from KeplerOrbit import cart2kep, kep2cart

eccentricity, inclination, pericentre = 0.5, 0.3, 0.5
eccentric = numpy.radians([60.0, 300])
right = eccentric - eccentricity * numpy.sin(eccentric)  # Kepler's equation

def turn(vectors, angle, i, j):
    turned = vectors.copy()
    turned[i] = numpy.cos(angle) * vectors[i] - numpy.sin(angle) * vectors[j]
    turned[j] = numpy.sin(angle) * vectors[i] + numpy.cos(angle) * vectors[j]
    return turned

cosine, sine, axes = numpy.cos(eccentric), numpy.sin(eccentric), (1 - eccentricity**2) ** 0.5  # a = G M = 1
places = numpy.array([cosine - eccentricity, axes * sine, 0 * sine])
velocities = numpy.array([-sine, axes * cosine, 0 * sine]) / (1 - eccentricity * cosine)
places, velocities = (turn(turn(v, pericentre, 0, 1), inclination, 1, 2) for v in (places, velocities))

elements = numpy.array(cart2kep(*places, *velocities, 1.0, numpy.zeros(2)))
assert numpy.allclose(elements[:5].T, [1, eccentricity, inclination, 0, pericentre])
for k, name in enumerate(["outwards", "inwards"]):
    distance = numpy.linalg.norm(numpy.array(kep2cart(*elements[:, k], 0.0, 1.0)[:3]) - places[:, k])
    print(f"{name}: mean anomaly {numpy.degrees(elements[5, k]):.2f} degrees, right is {numpy.degrees(right[k]):.2f}; "
          f"kep2cart() is {distance:.3f} a from the body")
true = 2 * numpy.arctan(((1 + eccentricity) / (1 - eccentricity)) ** 0.5 * numpy.tan(eccentric[0] / 2))
assert abs(elements[5, 0] - (true - eccentricity * numpy.sin(true))) < 1e-9 and elements[5, 0] > 1.5 * right[0]
assert abs(elements[5, 1] - right[1]) < 1e-9
END
