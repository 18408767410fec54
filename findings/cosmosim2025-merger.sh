#!/usr/bin/env bash
# cosmosim2025 1.0.0: bodies that collide merge midway between their centres, whatever their masses are; forces are
# summed by name, so that bodies of the same name share one; Julian dates come back in the Julian calendar and without
# the time of day. Seen on 2026-11-30: a comet that falls into the Sun moves it by 350,000 km (0.0000000035 m is
# right); of three equal bodies on a line, the two called "star" have the same acceleration, where 0.0071 and -0.0012
# m/s^2 are right; 2020-07-15 18:00 comes back as 2020-07-02 00:00.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check cosmosim2025==1.0.0 matplotlib==3.11.2
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import datetime

from cosmosim.astrotime import jd_to_utc, utc_to_jd
from cosmosim.bodies import CelestialBody
from cosmosim.collision import collide
from cosmosim.constants import G
from cosmosim.simulation import simulate_step


def body(name, mass, x):
    return CelestialBody(name, mass, 1.0, [x, 0.0, 0.0], [0.0, 0.0, 0.0])


one = collide(body("sun", 2e30, 0.0), body("comet", 1e13, 7e8))
print(f"after the impact of a comet, the Sun is at x = {one.position[0]:.3g} m, should be {7e8 * 1e13 / 2e30:.1e}")
assert one.position[0] == 3.5e8

places, mass = (0.0, 1e11, -3e11), 1e30
bodies = [body(name, mass, x) for name, x in zip(("planet", "star", "star"), places)]
simulate_step(bodies, 1.0)
found = [each.velocity[0] for each in bodies]
right = [sum(G * mass * (b - a) / abs(b - a) ** 3 for b in places if b != a) for a in places]
print("accelerations", [f"{each:+.5f}" for each in found], "should be", [f"{each:+.5f}" for each in right])
assert found[1] == found[2] and abs(found[0] / right[0] - 1) < 1e-9 and abs(sum(found)) > 1e-3 > 1e6 * abs(sum(right))

date = datetime.datetime(2020, 7, 15, 18)
back = jd_to_utc(utc_to_jd(date))
print(f"{date} comes back as {back}")
assert back == datetime.datetime(2020, 7, 2)
END
