#!/usr/bin/env bash
# pytwobodyorbit 1.0.0: for retrograde orbits in the plane z = 0, setOrbCart() measures the argument of the pericentre in
# the direct sense, setOrbKepl() in the sense of the motion: the elements that elmKepl() returns are those of an orbit
# that is mirrored at the x axis. For circular orbits, which its documentation allows ("imaginary periapsis"), anomalies
# and the time of the pericentre are not numbers. Seen on 2026-11-30: a body on an orbit with e = 0.3 whose elements are
# set again is 1.41 a away; the same orbit in the direct sense comes back to 1e-15.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check pytwobodyorbit==1.0.0 numpy==2.4.6 scipy==1.17.1
environment/bin/python -W ignore - <<'END'
import numpy
from pytwobodyorbit import TwoBodyOrbit

place, velocity = numpy.array([-0.25, -0.7, 0]), numpy.array([1.28, -0.25, 0])
for sense, away in ((1, 0.0), (-1, 1.4083)):
    orbit, again = TwoBodyOrbit("body", mu=1.0), TwoBodyOrbit("again", mu=1.0)
    orbit.setOrbCart(0.0, place, sense * velocity)
    found = orbit.elmKepl()
    again.setOrbKepl(0.0, found["a"], found["e"], found["i"], found["LoAN"], found["AoP"], TA=found["TA"])
    distance = numpy.linalg.norm(again.posvelatt(0.0)[0] - place)
    print(f"inclination {found['i']:.0f} degrees: argument of pericentre {found['AoP']:.2f} degrees, body {distance:.4g} "
          "away from where it was")
    assert abs(distance - away) < 1e-3
circle = TwoBodyOrbit("circle", mu=1.0)
circle.setOrbCart(0.0, [1.0, 0, 0], [0, 1.0, 0])
found = {name: float(circle.elmKepl()[name]) for name in ("e", "AoP", "TA", "T", "MA")}
print(f"circular orbit: {found}")
assert found["e"] == 0 and numpy.isnan([found[name] for name in ("TA", "T", "MA")]).all()
END
