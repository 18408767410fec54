#!/usr/bin/env bash
# tidye 0.1.4, tides of a planet with moons: what it calls tidal force is the gravity of the moon, G M m / r², which acts
# on the whole planet alike. A tide is the difference of this gravity over the planet and falls with r³. It also has one
# high tide per orbit of the moon instead of two. Seen on 2026-12-01: a moon at twice the distance has 1/4 of the tide
# instead of 1/8, a moon of 27 times the mass at 3 times the distance 3 times the tide instead of the same.
# Right value: the second-order term of the potential of a point mass, G m R² (3 cos² psi - 1) / (2 r³).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.0.0 matplotlib==3.9.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps tidye==0.1.4
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
from importlib.metadata import version

import numpy
from tidye.model import Moon, Planet
from tidye.simulation import TidalSimulation

print("tidye", version("tidye"))
time = numpy.linspace(0.0, 1.0, 4001)


def tide(mass, distance):
    moon = Moon("moon", mass=mass, orbital_radius=distance, orbital_period=1.0)
    return TidalSimulation(Planet("planet", 1000.0, [moon])).tidal_force(time)


def right(mass, distance):
    # The difference of the gravity of the moon over one unit of length near (distance, 0).
    return mass / (distance - 0.5) ** 2 - mass / (distance + 0.5) ** 2


near = tide(100.0, 300.0)
for mass, distance in ((100.0, 600.0), (270.0, 900.0), (2700.0, 900.0)):
    found, expected = tide(mass, distance).max() / near.max(), right(mass, distance) / right(100.0, 300.0)
    print(f"mass {mass} at distance {distance}: {found:.3f} times the tide of mass 100 at distance 300, should be "
          f"{expected:.3f}")
    assert abs(found / (mass / 100 * (300 / distance) ** 2) - 1) < 1e-9 and abs(expected / found - 300 / distance) < 1e-3
angle = 2 * numpy.pi * time
potential = 3 * numpy.cos(angle) ** 2 - 1


def maxima(wave):
    ring = wave[:-1]
    return int(((ring > numpy.roll(ring, 1)) & (ring > numpy.roll(ring, -1))).sum())


print(f"high tides in an orbit: {maxima(near)}, should be {maxima(potential)}")
assert maxima(near) == 1 and maxima(potential) == 2
END
