#!/usr/bin/env bash
# LensCalcPy 0.0.4, MilkyWayModel: the Galactic bar is turned by its angle of 27 degrees in the wrong direction: its
# near end is at negative longitudes, where that of the Milky Way is at positive ones (Koshimoto et al. 2021,
# doi:10.3847/1538-4357/ac07a8, whose model it is). And thin and thick disc are taken at the distance from the Galactic
# centre in the place of that from its axis. Seen on 2026-11-30: at longitude 10 degrees the bar is densest 9.24 kpc
# away and at -10 degrees 6.76, where 6.76 and 9.24 are right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 matplotlib==3.9.4 \
  pathos==0.3.3 tqdm==4.67.1 fastcore==1.7.29 pandas==2.2.3 astropy==6.1.7
environment/bin/pip install --quiet --disable-pip-version-check --no-deps LensCalcPy==0.0.4
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from LensCalcPy.galaxy import MilkyWayModel
from LensCalcPy.parameters import alphabar, rEarth

model = MilkyWayModel({})
distances = numpy.linspace(4, 13, 901)  # kpc
for longitude in (-10, 10):
    density = numpy.array([model.rho_bulge(distance, l=longitude, b=0.0) for distance in distances])
    densest = distances[density.argmax()]
    # the long axis of the bar, which starts towards the Sun and turns to positive longitudes, crosses the line of sight
    angle, turn = numpy.radians([longitude, alphabar])
    axis = rEarth * numpy.sin(turn) / numpy.sin(numpy.pi - turn - angle)
    print(f"longitude {longitude}: the bar is densest {densest:.2f} kpc away, its axis should be {axis:.2f} kpc away")
    assert (densest - rEarth) * (axis - rEarth) < 0 and abs(densest - rEarth) > 0.7
assert model.dist_center(8.5, 0, 90) > 12  # above the Sun, that is 8.5 kpc from the axis
END
