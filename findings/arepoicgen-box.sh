#!/usr/bin/env bash
# arepoICgen 0.2.8: a cloud of the grid boxGrid is moved by its whole length to be "centered", not by half of it. With
# the extra densityGradient, the density is then negative in most of the cloud; with padBox, the cloud lies in the
# corner of a box that should be boxSize times as long as the cloud. Clouds of spheres are right. Seen on 2026-11-30,
# 1,000 cells of together 1,000 Msun: a gradient from 1 to 2 gives masses from -7 to 2 Msun, together -2,500; with
# boxSize 3, the cloud's centre is at 0.75 to 0.8 of the side of the box on each axis instead of 0.5 (cells of the
# padding are random).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check arepoICgen==0.2.8 numpy==2.4.6 scipy==1.17.1 \
  h5py==3.16.0 numba==0.68.1 matplotlib==3.11.2
environment/bin/python -W ignore - <<'END'
import contextlib
import io

import h5py
import numpy
from arepoICgen import arepoICgen

count, length, unit = 1000, 1e18, 1e17  # cm

def cloud(config, **params):
    """The written cells of a cloud: places in units of 1e17 cm, masses in solar masses."""
    with contextlib.redirect_stdout(io.StringIO()):
        arepoICgen({"filename": "cells", **config}, {"ngas": count, "lengths": [length] * 3, "radii": length / 2,
                                                     "mass": 1000.0, "temp": 10, "mu": 2.4, "uDist": unit, **params})
    with h5py.File("cells.hdf5") as file:
        return file["PartType0/Coordinates"][:], file["PartType0/Masses"][:], file["Header"].attrs["BoxSize"]

_, masses, _ = cloud({"grid": "boxGrid", "extras": "densityGradient"}, lowerDensity=1, upperDensity=2)
print(f"gradient 1 to 2 in a box: masses from {masses.min():g} to {masses.max():g}, together {masses.sum():g} Msun")
assert numpy.isclose(masses.min(), -7) and numpy.isclose(masses.max(), 2) and numpy.isclose(masses.sum(), -2500)
_, masses, _ = cloud({"grid": "sphereGrid", "extras": "densityGradient"}, lowerDensity=1, upperDensity=2)
print(f"gradient 1 to 2 in a sphere: masses from {masses.min():g} to {masses.max():g} Msun")
assert masses.min() > 0 and numpy.isclose(masses.max() / masses.min(), 2, rtol=0.1)

centre = {}
for grid in "boxGrid", "sphereGrid":
    places, masses, box = cloud({"grid": grid, "padBox": True}, boxSize=[3, 3, 3], paddingPercent=0.5)
    inside = places[numpy.isclose(masses, masses[0])]
    centre[grid] = (inside.min(0) + inside.max(0)) / 2 / box
    print(f"{grid}: cloud of {numpy.ptp(inside[:, 0]):.1f} in a box of {box:.1f}, centre at {centre[grid].round(2)}")
assert (centre["boxGrid"] > 0.65).all() and (abs(centre["sphereGrid"] - 0.5) < 0.05).all()
END
