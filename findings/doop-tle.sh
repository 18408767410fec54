#!/usr/bin/env bash
# doop 0.1.0: COE.from_tle() puts the mean anomaly of a two-line element set, the seventh field of its second line, into
# v, which the package documents as the true anomaly: radius, velocity and to_rv() are those of another place on the
# orbit. The way back, rv2coe() and COE.from_rv(), raises NameError for every orbit that is not equatorial. Right is the
# true anomaly of the solution of the equation of Kepler M = E - e sin E. Seen on 2026-11-30, an orbit of Molniya kind
# (e = 0.7, M = 60 degrees): v = 60 instead of 140.9 degrees, radius 10,033 instead of 29,642 km, position off by 29,749
# km.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check doop==0.1.0 rotations==0.0.2 attrs==25.4.0 \
  requests==2.32.5 colorama==0.4.6 numpy==1.26.4 matplotlib==3.10.7
environment/bin/python -W ignore - <<'END'
from math import atan, degrees, pi, radians, sin, sqrt, tan, cos
import numpy
from doop.elements import COE, coe2rv, rv2coe

element_set = """TEST
1 40000U 14001A   20060.50000000  .00000000  00000-0  00000-0 0  9990
2 40000  63.4000 165.6500 7000000 270.0000  60.0000  2.00600000    10"""
orbit = COE.from_tle(element_set)
mean, excentric = radians(60.0), 1.0
for _ in range(100):
    excentric -= (excentric - 0.7 * sin(excentric) - mean) / (1 - 0.7 * cos(excentric))
true = degrees(2 * atan(sqrt(1.7 / 0.3) * tan(excentric / 2)))
semimajor = (398600.4418 * (86400 / (2 * pi * 2.006)) ** 2) ** (1 / 3)
radius = semimajor * (1 - 0.7 * cos(excentric))
print(f"a {orbit.a:.1f} (should be {semimajor:.1f}) km; v {orbit.v} (should be {true:.2f}) degrees; radius {orbit.r:.0f} "
      f"(should be {radius:.0f}) km")
assert orbit.v == 60.0 and abs(orbit.a / semimajor - 1) < 1e-6 and abs(true - 60) > 50 and radius / orbit.r > 2.5
position, velocity = orbit.to_rv()
right = coe2rv(orbit.a, orbit.e, orbit.i, orbit.raan, orbit.w, true)[0]
miss = numpy.linalg.norm(position - right)
print(f"position off by {miss:.0f} km; with the true anomaly the radius is {numpy.linalg.norm(right):.0f} km")
assert miss > 20000 and abs(numpy.linalg.norm(right) / radius - 1) < 1e-6
flat = rv2coe(numpy.array([8000.0, 100.0, 0.0]), numpy.array([0.5, 7.5, 0.0]))
print("equatorial orbit:", [round(float(each), 4) for each in flat])
try:
    rv2coe(position, velocity)
    raise SystemExit("an inclined orbit has elements now")
except NameError as error:
    print("inclined orbit: NameError:", error)
END
