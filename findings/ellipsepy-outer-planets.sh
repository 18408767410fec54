#!/usr/bin/env bash
# EllipsePy 0.2.1: the bodies Uranus and Neptune hold their gravitational parameter under the key "MU", which every
# other body has under "Mu" and which Orbit reads: any orbit about them raises KeyError. Mercury and Mars have masses of
# three digits, that are wrong in the third: the speed of a circular orbit and its period are wrong by a quarter of a
# percent, an error of 9 degrees a day along the orbit of a low satellite of Mars. Right are (JPL Horizons) GM =
# 22031.868551 and 42828.375214 km^3/s^2. Seen on 2026-11-30: KeyError for two of ten bodies; GM 0.485 % and 0.420 % too
# low.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check EllipsePy==0.2.1 plotly==6.5.0 \
  numpy==2.3.5 scipy==1.16.3
environment/bin/python -W ignore - <<'END'
from contextlib import redirect_stdout
from io import StringIO
from math import degrees
from EllipsePy import bodies
from EllipsePy.utilities import Orbit

failed = []
for name in ("Sun", "Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune", "Pluto"):
    body = getattr(bodies, name)
    radius = 2.0 * body["Radius"]
    speed = (6.67428e-20 * body["Mass"] / radius) ** 0.5
    try:
        orbit = Orbit(body, [[radius, 0.0, 0.0], [0.0, speed, 0.0]], 3600.0, 60.0)
        with redirect_stdout(StringIO()):
            orbit.Propagate_Orbit()
        print(name, "propagated")
    except KeyError as error:
        failed.append(name)
        print(name, "raises KeyError", error)
assert failed == ["Uranus", "Neptune"]

for name, right, seen in (("Mercury", 22031.868551, -0.485), ("Mars", 42828.375214, -0.420)):
    found = getattr(bodies, name)["Mu"]
    error = 100 * (found / right - 1)
    turn = degrees((right / (1.1 * getattr(bodies, name)["Radius"]) ** 3) ** 0.5 * 86400)
    print(f"{name}: GM {found:.1f}, should be {right:.1f} km^3/s^2 ({error:+.3f} %): {turn * error / 200:+.1f} degrees in "
          "a day at a tenth of a radius above ground")
    assert abs(error - seen) < 0.002
assert abs(bodies.Venus["Mu"] / 324858.592 - 1) < 1e-3 and abs(bodies.Earth["Mu"] / 398600.435 - 1) < 1e-3
END
