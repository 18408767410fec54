#!/usr/bin/env bash
# astrora 0.1.1: the argument of pericentre of a retrograde orbit in the plane z = 0 has the wrong sign, and propagate()
# goes by way of the elements: the orbit turns by twice the argument. Prograde orbits, and retrograde ones that leave the
# plane by 0.0000002 radians, are right. Seen on 2026-11-30: a satellite at (7000, 1000, 0) km, with (500, -7800, 0) m/s,
# is 8,961 km away from there after 0.001 s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check astrora==0.1.1 astropy==7.2.3 jplephem==2.24 \
  matplotlib==3.11.1 numpy==2.4.6 plotly==6.5.0 scipy==1.17.1
environment/bin/python -W ignore - <<'END'
import numpy
from astrora.bodies import Earth
from astrora.twobody import Orbit

place, moved = numpy.array([7e6, 1e6, 0]), {}  # m, m/s
for name, velocity in (("prograde", [-500, 7800, 0]), ("retrograde", [500, -7800, 0]),
                       ("retrograde, slightly inclined", [500, -7800, 0.001])):
    orbit = Orbit.from_vectors(Earth, place, numpy.array(velocity, dtype=float))
    after = orbit.propagate(0.001)
    moved[name] = numpy.linalg.norm(after.r.to_value("m") - place)
    print(f"{name}: argument of pericentre {orbit.argp.to_value('rad'):.4f}, true anomaly "
          f"{orbit.nu.to_value('rad'):.4f}; moves by {moved[name] / 1000:.6g} km in 0.001 s")
assert moved["prograde"] < 10 and moved["retrograde, slightly inclined"] < 10 and moved["retrograde"] > 8e6
END
