#!/usr/bin/env bash
# orbitronomy 0.3.3, pictures of orbits: the perihelion distance is taken as the period of the orbit. Seen on
# 2026-11-30: while the Earth goes around the Sun 24.4 times, Jupiter does so 4.84 times; the periods differ by a factor
# of 5.04 instead of 11.86.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 matplotlib==3.8.4 \
  pandas==2.2.3 pillow==10.4.0 PyAstronomy==0.21.0 quantities==0.15.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps orbitronomy==0.3.3
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from orbitronomy.highLevel.orbitCalcs import SimpleOrbit

picture = SimpleOrbit("planets", "planets")
picture.calculateOrbit(4000, 6, data=[("Earth", 1.0, 0.9833, 0.0167, 0.0, 0.0, 102.9, "b"),
                                      ("Jupiter", 5.2029, 4.951, 0.0484, 0.0, 100.5, 274.3, "r")])
turns = []
for name in ("Earth", "Jupiter"):
    places = picture.object_positions[name]
    angles = numpy.unwrap(numpy.arctan2(places[:, 1], places[:, 0]))
    turns.append(abs(angles[-1] - angles[0]) / (2 * numpy.pi))
    print(f"{name}: {turns[-1]:.2f} turns")
print(f"ratio of the periods {turns[0] / turns[1]:.2f}, should be {5.2029**1.5:.2f}")
assert abs(turns[0] / turns[1] - 4.951 / 0.9833) < 0.1
END
