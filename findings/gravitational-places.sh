#!/usr/bin/env bash
# gravitational 0.2.2: random_ec_sphere(center, r1, r2, size), "random points between two concentric spheres", takes the
# distance from the origin instead of the center for the inner sphere, so that with any other center points lie inside
# it. set_lagrange() puts L4 and L5 along the velocity of the planet, not along that against the star: in a system that
# moves, like that of Earth and Moon, the triangle is not equilateral and even the side depends on the frame. L3 is
# 3,100 km off for Earth and Moon, since it turns about the star instead of the centre of mass. Seen on 2026-11-30: 11.6
# % of the points inside the inner sphere, down to 0.16 r1; L4 of a Moon that flies with the Earth at 30 km/s is 0.37 of
# the distance from it, and 1.37 from the Earth (1 and 1 are right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check gravitational==0.2.2 numpy==2.3.5 matplotlib==3.10.7 \
  scipy==1.16.3
environment/bin/python -W ignore - <<'END'
import numpy
from gravitational.simulation import Simulation
from gravitational.utils import random_ec_sphere
from scipy.optimize import brentq

for center in ((0, 0, 0), (10, 0, 0)):
    points = numpy.array(random_ec_sphere(center, 1.0, 2.0, 5000))
    distance = numpy.linalg.norm(points - center, axis=1)
    inside = (distance < 1).mean()
    print(f"center {center}: distances {distance.min():.4f} to {distance.max():.4f}, {100 * inside:.2f} % inside r1 = 1")
    assert inside == 0 if center == (0, 0, 0) else inside > 0.1

away = 384400e3


def lagrange(point, drift):
    system = Simulation(t0="2020-01-01 00:00:00")
    earth = system.add_body("earth", mass=5.972e24, position=(0, 0, 0), velocity=(drift, 0, 0))
    moon = system.add_body("moon", mass=7.348e22, position=(away, 0, 0), velocity=(drift, 1022.0, 0))
    probe = system.add_body("probe", mass=1.0, position=(0, away, 0), velocity=(0, 0, 0))
    system.set_lagrange(point, probe, moon, earth)
    return numpy.array(probe.p)


for drift in (0.0, 29780.0):
    place = lagrange("L4", drift)
    sides = numpy.linalg.norm(place) / away, numpy.linalg.norm(place - [away, 0, 0]) / away
    print(f"L4, Earth at {drift / 1e3} km/s: {sides[0]:.4f} from the Earth and {sides[1]:.4f} from the Moon, right 1 and 1")
    assert abs(sides[0] - 1) + abs(sides[1] - 1) < 1e-6 if drift == 0 else sides[0] > 1.3

share = 7.348e22 / (5.972e24 + 7.348e22)


def pull(x):
    first, second = x + share, x - 1 + share
    return x - (1 - share) * first / abs(first) ** 3 - share * second / abs(second) ** 3


right = brentq(pull, -2, -0.5) + share
found = lagrange("L3", 0.0)[0]
print(f"L3 {found / 1e3:.0f} km from the Earth, should be {right * away / 1e3:.0f} km")
assert abs(found - right * away) > 3e6
END
