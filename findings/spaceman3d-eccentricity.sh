#!/usr/bin/env bash
# Spaceman3D 0.1.0, orbits of two-line elements: the decimal point of the eccentricity is put after its first digit: it
# is ten times too large. Drag terms lose their leading zeros. Kepler's equation gets one step of Newton's method. Seen
# on 2026-11-30: e = 7.0 for a Molniya orbit of e = 0.7; a drag term of 0.01234e-3 is read as 0.1234e-3; for M = 1 and e
# = 0.7, the eccentric anomaly is 1.882 instead of 1.696.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 pandas==2.2.3 pytz==2024.2
environment/bin/pip install --quiet --disable-pip-version-check --no-deps Spaceman3D==0.1.0
environment/bin/python -W ignore - <<'END'
from math import sin
from spaceman3D.Orbit.orbit import Orbit
from spaceman3D.Orbit.tle import tle


def line(text):
    return text + str(sum(int(c) if c.isdigit() else c == "-" for c in text) % 10)


first = line("1 88888U 80001A   20001.00000000  .00000000  00000-0  01234-3 0    1")
second = line("2 88888  63.4000 100.0000 7000000 270.0000  10.0000  2.00600000    1")
elements = "MOLNIYA\n" + first + "\n" + second
e, drag = tle().eccentricity(elements), tle().bstar_drag_term(elements)
print(f"eccentricity {e}, should be 0.7; drag term {drag:.4g}, should be 1.234e-05")
assert e == 7.0 and abs(drag / 1.234e-4 - 1) < 1e-9
found = Orbit().eccentric_anomoly_calculation(1.0, 0.7)
print(f"eccentric anomaly {found:.4f}: its mean anomaly is {found - 0.7 * sin(found):.4f}, should be 1")
assert abs(found - 0.7 * sin(found) - 1) > 0.1
END
